"""Other people's formats of pairs and replies, one file each; the dictionary below is the whole list of imports.

Imported data become folders and runs like our own (`imported`); no other part of the package knows their origin.
Prompts are imported in `prompts/imports`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbench.interop.imported import Imported

# Format name to a description of its files.
IMPORTS: dict[str, str] = {
    "counterbench": "the original CounterBench release: its pairs and four models' replies",
    "pairs": "your own pairs, a CSV or JSONL file: pictures, a question, both answers",
    "inspect-log": "an inspect log of our tasks: a run",
    "replies": "replies to pairs that were collected elsewhere, a CSV or JSONL file: a run",
}


def importer(name: str) -> Callable[..., Imported]:
    """The function that imports pairs in a format of `IMPORTS`. Runs have other functions.

    It takes the path of the data, the folder to write, and `on_progress(done, total)`.
    """
    if name == "counterbench":
        from counterbench.interop.counterbench_release import import_release

        return import_release
    from counterbench.interop.pairs import import_pairs

    return import_pairs
