"""The command line of a checkout, called from far away: `python PATH/cli.py`."""

from pathlib import Path

import pytest
from processes import ROOT, python


@pytest.mark.slow
def test_the_checkout_has_a_script_of_its_own(tmp_path: Path) -> None:
    assert "smoke" in python(ROOT / "cli.py", "list", "suites", cwd=tmp_path, packages="")
