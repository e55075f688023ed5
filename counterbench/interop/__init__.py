"""Other people's formats of pairs and replies, one file each; the dictionary below is the whole list of imports.

What is imported becomes folders and runs like our own (`imported`); nothing else knows where they came from.
Prompts are imported in `t2i/prompts/imports`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from counterbench.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbench.interop.imported import Imported

# Format name to what it reads.
IMPORTS: dict[str, str] = {
    "counterbench": "the original CounterBench release: its pairs and four models' replies",
    "pairs": "your own pairs, a CSV or JSONL file: pictures, a question, both answers",
    "inspect-log": "an inspect log of our tasks: a run",
    "replies": "replies to pairs that were collected elsewhere, a CSV or JSONL file: a run",
}


class Importer(Protocol):
    """Reads what lies at `path`, checks it and writes it into `out`; `on_progress(done, total)` as it goes."""

    def __call__(self, path: Path, out: Path, /, on_progress: Callable[[int, int], None] = ...) -> Imported:
        """What was found."""
        ...


def importer(name: str) -> Importer:
    """The function that imports pairs in a format; InputError with the valid names. Runs have others."""
    if name == "counterbench":
        from counterbench.interop.counterbench_release import import_release

        return import_release
    if name == "pairs":
        from counterbench.interop.pairs import import_pairs

        return import_pairs
    raise unknown("import format", name, IMPORTS)
