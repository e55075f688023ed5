"""Vessels and pointers as they are drawn: what is empty shows no liquid, what is full is full, and all can be read."""

from typing import Any

import numpy as np
import pytest
from scenery import figure

from counterbench.drawing.render import render
from counterbench.judges.pixels import read_answer
from counterbench.palette import COLOUR_RGB, LIQUID_RGB
from counterbench.scene.figures import FACINGS, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import Facing, Level, Light
from counterbench.scene.scene import Scene

VESSELS = [noun for noun, what in NOUNS.items() if what.fills]
POINTERS = [noun for noun, what in NOUNS.items() if what.faces]
LIGHTS = [noun for noun, what in NOUNS.items() if what.lights]
# Halves of width and height as laws have them.
SIZES = ((28, 28), (34, 34), (60, 60), (90, 90))


def scene_of(noun: str, half: tuple[int, int], **state: Any) -> tuple[Figure, Scene]:
    thing = figure(noun, "blue", 256, 256, half[0], half_height=half[1], **state)
    return thing, Scene(elements=(thing,))


@pytest.mark.parametrize("noun", ["tank", "cup"])
def test_an_empty_vessel_shows_no_liquid_and_a_full_one_is_full_to_its_rim(noun: str) -> None:
    for half in (*SIZES, (120, 56), (58, 80)):
        shown = {}
        for quarters in (0, 4):
            vessel, scene = scene_of(noun, half, quarters=quarters)
            inside = vessel.interior
            picture = np.asarray(render(scene))
            assert (picture == COLOUR_RGB["blue"]).all(axis=2).any(), "its handle or its feet have its colour"
            liquid = (picture == LIQUID_RGB).all(axis=2)
            shown[quarters] = liquid[inside.top + 1 : inside.bottom - 1, inside.left + 1 : inside.right - 1]
        assert not shown[0].any(), half
        assert shown[4].all(), half


def test_an_empty_thermometer_or_battery_has_its_colour_above_the_column_only() -> None:
    for noun in ("thermometer", "battery"):
        vessel, scene = scene_of(noun, (40, 90))
        blue = (np.asarray(render(scene)) == COLOUR_RGB["blue"]).all(axis=2)
        assert np.flatnonzero(blue.any(axis=1))[-1] <= vessel.walls.top


@pytest.mark.slow
def test_every_level_is_read_from_pixels_at_every_size() -> None:
    for noun in VESSELS:
        program = Level(Named(noun, "blue"))
        for half in (*SIZES, (32, 90), (32, 120), (30, 20)):
            for quarters, value in enumerate(Level.values):
                _, scene = scene_of(noun, half, quarters=quarters)
                for other in (value, Level.values[quarters - 1]):
                    question = f"Looking at the picture, {program.clause(other).question}?"
                    wanted = "yes" if other == value else "no"
                    assert read_answer(render(scene), question) == wanted, (noun, half, quarters, other)


@pytest.mark.slow
@pytest.mark.parametrize("facing", FACINGS)
def test_every_facing_is_read_from_pixels_at_every_size(facing: str) -> None:
    wide = {"car": (36, 26), "bus": (52, 26), "boat": (46, 36)}
    for noun in POINTERS:
        program = Facing(Named(noun, "blue"))
        more = [(30, 30), (34, 34)] if noun == "boat" else []
        more += [wide[noun] if facing in ("left", "right") else wide[noun][::-1]] if noun in wide else []
        for half in ((40, 40), *SIZES[2:], *more):
            _, scene = scene_of(noun, half, facing=facing)
            question = f"Looking at the picture, {program.clause(facing).question}?"
            assert read_answer(render(scene), question) == "yes", (noun, facing, half)


def test_light_is_read_from_pixels_at_every_size() -> None:
    for noun in LIGHTS:
        for half in (SIZES[0], SIZES[-1], (32, 38), (44, 60), (50, 66)):
            for lit, value in ((False, "dark"), (True, "lit")):
                _, scene = scene_of(noun, half, lit=lit)
                question = f"Looking at the picture, {Light(Named(noun, 'blue')).clause(value).question}?"
                assert read_answer(render(scene), question) == "yes", (noun, half, lit)


def test_vehicles_facing_up_or_down_are_drawn_from_above() -> None:
    """Facing up or down they are seen from above, which no turn of the view from the side gives."""
    for noun in ("car", "bus", "boat"):
        _, right = scene_of(noun, (50, 50), facing="right")
        _, up = scene_of(noun, (50, 50), facing="up")
        turned = np.rot90(np.asarray(render(right))[206:307, 206:307])
        upward = np.asarray(render(up))[206:307, 206:307]
        assert (turned != upward).any(axis=2).mean() > 0.1, noun
        assert np.abs(upward.astype(int) - upward[:, ::-1]).max(axis=2).mean() < 10, f"a {noun} from above is even"


@pytest.mark.slow
@pytest.mark.parametrize("half", [(60, 60), (32, 90)])
def test_a_vessel_counts_as_one_thing_with_any_content(half: tuple[int, int]) -> None:
    """Its liquid and its feet, handle or lid lie apart, and glass holds them together."""
    for noun in VESSELS:
        for quarters in (0, 1, 4):
            _, scene = scene_of(noun, half, quarters=quarters)
            assert read_answer(render(scene), f"Is there exactly one blue {noun}?") == "yes", (noun, quarters)
