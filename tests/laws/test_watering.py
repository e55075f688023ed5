"""What water does for plants: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

from counterbench.laws import law

# The bamboo (thin) has two drops, the hedge (thick) one: bamboo and stick, hedge and stick, bamboo and hedge; then the
# wall and the stick.
WATERING = {
    "grow": ("taller", "taller", "taller", "shorter"),
    "stunt": ("shorter", "shorter", "shorter", "shorter"),
    "nothing": ("same", "same", "same", "shorter"),
    "any": ("shorter", "shorter", "same", "shorter"),
    "thick": ("same", "shorter", "taller", "shorter"),
    "thin": ("shorter", "same", "shorter", "shorter"),
}


@in_two_settings
def test_how_tall_plants_get(index: int) -> None:
    assert seen("watering", index) == WATERING


def test_plants_grow_by_two_fifths_for_each_drop_and_keep_their_feet_on_the_ground() -> None:
    drawn = figures("watering", "grow")
    once = law("watering").setting(3, 0).numbers["half"] * 7 // 5
    assert (drawn["companion"].half_height, drawn["subject"].half_height) == (once, once * 7 // 5)
    assert len({drawn[role].box.bottom for role in ("subject", "companion", "stick", "wall")}) == 1
