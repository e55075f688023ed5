"""Means over groups in clusters, numbers computed from them, and one procedure for their tests and intervals.

A group is what gets one score, such as the pictures of one prompt. Groups of one cluster, such as a law, may
err together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[np.float64]
else:
    Series: TypeAlias = Any

# The fewest clusters with a test and an interval. With fewer, the interval would be correct but too wide: 0.82 … 1 for
# 11 clusters that are all right, 0.53 … 1 for 5.
FEWEST = 12
# The weight of the pseudo-cluster (see `Means`), in clusters: for one number, and for a difference of two models, which
# a cluster may move twice as far.
PSEUDO, PSEUDO_PAIRED = 0.5, 0.25


def counting_as(sizes: Iterable[float]) -> float:
    """The number of clusters of equal sizes whose mean is as certain as that of clusters of these sizes.

    >>> counting_as([10] * 12), round(counting_as([30] * 7 + [3] * 28), 1)
    (12.0, 13.2)
    """
    every = list(sizes)
    squares = sum(size * size for size in every)
    return sum(every) ** 2 / squares if squares else 0.0


class Inference(msgspec.Struct, frozen=True):
    """A number of clusters with its t test and its interval, which are one procedure.

    The interval holds exactly the values that the test does not reject at the same alpha. Each side has a centre and a
    standard error of its own, in which a pseudo-cluster stands where it moves the number most to that side (`Means`).
    """

    value: float | None  # null where it is undefined
    clusters: float  # as many of equal sizes would tell as much (`counting_as`)
    down: tuple[float, float] = (0.0, 0.0)  # centre and standard error below the value
    up: tuple[float, float] = (0.0, 0.0)  # the same above it
    limits: tuple[float, float] = (-math.inf, math.inf)  # of the number

    def interval(self, alpha: float = 0.05) -> Estimate:
        """The value with its interval of 1 - `alpha`; no interval of fewer than `FEWEST` clusters."""
        from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

        if self.value is None or self.clusters < FEWEST:
            return Estimate(self.value, None, None)
        quantile = float(stdtrit(self.clusters - 1, 1 - alpha / 2))
        low, high = self.down[0] - quantile * self.down[1], self.up[0] + quantile * self.up[1]
        return Estimate(
            self.value, min(self.value, max(self.limits[0], low)), max(self.value, min(self.limits[1], high))
        )

    def p(self, truth: float = 0.0) -> float | None:
        """The two-sided p of the hypothesis that the true number is `truth`; None where there is no interval."""
        from scipy.special import stdtr

        if self.value is None or self.clusters < FEWEST:
            return None
        if truth == self.value:
            return 1.0
        if not self.limits[0] <= truth <= self.limits[1]:
            return 0.0
        centre, error = self.toward(truth)
        away = centre - truth if truth < self.value else truth - centre
        steps = away / error if error else math.copysign(math.inf, away)
        return min(1.0, 2 * float(stdtr(self.clusters - 1, -steps)))

    def toward(self, truth: float) -> tuple[float, float]:
        """The centre and the standard error on the side of the value on which `truth` lies."""
        return self.down if self.value is not None and truth < self.value else self.up


class Means:
    """Means over groups in clusters, with tests and intervals for the chance in drawing the clusters.

    The intervals are those of Student's t, with a standard error by the delta method; each group has the same weight.
    For each limit a made-up cluster, the pseudo-cluster, is added to the data. In it every mean has the value that
    moves the number most: down for the lower limit, up for the upper. So an interval has a width even where all
    clusters agree, and it holds a truth near an end of the scale that the sample does not show. Neither t alone nor a
    bootstrap does that (`benchmarks/coverage.py means`). Wilson's interval does the same for one share.

    `clusters`: the name of the cluster of each group. `copies`: True if the groups of a cluster are one prompt under
    several names, so that they are no more certain together than one of them.
    """

    def __init__(self, clusters: Sequence[str], copies: bool = False) -> None:
        import numpy as np

        self._copies = copies
        self._cluster = np.unique(np.array(clusters, dtype=object), return_inverse=True)[1]

    def infer(
        self,
        columns: Sequence[Sequence[float | None]],
        compute: Callable[..., Series],
        extremes: tuple[Sequence[float], Sequence[float]],
        limits: tuple[float, float],
        pseudo: float = PSEUDO,
        fewest: int = 0,
    ) -> Inference:
        """The inference about a number that `compute` makes from K means, one of each column.

        `columns`: (K, G) for G groups, None where a group has no value, which the mean leaves out. `compute`: from K
        arrays of means to the array of the number. `extremes`: the K means at which the number is least, and those at
        which it is largest. `limits`: its own least and largest value, where intervals end. `pseudo`: the weight of the
        pseudo-cluster, in clusters, if values vary within every cluster. The weight rises with the share of clusters in
        which no column varies, up to twice that (with `PSEUDO_PAIRED`, for a difference: with the share of clusters
        of a single group). With fewer clusters than `fewest` only the value is given; it is None where it is undefined.
        """
        import numpy as np

        has = np.array([[value is not None for value in column] for column in columns], dtype=float)
        filled = np.array([[value or 0.0 for value in column] for column in columns])
        sums, counts, squares = (
            np.array([np.bincount(self._cluster, weights=row) for row in matrix]) for matrix in (filled, has, filled**2)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(compute(*(sums.sum(axis=1) / counts.sum(axis=1))[:, None])[0])
        used = counts.any(axis=0)
        n = min(map(counting_as, counts.tolist()))
        if not np.isfinite(value) or n < fewest:
            return Inference(value if np.isfinite(value) else None, n)
        varies = (
            counts * squares - sums**2 > 1e-9 * counts**2 if pseudo >= PSEUDO else (counts > 1) & (not self._copies)
        )
        weight = pseudo * (1 + float(np.mean(~varies[:, used].any(axis=0))))
        size = weight * (counts**2).sum(axis=1) / counts.sum(axis=1)  # in groups
        down_and_up = []
        for extreme in extremes:
            extreme_means = np.asarray(extreme, float)
            totals = counts.sum(axis=1) + size
            means = (sums.sum(axis=1) + size * extreme_means) / totals
            steps = 1e-6 * np.where(means == 0, 1.0, np.abs(means))
            with np.errstate(divide="ignore", invalid="ignore"):
                centre, *moved = compute(*(means[:, None] + np.c_[0 * steps, np.diag(steps), -np.diag(steps)]))
            slopes = (np.array(moved[: len(steps)]) - np.array(moved[len(steps) :])) / (2 * steps) / totals
            # No matrix products, whose order of summing differs between machines.
            influences = (slopes[:, None] * (sums - means[:, None] * counts)).sum(axis=0)
            total = float((influences**2).sum()) + float((slopes * size * (extreme_means - means)).sum()) ** 2 / weight
            down_and_up.append((float(centre), math.sqrt(total * (n + weight) / (n + weight - 1))))
        return Inference(value, n, down_and_up[0], down_and_up[1], limits)
