"""Rogan and Gladen's estimate by hand; Lang and Reiczigel's interval against what it must become where others apply.

No worked example of theirs was at hand that we could be sure of, so the interval is checked in three other ways: with a
test known to be perfect it is Agresti and Coull's (statsmodels), with large samples it is the delta method's (worked
out here by numerical derivatives), and `benchmarks/coverage.py` shows what it covers.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from counterbench.stats.correction import rogan_gladen

KNOWN = 10**12  # so many things of known truth that a share of them is as good as known

GOOD = st.tuples(st.integers(80, 100), st.just(100))


def test_the_estimate_by_hand() -> None:
    # 23 of 150 positive, sensitivity 0.96, specificity 0.89: (0.15333 + 0.89 - 1) / 0.85 = 0.0510. The example of R's
    # epiR::epi.prev (brucellosis in cows), which prints 5.1 cases in 100.
    found = rogan_gladen(23, 150, (96, 100), (89, 100))
    assert found is not None
    assert found.value == pytest.approx(0.0510, abs=5e-5)
    # 40 of 100 at 0.8 and 0.9: (0.4 + 0.9 - 1) / 0.7.
    found = rogan_gladen(40, 100, (80, 100), (90, 100))
    assert found is not None
    assert found.value == pytest.approx(3 / 7)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_with_a_perfect_test_it_is_agresti_and_coull_s_interval(counts: tuple[int, int], level: float) -> None:
    found = rogan_gladen(*counts, (KNOWN, KNOWN), (KNOWN, KNOWN), level)
    low, high = proportion_confint(*counts, alpha=1 - level, method="agresti_coull")
    assert found is not None
    assert found.value == pytest.approx(counts[0] / counts[1])
    assert (found.low, found.high) == pytest.approx((max(0, low), min(1, high)), abs=1e-6)


@pytest.mark.parametrize("unsure", [0, 1, 2])
def test_with_large_samples_it_is_the_delta_method(unsure: int) -> None:
    # The error of one of the three shares alone, then of all.
    shares = [0.3, 0.9, 0.8]  # positive, sensitivity, specificity

    def prevalence(p: float, sens: float, spec: float) -> float:
        return (p + spec - 1) / (sens + spec - 1)

    sizes = [KNOWN] * 3
    sizes[unsure] = 10**6
    step = 1e-6
    moved = [share + step * (i == unsure) for i, share in enumerate(shares)]
    slope = (prevalence(*moved) - prevalence(*shares)) / step
    half = 1.959964 * abs(slope) * math.sqrt(shares[unsure] * (1 - shares[unsure]) / 10**6)
    hits = [round(share * size) for share, size in zip(shares, sizes, strict=True)]
    found = rogan_gladen(hits[0], sizes[0], (hits[1], sizes[1]), (hits[2], sizes[2]))
    assert found is not None
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=2e-3)
    assert (found.high + found.low) / 2 == pytest.approx(prevalence(*shares), abs=2e-5)


@given(st.integers(0, 200), GOOD, GOOD)
def test_the_interval_holds_the_estimate_and_stays_a_share(
    hits: int, sens: tuple[int, int], spec: tuple[int, int]
) -> None:
    found = rogan_gladen(hits, 200, sens, spec)
    assert found is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(st.integers(0, 200), GOOD, GOOD)
def test_absence_mirrors_presence(hits: int, sens: tuple[int, int], spec: tuple[int, int]) -> None:
    # What is positive for the one is negative for the other, and sensitivity and specificity change places.
    one, other = rogan_gladen(hits, 200, sens, spec), rogan_gladen(200 - hits, 200, spec, sens)
    assert one is not None
    assert other is not None
    assert (one.value, one.low, one.high) == pytest.approx((1 - other.value, 1 - other.high, 1 - other.low), abs=1e-9)


@given(st.integers(0, 199), GOOD, GOOD)
def test_more_positives_are_never_less_common(hits: int, sens: tuple[int, int], spec: tuple[int, int]) -> None:
    fewer, more = rogan_gladen(hits, 200, sens, spec), rogan_gladen(hits + 1, 200, sens, spec)
    assert fewer is not None
    assert more is not None
    assert fewer.value <= more.value
    assert fewer.low <= more.low + 1e-12
    assert fewer.high <= more.high + 1e-12


def test_what_is_not_known_of_the_test_widens_the_interval() -> None:
    sure, unsure = rogan_gladen(300, 1000, (900, 1000), (900, 1000)), rogan_gladen(300, 1000, (18, 20), (18, 20))
    assert sure is not None
    assert unsure is not None
    assert unsure.value == pytest.approx(sure.value)
    assert unsure.high - unsure.low > 2 * (sure.high - sure.low)


def test_fewer_positives_than_false_ones_are_none_at_all() -> None:
    found = rogan_gladen(7, 100, (95, 100), (90, 100))
    assert found is not None
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high > 0


def test_far_fewer_than_the_false_ones_leave_no_width() -> None:
    # Of 200 without the thing about 40 would be positive; none is. Nothing from 0 to 1 goes with that.
    found = rogan_gladen(0, 200, (80, 100), (80, 100))
    assert found is not None
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_a_test_that_hardly_tells_anything_leaves_everything_open() -> None:
    # 3 of 3 and 20 of 1000 sum to 1.02, shrunken to 0.82.
    found = rogan_gladen(500, 1000, (3, 3), (20, 1000))
    assert found is not None
    assert (found.low, found.high) == (0.0, 1.0)


def test_the_interval_is_drawn_out_to_an_estimate_that_it_would_leave_out() -> None:
    # Lang and Reiczigel's ends alone are 0.50056 and 1: sensitivity 3 of 3 is shrunken to 0.8.
    found = rogan_gladen(500, 1000, (3, 3), (500, 500))
    assert found is not None
    assert (found.value, found.low, found.high) == (0.5, 0.5, 1.0)


@pytest.mark.parametrize(
    ("sens", "spec"), [((5, 10), (5, 10)), ((1, 10), (8, 10)), ((0, 10), (10, 10)), ((1, 3), (2, 3))]
)
def test_a_test_that_tells_nothing_is_refused(sens: tuple[int, int], spec: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"sensitivity 0\.\d+ and specificity \d\.\d+ sum to"):
        rogan_gladen(5, 10, sens, spec)


def test_nothing_tested_has_no_prevalence() -> None:
    assert rogan_gladen(0, 0, (9, 10), (9, 10)) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((11, 10, (9, 10), (9, 10)), "positives: 11 hits of 10"),
        ((5, 10, (11, 10), (9, 10)), "sensitivity: 11 hits of 10"),
        ((5, 10, (9, 10), (-1, 10)), "specificity: -1 hits of 10"),
        ((5, 10, (0, 0), (9, 10)), "sensitivity rests on 0 things"),
        ((5, 10, (9, 10), (9, 10), 1.0), "confidence is 1"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[int, int, tuple[int, int], tuple[int, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rogan_gladen(*arguments)
