"""Difficulty: bins hold every pair once."""

from __future__ import annotations

from itertools import pairwise

from handmade import FAILS, pair
from hypothesis import given
from hypothesis import strategies as st

from counterbench.diagnosis.measures import MOST_BINS, bins, difficulties

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
