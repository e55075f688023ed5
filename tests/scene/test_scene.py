"""Scenes: frozen, hashable, the same after JSON, and never something that cannot be drawn."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from refusals import refusal
from scenery import ARROW, BOX, CIRCLE, LETTER, OTHER, SCENE, SQUARE, STAGE
from strategies import scenes
from sweeping import swept

from counterbench.errors import InputError
from counterbench.palette import SHAPES
from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box, polygon_contains
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape


def scene_json(**changes: Any) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(SCENE), **changes})


def decode(data: bytes) -> Scene:
    return msgspec.json.decode(data, type=Scene)


@given(scenes(arrows=2, containers=2))
def test_a_scene_survives_json(scene: Scene) -> None:
    data = msgspec.json.encode(scene)
    again = decode(data)
    assert again == scene
    assert again.digest == scene.digest
    assert hash(again) == hash(scene)
    assert msgspec.json.encode(again) == data
    assert [(a, b) for a, b in zip(again.elements, scene.elements, strict=True) if type(a) is not type(b)] == []


def test_the_digest_changes_with_any_field_order_addition_and_removal() -> None:
    others = [
        msgspec.structs.replace(SCENE, width=513),
        msgspec.structs.replace(SCENE, height=513),
        msgspec.structs.replace(SCENE, background=246),
        SCENE.with_elements(*SCENE.elements[::-1]),
        SCENE.with_elements(*SCENE.elements[:-1]),
        SCENE.with_elements(*SCENE.elements, Shape("new", "circle", "red", 400, 100, 20)),
        SCENE.with_elements(CIRCLE, msgspec.structs.replace(SQUARE, id="c"), BOX, ARROW, LETTER),
    ]
    for id, fields in OTHER.items():
        scene = SCENE if id in {e.id for e in SCENE.elements} else STAGE
        others += [scene.replaced(msgspec.structs.replace(scene.element(id), **{f: v})) for f, v in fields.items()]
    assert SCENE not in others
    assert len({scene.digest for scene in (SCENE, STAGE, *others)}) == len(others) + 2


def test_the_tests_table_of_edits_covers_every_field() -> None:
    every = {e.id: e for e in (*SCENE.elements, *STAGE.elements)}
    covered = {(type(every[id]), field) for id, fields in OTHER.items() for field in fields}
    assert covered == {(type(e), field) for e in every.values() for field in e.__struct_fields__ if field != "id"}


def test_the_digest_has_not_changed() -> None:
    """Of SCENE, a plain literal: no Pillow, no platform, no Python version in it."""
    assert SCENE.digest == "df2d2c53c315e9d9068e362bcccd899a"


def test_sides_must_be_64_to_2048() -> None:
    for width, height in ((64, 64), (2048, 2048), (64, 2048), (2048, 64)):
        scene = Scene(width, height)
        assert scene.box == Box(0, 0, width - 1, height - 1)
        assert scene.side == min(width, height)
        assert decode(msgspec.json.encode(scene)) == scene
    for width, height in ((63, 512), (512, 63), (2049, 512), (512, 2049), (0, 0), (-512, 512)):
        with pytest.raises(InputError, match=f"64 to 2048.*{width}×{height}"):
            Scene(width, height)
        assert refusal(lambda w=width, h=height: decode(scene_json(width=w, height=h, elements=[]))), (width, height)


def test_a_background_is_a_grey() -> None:
    assert Scene(background=0).background == 0
    assert Scene(background=255).background == 255
    for grey in (-1, 256, 1000):
        assert "background" in refusal(lambda grey=grey: decode(scene_json(background=grey))), grey
        assert "background" in refusal(lambda grey=grey: Scene(background=grey)), grey


def test_ids_must_be_unique_and_not_empty() -> None:
    for elements in (
        (CIRCLE, CIRCLE),
        (CIRCLE, Container("a", 250, 250, 60, 60)),
        (CIRCLE, Label("a", "A", "a")),
        (Shape("", "circle", "red", 100, 100, 40),),
    ):
        assert "unique and not empty" in refusal(lambda e=elements: Scene(elements=e)), elements
    assert "unique" in refusal(lambda: decode(scene_json(elements=[msgspec.to_builtins(CIRCLE)] * 2)))


def test_a_label_belongs_to_a_shape() -> None:
    for owner in ("nobody", "box", "arrow", "label-a", "label-b"):
        label = Label("label-b", "B", owner)
        message = refusal(lambda label=label: SCENE.with_elements(*SCENE.elements, label))
        assert f"'label-b' belongs to '{owner}', which is not a shape" in message, owner


def test_elements_may_touch_the_canvas_edge_and_not_cross_it() -> None:
    for kind in SHAPES:
        for x, y in ((40, 40), (471, 471), (40, 471)):
            assert Scene(elements=(Shape("a", kind, "red", x, y, 40),)).shapes
    off: list[Element] = [
        Shape("z", kind, "red", x, y, 40)
        for kind in SHAPES
        for x, y in ((39, 100), (100, 39), (472, 100), (100, 472), (-100, 100), (100, 9999))
    ]
    off += [
        Container("z", 99, 250, 100, 80),
        Container("z", 250, 432, 100, 80),
        Arrow("z", 5, 250, 300, 250),
        Arrow("z", 250, 250, 300, 505),
        Arrow("z", 250, 250, 600, 250),
        *(Label("z", "A", "a", dx, dy) for dx, dy in ((-100, 0), (0, -100), (400, 0), (0, 400))),
    ]
    for element in off:
        message = refusal(lambda e=element: Scene(elements=(CIRCLE, e)))
        assert "'z'" in message, element
        assert "outside the canvas of 512×512" in message, element


def test_an_element_that_json_refuses_is_refused_in_code_too() -> None:
    """A scene built in code that its own JSON would not read back breaks the round trip of a suite's folder."""
    good = {
        "shape": {"kind": "circle", "colour": "red", "x": 99, "y": 99, "size": 9},
        "container": {"x": 99, "y": 99, "half_width": 50, "half_height": 50},
        "arrow": {"x": 99, "y": 99, "tip_x": 200, "tip_y": 200},
        "label": {"text": "A", "of": "a"},
    }
    types: dict[str, Any] = {"shape": Shape, "container": Container, "arrow": Arrow, "label": Label}
    for type_, field, value in (
        *(("shape", "kind", "star"), ("shape", "colour", "teal"), ("shape", "size", 5), ("shape", "size", -3)),
        *(("container", "half_width", 5), ("container", "half_height", 5), ("container", "wall", 0)),
        *(("arrow", "width", 1), ("label", "text", "AB"), ("label", "text", "a"), ("label", "height", 21)),
    ):
        fields = {"id": "z", **good[type_], field: value}
        data = scene_json(elements=[msgspec.to_builtins(CIRCLE), {"type": type_, **fields}])
        assert refusal(lambda data=data: decode(data), msgspec.ValidationError), (type_, field)
        assert refusal(lambda t=types[type_], f=fields: Scene(elements=(CIRCLE, t(**f))), InputError), (type_, field)
        assert Scene(elements=(CIRCLE, types[type_](id="z", **good[type_])))


def test_elements_are_found_by_id() -> None:
    assert SCENE.element("box") is BOX
    assert SCENE.shape("a") is CIRCLE
    assert SCENE.shapes == (CIRCLE, SQUARE)
    with pytest.raises(InputError, match="no element 'nobody'; it has: a, b, box, arrow, label-a"):
        SCENE.element("nobody")
    for id, what in (("box", "container"), ("arrow", "arrow"), ("label-a", "label")):
        with pytest.raises(InputError, match=f"'{id}' is a {what}, not a shape"):
            SCENE.shape(id)


def test_elements_have_their_bounding_boxes() -> None:
    assert SCENE.box_of(CIRCLE) == Box(60, 60, 140, 140)
    assert SCENE.box_of(BOX) == Box(150, 170, 350, 330)
    assert BOX.interior == Box(156, 176, 344, 324)
    assert SCENE.box_of(ARROW).left <= 50 - 10
    assert SCENE.box_of(ARROW).right >= 150
    label = SCENE.box_of(LETTER)
    assert (label.left + label.right, label.top + label.bottom) == (206, 196)
    assert label.bottom - label.top >= 24


def test_a_shape_contains_its_centre_and_nothing_outside_its_box() -> None:
    for kind in SHAPES:
        for size in (6, 7, 33, 60):
            shape = Shape("a", kind, "red", 200, 200, size)
            assert shape.contains(shape.centre)
            left, top, right, bottom = shape.box
            around = [(x, y) for x in range(left - 2, right + 3, 3) for y in (top - 1, bottom + 1)]
            around += [(x, y) for y in range(top - 2, bottom + 3, 3) for x in (left - 1, right + 1)]
            assert not any(map(shape.contains, around)), (kind, size)


def test_a_segment_meets_a_shape_it_crosses_touches_or_starts_in() -> None:
    for kind in SHAPES:
        shape = Shape("a", kind, "red", 200, 200, 50)
        assert shape.meets((100, 200), (300, 200)), kind
        assert shape.meets((200, 200), (200, 210)), kind
        assert shape.meets((200, 100), (200, 150)), kind  # the top is a corner, an edge or a tangent point
        assert not shape.meets((100, 140), (300, 140)), kind
        assert not shape.meets((100, 200), (149, 200)), kind
        assert not shape.meets((260, 100), (260, 300)), kind
        assert shape.meets((100, 140), (300, 140), 10), kind
        assert not shape.meets((100, 140), (300, 140), 9), kind


@swept(
    ("wrong", "message"),
    [
        ({"noun": "unicorn"}, "noun 'unicorn'"),
        ({"noun": "ball", "facing": "left"}, "cannot face"),
        ({"noun": "flag"}, "must face"),
        ({"noun": "ball", "lit": True}, "cannot be lit"),
        ({"noun": "ball", "quarters": 2}, "cannot be filled"),
        ({"noun": "ball", "form": "square"}, "cannot have a form"),
        ({"noun": "crystal"}, "must have a form"),
        ({"noun": "tank", "quarters": 5}, "quarters must be 0 to 4"),
        ({"noun": "tank", "quarters": -1}, "quarters must be 0 to 4"),
        ({"noun": "ball", "colour": "brown"}, "colour 'brown'"),
        ({"noun": "ball", "half_height": 5}, "at least 6"),
        ({"noun": "ball", "x": 5}, "outside the canvas"),
    ],
)
def test_invalid_figures_are_refused(wrong: dict[str, Any], message: str) -> None:
    given = {"id": "f", "colour": "red", "x": 256, "y": 256, "half_width": 20, "half_height": 20, **wrong}
    with pytest.raises(InputError, match=message):
        Scene(512, 512, elements=(Figure(**given),))


def test_a_polygon_contains_its_edges_in_either_orientation() -> None:
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    for order in (corners, corners[::-1]):
        grid = [(x, y) for x in range(-2, 4) for y in range(-2, 4)]
        assert [p for p in grid if polygon_contains(order, p)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
