"""Code that spatial and composition share: two places apart along an axis, two names, and bystanders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from counterbench.palette import Colour, ShapeKind
from counterbench.scene.geometry import Point
from counterbench.scene.programs.descriptions import Description
from counterbench.scene.programs.shapes import Further, Relates, Relation
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import COLOUR_SHAPES, Canvas, Params, Plan, Redraw, Span
from counterbench.suites.families.placement import Field, box_at, draw_size

Name = tuple[Colour, ShapeKind]


def draw_two_places(
    stream: Stream,
    canvas: Canvas,
    field: Field,
    axis: Literal["x", "y"],
    offset_percent: Span,
    reach: int,
    above: int = 0,
) -> tuple[Point, Point, int]:
    """Two centres, the nearer to the top left first, and their distance along `axis` in pixels.

    Across the axis they differ by at most half of that; anything up to `reach` fits at both. Redraw if not.
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


def draw_name(stream: Stream, taken: set[str]) -> Name:
    """A colour and kind that no shape of the scene has yet."""
    free = [name for name in COLOUR_SHAPES if name not in taken]
    if not free:
        raise Redraw("every shape is there in every colour already")
    return split(stream.choice(free))


def split(name: str) -> Name:
    """ "red circle" as its two words."""
    colour, kind = name.split()
    return colour, kind  # type: ignore[return-value]


def draw_relation(stream: Stream, plan: Plan, relations: Sequence[str]) -> Relation:
    """The relation asked: in the yes/no form they take turns, so that each is as often true as false."""
    chosen = relations[plan.turn % len(relations)] if plan.form == "yes-no" else stream.choice(relations)
    return cast(Relation, chosen)


def two_shapes(
    stream: Stream, plan: Plan, relation: Relation, places: tuple[Point, Point], sizes: tuple[int, int]
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
    stream: Stream, plan: Plan, relation: Relation, a: Description, b: Description
) -> Relates | Further:
    """The question about two shapes, as yes/no, or openly with the two named in either order."""
    if plan.form == "yes-no":
        return Relates(a, relation, b)
    return Further(a, relation, b) if stream.chance(0.5) else Further(b, relation, a)


def extra_shapes(
    stream: Stream, params: Params, canvas: Canvas, field: Field, count: int, taken: set[str]
) -> list[Shape]:
    """`count` bystanders with names not in `taken`, in free places."""
    names = set(taken)
    shapes = []
    for i in range(count):
        colour, kind = draw_name(stream, names)
        names.add(f"{colour} {kind}")
        size = draw_size(stream, params, canvas)
        x, y = field.place(stream, size)
        shapes.append(Shape(f"d{i + 1}", kind, colour, x, y, size))
    return shapes
