"""What variants do to things: ways, motion until something stops it, growth, filling."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenery import figure
from sweeping import swept

from counterbench.laws.base import ROOM
from counterbench.laws.effects import (
    CLOCKWISE,
    coloured,
    filled,
    gone,
    grown,
    headed,
    resized,
    slide,
    stays,
    towards,
    turned,
    turned_by,
    turned_from,
    turned_to,
)
from counterbench.scene.figures import FACINGS, FacingSide, Figure


def thing(noun: str, x: int = 200, **state: Any) -> Figure:
    return figure(noun, "red", x, 200, 50, half_height=100, **state)


THERE = {"sun": thing("sun", x=400)}


def test_the_effect_stays_changes_nothing_and_gone_removes_the_thing() -> None:
    assert stays(thing("ball"), THERE) == thing("ball")
    assert gone(thing("ball"), THERE) is None


def test_turning_effects_set_the_facing() -> None:
    ways = {"down": turned("down"), "right": turned_by(CLOCKWISE), "left": turned_from("sun")}
    for way, effect in ways.items():
        assert effect(thing("flag", facing="up"), THERE) == thing("flag", facing=way)
    assert turned_to("sun")(thing("flag", facing="up"), THERE) == thing("flag", facing="right")


def test_things_grow_in_both_directions_and_shrink_in_place() -> None:
    larger, smaller = grown(1)(thing("ball"), THERE), grown(-1)(thing("ball"), THERE)
    assert (larger.x, larger.y, larger.half_width, larger.half_height) == (200, 200, 70, 140)
    assert (smaller.half_width, smaller.half_height) == (35, 71)


@pytest.mark.parametrize(("quarters", "more", "left"), [(1, 2, 3), (3, 2, 4), (1, -2, 0), (2, 0, 2)])
def test_a_vessels_level_stays_between_empty_and_full(quarters: int, more: int, left: int) -> None:
    assert filled(more)(thing("tank", quarters=quarters), THERE) == thing("tank", quarters=left)


def test_things_take_on_a_colour() -> None:
    found = coloured("blue")(thing("ball"), THERE)
    assert found.colour == "blue"


def ball(x: int, y: int) -> Figure:
    return figure("ball", "red", x, y)


@swept(("x", "y", "way"), [(90, 0, "right"), (-90, 40, "left"), (40, 90, "down"), (-40, -90, "up"), (3, 4, "down")])
def test_the_way_to_a_goal_is_along_the_longer_axis(x: int, y: int, way: str) -> None:
    assert towards(ball(200, 200), ball(200 + x, 200 + y)) == way


@pytest.mark.parametrize(("way", "edge"), [("left", 28), ("up", 28), ("right", 484), ("down", 484)])
def test_a_thing_slides_to_the_wall(way: FacingSide, edge: int) -> None:
    box = slide(ball(200, 220), way, ROOM).box
    assert {"left": box.left, "up": box.top, "right": box.right, "down": box.bottom}[way] == edge


def test_only_a_thing_in_the_way_stops_a_slide() -> None:
    thing = ball(100, 200)
    assert slide(thing, "right", ROOM, (ball(300, 230),)).box.right == 279
    assert slide(thing, "right", ROOM, (ball(300, 260), ball(50, 200))).box.right == 484


@given(st.integers(20, 120), st.integers(-2, 2))
def test_each_step_of_growth_is_visible_and_zero_steps_change_nothing(half: int, steps: int) -> None:
    assert resized(half, 0) == half
    assert resized(50, 1) == 70
    assert resized(70, -1) == 50
    if steps:
        larger, smaller = sorted((resized(half, steps), half), reverse=True)
        assert larger * 100 >= smaller * 130


@pytest.mark.parametrize("way", FACINGS)
def test_a_vehicle_lies_along_the_way_that_it_heads(way: FacingSide) -> None:
    bus = headed(figure("bus", "red", 200, 200, half_height=50, facing="up"), way)
    assert (bus.facing, bus.half_width, bus.half_height) == (way, *((50, 20) if way in ("left", "right") else (20, 50)))
