"""Observations: each has the value that one would give by hand, and none where that is unclear."""

from typing import Any

import pytest
from scenery import figure
from sweeping import swept

from counterbench.errors import AmbiguousError
from counterbench.scene.figures import Figure, Room
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import (
    ColourSeen,
    Contact,
    Contents,
    Facing,
    Form,
    Height,
    Level,
    Light,
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
UNCLEAR = "(unclear)"


def ball(x: int, y: int, half: int = 20) -> Figure:
    return figure("ball", "red", x, y, half)


def box(x: int, y: int, half: int = 20, **more: Any) -> Figure:
    return figure("box", "blue", x, y, half, **more)


def value_seen(aspect: Observation, *elements: Element) -> str:
    try:
        found = aspect.value(Scene(512, 512, elements=elements))
    except AmbiguousError:
        return UNCLEAR
    assert found in aspect.values, aspect
    return found


@swept(
    ("x", "y", "place"),
    [
        (256, 464, "floor"),
        (256, 48, "ceiling"),
        (48, 256, "left wall"),
        (464, 256, "right wall"),
        (256, 256, "mid-air"),
        (256, 459, "floor"),  # five pixels off
        (256, 458, UNCLEAR),
        (256, 424, "mid-air"),  # forty pixels off
        (256, 425, UNCLEAR),
        (48, 464, UNCLEAR),  # in a corner
        (80, 464, UNCLEAR),  # on the floor, close to a wall
    ],
)
def test_the_place_of_a_thing_has_the_expected_value(x: int, y: int, place: str) -> None:
    assert value_seen(Where(BALL), ROOM, ball(x, y)) == place


def test_a_place_is_ambiguous_without_exactly_one_room_and_one_thing() -> None:
    with pytest.raises(AmbiguousError, match="0 rooms"):
        Where(BALL).value(Scene(elements=(ball(256, 256),)))
    with pytest.raises(AmbiguousError, match="0 figures"):
        Where(BALL).value(Scene(elements=(ROOM,)))


def test_one_thing_has_the_expected_properties() -> None:
    for aspect, shown, value in (
        (Facing(Named("flag", "red")), figure("flag", "red", 256, 256, 40, facing="up"), "up"),
        (ColourSeen(Named("leaf")), figure("leaf", "green", 256, 256), "green"),
        (Light(LAMP), figure("lamp", "green", 256, 256, lit=True), "lit"),
        (Light(LAMP), figure("lamp", "green", 256, 256), "dark"),
        (Level(Named("tank", "cyan")), figure("tank", "cyan", 256, 256, 60, quarters=3), "three quarters full"),
        (Form(Named("crystal", "pink")), figure("crystal", "pink", 256, 256, form="diamond"), "diamond"),
    ):
        assert value_seen(aspect, shown) == value, aspect


@swept(
    ("aspect", "first", "second", "value"),
    [
        (Side(BALL, BOX), ball(100, 260), box(300, 250), "left"),
        (Side(BALL, BOX), ball(400, 260), box(300, 250), "right"),
        (Side(BALL, BOX), ball(250, 400), box(300, 250), "below"),
        (Side(BALL, BOX), ball(250, 100), box(300, 250), "above"),
        (Side(BALL, BOX), ball(230, 200), box(200, 200), "right"),  # six per cent of the side
        (Side(BALL, BOX), ball(229, 200), box(200, 200), UNCLEAR),
        (Side(BALL, BOX), ball(330, 300), box(200, 200), "right"),  # 1.3 times as far as the other way
        (Side(BALL, BOX), ball(329, 300), box(200, 200), UNCLEAR),
        (Size(BALL, BOX), ball(100, 260, 40), box(300, 250, 20), "larger"),
        (Size(BALL, BOX), ball(100, 260, 20), box(300, 250, 40), "smaller"),
        (Size(BALL, BOX), ball(100, 260, 50), box(300, 250, 40), "larger"),
        (Size(BALL, BOX), ball(100, 260, 49), box(300, 250, 40), UNCLEAR),
        (Size(BALL, BOX), ball(100, 260, 53), box(300, 250, 50), "same"),
        (Size(BALL, BOX), ball(100, 260, 54), box(300, 250, 50), UNCLEAR),
        (Size(BALL, BOX), ball(256, 256), box(400, 256, half_width=40, half_height=10), UNCLEAR),  # wider, and lower
        (Contact(BALL, BOX), ball(100, 260), box(146, 250), "touching"),  # five pixels between them
        (Contact(BALL, BOX), ball(100, 260), box(147, 250), UNCLEAR),
        (Contact(BALL, BOX), ball(100, 260), box(161, 250), "apart"),  # twenty
        (Contact(BALL, BOX), ball(100, 260), box(160, 250), UNCLEAR),
    ],
)
def test_two_things_have_the_expected_relation(aspect: Observation, first: Figure, second: Figure, value: str) -> None:
    assert value_seen(aspect, first, second) == value


def test_a_thing_is_nearer_if_the_distances_differ_by_a_quarter() -> None:
    aspect = Nearer(LAMP, BALL, BOX)
    lamp = figure("lamp", "green", 256, 256)
    for left, right, value in ((100, 125, "first"), (100, 124, UNCLEAR), (125, 100, "second"), (124, 100, UNCLEAR)):
        assert value_seen(aspect, lamp, ball(256 - left, 256), box(256 + right, 256)) == value, (left, right)


def test_the_comparison_of_heights_ignores_widths() -> None:
    tall = figure("post", "red", 100, 256, half_width=10, half_height=90)
    short = figure("post", "blue", 300, 256, half_width=10, half_height=45, id="other")
    red, blue = Named("post", "red"), Named("post", "blue")
    assert value_seen(Height(red, blue), tall, short) == "taller"
    assert value_seen(Height(blue, red), tall, short) == "shorter"


def test_a_number_counts_things_of_its_noun_and_colour() -> None:
    apples = [figure("apple", "red", 60 + 90 * i, 100, id=f"a{i}") for i in range(4)]
    assert value_seen(Number(Named("apple", "red")), *apples, figure("apple", "green", 256, 300, id="b")) == "4"


def test_the_contents_of_a_vessel_are_what_is_inside_its_walls() -> None:
    tank = figure("tank", "cyan", 256, 256, 100)  # its outside begins at 156
    for x, value in ((256, "inside"), (60, "outside"), (160, UNCLEAR), (130, "outside"), (131, UNCLEAR)):
        assert value_seen(Contents(BALL, Named("tank", "cyan")), tank, ball(x, 256)) == value, x
