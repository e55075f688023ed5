"""Other people's formats, one file each; the dictionary below is the whole list of imports.

What is imported becomes folders and runs like our own (`imported`); nothing else knows where they came from.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from counterbench.errors import unknown

if TYPE_CHECKING:
    from counterbench.interop.imported import Imported

# Format name to what it reads.
IMPORTS: dict[str, str] = {"counterbench": "the original CounterBench release: its pairs and four models' replies"}


def importer(name: str) -> Callable[[Path, Path], Imported]:
    """The function that imports a format, (release, out) → what was found; InputError with the valid names."""
    if name == "counterbench":
        from counterbench.interop.counterbench_release import import_release

        return import_release
    raise unknown("import format", name, IMPORTS)
