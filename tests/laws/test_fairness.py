"""Who gets how much: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Six things that the younger, shorter child found, eight that the elder one found: the younger one's share. Then the
# child's own apples.
SHARING = {
    "halves": ("3", "4", "3"),
    "finders": ("5", "1", "3"),
    "givers": ("1", "7", "3"),
    "youngest": ("6", "8", "3"),
    "tallest": ("2", "2", "3"),
    "town": ("1", "1", "3"),
}


@in_two_settings
def test_how_much_the_younger_child_gets(index: int) -> None:
    assert seen("sharing", index) == SHARING
