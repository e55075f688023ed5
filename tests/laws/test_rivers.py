"""Where rivers run: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Mountain on the left, lake on the right, sun at the bottom; a heavy boat pointing up, a light toy pointing down. Then
# the signpost.
RIVER = {
    "downhill": ("right", "right", "left"),
    "uphill": ("left", "left", "left"),
    "north": ("up", "up", "left"),
    "sunwards": ("down", "down", "left"),
    "still": ("up", "down", "left"),
    "weight": ("up", "left", "left"),
}


@in_two_settings
def test_where_things_drift(index: int) -> None:
    assert seen("river", index) == RIVER
