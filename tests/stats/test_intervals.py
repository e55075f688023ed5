"""Wilson's interval against published values and against its formula written out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

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


@given(st.integers(0, 10**7), st.integers(1, 10**7), st.sampled_from([0.9, 0.95, 0.99]))
def test_an_interval_is_scipys_to_the_last_bit(hits: int, of: int, confidence: float) -> None:
    hits %= of + 1
    expected = binomtest(hits, of).proportion_ci(confidence, "wilson")
    assert wilson(hits, of, confidence) == (expected.low, expected.high)


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


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_one_more_hit_moves_both_ends_up(counts: tuple[int, int]) -> None:
    hits, of = counts
    fewer, more = wilson(hits, of), wilson(hits + 1, of)
    assert fewer is not None
    assert more is not None
    assert fewer[0] < more[0]
    assert fewer[1] < more[1] or fewer[1] == more[1] == 1


@pytest.mark.parametrize(("hits", "of"), [(-1, 10), (11, 10), (1, 0), (0, -1)])
def test_impossible_counts_are_refused(hits: int, of: int) -> None:
    with pytest.raises(ValueError, match=r"hits of|negative"):
        wilson(hits, of)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5, math.nan])
def test_impossible_confidences_are_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        wilson(3, 10, confidence)


def test_the_exact_interval_is_that_of_r() -> None:
    # ?binom.test: Conover (1971), 682 of 925 plants.
    assert clopper_pearson(682, 925) == pytest.approx((0.7076683, 0.7654066), abs=1e-7)
    assert clopper_pearson(0, 10) == pytest.approx((0, 0.3084971), abs=1e-7)
    assert clopper_pearson(0, 0) is None
    with pytest.raises(ValueError, match="hits"):
        clopper_pearson(2, 1)
