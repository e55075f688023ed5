"""Intervals for a share. Imports nothing of counterbench."""

from __future__ import annotations


def wilson(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval for a share (Wilson 1927), from scipy; None when `total` is 0.

    >>> [round(float(x), 3) for x in wilson(33, 33)]
    [0.896, 1.0]
    """
    if total == 0:
        return None
    from scipy.stats import binomtest

    interval = binomtest(successes, total).proportion_ci(confidence_level=confidence, method="wilson")
    return float(interval.low), float(interval.high)
