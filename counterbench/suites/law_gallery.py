"""A sheet of laws: a row for each law with its start, its real and its altered outcomes, and each variant's rule."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from counterbench.drawing.styles import FLAT
from counterbench.drawing.styles import draw as draw_scene
from counterbench.laws import Law
from counterbench.laws.base import stage
from counterbench.laws.outcomes import outcome
from counterbench.suites import sheets
from counterbench.suites.sheets import INK, PAPER, font

_THUMB, _GAP, _MARGIN, _TITLE, _CAPTION = 224, 10, 16, 26, 92
_LINE, _WIDTH = 16, 34  # caption: pixels a line, characters a line


def law_sheet(out: Path, laws: Sequence[Law], style: str = FLAT, seed: int = 0, index: int = 0) -> int:
    """Write a PNG with a row for each law in one setting; returns the number of laws."""
    sheets.refuse_taken(out)
    columns = 1 + max(len(law.variants) for law in laws)
    row_height = _TITLE + _THUMB + _CAPTION
    size = (2 * _MARGIN + columns * (_THUMB + _GAP), 2 * _MARGIN + len(laws) * row_height)
    sheet = Image.new("RGB", size, PAPER)
    for row, law in enumerate(laws):
        _draw_law(sheet, law, style, seed, index, _MARGIN + row * row_height)
    sheets.write(out, sheet)
    return len(laws)


def _draw_law(sheet: Image.Image, law: Law, style: str, seed: int, index: int, top: int) -> None:
    draw = ImageDraw.Draw(sheet)
    setting = law.setting(seed, index)
    title = f"{law.name}: {law.title} ({law.discipline}, {law.branch})"
    draw.text((_MARGIN, top), title, fill=INK, font=font(18))
    cells = [(stage(law.start(setting)), "start")]
    for variant in law.variants:
        kind = f"{variant.name} (real): " if variant.real else f"{variant.name}: "
        cells.append((outcome(law, setting, variant.name), kind + setting.fill(variant.rule)))
    for column, (scene, caption) in enumerate(cells):
        x, y = _MARGIN + column * (_THUMB + _GAP), top + _TITLE
        sheets.paste_thumbnail(sheet, draw_scene(scene, style=style, first=cells[0][0]), x, y, _THUMB)
        for n, line in enumerate(textwrap.wrap(caption, _WIDTH, max_lines=5, placeholder=" …")):
            draw.text((x, y + _THUMB + 4 + n * _LINE), line, fill=INK, font=font(13))
