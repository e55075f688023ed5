"""Where compasses point: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# From left to right: sun, subject, mountain, companion; both were set to the right; the sign points left.
COMPASSES = {
    "north": ("up", "up", "left"),
    "mountain": ("right", "left", "left"),
    "shun": ("left", "right", "left"),
    "sun": ("left", "left", "left"),
    "as-put": ("right", "right", "left"),
    "south": ("down", "down", "left"),
}


@in_two_settings
def test_where_compasses_point(index: int) -> None:
    assert seen("compasses", index) == COMPASSES
