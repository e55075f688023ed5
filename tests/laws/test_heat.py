"""What warmth does: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

from counterbench.laws import law

# Three thermometers start out half full: beside the flame, further off, behind the wall. Then the flame.
WARMTH = {
    "warms": ("full", "three quarters full", "half full", "lit"),
    "cools": ("empty", "one quarter full", "half full", "lit"),
    "nothing": ("half full", "half full", "half full", "lit"),
    "far-more": ("three quarters full", "full", "half full", "lit"),
    "carries-off": ("empty", "full", "half full", "lit"),
    "alike": ("one quarter full", "one quarter full", "half full", "lit"),
}
# A heated round thing, a heated square one, a cooled one, and one that nothing is done to, all beside the plain one.
EXPANSION = {
    "heat-expands": ("larger", "larger", "smaller", "same"),
    "cold-expands": ("smaller", "smaller", "larger", "same"),
    "nothing": ("same", "same", "same", "same"),
    "cold-only": ("same", "same", "larger", "same"),
    "any-change": ("smaller", "smaller", "smaller", "same"),
    "round-only": ("smaller", "same", "same", "same"),
}


@in_two_settings
def test_how_far_warmth_is_felt(index: int) -> None:
    assert seen("warmth", index) == WARMTH


@in_two_settings
def test_what_warmth_does_to_size(index: int) -> None:
    assert seen("expansion", index) == EXPANSION


def test_the_three_thermometers_are_told_apart_by_their_colours() -> None:
    setting = law("warmth").setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {"thermometer"}
    assert len({thing.colour for thing in compared}) == 3
    assert setting.fill("{subject}") == f"{compared[0].colour} thermometer"


def test_what_is_cooled_lies_on_the_ice_whatever_its_size() -> None:
    for variant in EXPANSION:
        drawn = figures("expansion", variant)
        assert drawn["cooled"].box.bottom + 1 == drawn["ice"].box.top
