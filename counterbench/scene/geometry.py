"""Plane geometry in whole pixels, and the base classes of elements, the things that have a place in a scene.

y grows downwards. There are no floats, so that a truth never depends on a platform's arithmetic.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple, Self

import msgspec

from counterbench.errors import InputError

MIN_HALF = 6  # pixels: the least half_width and half_height of an element
Half = Annotated[int, msgspec.Meta(ge=MIN_HALF)]
Point = tuple[int, int]


class Box(NamedTuple):
    """An axis-parallel box in pixels, all four edges included."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, x: int, y: int, half_width: int, half_height: int) -> Box:
        """The box whose middle is (x, y) and whose edges are half_width and half_height from it."""
        return cls(x - half_width, y - half_height, x + half_width, y + half_height)

    def grown(self, by: int) -> Box:
        """This box with every edge moved outwards by `by` pixels (inwards if negative)."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, other: Box) -> bool:
        """True if this box lies wholly inside `other`, edges included."""
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def touches(self, other: Box) -> bool:
        """True if the two boxes share at least one pixel."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )


def cross(o: Point, a: Point, b: Point) -> int:
    """Twice the signed area of the triangle o, a, b: its sign says on which side of o→a the point b lies."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def squared(a: Point, b: Point) -> int:
    """The squared distance of two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def segment_squared(p: Point, a: Point, b: Point) -> int:
    """The squared distance from the point `p` to the segment a–b, rounded down."""
    length = squared(a, b)
    along = (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])
    if length == 0 or along <= 0:
        return squared(p, a)
    if along >= length:
        return squared(p, b)
    return cross(a, b, p) ** 2 // length


def segments_near(a: Point, b: Point, c: Point, d: Point, reach: int) -> bool:
    """True if the segments a–b and c–d share a point, or come within `reach` pixels of each other."""
    d1, d2 = cross(a, b, c), cross(a, b, d)
    d3, d4 = cross(c, d, a), cross(c, d, b)
    if ((d1 > 0) != (d2 > 0)) and d1 and d2 and ((d3 > 0) != (d4 > 0)) and d3 and d4:
        return True
    ends = ((d1, c, (a, b)), (d2, d, (a, b)), (d3, a, (c, d)), (d4, b, (c, d)))
    gaps = ((turn, segment_squared(p, *other)) for turn, p, other in ends)  # rounded down: 0 may be less than a pixel
    return any(gap == turn == 0 or (reach > 0 and gap <= reach**2) for turn, gap in gaps)


def polygon_contains(corners: tuple[Point, ...], p: Point) -> bool:
    """True if a convex polygon, its corners in either order, contains `p` (edges included)."""
    # Written out for speed: it is called for every point of a grid, and most points are outside after two edges.
    left = right = False
    (ax, ay), (px, py) = corners[-1], p
    for bx, by in corners:
        turn = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        left = left or turn > 0
        right = right or turn < 0
        if left and right:
            return False
        ax, ay = bx, by
    return True


class BaseElement(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the elements; `id` is unique in its scene."""

    # The names of the fields that hold a horizontal place (`across`) or a vertical one (`down`).
    across: ClassVar[tuple[str, ...]] = ("x",)
    down: ClassVar[tuple[str, ...]] = ("y",)
    id: str

    def check(self) -> None:
        """InputError unless all values are in range: for elements made in code, since JSON is checked by its types."""

    def but(self, **fields: Any) -> Self:
        """A copy of this element with other values in these fields."""
        return msgspec.structs.replace(self, **fields)

    def places(self, dx: int, dy: int) -> dict[str, int]:
        """The new values of the fields that hold a place, after a shift by (dx, dy) pixels."""
        moved = {field: getattr(self, field) + dx for field in self.across}
        return moved | {field: getattr(self, field) + dy for field in self.down}

    def check_least(self, least: int, *fields: str) -> None:
        """InputError if one of these fields is smaller than `least`."""
        for field in fields:
            if getattr(self, field) < least:
                value = getattr(self, field)
                raise InputError(f"element {self.id!r}: {field} must be at least {least}, not {value}")


class BaseFrame(BaseElement, frozen=True):
    """Base of rectangular frames: (x, y) is the middle, the walls lie inside the box of half_width and half_height."""

    x: int
    y: int
    half_width: Half
    half_height: Half
    wall: Annotated[int, msgspec.Meta(ge=1)] = 6

    @property
    def box(self) -> Box:
        """The outer edge of the walls."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)

    @property
    def interior(self) -> Box:
        """The space inside the walls."""
        return self.box.grown(-self.wall)

    def check(self) -> None:
        """InputError unless the box and the wall are large enough."""
        self.check_least(MIN_HALF, "half_width", "half_height")
        self.check_least(1, "wall")
