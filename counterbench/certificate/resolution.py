"""The score that a judge's own errors cost a perfect model; smaller differences of models may be the judge's."""

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import product

import msgspec

from counterbench.certificate.document import Certificate
from counterbench.scoring.scores import Share, share
from counterbench.stats.intervals import Estimate

# The points of a picture: the weight of each, and the number of its questions, which must all be answered rightly.
Points = tuple[tuple[float, int], ...]
# The points of most prompts of laws: integrity, assessment point, and logic consistency with two checks.
LAWS: Points = ((3, 1), (15, 1), (8, 2))
THRESHOLD = 0.5  # CF-Eval's gate


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
