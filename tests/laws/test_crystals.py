"""Which form minerals take: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Salt in a wide vessel under a lamp, alum in a narrow one in the cool; the lamp.
CRYSTALS = {
    "own": ("square", "diamond", "lit"),
    "swapped": ("diamond", "square", "lit"),
    "round": ("circle", "circle", "lit"),
    "spire": ("triangle", "triangle", "lit"),
    "warmth": ("triangle", "circle", "lit"),
    "width": ("circle", "triangle", "lit"),
}


@in_two_settings
def test_which_form_minerals_take(index: int) -> None:
    assert seen("crystals", index) == CRYSTALS
