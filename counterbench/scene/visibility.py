"""Visibility in a scene: visible shapes, letters, an arrow's target, and the one shape that a description means.

A scene says what a picture shows; all is computed from its whole numbers, without pixels. Questions rest on this:
`find(scene, Description("circle", place="leftmost"))` gives a shape, `is_absent` says that there is none,
`arrow_target` the shape that an arrow points to. Whatever is not clear at a glance raises AmbiguousError; the limits
between clear and unclear stand here. No suite may contain ambiguous scenes. Three parts: covering and distance, the
arrow's target, descriptions.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.geometry import squared
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape

# A shape of which less than 3 % shows counts as hidden, from 30 % on as visible; between them it is ambiguous.
HIDDEN_PERCENT, VISIBLE_PERCENT = 3, 30
# Visibility is measured on a grid of so many points in each direction over a shape's bounding box.
_GRID = 24
# An arrow's tip must be this many times nearer to its target than to any other shape.
TIP_RATIO = 3


def visible_percent(scene: Scene, shape: Shape) -> int:
    """The part of `shape`, in per cent, that no shape drawn after it covers."""
    covers = covers_of(scene, shape)
    return _uncovered_percent(shape, covers) if covers else 100


def shown_part(shape: Shape, covers: tuple[Shape, ...]) -> tuple[int, int]:
    """The part of the coloured inside of `shape` that `covers` leave free: in thousandths of the inside, and in pixels.

    `covers`: shapes drawn after it.
    """
    inside = shape.inside
    shown = total = 0
    for y in range(inside.y - inside.size, inside.y + inside.size + 1):
        first, last = inside.row(y)
        total += last - first + 1
        free = first  # no pixel before it is left to count
        for start, end in sorted(cover.row(y) for cover in covers):
            shown += max(0, min(start, last + 1) - free)
            free = max(free, end + 1)
        shown += max(0, last + 1 - free)
    return 1000 * shown // total, shown


def covers_of(scene: Scene, shape: Shape) -> tuple[Shape, ...]:
    """The shapes drawn after `shape` that may cover a part of it."""
    after = scene.elements[scene.elements.index(shape) + 1 :]
    return tuple(e for e in after if isinstance(e, Shape) and e.box.touches(shape.box))


@lru_cache(maxsize=256)
def _uncovered_percent(shape: Shape, covers: tuple[Shape, ...]) -> int:
    """The visible part of a shape in per cent, measured on a grid of points."""
    steps = range(1 - _GRID, _GRID, 2)
    across = [shape.x + _scaled(shape.half_width, step, _GRID) for step in steps]
    down = [shape.y + _scaled(shape.size, step, _GRID) for step in steps]
    all_points = free_points = shape.contained(product(across, down))
    for cover in covers:
        hidden = set(cover.contained(free_points))
        free_points = [point for point in free_points if point not in hidden]
    return 100 * len(free_points) // len(all_points)


def is_visible(scene: Scene, shape: Shape) -> bool:
    """True if a shape counts as visible; AmbiguousError if people may disagree."""
    percent = visible_percent(scene, shape)
    if HIDDEN_PERCENT <= percent < VISIBLE_PERCENT:
        raise AmbiguousError(f"{percent} % of the {shape.name} {shape.id!r} is visible")
    return percent >= VISIBLE_PERCENT


def visible_shapes(scene: Scene) -> tuple[Shape, ...]:
    """The shapes that can be seen; AmbiguousError if one is neither visible nor hidden."""
    return tuple(s for s in scene.shapes if is_visible(scene, s))


def letters(scene: Scene) -> dict[str, str]:
    """The letter of each lettered shape, by the shape's id; AmbiguousError if one is covered or on another shape."""
    by_shape: dict[str, str] = {}
    for position, element in enumerate(scene.elements):
        if not isinstance(element, Label):
            continue
        box = scene.label_box(element)
        for other_position, other in enumerate(scene.elements):
            touches = isinstance(other, Shape) and other.box.touches(box)
            if touches and (other_position > position or other.id != element.of):
                raise AmbiguousError(f"the letter {element.text} lies over or under {other.id!r}")
        if element.of in by_shape:
            raise AmbiguousError(f"{element.of!r} has two letters")
        by_shape[element.of] = element.text
    return by_shape


def is_inside(shape: Shape, container: Container, clearance: int) -> bool:
    """True if a shape is inside a container, false if it is outside.

    AmbiguousError if fewer than `clearance` pixels lie between it and the walls.
    """
    if shape.box.grown(clearance).within(container.interior):
        return True
    if not shape.box.grown(clearance).touches(container.box):
        return False
    raise AmbiguousError(f"the {shape.name} {shape.id!r} is neither clearly inside nor clearly outside")


def distance_to(shape: Shape, p: tuple[int, int]) -> int:
    """The distance in whole pixels from a point outside `shape` to its edge, on the line to its centre."""
    cx, cy = shape.centre
    dx, dy = p[0] - cx, p[1] - cy
    length = _whole_root(squared(shape.centre, p))
    low, high = 0, length  # `low` pixels from the centre is inside, `high` is outside or at p
    while high - low > 1:
        middle = (low + high) // 2
        inside = shape.contains((cx + _scaled(dx, middle, length), cy + _scaled(dy, middle, length)))
        low, high = (middle, high) if inside else (low, middle)
    return length - high


def arrow_target(scene: Scene, arrow: Arrow) -> Shape:
    """The shape that `arrow` points to, which is by far the nearest to its tip, and straight ahead.

    AmbiguousError if no shape is so, or if the arrow crosses or touches a shape or a letter.
    """
    if not scene.shapes:
        raise AmbiguousError("there is no shape to point to")
    thickness = arrow.head // 2 + 2
    for shape in scene.shapes:
        if shape.meets(arrow.tail, arrow.tip):
            raise AmbiguousError(f"the arrow {arrow.id!r} crosses the {shape.name} {shape.id!r}")
    for other in scene.elements:
        if isinstance(other, Label) and scene.label_box(other).touches(arrow.box):
            raise AmbiguousError(f"the arrow {arrow.id!r} comes too near the label {other.id!r}")
    ranked = sorted(scene.shapes, key=lambda s: (distance_to(s, arrow.tip), s.id))
    target = ranked[0]
    near = distance_to(target, arrow.tip)
    for shape in ranked[1:]:
        if shape.meets(arrow.tail, arrow.tip, thickness):
            raise AmbiguousError(f"the arrow {arrow.id!r} touches the {shape.name} {shape.id!r}")
    if len(ranked) > 1 and distance_to(ranked[1], arrow.tip) < TIP_RATIO * (near + 1):
        raise AmbiguousError(f"the tip of {arrow.id!r} is nearly as near to the {ranked[1].name}")
    dx, dy = arrow.tip_x - arrow.x, arrow.tip_y - arrow.y
    reach = near + target.size
    length = max(1, _whole_root(dx * dx + dy * dy))
    ahead = (arrow.tip_x + _scaled(dx, reach, length), arrow.tip_y + _scaled(dy, reach, length))
    if not target.meets(arrow.tip, ahead):
        raise AmbiguousError(f"the arrow {arrow.id!r} points past the {target.name}")
    return target


def _scaled(value: int, numerator: int, denominator: int) -> int:
    """`value` × `numerator` ÷ `denominator`, rounded towards 0, so that mirrored scenes have mirrored answers."""
    product = value * numerator
    return product // denominator if product >= 0 else -(-product // denominator)


def _whole_root(n: int) -> int:
    """Integer square root, at least 1."""
    return max(1, math.isqrt(n))


ExtremeTrait = Literal["leftmost", "rightmost", "topmost", "bottommost", "largest", "smallest"]

# The least distance of two centres in the direction that is asked about, in per cent of the picture's shorter side.
CLEAR_OFFSET_PERCENT = 6
# The least ratio of widths, in per cent, of the largest shape and the next; likewise of the smallest.
CLEAR_SIZE_PERCENT = 125


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A description of one shape by kind, colour, letter and place; None where it says nothing."""

    kind: ShapeKind | None = None
    colour: Colour | None = None
    letter: str | None = None
    place: ExtremeTrait | None = None

    @property
    def noun(self) -> str:
        """The noun phrase, without an article: "leftmost red circle", "blue square labeled A"."""
        noun = self._bare
        return f"{noun} labeled {self.letter}" if self.letter else noun

    @property
    def definite(self) -> str:
        """The noun phrase with its article: "the red circle (labeled A)", or "shape A" if only the letter is given."""
        if self.letter and self.kind is None and self.colour is None and self.place is None:
            return f"shape {self.letter}"
        return f"the {self._bare}" + (f" (labeled {self.letter})" if self.letter else "")

    @property
    def _bare(self) -> str:
        """The words for place, colour and kind, without the letter: "leftmost red circle"."""
        return " ".join(part for part in (self.place, self.colour, self.kind or "shape") if part)


def find(scene: Scene, description: Description) -> Shape:
    """The one shape that a description matches; AmbiguousError if none or several do, or none stands out."""
    matches = _matching(scene, description)
    if description.place is not None and len(matches) > 1:
        return _standing_out(scene, matches, description.place)
    visible = [shape for shape in matches if is_visible(scene, shape)]
    if len(visible) != 1:
        raise AmbiguousError(f"{len(visible)} visible shapes match {description}")
    return visible[0]


def is_absent(scene: Scene, *descriptions: Description) -> bool:
    """True if one of `descriptions` matches no visible shape; AmbiguousError if that is unclear."""
    visible = [sum(is_visible(scene, s) for s in _matching(scene, d)) for d in descriptions]  # each must be clear
    return not all(visible)


def _matching(scene: Scene, d: Description) -> list[Shape]:
    """The shapes of this kind, colour and letter, hidden ones included."""
    lettered = letters(scene) if d.letter is not None else {}
    return [
        s
        for s in scene.shapes
        if d.kind in (None, s.kind) and d.colour in (None, s.colour) and d.letter in (None, lettered.get(s.id))
    ]


def rank(shape: Shape, place: ExtremeTrait) -> int:
    """The sort key of a shape for a place: the leftmost, largest, … shape has the lowest."""
    x, y, size = shape.x, shape.y, shape.size
    return {"leftmost": x, "rightmost": -x, "topmost": y, "bottommost": -y, "largest": -size, "smallest": size}[place]


def _standing_out(scene: Scene, shapes: list[Shape], place: ExtremeTrait) -> Shape:
    """The shape of `shapes` that is furthest in a direction, or largest or smallest, by a clear margin."""
    shapes = [s for s in shapes if visible_percent(scene, s) > 0]
    for shape in shapes:
        if visible_percent(scene, shape) < 100:
            raise AmbiguousError(f"place and size of {shape.id!r} do not show: it is partly covered")
    if len(shapes) < 2:
        raise AmbiguousError(f"{len(shapes)} visible shapes: none stands out as the {place}")
    if place in ("largest", "smallest"):
        return _by_size(shapes, place)

    def edge(s: Shape) -> int:
        """The rank of the shape's outermost edge in the direction of `place`."""
        return rank(s, place) - (s.half_width if place in ("leftmost", "rightmost") else s.size)

    first, second = sorted(shapes, key=lambda s: rank(s, place))[:2]
    clear = 100 * (rank(second, place) - rank(first, place)) >= CLEAR_OFFSET_PERCENT * scene.side
    if not clear or min(shapes, key=edge) is not first:
        raise AmbiguousError(f"no shape is clearly the {place}")
    return first


# Four times the area of each kind of shape, in units of its size squared, rounded: 4π, 16, 8, 8; 16/3 if slim (below).
_AREA: dict[ShapeKind, int] = {"circle": 13, "square": 16, "triangle": 8, "diamond": 8}


def _by_size(shapes: list[Shape], place: ExtremeTrait) -> Shape:
    """The largest or smallest shape, by its height and by its area; AmbiguousError if the two differ or are unclear."""
    picked: list[Shape] = []
    measures: tuple[Callable[[Shape], int], ...] = (
        lambda s: s.size**2,
        lambda s: (5 if s.slim else _AREA[s.kind]) * s.size**2,
    )
    for measure in measures:
        first, second = sorted(shapes, key=measure, reverse=place == "largest")[:2]
        small, large = sorted((measure(first), measure(second)))
        if 100**2 * large < CLEAR_SIZE_PERCENT**2 * small:
            raise AmbiguousError(f"no shape is clearly the {place}")
        picked.append(first)
    if picked[0] is not picked[1]:
        raise AmbiguousError(f"the {place} by width is not the {place} by area")
    return picked[0]
