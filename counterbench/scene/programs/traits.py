"""Coarse traits of the thing that a question asks about, by which a diagnosis groups errors.

size            small, medium, large
column, row     left, middle, right; top, middle, bottom third of the picture
colour          of several things, that of the first one named
count           the true number, if the question asks for one
side            "left or right", "above or below" or "both", if the question asks for a side
mentioned       first, second: the place of the right answer in a question that names two

Two more are of the picture (`runs.pair_queries`): "style", if it is not flat, and "treatment", the change of a control
pair that no program looks at.
"""

from __future__ import annotations

from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box
from counterbench.scene.scene import Scene, Shape

# Per cent of the picture's shorter side: a thing that is narrower (or lower) is small, medium; all others are large.
SMALL_PERCENT, MEDIUM_PERCENT = 10, 20

_SIDES = {
    "left or right": ("left", "right", "left wall", "right wall"),
    "above or below": ("above", "below", "up", "down", "ceiling", "floor"),
}


def traits_of(thing: Shape | Figure, scene: Scene) -> dict[str, str]:
    """Size, column, row and colour of a thing."""
    return {"size": _size(thing.box, scene), **place_of(thing.box, scene), "colour": thing.colour}


def place_of(box: Box, scene: Scene) -> dict[str, str]:
    """The column and row in which the middle of a box lies."""
    x, y = (box.left + box.right) // 2, (box.top + box.bottom) // 2
    return {
        "column": ("left", "middle", "right")[3 * x // scene.width],
        "row": ("top", "middle", "bottom")[3 * y // scene.height],
    }


def side_asked(*values: str) -> dict[str, str]:
    """The sides that a question about these values ("left", "ceiling") tells apart; empty of other values."""
    asked = [sides for sides, those in _SIDES.items() if not set(those).isdisjoint(values)]
    return {"side": asked[0] if len(asked) == 1 else "both"} if asked else {}


def _size(box: Box, scene: Scene) -> str:
    narrow = 100 * min(box.right - box.left, box.bottom - box.top)
    if narrow < SMALL_PERCENT * scene.side:
        return "small"
    return "medium" if narrow < MEDIUM_PERCENT * scene.side else "large"
