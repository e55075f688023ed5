"""Shapes of a scene: free places, names, sizes and letters; and two shapes apart, for a question that compares them.

Shapes are placed one by one at random so that no two boxes come nearer than the gap.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal, cast

from counterbench.errors import NoRoomError
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.geometry import Box, Point
from counterbench.scene.programs.shapes import Further, Relates, SpatialRelation
from counterbench.scene.scene import MIN_LABEL_HEIGHT, Label, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.base import COLOUR_SHAPES, Canvas, IntegerRange, Params, Plan, Redraw

ShapeName = tuple[Colour, ShapeKind]
# Shapes narrower than this are not nameable at a glance.
MIN_SIZE = 8
_TRIES = 40  # places that are drawn for a shape
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
        """Reserve a box, so that nothing else is placed in it or near it."""
        self.taken.append(box)

    def place(
        self,
        stream: Stream,
        size: int,
        within: Box | None = None,
        allowed: Callable[[Point], bool] | None = None,
        above: int = 0,
    ) -> Point:
        """A free centre for a shape of `size`, whose box is then taken; Redraw if none is found.

        `within`: the part of the picture in which the shape lies (default: all). `allowed`: true of the centres that
        may be used. `above`: pixels that are also free above the shape, for its letter.
        """
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


def draw_size_for(number: int, stream: Stream, params: Params, canvas: Canvas) -> int:
    """As `draw_size`, but small enough that so many shapes, with their gaps, take a third of the picture at most.

    Shapes that are placed at random find no room in much more. Redraw where the smallest ones take more.
    """
    size = draw_size(stream, params, canvas)
    side = math.isqrt(canvas.width * canvas.height // (3 * max(1, number)))
    fitting = min(size, (side - canvas.px(params.gap)) // 2)
    if fitting < canvas.px(params.shape_size[0]):
        raise Redraw(f"{number} shapes take more than a third of the picture")
    return fitting


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
    lower = shape.size // 3 if shape.kind == "triangle" else 0
    return Label(f"label-{letter.lower()}", letter, shape.id, 0, lower, height)


def draw_two_places(
    stream: Stream,
    canvas: Canvas,
    field: Field,
    axis: Literal["x", "y"],
    offset_percent: IntegerRange,
    reach: int,
    above: int = 0,
) -> tuple[Point, Point, int]:
    """Two centres, the nearer to the top left first, and their distance along `axis` in pixels.

    `offset_percent`: the span of that distance, in per cent of the shorter side; along the other axis they differ by at
    most half as much. `reach`: half the side of the box that is free around each; `above`: pixels over it for a letter.
    Redraw if there is no room.
    """
    area = field.area
    low, high = (canvas.px(p) for p in offset_percent)
    span = (area.right - area.left if axis == "x" else area.bottom - area.top - above) - 2 * reach
    if span < low:
        raise Redraw(f"two shapes of {2 * reach} px cannot be {low} px apart along {axis}")
    offset = stream.integer(low, min(high, span))
    across = stream.integer(-(offset // 2), offset // 2)
    dx, dy = (offset, across) if axis == "x" else (across, offset)
    left, right = area.left + reach - min(0, dx), area.right - reach - max(0, dx)
    top, bottom = area.top + reach + above - min(0, dy), area.bottom - reach - max(0, dy)
    if left > right or top > bottom:
        raise Redraw("the second shape would leave the picture")
    near = (stream.integer(left, right), stream.integer(top, bottom))
    far = (near[0] + dx, near[1] + dy)
    if box_at(near, reach, above).grown(field.gap).touches(box_at(far, reach, above)):
        raise Redraw("the two shapes would touch")
    return near, far, offset


def draw_name(stream: Stream, taken: set[str]) -> ShapeName:
    """A colour and kind that no shape of the scene has yet; its name is added to `taken`."""
    free = [name for name in COLOUR_SHAPES if name not in taken]
    if not free:
        raise Redraw("every shape is there in every colour already")
    name = stream.choice(free)
    taken.add(name)
    return split(name)


def split(name: str) -> ShapeName:
    """ "red circle" as its two words."""
    colour, kind = name.split()
    return colour, kind  # type: ignore[return-value]


def draw_relation(stream: Stream, plan: Plan, relations: Sequence[str]) -> SpatialRelation:
    """The relation asked: in the yes/no form they take turns, so that each is as often true as false."""
    chosen = relations[plan.turn % len(relations)] if plan.form == "yes-no" else stream.choice(relations)
    return cast(SpatialRelation, chosen)


def two_shapes(
    stream: Stream, plan: Plan, relation: SpatialRelation, places: tuple[Point, Point], sizes: tuple[int, int]
) -> tuple[Shape, Shape]:
    """Shapes "a" and "b", standing so that "a is `relation` b" is as planned; `places` nearer to the top left first.

    In the open form the relation holds, and a has the planned name.
    """
    first = split(plan.answer) if plan.form == "open" else draw_name(stream, set())
    second = draw_name(stream, {" ".join(first)})
    near, far = places
    at_a, at_b = (near, far) if (relation in ("left", "above")) == (plan.answer != "no") else (far, near)
    return Shape("a", first[1], first[0], *at_a, sizes[0]), Shape("b", second[1], second[0], *at_b, sizes[1])


def relation_program(
    stream: Stream, plan: Plan, relation: SpatialRelation, a: Description, b: Description
) -> Relates | Further:
    """The question about two shapes, as yes/no, or openly with the two named in either order."""
    if plan.form == "yes-no":
        return Relates(a, relation, b)
    return Further(a, relation, b) if stream.chance(0.5) else Further(b, relation, a)


def extra_shapes(
    stream: Stream, params: Params, canvas: Canvas, field: Field, count: int, taken: set[str]
) -> list[Shape]:
    """`count` bystanders with names not in `taken`, in free places."""
    shapes = []
    for i in range(count):
        colour, kind = draw_name(stream, taken)
        size = draw_size(stream, params, canvas)
        shapes.append(Shape(f"d{i + 1}", kind, colour, *field.place(stream, size), size))
    return shapes
