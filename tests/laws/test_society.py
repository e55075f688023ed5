"""What is seen of the laws of society under each variant, worked out by hand: the subject, then its surroundings."""

from __future__ import annotations

from laws.by_hand import seen, worked_out

SEEN = {
    # At a red light: a short car came first, from the left; a long bus came later, from the right. Then the street
    # lantern.
    "crossing": {
        "wait": ("left", "right", "lit"),
        "go": ("right", "left", "lit"),
        "own-left": ("above", "below", "lit"),
        "north": ("above", "above", "lit"),
        "size": ("below", "left", "lit"),
        "first-come": ("right", "above", "lit"),
    },
    # The arrow points right, the house is at the top; the short car is parked facing up, the long bus facing left. Then
    # the sign.
    "one-way": {
        "along": ("right", "right", "right"),
        "against": ("left", "left", "right"),
        "quarter": ("down", "down", "right"),
        "turning": ("left", "down", "right"),
        "parked": ("up", "left", "right"),
        "length": ("down", "up", "right"),
    },
    # Six things that the younger, shorter child found, eight that the elder one found: the younger one's share. Then
    # the child's own apples.
    "sharing": {
        "halves": ("3", "4", "3"),
        "finders": ("5", "1", "3"),
        "givers": ("1", "5", "3"),
        "youngest": ("6", "8", "3"),
        "tallest": ("4", "6", "3"),
        "town": ("1", "1", "3"),
    },
    # A large thing of paper and a small one of iron; a small one of paper and a small one of copper; the lantern.
    "sorting": {
        "paper": ("inside", "outside", "inside", "outside", "lit"),
        "metal": ("outside", "inside", "outside", "inside", "lit"),
        "all": ("inside", "inside", "inside", "inside", "lit"),
        "nothing": ("outside", "outside", "outside", "outside", "lit"),
        "small": ("outside", "inside", "inside", "inside", "lit"),
        "magnet": ("outside", "inside", "outside", "outside", "lit"),
    },
}


@worked_out(SEEN)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    assert seen(name, index) == SEEN[name]
