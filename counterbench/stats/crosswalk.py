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

# A line needs so many groups of each model, in as many clusters; and so many models.
FEWEST, MODELS = 12, 3


class CrosswalkLine(msgspec.Struct, frozen=True):
    """The new judge's scores as a line of the old one's, through the groups of several models.

    Least squares would give too small a slope, since the old scores are noisy. So the slope is that by an instrumental
    variable, with Fieller's interval: for each group, the old judge's mean score of the model's groups in other
    clusters, plus that of the group's cluster by other models; their noise is not the group's own. It is kept between
    the least squares of new on old and of old on new, where slopes lie if the judges' noise is independent (Frisch
    1934).
    """

    slope: float
    slope_interval: tuple[float, float]  # 95 %
    means: tuple[float, float]  # the mean score of all groups by the old judge, and by the new one
    half_width: float  # of the 95 % band at the means, by the wider of: groups differ alone, or models do
    old_range: tuple[float, float]  # the lowest and the highest of a model by the old judge

    def at(self, score: float) -> Estimate | None:
        """The estimate by the new judge for a model with `score` by the old one; None outside the seen scores."""
        if not self.old_range[0] <= score <= self.old_range[1]:
            return None
        away = score - self.means[0]
        value = self.means[1] + self.slope * away
        turned = [(slope - self.slope) * away for slope in self.slope_interval]
        below, above = (math.hypot(self.half_width, side(turned)) for side in (min, max))
        ends = (value, value - below, value + above)
        return Estimate(*(min(1.0, max(0.0, end)) for end in ends))


def fit_line(models: Sequence[Sequence[tuple[str, float, float]]]) -> CrosswalkLine | None:
    """The line through (cluster, old score, new score) of each model's groups; None if no line is determined.

    The groups of one cluster are of one prompt, or of prompts that are drawn together.
    """
    import numpy as np
    from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

    every = [group for groups in models for group in groups]
    x, y = (np.array([group[side] for group in every]) for side in (1, 2))
    fewest, count = min(map(len, models), default=0), len(every)
    if len(models) < MODELS or fewest < FEWEST:
        return None
    cluster = np.unique(np.array([group[0] for group in every], dtype=object), return_inverse=True)[1]
    model = np.repeat(np.arange(len(models)), [len(groups) for groups in models])
    n, means = int(cluster.max()) + 1, (float(x.mean()), float(y.mean()))
    old, new = x - means[0], y - means[1]
    if n < FEWEST or (both := float((old * new).sum())) <= 0:
        return None
    slope_bounds = both / float((old**2).sum()), float((new**2).sum()) / both
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
    """The ratio b / a of the sums of `new` and `old` by cluster, with Fieller's interval, all within `bounds`.

    The interval has the slopes t with (b − t a)² ≤ q² var(b − t a), the roots of a quadratic equation in t.
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
    low, high = (min(ceiling, max(floor, (a * b - ab + side * root) / (a * a - aa))) for side in (-1, 1))
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


def _means_by_index(values: AnyArray, kind: AnyArray) -> AnyArray:
    """The mean of the values of each index."""
    import numpy as np

    found: AnyArray = np.bincount(kind, weights=values) / np.bincount(kind)
    return found
