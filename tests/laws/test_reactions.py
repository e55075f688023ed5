"""How much gas there is: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# 3 spoonfuls in 1 glass in a large vessel, 4 spoonfuls in 2 glasses in a small one; how full that one is.
FIZZ = {
    "soda": ("6", "8", "half full"),
    "vinegar": ("5", "10", "half full"),
    "single": ("1", "1", "half full"),
    "threshold": ("2", "4", "half full"),
    "swallowing": ("4", "2", "half full"),
    "vessel": ("9", "3", "half full"),
}


@in_two_settings
def test_how_much_gas_there_is(index: int) -> None:
    assert seen("fizz", index) == FIZZ
