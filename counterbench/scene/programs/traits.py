"""What a diagnosis may find errors to go with: coarse traits of the thing that a question asks about.

By name: "size" (small, medium, large), "column" (left, middle, right third of the picture), "row" (top, middle,
bottom) and "colour" of the thing, of several the one that the words name first; "count": the true number, where one is
asked for, and the largest of several; "side": "left or right", "above or below" or "both", where that is asked;
"mentioned": whether the right one of two answers is the "first" or the "second" that the question names.

Two more are of the picture (`runs.pair_queries`): "style", where it is not flat, and "treatment", what a control pair
changed in it that no program looks at.
"""

from __future__ import annotations

from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box
from counterbench.scene.scene import Scene, Shape

# Shares of the picture's shorter side, in per cent: what is narrower (or lower) is small, medium; all else is large.
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
    """Which sides a question about these values ("left", "ceiling") tells apart; nothing of other values."""
    asked = [sides for sides, those in _SIDES.items() if not set(those).isdisjoint(values)]
    return {"side": asked[0] if len(asked) == 1 else "both"} if asked else {}


def _size(box: Box, scene: Scene) -> str:
    narrow = 100 * min(box.right - box.left, box.bottom - box.top)
    if narrow < SMALL_PERCENT * scene.side:
        return "small"
    return "medium" if narrow < MEDIUM_PERCENT * scene.side else "large"
