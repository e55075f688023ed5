"""Shadows and mirrors: what is seen under each variant, worked out by hand."""

from __future__ import annotations

import pytest
from laws.by_hand import figures, in_two_settings, seen

# The light comes from the left. The shadow beside its thing; the sundial, whether the light is lit, and where it is.
SHADOWS = {
    "away": ("right", "right", "lit", "left"),
    "towards": ("left", "left", "lit", "left"),
    "rising": ("above", "up", "lit", "left"),
    "sinking": ("below", "down", "lit", "left"),
    "rods-rise": ("left", "up", "lit", "left"),
    "rods-sink": ("above", "down", "lit", "left"),
}
# Both mirrors lean like a slash. Light that goes right is thrown up, light that goes down is thrown to the left. Then
# the two lights.
MIRRORS = {
    "reflected": ("up", "left", "lit", "lit"),
    "through": ("right", "down", "lit", "lit"),
    "back": ("left", "up", "lit", "lit"),
    "wrong-side": ("down", "right", "lit", "lit"),
    "heavy": ("down", "down", "lit", "lit"),
    "one-way": ("right", "right", "lit", "lit"),
}


@in_two_settings
def test_where_shadows_lie(index: int) -> None:
    assert seen("shadows", index) == SHADOWS


@in_two_settings
def test_where_mirrors_throw_light(index: int) -> None:
    assert seen("mirrors", index) == MIRRORS


def test_a_shadow_is_as_large_as_what_casts_it_and_lies_right_beside_it() -> None:
    drawn = figures("shadows", "away")
    shadow, thing = drawn["subject"], drawn["thing"]
    assert (shadow.half_width, shadow.half_height, shadow.y) == (thing.half_width, thing.half_height, thing.y)
    assert 0 < shadow.box.left - thing.box.right < 12


@pytest.mark.parametrize("variant", MIRRORS)
def test_light_starts_at_its_mirror(variant: str) -> None:
    drawn = figures("mirrors", variant)
    for role, mirror in (("subject", "mirror-1"), ("companion", "mirror-2")):
        assert drawn[role].box.touches(drawn[mirror].box.grown(8))
