"""What variants do to things."""

from __future__ import annotations

from typing import Any

import pytest

from counterbench.laws.effects import (
    CLOCKWISE,
    coloured,
    filled,
    gone,
    grown,
    stays,
    turned,
    turned_by,
    turned_from,
    turned_to,
)
from counterbench.scene.figures import Figure


def thing(noun: str, x: int = 200, **seen: Any) -> Figure:
    return Figure(id=noun, noun=noun, colour="red", x=x, y=200, half_width=50, half_height=100, **seen)


THERE = {"sun": thing("sun", x=400)}


def test_what_stays_is_the_same_and_what_is_gone_is_not_there() -> None:
    assert stays(thing("ball"), THERE) == thing("ball")
    assert gone(thing("ball"), THERE) is None


def test_things_are_turned() -> None:
    ways = {"down": turned("down"), "right": turned_by(CLOCKWISE), "left": turned_from("sun")}
    for way, effect in ways.items():
        assert effect(thing("flag", facing="up"), THERE) == thing("flag", facing=way)
    assert turned_to("sun")(thing("flag", facing="up"), THERE) == thing("flag", facing="right")


def test_things_grow_both_ways_and_shrink_where_they_are() -> None:
    larger, smaller = grown(1)(thing("ball"), THERE), grown(-1)(thing("ball"), THERE)
    assert larger is not None
    assert smaller is not None
    assert (larger.x, larger.y, larger.half_width, larger.half_height) == (200, 200, 70, 140)
    assert (smaller.half_width, smaller.half_height) == (35, 71)


@pytest.mark.parametrize(("quarters", "more", "left"), [(1, 2, 3), (3, 2, 4), (1, -2, 0), (2, 0, 2)])
def test_a_vessel_runs_over_and_runs_dry(quarters: int, more: int, left: int) -> None:
    assert filled(more)(thing("tank", quarters=quarters), THERE) == thing("tank", quarters=left)


def test_things_take_on_a_colour() -> None:
    found = coloured("blue")(thing("ball"), THERE)
    assert found is not None
    assert found.colour == "blue"
