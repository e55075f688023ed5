"""Hypothesis strategies for scenes, programs and interventions, and rigid maps of scenes. Shared by several tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from counterbench.palette import BACKGROUND_SHADES, COLOURS, SHAPES, Colour, ShapeKind
from counterbench.scene import interventions as iv
from counterbench.scene.geometry import Box
from counterbench.scene.programs import Program
from counterbench.scene.programs.descriptions import Description, Place
from counterbench.scene.programs.shapes import (
    ArrowTarget,
    ColourOf,
    Count,
    CountInside,
    Equals,
    Further,
    IsInside,
    Relates,
    Relation,
)
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape

RELATIONS: tuple[Relation, ...] = ("left", "right", "above", "below")
PLACES: tuple[Place, ...] = ("leftmost", "rightmost", "topmost", "bottommost", "largest", "smallest")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MARGIN = 45  # every shape of up to 44 and every label near a centre stays on the canvas, rotated or not
_CELL = 110


@st.composite
def scenes(
    draw: DrawFn,
    *,
    kinds: Sequence[ShapeKind] = SHAPES,
    square: bool = False,
    apart: bool = False,
    labels: bool = True,
    arrows: int = 1,
    containers: int = 1,
    least: int = 0,
) -> Scene:
    """A valid scene of up to six shapes in any drawing order; `apart`: no two shapes, and nothing else, overlap."""
    side = st.integers(3, 5).map(lambda cells: cells * _CELL)
    width = draw(side)
    height = width if square else draw(side)
    count = draw(st.integers(least, 6))
    cells = [(i, j) for i in range(width // _CELL) for j in range(height // _CELL)]
    taken = draw(st.lists(st.sampled_from(cells), min_size=count, max_size=count, unique=True))
    every = [(kind, colour) for colour in COLOURS for kind in kinds]
    unlike = draw(st.booleans())  # in half of the scenes no two shapes have kind and colour in common
    looks = draw(st.lists(st.sampled_from(every), min_size=count, max_size=count, unique=unlike))
    shapes: list[Element] = []
    for n, ((i, j), look) in enumerate(zip(taken, looks, strict=True)):
        size = draw(st.integers(6, 44))
        if apart:
            x = i * _CELL + draw(st.integers(_MARGIN, _CELL - _MARGIN))
            y = j * _CELL + draw(st.integers(_MARGIN, _CELL - _MARGIN))
        else:
            x, y = draw(st.integers(_MARGIN, width - _MARGIN)), draw(st.integers(_MARGIN, height - _MARGIN))
        shapes.append(Shape(f"s{n}", *look, x, y, size))
    elements = list(shapes)
    if labels and shapes:
        lettered = draw(st.lists(st.sampled_from(shapes), max_size=3, unique_by=lambda s: s.id))
        for letter, shape in zip(draw(st.permutations("ABC")), lettered, strict=False):
            dx, dy = draw(st.integers(-8, 8)), draw(st.integers(-8, 8))
            elements.append(Label(f"label-{letter}", letter, shape.id, dx, dy, draw(st.integers(22, 30))))
    for n in range(draw(st.integers(0, containers))):
        half_width, half_height = draw(st.integers(20, width // 2 - 1)), draw(st.integers(20, height // 2 - 1))
        x = draw(st.integers(half_width, width - 1 - half_width))
        y = draw(st.integers(half_height, height - 1 - half_height))
        elements.append(Container(f"box{n}", x, y, half_width, half_height, draw(st.integers(1, 8))))
    for n in range(draw(st.integers(0, arrows))):
        thick = draw(st.integers(2, 6))
        edge = 2 * thick + 1
        xs, ys = st.integers(edge, width - 1 - edge), st.integers(edge, height - 1 - edge)
        elements.append(Arrow(f"arrow{n}", draw(xs), draw(ys), draw(xs), draw(ys), thick))
    background = draw(st.sampled_from(BACKGROUND_SHADES))
    return Scene(width, height, background, tuple(draw(st.permutations(elements))))


@st.composite
def aimed_scenes(draw: DrawFn, *, kinds: Sequence[ShapeKind] = SHAPES, square: bool = False) -> Scene:
    """Shapes that do not overlap and an arrow that sets out towards one of them: often clear, not always."""
    scene = draw(scenes(kinds=kinds, square=square, apart=True, labels=False, arrows=0, containers=0, least=1))
    target = draw(st.sampled_from(scene.shapes))
    x, y = draw(st.integers(12, scene.width - 13)), draw(st.integers(12, scene.height - 13))
    share = draw(st.integers(20, 98))
    tip = (x + (target.x - x) * share // 100, y + (target.y - y) * share // 100)
    return scene.with_elements(*scene.elements, Arrow("arrow", x, y, *tip, 5))


@st.composite
def descriptions(draw: DrawFn, scene: Scene) -> Description:
    """A description that often matches a shape of the scene, and sometimes none."""
    place = draw(st.none() | st.sampled_from(PLACES))
    if not scene.shapes or draw(st.integers(0, 9)) == 0:
        return Description(
            draw(st.none() | st.sampled_from(SHAPES)),
            draw(st.none() | st.sampled_from(COLOURS)),
            draw(st.none() | st.sampled_from("ABC")),
            place,
        )
    shape = draw(st.sampled_from(scene.shapes))
    letter = next((e.text for e in scene.elements if isinstance(e, Label) and e.of == shape.id), None)
    kind, colour, lettered = draw(
        st.sampled_from([(True, True, False), (True, False, False), (False, True, False), (False, False, True)])
    )
    return Description(
        shape.kind if kind else None, shape.colour if colour else None, letter if lettered else None, place
    )


@st.composite
def programs(draw: DrawFn, scene: Scene, *, arrows: bool = True, places: bool = True) -> Program:
    """A program of any kind about the scene."""

    def described() -> Description:
        d = draw(descriptions(scene))
        return d if places else msgspec.structs.replace(d, place=None)

    names = sorted({s.name for s in scene.shapes}) or ["red circle"]
    ops = ["colour-of", "relates", "further", "count", "is-inside", "count-inside", "equals"]
    op = draw(st.sampled_from([*ops, "arrow-target"] if arrows else ops))
    relation = draw(st.sampled_from(RELATIONS))

    def opened(op: str) -> Any:
        match op:
            case "colour-of":
                return ColourOf(described())
            case "further":
                return Further(described(), relation, described())
            case "count":
                return Count(draw(st.none() | st.sampled_from(SHAPES)), draw(st.none() | st.sampled_from(COLOURS)))
            case "count-inside":
                return CountInside()
            case _:
                return ArrowTarget()

    if op == "relates" or (op == "further" and draw(st.booleans())):
        both = draw(st.permutations(scene.shapes))[:2]
        said = [Description(s.kind, s.colour) for s in both] if draw(st.integers(0, 3)) else []
        first, second = said if len(said) == 2 else (described(), described())
        return (Relates if op == "relates" else Further)(first, relation, second)
    match op:
        case "is-inside":
            return IsInside(described())
        case "equals":
            kinds = ["colour-of", "further", "count", "count-inside"]
            inner = opened(draw(st.sampled_from([*kinds, "arrow-target"] if arrows else kinds)))
            match inner:
                case ColourOf():
                    value = draw(st.sampled_from(COLOURS))
                case Count() | CountInside():
                    value = str(draw(st.integers(0, 4)))
                case _:
                    value = draw(st.sampled_from(names))
            return Equals(inner, value)
        case _:
            return opened(op)


@st.composite
def questions(draw: DrawFn, **options: Any) -> tuple[Scene, Program]:
    """A scene and a program about it."""
    scene = draw(scenes(**options))
    return scene, draw(programs(scene, arrows=options.get("arrows", 1) > 0))


INTERVENTIONS: tuple[str, ...] = (
    "swap",
    "recolour",
    "add",
    "remove",
    "move",
    "redirect",
    "far-distractor",
    "background-shade",
    "shift-all",
    "change-unasked",
)


@st.composite
def edited(draw: DrawFn, kind: str) -> tuple[Scene, iv.Intervention]:
    """A scene and an intervention of this kind that fits it."""
    need = 2 if kind == "swap" else 1
    scene = draw(scenes(least=need, arrows=0, labels=kind != "remove"))
    if kind == "redirect":
        arrow = Arrow("arrow", *draw(_points(scene, 12)), *draw(_points(scene, 12)), 5)
        at = draw(st.integers(0, len(scene.elements)))
        scene = scene.with_elements(*scene.elements[:at], arrow, *scene.elements[at:])
    ids = [s.id for s in scene.shapes]
    new = Shape(
        "new",
        draw(st.sampled_from(SHAPES)),
        draw(st.sampled_from(COLOURS)),
        *draw(_points(scene, _MARGIN)),
        draw(st.integers(6, 44)),
    )
    match kind:
        case "swap":
            first, second = draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True))
            return scene, iv.Swap(first, second, draw(st.sampled_from(("xy", "x", "y"))))
        case "recolour":
            return scene, iv.Recolour(draw(st.sampled_from(ids)), draw(st.sampled_from(COLOURS)))
        case "change-unasked":
            return scene, iv.ChangeUnasked(draw(st.sampled_from(ids)), draw(st.sampled_from(COLOURS)))
        case "add":
            return scene, iv.Add(new)
        case "far-distractor":
            return scene, iv.FarDistractor(new)
        case "remove":
            return scene, iv.Remove(draw(st.sampled_from(ids)))
        case "move":
            return scene, iv.Move(draw(st.sampled_from(ids)), *draw(_points(scene, _MARGIN)))
        case "redirect":
            return scene, iv.Redirect("arrow", *draw(_points(scene, 12)))
        case "background-shade":
            return scene, iv.BackgroundShade(draw(st.integers(0, 255)))
        case _:
            room = extent(scene)
            dx = draw(st.integers(-room.left, scene.width - 1 - room.right))
            dy = draw(st.integers(-room.top, scene.height - 1 - room.bottom))
            return scene, iv.ShiftAll(dx, dy)


def any_edit() -> SearchStrategy[tuple[Scene, iv.Intervention]]:
    """A scene and an intervention of any kind."""
    return st.sampled_from(INTERVENTIONS).flatmap(edited)


def _points(scene: Scene, margin: int) -> SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(margin, scene.width - 1 - margin), st.integers(margin, scene.height - 1 - margin))


def extent(scene: Scene) -> Box:
    """The smallest box that holds every element."""
    box = scene.box_of(scene.elements[0])
    for element in scene.elements[1:]:
        box = box.union(scene.box_of(element))
    return box


def mapped(
    scene: Scene,
    point: Callable[[int, int], tuple[int, int]],
    vector: Callable[[int, int], tuple[int, int]],
    *,
    turned: bool = False,
) -> Scene:
    """The scene with every position sent through `point`, every label offset through `vector`; shapes stay upright."""

    def moved(e: Element) -> Element:
        match e:
            case Shape():
                x, y = point(e.x, e.y)
                return msgspec.structs.replace(e, x=x, y=y)
            case Container():
                x, y = point(e.x, e.y)
                halves = (e.half_height, e.half_width) if turned else (e.half_width, e.half_height)
                return msgspec.structs.replace(e, x=x, y=y, half_width=halves[0], half_height=halves[1])
            case Arrow():
                (x, y), (tip_x, tip_y) = point(e.x, e.y), point(e.tip_x, e.tip_y)
                return msgspec.structs.replace(e, x=x, y=y, tip_x=tip_x, tip_y=tip_y)
            case Label():
                dx, dy = vector(e.dx, e.dy)
                return msgspec.structs.replace(e, dx=dx, dy=dy)

    return scene.with_elements(*(moved(e) for e in scene.elements))


def mirrored(scene: Scene) -> Scene:
    """Left and right exchanged."""
    return mapped(scene, lambda x, y: (scene.width - 1 - x, y), lambda dx, dy: (-dx, dy))


def flipped(scene: Scene) -> Scene:
    """Top and bottom exchanged; triangles still stand on their base."""
    return mapped(scene, lambda x, y: (x, scene.height - 1 - y), lambda dx, dy: (dx, -dy))


def rotated(scene: Scene) -> Scene:
    """A square scene turned by a quarter so that what was left is above, and what was above is right."""
    assert scene.width == scene.height
    last = scene.width - 1
    return mapped(scene, lambda x, y: (last - y, x), lambda dx, dy: (-dy, dx), turned=True)


def recoloured(scene: Scene, new: Mapping[Colour, Colour]) -> Scene:
    """Every shape in the colour that `new` gives for its own."""
    return scene.with_elements(
        *(msgspec.structs.replace(e, colour=new[e.colour]) if isinstance(e, Shape) else e for e in scene.elements)
    )
