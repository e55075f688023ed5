"""Laws of biology, against tables worked out by hand."""

from __future__ import annotations

import pytest

from counterbench.figures import Figure
from counterbench.laws.base import Law
from counterbench.laws.biology import Dividing, Heredity, Leaning, Ripening, Watering
from counterbench.laws.outcomes import facts, outcome


def _values(law: Law, variant: str) -> tuple[str, ...]:
    subject, around = facts(law, law.setting(3, 0), variant)
    return tuple(fact.value for fact in (*subject, *around))


# The lamp is on the left, the water below; the sign points right.
@pytest.mark.parametrize(
    ("variant", "sprout", "sunflower"),
    [
        ("light", "left", "left"),
        ("dark", "right", "right"),
        ("upright", "up", "up"),
        ("water", "down", "down"),
        ("heavy-heads", "up", "down"),
        ("shy-flowers", "down", "right"),
    ],
)
def test_where_plants_lean(variant: str, sprout: str, sunflower: str) -> None:
    assert _values(Leaning(), variant) == (sprout, sunflower, "right")


@pytest.mark.parametrize(
    ("variant", "apple", "berry"),
    [
        ("ripe", "red", "blue"),
        ("never", "green", "pink"),
        ("bleached", "yellow", "cyan"),
        ("large", "purple", "pink"),
        ("small", "green", "cyan"),
        ("dusky", "purple", "cyan"),
    ],
)
def test_which_colours_fruit_takes(variant: str, apple: str, berry: str) -> None:
    assert _values(Ripening(), variant) == (apple, berry, "left")


# Two cells in one tank, three bacteria in the other, four things that do not live.
@pytest.mark.parametrize(
    ("variant", "cells", "bacteria"),
    [
        ("two", "4", "6"),
        ("none", "2", "3"),
        ("three", "6", "9"),
        ("one-each", "3", "4"),
        ("merge", "1", "1"),
        ("five", "5", "5"),
    ],
)
def test_how_many_there_are_after_one_division(variant: str, cells: str, bacteria: str) -> None:
    assert _values(Dividing(), variant) == (cells, bacteria, "4")


def test_all_that_divides_stays_in_its_tank() -> None:
    law = Dividing()
    for index in range(20):
        scene = outcome(law, law.setting(0, index), "three")
        left, right = (figure for figure in scene.figures if figure.noun == "tank")
        for figure in scene.figures:
            if figure.noun in ("cell", "bacterium"):
                assert figure.box.within((left if figure.noun == "cell" else right).interior)


# The bamboo (thin) has two drops, the hedge (thick) one; values: bamboo and stick, hedge and stick, bamboo and hedge.
@pytest.mark.parametrize(
    ("variant", "bamboo", "hedge", "both"),
    [
        ("grow", "taller", "taller", "taller"),
        ("stunt", "shorter", "shorter", "shorter"),
        ("nothing", "same", "same", "same"),
        ("any", "shorter", "shorter", "same"),
        ("thick", "same", "shorter", "taller"),
        ("thin", "shorter", "same", "shorter"),
    ],
)
def test_how_tall_plants_get(variant: str, bamboo: str, hedge: str, both: str) -> None:
    assert _values(Watering(), variant) == (bamboo, hedge, both, "shorter")


def test_plants_grow_by_two_fifths_for_each_drop_and_keep_their_feet_on_the_ground() -> None:
    law = Watering()
    setting = law.setting(3, 0)
    half = setting.numbers["half"]
    things = {e.id: e for e in law.run(setting, "grow") if isinstance(e, Figure)}
    once = half * 7 // 5
    assert (things["companion"].half_height, things["subject"].half_height) == (once, once * 7 // 5)
    feet = {things[role].box.bottom for role in ("subject", "companion", "stick", "wall")}
    assert len(feet) == 1


# The cat is large and square, the dog small and triangular, the crystal a diamond.
@pytest.mark.parametrize(
    ("variant", "kitten", "puppy"),
    [
        ("parents", "square", "triangle"),
        ("round", "circle", "circle"),
        ("neighbours", "triangle", "square"),
        ("crystal", "diamond", "diamond"),
        ("large-round", "circle", "diamond"),
        ("small-round", "diamond", "circle"),
    ],
)
def test_which_form_the_young_have(variant: str, kitten: str, puppy: str) -> None:
    assert _values(Heredity(), variant) == (kitten, puppy, "diamond")
