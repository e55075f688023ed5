"""Two judges on the same pairs: is one better, and by how much.

Both questions are answered from the 2x2 counts: right by both, only by the first, only by the second, by neither.
"""

from __future__ import annotations

import math

from counterbench.stats.intervals import Estimate, wilson


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """The two-sided p of McNemar's exact test, from the discordant counts.

    If neither is better, each discordant pair falls to either side with probability 1/2, so p = min(1, 2 · P(X <= min))
    with X binomial (only_first + only_second, 1/2). 1 when there is no discordant pair.
    """
    if only_first + only_second == 0:
        return 1.0
    from scipy.stats import binom

    return min(1.0, 2 * float(binom.cdf(min(only_first, only_second), only_first + only_second, 0.5)))


def paired_difference(
    both: int, only_first: int, only_second: int, neither: int, confidence: float = 0.95
) -> Estimate | None:
    """The first share minus the second, -1 … 1, with its interval; None without any pair.

    Newcombe's method 10 (1998, Statistics in Medicine 17, 2635-2650): the Wilson limits of both shares, squared and
    added, with their correlation phi, whose numerator is drawn towards 0 by n/2 where it is positive. Approximate; it
    stays within -1 … 1 and has a width also where no pair is discordant.
    """
    total = both + only_first + only_second + neither
    first, second = both + only_first, both + only_second
    one, other = wilson(first, total, confidence), wilson(second, total, confidence)
    if one is None or other is None:
        return None
    share, share2 = first / total, second / total
    phi = _phi(both, only_first, only_second, neither)
    down = _square_and_add(share - one[0], other[1] - share2, phi)
    up = _square_and_add(share2 - other[0], one[1] - share, phi)
    value = (only_first - only_second) / total
    return Estimate(value, max(-1.0, value - down), min(1.0, value + up))


def _phi(both: int, only_first: int, only_second: int, neither: int) -> float:
    """Newcombe's corrected phi coefficient; 0 where one of the margins is empty."""
    margins = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    if margins == 0:
        return 0.0
    product: float = both * neither - only_first * only_second
    if product > 0:
        product = max(product - (both + only_first + only_second + neither) / 2, 0)
    return product / math.sqrt(margins)


def _square_and_add(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))
