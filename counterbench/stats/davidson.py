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
# A won and a lost half of a comparison with a model of mean strength, for each model: without it, the strength of a
# model that wins all is infinite.
PRIOR = 0.5
# The scale of ratings in arenas: 400 points are odds of 10 to 1; the mean is 1000.
MEAN, POINTS = 1000.0, 400 / math.log(10)


class Strengths(NamedTuple):
    """Natural logarithms of π (their mean is 0) and of ν; `ties` is None if no comparison was a tie."""

    logs: Vector
    ties: float | None

    @property
    def ratings(self) -> list[float]:
        """The strengths on the scale of arenas."""
        return [MEAN + POINTS * float(each) for each in self.logs]


def strengths(wins: Matrix, ties: Matrix, prior: float = PRIOR) -> Strengths:
    """The strengths by maximum likelihood.

    `wins[i, j]`: how often i was better than j, also in parts; `ties[i, j]` = `ties[j, i]`: how often they were equal.
    `prior`: see `PRIOR`; with 0 models must be `connected`, and each must have won and lost.
    """
    from scipy.optimize import minimize

    models = len(wins)
    tied = bool(ties.any())
    upper = np.triu(ties, 1)

    def loss(x: Vector) -> tuple[float, Vector]:
        logs, nu = x[:models], x[models] if tied else -np.inf
        first, second = logs[:, None], logs[None, :]
        middle = nu + (first + second) / 2
        whole = np.logaddexp(np.logaddexp(first, second), middle)
        each = wins + upper  # comparisons by who is named first: a win of the row, or a tie of the pair
        value = (each * whole).sum() - (wins * first).sum() - ((upper * middle).sum() if tied else 0.0)
        p_first, p_second, p_tie = np.exp(first - whole), np.exp(second - whole), np.exp(middle - whole)
        slope = (each * (p_first + p_tie / 2)).sum(1) + (each * (p_second + p_tie / 2)).sum(0) - wins.sum(1)
        of_nu = [(each * p_tie).sum() - upper.sum()] if tied else []
        slope -= (upper.sum(1) + upper.sum(0)) / 2
        value += prior * (2 * np.logaddexp(logs, 0) - logs).sum()
        slope += prior * (2 / (1 + np.exp(-logs)) - 1)
        return float(value), np.concatenate([slope, of_nu])

    found = minimize(loss, np.zeros(models + tied), jac=True, method="BFGS").x
    return Strengths(found[:models] - found[:models].mean(), float(found[models]) if tied else None)


def chances(of: Strengths, i: int, j: int) -> tuple[float, float, float]:
    """The chances that i is better than j, that they are equal, and that j is better."""
    tie = -np.inf if of.ties is None else of.ties + (of.logs[i] + of.logs[j]) / 2
    parts = np.array([of.logs[i], tie, of.logs[j]])
    better, equal, worse = np.exp(parts - np.logaddexp.reduce(parts))
    return float(better), float(equal), float(worse)


def covariance(of: Strengths, wins: Matrix, ties: Matrix, prior: float = PRIOR) -> Matrix:
    """The covariance of the strengths' logarithms, if each comparison is independent of the others.

    It is the inverse of the information in as many comparisons and in the prior.
    """
    models, tied = len(wins), of.ties is not None
    information = np.zeros((models + tied, models + tied))
    information[range(models), range(models)] = prior / (1 + np.cosh(of.logs))
    for i, j in combinations(range(models), 2):
        chance, shown = np.array(chances(of, i, j)), np.zeros((3, models + tied))
        shown[0, i] = shown[2, j] = 1
        shown[1, [i, j]] = 1 / 2
        shown[1, models:] = 1
        mean = chance @ shown
        count = wins[i, j] + wins[j, i] + ties[i, j]
        information += count * (shown.T @ (chance[:, None] * shown) - np.outer(mean, mean))
    centred = np.eye(models) - 1 / models
    found: Matrix = centred @ np.linalg.pinv(information)[:models, :models] @ centred
    return found


def connected(compared: Matrix) -> bool:
    """True if comparisons link all models; `compared[i, j]` is not 0 where i and j were compared."""
    reached, front = {0}, [0]
    while front:
        one = front.pop()
        new = [int(other) for other in np.flatnonzero(compared[one] + compared[:, one]) if other not in reached]
        reached.update(new)
        front += new
    return len(reached) == len(compared)


def resampled(by_group: Sequence[tuple[Matrix, Matrix]], times: int, seed: int = 0) -> list[list[float]]:
    """Ratings from `times` resamples of whole groups (prompts), each with its wins and ties; in rows by resample."""
    wins, ties = (np.stack(each) for each in zip(*by_group, strict=True))
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(times):
        drawn = np.bincount(rng.integers(0, len(wins), len(wins)), minlength=len(wins)).astype(float)
        rows.append(strengths(np.tensordot(drawn, wins, 1), np.tensordot(drawn, ties, 1)).ratings)
    return rows
