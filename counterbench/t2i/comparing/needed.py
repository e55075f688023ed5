"""How many prompts would part two models that the data cannot tell apart."""

from __future__ import annotations

import math

from counterbench.stats.clusters import Jackknife, Series, pseudovalues
from counterbench.stats.power import times_needed
from counterbench.t2i.protocols.numbers import Paired
from counterbench.t2i.scores.measure import clusters_of

# More than so many nobody draws.
MOST = 2**20


def contributions(both: Paired) -> dict[str, Series]:
    """What each cluster contributes to each difference; their mean is about the difference itself."""
    weights = Jackknife(clusters_of(both.units))
    return {name: pseudovalues(of) for name, of in both.series(weights, weights).items()}


def units_needed(found: Series, units: int, level: float) -> int | None:
    """How many units 80 % power at `level` takes, if the difference seen is the true one; None where none can be named.

    `found`: the contributions of the clusters. The randomisation test of n clusters has no p below 2^(1 - n), so that
    there must be enough of them for `level`, too.
    """
    import numpy as np

    n = len(found)
    if n < 2 or not np.all(np.isfinite(found)):
        return None
    times = times_needed(float(np.mean(found)), math.sqrt(float(np.var(found, ddof=1)) / n), level=level)
    if not times:
        return None
    least = math.ceil(1 - math.log2(level))  # clusters, of which p can be as low: 2 ÷ 2ⁿ
    wanted = max(times, least / n) * units
    return max(math.ceil(wanted), units + 1) if wanted <= MOST else None
