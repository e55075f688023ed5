"""What is seen of the laws of biology under each variant, worked out by hand: the subject, then its surroundings."""

from __future__ import annotations

from laws.by_hand import figures, seen, worked_out

from counterbench.laws import law

SEEN = {
    # Sprout, sunflower, sign. The lamp is on the left, the water below; the sign points right.
    "leaning-plants": {
        "light": ("left", "left", "right"),
        "dark": ("right", "right", "right"),
        "upright": ("up", "up", "right"),
        "water": ("down", "down", "right"),
        # The sprout has only leaves, the sunflower is in flower.
        "shy-leaves": ("right", "down", "right"),
        "shy-flowers": ("down", "right", "right"),
    },
    # The large apple starts green, the small berry pink; the wooden thing faces left.
    "ripening": {
        "ripe": ("red", "blue", "left"),
        "never": ("green", "pink", "left"),
        "lemons": ("yellow", "cyan", "left"),
        "violets": ("purple", "pink", "left"),
        "bananas": ("yellow", "pink", "left"),
        "dusky": ("purple", "cyan", "left"),
    },
    # Two cells in one tank, three bacteria in the other, four things that do not live.
    "dividing-cells": {
        "two": ("4", "6", "4"),
        "none": ("2", "3", "4"),
        "three": ("6", "9", "4"),
        "one-each": ("3", "4", "4"),
        "merge": ("1", "1", "4"),
        # One more than the four beads.
        "more-than-beads": ("5", "5", "4"),
    },
    # The bamboo (thin) has two drops, the hedge (thick) one: bamboo and stick, hedge and stick, bamboo and hedge; then
    # the wall and the stick.
    "watering": {
        "grow": ("taller", "taller", "taller", "shorter"),
        "stunt": ("shorter", "shorter", "shorter", "shorter"),
        "nothing": ("same", "same", "same", "shorter"),
        "any": ("shorter", "shorter", "same", "shorter"),
        "thirst": ("shorter", "shorter", "taller", "shorter"),
        "most": ("shorter", "same", "shorter", "shorter"),
    },
    # Kitten, puppy, crystal. The cat is large and square, the dog small and triangular, the crystal a diamond.
    "heredity": {
        "parents": ("square", "triangle", "diamond"),
        "round": ("circle", "circle", "diamond"),
        "neighbours": ("triangle", "square", "diamond"),
        "crystal": ("diamond", "diamond", "diamond"),
        "large-round": ("circle", "diamond", "diamond"),
        "small-round": ("diamond", "circle", "diamond"),
    },
}


@worked_out(SEEN)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    assert seen(name, index) == SEEN[name]


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
