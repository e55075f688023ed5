"""Where iron clings to a magnet: what is seen under each variant, worked out by hand."""

from __future__ import annotations

import pytest
from laws.by_hand import figures, in_two_settings, seen

# The subject lies above the magnet, left of its middle; its companion below, right of its middle; the cork on the left.
MAGNET_POLES = {
    "near-end": ("left", "right", "left"),
    "far-end": ("right", "left", "left"),
    "lower-edge": ("below", "below", "left"),
    "upper-edge": ("above", "above", "left"),
    "across": ("below", "above", "left"),
    "none": ("above", "below", "left"),
}


@in_two_settings
def test_where_iron_clings(index: int) -> None:
    assert seen("magnet-poles", index) == MAGNET_POLES


@pytest.mark.parametrize("variant", ["near-end", "far-end", "lower-edge", "upper-edge", "across"])
def test_iron_that_a_magnet_holds_lies_against_it(variant: str) -> None:
    for index in range(20):
        magnet, _, *iron = figures("magnet-poles", variant, index).values()
        assert all(piece.box.grown(1).touches(magnet.box) for piece in iron)
        assert not any(piece.box.touches(magnet.box) for piece in iron)
