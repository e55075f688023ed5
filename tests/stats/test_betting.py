"""Evidence by betting: its promises, computed exactly; another tool's values; closed testing by brute force."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from sweeping import swept

from counterbench.stats.betting import BETS, adjusted, hits_to_reach, log_evidence

BOUNDS = st.floats(0.05, 0.98)
COUNTS = st.integers(0, 120)


def mean_evidence(n: int, bound: float, true: float) -> float:
    """Of the e-value after n trials, over all outcomes."""
    chances = binom.pmf(range(n + 1), n, true)
    return sum(float(p) * math.exp(log_evidence(k, n - k, bound)) for k, p in enumerate(chances))


@given(st.integers(0, 80), BOUNDS)
def test_the_expected_evidence_at_the_bound_is_one(n: int, bound: float) -> None:
    assert mean_evidence(n, bound, bound) == pytest.approx(1)


@given(st.integers(0, 80), BOUNDS, st.floats(0.01, 1))
def test_the_expected_evidence_below_the_bound_is_less_than_one(n: int, bound: float, part: float) -> None:
    assert mean_evidence(n, bound, part * bound) <= 1 + 1e-9


@given(COUNTS, COUNTS, BOUNDS)
def test_a_hit_raises_evidence_and_a_miss_lowers_it(hits: int, misses: int, bound: float) -> None:
    here = log_evidence(hits, misses, bound)
    assert log_evidence(hits + 1, misses, bound) > here
    assert log_evidence(hits, misses + 1, bound) < here


@given(st.lists(st.booleans(), max_size=40), BOUNDS)
def test_evidence_equals_a_gamblers_wealth_in_any_order(trials: list[bool], bound: float) -> None:
    """Every bet λ·(x − m) of the money that is left, one trial after the other."""
    money = sum(math.prod(1 + bet / bound * (x - bound) for x in trials) for bet in BETS) / len(BETS)
    found = math.exp(log_evidence(sum(trials), len(trials) - sum(trials), bound))
    assert found == pytest.approx(money, rel=1e-9, abs=1e-300)


def ever(bound: float, true: float, level: float, most: int) -> float:
    """How likely the e-value reaches 1/level at any of the first `most` trials, each looked at."""
    least = -math.log(level)
    undecided, reached = {0: 1.0}, 0.0  # by hits
    for n in range(1, most + 1):
        after: dict[int, float] = {}
        for hits, p in undecided.items():
            after[hits + 1] = after.get(hits + 1, 0) + true * p
            after[hits] = after.get(hits, 0) + (1 - true) * p
        won = {hits for hits in after if log_evidence(hits, n - hits, bound) >= least}
        reached += sum(after.pop(hits) for hits in won)
        undecided = after
    return reached


@pytest.mark.slow
@pytest.mark.parametrize("bound", [0.5, 0.7, 0.85, 0.95])
def test_the_error_rate_holds_at_any_number_of_looks(bound: float) -> None:
    """Stopping at the best moment of 250 included; and not for nothing: most of the level is used."""
    assert 0.03 < ever(bound, bound, 0.05, 250) <= 0.05
    assert ever(bound, bound - 0.05, 0.05, 250) < ever(bound, bound, 0.05, 250)


@given(st.floats(0.5, 20), st.integers(0, 60), st.integers(0, 12), BOUNDS)
def test_hits_to_reach_is_the_smallest_number_that_suffices(log: float, hits: int, misses: int, bound: float) -> None:
    more = hits_to_reach(log, hits, misses, bound)
    assert log_evidence(hits + more, misses, bound) >= log
    assert more == 0 or log_evidence(hits + more - 1, misses, bound) < log


@swept(
    ("hits", "misses", "bound", "above", "below"),
    [
        # `diversified_betting_mart` of confseq 0.0.11, the package of Waudby-Smith and Ramdas's paper, at the last of
        # these trials: constant bets BETS/m (below: BETS/(1 − m)), trunc_scale=1, theta=1 (below: 0).
        (5, 0, 0.5, 18.18094991075, 0.04914341925000003),
        (26, 0, 0.85, 33.53098356183381, 0.00041837011185513615),
        (45, 1, 0.85, 36.254552084911346, 1.5820072678473246e-05),
        (58, 2, 0.85, 34.18218011716897, 2.122588285437036e-06),
        (90, 10, 0.85, 0.7803334026476834, 8.656047493813475e-07),
        (83, 0, 0.95, 33.95552090451955, 2.536626751957023e-09),
        (20, 20, 0.7, 0.00731155757779215, 5.326872595696404),
    ],
)
def test_bounds_equal_those_of_confseq(hits: int, misses: int, bound: float, above: float, below: float) -> None:
    assert math.exp(log_evidence(hits, misses, bound)) == pytest.approx(above, rel=1e-9)
    assert math.exp(log_evidence(misses, hits, 1 - bound)) == pytest.approx(below, rel=1e-9)


@given(st.integers(0, 60), st.integers(1, 30), BOUNDS)
def test_evidence_is_a_mean_of_walds_likelihood_ratios(hits: int, misses: int, bound: float) -> None:
    """A bet λ is the ratio of a share of bound + λ(1 − bound) to the bound (Wald, Sequential Analysis, 1947)."""
    shares = np.array([bound + bet * (1 - bound) for bet in BETS])
    n = hits + misses
    ratios = binom.pmf(hits, n, shares) / binom.pmf(hits, n, bound)
    assert math.exp(log_evidence(hits, misses, bound)) == pytest.approx(float(ratios.mean()), rel=1e-6)


def closed(evidence: list[float]) -> list[float]:
    """Closed testing by the arithmetic mean: the least mean of all sets that contain each (Vovk and Wang 2021)."""
    n = len(evidence)
    sets = [s for size in range(1, n + 1) for s in itertools.combinations(range(n), size)]
    return [min(sum(evidence[i] for i in s) / len(s) for s in sets if j in s) for j in range(n)]


@given(st.lists(st.floats(0, 1e6), max_size=7))
def test_adjusted_evidence_equals_closed_testing_by_brute_force(evidence: list[float]) -> None:
    assert adjusted(evidence) == pytest.approx(closed(evidence), rel=1e-9)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40))
def test_adjusted_evidence_is_never_more_and_keeps_the_order(evidence: list[float]) -> None:
    found = adjusted(evidence)
    assert [(value, own) for value, own in zip(found, evidence, strict=True) if value > own * (1 + 1e-12)] == []
    assert [found[i] for i in np.argsort(evidence)] == sorted(found)
    assert min(found) == pytest.approx(min(evidence))


def test_a_single_hypothesis_is_not_adjusted() -> None:
    assert adjusted([3.0]) == [3.0]
    assert adjusted([]) == []
