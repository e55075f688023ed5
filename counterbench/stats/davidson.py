"""Strengths from paired comparisons with ties: Davidson's model.

With strengths π and a parameter ν for ties, of models i and j: i is better with πᵢ / D, the two are equal with
ν √(πᵢ πⱼ) / D, where D = πᵢ + πⱼ + ν √(πᵢ πⱼ) (Davidson, On extending the Bradley-Terry model to accommodate ties in
paired comparison experiments, JASA 65, 1970, equation 2.4). Without ties it is the model of Bradley and Terry.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Stack = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
# A won and a lost half of a comparison with a model of mean strength, for each model: without it, the strength of a
# model that wins all is infinite.
PRIOR = 0.5
# The scale of ratings in arenas: 400 points are odds of 10 to 1; the mean is 1000.
MEAN, POINTS = 1000.0, 400 / math.log(10)
# The most steps of Newton's method, and the slope of the log-likelihood at which it ends.
_STEPS, _CLOSE = 200, 1e-6


class Strengths(NamedTuple):
    """Natural logarithms: `logs` of π, (n,) for n models with a mean of 0, and `ties` of ν.

    `ties` is None if no comparison was a tie.
    """

    logs: Vector
    ties: float | None

    @property
    def ratings(self) -> list[float]:
        """The strengths as ratings: 400 points are odds of 10 to 1, and the mean is 1000."""
        return [MEAN + POINTS * float(log) for log in self.logs]


def strengths(wins: Matrix, ties: Matrix, prior: float = PRIOR) -> Strengths:
    """The strengths of n models by maximum likelihood.

    `wins`, `ties`: (n, n). `wins[i, j]`: how often i was better than j, also in parts; `ties[i, j]` = `ties[j, i]`: how
    often they were equal. `prior`: see `PRIOR`; with 0 models must be `connected`, and each must have won and lost.
    """
    logs, log_nu = _fitted(wins[None], ties[None], prior)
    return Strengths(logs[0], float(log_nu[0]) if np.isfinite(log_nu[0]) else None)


def _fitted(wins: Stack, ties: Stack, prior: float) -> tuple[Matrix, Vector]:
    """The strengths for each of T tables at once by Newton's method: logarithms of π (T, n), and of ν (T,).

    That of ν is -∞ for a table without ties. `wins`, `ties`: (T, n, n), each as in `strengths`. `slope` and `bend` are
    the first and second derivatives of the negative log-likelihood in the n logarithms of π and that of ν; `own` picks
    the diagonal of the second.
    """
    tables, models, _ = wins.shape
    compared, scored, tied = wins + wins.swapaxes(1, 2) + ties, (wins + ties / 2).sum(2), ties.sum((1, 2)) / 2
    logs, log_nu = np.zeros((tables, models)), np.where(tied > 0, 0.0, -np.inf)
    own = range(models)
    for _ in range(_STEPS):
        first, middle = logs[:, :, None], log_nu[:, None, None] + (logs[:, :, None] + logs[:, None, :]) / 2
        log_total = np.logaddexp(np.logaddexp(first, first.swapaxes(1, 2)), middle)
        equal = np.exp(middle - log_total)
        share = np.exp(first - log_total) + equal / 2  # what a model is expected to get of a comparison with each other
        of_prior = 1 / (1 + np.exp(-logs))
        slope = np.zeros((tables, models + 1))
        slope[:, :models] = (compared * share).sum(2) - scored + prior * (2 * of_prior - 1)
        slope[:, models] = (compared * equal).sum((1, 2)) / 2 - tied
        bend = np.zeros((tables, models + 1, models + 1))
        bend[:, :models, :models] = compared * (equal / 4 - share * share.swapaxes(1, 2)) + (prior == 0)
        bend[:, own, own] += (compared * (share - equal / 4 - share**2)).sum(2) + 2 * prior * of_prior * (1 - of_prior)
        across = (compared * equal * (1 / 2 - share)).sum(2)
        bend[:, :models, models] = bend[:, models, :models] = across
        bend[:, models, models] = (compared * equal * (1 - equal)).sum((1, 2)) / 2 + (tied == 0)
        unfinished = np.abs(slope).max(1) > _CLOSE
        if not unfinished.any():
            break
        step = np.zeros_like(slope)
        step[unfinished] = np.linalg.solve(bend[unfinished], slope[unfinished, :, None])[..., 0]
        step /= np.maximum(1, np.abs(step).max(1, keepdims=True))  # far from its end, a full step leads away from it
        logs, log_nu = logs - step[:, :models], log_nu - step[:, models]
    return logs - logs.mean(1, keepdims=True), log_nu


def chances(strengths: Strengths, i: int, j: int) -> tuple[float, float, float]:
    """The chances that model i is better than model j, that they are equal, and that j is better."""
    tie = -np.inf if strengths.ties is None else strengths.ties + (strengths.logs[i] + strengths.logs[j]) / 2
    parts = np.array([strengths.logs[i], tie, strengths.logs[j]])
    better, equal, worse = np.exp(parts - np.logaddexp.reduce(parts))
    return float(better), float(equal), float(worse)


def covariance(strengths: Strengths, wins: Matrix, ties: Matrix, prior: float = PRIOR) -> Matrix:
    """The covariance (n, n) of the strengths' logarithms, if each comparison is independent of the others.

    It is the inverse of the Fisher information in the comparisons and in the prior. `wins`, `ties`: see `strengths`.
    """
    n, has_ties = len(wins), strengths.ties is not None
    information = np.zeros((n + has_ties, n + has_ties))
    information[range(n), range(n)] = prior / (1 + np.cosh(strengths.logs))
    for i, j in combinations(range(n), 2):
        # The gradient of the logarithm of each outcome's weight: i is better, both are equal, j is better.
        chance, gradients = np.array(chances(strengths, i, j)), np.zeros((3, n + has_ties))
        gradients[0, i] = gradients[2, j] = 1
        gradients[1, [i, j]] = 1 / 2
        gradients[1, n:] = 1
        mean = chance @ gradients
        count = wins[i, j] + wins[j, i] + ties[i, j]
        information += count * (gradients.T @ (chance[:, None] * gradients) - np.outer(mean, mean))
    centred = np.eye(n) - 1 / n
    found: Matrix = centred @ np.linalg.pinv(information)[:n, :n] @ centred
    return found


def connected(compared: Matrix) -> bool:
    """True if comparisons link all n models; `compared[i, j]`, (n, n), is not 0 where i and j were compared."""
    reached, front = {0}, [0]
    while front:
        model = front.pop()
        new = [int(other) for other in np.flatnonzero(compared[model] + compared[:, model]) if other not in reached]
        reached.update(new)
        front += new
    return len(reached) == len(compared)


def resampled(by_group: Sequence[tuple[Matrix, Matrix]], times: int) -> list[list[float]]:
    """Ratings of n models from `times` bootstrap resamples of whole groups: a row of n for each resample.

    `by_group`: of each group, such as a prompt, the matrices of wins and of ties (n, n), as in `strengths`.
    """
    wins, ties = (np.stack(matrices) for matrices in zip(*by_group, strict=True))
    rng = np.random.default_rng(0)
    drawn = [np.bincount(rng.integers(0, len(wins), len(wins)), minlength=len(wins)) for _ in range(times)]
    logs, _ = _fitted(np.tensordot(drawn, wins, 1), np.tensordot(drawn, ties, 1), PRIOR)
    return [Strengths(row, None).ratings for row in logs]
