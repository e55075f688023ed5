"""Means over groups and what is computed from them, under the same draws of whole clusters: one bootstrap for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[np.float64]
else:
    Series: TypeAlias = Any

DRAWS, SEED = 2000, 0


class Resample:
    """Draws of as many clusters as there are, with replacement, `draws` times; a percentile bootstrap (Efron 1979).

    Every measure is a row of numbers: first its value on the clusters as they are, then on each draw. Arithmetic on
    such rows gives the measures that are made of others, and pairs two models when both are measured under one
    resample. A seed gives the same draws on every machine. With few clusters (fewer than about 30), or near the end of
    a scale, the intervals are too narrow.
    """

    def __init__(self, clusters: Sequence[str], draws: int = DRAWS, seed: int = SEED) -> None:
        import numpy as np

        names = sorted(set(clusters))
        place = {name: number for number, name in enumerate(names)}
        self._cluster = np.array([place[cluster] for cluster in clusters], dtype=int)
        self.clusters = n = len(names)
        # NumPy promises the raw numbers of its bit generators for good, and of nothing drawn from them.
        raw = np.random.PCG64(seed).random_raw((draws, n))
        chosen = ((raw >> np.uint64(11)) * 2.0**-53 * n).astype(int)
        times = np.bincount((np.arange(draws)[:, None] * n + chosen).ravel(), minlength=draws * n).reshape(draws, n)
        self._times = np.vstack([np.ones((1, n), dtype=int), times])

    def mean(self, values: Sequence[float | None]) -> Series:
        """The mean over the groups that have a value, the groups in the order of `clusters`; NaN where none has."""
        import numpy as np

        has = np.array([value is not None for value in values])
        filled = np.array([0.0 if value is None else value for value in values])
        sums = np.bincount(self._cluster, weights=filled, minlength=self.clusters)
        counts = np.bincount(self._cluster, weights=has, minlength=self.clusters)
        with np.errstate(invalid="ignore"):
            # Not a matrix product, whose order of summing differs between machines.
            found: Series = (self._times * sums).sum(axis=1) / (self._times * counts).sum(axis=1)
        return found

    def estimate(self, series: Series) -> Estimate:
        """A measure's value and interval; draws in which it is undefined are left out.

        No value where it is undefined on the clusters as they are, no interval with fewer than two clusters.
        """
        import numpy as np

        if not np.isfinite(series[0]):
            return Estimate(None, None, None)
        drawn = series[1:][np.isfinite(series[1:])]
        if self.clusters < 2 or not len(drawn):
            return Estimate(float(series[0]), None, None)
        low, high = np.quantile(drawn, [0.025, 0.975])
        return Estimate(float(series[0]), float(low), float(high))
