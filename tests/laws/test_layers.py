"""How liquids come to lie: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# A little light oil poured into much water; a little heavy syrup poured into much tea; a thing on the right.
LAYERS = {
    "light-top": ("above", "below", "right"),
    "heavy-top": ("below", "above", "right"),
    "heavy-left": ("right", "left", "right"),
    "first-left": ("right", "right", "right"),
    "little-left": ("left", "left", "right"),
    "greasy-sweet": ("below", "left", "right"),
}


@in_two_settings
def test_how_liquids_come_to_lie(index: int) -> None:
    assert seen("layers", index) == LAYERS
