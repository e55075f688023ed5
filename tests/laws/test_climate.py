"""Where it is cold: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Ice and a flower by a mountain, the sun on its right. Then the light in the house.
FROST = {
    "height": ("above", "below", "lit"),
    "depth": ("below", "above", "lit"),
    "shade": ("left", "right", "lit"),
    "chilling": ("right", "left", "lit"),
    "cold-foot": ("below", "right", "lit"),
    "hot-peak": ("left", "above", "lit"),
}


@in_two_settings
def test_where_the_ice_is(index: int) -> None:
    assert seen("frost", index) == FROST
