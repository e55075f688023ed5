"""Intervals for a share. Imports nothing of counterbench."""

from __future__ import annotations

import math

# The 97.5 % quantile of the normal distribution, for 95 % two-sided intervals.
Z95 = 1.959963984540054


def wilson(successes: int, total: int, z: float = Z95) -> tuple[float, float] | None:
    """Wilson's score interval for a share (Wilson 1927, eq. 4), 95 % by default; None when `total` is 0.

    The same as `scipy.stats.binomtest(k, n).proportion_ci(method="wilson")`, without that module's start-up time.

    >>> [round(x, 3) for x in wilson(33, 33)]
    [0.896, 1.0]
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} successes of {total}")
    if total == 0:
        return None
    share = successes / total
    centre = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low = 0.0 if successes == 0 else (centre - half) / scale
    high = 1.0 if successes == total else (centre + half) / scale
    return low, high
