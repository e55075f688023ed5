"""A contact sheet: pairs of every family, the original over the intervened picture, with question and answers."""

from __future__ import annotations

import textwrap
from pathlib import Path

from PIL import Image, ImageDraw

from counterbench.errors import InputError
from counterbench.scene.pairs import Pair
from counterbench.suites import sheets
from counterbench.suites.sheets import INK, PAPER, font
from counterbench.suites.sources import Source

_THUMB, _GAP, _CAPTION, _MARGIN = 240, 8, 110, 16
_LINE, _WIDTH = 17, 34  # caption: pixels a line, characters a line


def contact_sheet(source: Source, out: Path, each: int = 2) -> list[Pair]:
    """Write a PNG with the first `each` pairs of every family, a column for each family; returns those pairs."""
    sheets.refuse_taken(out)
    columns: dict[str, list[Pair]] = {}
    for pair in source:
        column = columns.setdefault(pair.family, [])
        if len(column) < each:
            column.append(pair)
    if not columns:
        raise InputError(f"{source.name}: has no pairs to show")
    rows = max(map(len, columns.values()))
    cell_width, cell_height = _THUMB + 2 * _GAP, 2 * _THUMB + 3 * _GAP + _CAPTION
    width, height = 2 * _MARGIN + len(columns) * cell_width, 2 * _MARGIN + 24 + rows * cell_height
    sheet = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(sheet)
    for i, (family, pairs) in enumerate(columns.items()):
        x = _MARGIN + i * cell_width + _GAP
        draw.text((x, _MARGIN), family, fill=INK, font=font(18))
        for j, pair in enumerate(pairs):
            _draw_cell(sheet, source, pair, x, _MARGIN + 24 + j * cell_height)
    sheets.write(out, sheet)
    return [pair for column in columns.values() for pair in column]


def _draw_cell(sheet: Image.Image, source: Source, pair: Pair, x: int, y: int) -> None:
    draw = ImageDraw.Draw(sheet)
    pictures = source.pictures(pair)
    for k in range(2):
        top = y + _GAP + k * (_THUMB + _GAP)
        if pictures:
            sheets.paste_thumbnail(sheet, pictures[k].image(), x, top, _THUMB)
        else:
            draw.text((x, top), "(no picture)", fill=INK, font=font(14))
    lines = [
        *textwrap.wrap(pair.question, _WIDTH, max_lines=4, placeholder=" …"),
        ", then ".join(pair.answers),
        pair.intervention[:_WIDTH],
    ]
    for n, line in enumerate(lines):
        top = y + 2 * _GAP + 2 * _THUMB + n * _LINE + 4
        draw.text((x, top), line, fill=INK, font=font(14))
