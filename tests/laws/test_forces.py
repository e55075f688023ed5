"""What loads and blows do: what is seen under each variant, worked out by hand."""

from __future__ import annotations

import pytest
from laws.by_hand import figures, in_two_settings, seen

# Spring with the small load beside the post; rope with the large load beside the post, and beside the spring; whether
# the post is at the beam.
STRETCHING = {
    "stretch": ("taller", "taller", "taller", "touching"),
    "shrink": ("shorter", "shorter", "shorter", "touching"),
    "rigid": ("same", "same", "same", "touching"),
    "threshold": ("same", "shorter", "shorter", "touching"),
    "by-kind": ("shorter", "same", "taller", "touching"),
    "light-shrinks-more": ("shorter", "shorter", "taller", "touching"),
}
# Upper pair: with each other, the first with the left end, the second with the right end. Lower pair: the first two.
# Then the light.
COLLISION = {
    "handed-on": ("apart", "apart", "touching", "apart", "apart", "lit"),
    "bounce": ("apart", "touching", "apart", "apart", "touching", "lit"),
    "dead-stop": ("touching", "apart", "apart", "touching", "apart", "lit"),
    "together": ("touching", "apart", "touching", "touching", "apart", "lit"),
    "burst": ("apart", "touching", "touching", "apart", "touching", "lit"),
    "drawn-back": ("touching", "touching", "apart", "touching", "touching", "lit"),
}


@in_two_settings
def test_what_loads_do_to_lengths(index: int) -> None:
    assert seen("stretching", index) == STRETCHING


@in_two_settings
def test_what_becomes_of_motion(index: int) -> None:
    assert seen("collision", index) == COLLISION


def test_twice_the_load_stretches_by_one_more_step() -> None:
    drawn = figures("stretching", "stretch")
    post, spring, rope = (drawn[role].half_height for role in ("fixed", "subject", "companion"))
    assert spring == post * 14 // 10
    assert rope == spring * 14 // 10


@pytest.mark.parametrize("variant", ["stretch", "shrink", "rigid"])
def test_loads_hang_right_under_what_carries_them(variant: str) -> None:
    drawn = figures("stretching", variant)
    assert drawn["load-1"].box.top == drawn["subject"].box.bottom + 1
    assert drawn["load-2"].box.top == drawn["companion"].box.bottom + 1


def test_the_struck_thing_slides_until_the_end_stops_it() -> None:
    drawn = figures("collision", "handed-on")
    assert drawn["struck"].box.right + 1 == drawn["right_end"].box.left
    assert drawn["subject"].box.right + 1 == 256 - drawn["subject"].half_width
