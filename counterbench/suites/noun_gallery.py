"""A sheet of all nouns that laws are about, each with its name below: what a glyph is meant to be read as."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from counterbench.drawing.render import render
from counterbench.palette import COLOURS
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene
from counterbench.suites import sheets

_COLUMNS, _GAP, _CAPTION, _LETTERS = 12, 12, 22, 13
_INK, _PAPER = (20, 20, 20), 255
# Width and height of what is long, as shares of a square; everything else is as wide as high.
_LONG = {
    "bacterium": (1, 0.75),
    "balloon": (0.77, 1),
    "bamboo": (0.3, 1),
    "cloud": (1, 0.64),
    "lake": (0.4, 1),
    "magnet": (1, 0.32),
    "mirror": (0.77, 1),
    "person": (0.6, 1),
    "plank": (1, 0.2),
    "post": (0.24, 1),
    "rope": (0.28, 1),
    "spring": (0.6, 1),
    "wire": (1, 0.16),
}


def nouns_sheet(out: Path, size: int = 96) -> int:
    """Write a PNG with every noun in a square of `size` pixels, colours in turn; how many nouns it shows.

    What lights is lit, what fills is half full, what faces faces right, and what comes in forms is round.
    """
    sheets.refuse_taken(out)
    rows = -(-len(NOUNS) // _COLUMNS)
    wide, high = size + _GAP, size + _CAPTION + _GAP
    sheet = Image.new("RGB", (_COLUMNS * wide + _GAP, rows * high + _GAP), (_PAPER,) * 3)
    draw = ImageDraw.Draw(sheet)
    for i, noun in enumerate(NOUNS):
        left, top = _GAP + i % _COLUMNS * wide, _GAP + i // _COLUMNS * high
        sheet.paste(glyph(noun, i, size), (left, top))
        draw.text((left + size // 2, top + size + 4), noun, fill=_INK, font=sheets.font(_LETTERS), anchor="ma")
    sheets.write(out, sheet)
    return len(NOUNS)


def glyph(noun: str, number: int, size: int) -> Image.Image:
    """A noun alone on a white square."""
    what, half = NOUNS[noun], (size - 1) // 2
    across, down = _LONG.get(noun, (1, 1))
    figure = Figure(
        id=noun,
        noun=noun,
        colour=COLOURS[number % len(COLOURS)],
        x=half,
        y=half,
        half_width=int(half * across),
        half_height=int(half * down),
        facing="right" if what.faces else "",
        lit=what.lights,
        quarters=2 if what.fills else 0,
        form="circle" if what.forms else "",
    )
    return render(Scene(size, size, background=_PAPER, elements=(figure,)))
