"""Hypothesis strategies for scenes, questions and interventions, and rigid maps of scenes. Shared by several tests.

An example is one number, the seed of plain random draws: many times faster than drawing every part by Hypothesis.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from counterbench.palette import BACKGROUND_SHADES, COLOURS, SHAPES, Colour, ShapeKind
from counterbench.scene import interventions as iv
from counterbench.scene.figures import Sign
from counterbench.scene.geometry import Box
from counterbench.scene.programs import Program
from counterbench.scene.programs.base import OpenProgram
from counterbench.scene.programs.fine import Alike, Shows
from counterbench.scene.programs.shapes import (
    ArrowTarget,
    ColourOf,
    Count,
    CountInside,
    Equals,
    Exists,
    Further,
    IsInside,
    Relates,
    SpatialRelation,
)
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape
from counterbench.scene.visibility import Description, ExtremeTrait

T = TypeVar("T")
RELATIONS: tuple[SpatialRelation, ...] = ("left", "right", "above", "below")
PLACES: tuple[ExtremeTrait, ...] = ("leftmost", "rightmost", "topmost", "bottommost", "largest", "smallest")
_MARGIN = 45  # every shape of up to 44 and every label near a centre stays on the canvas, rotated or not
_CELL = 110


def seeded(make: Callable[[Random], T]) -> SearchStrategy[T]:
    """What `make` makes of any generator of random numbers."""
    return st.integers(0, 2**32 - 1).map(lambda seed: make(Random(seed)))


def scenes(**options: Any) -> SearchStrategy[Scene]:
    """Scenes with the options of `a_scene`."""
    return seeded(lambda r: a_scene(r, **options))


def a_scene(
    r: Random,
    *,
    kinds: Sequence[ShapeKind] = SHAPES,
    apart: bool = False,
    labels: bool = True,
    arrows: int = 1,
    containers: int = 1,
    least: int = 0,
) -> Scene:
    """A valid scene of up to six shapes in any drawing order; `apart`: no two shapes overlap."""
    width, height = (r.randint(3, 5) * _CELL for _ in "xy")
    count = r.randint(least, 6)
    every = [(kind, colour) for colour in COLOURS for kind in kinds]
    # In half of the scenes no two shapes have kind and colour in common.
    looks = r.sample(every, count) if r.random() < 0.5 else r.choices(every, k=count)
    cells = r.sample([(i, j) for i in range(width // _CELL) for j in range(height // _CELL)], count)
    shapes: list[Element] = []
    for n, ((i, j), look) in enumerate(zip(cells, looks, strict=True)):
        if apart:
            x, y = (k * _CELL + r.randint(_MARGIN, _CELL - _MARGIN) for k in (i, j))
        else:
            x, y = a_point(r, width, height, _MARGIN)
        shapes.append(Shape(f"s{n}", *look, x, y, r.randint(6, 44)))
    elements = list(shapes)
    if labels:
        for letter, shape in zip("ABC"[: r.randint(0, 3)], r.sample(shapes, count), strict=False):
            dx, dy = r.randint(-8, 8), r.randint(-8, 8)
            elements.append(Label(f"label-{letter}", letter, shape.id, dx, dy, r.randint(22, 30)))
    for n in range(r.randint(0, containers)):
        half_width, half_height = r.randint(20, width // 2 - 1), r.randint(20, height // 2 - 1)
        x, y = r.randint(half_width, width - 1 - half_width), r.randint(half_height, height - 1 - half_height)
        elements.append(Container(f"box{n}", x, y, half_width, half_height, r.randint(1, 8)))
    for n in range(r.randint(0, arrows)):
        thick = r.randint(2, 6)
        ends = (a_point(r, width, height, 2 * thick + 1) for _ in range(2))
        elements.append(Arrow(f"arrow{n}", *next(ends), *next(ends), thick))
    r.shuffle(elements)
    return Scene(width, height, r.choice(BACKGROUND_SHADES), tuple(elements))


def a_point(r: Random, width: int, height: int, margin: int) -> tuple[int, int]:
    return r.randint(margin, width - 1 - margin), r.randint(margin, height - 1 - margin)


def aimed_scenes() -> SearchStrategy[Scene]:
    """Shapes that do not overlap and an arrow that sets out towards one of them: often clear, not always."""

    def make(r: Random) -> Scene:
        scene = a_scene(r, apart=True, labels=False, arrows=0, containers=0, least=1)
        target = r.choice(scene.shapes)
        x, y = a_point(r, scene.width, scene.height, 12)
        share = r.randint(20, 98)
        tip = (x + (target.x - x) * share // 100, y + (target.y - y) * share // 100)
        return scene.with_elements(*scene.elements, Arrow("arrow", x, y, *tip, 5))

    return seeded(make)


def questions(**options: Any) -> SearchStrategy[tuple[Scene, Program]]:
    """A scene with the options of `a_scene`, and a program of any kind about it."""

    def make(r: Random) -> tuple[Scene, Program]:
        scene = a_scene(r, **options)
        return scene, a_program(r, scene)

    return seeded(make)


def a_description(r: Random, scene: Scene) -> Description:
    """A description that often matches a shape of the scene, and sometimes none."""
    place = r.choice((None, *PLACES))
    if not scene.shapes or r.random() < 0.1:
        return Description(*(r.choice((None, *all)) for all in (SHAPES, COLOURS, "ABC")), place)
    shape = r.choice(scene.shapes)
    letter = next((e.text for e in scene.elements if isinstance(e, Label) and e.of == shape.id), None)
    attributes = r.choice([(shape.kind, shape.colour), (shape.kind,), (None, shape.colour), (None, None, letter)])
    return Description(*attributes, place=place)


def a_program(r: Random, scene: Scene) -> Program:
    """A program of any kind about the scene."""
    relation = r.choice(RELATIONS)
    both = [Description(s.kind, s.colour) for s in r.sample(scene.shapes, min(2, len(scene.shapes)))]
    if len(both) < 2 or r.random() < 0.25:
        both = [a_description(r, scene) for _ in "ab"]
    look = r.choice([(s.kind, s.colour) for s in scene.shapes] or [("circle", "red")])
    exists = Exists(look[0], r.choice((look[1], *COLOURS)), r.random() < 0.5)
    fine = [Shows(look[1]), Alike(look[0], r.random() < 0.5)]
    closed = [Relates(both[0], relation, both[1]), IsInside(a_description(r, scene)), exists, *fine]
    opened: list[Any] = [
        ColourOf(a_description(r, scene)),
        Further(both[0], relation, both[1]),
        Count(r.choice((None, *SHAPES)), r.choice((None, *COLOURS))),
        CountInside(),
        ArrowTarget(),
    ]
    inner = r.choice(opened)
    return r.choice([*closed, *opened, Equals(inner, a_value(r, scene, inner))])


def a_value(r: Random, scene: Scene, program: OpenProgram) -> str:
    """Something of the type of the program's answer."""
    names = [s.name for s in scene.shapes] or ["red circle"]
    return r.choice({"colour": COLOURS, "integer": "01234", "colour-shape": names}[program.answer_type])


INTERVENTIONS: tuple[str, ...] = (
    "swap",
    "swap-colours",
    "recolour",
    "add",
    "remove",
    "move",
    "redirect",
    "reword",
    "far-distractor",
    "background-shade",
    "shift-all",
    "change-unasked",
    "reshade",
)


def edits() -> SearchStrategy[tuple[str, Scene, iv.Intervention]]:
    """A kind of intervention, a scene that it fits, and one of this kind."""
    return seeded(an_edit)


def an_edit(r: Random) -> tuple[str, Scene, iv.Intervention]:
    kind = r.choice(INTERVENTIONS)
    scene = a_scene(r, least=2, arrows=0, labels=kind != "remove")
    width, height = scene.width, scene.height
    if kind == "redirect":
        elements = [*scene.elements, Arrow("arrow", *a_point(r, width, height, 12), *a_point(r, width, height, 12), 5)]
        scene = scene.with_elements(*r.sample(elements, len(elements)))
    if kind == "reword":
        sign = Sign("sign", "BOLT", "white", scene.width // 2, scene.height // 2, 60, 14, r.random() < 0.5)
        scene = scene.with_elements(*r.sample([*scene.elements, sign], len(scene.elements) + 1))
    first, second = (s.id for s in r.sample(scene.shapes, 2))
    colour = r.choice(COLOURS)
    new = Shape("new", r.choice(SHAPES), r.choice(COLOURS), *a_point(r, width, height, _MARGIN), r.randint(6, 44))
    made: dict[str, iv.Intervention] = {
        "swap": iv.SwapPlaces(first, second, r.choice(("xy", "x", "y"))),
        "swap-colours": iv.SwapColours(first, second),
        "recolour": iv.Recolour(first, colour),
        "reshade": iv.Reshade(first, r.choice(("", "c0ffee", "0a0b0c"))),
        "change-unasked": iv.ChangeUnasked(first, colour),
        "add": iv.Add(new),
        "far-distractor": iv.FarDistractor(new),
        "remove": iv.Remove(first),
        "move": iv.Move(first, *a_point(r, width, height, _MARGIN)),
        "redirect": iv.Redirect("arrow", *a_point(r, width, height, 12)),
        "reword": iv.Reword("sign", r.choice(("BOLD", "COLT"))),
        "background-shade": iv.BackgroundShade(r.randint(0, 255)),
        "shift-all": a_shift(r, scene),
    }
    return kind, scene, made[kind]


def a_shift(r: Random, scene: Scene) -> iv.ShiftAll:
    """A shift that keeps everything on the canvas."""
    room = extent(scene)
    dx = r.randint(-room.left, scene.width - 1 - room.right)
    return iv.ShiftAll(dx, r.randint(-room.top, scene.height - 1 - room.bottom))


def extent(scene: Scene) -> Box:
    """The smallest box that holds every element; the canvas of an empty scene."""
    boxes = [scene.box_of(element) for element in scene.elements] or [scene.box]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def mapped(
    scene: Scene,
    point: Callable[[int, int], tuple[int, int]],
    vector: Callable[[int, int], tuple[int, int]],
    *,
    turned: bool = False,
) -> Scene:
    """The scene with every position sent through `point`, every label offset through `vector`; shapes stay upright."""

    def moved(e: Element) -> Element:
        if isinstance(e, Label):
            dx, dy = vector(e.dx, e.dy)
            return msgspec.structs.replace(e, dx=dx, dy=dy)
        x, y = point(e.x, e.y)
        more: dict[str, int] = {}
        if isinstance(e, Container) and turned:
            more = {"half_width": e.half_height, "half_height": e.half_width}
        if isinstance(e, Arrow):
            more["tip_x"], more["tip_y"] = point(e.tip_x, e.tip_y)
        return msgspec.structs.replace(e, x=x, y=y, **more)

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
