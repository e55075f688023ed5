"""Heat: what can be seen of each law's outcomes, worked out by hand."""

from __future__ import annotations

import pytest

from counterbench.laws import law
from counterbench.laws.outcomes import facts, outcome

# Of each variant: what is seen of the subject, then of its surroundings.
# Three thermometers start out half full: beside the flame, further off, behind the wall.
WARMTH = {
    "warms": (["full"], ["three quarters full", "half full", "lit"]),
    "cools": (["empty"], ["one quarter full", "half full", "lit"]),
    "nothing": (["half full"], ["half full", "half full", "lit"]),
    "far-more": (["three quarters full"], ["full", "half full", "lit"]),
    "carries-off": (["empty"], ["full", "half full", "lit"]),
    "alike": (["one quarter full"], ["one quarter full", "half full", "lit"]),
}
# A heated round thing, a heated square one, a cooled one, and one that nothing is done to, all beside the plain one.
EXPANSION = {
    "heat-expands": (["larger"], ["larger", "smaller", "same"]),
    "cold-expands": (["smaller"], ["smaller", "larger", "same"]),
    "nothing": (["same"], ["same", "same", "same"]),
    "cold-only": (["same"], ["same", "larger", "same"]),
    "any-change": (["smaller"], ["smaller", "smaller", "same"]),
    "round-only": (["smaller"], ["same", "same", "same"]),
}
# Cups that start one quarter full: under two blocks of ice, under one, under none.
MELTING = {
    "melts": (["three quarters full"], ["half full", "one quarter full"]),
    "lasting": (["one quarter full"], ["one quarter full", "one quarter full"]),
    "thirsty": (["empty"], ["empty", "one quarter full"]),
    "crossed": (["half full"], ["three quarters full", "one quarter full"]),
    "double": (["full"], ["three quarters full", "one quarter full"]),
    "alone": (["half full"], ["full", "one quarter full"]),
}
TABLES = {"warmth": WARMTH, "expansion": EXPANSION, "melting": MELTING}


@pytest.mark.parametrize(("name", "variant"), [(name, variant) for name, table in TABLES.items() for variant in table])
def test_what_is_seen_is_what_was_worked_out_by_hand(name: str, variant: str) -> None:
    found = law(name)
    subject, around = facts(found, found.setting(3, 0), variant)
    assert ([fact.value for fact in subject], [fact.value for fact in around]) == TABLES[name][variant]


@pytest.mark.parametrize("name", TABLES)
def test_every_variant_was_worked_out(name: str) -> None:
    assert {variant.name for variant in law(name).variants} == set(TABLES[name])


@pytest.mark.parametrize(("name", "noun"), [("warmth", "thermometer"), ("melting", "cup")])
def test_the_three_that_are_compared_are_of_one_kind_and_three_colours(name: str, noun: str) -> None:
    setting = law(name).setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {noun}
    assert len({thing.colour for thing in compared}) == 3
    assert setting.fill("{subject}") == f"{compared[0].colour} {noun}"


@pytest.mark.parametrize(("variant", "blocks"), [("melts", 0), ("lasting", 3), ("thirsty", 0), ("double", 0)])
def test_ice_is_gone_once_it_has_melted(variant: str, blocks: int) -> None:
    found = law("melting")
    scene = outcome(found, found.setting(3, 0), variant)
    assert sum(figure.noun == "ice" for figure in scene.figures) == blocks


def test_what_is_cooled_lies_on_the_ice_whatever_its_size() -> None:
    found = law("expansion")
    for variant in EXPANSION:
        seen = {figure.id: figure for figure in outcome(found, found.setting(3, 0), variant).figures}
        assert seen["cooled"].box.bottom + 1 == seen["ice"].box.top
