"""Mechanics: what can be seen of each law's outcomes, worked out by hand."""

from __future__ import annotations

import pytest

from counterbench.figures import Figure
from counterbench.laws import law
from counterbench.laws.outcomes import facts, outcome

# Of each variant: what is seen of the subject, then of its surroundings.
FALLING = {
    "down": (["floor"], ["floor", "mid-air"]),
    "up": (["ceiling"], ["ceiling", "mid-air"]),
    "left": (["left wall"], ["left wall", "mid-air"]),
    "right": (["right wall"], ["right wall", "mid-air"]),
    "nowhere": (["mid-air"], ["mid-air", "mid-air"]),
    "apart": (["left wall"], ["right wall", "mid-air"]),
}
# Seen from the ring: the cork or leaf, the light large thing, the heavy large thing; and whether the ring is inside.
FLOATING = {
    "by-weight": (["above"], ["above", "below", "inside"]),
    "swapped": (["below"], ["below", "above", "inside"]),
    "sinking": (["below"], ["below", "below", "inside"]),
    "by-size": (["below"], ["above", "above", "inside"]),
    "hovering": (["left"], ["right", "right", "inside"]),
    "heavy-rises": (["left"], ["right", "above", "inside"]),
}
# Flag; smoke, fan, wooden thing. The wind blows to the right.
WIND = {
    "along": (["right"], ["right", "right", "left"]),
    "against": (["left"], ["left", "right", "left"]),
    "lifting": (["up"], ["up", "right", "left"]),
    "pressing": (["down"], ["down", "right", "left"]),
    "nothing": (["down"], ["up", "right", "left"]),
    "by-kind": (["left"], ["up", "right", "left"]),
}
# Spring with the small load beside the post; rope with the large load beside the post, and beside the spring.
STRETCHING = {
    "stretch": (["taller"], ["taller", "taller", "touching"]),
    "shrink": (["shorter"], ["shorter", "shorter", "touching"]),
    "rigid": (["same"], ["same", "same", "touching"]),
    "threshold": (["same"], ["shorter", "shorter", "touching"]),
    "by-kind": (["shorter"], ["same", "taller", "touching"]),
    "light-shrinks-more": (["shorter"], ["shorter", "taller", "touching"]),
}
# Upper pair: with each other, the first with the left end, the second with the right end. Lower pair: the first two.
COLLISION = {
    "handed-on": (["apart", "apart", "touching"], ["apart", "apart", "lit"]),
    "bounce": (["apart", "touching", "apart"], ["apart", "touching", "lit"]),
    "dead-stop": (["touching", "apart", "apart"], ["touching", "apart", "lit"]),
    "together": (["touching", "apart", "touching"], ["touching", "apart", "lit"]),
    "burst": (["apart", "touching", "touching"], ["apart", "touching", "lit"]),
    "drawn-back": (["touching", "touching", "apart"], ["touching", "touching", "lit"]),
}
TABLES = {
    "falling": FALLING,
    "floating": FLOATING,
    "wind": WIND,
    "stretching": STRETCHING,
    "collision": COLLISION,
}


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


def test_what_sinks_lies_on_the_bottom_and_what_floats_keeps_inside() -> None:
    seen = figures("floating", "by-weight")
    inner = seen["tank"].interior
    assert seen["heavy"].box.bottom == inner.bottom
    assert inner.top <= seen["subject"].box.top < inner.top + 20


def test_twice_the_load_stretches_by_one_more_step() -> None:
    seen = figures("stretching", "stretch")
    post, spring, rope = (seen[role].half_height for role in ("fixed", "subject", "companion"))
    assert spring == post * 14 // 10
    assert rope == spring * 14 // 10


@pytest.mark.parametrize("variant", ["stretch", "shrink", "rigid"])
def test_loads_hang_right_under_what_carries_them(variant: str) -> None:
    seen = figures("stretching", variant)
    assert seen["load-1"].box.top == seen["subject"].box.bottom + 1
    assert seen["load-2"].box.top == seen["companion"].box.bottom + 1


def test_the_struck_thing_slides_until_the_end_stops_it() -> None:
    seen = figures("collision", "handed-on")
    assert seen["struck"].box.right + 1 == seen["right_end"].box.left
    assert seen["subject"].box.right + 1 == 256 - seen["subject"].half_width
