"""Checks of one pair, in memory: a sound pair has no problem, and what is wrong with another is found and named."""

from typing import Any

import msgspec
import pytest
from PIL import Image
from scenery import built
from sweeping import swept

from counterbench.drawing import png
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.scene.interventions import Change, Edit, Move, Recolour, Remove, diff
from counterbench.scene.pairs import Digests, Pair
from counterbench.scene.programs.shapes import ColourOf, Count, Equals, Relates
from counterbench.scene.scene import Label, Scene, Shape
from counterbench.scene.visibility import Description
from counterbench.verification.checks import check_pair

CIRCLE = Shape("a", "circle", "red", 80, 80, 30)
SQUARE = Shape("b", "square", "blue", 240, 80, 30)
OTHER = Shape("c", "diamond", "green", 160, 240, 30)
SCENE = Scene(320, 320, 245, (CIRCLE, SQUARE, OTHER))
ASK_CIRCLE = ColourOf(Description(kind="circle"))


def made(scene: Scene, edit: Any, program: Any, **more: Any) -> Pair:
    """A pair that `build` accepts, with digests of its pictures."""
    return redrawn(msgspec.structs.replace(built(scene, edit, program), **more))


def redrawn(pair: Pair) -> Pair:
    digests = Digests(*(s.digest for s in pair.scenes), *(png.pixel_digest(render(s)) for s in pair.scenes))
    return msgspec.structs.replace(pair, digests=digests)


def checked(pair: Pair, *images: Image.Image) -> dict[str, list[str]]:
    """What is found, by check."""
    shown = images or tuple(render(scene) for scene in pair.scenes)
    pictures = [Picture(lambda image=image: png.encode(image), "picture") for image in shown]
    found: dict[str, list[str]] = {}
    for problem in check_pair(pair, pictures, same_renderer=True):
        assert (problem.pair, problem.family) == ("x-0", pair.family)
        found.setdefault(problem.check, []).append(problem.message)
    return found


RECOLOURED = Recolour("a", "yellow")


def test_a_sound_pair_has_no_problem() -> None:
    assert checked(made(SCENE, RECOLOURED, ASK_CIRCLE)) == {}
    left = Relates(Description("circle"), "left", Description("diamond"))
    assert checked(made(SCENE, Move("a", 250, 240), left)) == {}
    assert checked(made(SCENE, Remove("b"), Count("square"))) == {}
    lettered = SCENE.with_elements(*SCENE.elements, Label("l", "A", "a"))
    assert checked(made(lettered, Move("a", 160, 160), ColourOf(Description(letter="A")))) == {}  # its letter moves too


def test_an_ambiguous_scene_is_a_problem() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    twin = Shape("d", "circle", "pink", 60, 240, 30)
    scenes = [scene.with_elements(*scene.elements, twin) for scene in pair.scenes]
    found = checked(redrawn(msgspec.structs.replace(pair, original=scenes[0], intervened=scenes[1])))
    assert len(found["truth"]) == 2
    assert [message for message in found["truth"] if "ambiguous" not in message] == []
    assert len(found["reader"]) == 2  # the reader sees two circles too
    assert set(found) == {"truth", "reader"}


@pytest.mark.parametrize(("x", "wrong"), [(141, True), (142, False)])
def test_touching_shapes_are_a_problem(x: int, wrong: bool) -> None:
    """A pixel lies between two boxes: 80 + 30 = 110 is the circle's last column, x - 30 the square's first."""
    scene = SCENE.replaced(msgspec.structs.replace(SQUARE, x=x))
    found = checked(made(scene, RECOLOURED, ASK_CIRCLE))
    assert ("layout" in found) == wrong, found
    if wrong:
        assert found["layout"] == ["original: a and b touch", "intervened: a and b touch"]


def test_non_canonical_published_answers_are_a_problem() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE, truth="published", original_answer="Red")
    (found,) = checked(pair)["truth"]
    assert found.startswith("not a canonical colour answer: 'Red'")


def test_an_undeclared_change_is_a_problem() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    sneaked = pair.intervened.replaced(msgspec.structs.replace(OTHER, x=165))
    found = checked(redrawn(msgspec.structs.replace(pair, intervened=sneaked)))
    assert len(found["change"]) == 3  # not the recorded one, not the declared one, not what the edit gives
    assert "outside the edit" in "\n".join(found["mask"])
    assert set(found) == {"change", "mask"}
    recorded = msgspec.structs.replace(pair, intervened=sneaked, change=diff(SCENE, sneaked))
    assert set(checked(redrawn(recorded))) == {"change"}  # the record fits; the declaration does not


def test_a_declared_change_that_was_not_made_is_a_problem() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    found = checked(redrawn(msgspec.structs.replace(pair, intervened=SCENE)))
    assert {"truth", "change", "mask", "reader"} == set(found)
    assert found["mask"] == ["the two pictures are the same"]


def test_a_record_that_contradicts_its_pair_is_a_problem() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    for change in (Change(), Change((Edit("a", "colour", "red", "green"),)), Change((Edit("b", "x", 1, 2),))):
        assert "change" in checked(msgspec.structs.replace(pair, change=change))
    assert list(checked(msgspec.structs.replace(pair, intervention="swap"))) == ["change"]
    assert "change" in checked(msgspec.structs.replace(pair, edit=Recolour("a", "green")))
    assert "change" in checked(msgspec.structs.replace(pair, edit=Recolour("nowhere", "green")))


@pytest.mark.parametrize("dx", [160, 120])
def test_a_letter_over_another_shape_is_a_problem(dx: int) -> None:
    scene = SCENE.with_elements(*SCENE.elements, Label("l", "A", "a", dx, 0))
    found = checked(made(scene, RECOLOURED, ASK_CIRCLE))
    assert [message for message in found["layout"] if "label l lies over b" not in message] == []
    assert len(found["layout"]) == 2


@swept(
    ("change", "checks"),
    [
        ({"original_answer": "green"}, {"truth", "reader"}),
        ({"intervened_answer": "red", "relevant": False}, {"truth", "reader"}),
        ({"original_answer": "Red"}, {"truth", "reader"}),
        ({"original_answer": "yellow", "intervened_answer": "red"}, {"truth", "reader"}),
        ({"relevant": False}, {"truth"}),
        ({"answer_type": "integer"}, {"truth"}),
        ({"question": "What color is the square?"}, {"truth", "reader"}),
        ({"question": ""}, {"truth", "reader"}),
        ({"program": ColourOf(Description(kind="square"))}, {"truth"}),
        ({"program": Equals(ASK_CIRCLE, "red")}, {"truth"}),
        ({"program": None}, {"truth"}),
        ({"edit": None}, {"change"}),
        ({"change": None}, {"change"}),
        ({"digests": None}, {"picture"}),
    ],
)
def test_each_field_is_checked_against_the_scene(change: dict[str, Any], checks: set[str]) -> None:
    pair = msgspec.structs.replace(made(SCENE, RECOLOURED, ASK_CIRCLE), **change)
    assert set(checked(pair)) == checks


def test_pictures_are_checked_against_scene_digest_and_each_other() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    original, intervened = (render(scene) for scene in pair.scenes)
    assert set(checked(pair, intervened, original)) == {"picture", "reader"}
    assert set(checked(pair, original, original)) == {"picture", "mask", "reader"}
    for at in ((0, 0), (319, 319), (160, 160)):
        spotted = original.copy()
        spotted.putpixel(at, (245, 245, 244))
        found = checked(pair, spotted, intervened)
        assert {"picture", "mask"} <= set(found)
        assert f"within ({at[0]}, {at[1]}, {at[0] + 1}, {at[1] + 1})" in found["mask"][0]
    assert "differ in size" in checked(pair, original, intervened.resize((300, 320)))["mask"][0]
    other = SCENE.replaced(msgspec.structs.replace(SQUARE, colour="red"))
    other = redrawn(msgspec.structs.replace(pair, original=other))
    assert pair.digests.original_scene != other.digests.original_scene
    assert "picture" in checked(msgspec.structs.replace(pair, digests=other.digests))


def test_an_unreadable_picture_is_a_problem_and_no_crash() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    good = Picture(lambda: png.encode(render(SCENE)), "good")
    bad = Picture(lambda: b"\x89PNG\r\n\x1a\n nonsense", "bad")
    found = list(check_pair(pair, [good, bad], same_renderer=True))
    assert [(p.check, "bad: not a readable picture" in p.message) for p in found] == [("picture", True)]
