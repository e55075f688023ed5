"""Outcomes of the laws of biology that no single fact tells."""

from __future__ import annotations

from laws.by_hand import figures

from counterbench.laws import law


def test_all_that_divides_stays_in_its_tank() -> None:
    for index in range(20):
        drawn = figures("dividing-cells", "three", index)
        tanks = {"cell": drawn["vessel-1"].interior, "bacterium": drawn["vessel-2"].interior}
        assert all(figure.box.within(tanks[figure.noun]) for figure in drawn.values() if figure.noun in tanks)


def test_plants_grow_by_two_fifths_for_each_drop_and_keep_their_feet_on_the_ground() -> None:
    drawn = figures("watering", "grow")
    once = law("watering").setting(3, 0).numbers["half"] * 7 // 5
    assert (drawn["companion"].half_height, drawn["subject"].half_height) == (once, once * 7 // 5)
    assert len({drawn[role].box.bottom for role in ("subject", "companion", "stick", "wall")}) == 1
