"""Evidence that a share is above a bound, by betting: valid after any number of looks, and at any stop.

A gambler starts with 1 and bets on every trial that it will be a hit. If the true share is `bound` or less, whatever
came before, no bet gains on average, so the money is an e-process: the chance that it ever reaches 1/α is at most α
(Ville's inequality). Waudby-Smith and Ramdas ("Estimating means of bounded random variables by betting", JRSS-B 2023)
bet λ·(x − m) on a mean m; here x is 0 or 1, λ runs from 0 to the greatest bet that cannot lose more than there is, 1/m,
and the money is split over several constant bets (their "diversified Kelly").
"""

import math
from bisect import bisect_left
from functools import lru_cache

# The bets, in parts of the greatest; the money is split over them evenly. Most are near the greatest, which pays most
# where nothing is missed and is lost with the first miss.
BETS = tuple(1 - (k / 10) ** 2 for k in range(10))
_MAX_HITS = 2**40  # more than any search needs


def log_evidence(hits: int, misses: int, bound: float) -> float:
    """The natural logarithm of the e-value against "the share of hits is at most `bound`" (0 < bound < 1).

    The order of the trials does not matter to it. Evidence against "at least `bound`" is that of the misses, at
    1 − bound.

    >>> [round(math.exp(log_evidence(n, 0, 0.5)), 2) for n in (0, 1, 5)]
    [1.0, 1.72, 18.18]
    """
    logs = [
        hits * math.log1p(bet * (1 - bound) / bound) + (misses * math.log1p(-bet) if misses else 0.0)
        for bet in BETS
        if bet < 1 or not misses
    ]
    largest = max(logs)
    return largest + math.log(sum(math.exp(log - largest) for log in logs) / len(BETS))


@lru_cache(65536)  # the same few counts come again and again
def hits_to_reach(log_e_needed: float, hits: int, misses: int, bound: float) -> int:
    """The number of further hits, without a miss, that bring `log_evidence` to `log_e_needed`; 0 if it is there."""
    return bisect_left(range(_MAX_HITS), log_e_needed, key=lambda n: log_evidence(hits + n, misses, bound))


def adjusted(evidence: list[float]) -> list[float]:
    """E-values of several hypotheses, each adjusted so that all at 1/α or more may be rejected together.

    The chance that any true one is among them is then at most α, however they depend on one another: closed testing by
    the arithmetic mean (Vovk and Wang, "E-values: calibration, combination and applications", Annals of Statistics
    2021, Algorithm 1). An adjusted e-value is the least mean of any set of hypotheses that contains it, which is one of
    itself and the k smallest others.

    >>> adjusted([100.0, 20.0, 0.0])
    [40.0, 10.0, 0.0]
    """
    order = sorted(range(len(evidence)), key=evidence.__getitem__)
    adjusted_values = list(evidence)
    for i, value in enumerate(evidence):
        total, count = value, 1
        for j in order:
            if j != i:
                total, count = total + evidence[j], count + 1
                adjusted_values[i] = min(adjusted_values[i], total / count)
    return adjusted_values
