"""Who drives where: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# At a red light: a short car came first, from the left; a long bus came later, from the right. Then the street lantern.
CROSSING = {
    "wait": ("left", "right", "lit"),
    "go": ("right", "left", "lit"),
    "own-left": ("above", "below", "lit"),
    "north": ("above", "above", "lit"),
    "size": ("below", "left", "lit"),
    "first-come": ("right", "above", "lit"),
}
# The arrow points right, the house is at the top; the short car is parked facing up, the long bus facing left. Then the
# sign.
ONE_WAY = {
    "along": ("right", "right", "right"),
    "against": ("left", "left", "right"),
    "quarter": ("down", "down", "right"),
    "homewards": ("up", "up", "right"),
    "parked": ("up", "left", "right"),
    "length": ("down", "left", "right"),
}


@in_two_settings
def test_who_drives_where_at_a_red_light(index: int) -> None:
    assert seen("crossing", index) == CROSSING


@in_two_settings
def test_which_way_traffic_goes(index: int) -> None:
    assert seen("one-way", index) == ONE_WAY
