"""How many prompts, or samples of each, would part two models that the data cannot tell apart."""

from __future__ import annotations

import math
from typing import NamedTuple

from counterbench.stats.clusters import Jackknife, Series, pseudovalues
from counterbench.stats.power import times_needed
from counterbench.t2i.protocols.numbers import Paired
from counterbench.t2i.scores.measure import clusters_of

# More than so many nobody draws.
MOST = 2**20


class Needed(NamedTuple):
    """What would part a tie: so many units with as many samples as now, or so many samples of each that there is."""

    units: int | None
    samples: int | None


NOTHING = Needed(None, None)


def contributions(both: Paired) -> dict[str, Series]:
    """What each cluster contributes to each difference; their mean is about the difference itself."""
    weights = Jackknife(clusters_of(both.units))
    return {name: pseudovalues(of) for name, of in both.series(weights, weights).items()}


def needed(found: Series, halves: tuple[Series, Series] | None, units: int, samples: int, level: float) -> Needed:
    """What 80 % power at `level` takes, if the difference seen is the true one.

    `found`: the contributions of the clusters, which vary from prompt to prompt and, where each has but some samples,
    by what these scatter. `halves`: the same of every other of the `samples`. They differ by the scatter alone, so that
    it is known apart, and with it what more samples would do. Without, or with one sample, none can be named.
    The randomisation test of n clusters has no p below 2^(1 - n): with fewer than `level` asks for, samples are no
    help.
    """
    import numpy as np

    n = len(found)
    if n < 2 or not np.all(np.isfinite(found)):
        return NOTHING
    variance = float(np.var(found, ddof=1))
    times = times_needed(float(np.mean(found)), math.sqrt(variance / n), level=level)
    if not times:
        return NOTHING
    least = math.ceil(1 - math.log2(level))  # clusters, of which p can be as low: 2 ÷ 2ⁿ
    if n < least:
        return Needed(_more_than(units, max(times, least / n) * units), None)
    more = None if halves is None or samples < 2 else _samples(variance, halves, variance / times, samples)
    return Needed(_more_than(units, times * units), None if more is None else _more_than(samples, more))


def _samples(variance: float, halves: tuple[Series, Series], wanted: float, samples: int) -> float | None:
    """How many samples of each prompt bring the variance of a contribution down to `wanted`, if any number does."""
    import numpy as np

    one, other = halves
    if len(one) != len(other) or not np.all(np.isfinite([*one, *other])):
        return None  # a half lost a cluster
    # A half's share of the scatter is as many times as large as it has fewer samples.
    times = samples / (samples - samples // 2) + samples / (samples // 2)
    scatter = min(float(np.var(one - other, ddof=1)) / times, variance)
    left = wanted - (variance - scatter)
    return samples * scatter / left if scatter > 0 and left > 0 else None


def _more_than(now: int, number: float) -> int | None:
    """A number of things, if anybody draws so many; more than there are, which did not part the tie."""
    return max(math.ceil(number), now + 1) if number <= MOST else None
