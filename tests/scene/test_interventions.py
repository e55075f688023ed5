"""What an intervention declares is exactly what differs, and nothing else differs."""

from random import Random
from typing import get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from scenery import ARROW, BOX, CIRCLE, LETTER, OTHER, SCENE, SQUARE, STAGE
from strategies import INTERVENTIONS, edits, scenes

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
    PlacedElement,
    Recolour,
    Redirect,
    Relevant,
    Remove,
    Restage,
    ShiftAll,
    SwapPlaces,
    changed_ids,
    diff,
    kind_of,
)
from counterbench.scene.scene import Container, Element, Scene, Shape

NEW = Shape("new", "diamond", "pink", 420, 80, 20)


@settings(max_examples=200)
@given(edits())
def test_the_difference_equals_the_declared_change(edit: tuple[str, Scene, Intervention]) -> None:
    kind, scene, intervention = edit
    before = msgspec.json.encode(scene)
    change, after = intervention.declare(scene), intervention.apply(scene)
    assert msgspec.json.encode(scene) == before
    assert kind_of(intervention) == kind
    assert diff(scene, after) == change
    touched = changed_ids(change)
    assert [e for e in scene.elements if e.id not in touched] == [e for e in after.elements if e.id not in touched]
    assert (after.width, after.height) == (scene.width, scene.height)
    assert after.background == scene.background or kind == "background-shade"
    assert not change.reordered
    if kind not in ("add", "far-distractor", "remove"):
        assert [e.id for e in after.elements] == [e.id for e in scene.elements]
        assert change.added == change.removed == ()


@settings(max_examples=200)
@given(edits())
def test_the_inverse_of_a_change_is_its_reverse(edit: tuple[str, Scene, Intervention]) -> None:
    _, scene, intervention = edit
    after = intervention.apply(scene)
    forward, back = diff(scene, after), diff(after, scene)
    assert back.edits == tuple(Edit(e.element, e.field, e.after, e.before) for e in forward.edits)
    assert (back.added, back.removed) == (forward.removed, forward.added)


def test_any_edit_of_any_field_is_found_and_restaged_as_declared() -> None:
    for id, fields in OTHER.items():
        scene = next(s for s in (SCENE, STAGE) if id in {e.id for e in s.elements})
        element = scene.element(id)
        for field, value in fields.items():
            after = scene.replaced(msgspec.structs.replace(element, **{field: value}))
            change = Change((Edit(id, field, getattr(element, field), value),))
            restage = Restage(after.elements)
            assert diff(scene, after) == restage.declare(scene) == change
            assert restage.apply(scene) == after
            assert msgspec.json.decode(msgspec.json.encode(change), type=Change) == change


@given(st.permutations(STAGE.elements), st.integers(0, 7), st.permutations(STAGE.elements), st.integers(0, 7))
def test_restaging_declares_what_comes_goes_and_changes_place(
    old: list[Element], first: int, new: list[Element], second: int
) -> None:
    before, after = STAGE.with_elements(*old[:first]), STAGE.with_elements(*new[:second])
    restage = Restage(after.elements)
    assert restage.declare(before) == diff(before, after)
    assert restage.apply(before) == after


def test_an_edit_of_the_canvas_is_found() -> None:
    for field, value in (("width", 600), ("height", 601), ("background", 230)):
        after = msgspec.structs.replace(SCENE, **{field: value})
        assert diff(SCENE, after) == Change((Edit("", field, getattr(SCENE, field), value),))


@given(scenes(least=2, arrows=2, containers=2), st.randoms(use_true_random=True))
def test_another_drawing_order_is_found(scene: Scene, random: Random) -> None:
    assert diff(scene, scene) == Change()
    order = tuple(random.sample(scene.elements, len(scene.elements)))
    assert diff(scene, scene.with_elements(*order)) == Change(reordered=order != scene.elements)


def test_an_element_of_another_type_or_id_is_another_element() -> None:
    for other in (Container("b", 300, 300, 40, 40), msgspec.structs.replace(SQUARE, id="c")):
        after = SCENE.with_elements(CIRCLE, other, BOX, ARROW, LETTER)
        assert diff(SCENE, after) == Change(added=(PlacedElement(1, other),), removed=(PlacedElement(1, SQUARE),))
        assert Restage(after.elements).declare(SCENE) == diff(SCENE, after)
        assert changed_ids(diff(SCENE, after)) == {"b", other.id}


def test_edits_are_sorted_by_element_and_field() -> None:
    change = ShiftAll(10, 20).declare(SCENE)
    keys = [(e.element, e.field) for e in change.edits]
    assert keys == sorted(keys)
    assert {e.element for e in change.edits} == {"a", "b", "box", "arrow"}  # a label moves with its shape


def test_each_intervention_does_what_its_name_says() -> None:
    swapped = SwapPlaces("a", "b").apply(SCENE)
    assert (swapped.shape("a").centre, swapped.shape("b").centre) == ((300, 300), (100, 100))
    assert SwapPlaces("a", "b", "x").apply(SCENE).shape("a").centre == (300, 100)
    assert SwapPlaces("a", "b", "y").apply(SCENE).shape("a").centre == (100, 300)
    assert Recolour("a", "cyan").apply(SCENE).shape("a").colour == "cyan"
    assert ChangeUnasked("b", "cyan").apply(SCENE).shape("b").colour == "cyan"
    assert Add(NEW).apply(SCENE).elements == (*SCENE.elements, NEW)
    assert FarDistractor(NEW).apply(SCENE).elements[-1] == NEW
    assert Remove("b").apply(SCENE).elements == (CIRCLE, BOX, ARROW, LETTER)
    assert Move("a", 200, 210).apply(SCENE).shape("a").centre == (200, 210)
    turned = Redirect("arrow", 300, 450).apply(SCENE).element("arrow")
    assert (turned.tail, turned.tip) == ((50, 400), (300, 450))
    assert BackgroundShade(230).apply(SCENE).background == 230
    shifted = ShiftAll(7, -5).apply(SCENE)
    assert shifted.shape("a").centre == (107, 95)
    assert shifted.element("label-a") == LETTER
    assert shifted.label_box(LETTER).left == SCENE.label_box(LETTER).left + 7


def test_an_intervention_that_changes_nothing_declares_nothing() -> None:
    for nothing in (
        SwapPlaces("a", "a"),
        Recolour("a", "red"),
        ChangeUnasked("b", "blue"),
        Move("a", 100, 100),
        Redirect("arrow", 150, 420),
        BackgroundShade(245),
        ShiftAll(0, 0),
    ):
        assert nothing.declare(SCENE) == Change(), nothing
        assert nothing.apply(SCENE) == SCENE, nothing


def test_an_intervention_that_does_not_fit_is_refused_by_apply_and_by_declare() -> None:
    """`pairs.build` declares before it applies, so what declare says is what a user sees."""
    for misfit in (
        SwapPlaces("a", "nobody"),
        SwapPlaces("nobody", "a"),
        SwapPlaces("a", "box"),
        Recolour("nobody", "red"),
        Recolour("arrow", "red"),
        ChangeUnasked("nobody", "red"),
        ChangeUnasked("label-a", "red"),
        Remove("nobody"),
        Remove("box"),
        Move("nobody", 100, 100),
        Move("arrow", 100, 100),
        Redirect("nobody", 100, 100),
        Redirect("a", 100, 100),
    ):
        for method in (misfit.apply, misfit.declare):
            assert "element '" in refusal(lambda call=method: call(SCENE)), (misfit, method)


def test_an_edit_whose_result_is_no_scene_is_refused() -> None:
    """Off the canvas, an id that is taken, or a shape taken away from under its label."""
    for off in (
        Move("a", 10, 100),
        Redirect("arrow", 600, 100),
        ShiftAll(-100, 0),
        Add(msgspec.structs.replace(NEW, x=505)),
        Add(msgspec.structs.replace(NEW, id="a")),
        FarDistractor(msgspec.structs.replace(NEW, id="box")),
        Remove("a"),
    ):
        assert refusal(lambda off=off: off.apply(SCENE)), off


def test_interventions_are_relevant_or_irrelevant_and_local_or_not() -> None:
    relevant, irrelevant = ({c.__struct_config__.tag: c for c in get_args(union)} for union in (Relevant, Irrelevant))
    assert irrelevant.keys() == {*IRRELEVANT, "treat", "paint"}
    assert {*relevant, *irrelevant} == {*INTERVENTIONS, "restage", "treat", "paint"}
    everywhere = {kind for kind, change in (relevant | irrelevant).items() if not change.is_local}
    assert everywhere == {"background-shade", "shift-all", "treat"}
