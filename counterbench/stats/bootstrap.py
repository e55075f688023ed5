"""A seeded percentile bootstrap, for statistics that have no interval of their own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import TypeVar

from counterbench.stats.checks import check_fraction, check_lengths
from counterbench.stats.intervals import Estimate

T = TypeVar("T")


def bootstrap(
    items: Sequence[T],
    statistic: Callable[[Sequence[T]], float | None],
    *,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Estimate | None:
    """`statistic` of the items, with its percentile bootstrap interval (Efron 1979).

    As many items as there are, or with `clusters` (one name for each item) as many whole clusters as there are, are
    drawn with replacement, `draws` times. Items that share a scene are not independent: cluster them by it. The
    interval is approximate, and too narrow with fewer than about 30 items or clusters, or near the end of a scale.

    The statistic may be undefined (None) for a draw, which is then left out. None if there is no item, or if the
    statistic of all items or of every draw is undefined. The same seed gives the same interval on every machine.
    ValueError if lengths differ, draws is less than 1, seed is negative, or the confidence cannot be.
    """
    check_fraction("confidence", confidence)
    if draws < 1:
        raise ValueError(f"{draws} draws; at least 1 is needed, and about 2000 for a 95 % interval")
    if seed < 0:
        raise ValueError(f"a seed of {seed}; it cannot be negative")
    if clusters is not None:
        check_lengths(items, clusters)
    value = statistic(items) if items else None
    if value is None:
        return None
    groups = _groups(items, clusters)
    import numpy as np

    # NumPy promises the raw numbers of its bit generators for good, and of nothing drawn from them.
    raw = np.random.PCG64(seed).random_raw((draws, len(groups)))
    chosen = ((raw >> np.uint64(11)) * 2.0**-53 * len(groups)).astype(int)
    found = (statistic(list(chain.from_iterable(map(groups.__getitem__, row)))) for row in chosen.tolist())
    values = [each for each in found if each is not None]
    if not values:
        return None
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, float(low), float(high))


def _groups(items: Sequence[T], clusters: Sequence[Hashable] | None) -> list[list[T]]:
    """The items of each cluster, clusters in the order of their first item; without clusters each item alone."""
    if clusters is None:
        return [[item] for item in items]
    groups: dict[Hashable, list[T]] = {}
    for item, cluster in zip(items, clusters, strict=True):
        groups.setdefault(cluster, []).append(item)
    return list(groups.values())
