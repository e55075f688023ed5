"""Paired comparisons, their power and adjusted p-values: published tables, other tools, and the same written out."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.stats.paired import holm, mcnemar_exact, paired_difference, times_needed

Counts = tuple[int, int, int, int]
COUNTS = st.tuples(*[st.integers(0, 80)] * 4).filter(any)


# ---- McNemar's exact test

# Agresti (1990), p. 350, the president's approval, 150 against 86 (R's ?mcnemar.test): SAS PROC FREQ, EXACT MCNEM.
# Bentur et al. (2009), 1 against 7, and Cavo et al. (2012), 6 against 16: Fagerland, Lydersen and Laake, "Statistical
# Analysis of Contingency Tables" (2017), chapter 8, and their R package contingencytables.
# The last six: statsmodels' own tests of its exact McNemar.
PUBLISHED = [
    (150, 86, 3.716e-05, 1e-8),
    (1, 7, 0.0703, 1e-4),
    (6, 16, 0.052479, 1e-6),
    (121, 59, 0.000004, 1e-6),
    (70, 59, 0.378688, 1e-6),
    (80, 59, 0.089452, 1e-6),
    (30, 60, 0.00206, 1e-5),
    (10, 30, 0.002221, 1e-6),
    (10, 10, 1.0, 1e-12),
]


@swept(("first", "second", "p", "off"), PUBLISHED)
def test_p_equals_published_values(first: int, second: int, p: float, off: float) -> None:
    assert mcnemar_exact(first, second) == pytest.approx(p, abs=off)


@given(st.integers(0, 200), st.integers(0, 200))
def test_p_equals_the_doubled_tail_in_exact_fractions(first: int, second: int) -> None:
    n = first + second
    tail = sum(Fraction(math.comb(n, k), 2**n) for k in range(min(first, second) + 1))
    assert mcnemar_exact(first, second) == pytest.approx(float(min(Fraction(1), 2 * tail)), rel=1e-9)
    assert mcnemar_exact(first, second) == pytest.approx(mcnemar_exact(second, first), rel=1e-12)


# ---- Newcombe's interval

# Altman, Machin, Bryant and Gardner, "Statistics with Confidence" (2000), p. 52: 14, 5, 0, 22.
# Bentur and Cavo as above; the book and its R package, "Newcombe square-and-add".
INTERVALS = [
    ((14, 5, 0, 22), 0.122, 0.011, 0.226, 6e-4),
    ((1, 1, 7, 12), -0.286, -0.507, -0.026, 6e-4),
    ((59, 6, 16, 80), -0.0621, -0.1186, -0.0046, 6e-5),
]


@pytest.mark.parametrize(("counts", "value", "low", "high", "off"), INTERVALS)
def test_intervals_equal_published_values(counts: Counts, value: float, low: float, high: float, off: float) -> None:
    found = paired_difference(*counts)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=off)


def test_an_interval_without_differences_has_the_width_of_two_perfect_shares() -> None:
    # 100 of 100 twice: phi is 0, so each end is Wilson's z² / (n + z²) away: 3.8415 / 103.8415, by hand.
    found = paired_difference(100, 0, 0, 0)
    assert (found.value, found.low, found.high) == pytest.approx((0, -0.036993, 0.036993), abs=1e-6)


def test_only_a_positive_correlation_is_corrected() -> None:
    # By hand, n = 20 with margins of 10: ad - bc = 36 - 16 = 20 is over n / 2, so phi = (20 - 10) / 100 = 0.1;
    # ad - bc = 16 - 36 = -20 is left as it is, phi = -0.2. Wilson for 10 of 20 is 0.5 ± 0.200702.
    half = 0.5 - 0.299298
    for counts, phi in (((6, 4, 4, 6), 0.1), ((4, 6, 6, 4), -0.2), ((5, 5, 5, 5), 0.0)):
        found = paired_difference(*counts)
        assert found.high == pytest.approx(half * math.sqrt(2 - 2 * phi), abs=1e-5)


@given(COUNTS)
def test_the_interval_holds_the_estimate_and_is_negated_by_swapping(counts: Counts) -> None:
    both, first, second, neither = counts
    forward, swapped = paired_difference(*counts), paired_difference(both, second, first, neither)
    assert -1 <= forward.low < forward.value < forward.high <= 1 or abs(forward.value) == 1
    assert forward.value == (first - second) / sum(counts)
    assert (forward.low, forward.high) == pytest.approx((-swapped.high, -swapped.low), abs=1e-12)


def test_times_needed_equals_statsmodels_sample_size() -> None:
    # Of a normal test at 5 %, two-sided, for an effect of half a standard deviation: 31.4 items (statsmodels agrees).
    from statsmodels.stats.power import normal_sample_size_one_tail

    found = times_needed(0.5, 1.0)
    assert found == pytest.approx(31.395, abs=1e-3)
    assert found == pytest.approx(float(normal_sample_size_one_tail(0.5, 0.8, 0.025)))
    assert times_needed(-0.5, 1.0) == found
    assert times_needed(0.0, 1.0) is None


# ---- Holm's adjustment

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_adjusted_values_equal_published_ones() -> None:
    # The documentation of stdlib's padjust, which follows R's p.adjust.
    assert holm([0.319, 0.201, 0.4, 0.374, 0.113]) == pytest.approx([0.957, 0.804, 0.957, 0.957, 0.565])


@given(P_VALUES)
def test_adjusted_values_equal_holms_procedure_written_out(p_values: list[float]) -> None:
    n = len(p_values)
    rank = {i: k for k, i in enumerate(sorted(range(n), key=lambda i: p_values[i]))}
    for i, found in enumerate(holm(p_values)):
        below = [j for j in range(n) if rank[j] <= rank[i]]
        assert found == pytest.approx(max(min(1.0, (n - rank[j]) * p_values[j]) for j in below), abs=1e-12)


def test_a_comparison_without_pairs_is_undefined() -> None:
    assert mcnemar_exact(0, 0) == 1.0
    assert paired_difference(0, 0, 0, 0) is None
    assert (holm([None, 0.03]), holm([])) == ([None, 0.03], [])
