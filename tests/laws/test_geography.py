"""Geography, worked out by hand: where things drift, where the rain falls, where the ice is."""

from __future__ import annotations

import pytest

from counterbench.laws import law
from counterbench.laws.outcomes import facts

# Law, variant, value of the subject, value of the companion.
TABLE = [
    # Mountain on the left, lake on the right, sun at the bottom; a heavy boat pointing up, a light toy pointing down.
    ("river", "downhill", "right", "right"),
    ("river", "uphill", "left", "left"),
    ("river", "north", "up", "up"),
    ("river", "sunwards", "down", "down"),
    ("river", "still", "up", "down"),
    ("river", "weight", "up", "left"),
    # Cool sea on the left, warm land on the right; smoke high up, a flag near the ground.
    ("breeze", "landwards", "right", "right"),
    ("breeze", "seawards", "left", "left"),
    ("breeze", "rising", "up", "up"),
    ("breeze", "sinking", "down", "down"),
    ("breeze", "calm", "up", "down"),
    ("breeze", "heights", "left", "up"),
    # Wind from the left; the tank stands on the left, the cup on the right, higher up.
    ("rain-shadow", "windward", "three quarters full", "one quarter full"),
    ("rain-shadow", "leeward", "one quarter full", "three quarters full"),
    ("rain-shadow", "even", "half full", "half full"),
    ("rain-shadow", "first", "full", "empty"),
    ("rain-shadow", "highest", "empty", "full"),
    ("rain-shadow", "dry", "empty", "empty"),
    # Ice and a flower by a mountain, the sun on its right.
    ("frost", "height", "above", "below"),
    ("frost", "depth", "below", "above"),
    ("frost", "shade", "left", "right"),
    ("frost", "chilling", "right", "left"),
    ("frost", "cold-foot", "below", "right"),
    ("frost", "hot-peak", "left", "above"),
]
# What stays as it was under every variant: the signpost, the moored boat, the wind, the light in the house.
KEPT = {"river": "left", "breeze": "left", "rain-shadow": "right", "frost": "lit"}


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
