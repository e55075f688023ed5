"""Images through pinholes and lenses: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

# Outside: needle up, jet up, torch to the right; the painted sign points to the right.
PINHOLE = {
    "turned": ("down", "down", "left", "right"),
    "upright": ("up", "up", "right", "right"),
    "quarter": ("right", "right", "down", "right"),
    "quarter-back": ("left", "left", "up", "right"),
    "swapped": ("up", "up", "left", "right"),
    "by-kind": ("up", "right", "down", "right"),
}
# Beside the plain thing: the round one under the small glass, the flat-sided one under the large glass; then that
# one beside the round one, and the twin beside the plain thing.
LENSES = {
    "larger": ("larger", "larger", "same", "same"),
    "smaller": ("smaller", "smaller", "same", "same"),
    "nothing": ("same", "same", "same", "same"),
    "round-only": ("smaller", "same", "larger", "same"),
    "threshold": ("same", "smaller", "smaller", "same"),
    "by-glass": ("smaller", "smaller", "smaller", "same"),
}


@in_two_settings
def test_how_images_lie(index: int) -> None:
    assert seen("pinhole", index) == PINHOLE


@in_two_settings
def test_how_large_things_look(index: int) -> None:
    assert seen("lenses", index) == LENSES


def test_the_screen_shows_no_light_and_no_hole() -> None:
    assert set(figures("pinhole", "turned")) == {"subject", "companion", "other", "fixed"}


def test_both_things_lie_inside_their_glasses() -> None:
    drawn = figures("lenses", "larger")
    assert drawn["subject"].box.within(drawn["lens-1"].interior)
    assert drawn["companion"].box.within(drawn["lens-2"].interior)
