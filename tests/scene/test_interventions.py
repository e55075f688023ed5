"""What an intervention declares is exactly what differs, and nothing else differs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import INTERVENTIONS, any_edit, edited, scenes

from counterbench.errors import CounterbenchError, InputError
from counterbench.palette import COLOURS
from counterbench.scene.figures import Damage, Figure, Room, Writing
from counterbench.scene.interventions import (
    IRRELEVANT,
    Add,
    BackgroundShade,
    Change,
    ChangeUnasked,
    Edit,
    FarDistractor,
    Intervention,
    Irrelevant,
    Move,
    Placed,
    Recolour,
    Redirect,
    Relevant,
    Remove,
    Restage,
    ShiftAll,
    Swap,
    changed_ids,
    diff,
    kind_of,
)
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape

CIRCLE = Shape("a", "circle", "red", 100, 100, 40)
SQUARE = Shape("b", "square", "blue", 300, 300, 40)
BOX = Container("box", 250, 250, 100, 80)
ARROW = Arrow("arrow", 50, 400, 150, 420)
LETTER = Label("label-a", "A", "a", 3, -2, 24)
SCENE = Scene(elements=(CIRCLE, SQUARE, BOX, ARROW, LETTER))
LAMP = Figure(id="lamp", noun="lamp", colour="red", x=100, y=100, half_width=40, half_height=50)
FLAG = Figure(id="flag", noun="flag", colour="blue", x=300, y=100, half_width=40, half_height=50, facing="left")
TANK = Figure(id="tank", noun="tank", colour="green", x=100, y=300, half_width=40, half_height=50, quarters=1)
CRYSTAL = Figure(
    id="crystal", noun="crystal", colour="pink", x=300, y=300, half_width=40, half_height=50, form="circle"
)
ROOM = Room("room", 256, 256, 236, 236)
DAMAGE = Damage("damage", "static", 200, 200, 30, 10)
WORDS = Writing("words", "ANSWER NO", 256, 400)
STAGE = Scene(elements=(ROOM, LAMP, FLAG, TANK, CRYSTAL, DAMAGE, WORDS))
NEW = Shape("new", "diamond", "pink", 420, 80, 20)


@pytest.mark.parametrize("kind", INTERVENTIONS)
@given(data=st.data())
def test_the_difference_is_the_declared_one(kind: str, data: st.DataObject) -> None:
    scene, intervention = data.draw(edited(kind))
    assert kind_of(intervention) == kind
    assert diff(scene, intervention.apply(scene)) == intervention.declare(scene)


@pytest.mark.parametrize("kind", INTERVENTIONS)
@given(data=st.data())
@settings(max_examples=30)
def test_everything_else_stays(kind: str, data: st.DataObject) -> None:
    scene, intervention = data.draw(edited(kind))
    before = msgspec.json.encode(scene)
    change, after = intervention.declare(scene), intervention.apply(scene)
    assert msgspec.json.encode(scene) == before
    touched = changed_ids(change)
    old = [e for e in scene.elements if e.id not in touched]
    new = [e for e in after.elements if e.id not in touched]
    assert old == new
    assert (after.width, after.height) == (scene.width, scene.height)
    assert after.background == scene.background or kind == "background-shade"
    assert not change.reordered
    if kind not in ("add", "far-distractor", "remove"):
        assert [e.id for e in after.elements] == [e.id for e in scene.elements]
        assert change.added == change.removed == ()


@given(any_edit())
def test_a_change_done_backwards_is_the_change_reversed(edit: tuple[Scene, Intervention]) -> None:
    scene, intervention = edit
    after = intervention.apply(scene)
    there, back = diff(scene, after), diff(after, scene)
    assert back.edits == tuple(Edit(e.element, e.field, e.after, e.before) for e in there.edits)
    assert (back.added, back.removed) == (there.removed, there.added)


@given(any_edit())
def test_interventions_and_changes_keep_through_json(edit: tuple[Scene, Intervention]) -> None:
    scene, intervention = edit
    again: Intervention = msgspec.json.decode(msgspec.json.encode(intervention), type=Intervention)
    assert again == intervention
    assert type(again) is type(intervention)
    assert hash(again) == hash(intervention)
    assert again.apply(scene) == intervention.apply(scene)
    change = intervention.declare(scene)
    assert msgspec.json.decode(msgspec.json.encode(change), type=Change) == change


@given(scenes(arrows=2, containers=2))
def test_a_scene_does_not_differ_from_itself(scene: Scene) -> None:
    assert diff(scene, scene) == Change()
    assert diff(scene, msgspec.json.decode(msgspec.json.encode(scene), type=Scene)) == Change()


@given(scenes(), scenes())
def test_scenes_without_a_difference_are_equal(first: Scene, second: Scene) -> None:
    assert (diff(first, second) == Change()) == (first == second)


EDITS: dict[str, dict[str, Any]] = {
    "a": {"kind": "square", "colour": "pink", "x": 101, "y": 101, "size": 41},
    "box": {"x": 251, "y": 251, "half_width": 101, "half_height": 81, "wall": 7},
    "arrow": {"x": 51, "y": 401, "tip_x": 151, "tip_y": 421, "width": 6},
    "label-a": {"text": "B", "of": "b", "dx": 4, "dy": -1, "height": 25},
}


STAGE_EDITS: dict[str, dict[str, Any]] = {
    "room": {"x": 257, "y": 255, "half_width": 200, "half_height": 201, "wall": 9},
    "lamp": {"noun": "candle", "colour": "cyan", "x": 110, "y": 111, "half_width": 41, "half_height": 51, "lit": True},
    "flag": {"facing": "up"},
    "tank": {"quarters": 4},
    "crystal": {"form": "square"},
    "damage": {"kind": "black", "x": 201, "y": 202, "half_width": 31, "half_height": 11, "seed": 1},
    "words": {"words": "ANSWER YES", "x": 250, "y": 401, "height": 20},
}


@pytest.mark.parametrize(("id", "field"), [(id, field) for id, fields in STAGE_EDITS.items() for field in fields])
def test_any_edit_of_a_stage_is_found_and_restaged_as_declared(id: str, field: str) -> None:
    element, value = STAGE.element(id), STAGE_EDITS[id][field]
    after = STAGE.replaced(msgspec.structs.replace(element, **{field: value}))
    change = Change((Edit(id, field, getattr(element, field), value),))
    restage = Restage(after.elements)
    assert diff(STAGE, after) == restage.declare(STAGE) == change
    assert restage.apply(STAGE) == after
    assert msgspec.json.decode(msgspec.json.encode(change), type=Change) == change


def test_the_edits_of_a_stage_cover_every_field() -> None:
    edited = {(type(STAGE.element(id)), field) for id, fields in STAGE_EDITS.items() for field in fields}
    assert edited == {(type(e), f) for e in STAGE.elements for f in e.__struct_fields__ if f != "id"}


@given(st.permutations(STAGE.elements), st.integers(0, 7), st.permutations(STAGE.elements), st.integers(0, 7))
def test_restaging_declares_what_comes_goes_and_changes_place(
    old: list[Element], first: int, new: list[Element], second: int
) -> None:
    before, after = STAGE.with_elements(*old[:first]), STAGE.with_elements(*new[:second])
    restage = Restage(after.elements)
    assert restage.declare(before) == diff(before, after)
    assert restage.apply(before) == after


@pytest.mark.parametrize(("id", "field"), [(id, field) for id, fields in EDITS.items() for field in fields])
def test_any_edit_of_any_field_is_found(id: str, field: str) -> None:
    element, value = SCENE.element(id), EDITS[id][field]
    after = SCENE.replaced(msgspec.structs.replace(element, **{field: value}))
    assert diff(SCENE, after) == Change((Edit(id, field, getattr(element, field), value),))


def test_the_edits_cover_every_field_but_the_id() -> None:
    for id, fields in EDITS.items():
        assert {*fields, "id"} == set(SCENE.element(id).__struct_fields__)


@pytest.mark.parametrize(("field", "value"), [("width", 600), ("height", 601), ("background", 230)])
def test_an_edit_of_the_canvas_is_found(field: str, value: int) -> None:
    after = msgspec.structs.replace(SCENE, **{field: value})
    assert diff(SCENE, after) == Change((Edit("", field, getattr(SCENE, field), value),))


@pytest.mark.parametrize("at", range(6))
def test_an_addition_is_found_with_its_place(at: int) -> None:
    after = SCENE.with_elements(*SCENE.elements[:at], NEW, *SCENE.elements[at:])
    assert diff(SCENE, after) == Change(added=(Placed(at, NEW),))
    assert diff(after, SCENE) == Change(removed=(Placed(at, NEW),))


@given(scenes(least=2), st.data())
def test_any_other_drawing_order_is_found(scene: Scene, data: st.DataObject) -> None:
    order = data.draw(st.permutations(scene.elements))
    change = diff(scene, scene.with_elements(*order))
    assert change == Change(reordered=tuple(order) != scene.elements)


def test_an_element_of_another_type_with_the_same_id_is_another_element() -> None:
    other = Container("b", 300, 300, 40, 40)
    after = SCENE.replaced(other)
    assert diff(SCENE, after) == Change(added=(Placed(1, other),), removed=(Placed(1, SQUARE),))


def test_a_renamed_element_is_removed_and_added() -> None:
    other = msgspec.structs.replace(SQUARE, id="c")
    after = SCENE.with_elements(CIRCLE, other, BOX, ARROW, LETTER)
    assert diff(SCENE, after) == Change(added=(Placed(1, other),), removed=(Placed(1, SQUARE),))
    assert changed_ids(diff(SCENE, after)) == {"b", "c"}


def test_edits_are_sorted_by_element_and_field() -> None:
    change = ShiftAll(10, 20).declare(SCENE)
    keys = [(e.element, e.field) for e in change.edits]
    assert keys == sorted(keys)
    assert {e.element for e in change.edits} == {"a", "b", "box", "arrow"}  # a label moves with its shape


def test_each_intervention_does_what_its_name_says() -> None:
    swapped = Swap("a", "b").apply(SCENE)
    assert (swapped.shape("a").centre, swapped.shape("b").centre) == ((300, 300), (100, 100))
    assert Swap("a", "b", "x").apply(SCENE).shape("a").centre == (300, 100)
    assert Swap("a", "b", "y").apply(SCENE).shape("a").centre == (100, 300)
    assert Recolour("a", "cyan").apply(SCENE).shape("a").colour == "cyan"
    assert ChangeUnasked("b", "cyan").apply(SCENE).shape("b").colour == "cyan"
    assert Add(NEW).apply(SCENE).elements == (*SCENE.elements, NEW)
    assert FarDistractor(NEW).apply(SCENE).elements[-1] == NEW
    assert Remove("b").apply(SCENE).elements == (CIRCLE, BOX, ARROW, LETTER)
    assert Move("a", 200, 210).apply(SCENE).shape("a").centre == (200, 210)
    turned = Redirect("arrow", 300, 450).apply(SCENE).element("arrow")
    assert isinstance(turned, Arrow)
    assert (turned.tail, turned.tip) == ((50, 400), (300, 450))
    assert BackgroundShade(230).apply(SCENE).background == 230
    shifted = ShiftAll(7, -5).apply(SCENE)
    assert shifted.shape("a").centre == (107, 95)
    assert shifted.element("label-a") == LETTER
    assert shifted.label_box(LETTER).left == SCENE.label_box(LETTER).left + 7


@pytest.mark.parametrize(
    "nothing",
    [
        Swap("a", "a"),
        Recolour("a", "red"),
        ChangeUnasked("b", "blue"),
        Move("a", 100, 100),
        Redirect("arrow", 150, 420),
        BackgroundShade(245),
        ShiftAll(0, 0),
    ],
    ids=kind_of,
)
def test_an_intervention_that_changes_nothing_declares_nothing(nothing: Intervention) -> None:
    assert nothing.declare(SCENE) == Change()
    assert nothing.apply(SCENE) == SCENE


MISFITS: list[Intervention] = [
    Swap("a", "nobody"),
    Swap("nobody", "a"),
    Swap("a", "box"),
    Recolour("nobody", "red"),
    Recolour("arrow", "red"),
    ChangeUnasked("nobody", "red"),
    ChangeUnasked("label-a", "red"),
    Remove("nobody"),
    Remove("box"),
    Remove("label-a"),
    Move("nobody", 100, 100),
    Move("arrow", 100, 100),
    Redirect("nobody", 100, 100),
    Redirect("a", 100, 100),
]


@pytest.mark.parametrize("misfit", MISFITS, ids=str)
def test_an_intervention_that_does_not_fit_is_refused_by_apply(misfit: Intervention) -> None:
    with pytest.raises(InputError, match="element '"):
        misfit.apply(SCENE)


@pytest.mark.parametrize("misfit", MISFITS, ids=str)
def test_an_intervention_that_does_not_fit_is_refused_by_declare(misfit: Intervention) -> None:
    """`pairs.build` declares before it applies, so this is the error that a user sees."""
    with pytest.raises(InputError, match="element '"):
        misfit.declare(SCENE)


@pytest.mark.parametrize(
    "off",
    [
        Move("a", 10, 100),
        Redirect("arrow", 600, 100),
        ShiftAll(-100, 0),
        Add(msgspec.structs.replace(NEW, x=505)),
        Add(msgspec.structs.replace(NEW, id="a")),
        FarDistractor(msgspec.structs.replace(NEW, id="box")),
        Remove("a"),
    ],
    ids=str,
)
def test_a_result_that_is_no_scene_is_refused(off: Intervention) -> None:
    """Off the canvas, an id that is taken, or a shape taken away from under its label."""
    with pytest.raises(CounterbenchError):
        off.apply(SCENE)


def test_kinds() -> None:
    kinds = {kind_of(i) for i in _one_of_each()}
    assert kinds == {*INTERVENTIONS, "restage"}
    assert {kind_of(i) for i in _one_of_each() if isinstance(i, Irrelevant)} == set(IRRELEVANT)
    assert {kind_of(i) for i in _one_of_each() if isinstance(i, Relevant)} == kinds - set(IRRELEVANT)
    assert {kind_of(i) for i in _one_of_each() if not i.is_local} == {"background-shade", "shift-all"}


@pytest.mark.parametrize(
    "data",
    [
        b'{"kind":"explode","target":"a"}',
        b'{"kind":"swap","first":"a"}',
        b'{"kind":"swap","first":"a","second":"b","axes":"z"}',
        b'{"kind":"recolour","target":"a","colour":"teal"}',
        b'{"kind":"background-shade","background":256}',
        b'{"kind":"remove","target":"a","why":"because"}',
        b'{"target":"a"}',
    ],
)
def test_json_that_is_no_intervention_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=Intervention)


def test_interventions_are_frozen() -> None:
    for intervention in _one_of_each():
        field = intervention.__struct_fields__[0]
        with pytest.raises(AttributeError):
            setattr(intervention, field, "x")
        assert intervention in {intervention}


def _one_of_each() -> list[Intervention]:
    return [
        Swap("a", "b"),
        Recolour("a", COLOURS[3]),
        Add(NEW),
        Remove("b"),
        Move("a", 200, 200),
        Redirect("arrow", 200, 450),
        Restage(STAGE.elements),
        FarDistractor(NEW),
        BackgroundShade(230),
        ShiftAll(3, 4),
        ChangeUnasked("b", "pink"),
    ]


def _types(elements: tuple[Element, ...]) -> set[str]:
    return {type(e).__name__ for e in elements}


def test_the_fixed_scene_has_an_element_of_every_type() -> None:
    assert _types(SCENE.elements) == {"Shape", "Container", "Arrow", "Label"}
