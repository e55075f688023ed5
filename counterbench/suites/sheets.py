"""Contact sheets: a PNG with pairs of every family, or with laws and their outcomes; and text cut to its width."""

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from counterbench.drawing import png
from counterbench.drawing.styles import FLAT, draw
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.laws import Law
from counterbench.laws.base import stage
from counterbench.laws.outcomes import outcome
from counterbench.scene.pairs import Pair
from counterbench.suites.comparisons import is_comparison, prompts_of
from counterbench.suites.families.laws import LawParams, law_names
from counterbench.suites.sources import Source
from counterbench.suites.suite import Suite
from counterbench.text import visible

INK, PAPER, RULE = (20, 20, 20), (255, 255, 255), (200, 200, 200)
# The font has the letters of ASCII and few other characters.
_NEAREST = str.maketrans({"–": "-", "—": "-", "×": "x"})
_TITLE = "counterbench contact sheet"
# Pixels: a picture's side, the space beside it, the sheet's margin, the title above a cell, and a line of its caption.
THUMB, GAP, MARGIN, HEAD, _LINE = 240, 10, 16, 26, 17
_LINES, _EACH = 6, 2  # lines of a caption; pairs of a family
_FULL = 0.92  # of a line's width: the share that letters of average width fill


class SheetCell(NamedTuple):
    """A place of a sheet: pictures below one another, under a title and over a caption."""

    title: str
    pictures: list[Image.Image]
    caption: list[str]


def pair_sheet(source: Source, out: Path) -> int:
    """Write a PNG with the first two pairs of every family, a column for each; returns the number of pairs.

    The original stands over the intervened picture.
    """
    refuse_taken(out)
    columns: dict[str, list[Pair]] = {}
    for pair in source:
        column = columns.setdefault(pair.family, [])
        if len(column) < _EACH:
            column.append(pair)
    if not columns:
        raise InputError(f"{source.name}: has no pairs to show")
    cells = (
        [
            SheetCell(
                "" if n else family,
                [picture.image() for picture in source.pictures(pair)],
                _caption(pair),
            )
            for n, pair in enumerate(pairs)
        ]
        for family, pairs in columns.items()
    )
    _write(out, list(zip_longest(*cells, fillvalue=SheetCell("", [], []))))
    return sum(map(len, columns.values()))


def _caption(pair: Pair) -> list[str]:
    """The lines below a pair: its question and both answers, or the prompts of a comparison each with its answer."""
    if is_comparison(pair.answer_type):
        return [f"{prompt}: {answer}" for prompt, answer in zip(prompts_of(pair), pair.answers, strict=True)]
    return [pair.words, ", then ".join(pair.answers), pair.intervention]


def law_sheet(out: Path, laws: Sequence[Law], style: str = FLAT) -> int:
    """Write a PNG with a row for each law: its start, its real outcome and the altered ones, with each variant's rule.

    Returns the number of laws.
    """
    refuse_taken(out)
    _write(out, [list(_law_cells(law, style)) for law in laws])
    return len(laws)


def laws_of(suite: Suite) -> list[str]:
    """The laws of a suite that is about laws alone; none of other suites."""
    params = [part.params for part in suite.parts]
    laws = [own.laws for own in params if isinstance(own, LawParams)]
    return list(dict.fromkeys(name for names in laws for name in law_names(names))) if len(laws) == len(params) else []


def _law_cells(law: Law, style: str) -> Iterator[SheetCell]:
    """The cells of a law's row: its start, and the outcome of each variant."""
    setting = law.setting(0, 0)
    start = stage(law.start(setting))
    yield SheetCell(f"{law.name}: {law.title} ({law.discipline}, {law.branch})", [draw(start, style=style)], ["start"])
    for variant in law.variants:
        kind = f"{variant.name} (real): " if variant.real else f"{variant.name}: "
        scene = outcome(law, setting, variant.name)
        yield SheetCell("", [draw(scene, style=style, first=start)], [kind + setting.fill(variant.rule)])


def _write(out: Path, rows: Sequence[Sequence[SheetCell]]) -> None:
    """Write a sheet, over an older one if there is one; InputError if another file is there."""
    pictures = max(len(cell.pictures) for row in rows for cell in row)
    height = HEAD + pictures * (THUMB + GAP) + _LINES * _LINE + GAP
    width = max(map(len, rows)) * (THUMB + 2 * GAP)
    sheet = Image.new("RGB", (2 * MARGIN + width, 2 * MARGIN + len(rows) * height), PAPER)
    text = ImageDraw.Draw(sheet)
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            x, y = MARGIN + column * (THUMB + 2 * GAP) + GAP, MARGIN + row * height
            text.text((x, y), _drawable(cell.title), fill=INK, font=font(18))
            for n, image in enumerate(cell.pictures):
                top = y + HEAD + n * (THUMB + GAP)
                image.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
                sheet.paste(image, (x, top))
                text.rectangle((x - 1, top - 1, x + image.width, top + image.height), outline=RULE)
            lines = [line for words in cell.caption for line in wrapped(words, 14, THUMB, 4)]
            for n, line in enumerate(lines[:_LINES]):
                text.text((x, y + HEAD + pictures * (THUMB + GAP) + n * _LINE), line, fill=INK, font=font(14))
    refuse_taken(out)
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        formats.write_atomically(out, png.encode(sheet, _TITLE))


def refuse_taken(out: Path) -> None:
    """InputError unless a sheet can be written there."""
    if out.suffix.lower() != ".png":
        raise InputError(f"{out}: --out must end in .png")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; --out takes a file")
    formats.refuse_taken(out, "contact sheet", png.title_chunk(_TITLE))


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font, `size` pixels high."""
    return ImageFont.load_default(size)


def wrapped(text: str, size: int, width: int, most: int) -> list[str]:
    """Text as at most `most` lines of about `width` pixels, "…" for the rest; long words are cut."""
    words = _drawable(text)
    letters = int(_FULL * len(words) * width / max(1.0, font(size).getlength(words)))
    return textwrap.wrap(words, max(letters, 3), max_lines=most, placeholder=" …") or [""]


def _drawable(text: str) -> str:
    """Text in letters that the font has, without accents."""
    apart = unicodedata.normalize("NFKD", visible(" ".join(text.split())).translate(_NEAREST))
    return "".join(character for character in apart if not unicodedata.combining(character))
