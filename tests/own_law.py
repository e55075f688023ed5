"""The law that the docs add, and its search anew once its file is there, changed or gone."""

import importlib
import sys

from docs_files import ROOT, shown_files

from counterbench.laws import Law, all_laws
from counterbench.suites.families.laws import checks_by_cell

FEEDING = shown_files(ROOT / "docs/extending/law.md")["counterbench/laws/biology/feeding.py"]


def laws_found_anew() -> dict[str, Law]:
    sys.modules.pop("counterbench.laws.biology.feeding", None)
    importlib.invalidate_caches()
    all_laws.cache_clear()
    checks_by_cell.cache_clear()
    return all_laws()
