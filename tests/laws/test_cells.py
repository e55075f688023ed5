"""How cells multiply: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

# Two cells in one tank, three bacteria in the other, four things that do not live.
DIVIDING_CELLS = {
    "two": ("4", "6", "4"),
    "none": ("2", "3", "4"),
    "three": ("6", "9", "4"),
    "one-each": ("3", "4", "4"),
    "merge": ("1", "1", "4"),
    "five": ("5", "5", "4"),
}


@in_two_settings
def test_how_many_there_are_after_one_division(index: int) -> None:
    assert seen("dividing-cells", index) == DIVIDING_CELLS


def test_all_that_divides_stays_in_its_tank() -> None:
    for index in range(20):
        drawn = figures("dividing-cells", "three", index)
        tanks = {"cell": drawn["vessel-1"].interior, "bacterium": drawn["vessel-2"].interior}
        assert all(figure.box.within(tanks[figure.noun]) for figure in drawn.values() if figure.noun in tanks)
