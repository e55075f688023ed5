"""What is thrown away: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# A large paper thing and a small metal one; a small paper thing and a small, round metal one; the lantern.
SORTING = {
    "paper": ("inside", "outside", "inside", "outside", "lit"),
    "metal": ("outside", "inside", "outside", "inside", "lit"),
    "all": ("inside", "inside", "inside", "inside", "lit"),
    "nothing": ("outside", "outside", "outside", "outside", "lit"),
    "small": ("outside", "inside", "inside", "inside", "lit"),
    "round": ("outside", "outside", "outside", "inside", "lit"),
}


@in_two_settings
def test_what_is_thrown_away(index: int) -> None:
    assert seen("sorting", index) == SORTING
