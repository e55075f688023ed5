"""What becomes of melting ice: what is seen under each variant, worked out by hand."""

from __future__ import annotations

import pytest
from laws.by_hand import figures, in_two_settings, seen

from counterbench.laws import law

# Cups that start one quarter full: under two blocks of ice, under one, under none.
MELTING = {
    "melts": ("three quarters full", "half full", "one quarter full"),
    "lasting": ("one quarter full", "one quarter full", "one quarter full"),
    "thirsty": ("empty", "empty", "one quarter full"),
    "crossed": ("half full", "three quarters full", "one quarter full"),
    "double": ("full", "three quarters full", "one quarter full"),
    "alone": ("half full", "full", "one quarter full"),
}


@in_two_settings
def test_how_full_the_cups_are(index: int) -> None:
    assert seen("melting", index) == MELTING


@pytest.mark.parametrize(("variant", "blocks"), [("melts", 0), ("lasting", 3), ("thirsty", 0), ("double", 0)])
def test_ice_is_gone_once_it_has_melted(variant: str, blocks: int) -> None:
    assert sum(figure.noun == "ice" for figure in figures("melting", variant).values()) == blocks


def test_the_three_cups_are_told_apart_by_their_colours() -> None:
    setting = law("melting").setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {"cup"}
    assert len({thing.colour for thing in compared}) == 3
