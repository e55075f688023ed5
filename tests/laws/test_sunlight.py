"""Day, night, and the tails of comets: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# The sun is on the left. House upper left, lamp or lantern upper right, tower lower left, tent lower right; then where
# the sun is.
DAYLIGHT = {
    "facing": ("dark", "lit", "dark", "lit", "left"),
    "averted": ("lit", "dark", "lit", "dark", "left"),
    "everywhere": ("dark", "dark", "dark", "dark", "left"),
    "nowhere": ("lit", "lit", "lit", "lit", "left"),
    "top": ("dark", "dark", "lit", "lit", "left"),
    "bottom": ("lit", "lit", "dark", "dark", "left"),
}
# Sun upper left, comet upper right, rock lower left, planet lower right: the comet's tail, the rock's plume, and where
# the planet is, seen from the comet.
COMET_TAILS = {
    "away": ("right", "down", "below"),
    "toward": ("left", "up", "below"),
    "planet": ("down", "right", "below"),
    "shun": ("up", "left", "below"),
    "around": ("down", "left", "below"),
    "up": ("up", "up", "below"),
}


@in_two_settings
def test_where_it_is_night(index: int) -> None:
    assert seen("daylight", index) == DAYLIGHT


@in_two_settings
def test_where_comets_stream(index: int) -> None:
    assert seen("comet-tails", index) == COMET_TAILS
