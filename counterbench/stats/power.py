"""Power of a paired comparison, and the number of pairs it needs."""

from __future__ import annotations

import math

# Numbers of discordant pairs less likely than this in either tail are left out of the sum.
NEGLIGIBLE = 1e-12


MOST_PAIRS = 2**20  # nobody draws more, and to find the number takes long


def times_needed(difference: float, error: float, power: float = 0.8, level: float = 0.05) -> float | None:
    """The factor of units by which a two-sided test reaches `power`, if the observed difference is the true one.

    `error` is the difference's standard error with the units as they are, which falls with the root of their number;
    the test is taken to be normal: ((z(1 - level/2) + z(power)) · error / difference)². None where no difference was
    seen.
    """
    if difference == 0:
        return None
    from scipy.special import ndtri  # the same in scipy.stats takes a second to import

    return float(((ndtri(1 - level / 2) + ndtri(power)) * error / difference) ** 2)


def mcnemar_power(pairs: int, only_first: float, only_second: float, level: float = 0.05) -> float:
    """The chance, 0 … 1, that McNemar's exact test has p <= `level` on so many pairs.

    `only_first` and `only_second` are the probabilities (0 … 1) that a pair is right by the one judge alone. The number
    m of discordant pairs is binomial (pairs, only_first + only_second), and given m the first judge has k of them,
    binomial (m, only_first / (only_first + only_second)); the test rejects where k <= c(m) or k >= m - c(m), c(m) being
    the largest k with 2 · P(K <= k | m, 1/2) <= level. The power is the sum over m of P(m) · P(rejects | m). (The
    unconditional power of the conditional test: what SAS calls EXACT_COND; exact2x2's `powerPaired2x2(strict=TRUE)`.)
    """
    discordant = min(1.0, only_first + only_second)
    if discordant == 0 or pairs == 0:
        return 0.0
    import numpy as np
    from scipy.stats import binom

    low = int(binom.ppf(NEGLIGIBLE, pairs, discordant))
    high = int(binom.isf(NEGLIGIBLE, pairs, discordant))
    m = np.arange(max(low, 1), high + 1)
    critical = binom.ppf(level / 2, m, 0.5)  # the smallest k with P(K <= k) >= level / 2 …
    critical = np.where(2 * binom.cdf(critical, m, 0.5) <= level, critical, critical - 1)  # … so that or the one below
    split = min(1.0, only_first / discordant)
    rejects = binom.cdf(critical, m, split) + binom.sf(m - critical - 1, m, split)
    return float(np.clip(np.sum(binom.pmf(m, pairs, discordant) * rejects), 0, 1))


def pairs_needed(only_first: float, only_second: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """The number of pairs with which McNemar's exact test reaches `power` (see `mcnemar_power`).

    None where both are the same, or where more than `MOST_PAIRS` would be needed.

    Found by doubling and halving: with this number the power is reached, with one fewer it is not. The power of an
    exact test has small steps down as pairs are added, so a slightly smaller number may happen to reach it too.
    """
    if min(1.0, only_first + only_second) == 0 or math.isclose(only_first, only_second):
        return None
    enough = 1
    while mcnemar_power(enough, only_first, only_second, level) < power:
        enough *= 2
        if enough > MOST_PAIRS:
            return None
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if mcnemar_power(middle, only_first, only_second, level) >= power:
            enough = middle
        else:
            too_few = middle
    return enough
