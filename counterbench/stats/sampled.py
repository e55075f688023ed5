"""The sum over a finite set of things, some of which were looked at: drawn one by one, without replacement.

Each thing has a term whose range is known, a value that a judge gives for it, and a weight: the next thing is drawn
among those that are left with a chance in proportion to its weight. What is drawn is looked at, and its term is known.
The sum of all terms is then estimated, with an interval that holds at all times: one may look after every draw and stop
whenever one likes (a confidence sequence).

Method: betting on a weighted sample without replacement (Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting", JRSS-B 2023; Shekhar, Xu, Lipton, Liang and Ramdas, "Risk-limiting financial audits via weighted
sampling without replacement", UAI 2023), with the judge's values as control variates (Zrnic and Candès, "Active
statistical inference", 2024, arXiv 2403.03208).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The bets, in parts of the greatest that cannot lose more than there is; the money is split over them evenly.
BETS = np.array([1.0, 0.98, 0.92, 0.8, 0.65, 0.5, 0.35, 0.22, 0.12, 0.06])
# The judge's weight is one half at the start. That counts as much as so many things that were looked at.
_PRIOR = 4.0
_NOTHING = 1e-12  # a difference below this is one of rounding
_GRID = 200  # sums that are tried between the least and the largest, and again between the two around the end


class Terms(NamedTuple):
    """The N things: the range of each term, the judge's value for it, and its weight in the draw.

    All fields are (N,); weights are above 0.
    """

    low: Floats
    high: Floats
    judged: Floats
    weight: Floats

    @property
    def turned(self) -> "Terms":
        """The terms with the opposite sign."""
        return Terms(-self.high, -self.low, -self.judged, self.weight)


class SeenTerms(NamedTuple):
    """K things that were looked at, in the order in which they were drawn, and their terms (K,).

    A term that nobody could tell has two ends; for all others they are the same.
    """

    things: Sequence[int]
    low: Floats
    high: Floats

    @property
    def turned(self) -> "SeenTerms":
        """The terms with the opposite sign."""
        return SeenTerms(self.things, -self.high, -self.low)


class SumEstimate(NamedTuple):
    """The sum of all terms, with its interval; `judge_weight`: the trust in the judge's values, 0 … 1, at the end."""

    value: float
    low: float
    high: float
    judge_weight: float


class _TermDraw(NamedTuple):
    """One draw, for a bet on the sum: `foreseen`, `min_added` and `spread` are known before it.

    The estimate of the sum after the draw is `foreseen` + `drawn`.
    """

    foreseen: float  # the terms known so far, plus the judge's values of all other things times the judge's weight
    min_added: float  # the least that the draw can add to that
    drawn: float  # the number that it added
    spread: float  # the sum of the ranges of the terms that are left


def estimate(terms: Terms, sample: SeenTerms, alpha: float = 0.05) -> SumEstimate:
    """The sum of all terms from those seen, with an interval that holds at all times with a chance of 1 - alpha.

    The value is the mean of the estimates after each draw, weighted by 1 / (spread of what was left)².
    """
    lower, weight = _draws(terms, sample)
    upper, _ = _draws(terms.turned, sample.turned)
    unseen = np.ones(len(terms.low), dtype=bool)
    unseen[list(sample.things)] = False
    # The rest is within its ranges, so that everything is known once all is seen.
    low_end = float(sample.low.sum() + terms.low[unseen].sum())
    high_end = float(sample.high.sum() + terms.high[unseen].sum())
    low, high = _lower_end(lower, (low_end, high_end), alpha / 2), -_lower_end(upper, (-high_end, -low_end), alpha / 2)
    both = [(down.foreseen + down.drawn - up.foreseen - up.drawn) / 2 for down, up in zip(lower, upper, strict=True)]
    precisions = [1 / max(step.spread, _NOTHING) ** 2 for step in lower]
    value = float(np.average(both, weights=precisions)) if both else float(terms.judged.sum())
    return SumEstimate(min(max(value, low), high), low, high, weight)


def log_evidence(terms: Terms, sample: SeenTerms, bound: float = 0.0, bets: Floats = BETS) -> float:
    """The natural logarithm of the e-value against "the sum of all terms is at most `bound`".

    It is infinite if the terms that were seen make that impossible. The judge's values are not used.

    >>> ones = np.ones(10_000)
    >>> terms = Terms(ones * -0.85, ones * 0.15, ones * 0, ones)
    >>> round(log_evidence(terms, SeenTerms(range(26), ones[:26] * 0.15, ones[:26] * 0.15)), 1)
    3.4
    """
    return float(log_evidences(terms, sample, bound, bets)[-1])


def log_evidences(terms: Terms, sample: SeenTerms, bound: float = 0.0, bets: Floats = BETS) -> Floats:
    """The logarithm of the e-value of `log_evidence` before the first thing that was seen, and after each: (K + 1,).

    `bets` (B,): see `BETS`.
    """
    return np.append(0.0, _log_wealth(_draws(terms, sample, fixed_weight=0.0)[0], np.array([bound]), bets)[:, 0])


def p_value(terms: Terms, sample: SeenTerms, total: float = 0.0) -> float:
    """The two-sided p of the hypothesis that the sum of all terms is `total`, valid after any number of looks."""
    sides = ((terms, sample, total), (terms.turned, sample.turned, -total))
    steps = [(_draws(terms, sample)[0], np.array([total])) for terms, sample, total in sides]
    return min([1.0, *(2 * math.exp(-_log_wealth(*side).max()) for side in steps if side[0])])


def _draws(terms: Terms, sample: SeenTerms, fixed_weight: float | None = None) -> tuple[list[_TermDraw], float]:
    """The draws, and the judge's weight after the last, 0 … 1.

    `fixed_weight`: the weight of the judge at all draws; None: the one that the draws so far suggest.
    """
    unseen = np.ones(len(terms.low), dtype=bool)
    total, judged = 0.0, float(terms.judged.sum())
    weights, spread = float(terms.weight.sum()), float((terms.high - terms.low).sum())
    products = squares = 0.0
    steps = []
    unit = float(np.mean(terms.high - terms.low)) or 1.0
    for thing, low, high in zip(sample.things, sample.low, sample.high, strict=True):
        beta = fixed_weight if fixed_weight is not None else _judge_weight(products, squares)
        chance = terms.weight / weights
        added = (terms.low - beta * terms.judged)[unseen] / chance[unseen]
        foreseen = total + beta * judged
        steps.append(
            _TermDraw(foreseen, float(added.min()), float((low - beta * terms.judged[thing]) / chance[thing]), spread)
        )
        # The judge's value and the term, from the middle of the thing's range, in parts of the mean range.
        middle = (terms.low[thing] + terms.high[thing]) / 2
        guess, true = (terms.judged[thing] - middle) / unit, ((low + high) / 2 - middle) / unit
        products, squares = products + guess * true, squares + guess * guess
        unseen[thing] = False
        total, judged = total + float(low), judged - float(terms.judged[thing])
        weights, spread = weights - float(terms.weight[thing]), spread - float(terms.high[thing] - terms.low[thing])
    return steps, fixed_weight if fixed_weight is not None else _judge_weight(products, squares)


def _judge_weight(products: float, squares: float) -> float:
    """The weight of the judge's values, 0 … 1: the slope of true terms on them, drawn towards 1/2 by a prior.

    `products`: the sum of judged × true; `squares`: that of judged²; both from the middle of a thing's range, in
    parts of the mean range.
    """
    prior = _PRIOR / 4  # each counts as a value half a range from the middle, whose square is 1/4
    return float(min(1.0, max(0.0, (products + prior / 2) / (squares + prior))))  # Python's float, which JSON can hold


def _log_wealth(steps: Sequence[_TermDraw], sums: Floats, bets: Floats = BETS) -> Floats:
    """The logarithm of the money after each draw of bets against "the sum is at most …", for each of the sums: (K, S).

    `steps`: K draws; `sums` (S,); `bets` (B,), the parts of the greatest bet.
    """
    logs = np.zeros((len(bets), len(sums)))
    after = np.empty((len(steps), len(sums)))
    for number, step in enumerate(steps):
        worst = step.foreseen + step.min_added - sums
        won = step.foreseen + step.drawn - sums
        with np.errstate(divide="ignore", invalid="ignore"):
            # Where no draw can lose, one that wins refutes the sum, and one that does not says nothing.
            gain = np.where(worst < -_NOTHING, won / -worst, np.where(won > _NOTHING, np.inf, 0.0))
            # A sum that is refuted stays so, also for a bet that has lost all its money.
            change = np.log1p(np.maximum(np.multiply.outer(bets, gain), -1.0))
            logs = np.where(np.isposinf(logs) | np.isposinf(gain), np.inf, logs + change)
        after[number] = _log_mean(logs)
    return after


def _log_mean(logs: Floats) -> Floats:
    """The logarithm of the mean, over the B bets, of numbers with these logarithms: (S,) of (B, S)."""
    top = logs.max(axis=0)
    with np.errstate(invalid="ignore"):
        mean = top + np.log(np.exp(logs - top).mean(axis=0))
    return np.asarray(np.where(np.isinf(top), top, mean), float)


def _lower_end(steps: Sequence[_TermDraw], ends: tuple[float, float], alpha: float) -> float:
    """The lower end of the interval: the largest sum that the bets refute, or `ends[0]` if they refute none.

    `ends`: the least and the largest sum that are possible. Larger sums are refuted less.
    """
    low, high = ends
    if not steps or high <= low:
        return low
    for _ in range(2):  # the second time between the largest refuted sum and the next one
        sums = np.linspace(low, high, _GRID + 1)
        refuted = (_log_wealth(steps, sums).max(axis=0) >= -math.log(alpha)).nonzero()[0]
        if not len(refuted):
            return low
        place = int(refuted[-1])
        low, high = float(sums[place]), float(sums[min(place + 1, _GRID)])
    return low
