"""Figures computed exactly from a judge's CCS: the chance that it is admitted, the calls, and the resolution.

Chances and calls are known before anything is asked. The resolution is the score that a judge's own errors cost a
perfect model: smaller differences of models may be the judge's.

The model assumes a judge that is right on both pictures of a pair with the same probability, its true CCS, and
independently for each pair: `planted:noisy?p=1−√CCS` is such a judge. It is asked as `validate` asks.
The model leaves out control pairs, picture kinds, unparsed, refused and failed replies, and a change of the model.
A real judge is better on some laws than on others: for each law the chance at its CCS there counts.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from counterbench.certificate.cells import STEP, law_of, threshold
from counterbench.certificate.document import Certificate
from counterbench.certificate.policies import Policy
from counterbench.scoring.scores import Share, share
from counterbench.stats.betting import hits_to_reach
from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The true CCS values that chances are computed for, and the share of all laws that counts as "most".
TRUE_CCS = (0.90, 0.93, 0.95, 0.97, 0.99)
MOST_LAWS = 0.9
# The points of a picture: the weight of each, and the number of its questions, which must all be answered rightly.
Points = tuple[tuple[float, int], ...]
# The points of most prompts of laws: integrity, assessment point, and logic consistency with two checks.
LAWS: Points = ((3, 1), (15, 1), (8, 2))
THRESHOLD = 0.5  # CF-Eval's gate


class Chance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result that a judge with a given true CCS in every cell can expect from `validate`."""

    all_laws: float  # the probability that it is admitted to all laws
    most_laws: float  # the probability that it is admitted to at least 90 % of them
    calls: int  # questions of one vote each, on average, if no law is lost; more if some are


def chances(policy: Policy, cells: Iterable[str], attempt: int = 1) -> dict[str, Chance]:
    """The chances at each true CCS of `TRUE_CCS`, by its text ("0.90")."""
    of_law = Counter(law_of(cell) for cell in cells)
    return {f"{ccs:.2f}": chance(policy, list(of_law.values()), ccs, attempt) for ccs in TRUE_CCS}


def chance(policy: Policy, cells_of: list[int], ccs: float, attempt: int = 1) -> Chance:
    """The chance of a judge of this true CCS; `cells_of`: the number of cells of each law.

    All laws are admitted if every cell reaches the threshold. `most_laws` is a lower bound: the chance that, with m
    laws lost, all others reach m + 1 times the threshold, for the best m. `calls` holds if no law is lost; lost laws
    make the rest need more evidence (up to half as many calls again).
    """
    import numpy as np

    if not cells_of:
        return Chance(all_laws=0.0, most_laws=0.0, calls=0)
    least, laws = threshold(policy, attempt), len(cells_of)
    one, pairs = cell_chance(policy.ccs, policy.most, least, ccs)
    most = 0.0
    for lost in range(laws - math.ceil(MOST_LAWS * laws) + 1):
        shown, _ = cell_chance(policy.ccs, policy.most, least * (lost + 1), ccs)
        happen = np.ones(1)  # the probability of so many of the laws
        for cells in cells_of:
            happen = np.convolve(happen, [1 - shown**cells, shown**cells])
        most = max(most, float(happen[laws - lost :].sum()))
    return Chance(all_laws=one ** sum(cells_of), most_laws=most, calls=round(2 * pairs * sum(cells_of)))


@functools.lru_cache(maxsize=4096)
def cell_chance(bound: float, most: int, least: float, ccs: float) -> tuple[float, float]:
    """The chance that a cell, or a picture kind, reaches `least` within `most` pairs, and the pairs asked on average.

    It is computed look by look, over the number of misses so far, with the steps of `cells.Look`.
    """
    import numpy as np

    shown, failed = _decided(bound, most, least)
    misses = np.arange(most + 1)
    reached = np.zeros((most + 1, most + 1))  # by pairs at a look, and misses among them
    reached[0, 0] = 1.0
    passed = asked = 0.0
    for n in range(most + 1):
        at_look, right = reached[n], np.maximum(n - misses, 0)
        up, down = right >= shown, misses >= failed[right]
        passed += float(at_look[up].sum())
        undecided = np.where(up | down, 0.0, at_look)
        blocks = np.minimum(np.minimum(shown - right, STEP), most - n)
        for block in set(blocks[undecided > 0].tolist()) - {0}:
            mass = np.where(blocks == block, undecided, 0.0)
            asked += block * float(mass.sum())
            for wrong in range(block + 1):
                p = math.comb(block, wrong) * ccs ** (block - wrong) * (1 - ccs) ** wrong
                reached[n + block, wrong:] += p * mass[: most + 1 - wrong]
    return passed, asked


@functools.lru_cache(maxsize=64)
def _decided(bound: float, most: int, least: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By misses so far the hits that show the bound, and by hits so far the misses that refute it."""
    import numpy as np

    log, counts = math.log(least), range(most + 1)
    shown = np.array([hits_to_reach(log, 0, misses, bound) for misses in counts])
    return shown, np.array([hits_to_reach(log, 0, hits, 1 - bound) for hits in counts])


def in_words(chance: float) -> str:
    """A chance in per cent for people to read; only 0 is given as certain.

    >>> in_words(0.9988), in_words(1.0), in_words(0.0004), in_words(0)
    ('99.9 %', 'over 99.9 %', 'under 0.1 %', '0 %')
    """
    percents = 100 * chance
    if chance == 0:
        return "0 %"
    if percents < 0.1:
        return "under 0.1 %"
    if percents > 99.9:
        return "over 99.9 %"
    return f"{percents:.1f} %"


class Resolution(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a perfect model under a judge with independent errors.

    Differences below 1 - `given` may be the judge's.
    """

    of: str  # the name of the score
    ccs: Share  # of the cells of the laws that the judge is admitted to; of all laws if it is admitted to none
    given: Estimate  # the score; its ends come from those of the CCS

    @property
    def words(self) -> str:
        """The resolution in one line."""
        return (
            f"resolution: with independent errors a judge of CCS {self.ccs.value:.2f} gives a perfect model {self.of} "
            f"{self.given.value:.2f}: differences below about {1 - (self.given.low or 0.0):.2f} may be this judge's"
        )


def resolution(
    certificate: Certificate,
    groups: Mapping[tuple[Points, Points], int] | None = None,
    samples: int = 1,
    threshold: float = THRESHOLD,
    of: str = "S_L2",
) -> Resolution | None:
    """The resolution of a certified judge; None if the certificate has no counted pair.

    `groups`: the number of prompt groups by the points of their pictures at L2 and at L1, which open the gate (empty:
    no gate). By default `LAWS` at both.
    """
    laws = certificate.admitted or list(certificate.laws)
    names = (cell for law in laws if law in certificate.laws for cell in certificate.laws[law].cells)
    cells = [certificate.cells[cell].ccs for cell in names if cell in certificate.cells]
    pooled = share(sum(cell.hits for cell in cells), sum(cell.of for cell in cells))
    if pooled.value is None:
        return None
    kinds = {(LAWS, LAWS): 1} if groups is None else groups
    given = (None if ccs is None else perfect_score(ccs, kinds, samples, threshold)
             for ccs in (pooled.value, pooled.low, pooled.high))  # fmt: skip
    return Resolution(of=of, ccs=pooled, given=Estimate(*given))


def perfect_score(ccs: float, groups: Mapping[tuple[Points, Points], int], samples: int, threshold: float) -> float:
    """The expected mean over groups of S behind the gate, if every picture is right.

    A judge that is right on both questions of a pair with chance `ccs`, independently, is right on one with √ccs. A
    point of k questions is then right with chance √ccs^k, and a group counts where the mean S_L1 of its samples reaches
    the threshold.
    """
    accuracy = math.sqrt(ccs)
    total = 0.0
    for (behind, first), times in groups.items():
        mean = sum(weight * accuracy**parts for weight, parts in behind) / sum(weight for weight, _ in behind)
        total += times * mean * (_opens(accuracy, first, samples, threshold) if first else 1.0)
    return total / sum(groups.values())


def _opens(accuracy: float, points: Points, samples: int, threshold: float) -> float:
    """The probability that the mean score of `samples` right pictures with these points reaches the threshold."""
    whole = sum(weight for weight, _ in points)
    one: dict[float, float] = defaultdict(float)
    for right in product((True, False), repeat=len(points)):
        of = list(zip(right, points, strict=True))
        score = sum(weight for good, (weight, _) in of if good) / whole
        one[score] += math.prod(accuracy**k if good else 1 - accuracy**k for good, (_, k) in of)
    sums = {0.0: 1.0}
    for _ in range(samples):
        added: dict[float, float] = defaultdict(float)
        for (before, p), (score, q) in product(sums.items(), one.items()):
            added[round(before + score, 9)] += p * q
        sums = added
    return sum(p for value, p in sums.items() if value >= threshold * samples - 1e-6)
