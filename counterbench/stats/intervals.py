"""A number with its interval; Wilson's and the exact interval of a share."""

from functools import lru_cache
from math import sqrt

import msgspec


class Estimate(msgspec.Struct, frozen=True):
    """A number with the ends of its 95 % interval, in its own unit; null where it, or its interval, is undefined."""

    value: float | None
    low: float | None
    high: float | None


UNDEFINED = Estimate(None, None, None)
# Quantiles of the normal distribution, as scipy gives them: a second of import for one number.
_Z = {0.95: 1.959963984540054}


def _normal_quantile(p: float) -> float:
    """The quantile of the standard normal distribution at probability `p`."""
    from scipy.special import ndtri

    return float(ndtri(p))


@lru_cache(4096)
def wilson(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval for a share (Wilson 1927); None when `total` is 0.

    Its coverage is `confidence` on average over shares; for a single one it can be below.

    >>> [round(float(x), 3) for x in wilson(33, 33)]
    [0.896, 1.0]
    """
    if total == 0:
        return None
    p, z = successes / total, _Z.get(confidence) or _normal_quantile(0.5 + 0.5 * confidence)
    denominator = 2 * (total + z * z)
    centre = (2 * total * p + z * z) / denominator
    half = z / denominator * sqrt(4 * total * p * (1 - p) + z * z)
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == total else centre + half)


def clopper_pearson(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """The exact interval of a share (Clopper and Pearson 1934), from scipy; None when `total` is 0.

    It holds the truth at least as often as it says, whatever the share, and so is wider than Wilson's.
    """
    if total == 0:
        return None
    from scipy.stats import binomtest

    interval = binomtest(successes, total).proportion_ci(confidence, "exact")
    return float(interval.low), float(interval.high)
