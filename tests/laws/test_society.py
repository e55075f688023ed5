"""Society, worked out by hand: who drives where, who gets how much, what is thrown away."""

from __future__ import annotations

import pytest

from counterbench.laws import law
from counterbench.laws.outcomes import facts

# Law, variant, values of the subject, values of the companion.
TABLE = [
    # At a red light: a short car came first, from the left; a long bus came later, from the right.
    ("crossing", "wait", ["left"], ["right"]),
    ("crossing", "go", ["right"], ["left"]),
    ("crossing", "own-left", ["above"], ["below"]),
    ("crossing", "north", ["above"], ["above"]),
    ("crossing", "size", ["below"], ["left"]),
    ("crossing", "first-come", ["right"], ["above"]),
    # The arrow points right, the house is at the top; the short car is parked facing up, the long bus facing left.
    ("one-way", "along", ["right"], ["right"]),
    ("one-way", "against", ["left"], ["left"]),
    ("one-way", "quarter", ["down"], ["down"]),
    ("one-way", "homewards", ["up"], ["up"]),
    ("one-way", "parked", ["up"], ["left"]),
    ("one-way", "length", ["down"], ["left"]),
    # Six things that the younger, shorter child found, eight that the elder one found: the younger one's share.
    ("sharing", "halves", ["3"], ["4"]),
    ("sharing", "finders", ["5"], ["1"]),
    ("sharing", "givers", ["1"], ["7"]),
    ("sharing", "youngest", ["6"], ["8"]),
    ("sharing", "tallest", ["2"], ["2"]),
    ("sharing", "town", ["1"], ["1"]),
    # A large paper thing and a small metal one; a small paper thing and a small, round metal one.
    ("sorting", "paper", ["inside", "outside"], ["inside", "outside"]),
    ("sorting", "metal", ["outside", "inside"], ["outside", "inside"]),
    ("sorting", "all", ["inside", "inside"], ["inside", "inside"]),
    ("sorting", "nothing", ["outside", "outside"], ["outside", "outside"]),
    ("sorting", "small", ["outside", "inside"], ["inside", "inside"]),
    ("sorting", "round", ["outside", "outside"], ["outside", "inside"]),
]
# What stays as it was under every variant: street lantern, arrow sign, the child's own apples, the lantern in use.
KEPT = {"crossing": "lit", "one-way": "right", "sharing": "3", "sorting": "lit"}


@pytest.mark.parametrize(("name", "variant", "subject", "companion"), TABLE)
@pytest.mark.parametrize("index", [0, 5])
def test_each_variant_comes_to_what_was_worked_out_by_hand(
    name: str, variant: str, subject: list[str], companion: list[str], index: int
) -> None:
    seen, (*beside, kept) = facts(law(name), law(name).setting(0, index), variant)
    assert ([f.value for f in seen], [f.value for f in beside], kept.value) == (subject, companion, KEPT[name])


def test_the_table_has_every_variant() -> None:
    for name in KEPT:
        assert [v.name for v in law(name).variants] == [variant for n, variant, _, _ in TABLE if n == name]
