"""Means over groups in clusters, numbers computed from them, and their intervals, also under weights."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[np.float64]
else:
    Series: TypeAlias = Any

# The fewest clusters with an interval. Of fewer it would be correct but too wide: 11 laws that are all right have
# 0.82 … 1, 5 have 0.53 … 1.
FEWEST = 12
# The weight of a pseudo-law: for one number, and for a difference of two models, which a law may move twice as far.
PSEUDO, PSEUDO_PAIRED = 0.5, 0.25


class Weighted(ABC):
    """Groups counted as often as their cluster is, in several ways.

    Every measure is a row of numbers, its value in each way. Arithmetic on such rows gives the measures that are made
    of others.
    """

    def __init__(self, clusters: Sequence[str]) -> None:
        import numpy as np

        names = sorted(set(clusters))
        place = {name: number for number, name in enumerate(names)}
        self._cluster = np.array([place[cluster] for cluster in clusters], dtype=int)
        self.clusters = len(names)
        self._counts: dict[bytes, Series] = {}  # most columns have a value in the same groups

    def mean(self, values: Sequence[float | None]) -> Series:
        """The mean over the groups that have a value, in the order of `clusters`; NaN if none has."""
        import numpy as np

        has = np.array([value is not None for value in values])
        filled = np.array([0.0 if value is None else value for value in values])
        sums, counts = (
            np.bincount(self._cluster, weights=of, minlength=self.clusters).astype(float) for of in (filled, has)
        )
        if (which := counts.tobytes()) not in self._counts:
            self._counts[which] = self.total(counts)
        with np.errstate(invalid="ignore"):
            result: Series = self.total(sums) / self._counts[which]
        return result

    @abstractmethod
    def total(self, of: Series) -> Series:
        """The sum, in each way, of a number of every cluster, these by name."""


class Means:
    """Means over groups in clusters, with intervals for the chance in drawing the clusters.

    t by the delta method, of clusters weighted as their groups are, with a pseudo-cluster for each limit: in it every
    mean stands where it moves the number most, down for the lower limit and up for the upper. So an interval has a
    width too where all clusters agree, and holds a truth near an end of the scale that the sample does not show, which
    neither t nor a bootstrap does (`benchmarks/coverage.py means`). Wilson's interval does the same for one share.
    """

    def __init__(self, clusters: Sequence[str]) -> None:
        import numpy as np

        self._cluster = np.unique(np.array(clusters, dtype=object), return_inverse=True)[1]

    def estimate(
        self,
        columns: Sequence[Sequence[float | None]],
        compute: Callable[..., Series],
        corners: tuple[Sequence[float], Sequence[float]],
        limits: tuple[float, float],
        pseudo: float = PSEUDO,
    ) -> Estimate:
        """The value of `compute`, of the columns' means over the groups that have a value, and its 95 % interval.

        `corners`: the means, a number a column, where it is least, and where it is largest; `limits`: of the number,
        beyond which no interval goes. `pseudo`: the weight of the pseudo-cluster where clusters have several groups; it
        is twice that where each is one group, which may be all or nothing, and between by how many are such. No value
        where it is undefined, no interval of fewer than `FEWEST` clusters.
        """
        import numpy as np
        from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

        has = np.array([[value is not None for value in column] for column in columns], dtype=float)
        filled = np.array([[value or 0.0 for value in column] for column in columns])
        sums, counts = (np.array([np.bincount(self._cluster, weights=row) for row in of]) for of in (filled, has))
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(compute(*(sums.sum(axis=1) / counts.sum(axis=1))[:, None])[0])
        if not np.isfinite(value):
            return Estimate(None, None, None)
        used = counts.any(axis=0)
        n = int(used.sum())
        if n < FEWEST:
            return Estimate(value, None, None)
        weight = pseudo * (1 + float(np.mean(counts[:, used].max(axis=0) == 1)))
        size = weight * counts.sum(axis=1) / (counts > 0).sum(axis=1)  # in groups
        quantile, ends = float(stdtrit(n - 1, 0.975)), []
        for corner, sign in zip(corners, (-1, 1), strict=True):
            at = np.asarray(corner, float)
            totals = counts.sum(axis=1) + size
            means = (sums.sum(axis=1) + size * at) / totals
            steps = 1e-6 * np.where(means == 0, 1.0, np.abs(means))
            centre, *moved = compute(*(means[:, None] + np.c_[0 * steps, np.diag(steps), -np.diag(steps)]))
            slopes = (np.array(moved[: len(steps)]) - np.array(moved[len(steps) :])) / (2 * steps) / totals
            # No matrix products, whose order of summing differs between machines.
            apart = (slopes[:, None] * (sums - means[:, None] * counts)).sum(axis=0)
            squares = float((apart**2).sum()) + float((slopes * size * (at - means)).sum()) ** 2 / weight
            ends.append(float(centre) + sign * quantile * math.sqrt(squares * (n + weight) / (n + weight - 1)))
        return Estimate(value, min(value, max(limits[0], ends[0])), max(value, min(limits[1], ends[1])))


class Jackknife(Weighted):
    """All clusters, then all but each in turn, for `pseudovalues`."""

    def total(self, of: Series) -> Series:
        """See `Weighted`."""
        import numpy as np

        result: Series = of.sum() - np.concatenate([[0.0], of])
        return result


def pseudovalues(series: Series) -> Series:
    """The contribution of each cluster to a measure under a `Jackknife` (Tukey 1958): n θ - (n - 1) θ without it.

    Of a mean of clusters of one size their own means. Their variance ÷ n is that of the measure. Not finite where the
    measure is not.
    """
    import numpy as np

    n = len(series) - 1
    with np.errstate(invalid="ignore"):  # a ratio that is undefined of all and without a cluster stays so
        result: Series = n * series[0] - (n - 1) * series[1:]
    return result
