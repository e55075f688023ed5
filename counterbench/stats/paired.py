"""Comparison of two judges on the same pairs: a test, the difference, its interval, and the units that would show it.

Two judges are compared by the 2x2 counts of pairs: right by both, only by the first, only by the second, by neither.
Holm's adjustment is for the p-values of several such tests.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

from counterbench.stats.intervals import Estimate, wilson

POWER = 0.8  # of the tests for which a number of units is named


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
    """The first share minus the second, -1 … 1, with its interval; None without any pair. The counts: see the module.

    Newcombe's method 10 (1998, Statistics in Medicine 17, 2635-2650): the Wilson limits of both shares, squared and
    added, with their correlation phi, whose numerator is drawn towards 0 by n/2 where it is positive. Approximate; it
    stays within -1 … 1 and has a width also where no pair is discordant.
    """
    total = both + only_first + only_second + neither
    first, second = both + only_first, both + only_second
    first_interval, second_interval = wilson(first, total, confidence), wilson(second, total, confidence)
    if first_interval is None or second_interval is None:
        return None
    first_share, second_share = first / total, second / total
    phi = _phi(both, only_first, only_second, neither)
    down = _square_and_add(first_share - first_interval[0], second_interval[1] - second_share, phi)
    up = _square_and_add(second_share - second_interval[0], first_interval[1] - first_share, phi)
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


def _square_and_add(a: float, b: float, correlation: float) -> float:
    """The root of the sum of two squares, less twice their product times the correlation."""
    return math.sqrt(max(0.0, a * a - 2 * correlation * a * b + b * b))


def times_needed(difference: float, error: float, alpha: float = 0.05) -> float | None:
    """The factor of units by which a two-sided test reaches POWER, if the observed difference is the true one.

    `error` is the difference's standard error with the units as they are, which falls with the root of their number;
    the test is taken to be normal: ((z(1 - alpha/2) + z(POWER)) · error / difference)². None where no difference was
    seen.
    """
    if difference == 0:
        return None
    from scipy.special import ndtri  # the same in scipy.stats takes a second to import

    return float(((ndtri(1 - alpha / 2) + ndtri(POWER)) * error / difference) ** 2)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) step-down adjustment, in the order given: rejecting those <= 0.05 makes any false rejection at all
    at most 5 % likely, however the tests depend on each other. None, for no test, stays None.

    The k-th smallest of n is multiplied by n - k + 1, and is at least the one before it and at most 1. (Written out
    because statsmodels' collects garbage in every call, 0.1 s in a large program; the tests hold ours against it.)
    """
    known = {i: p for i, p in enumerate(p_values) if p is not None}
    order = sorted(known, key=known.__getitem__)
    steps = accumulate((min(1.0, (len(order) - k) * known[i]) for k, i in enumerate(order)), max)
    adjusted = dict(zip(order, steps, strict=True))
    return [adjusted.get(i) for i in range(len(p_values))]
