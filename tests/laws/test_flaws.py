"""Which damage a thing may have: only kinds that a person sees on it; and overlaps in a law's picture."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scenery import figure
from sweeping import swept

from counterbench.drawing.render import render
from counterbench.laws.base import is_free, overlaps, taken_boxes
from counterbench.laws.flaws import spoilt
from counterbench.scene.figures import Damage
from counterbench.scene.geometry import Box
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import Named
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream


def damage_on(noun: str, half: int) -> Iterator[tuple[Scene, Damage]]:
    """A scene of one thing, damaged in many ways."""
    what = NOUNS[noun]
    more: dict[str, Any] = {"facing": "left"} if what.faces else {"form": "circle"} if what.forms else {}
    thing = figure(noun, "red", 256, 256, half, **more)
    for turn in range(60):
        scene = spoilt(Scene(elements=(thing,)), Stream("damage", turn))
        yield scene, next(e for e in scene.elements if isinstance(e, Damage))


def kinds_on(noun: str, half: int) -> set[str]:
    """The kinds of damage that befall a thing."""
    return {damage.kind for _, damage in damage_on(noun, half)}


@swept("noun", [noun for noun, what in NOUNS.items() if what.holds])
def test_hollow_things_are_neither_cut_nor_in_blocks(noun: str) -> None:
    """A wall is as thin as a line: of one in blocks a grey strip would be left."""
    assert kinds_on(noun, 60) == {"blur", "doubled", "melted", "seam"}


@pytest.mark.parametrize("noun", [noun for noun, what in NOUNS.items() if what.plain])
def test_plain_things_are_not_in_blocks(noun: str) -> None:
    assert "blocks" not in kinds_on(noun, 60)


def test_coloured_things_are_undamaged_where_any_colour_is_counted() -> None:
    """Spoilt, a ball may be an apple."""
    ball, patch = figure("ball", "red", 100, 256, 40), figure("patch", "red", 400, 256, 40)
    for turn in range(20):
        scene = spoilt(Scene(elements=(ball, patch)), Stream("damage", turn), [Named("apple")])
        assert next(e for e in scene.elements if isinstance(e, Damage)).x > 300


def test_a_solid_detailed_thing_may_have_every_kind_of_damage() -> None:
    assert kinds_on("box", 60) == {"blocks", "blur", "cut", "doubled", "melted", "seam"}


@pytest.mark.slow
@pytest.mark.parametrize("half", [60, 65, 90, 120])
@pytest.mark.parametrize("noun", ["apple", "cat", "mountain", "planet", "sunflower", "lens", "tank", "disc", "wedge"])
def test_damage_is_visible_on_things_with_bare_corners(noun: str, half: int) -> None:
    for scene, damage in damage_on(noun, half):
        whole = scene.with_elements(*(e for e in scene.elements if not isinstance(e, Damage)))
        before, after = (np.asarray(render(version)).astype(int) for version in (whole, scene))
        changed = int((np.abs(before - after).max(axis=2) > 40).sum())
        assert changed > 150, (damage.kind, damage.dose, changed)


def test_overlaps_and_shared_colours_are_reported() -> None:
    ball = figure("ball", "red", 100, 200, 30)
    assert list(overlaps(Scene(elements=(ball, figure("box", "blue", 161, 200, 30))))) == []
    assert list(overlaps(Scene(elements=(ball, figure("box", "blue", 160, 200, 30))))) == ["ball and box overlap"]
    assert list(overlaps(Scene(elements=(ball, figure("box", "red", 300, 200, 30))))) == ["box and ball are both red"]
    assert list(overlaps(Scene(elements=(ball, figure("ball", "red", 300, 200, 30, id="other"))))) == []


def test_contents_of_a_vessel_overlap_it_only_if_they_stick_out() -> None:
    tank = figure("tank", "cyan", 200, 200, 100)
    assert list(overlaps(Scene(elements=(tank, figure("ball", "red", 200, 200, 30))))) == []
    assert list(overlaps(Scene(elements=(tank, figure("ball", "red", 110, 200, 30))))) == ["tank and ball overlap"]
    assert tank.holds(figure("ball", "red", 200, 200, 30))
    assert not figure("box", "blue", 200, 200, 100).holds(figure("ball", "red", 200, 200, 30))


def test_free_room_is_four_pixels_from_figures_and_damage() -> None:
    scene = Scene(elements=(figure("ball", "red", 100, 200, 30), Damage("d", "black", 300, 200, 30, 30)))
    assert is_free(Box(135, 190, 200, 210), taken_boxes(scene))
    assert not is_free(Box(134, 190, 200, 210), taken_boxes(scene))
    assert not is_free(Box(200, 190, 266, 210), taken_boxes(scene))
