"""What colour two paints give: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Red under yellow, stirred with green; pink under blue, stirred with pink; something dry and cyan.
MIXING = {
    "between": ("orange", "purple", "cyan"),
    "lighter": ("yellow", "pink", "cyan"),
    "darker": ("red", "blue", "cyan"),
    "first": ("red", "pink", "cyan"),
    "last": ("yellow", "blue", "cyan"),
    "stick": ("green", "pink", "cyan"),
}


@in_two_settings
def test_which_colour_paints_give(index: int) -> None:
    assert seen("mixing", index) == MIXING
