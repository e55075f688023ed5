"""The score of a model by one judge, foreseen from its score by another: a line through groups that both scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy.typing as npt

    AnyArray: TypeAlias = npt.NDArray[Any]
else:
    AnyArray: TypeAlias = Any

# A line needs so many groups of each model, in as many clusters; and so many models. A group is a prompt's pictures.
FEWEST, MODELS = 12, 3


class CrosswalkLine(msgspec.Struct, frozen=True):
    """The new judge's scores as a line of the old one's, through the groups of several models.

    Least squares would give too small a slope, since the old scores are noisy. So the slope is estimated with an
    instrumental variable, and has Fieller's interval. The instrument of a group is a sum of two means of old scores:
    over the same model's groups in other clusters, and over the same cluster's groups of other models. Their noise is
    not the group's own. The slope is kept between the least squares of new on old and of old on new, where slopes lie
    if the judges' noise is independent (Frisch 1934).
    """

    slope: float
    slope_interval: tuple[float, float]  # 95 %
    means: tuple[float, float]  # the mean score of all groups by the old judge, and by the new one
    half_width: float  # of the 95 % band at the means: the larger of one by groups and one by models off the line
    old_range: tuple[float, float]  # the lowest and the highest mean score of a model by the old judge

    def at(self, score: float) -> Estimate | None:
        """The new judge's score, 0 … 1, of a model with `score` by the old one; None outside `old_range`."""
        if not self.old_range[0] <= score <= self.old_range[1]:
            return None
        away = score - self.means[0]
        value = self.means[1] + self.slope * away
        shifts = [(slope - self.slope) * away for slope in self.slope_interval]
        below, above = (math.hypot(self.half_width, extreme(shifts)) for extreme in (min, max))
        ends = (value, value - below, value + above)
        return Estimate(*(min(1.0, max(0.0, end)) for end in ends))


def fit_line(models: Sequence[Sequence[tuple[str, float, float]]]) -> CrosswalkLine | None:
    """The line through the groups of several models; None if they are too few, or the two scores do not rise together.

    `models`: for each model its groups, each as (cluster, old score, new score). The groups of one cluster are of one
    prompt, or of prompts that are drawn together.
    """
    import numpy as np
    from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

    every = [group for groups in models for group in groups]
    x, y = (np.array([group[place] for group in every]) for place in (1, 2))
    fewest, count = min(map(len, models), default=0), len(every)
    if len(models) < MODELS or fewest < FEWEST:
        return None
    cluster = np.unique(np.array([group[0] for group in every], dtype=object), return_inverse=True)[1]
    model = np.repeat(np.arange(len(models)), [len(groups) for groups in models])
    n, means = int(cluster.max()) + 1, (float(x.mean()), float(y.mean()))
    old, new = x - means[0], y - means[1]
    if n < FEWEST or (products := float((old * new).sum())) <= 0:
        return None
    slope_bounds = products / float((old**2).sum()), float((new**2).sum()) / products
    instrument = _mean_of_others(old, cluster, model) + _mean_of_others(old, model, cluster)
    instrument -= instrument.mean()
    quantile = float(stdtrit(n - 1, 0.975))
    sums = [np.bincount(cluster, weights=instrument * scores) for scores in (old, new)]
    slope, slope_interval = _slope(sums[0], sums[1], quantile, slope_bounds)
    residuals = new - slope * old
    fit = float((np.bincount(cluster, weights=residuals) ** 2).sum()) * n / (n - 1) / count**2
    # + 1, as if one group's score were turned: judges that agree on every group may differ on the next.
    of_groups = (float((residuals**2).sum()) + 1) / count / fewest
    of_models = float(np.var(_means_by_index(residuals, model), ddof=1)) * (1 + 1 / len(models))
    return CrosswalkLine(
        slope=slope,
        slope_interval=slope_interval,
        means=means,
        half_width=max(
            quantile * math.sqrt(fit + of_groups),
            float(stdtrit(len(models) - 1, 0.975)) * math.sqrt(fit + of_models),
        ),
        old_range=(float(min(old_means := _means_by_index(x, model))), float(max(old_means))),
    )


def _slope(
    old: AnyArray, new: AnyArray, quantile: float, bounds: tuple[float, float]
) -> tuple[float, tuple[float, float]]:
    """The slope and its interval: b / a, the sum of `new` by that of `old`, with Fieller's interval, within `bounds`.

    `old`, `new`: (n,), a sum of instrument × score for each of n clusters. `quantile`: q, of Student's t. The interval
    has the slopes t with (b − t a)² ≤ q² var(b − t a), the roots of a quadratic equation in t.
    """
    floor, ceiling = bounds
    (a, b), n = (float(series.sum()) for series in (old, new)), len(old)
    aa, bb, ab = (
        quantile**2 * n / (n - 1) * float(((first - first.mean()) * (second - second.mean())).sum())
        for first, second in ((old, old), (new, new), (old, new))
    )
    slope = min(ceiling, max(floor, b / a)) if a > 0 else math.sqrt(floor * ceiling)
    if a <= 0 or a * a <= aa:  # the instrument tells nothing of the old scores but by chance
        return slope, (floor, ceiling)
    root = math.sqrt(max(0.0, (a * b - ab) ** 2 - (a * a - aa) * (b * b - bb)))
    low, high = (min(ceiling, max(floor, (a * b - ab + sign * root) / (a * a - aa))) for sign in (-1, 1))
    return slope, (min(low, slope), max(high, slope))


def _mean_of_others(values: AnyArray, same: AnyArray, but_not_same: AnyArray) -> AnyArray:
    """For each value the mean of those with the same index in `same` but not in `but_not_same`; 0 if there are none."""
    import numpy as np

    cell = np.unique(same * (int(but_not_same.max()) + 1) + but_not_same, return_inverse=True)[1]
    sums, counts = (
        np.bincount(same, weights=weights)[same] - np.bincount(cell, weights=weights)[cell]
        for weights in (values, np.ones(len(values)))
    )
    found: AnyArray = np.divide(sums, counts, out=np.zeros(len(values)), where=counts > 0.5)
    return found


def _means_by_index(values: AnyArray, index: AnyArray) -> AnyArray:
    """The mean of the values with index 0, 1, …; `index`: that of each value."""
    import numpy as np

    found: AnyArray = np.bincount(index, weights=values) / np.bincount(index)
    return found
