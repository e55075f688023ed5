"""What the young look like: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Kitten, puppy, crystal. The cat is large and square, the dog small and triangular, the crystal a diamond.
HEREDITY = {
    "parents": ("square", "triangle", "diamond"),
    "round": ("circle", "circle", "diamond"),
    "neighbours": ("triangle", "square", "diamond"),
    "crystal": ("diamond", "diamond", "diamond"),
    "large-round": ("circle", "diamond", "diamond"),
    "small-round": ("diamond", "circle", "diamond"),
}


@in_two_settings
def test_which_form_the_young_have(index: int) -> None:
    assert seen("heredity", index) == HEREDITY
