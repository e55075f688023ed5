"""Files of contact sheets: a title tells them from any other PNG, so that no other is written over."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PIL import Image

from counterbench.drawing import png
from counterbench.errors import InputError
from counterbench.files import formats, own

_TITLE = "counterbench contact sheet"


def refuse_taken(out: Path) -> None:
    """InputError unless a sheet can be written there."""
    if out.suffix.lower() != ".png":
        raise InputError(f"{out}: --out must end in .png")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; --out takes a file")
    own.refuse_taken(out, "contact sheet", partial(own.has_mark, mark=png.title_chunk(_TITLE)))


def write(out: Path, sheet: Image.Image) -> None:
    """Write a sheet, over an older one if there is one; InputError if anything else is there."""
    refuse_taken(out)
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        formats.write_atomically(out, png.encode(sheet, _TITLE))
