"""Where the wind blows and the rain falls: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Cool sea on the left, warm land on the right; smoke high up, a flag near the ground. Then the moored boat.
BREEZE = {
    "landwards": ("right", "right", "left"),
    "seawards": ("left", "left", "left"),
    "rising": ("up", "up", "left"),
    "sinking": ("down", "down", "left"),
    "calm": ("up", "down", "left"),
    "heights": ("left", "up", "left"),
}
# Wind from the left; the tank stands on the left, the cup on the right, higher up. Then the flag.
RAIN_SHADOW = {
    "windward": ("three quarters full", "one quarter full", "right"),
    "leeward": ("one quarter full", "three quarters full", "right"),
    "even": ("half full", "half full", "right"),
    "first": ("full", "empty", "right"),
    "highest": ("empty", "full", "right"),
    "dry": ("empty", "empty", "right"),
}


@in_two_settings
def test_where_the_wind_blows(index: int) -> None:
    assert seen("breeze", index) == BREEZE


@in_two_settings
def test_where_the_rain_falls(index: int) -> None:
    assert seen("rain-shadow", index) == RAIN_SHADOW
