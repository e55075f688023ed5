"""Means over groups and what is computed from them, under the same draws of whole clusters: one bootstrap for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[np.float64]
else:
    Series: TypeAlias = Any

DRAWS, SEED = 2000, 0
# The fewest clusters that an interval is given for. With few (five to thirty), Cameron, Gelbach and Miller (2008) show,
# tests reject too often; here a 95 % interval of a mean held the truth in 46 % of simulations with 2 clusters, 83 with
# 5, 89 with 10 and 91 with 12, the first to miss at most twice as often as it says (benchmarks/coverage.py few).
FEWEST = 12


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
        """The mean over the groups that have a value, the groups in the order of `clusters`; NaN where none has."""
        import numpy as np

        has = np.array([value is not None for value in values])
        filled = np.array([0.0 if value is None else value for value in values])
        sums, counts = (
            np.bincount(self._cluster, weights=of, minlength=self.clusters).astype(float) for of in (filled, has)
        )
        if (which := counts.tobytes()) not in self._counts:
            self._counts[which] = self.total(counts)
        with np.errstate(invalid="ignore"):
            found: Series = self.total(sums) / self._counts[which]
        return found

    @abstractmethod
    def total(self, of: Series) -> Series:
        """The sum, in each way, of a number of every cluster, these by name."""


class Resample(Weighted):
    """Draws of as many clusters as there are, with replacement, `draws` times; a percentile bootstrap (Efron 1979).

    A measure's first number is its value on the clusters as they are, then come those of the draws. Two models are
    paired when both are measured under one resample. A seed gives the same draws on every machine. Fewer than `fewest`
    clusters give no interval; with fewer than about 30, or near the end of a scale, the intervals are too narrow.
    """

    def __init__(self, clusters: Sequence[str], draws: int = DRAWS, seed: int = SEED, fewest: int = FEWEST) -> None:
        import numpy as np

        self._fewest = fewest
        n = len(set(clusters))
        # NumPy promises the raw numbers of its bit generators for good, and of nothing drawn from them.
        raw = np.random.PCG64(seed).random_raw((draws, n))
        chosen = ((raw >> np.uint64(11)) * 2.0**-53 * n).astype(int)
        times = np.bincount((np.arange(draws)[:, None] * n + chosen).ravel(), minlength=draws * n).reshape(draws, n)
        super().__init__(clusters)
        self._times = np.vstack([np.ones((1, n)), times])

    def total(self, of: Series) -> Series:
        """See `Weighted`."""
        # Not a matrix product, whose order of summing differs between machines.
        found: Series = (self._times * of).sum(axis=1)
        return found

    def estimate(self, series: Series) -> Estimate:
        """A measure's value and interval; draws in which it is undefined are left out.

        No value where it is undefined on the clusters as they are, no interval with fewer than `fewest` clusters.
        """
        return self.estimates({"": series})[""]

    def estimates(self, measures: Mapping[str, Series]) -> dict[str, Estimate]:
        """The same of several measures: quantiles of many rows at once cost little more than those of one."""
        import numpy as np

        found: dict[str, Estimate] = {}
        by_draws: dict[int, dict[str, Series]] = {}
        for name, series in measures.items():
            drawn = series[1:][np.isfinite(series[1:])]
            if not np.isfinite(series[0]):
                found[name] = Estimate(None, None, None)
            elif self.clusters < self._fewest or not len(drawn):
                found[name] = Estimate(float(series[0]), None, None)
            else:
                by_draws.setdefault(len(drawn), {})[name] = drawn
        for rows in by_draws.values():
            low, high = np.quantile(np.stack(list(rows.values())), [0.025, 0.975], axis=1)
            for name, *ends in zip(rows, low, high, strict=True):
                found[name] = Estimate(float(measures[name][0]), *map(float, ends))
        return found


class Jackknife(Weighted):
    """All clusters, then all but each in turn: what `pseudovalues` needs of a measure."""

    def total(self, of: Series) -> Series:
        """See `Weighted`."""
        import numpy as np

        found: Series = of.sum() - np.concatenate([[0.0], of])
        return found


def pseudovalues(series: Series) -> Series:
    """What each cluster contributes to a measure under a `Jackknife` (Tukey 1958): n θ - (n - 1) θ without it.

    Of a mean of clusters of one size their own means. Their variance ÷ n is that of the measure. Not finite where the
    measure is not.
    """
    import numpy as np

    n = len(series) - 1
    with np.errstate(invalid="ignore"):  # a ratio that is undefined of all and without a cluster stays so
        found: Series = n * series[0] - (n - 1) * series[1:]
    return found
