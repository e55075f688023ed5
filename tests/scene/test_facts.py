"""Facts: each observation has the value that one would give by hand, and none where that is unclear."""

from __future__ import annotations

from typing import Any

import pytest

from counterbench.errors import AmbiguousError, InputError
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.programs.facts import Fact, Together, Whole, observed
from counterbench.scene.programs.observations import (
    ColourSeen,
    Contact,
    Contents,
    Facing,
    Form,
    Height,
    Level,
    Light,
    Named,
    Nearer,
    Number,
    Observation,
    Side,
    Size,
    Where,
)
from counterbench.scene.scene import Element, Scene

ROOM = Room("room", 256, 256, 236, 236, 8)  # inside from 28 to 484
BALL, BOX, LAMP = Named("ball", "red"), Named("box", "blue"), Named("lamp", "green")


def figure(noun: str, colour: Any, x: int, y: int, half: int = 20, **more: Any) -> Figure:
    more = {"half_width": half, "half_height": half, **more}
    return Figure(id=more.pop("id", noun), noun=noun, colour=colour, x=x, y=y, **more)


def scene(*elements: Element) -> Scene:
    return Scene(512, 512, elements=elements)


def ball(x: int, y: int, half: int = 20) -> Figure:
    return figure("ball", "red", x, y, half)


@pytest.mark.parametrize(
    ("x", "y", "place"),
    [
        (256, 464, "floor"),
        (256, 48, "ceiling"),
        (48, 256, "left wall"),
        (464, 256, "right wall"),
        (256, 256, "mid-air"),
        (256, 460, "floor"),  # four pixels off
    ],
)
def test_where(x: int, y: int, place: str) -> None:
    assert Where(BALL).value(scene(ROOM, ball(x, y))) == place


@pytest.mark.parametrize(("x", "y"), [(48, 464), (256, 440), (80, 464)])
def test_where_is_unclear_in_a_corner_or_close_to_a_wall(x: int, y: int) -> None:
    with pytest.raises(AmbiguousError, match="ball"):
        Where(BALL).value(scene(ROOM, ball(x, y)))


def test_where_needs_one_room_and_one_thing() -> None:
    with pytest.raises(AmbiguousError, match="0 rooms"):
        Where(BALL).value(scene(ball(256, 256)))
    with pytest.raises(AmbiguousError, match="0 figures"):
        Where(BALL).value(scene(ROOM))


@pytest.mark.parametrize(
    ("of", "elements", "value"),
    [
        (Facing(Named("flag", "red")), [figure("flag", "red", 256, 256, 40, facing="up")], "up"),
        (ColourSeen(Named("leaf")), [figure("leaf", "green", 256, 256)], "green"),
        (Light(LAMP), [figure("lamp", "green", 256, 256, lit=True)], "lit"),
        (Light(LAMP), [figure("lamp", "green", 256, 256)], "dark"),
        (Level(Named("tank", "cyan")), [figure("tank", "cyan", 256, 256, 60, quarters=3)], "three quarters full"),
        (Form(Named("crystal", "pink")), [figure("crystal", "pink", 256, 256, form="diamond")], "diamond"),
        (Side(BALL, BOX), [ball(100, 260), figure("box", "blue", 300, 250)], "left"),
        (Side(BALL, BOX), [ball(250, 400), figure("box", "blue", 300, 250)], "below"),
        (Size(BALL, BOX), [ball(100, 260, 40), figure("box", "blue", 300, 250, 20)], "larger"),
        (Size(BALL, BOX), [ball(100, 260, 20), figure("box", "blue", 300, 250, 20)], "same"),
        (Contact(BALL, BOX), [ball(100, 260, 40), figure("box", "blue", 161, 250, 20)], "touching"),
        (Contact(BALL, BOX), [ball(100, 260, 40), figure("box", "blue", 190, 250, 20)], "apart"),
        (Nearer(BALL, BOX, LAMP), [ball(90, 260), figure("box", "blue", 190, 260), figure("lamp", "green", 400, 260)],
         "first"),
    ],
)  # fmt: skip
def test_observations(of: Observation, elements: list[Figure], value: str) -> None:
    found = of.value(scene(*elements))
    assert found == value
    assert found in of.values


def test_height_is_of_height_alone() -> None:
    tall = figure("post", "red", 100, 256, half_width=10, half_height=90)
    short = figure("post", "blue", 300, 256, half_width=10, half_height=45, id="other")
    assert Height(Named("post", "red"), Named("post", "blue")).value(scene(tall, short)) == "taller"


def test_number_counts_noun_and_colour() -> None:
    apples = [figure("apple", "red", 60 + 90 * i, 100, id=f"a{i}") for i in range(4)]
    other = figure("apple", "green", 256, 300, id="b")
    assert Number(Named("apple", "red")).value(scene(*apples, other)) == "4"


def test_contents_looks_at_the_space_inside_the_walls() -> None:
    tank = figure("tank", "cyan", 256, 256, 100)
    for x, value in ((256, "inside"), (60, "outside")):
        assert Contents(BALL, Named("tank", "cyan")).value(scene(tank, ball(x, 256))) == value
    with pytest.raises(AmbiguousError, match="neither inside"):
        Contents(BALL, Named("tank", "cyan")).value(scene(tank, ball(160, 256)))


@pytest.mark.parametrize(
    ("of", "other"),
    [
        (Side(BALL, BOX), figure("box", "blue", 330, 330)),  # aslant
        (Side(BALL, BOX), figure("box", "blue", 260, 256)),  # too close
        (Size(BALL, BOX), figure("box", "blue", 400, 256, 22)),  # nearly as large
        (Size(BALL, BOX), figure("box", "blue", 400, 256, half_width=40, half_height=10)),  # wider, and lower
        (Contact(BALL, BOX), figure("box", "blue", 307, 256)),  # ten pixels apart
    ],
)
def test_close_calls_are_unclear(of: Observation, other: Figure) -> None:
    with pytest.raises(AmbiguousError):
        of.value(scene(ball(256, 256), other))


def test_facts_together_hold_if_each_does_and_need_each_to_be_clear() -> None:
    shown = scene(ROOM, ball(256, 464), figure("lamp", "green", 256, 200))
    right = observed(Where(BALL), shown)
    assert right == Fact(Where(BALL), "floor")
    assert right.holds(shown)
    dark = Fact(Light(LAMP), "dark")
    assert Together((right, dark)).holds(shown)
    assert not Together((right, Fact(Light(LAMP), "lit"))).holds(shown)
    with pytest.raises(AmbiguousError):
        Together((Fact(Light(LAMP), "lit"), Fact(Where(BOX), "floor"))).holds(shown)


def test_damage_makes_a_picture_not_whole() -> None:
    whole = scene(ball(256, 256))
    assert Whole().holds(whole)
    assert not Whole().holds(whole.with_elements(*whole.elements, Damage("d", "black", 100, 100, 20, 20)))


def test_what_a_judge_needs_to_see() -> None:
    assert Whole().skill == "integrity"
    fact = Fact(Where(BALL), "floor")
    assert (fact.skill, Together((fact,)).skill, Together((fact,), "a rule").skill) == (
        "place",
        "place",
        "obeys-everything",
    )


@pytest.mark.parametrize(
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
        ({"noun": "ball", "colour": "brown"}, "colour 'brown'"),
        ({"noun": "ball", "half": 3}, "at least 6"),
        ({"noun": "ball", "x": 5}, "outside the canvas"),
    ],
)
def test_figures_are_checked(wrong: dict[str, Any], message: str) -> None:
    given = {"colour": "red", "x": 256, "y": 256, **wrong}
    with pytest.raises(InputError, match=message):
        scene(figure(**given))
