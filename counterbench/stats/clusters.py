"""Means over groups in clusters, numbers computed from them, their intervals, also under weights; and a test.

Fisher's randomisation test: if two models do not differ, swapping them in any cluster changes no probability. So the
observed difference is compared with those after swaps in every possible set of clusters, or in many random sets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[np.float64]
    Bits: TypeAlias = npt.NDArray[np.uint8]
else:
    Series: TypeAlias = Any
    Bits: TypeAlias = Any

# The fewest clusters with an interval. Of fewer it would be correct but too wide: 11 laws that are all right have
# 0.82 … 1, 5 have 0.53 … 1.
FEWEST = 12
# The weight of a pseudo-law: for one number, and for a difference of two models, which a law may move twice as far.
PSEUDO, PSEUDO_PAIRED = 0.5, 0.25
# Up to so many clusters every set is tried, 8,192 of them.
MOST_EXACT = 13
DRAWS, SEED = 9_999, 0
# Sets that are summed at once.
_CHUNK = 1_000


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


class Swapped(Weighted):
    """Two models' groups, of which those of one are counted: its own, but the other's in the clusters of a set.

    `clusters`: of the groups of both, those of the `first` model of a name that sorts before the second's. `sets`: a
    row for each, eight clusters a byte.
    """

    def __init__(self, clusters: Sequence[str], sets: Bits, first: bool) -> None:
        super().__init__(clusters)
        self._sets, self._first = sets, first

    def total(self, of: Series) -> Series:
        """See `Weighted`."""
        import numpy as np

        one, other = np.split(of, 2)
        own, gained = (one, other - one) if self._first else (other, one - other)
        if not gained.any():  # as of counts, where both have all that they were asked
            return np.full(len(self._sets), own.sum())
        # The sum for each byte of a set is looked up, not added a cluster at a time.
        eights = np.pad(gained, (0, -len(gained) % 8)).reshape(-1, 1, 8)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
        adds, place = (bits * eights).sum(axis=2), np.arange(len(eights))
        chunks = (self._sets[start : start + _CHUNK] for start in range(0, len(self._sets), _CHUNK))
        result: Series = own.sum() + np.concatenate([adds[place, chunk].sum(axis=1) for chunk in chunks])
        return result


def swaps(clusters: Sequence[str], draws: int = DRAWS, seed: int = SEED) -> tuple[Weighted, Weighted]:
    """The two models as they are, then swapped in sets of clusters: ways to weight the groups of both.

    `clusters`: of each group. The columns that these weight have the first model's groups, then the second's, in that
    order. With at most `MOST_EXACT` clusters there is every set, the empty one first; else the empty one and `draws`
    random ones, the same on every machine.
    """
    both = [f"0{cluster}" for cluster in clusters] + [f"1{cluster}" for cluster in clusters]
    sets = _sets(len(set(clusters)), draws, seed)
    return Swapped(both, sets, first=True), Swapped(both, sets, first=False)


@lru_cache(maxsize=1)  # those of every two models that are compared
def _sets(n: int, draws: int, seed: int) -> Bits:
    """The sets of `n` clusters, eight a byte."""
    import numpy as np

    if n <= MOST_EXACT:
        return np.packbits(((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(np.uint8), axis=1)
    source = np.random.PCG64(seed)
    sizes = (min(_CHUNK, draws - start) for start in range(0, draws, _CHUNK))
    drawn = (source.random_raw((size, n)) >> np.uint64(63) for size in sizes)
    return np.vstack([np.zeros((1, -(-n // 8)), dtype=np.uint8), *(np.packbits(of != 0, axis=1) for of in drawn)])


def randomisation_p(differences: Series) -> float:
    """The two-sided p of a difference, the first of those found under `swaps`, among all of them.

    The share that is at least as far from 0, the one seen among them (Phipson and Smyth 2010: so it is never 0, and of
    random sets it is not too small). Where a swap leaves the measure undefined it counts as that far. 1 if the
    difference itself is undefined.
    """
    import numpy as np

    seen = abs(differences[0])
    if not np.isfinite(seen):
        return 1.0
    nearer = np.abs(differences) < seen - 1e-12  # sums in another order differ in the last digits
    return float(1 - np.mean(nearer))
