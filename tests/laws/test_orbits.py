"""How bodies circle the sun: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

from counterbench.laws import law

# The planet starts on the right of the sun, the smaller asteroid on its left.
ORBITS = {
    "anticlockwise": ("above", "below", "smaller"),
    "clockwise": ("below", "above", "smaller"),
    "still": ("right", "left", "smaller"),
    "swing": ("left", "right", "smaller"),
    "near": ("below", "left", "smaller"),
    "small": ("right", "above", "smaller"),
}


@in_two_settings
def test_where_bodies_are_a_quarter_of_a_year_later(index: int) -> None:
    assert seen("orbits", index) == ORBITS


def test_nothing_that_circles_the_sun_comes_nearer_or_gets_farther() -> None:
    numbers = law("orbits").setting(3, 0).numbers
    for variant in ORBITS:
        sun, *bodies = figures("orbits", variant).values()
        reaches = [abs(body.x - sun.x) + abs(body.y - sun.y) for body in bodies]
        assert reaches == [numbers["near"], numbers["far"]]
