"""Finding room: shapes are placed one by one at random so that no two boxes come nearer than the gap."""

from __future__ import annotations

from collections.abc import Callable

from counterbench.errors import NoRoomError
from counterbench.scene.geometry import Box, Point
from counterbench.scene.scene import MIN_LABEL_HEIGHT, Label, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Params, Redraw

# Shapes narrower than this are not nameable at a glance.
MIN_SIZE = 8
_TRIES = 40
# Below this size a letter does not fit into a triangle or diamond, and goes above the shape.
_LETTER_FITS = 32
_LETTER_HALF_WIDTH = MIN_LABEL_HEIGHT * 4 // 5 + 2
_LETTER_GAP = 4  # pixels between a shape and the letter above it


class Field:
    """The free space of a canvas: boxes placed or reserved so far, and draws of places clear of them."""

    def __init__(self, canvas: Canvas, gap: int) -> None:
        self.area = Box(0, 0, canvas.width - 1, canvas.height - 1).grown(-gap)
        self.gap = gap
        self.taken: list[Box] = []

    def free(self, box: Box) -> bool:
        """True if `box` lies on the canvas and keeps its distance from everything taken."""
        return box.within(self.area) and not any(box.grown(self.gap).touches(other) for other in self.taken)

    def take(self, box: Box) -> None:
        """Reserve a box."""
        self.taken.append(box)

    def place(
        self,
        stream: Stream,
        size: int,
        within: Box | None = None,
        allowed: Callable[[Point], bool] | None = None,
        above: int = 0,
    ) -> Point:
        """A free centre for a shape of `size` (with `above` more pixels over it), which is then taken; or Redraw."""
        area = within or self.area
        left, right = area.left + size, area.right - size
        top, bottom = area.top + size + above, area.bottom - size
        if left > right or top > bottom:
            raise Redraw(f"a shape of {2 * size} px does not fit into its part of the picture")
        for _ in range(_TRIES):
            p = (stream.integer(left, right), stream.integer(top, bottom))
            box = box_at(p, size, above)
            if (allowed is None or allowed(p)) and self.free(box):
                self.take(box)
                return p
        raise Redraw(f"no free place for a shape of {2 * size} px")


def box_at(p: Point, size: int, above: int = 0) -> Box:
    """The bounding box of a shape of `size` at `p`; with `above`, that of the shape and its letter over it."""
    half = max(size, _LETTER_HALF_WIDTH) if above else size
    return Box(p[0] - half, p[1] - size - above, p[0] + half, p[1] + size)


def draw_size(stream: Stream, params: Params, canvas: Canvas) -> int:
    """A shape size in pixels from the parameter `shape_size`; NoRoomError where shapes would be too small to name."""
    low, high = (canvas.px(percent) for percent in params.shape_size)
    if low < MIN_SIZE:
        raise NoRoomError(
            f"shape_size = {list(params.shape_size)} per cent of {min(canvas.width, canvas.height)} px gives shapes of "
            f"{2 * low} px; they need at least {2 * MIN_SIZE} px: raise shape_size or the picture's size"
        )
    return stream.integer(low, high)


def room_above(size: int) -> int:
    """Pixels that a shape's letter needs above the shape: 0 where it fits inside.

    They keep anything above the letter at least twice as far from it as its own shape is.
    """
    return 0 if size >= _LETTER_FITS else MIN_LABEL_HEIGHT + 3 * _LETTER_GAP


def lettered(shape: Shape, letter: str) -> Label:
    """The label of `shape`: inside it where there is room for a legible letter, else above it."""
    if shape.size < _LETTER_FITS:
        return Label(f"label-{letter.lower()}", letter, shape.id, 0, -shape.size - MIN_LABEL_HEIGHT // 2 - _LETTER_GAP)
    height = max(MIN_LABEL_HEIGHT, shape.size * 2 // 3)
    return Label(
        f"label-{letter.lower()}",
        letter,
        shape.id,
        0,
        shape.size // 3 if shape.kind == "triangle" else 0,
        height,
    )
