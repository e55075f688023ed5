"""Which way loose things fall: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# The loose thing; the other loose thing, the fixed one.
FALLING = {
    "down": ("floor", "floor", "mid-air"),
    "up": ("ceiling", "ceiling", "mid-air"),
    "left": ("left wall", "left wall", "mid-air"),
    "right": ("right wall", "right wall", "mid-air"),
    "nowhere": ("mid-air", "mid-air", "mid-air"),
    "apart": ("left wall", "right wall", "mid-air"),
}


@in_two_settings
def test_where_loose_things_come_to_rest(index: int) -> None:
    assert seen("falling", index) == FALLING
