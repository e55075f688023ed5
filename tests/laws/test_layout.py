"""Layout: what overlaps is told, what lies in a vessel does not, and room is beside figures and damage."""

from __future__ import annotations

from typing import Any

from counterbench.laws.base import is_free, overlaps
from counterbench.scene.figures import Damage, Figure
from counterbench.scene.geometry import Box
from counterbench.scene.scene import Scene


def figure(id: str, noun: str, colour: Any, x: int, half: int = 30) -> Figure:
    return Figure(id=id, noun=noun, colour=colour, x=x, y=200, half_width=half, half_height=half)


def test_overlaps_and_shared_colours_are_told() -> None:
    ball = figure("ball", "ball", "red", 100)
    assert list(overlaps(Scene(elements=(ball, figure("box", "box", "blue", 161))))) == []
    assert list(overlaps(Scene(elements=(ball, figure("box", "box", "blue", 160))))) == ["ball and box overlap"]
    assert list(overlaps(Scene(elements=(ball, figure("box", "box", "red", 300))))) == ["box and ball are both red"]
    assert list(overlaps(Scene(elements=(ball, figure("other", "ball", "red", 300))))) == []


def test_what_is_in_a_vessel_does_not_overlap_it_and_what_sticks_out_does() -> None:
    tank = figure("tank", "tank", "cyan", 200, half=100)
    assert list(overlaps(Scene(elements=(tank, figure("ball", "ball", "red", 200))))) == []
    assert list(overlaps(Scene(elements=(tank, figure("ball", "ball", "red", 110))))) == ["tank and ball overlap"]
    assert tank.holds(figure("ball", "ball", "red", 200))
    assert not figure("box", "box", "blue", 200, half=100).holds(figure("ball", "ball", "red", 200))


def test_room_keeps_four_pixels_from_figures_and_damage() -> None:
    scene = Scene(elements=(figure("ball", "ball", "red", 100), Damage("d", "black", 300, 200, 30, 30)))
    assert is_free(Box(135, 190, 200, 210), scene)
    assert not is_free(Box(134, 190, 200, 210), scene)
    assert not is_free(Box(200, 190, 266, 210), scene)
