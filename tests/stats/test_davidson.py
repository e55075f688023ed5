"""Davidson's model: a printed example, its likelihood equations, models that win all, and links between models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.davidson import MEAN, Matrix, chances, connected, covariance, resampled, strengths

# Citations of four journals by each other, as Stigler counted them: the first example of R's BradleyTerry2.
CITED = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]], float)
PRINTED = [0, -2.94907, -0.47957, 0.26895]
NONE = np.zeros((4, 4))


def test_strengths_without_ties_equal_the_bradleyterry2_example() -> None:
    found = strengths(CITED, NONE, prior=0)
    assert found.logs - found.logs[0] == pytest.approx(PRINTED, abs=1e-4)
    assert found.ties is None


@st.composite
def tables(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    models = draw(st.integers(2, 5))
    wins = np.zeros((models, models))
    ties = np.zeros((models, models))
    for i in range(models):
        for j in range(i):
            wins[i, j], wins[j, i] = draw(st.integers(1, 40)), draw(st.integers(1, 40))
            ties[i, j] = ties[j, i] = draw(st.integers(0, 40))
    return wins, ties


@given(tables())
def test_fitted_strengths_expect_the_observed_points_and_ties(table: tuple[Matrix, Matrix]) -> None:
    wins, ties = table  # the likelihood equations of Davidson (1970)
    found, models = strengths(wins, ties, prior=0), len(wins)
    played = wins + wins.T + ties
    expected = np.array([[chances(found, i, j) if i != j else (0, 0, 0) for j in range(models)] for i in range(models)])
    points = (played * (expected[..., 0] + expected[..., 1] / 2)).sum(1)
    assert points == pytest.approx(wins.sum(1) + ties.sum(1) / 2, rel=1e-3, abs=1e-2)
    assert (played * expected[..., 1]).sum() == pytest.approx(ties.sum(), rel=1e-3, abs=1e-2)


def test_a_model_that_wins_all_has_a_finite_rating_in_the_order_of_wins() -> None:
    wins = np.array([[0, 9, 9], [0, 0, 9], [0, 0, 0]], float)
    first, second, third = strengths(wins, np.zeros((3, 3))).ratings
    assert first > second > third
    assert first + second + third == pytest.approx(3 * MEAN)
    assert second == pytest.approx(MEAN)


def test_odds_of_ten_to_one_are_400_points() -> None:
    first, second = strengths(np.array([[0, 100], [10, 0]], float), np.zeros((2, 2)), prior=0).ratings
    assert first - second == pytest.approx(400, abs=0.1)


def test_models_may_be_linked_through_others() -> None:
    chain = np.zeros((4, 4))
    chain[0, 1] = chain[2, 1] = chain[3, 2] = 1
    assert connected(chain)
    chain[2, 1] = 0
    assert not connected(chain)


def test_resamples_scatter_around_the_ratings_and_are_deterministic() -> None:
    groups = [(np.array([[0, 2], [1, 0]], float), np.array([[0, 1], [1, 0]], float)) for _ in range(20)]
    assert np.ptp(resampled(groups, 20), axis=0) == pytest.approx([0, 0])  # all groups are alike
    groups[0] = (np.array([[0, 0], [9, 0]], float), np.zeros((2, 2)))
    assert resampled(groups, 20) == resampled(groups, 20)
    assert np.ptp(resampled(groups, 20), axis=0).min() > 10


@pytest.mark.parametrize("won", [5, 8])
def test_the_variance_of_two_models_without_ties_is_that_of_log_odds(won: int) -> None:
    wins = np.array([[0, won], [10 - won, 0]], float)
    found = covariance(strengths(wins, np.zeros((2, 2)), prior=0), wins, np.zeros((2, 2)), prior=0)
    assert found[0, 0] + found[1, 1] - 2 * found[0, 1] == pytest.approx(1 / won + 1 / (10 - won), rel=1e-4)


def test_an_uncompared_models_rating_comes_from_the_prior() -> None:
    wins = np.array([[0, 40, 0], [40, 0, 0], [0, 0, 0]], float)
    variance = np.diag(covariance(strengths(wins, np.zeros((3, 3))), wins, np.zeros((3, 3))))
    assert variance[2] > 1.5 > variance[0]
