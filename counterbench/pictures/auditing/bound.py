"""The share of wrong answers that disjoint groups of answers prove, with a lower bound for all groups.

A group has n answers, of which at least w are wrong; N is the most answers that any group can have. Suppose somebody
claims that a share s of all answers, or less, is wrong. A gambler bets against this claim. Each group multiplies the
money by 1 + b (w − s n) / (s N), which never falls below 0; b, from 0 to 1, is the size of the bet. If the claim is
true, the groups' mean of w − s n is 0 or less, so the money does not grow on average. Then it reaches 1/α with a chance
of at most α (Markov), for any number of groups and however rare contradictions are; where it does, the claim is
rejected. The lower bound is the largest share that is rejected. Groups drawn without replacement are no worse: the mean
of such a product is at most that of draws with replacement (Hoeffding 1963, theorem 4).
"""

import math
from collections.abc import Sequence

import numpy as np

from counterbench.stats.sampled import BETS

_STEPS = 40  # halvings of the interval in which the bound lies, so that it is known to 1e-12


def share_low(wrong: Sequence[int], totals: Sequence[int], most: int, alpha: float = 0.05) -> float:
    """A lower bound on the share of wrong answers among those of all groups: one-sided, at the level `alpha`.

    `wrong`: the least number of wrong answers of each group; `totals`: the number of its answers; `most`: the most
    answers that a group can have, which must not depend on what was answered.

    >>> round(share_low([2] * 60, [8] * 60, 8), 2), share_low([0] * 60, [8] * 60, 8)
    (0.23, 0.0)
    """
    if not sum(wrong):
        return 0.0
    w, n = np.array(wrong, float), np.array(totals, float)

    def is_shown(share: float) -> bool:
        """True if the bets show that more than this share of all groups' answers is wrong."""
        gains = np.log1p(np.maximum(np.multiply.outer(BETS, (w - share * n) / (share * most)), -1 + 1e-15)).sum(axis=1)
        return bool(np.logaddexp.reduce(gains) - math.log(len(BETS)) >= -math.log(alpha))

    low, high = 0.0, float(w.sum() / n.sum())
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_shown(middle) else (low, middle)
    return low if low > 1e-9 else 0.0
