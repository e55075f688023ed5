"""Optics: what can be seen of each law's outcomes, worked out by hand."""

from __future__ import annotations

import pytest

from counterbench.figures import Figure
from counterbench.laws import law
from counterbench.laws.outcomes import facts, outcome

# Of each variant: what is seen of the subject, then of its surroundings.
# The light comes from the left. The shadow beside its thing; the sundial, whether the light is lit, and where it is.
SHADOWS = {
    "away": (["right"], ["right", "lit", "left"]),
    "towards": (["left"], ["left", "lit", "left"]),
    "rising": (["above"], ["up", "lit", "left"]),
    "sinking": (["below"], ["down", "lit", "left"]),
    "rods-rise": (["left"], ["up", "lit", "left"]),
    "rods-sink": (["above"], ["down", "lit", "left"]),
}
# Both mirrors lean like a slash. Light that goes right is thrown up, light that goes down is thrown to the left.
MIRRORS = {
    "reflected": (["up"], ["left", "lit", "lit"]),
    "through": (["right"], ["down", "lit", "lit"]),
    "back": (["left"], ["up", "lit", "lit"]),
    "wrong-side": (["down"], ["right", "lit", "lit"]),
    "heavy": (["down"], ["down", "lit", "lit"]),
    "one-way": (["right"], ["right", "lit", "lit"]),
}
# Outside: needle up, jet up, torch to the right; the painted sign points to the right.
PINHOLE = {
    "turned": (["down"], ["down", "left", "right"]),
    "upright": (["up"], ["up", "right", "right"]),
    "quarter": (["right"], ["right", "down", "right"]),
    "quarter-back": (["left"], ["left", "up", "right"]),
    "swapped": (["up"], ["up", "left", "right"]),
    "by-kind": (["up"], ["right", "down", "right"]),
}
# Beside the plain thing: the round one under the small glass, the flat-sided one under the large glass; then that
# one beside the round one, and the twin beside the plain thing.
LENSES = {
    "larger": (["larger"], ["larger", "same", "same"]),
    "smaller": (["smaller"], ["smaller", "same", "same"]),
    "nothing": (["same"], ["same", "same", "same"]),
    "round-only": (["smaller"], ["same", "larger", "same"]),
    "threshold": (["same"], ["smaller", "smaller", "same"]),
    "by-glass": (["smaller"], ["smaller", "smaller", "same"]),
}
TABLES = {"shadows": SHADOWS, "mirrors": MIRRORS, "pinhole": PINHOLE, "lenses": LENSES}


@pytest.mark.parametrize(("name", "variant"), [(name, variant) for name, table in TABLES.items() for variant in table])
def test_what_is_seen_is_what_was_worked_out_by_hand(name: str, variant: str) -> None:
    found = law(name)
    subject, around = facts(found, found.setting(3, 0), variant)
    assert ([fact.value for fact in subject], [fact.value for fact in around]) == TABLES[name][variant]


@pytest.mark.parametrize("name", TABLES)
def test_every_variant_was_worked_out(name: str) -> None:
    assert {variant.name for variant in law(name).variants} == set(TABLES[name])


def figures(name: str, variant: str) -> dict[str, Figure]:
    found = law(name)
    return {figure.id: figure for figure in outcome(found, found.setting(3, 0), variant).figures}


def test_a_shadow_is_as_large_as_what_casts_it_and_lies_right_beside_it() -> None:
    seen = figures("shadows", "away")
    shadow, thing = seen["subject"], seen["thing"]
    assert (shadow.half_width, shadow.half_height, shadow.y) == (thing.half_width, thing.half_height, thing.y)
    assert 0 < shadow.box.left - thing.box.right < 12


@pytest.mark.parametrize("variant", MIRRORS)
def test_light_starts_at_its_mirror(variant: str) -> None:
    seen = figures("mirrors", variant)
    for role, mirror in (("subject", "mirror-1"), ("companion", "mirror-2")):
        assert seen[role].box.touches(seen[mirror].box.grown(8))


def test_the_screen_shows_no_light_and_no_hole() -> None:
    assert set(figures("pinhole", "turned")) == {"subject", "companion", "other", "fixed"}


def test_both_things_lie_inside_their_glasses() -> None:
    seen = figures("lenses", "larger")
    assert seen["subject"].box.within(seen["lens-1"].interior)
    assert seen["companion"].box.within(seen["lens-2"].interior)
