"""Scenes: frozen, hashable, the same after JSON, and never something that cannot be drawn."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import scenes

from counterbench.errors import InputError
from counterbench.palette import COLOURS, SHAPES, ShapeKind
from counterbench.scene.geometry import Box
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape

CIRCLE = Shape("a", "circle", "red", 100, 100, 40)
SQUARE = Shape("b", "square", "blue", 300, 300, 40)
BOX = Container("box", 250, 250, 100, 80)
ARROW = Arrow("arrow", 50, 400, 150, 420)
LETTER = Label("label-a", "A", "a", 3, -2, 24)
SCENE = Scene(elements=(CIRCLE, SQUARE, BOX, ARROW, LETTER))

# Every field of every element, with a value that differs from the one in SCENE.
OTHER: dict[str, dict[str, Any]] = {
    "a": {"kind": "square", "colour": "pink", "x": 101, "y": 101, "size": 41},
    "b": {"id": "c", "kind": "circle"},
    "box": {"id": "crate", "x": 251, "y": 251, "half_width": 101, "half_height": 81, "wall": 7},
    "arrow": {"id": "pointer", "x": 51, "y": 401, "tip_x": 151, "tip_y": 421, "width": 6},
    "label-a": {"id": "letter", "text": "B", "of": "b", "dx": 4, "dy": -1, "height": 25},
}


def edits() -> list[tuple[str, str, Any]]:
    return [(id, field, value) for id, fields in OTHER.items() for field, value in fields.items()]


def scene_json(**changes: Any) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(SCENE), **changes})


def decode(data: bytes) -> Scene:
    return msgspec.json.decode(data, type=Scene)


@given(scenes(arrows=2, containers=2))
def test_json_round_trip(scene: Scene) -> None:
    data = msgspec.json.encode(scene)
    again = decode(data)
    assert again == scene
    assert again.digest == scene.digest
    assert hash(again) == hash(scene)
    assert msgspec.json.encode(again) == data
    assert all(type(a) is type(b) for a, b in zip(again.elements, scene.elements, strict=True))


@given(scenes(), scenes())
def test_equal_scenes_have_equal_digests_and_others_do_not(first: Scene, second: Scene) -> None:
    assert (first == second) == (first.digest == second.digest)


@pytest.mark.parametrize("thing", [SCENE, CIRCLE, BOX, ARROW, LETTER], ids=lambda t: type(t).__name__)
def test_everything_is_frozen_and_hashable(thing: Any) -> None:
    assert hash(thing) == hash(msgspec.structs.replace(thing))
    for field in thing.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(thing, field, getattr(thing, field))


def test_scenes_are_keys() -> None:
    assert len({SCENE, Scene(elements=SCENE.elements), Scene()}) == 2


@pytest.mark.parametrize(("id", "field", "value"), edits(), ids=lambda v: str(v))
def test_the_digest_changes_with_any_field_of_any_element(id: str, field: str, value: Any) -> None:
    changed = msgspec.structs.replace(SCENE.element(id), **{field: value})
    other = SCENE.with_elements(*(changed if e.id == id else e for e in SCENE.elements))
    assert other != SCENE
    assert other.digest != SCENE.digest


def test_the_table_of_edits_misses_no_field() -> None:
    for thing in (CIRCLE, BOX, ARROW, LETTER):
        fields = {f for e in SCENE.elements if type(e) is type(thing) for f in OTHER[e.id]}
        assert fields == set(thing.__struct_fields__)


@pytest.mark.parametrize("field", ["width", "height", "background"])
def test_the_digest_changes_with_the_canvas(field: str) -> None:
    assert msgspec.structs.replace(SCENE, **{field: getattr(SCENE, field) + 1}).digest != SCENE.digest


def test_the_digest_changes_with_order_addition_and_removal() -> None:
    digests = {
        SCENE.digest,
        SCENE.with_elements(*SCENE.elements[::-1]).digest,
        SCENE.with_elements(*SCENE.elements[:-1]).digest,
        SCENE.with_elements(*SCENE.elements, Shape("new", "circle", "red", 400, 100, 20)).digest,
    }
    assert len(digests) == 4


def test_the_digest_is_the_one_it_always_was() -> None:
    """Of SCENE, a plain literal: no Pillow, no platform, no Python version in it."""
    assert SCENE.digest == "df2d2c53c315e9d9068e362bcccd899a"


@pytest.mark.parametrize(("width", "height"), [(64, 64), (2048, 2048), (64, 2048), (2048, 64)])
def test_sides_from_64_to_2048(width: int, height: int) -> None:
    scene = Scene(width, height)
    assert scene.box == Box(0, 0, width - 1, height - 1)
    assert scene.side == min(width, height)
    assert decode(msgspec.json.encode(scene)) == scene


@pytest.mark.parametrize(("width", "height"), [(63, 512), (512, 63), (2049, 512), (512, 2049), (0, 0), (-512, 512)])
def test_other_sides_are_refused(width: int, height: int) -> None:
    with pytest.raises(InputError, match=f"64 to 2048.*{width}×{height}"):
        Scene(width, height)
    with pytest.raises((InputError, msgspec.ValidationError)):
        decode(scene_json(width=width, height=height, elements=[]))


@pytest.mark.parametrize("grey", [-1, 256, 1000])
def test_a_background_that_is_no_grey_is_refused_in_json(grey: int) -> None:
    with pytest.raises(msgspec.ValidationError, match="background"):
        decode(scene_json(background=grey))


@pytest.mark.parametrize("grey", [-1, 256])
def test_a_background_that_is_no_grey_is_refused_in_code(grey: int) -> None:
    with pytest.raises(InputError, match="background"):
        Scene(background=grey)


@pytest.mark.parametrize(
    "elements",
    [
        (CIRCLE, CIRCLE),
        (CIRCLE, Container("a", 250, 250, 60, 60)),
        (CIRCLE, Label("a", "A", "a")),
        (Shape("", "circle", "red", 100, 100, 40),),
    ],
    ids=["twice the same", "a shape and a container", "a shape and a label", "empty"],
)
def test_ids_must_be_unique_and_not_empty(elements: tuple[Element, ...]) -> None:
    with pytest.raises(InputError, match="unique and not empty"):
        Scene(elements=elements)


@pytest.mark.parametrize("of", ["nobody", "box", "arrow", "label-a", "label-b"])
def test_a_label_belongs_to_a_shape(of: str) -> None:
    label = Label("label-b", "B", of)
    with pytest.raises(InputError, match=f"'label-b' belongs to '{of}', which is not a shape"):
        SCENE.with_elements(*SCENE.elements, label)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize(("x", "y"), [(39, 100), (100, 39), (472, 100), (100, 472), (-100, 100), (100, 9999)])
def test_a_shape_off_the_canvas_is_refused(kind: ShapeKind, x: int, y: int) -> None:
    with pytest.raises(InputError, match=r"'a'.*outside the canvas of 512×512"):
        Scene(elements=(Shape("a", kind, "red", x, y, 40),))


@pytest.mark.parametrize(("x", "y"), [(40, 40), (471, 471), (40, 471)])
def test_a_shape_at_the_very_edge_is_on_the_canvas(x: int, y: int) -> None:
    assert Scene(elements=(Shape("a", "square", "red", x, y, 40),)).shapes


@pytest.mark.parametrize(
    "element",
    [
        Container("box", 99, 250, 100, 80),
        Container("box", 250, 432, 100, 80),
        Arrow("arrow", 5, 250, 300, 250),
        Arrow("arrow", 250, 250, 300, 505),
        Arrow("arrow", 250, 250, 600, 250),
    ],
    ids=lambda e: f"{e.id} {e.x},{e.y}",
)
def test_containers_and_arrows_off_the_canvas_are_refused(element: Element) -> None:
    with pytest.raises(InputError, match="outside the canvas"):
        Scene(elements=(element,))


@pytest.mark.parametrize(("dx", "dy"), [(-100, 0), (0, -100), (400, 0), (0, 400)])
def test_a_label_off_the_canvas_is_refused(dx: int, dy: int) -> None:
    with pytest.raises(InputError, match=r"'label'.*outside the canvas"):
        Scene(elements=(CIRCLE, Label("label", "A", "a", dx, dy)))


BAD_ELEMENTS: list[tuple[str, dict[str, Any]]] = [
    (
        "unknown field",
        {"type": "shape", "id": "a", "kind": "circle", "colour": "red", "x": 99, "y": 99, "size": 9, "z": 1},
    ),
    ("missing field", {"type": "shape", "id": "a", "kind": "circle", "colour": "red", "x": 99, "y": 99}),
    ("unknown kind", {"type": "shape", "id": "a", "kind": "star", "colour": "red", "x": 99, "y": 99, "size": 9}),
    ("unknown colour", {"type": "shape", "id": "a", "kind": "circle", "colour": "teal", "x": 99, "y": 99, "size": 9}),
    ("too small", {"type": "shape", "id": "a", "kind": "circle", "colour": "red", "x": 99, "y": 99, "size": 5}),
    ("a fraction", {"type": "shape", "id": "a", "kind": "circle", "colour": "red", "x": 99.5, "y": 99, "size": 9}),
    ("a word", {"type": "shape", "id": "a", "kind": "circle", "colour": "red", "x": "99", "y": 99, "size": 9}),
    ("unknown type", {"type": "star", "id": "a"}),
    ("no type", {"id": "a", "kind": "circle", "colour": "red", "x": 99, "y": 99, "size": 9}),
    ("thin container", {"type": "container", "id": "b", "x": 99, "y": 99, "half_width": 5, "half_height": 50}),
    ("no wall", {"type": "container", "id": "b", "x": 99, "y": 99, "half_width": 50, "half_height": 50, "wall": 0}),
    ("thin arrow", {"type": "arrow", "id": "b", "x": 99, "y": 99, "tip_x": 200, "tip_y": 200, "width": 1}),
    ("two letters", {"type": "label", "id": "l", "text": "AB", "of": "a"}),
    ("small letter", {"type": "label", "id": "l", "text": "a", "of": "a"}),
    ("a low letter", {"type": "label", "id": "l", "text": "A", "of": "a", "height": 21}),
]


@pytest.mark.parametrize("element", [e for _, e in BAD_ELEMENTS], ids=[why for why, _ in BAD_ELEMENTS])
def test_json_that_is_no_element_is_refused(element: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(scene_json(elements=[msgspec.to_builtins(CIRCLE), {**element, "id": "z"}]))


@pytest.mark.parametrize(
    "element",
    [
        Shape("z", "circle", "red", 99, 99, 5),
        Shape("z", "circle", "red", 99, 99, -3),
        Container("z", 99, 99, 50, 50, 0),
        Arrow("z", 99, 99, 200, 200, 1),
        Label("z", "AB", "a"),
        Label("z", "A", "a", height=21),
    ],
    ids=["small shape", "negative shape", "no wall", "thin arrow", "two letters", "low letter"],
)
def test_what_json_refuses_is_refused_in_code_too(element: Element) -> None:
    """A scene built in code that its own JSON would not read back breaks the round trip of a suite's folder."""
    with pytest.raises(InputError):
        Scene(elements=(CIRCLE, element))


def test_unknown_fields_of_a_scene_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="hue"):
        decode(scene_json(hue=3))


def test_json_is_checked_like_code() -> None:
    twice = [msgspec.to_builtins(CIRCLE)] * 2
    with pytest.raises((InputError, msgspec.ValidationError), match="unique"):
        decode(scene_json(elements=twice))


def test_elements_are_found_by_id() -> None:
    assert SCENE.element("box") is BOX
    assert SCENE.shape("a") is CIRCLE
    assert SCENE.shapes == (CIRCLE, SQUARE)
    with pytest.raises(InputError, match="no element 'nobody'; it has: a, b, box, arrow, label-a"):
        SCENE.element("nobody")
    for id, what in (("box", "container"), ("arrow", "arrow"), ("label-a", "label")):
        with pytest.raises(InputError, match=f"'{id}' is a {what}, not a shape"):
            SCENE.shape(id)


def test_replaced_keeps_order_and_all_else() -> None:
    moved = msgspec.structs.replace(SQUARE, x=200)
    other = SCENE.replaced(moved)
    assert other.elements == (CIRCLE, moved, BOX, ARROW, LETTER)
    assert (other.width, other.height, other.background) == (512, 512, 245)
    assert SCENE.shape("b").x == 300


def test_boxes() -> None:
    assert SCENE.box_of(CIRCLE) == Box(60, 60, 140, 140)
    assert SCENE.box_of(BOX) == Box(150, 170, 350, 330)
    assert BOX.interior == Box(156, 176, 344, 324)
    assert SCENE.box_of(ARROW).left <= 50 - 10
    assert SCENE.box_of(ARROW).right >= 150
    label = SCENE.box_of(LETTER)
    assert (label.left + label.right, label.top + label.bottom) == (206, 196)
    assert label.bottom - label.top >= 24


@given(st.sampled_from(SHAPES), st.integers(6, 60))
def test_a_shape_contains_its_centre_and_nothing_outside_its_box(kind: ShapeKind, size: int) -> None:
    shape = Shape("a", kind, "red", 200, 200, size)
    assert shape.contains(shape.centre)
    left, top, right, bottom = shape.box
    for x in range(left - 2, right + 3, 3):
        for y in (top - 1, bottom + 1):
            assert not shape.contains((x, y))
    for y in range(top - 2, bottom + 3, 3):
        for x in (left - 1, right + 1):
            assert not shape.contains((x, y))


def test_corners_of_the_box_belong_to_squares_alone() -> None:
    for kind, corners in (("circle", 0), ("square", 4), ("triangle", 2), ("diamond", 0)):
        shape = Shape("a", kind, "red", 200, 200, 50)  # type: ignore[arg-type]
        assert sum(shape.contains(p) for p in ((150, 150), (250, 150), (250, 250), (150, 250))) == corners


@pytest.mark.parametrize("kind", SHAPES)
def test_a_segment_meets_a_shape_it_crosses_touches_or_starts_in(kind: ShapeKind) -> None:
    shape = Shape("a", kind, "red", 200, 200, 50)
    assert shape.meets((100, 200), (300, 200))
    assert shape.meets((200, 200), (200, 210))
    assert shape.meets((200, 100), (200, 150))  # the top is a corner, an edge or a tangent point
    assert not shape.meets((100, 140), (300, 140))
    assert not shape.meets((100, 200), (149, 200))
    assert not shape.meets((260, 100), (260, 300))


def test_names() -> None:
    assert {Shape("a", k, c, 99, 99, 20).name for k in SHAPES for c in COLOURS} == {
        f"{c} {k}" for k in SHAPES for c in COLOURS
    }
