"""Programs: the part of a question that computes its answer for any scene. Data, so that a pair can carry its own.

Every program gives a canonical answer ("yes", "4", "red", "red circle") or raises AmbiguousError with the reason.
"""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.facts import Fact, FactProgram, Together, Whole, holds
from counterbench.scene.scene import Arrow, Container, Scene, Shape
from counterbench.scene.visibility import arrow_target, is_inside, is_visible, letters, visible_percent, visible_shapes

Relation = Literal["left", "right", "above", "below"]
Place = Literal["leftmost", "rightmost", "topmost", "bottommost", "largest", "smallest"]

# Along the asked axis two centres are at least this share of the shorter side apart, or the answer is ambiguous.
CLEAR_OFFSET_PERCENT = 6
# The largest shape is at least this many times as wide as the next, in per cent; likewise the smallest.
CLEAR_SIZE_PERCENT = 125
# A shape clearly inside or outside keeps this share of the shorter side between itself and the wall.
CLEAR_WALL_PERCENT = 1


E = TypeVar("E", Arrow, Container)


class _Program(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """Base of the programs."""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that pick out one shape: any of kind, colour, letter and place; what is None is left open."""

    kind: ShapeKind | None = None
    colour: Colour | None = None
    letter: str | None = None
    place: Place | None = None


class ColourOf(_Program, frozen=True, tag="colour-of"):
    """The colour of the described shape."""

    target: Description


class Relates(_Program, frozen=True, tag="relates"):
    """Whether `first` is to the left of, to the right of, above or below `second`, by their centres."""

    first: Description
    relation: Relation
    second: Description


class Further(_Program, frozen=True, tag="further"):
    """Which of two shapes is further to the left, to the right, up or down."""

    first: Description
    relation: Relation
    second: Description


class Count(_Program, frozen=True, tag="count"):
    """How many visible shapes have this kind and colour (None: any)."""

    kind: ShapeKind | None = None
    colour: Colour | None = None


class IsInside(_Program, frozen=True, tag="is-inside"):
    """Whether the described shape is inside the container."""

    target: Description


class CountInside(_Program, frozen=True, tag="count-inside"):
    """How many shapes are inside the container."""


class ArrowTarget(_Program, frozen=True, tag="arrow-target"):
    """Which shape the arrow points to."""


class Equals(_Program, frozen=True, tag="equals"):
    """Whether another program's answer is `value`: the yes/no form of an open question."""

    program: ColourOf | Further | Count | CountInside | ArrowTarget
    value: str


ShapeProgram = ColourOf | Relates | Further | Count | IsInside | CountInside | ArrowTarget | Equals
Program = ShapeProgram | FactProgram

OPPOSITE: dict[Relation, Relation] = {"left": "right", "right": "left", "above": "below", "below": "above"}


def answer_type_of(program: Program) -> str:
    """The answer type of a program: "yes-no", "integer", "colour" or "colour-shape"."""
    match program:
        case Count() | CountInside():
            return "integer"
        case ColourOf():
            return "colour"
        case Further() | ArrowTarget():
            return "colour-shape"
        case _:
            return "yes-no"


def evaluate(program: Program, scene: Scene) -> str:
    """The answer of `program` on `scene`, in canonical form; AmbiguousError if there is no clear one."""
    match program:
        case ColourOf(target):
            return find(scene, target).colour
        case Relates(first, relation, second):
            return _yes_no(_offset(scene, first, relation, second) > 0)
        case Further(first, relation, second):
            ahead = _offset(scene, first, relation, second) > 0
            return _unique_name(scene, find(scene, first if ahead else second))
        case Count(kind, colour):
            asked = [s for s in scene.shapes if kind in (None, s.kind) and colour in (None, s.colour)]
            return str(sum(is_visible(scene, s) for s in asked))
        case IsInside(target):
            return _yes_no(_inside(scene, find(scene, target)))
        case CountInside():
            return str(sum(_inside(scene, s) for s in visible_shapes(scene)))
        case ArrowTarget():
            return _unique_name(scene, arrow_target(scene, _only(scene, Arrow)))
        case Equals(inner, value):
            return _yes_no(evaluate(inner, scene) == value)
        case Fact() | Together() | Whole():
            return _yes_no(holds(program, scene))


def find(scene: Scene, description: Description) -> Shape:
    """The one shape that a description matches; AmbiguousError if none or several do, or none stands out."""
    d = description
    lettered = letters(scene) if d.letter is not None else {}
    matches = [
        s
        for s in scene.shapes
        if d.kind in (None, s.kind) and d.colour in (None, s.colour) and d.letter in (None, lettered.get(s.id))
    ]
    if d.place is not None and len(matches) > 1:
        return _standing_out(scene, matches, d.place)
    seen = [s for s in matches if is_visible(scene, s)]
    if len(seen) != 1:
        raise AmbiguousError(f"{len(seen)} visible shapes match {d}")
    return seen[0]


def _standing_out(scene: Scene, shapes: list[Shape], place: Place) -> Shape:
    """The shape of `shapes` that is furthest in a direction, or largest or smallest, by a clear margin."""
    shapes = [s for s in shapes if visible_percent(scene, s) > 0]
    for shape in shapes:
        if visible_percent(scene, shape) < 100:
            raise AmbiguousError(f"place and size of {shape.id!r} do not show: it is partly covered")
    if len(shapes) < 2:
        raise AmbiguousError(f"{len(shapes)} visible shapes: none stands out as the {place}")
    if place in ("largest", "smallest"):
        return _by_size(shapes, place)

    def rank(s: Shape) -> int:
        return {"leftmost": s.x, "rightmost": -s.x, "topmost": s.y, "bottommost": -s.y}[place]

    def edge(s: Shape) -> int:
        return rank(s) - s.size

    first, second = sorted(shapes, key=rank)[:2]
    clear = 100 * (rank(second) - rank(first)) >= CLEAR_OFFSET_PERCENT * scene.side
    if not clear or min(shapes, key=edge) is not first:
        raise AmbiguousError(f"no shape is clearly the {place}")
    return first


# Four times the area of each kind's picture, in units of size², rounded: 4π, 16, 8, 8.
_AREA: dict[ShapeKind, int] = {"circle": 13, "square": 16, "triangle": 8, "diamond": 8}


def _by_size(shapes: list[Shape], place: Place) -> Shape:
    """The largest or smallest shape: by its width and by its area, both by a clear ratio."""

    def width(s: Shape) -> int:
        return s.size**2

    def area(s: Shape) -> int:
        return _AREA[s.kind] * s.size**2

    picked: list[Shape] = []
    for measure in (width, area):
        first, second = sorted(shapes, key=measure, reverse=place == "largest")[:2]
        small, large = sorted((measure(first), measure(second)))
        if 100**2 * large < CLEAR_SIZE_PERCENT**2 * small:
            raise AmbiguousError(f"no shape is clearly the {place}")
        picked.append(first)
    if picked[0] is not picked[1]:
        raise AmbiguousError(f"the {place} by width is not the {place} by area")
    return picked[0]


def _offset(scene: Scene, first: Description, relation: Relation, second: Description) -> int:
    """How far `first` is beyond `second` in the direction asked, in pixels (negative: the other way round)."""
    a, b = find(scene, first), find(scene, second)
    if a.box.touches(b.box):
        raise AmbiguousError(f"the {a.name} and the {b.name} overlap")
    offset = {"left": b.x - a.x, "right": a.x - b.x, "above": b.y - a.y, "below": a.y - b.y}[relation]
    if 100 * abs(offset) < CLEAR_OFFSET_PERCENT * scene.side:
        raise AmbiguousError(f"the {a.name} and the {b.name} are only {abs(offset)} px apart along that axis")
    return offset


def _inside(scene: Scene, shape: Shape) -> bool:
    return is_inside(shape, _only(scene, Container), max(2, CLEAR_WALL_PERCENT * scene.side // 100))


def _unique_name(scene: Scene, shape: Shape) -> str:
    if sum(s.name == shape.name for s in scene.shapes) > 1:
        raise AmbiguousError(f"more than one shape is a {shape.name}")
    return shape.name


def _only(scene: Scene, kind: type[E]) -> E:
    found = [e for e in scene.elements if isinstance(e, kind)]
    if len(found) != 1:
        raise AmbiguousError(f"the scene has {len(found)} elements of type {kind.__name__.lower()}, not one")
    return found[0]


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
