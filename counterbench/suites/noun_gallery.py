"""A picture of one noun, as galleries show it."""

from __future__ import annotations

from PIL import Image

from counterbench.drawing.render import render
from counterbench.palette import COLOURS
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene

# Width and height of long nouns, as shares of a square; all others are as wide as high.
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


def glyph(noun: str, number: int, size: int) -> Image.Image:
    """A noun alone on a white square; `number` picks its colour.

    Lamps are lit, vessels half full, pointers face right, and nouns with forms are round.
    """
    traits, half = NOUNS[noun], (size - 1) // 2
    across, down = _LONG.get(noun, (1, 1))
    figure = Figure(
        id=noun,
        noun=noun,
        colour=COLOURS[number % len(COLOURS)],
        x=half,
        y=half,
        half_width=int(half * across),
        half_height=int(half * down),
        facing="right" if traits.faces else "",
        lit=traits.lights,
        quarters=2 if traits.fills else 0,
        form="circle" if traits.forms else "",
    )
    return render(Scene(size, size, background=255, elements=(figure,)))
