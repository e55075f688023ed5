"""Laws of astronomy, against tables worked out by hand: the subject's and its companions' values under each variant."""

from __future__ import annotations

import pytest

from counterbench.laws.astronomy import Comets, Daylight, Orbits
from counterbench.laws.outcomes import facts, outcome


def _values(law: Comets | Daylight | Orbits, variant: str) -> tuple[str, ...]:
    subject, around = facts(law, law.setting(3, 0), variant)
    return tuple(fact.value for fact in (*subject, *around))


# The sun is on the left. House upper left, lamp or lantern upper right, tower lower left, tent lower right.
@pytest.mark.parametrize(
    ("variant", "upper_left", "upper_right", "lower_left", "lower_right"),
    [
        ("facing", "dark", "lit", "dark", "lit"),
        ("averted", "lit", "dark", "lit", "dark"),
        ("everywhere", "dark", "dark", "dark", "dark"),
        ("nowhere", "lit", "lit", "lit", "lit"),
        ("top", "dark", "dark", "lit", "lit"),
        ("bottom", "lit", "lit", "dark", "dark"),
    ],
)
def test_lights_burn_where_it_is_night(
    variant: str, upper_left: str, upper_right: str, lower_left: str, lower_right: str
) -> None:
    assert _values(Daylight(), variant) == (upper_left, upper_right, lower_left, lower_right, "left")


# Sun upper left, comet upper right, rock lower left, planet lower right.
@pytest.mark.parametrize(
    ("variant", "comet", "rock"),
    [
        ("away", "right", "down"),
        ("toward", "left", "up"),
        ("planet", "down", "right"),
        ("shun", "up", "left"),
        ("around", "down", "left"),
        ("up", "up", "up"),
    ],
)
def test_what_streams_off_a_comet_and_a_rock(variant: str, comet: str, rock: str) -> None:
    assert _values(Comets(), variant) == (comet, rock, "below")


# The planet starts on the right of the sun, the asteroid on its left.
@pytest.mark.parametrize(
    ("variant", "planet", "asteroid"),
    [
        ("anticlockwise", "above", "below"),
        ("clockwise", "below", "above"),
        ("still", "right", "left"),
        ("swing", "left", "right"),
        ("near", "below", "left"),
        ("small", "right", "above"),
    ],
)
def test_where_bodies_are_a_quarter_of_a_year_later(variant: str, planet: str, asteroid: str) -> None:
    assert _values(Orbits(), variant) == (planet, asteroid, "smaller")


def test_nothing_that_circles_the_sun_comes_nearer_or_gets_farther() -> None:
    law = Orbits()
    setting = law.setting(3, 0)
    for variant in law.variants:
        sun, *bodies = outcome(law, setting, variant.name).figures
        reaches = [abs(body.x - sun.x) + abs(body.y - sun.y) for body in bodies]
        assert reaches == [setting.numbers["near"], setting.numbers["far"]]
