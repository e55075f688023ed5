"""Psychometric curves: held against psignifit, and against judges with a known threshold."""

import numpy as np
import pytest

from counterbench.stats.psychometric import fit

# Counts along three ladders, and where psignifit 4.3 (yes/no, sigmoid norm or neg_gauss over the logarithm of the dial)
# puts 75 and 50 % right: its value and the 95 % interval of it.
CASES = {
    "count": (
        [1, 2, 3, 4, 5, 6, 8, 12], [33, 33, 32, 33, 30, 22, 6, 2], [33, 33, 33, 33, 33, 33, 20, 10],
        {"75": (5.70, 5.38, 5.91), "50": (6.56, 5.76, 8.32)},
    ),
    "offset": (
        [120, 80, 60, 40, 30, 20, 14], [25, 25, 25, 24, 15, 4, 0], [25, 25, 25, 25, 25, 12, 10],
        {"75": (31.5, 30.5, 35.0), "50": (25.7, 21.6, 31.4)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_levels_agree_with_those_of_psignifit(case: str) -> None:
    values, right, total, theirs = CASES[case]
    curve = fit(values, right, total)
    for name, (value, low, high) in theirs.items():
        ours = curve.levels[name]
        assert low <= ours.value <= high
        assert ours.low <= value <= ours.high


@pytest.mark.slow
def test_most_intervals_hold_the_true_level() -> None:
    """Judges whose share right falls from 97 to 5 % around a count of 7; 40 pairs a rung."""
    rng, values = np.random.default_rng(2), [1, 2, 3, 4, 5, 6, 8, 12, 20, 40]
    from scipy.special import ndtr, ndtri

    middle, spread = np.log(7), 0.3
    share = 0.05 + 0.92 * ndtr((middle - np.log(values)) / spread)
    truth = float(np.exp(middle - spread * ndtri((0.75 - 0.05) / 0.92)))
    held = 0
    for _ in range(40):
        curve = fit(values, list(rng.binomial(40, share)), [40] * len(values))
        at = curve.levels["75"]
        held += at.low is not None and at.high is not None and at.low <= truth <= at.high
    assert held >= 34


def test_an_always_right_judge_has_no_threshold_within_the_rungs() -> None:
    curve = fit([20, 10, 5], [30, 30, 30], [30, 30, 30])
    assert curve.levels["50"].value is None
    assert [share for _, share in curve.points if share <= 0.9] == []


def test_two_rungs_give_no_curve() -> None:
    assert fit([1, 2, 3], [5, 1, 0], [5, 5, 0]) is None
