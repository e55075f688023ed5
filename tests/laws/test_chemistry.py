"""Chemistry, worked out by hand: what each variant leaves in the vessels."""

from __future__ import annotations

import pytest

from counterbench.laws import law
from counterbench.laws.outcomes import facts

# Law, variant, value of the subject, value of the companion.
TABLE = [
    # Red under yellow, stirred with green; pink under blue, stirred with pink.
    ("mixing", "between", "orange", "purple"),
    ("mixing", "lighter", "yellow", "pink"),
    ("mixing", "darker", "red", "blue"),
    ("mixing", "first", "red", "pink"),
    ("mixing", "last", "yellow", "blue"),
    ("mixing", "stick", "green", "pink"),
    # A little light oil poured into much water; a little heavy syrup poured into much tea.
    ("layers", "light-top", "above", "below"),
    ("layers", "heavy-top", "below", "above"),
    ("layers", "heavy-left", "right", "left"),
    ("layers", "first-left", "right", "right"),
    ("layers", "little-left", "left", "left"),
    ("layers", "greasy-sweet", "below", "left"),
    # Salt in a wide vessel under a lamp, alum in a narrow one in the cool.
    ("crystals", "own", "square", "diamond"),
    ("crystals", "swapped", "diamond", "square"),
    ("crystals", "round", "circle", "circle"),
    ("crystals", "spire", "triangle", "triangle"),
    ("crystals", "warmth", "triangle", "circle"),
    ("crystals", "width", "circle", "triangle"),
    # 3 spoonfuls in 1 glass in a large vessel, 4 spoonfuls in 2 glasses in a small one.
    ("fizz", "soda", "6", "8"),
    ("fizz", "vinegar", "5", "10"),
    ("fizz", "single", "1", "1"),
    ("fizz", "threshold", "2", "4"),
    ("fizz", "swallowing", "4", "2"),
    ("fizz", "vessel", "9", "3"),
]
# What stays as it was under every variant.
KEPT = {"mixing": "cyan", "layers": "right", "crystals": "lit", "fizz": "half full"}


@pytest.mark.parametrize(("name", "variant", "subject", "companion"), TABLE)
@pytest.mark.parametrize("index", [0, 5])
def test_each_variant_comes_to_what_was_worked_out_by_hand(
    name: str, variant: str, subject: str, companion: str, index: int
) -> None:
    (seen,), (beside, kept) = facts(law(name), law(name).setting(0, index), variant)
    assert (seen.value, beside.value, kept.value) == (subject, companion, KEPT[name])


def test_the_table_has_every_variant() -> None:
    for name in KEPT:
        assert [v.name for v in law(name).variants] == [variant for n, variant, _, _ in TABLE if n == name]
