"""What tests of exports share: the exports of the same pairs, the truth about them, and what the docs do with them."""

import re
from pathlib import Path
from typing import Any

from consumers.counted import PAIRS, SUITE

from counterbench.drawing import png
from counterbench.interop.exports import Options, export
from counterbench.runs.queries import load_template
from counterbench.suites.sources import open_source

DOCS = Path(__file__).parents[2] / "docs"


def exported(format: str, out: Path | str) -> None:
    """Write the pairs in that format, to a folder or an address."""
    export(format, open_source(SUITE, limit=PAIRS), str(out), Options(load_template(), 1))


def truths() -> dict[str, Any]:
    """By id, each pair and the digests of its pictures."""
    source = open_source(SUITE, limit=PAIRS)
    return {pair.id: (pair, *(picture.digest for picture in source.pictures(pair))) for pair in source}


def picture_digest(picture: Any) -> str:
    """The digest of a picture that was read from an export."""
    return png.pixel_digest(picture.convert("RGB"))


def run_docs(page: str, word: str) -> dict[str, Any]:
    """What the blocks of Python in a page of the docs that have the word define, run one after the other."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```py\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL):
        if word in block:
            exec(block, names)
    return names
