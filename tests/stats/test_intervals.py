"""Wilson's and the exact interval against published values and against their definitions written out."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.intervals import clopper_pearson, wilson

Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution, from tables


# Newcombe (1998), "Two-sided confidence intervals for the single proportion", Table I, method 3 (score, without
# continuity correction); and 0 of 10, 33 of 33: z² / (n + z²) and n / (n + z²), by hand.
PUBLISHED = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (0, 10, 0.0, 0.2775),
    (33, 33, 0.8957, 1.0),
]


@pytest.mark.parametrize(("hits", "of", "low", "high"), PUBLISHED)
def test_published_values(hits: int, of: int, low: float, high: float) -> None:
    interval = wilson(hits, of)
    assert interval == pytest.approx((low, high), abs=5.1e-5)


def test_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_formula(counts: tuple[int, int]) -> None:
    hits, of = counts
    share = hits / of
    centre = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z / (1 + Z * Z / of) * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    interval = wilson(hits, of)
    assert interval is not None
    assert interval == pytest.approx((max(0.0, centre - half), min(1.0, centre + half)), abs=1e-9)
    assert 0 <= interval[0] <= share + 1e-12
    assert share - 1e-12 <= interval[1] <= 1


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_failures_mirror_successes(counts: tuple[int, int]) -> None:
    hits, of = counts
    one, other = wilson(hits, of), wilson(of - hits, of)
    assert one is not None
    assert other is not None
    assert one == pytest.approx((1 - other[1], 1 - other[0]), abs=1e-9)


def test_more_confidence_is_wider() -> None:
    narrow, wide = wilson(7, 10, 0.9), wilson(7, 10, 0.99)
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < 0.7 < narrow[1] < wide[1]


def test_plain_floats_come_back() -> None:
    assert [type(x) for x in wilson(3, 7) or ()] == [float, float]


# ---- Clopper and Pearson

# R, ?binom.test (Mendel's giant plants, Conover 1971): 682 of 925. Newcombe (1998), Table I, method 5: 81 of 263.
# 0 of 10 and 33 of 33 by hand: 1 - 0.025^(1/10) and 0.025^(1/33).
EXACT = [
    (682, 925, 0.7076683, 0.7654066),
    (81, 263, 0.2527, 0.3676),
    (0, 10, 0.0, 0.3084971),
    (33, 33, 0.8942, 1.0),
]


@pytest.mark.parametrize(("hits", "of", "low", "high"), EXACT)
def test_exact_interval_published_values(hits: int, of: int, low: float, high: float) -> None:
    assert clopper_pearson(hits, of) == pytest.approx((low, high), abs=5.1e-5)


@given(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95, 0.99])
)
def test_exact_interval_ends_where_the_tails_are_a_half_of_what_is_left(counts: tuple[int, int], level: float) -> None:
    # The definition, by sums of binomial terms: P(X >= hits | low) = P(X <= hits | high) = (1 - level) / 2.
    hits, of = counts
    found = clopper_pearson(hits, of, level)
    assert found is not None
    low, high = found

    def terms(p: float, ks: range) -> float:
        return math.fsum(math.comb(of, k) * p**k * (1 - p) ** (of - k) for k in ks)

    assert low == 0 if hits == 0 else terms(low, range(hits, of + 1)) == pytest.approx((1 - level) / 2, rel=1e-6)
    assert high == 1 if hits == of else terms(high, range(hits + 1)) == pytest.approx((1 - level) / 2, rel=1e-6)
    assert low <= hits / of <= high


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_one_more_hit_moves_both_ends_up(counts: tuple[int, int]) -> None:
    hits, of = counts
    for interval in (wilson, clopper_pearson):
        fewer, more = interval(hits, of), interval(hits + 1, of)
        assert fewer is not None
        assert more is not None
        assert fewer[0] < more[0]
        assert fewer[1] < more[1] or fewer[1] == more[1] == 1


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_exact_interval_mirrors_and_is_seldom_narrower(counts: tuple[int, int]) -> None:
    hits, of = counts
    one, other, score = clopper_pearson(hits, of), clopper_pearson(of - hits, of), wilson(hits, of)
    assert one is not None
    assert other is not None
    assert score is not None
    assert one == pytest.approx((1 - other[1], 1 - other[0]), abs=1e-9)
    assert one[1] - one[0] > 0.95 * (score[1] - score[0])


# ---- what cannot be


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
@pytest.mark.parametrize(("hits", "of"), [(-1, 10), (11, 10), (1, 0), (0, -1)])
def test_impossible_counts_are_refused(interval: Callable[[int, int], object], hits: int, of: int) -> None:
    with pytest.raises(ValueError, match=r"hits of|negative"):
        interval(hits, of)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5, math.nan])
def test_impossible_confidences_are_refused(interval: Callable[[int, int, float], object], confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        interval(3, 10, confidence)


def test_nothing_has_no_exact_interval() -> None:
    assert clopper_pearson(0, 0) is None
