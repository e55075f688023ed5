"""Agreement against worked examples of papers and manuals, and against definitions written out."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.agreement import (
    Measurement,
    cohen_kappa,
    kendall_tau_b,
    krippendorff_alpha,
    spearman,
    tie_calibration,
)

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=25)

# Hollander and Wolfe (1973), p. 187, canned tuna: R's ?cor.test, which prints tau 0.4444444 and rho 0.6.
TUNA = ([44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1], [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8])


def test_rank_correlations_equal_published_values() -> None:
    assert kendall_tau_b(*TUNA) == pytest.approx(4 / 9)
    assert spearman(*TUNA) == pytest.approx(0.6)
    # With ties: the examples in scipy's own documentation.
    assert kendall_tau_b([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]) == pytest.approx(-0.47140452)
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.82078268)


@pytest.mark.parametrize("measure", [kendall_tau_b, spearman])
def test_a_rank_correlation_without_variation_is_undefined(measure: Callable[..., float | None]) -> None:
    assert measure([], []) is None
    assert measure([1], [2]) is None
    assert measure([1, 1, 1], [1, 2, 3]) is None


# ---- Krippendorff's alpha

_ = None
# Krippendorff (2011), example C: four observers, twelve units, missing data.
EXAMPLE_C = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
# The worked example of Wikipedia's article: three coders, fifteen units.
WIKIPEDIA = [
    [_, _, _, _, _, 3, 4, 1, 2, 1, 1, 3, 3, _, 3],
    [1, _, 2, 1, 3, 3, 4, 3, _, _, _, _, _, _, _],
    [_, _, 2, 1, 3, 4, 4, _, 2, 1, 1, 3, 3, _, 4],
]


@pytest.mark.parametrize(
    ("ratings", "measurement", "alpha"),
    [(EXAMPLE_C, "nominal", 0.743), (EXAMPLE_C, "ordinal", 0.815), (WIKIPEDIA, "nominal", 0.691)],
)
def test_alpha_equals_published_values(ratings: list[list[int | None]], measurement: Measurement, alpha: float) -> None:
    assert krippendorff_alpha(ratings, measurement) == pytest.approx(alpha, abs=5.1e-4)


RATINGS = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([None, 1, 2, 3]), min_size=raters, max_size=raters), min_size=1, max_size=12
    )
)


@given(RATINGS)
def test_alpha_equals_its_definition(units: list[list[int | None]]) -> None:
    # Krippendorff's definition, pair by pair of values, nominal.
    rated = [[v for v in unit if v is not None] for unit in units]
    rated = [unit for unit in rated if len(unit) > 1]
    n = sum(map(len, rated))
    totals = Counter(v for unit in rated for v in unit)
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b) / (n - 1) if n else 0
    observed = sum(sum(a != b for a in unit for b in unit) / (len(unit) - 1) for unit in rated)
    found = krippendorff_alpha([list(row) for row in zip(*units, strict=True)])
    if expected == 0:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed / expected)


def test_alpha_without_variation_is_undefined() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1, 2, 3]]) is None  # one rater
    assert krippendorff_alpha([[1, None], [None, 2]]) is None  # no unit rated twice
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None  # nothing ever differs


def split_scores(scores: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [a for a, _ in scores], [b for _, b in scores]


# ---- Cohen's kappa


@given(SCORES)
def test_kappa_equals_that_of_statsmodels(scores: list[tuple[int, int]]) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    first, second = split_scores(scores)
    table = [[scores.count((a, b)) for b in range(6)] for a in range(6)]
    found = cohen_kappa(first, second)
    if found is None:
        assert len({*first, *second}) == 1
    else:
        assert found == pytest.approx(float(cohens_kappa(table, return_results=False)))


def test_kappa_without_variation_is_undefined() -> None:
    assert cohen_kappa([], []) is None
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([1, 1], [2, 2]) == 0


SETS = st.lists(SCORES, min_size=1, max_size=4)


@given(SETS)
def test_tie_calibration_finds_the_best_epsilon(sets: list[list[tuple[int, int]]]) -> None:
    series = [split_scores(scores) for scores in sets]

    def at(epsilon: float) -> float:
        return math.fsum(acc_eq(scores, epsilon) for scores in sets) / len(sets)

    found = tie_calibration(series)
    strict, accuracy, epsilon = found
    assert strict == pytest.approx(at(0))
    assert accuracy == pytest.approx(at(epsilon)) == pytest.approx(max(map(at, range(7))))
    assert [smaller for smaller in range(int(epsilon)) if at(smaller) >= accuracy - 1e-12] == []


def acc_eq(scores: list[tuple[int, int]], epsilon: float) -> float:
    """The paper's equation, from its five counts."""
    c = d = t_h = t_m = t_hm = 0
    for (h1, m1), (h2, m2) in combinations(scores, 2):
        human, metric = h1 == h2, abs(m1 - m2) <= epsilon
        if human and metric:
            t_hm += 1
        elif human:
            t_h += 1
        elif metric:
            t_m += 1
        elif (h1 < h2) == (m1 < m2):
            c += 1
        else:
            d += 1
    return (c + t_hm) / (c + d + t_h + t_m + t_hm)


def test_ties_that_people_see_are_found() -> None:
    # People tie the first two, the judge has them 0.1 apart; the third is far from both.
    found = tie_calibration([([1, 1, 2], [0.5, 0.6, 0.9])])
    assert found == pytest.approx((2 / 3, 1, 0.1))
    assert tie_calibration([([1], [1]), ([], [])]) is None
