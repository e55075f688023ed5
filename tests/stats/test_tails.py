"""The tails, whose functions load no scipy.stats, against scipy.stats."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbench.stats.tails import average_ranks, binomial_above, chi2_above, log_fisher, normal_above


@given(st.floats(0, 2000), st.integers(1, 9))
def test_chi_squared_and_the_normal_are_scipys_to_the_last_bit(x: float, freedom: int) -> None:
    assert chi2_above(x, freedom) == stats.chi2.sf(x, freedom)
    assert normal_above(x) == stats.norm.sf(x)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_exact_tests_are_scipys(lost: int, kept: int, rest_lost: int, rest_kept: int) -> None:
    table = [[lost, kept], [rest_lost, rest_kept]]
    fisher = math.exp(log_fisher((lost, lost + kept), (rest_lost, rest_lost + rest_kept)))
    assert fisher == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue, rel=1e-9)
    if total := lost + kept:
        expected = stats.binomtest(lost, total, 0.3, alternative="greater").pvalue
        assert binomial_above(lost, total, 0.3) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.integers(0, 9), min_size=1))
def test_ranks_are_scipys(values: list[int]) -> None:
    assert average_ranks(values).tolist() == stats.rankdata(values).tolist()
