"""Difficulty: bins hold every pair once, and curves come back from pairs drawn along a known one."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from handmade import FAILS, pair
from hypothesis import given
from hypothesis import strategies as st

from counterbench.diagnosis.difficulty import LEAST_PAIRS, MOST_BINS, bins, curve, difficulties

points = st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=1, max_size=200)


@given(points)
def test_bins_hold_every_pair_once_and_never_split_a_value(given_points: list[tuple[int, bool]]) -> None:
    found = bins(given_points)
    assert sum(b.ccs.of for b in found) == len(given_points)
    assert sum(b.ccs.hits for b in found) == sum(right for _, right in given_points)
    assert len(found) <= MOST_BINS
    for one, next_ in pairwise(found):
        assert one.low <= one.high < next_.low
    for value, _ in given_points:
        assert sum(b.low <= value <= b.high for b in found) == 1


def test_few_values_get_a_bin_each() -> None:
    found = bins([(1, True), (1, False), (4, True), (9, False)])
    assert [(b.low, b.high, b.ccs.hits, b.ccs.of) for b in found] == [(1, 1, 1, 2), (4, 4, 1, 1), (9, 9, 0, 1)]


def drawn(intercept: float, slope: float, n: int) -> list[tuple[int, bool]]:
    chance = random.Random(11)
    found = []
    for i in range(n):
        value = i % 40
        found.append((value, chance.random() < 1 / (1 + math.exp(-(intercept + slope * value)))))
    return found


def test_a_curve_comes_back_with_its_crossings() -> None:
    found = curve(drawn(6, -0.3, 4000))
    assert found is not None
    assert found.intercept == pytest.approx(6, rel=0.1)
    assert found.slope == pytest.approx(-0.3, rel=0.1)
    assert found.p50 == pytest.approx(20, abs=0.7)
    assert found.p90 == pytest.approx((6 - math.log(9)) / 0.3, abs=1)
    assert found.pairs == 4000


def test_a_small_curve_worked_by_hand() -> None:
    # Two values: the fit goes through both shares exactly, logit(0.95) at 0 and logit(0.3) at 20.
    made = [(0, i < 95) for i in range(100)] + [(20, i < 30) for i in range(100)]
    found = curve(made)
    assert found is not None
    assert found.intercept == pytest.approx(math.log(19), abs=1e-4)
    slope = (math.log(3 / 7) - math.log(19)) / 20
    assert found.slope == pytest.approx(slope, abs=1e-5)
    assert found.p90 == pytest.approx((math.log(9) - math.log(19)) / slope, abs=1e-3)
    assert found.p50 == pytest.approx(-math.log(19) / slope, abs=1e-3)


def test_crossings_outside_the_values_drawn_are_null() -> None:
    found = curve(drawn(2.6, -0.02, 8000))
    assert found is not None
    assert found.p50 is None  # it would be at 130, the values end at 39
    assert found.p90 == pytest.approx((2.6 - math.log(9)) / 0.02, abs=8)


def test_no_curve_where_nothing_can_be_fitted() -> None:
    assert curve([(i, True) for i in range(LEAST_PAIRS)]) is None
    assert curve([(i, False) for i in range(LEAST_PAIRS)]) is None
    assert curve([(i, i < 50) for i in range(LEAST_PAIRS)]) is None  # parted exactly
    assert curve(drawn(6, -0.3, LEAST_PAIRS - 1)) is None


def test_only_relevant_pairs_with_two_replies_count() -> None:
    made = [
        pair(("yes", "no"), ("yes", "no"), difficulty={"gap": 1, "same": 5}),
        pair(("yes", "no"), ("yes", "yes"), difficulty={"gap": 2, "same": 5}),
        pair(("yes", "no"), ("yes", FAILS), difficulty={"gap": 3, "same": 5}),
        pair(("yes", "yes"), ("yes", "yes"), difficulty={"gap": 4, "same": 5}),
    ]
    (found,) = difficulties(made)
    assert (found.family, found.parameter) == ("f", "gap")
    assert [(b.low, b.ccs.value) for b in found.bins] == [(1, 1.0), (2, 0.0)]


def test_a_slope_that_may_be_nought_crosses_nothing() -> None:
    chance = random.Random(3)
    made = [
        pair(("yes", "no"), ("yes", "no" if chance.random() < 0.9 else "yes"), id=str(i), difficulty={"gap": i % 20})
        for i in range(400)
    ]
    (table,) = difficulties(made)
    assert table.curve is not None
    assert table.curve.p > 0.05
    assert table.curve.p90 is table.curve.p50 is None
    harder = [
        pair(
            ("yes", "no"),
            ("yes", "no" if i % 20 < chance.randrange(24) else "yes"),
            id=str(i),
            difficulty={"gap": i % 20},
        )
        for i in range(400)
    ]
    (table,) = difficulties(harder)
    assert table.curve is not None
    assert table.curve.p < 1e-6
    assert table.curve.p50 == pytest.approx(12, abs=2.5)
