"""What is seen of the laws of geography under each variant, worked out by hand: the subject, then its surroundings."""

from __future__ import annotations

from laws.by_hand import seen, worked_out

SEEN = {
    # Mountain on the left, lake on the right, sun at the bottom; a heavy boat pointing up, a light toy pointing down.
    # Then the signpost.
    "river": {
        "downhill": ("right", "right", "left"),
        "uphill": ("left", "left", "left"),
        "sunwards": ("down", "down", "left"),
        "still": ("up", "down", "left"),
        "light-uphill": ("down", "left", "left"),
        "heavy-uphill": ("left", "up", "left"),
    },
    # Cool sea on the left, warm land on the right; smoke high up, a flag near the ground. Then the moored boat.
    "breeze": {
        "landwards": ("right", "right", "left"),
        "seawards": ("left", "left", "left"),
        "sinking": ("down", "down", "left"),
        "calm": ("up", "down", "left"),
        "heights": ("left", "up", "left"),
        "lowlands": ("down", "left", "left"),
    },
    # Wind from the left; the tank stands on the left, the cup on the right, higher up. Then the flag.
    "rain-shadow": {
        "windward": ("three quarters full", "one quarter full", "right"),
        "leeward": ("one quarter full", "three quarters full", "right"),
        "even": ("half full", "half full", "right"),
        "lowest": ("full", "empty", "right"),
        "endless": ("full", "full", "right"),
        "dry": ("empty", "empty", "right"),
    },
    # Ice and a flower by a mountain, the sun on its right. Then the light in the house.
    "frost": {
        "height": ("above", "below", "lit"),
        "depth": ("below", "above", "lit"),
        "shade": ("left", "right", "lit"),
        "chilling": ("right", "left", "lit"),
        "cold-foot": ("below", "right", "lit"),
        "hot-peak": ("left", "above", "lit"),
    },
}


@worked_out(SEEN)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    assert seen(name, index) == SEEN[name]
