"""The mean of differences that are −1, 0 or 1, with an interval that holds at any stop, by betting.

Each of two judges is right (1) or not (0) on a pair; d is the new judge's minus the old one's. With x = (1 + d) / 2, a
gambler bets against "the mean of d is at most m" as `stats.betting` does on shares: a bet b makes of his money
1 − b + b·(1 + d)/(1 + m) times as much, which is 1 on average if the mean is m. The money is split over a few constant
bets. So the order of the pairs does not matter, and pairs may come in rounds of one from each of several cells: if the
mean over the cells is m, a whole round wins nothing on average either (a product of means is at most the power of
their mean). One may look after any round, and stop.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from counterbench.stats.intervals import Estimate

# The bets, in parts of the greatest that cannot lose more than there is. They suit judges that are right on 90 % or
# more: few pairs differ, and most of these count for a large part.
BETS = (0.6, 0.4, 0.2)
_STEPS = 40  # halvings of an interval of length 2


class Differences(NamedTuple):
    """The numbers of pairs on which only the new judge is right, on which only the old one is, and of the others."""

    gained: float = 0
    lost: float = 0
    same: float = 0

    @property
    def pairs(self) -> float:
        """The number of all pairs."""
        return self.gained + self.lost + self.same

    @property
    def turned(self) -> "Differences":
        """The counts with old and new judge exchanged."""
        return Differences(self.lost, self.gained, self.same)

    def times(self, factor: float) -> "Differences":
        """The counts of `factor` times as many pairs, in the same shares."""
        return Differences(self.gained * factor, self.lost * factor, self.same * factor)


def as_one(counts: Differences) -> Differences:
    """All pairs as one pair, for replies that err together: gained if more are gained than lost, lost if fewer are."""
    ahead = counts.gained - counts.lost
    return Differences(int(ahead > 0), int(ahead < 0), int(ahead == 0))


def together(parts: Iterable[Differences]) -> Differences:
    """The counts of all parts together."""
    return Differences(*map(sum, zip(Differences(), *parts, strict=True)))


def log_evidence(counts: Differences, bound: float) -> float:
    """The natural logarithm of the e-value against "the mean is at most `bound`" (−1 < bound < 1).

    >>> [round(math.exp(log_evidence(Differences(n, 0, 10), 0)), 1) for n in (0, 5, 10)]
    [1.0, 6.1, 48.4]
    """
    logs = [
        counts.gained * math.log1p(bet * (1 - bound) / (1 + bound))
        + counts.same * math.log1p(-bet * bound / (1 + bound))
        + counts.lost * math.log1p(-bet)
        for bet in BETS
    ]
    largest = max(logs)
    return largest + math.log(sum(math.exp(log - largest) for log in logs) / len(BETS))


def mean(counts: Differences, alpha: float) -> Estimate:
    """The mean, with the interval that holds at all times with a chance of 1 − alpha.

    >>> result = mean(Differences(1, 30, 300), 0.05)
    >>> round(result.value, 3), round(result.low, 3), round(result.high, 3)
    (-0.088, -0.143, -0.045)
    """
    value = (counts.gained - counts.lost) / counts.pairs if counts.pairs else None
    return Estimate(value, _lower_bound(counts, alpha / 2), -_lower_bound(counts.turned, alpha / 2))


def changed_since(looks: Sequence[Differences], alpha: float) -> int | None:
    """The index of the look at which a judge began to differ from itself, if the looks show that it did; else None.

    A look is one comparison of the judge with its former self: `looks` has the counts of each, the oldest first. A
    change may come late, so that all looks together would hide it: the money is split over gamblers who begin at each
    look, 1/(k(k + 1)) for look k = 1, 2, … They bet against "the mean is 0", on either side, with an error of `alpha`.
    """
    best: tuple[float, int | None] = (-math.log(alpha / 2), None)
    for turned in (False, True):
        logs, tail = list[float](), Differences()
        for look in reversed(looks):
            tail = together((tail, look))
            logs.insert(0, log_evidence(tail.turned if turned else tail, 0.0))
        if not logs:
            continue
        largest = max(logs)
        money = sum(math.exp(log - largest) / ((start + 1) * (start + 2)) for start, log in enumerate(logs))
        best = max(best, (largest + math.log(money), logs.index(largest)), key=lambda option: option[0])
    return best[1]


def _lower_bound(counts: Differences, alpha: float) -> float:
    """The largest mean that the bets refute; all smaller means are refuted too."""
    refuted, possible = -1.0, 1.0
    for _ in range(_STEPS):
        middle = (refuted + possible) / 2
        if log_evidence(counts, middle) >= -math.log(alpha):
            refuted = middle
        else:
            possible = middle
    return refuted
