"""Contact sheets: their files, recognised among PNGs by a title, thumbnails, and text cut to its width."""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Iterator
from functools import cache, partial
from math import ceil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from counterbench.drawing import png
from counterbench.errors import InputError
from counterbench.files import formats, own
from counterbench.text import visible

INK, PAPER, RULE = (20, 20, 20), (255, 255, 255), (200, 200, 200)
# The font has the letters of ASCII and few other signs.
_NEAREST = str.maketrans({"–": "-", "—": "-", "×": "x"})
_TITLE = "counterbench contact sheet"


def refuse_taken(out: Path) -> None:
    """InputError unless a sheet can be written there."""
    if out.suffix.lower() != ".png":
        raise InputError(f"{out}: --out must end in .png")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; --out takes a file")
    own.refuse_taken(out, "contact sheet", partial(own.has_mark, mark=png.title_chunk(_TITLE)))


def write(out: Path, sheet: Image.Image) -> None:
    """Write a sheet, over an older one if there is one; InputError if another file is there."""
    refuse_taken(out)
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        formats.write_atomically(out, png.encode(sheet, _TITLE))


def paste_thumbnail(sheet: Image.Image, image: Image.Image, x: int, y: int, side: int) -> None:
    """Paste a picture, made as small as `side`, with a thin frame around it."""
    image.thumbnail((side, side), Image.Resampling.BOX)
    sheet.paste(image, (x, y))
    ImageDraw.Draw(sheet).rectangle((x - 1, y - 1, x + image.width, y + image.height), outline=RULE)


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font, `size` pixels high."""
    return ImageFont.load_default(size)


def wrapped(text: str, size: int, width: int, most: int) -> list[str]:
    """Text as at most `most` lines of at most `width` pixels, "…" for the rest; long words are cut."""
    measure = font(size).getlength
    lines, used = [""], 0.0
    for piece in _pieces(text, size, width):
        length = measure(f" {piece}" if lines[-1] else piece)
        if lines[-1] and used + length > width:
            if len(lines) == most:
                while lines[-1] and measure(f"{lines[-1]} …") > width:
                    lines[-1] = lines[-1].rpartition(" ")[0] or lines[-1][:-1]
                lines[-1] += " …"
                break
            lines.append("")
            used, length = 0.0, measure(piece)
        lines[-1] = f"{lines[-1]} {piece}".lstrip()
        used += length
    return lines


def _pieces(text: str, size: int, width: int) -> Iterator[str]:
    """The words of a text in drawable letters; words wider than `width` are cut, ids between their parts."""
    measure = font(size).getlength
    for word in _drawable(text).split():
        while len(word) > 1 and (len(word) > width or measure(word) > width):  # no letter is narrower than a pixel
            fits = bisect(range(min(len(word), width)), width, key=lambda n: ceil(measure(word[:n]))) - 1
            cut = max(word.rfind(sign, 0, fits) for sign in "/._-") + 1 or max(1, fits)
            yield word[:cut]
            word = word[cut:]
        yield word


def _drawable(text: str) -> str:
    """Text in letters that the font has, without accents."""
    apart = unicodedata.normalize("NFKD", visible(" ".join(text.split())).translate(_NEAREST))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
