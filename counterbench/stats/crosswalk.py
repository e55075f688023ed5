"""The score of a model by one judge, foreseen from its score by another: a line through groups that both scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    import numpy.typing as npt

    Series: TypeAlias = npt.NDArray[Any]
else:
    Series: TypeAlias = Any

# A line needs so many groups of each model, in as many clusters; and so many models.
FEWEST, MODELS = 12, 3


class CrosswalkLine(msgspec.Struct, frozen=True):
    """The new judge's scores as a line of the old one's, through the groups of several models.

    The old judge's noise flattens a line by least squares. The slope is of what it scores without the noise: a group is
    placed by the model's other groups and by the other models' scores of the group, whose noise is not its own (an
    instrumental variable, with Fieller's interval). It lies between the least squares of new on old and of old on new,
    as slopes do if the judges' noise is independent (Frisch 1934).
    """

    slope: float
    slopes: tuple[float, float]  # its 95 % interval
    middle: tuple[float, float]  # the mean score of all groups by the old judge, and by the new one
    half: float  # of the 95 % band in the middle, by the wider of: groups differ alone, or models do
    scores: tuple[float, float]  # the lowest and the highest of a model by the old judge

    def at(self, score: float) -> Estimate | None:
        """The score of a further model that has `score` by the old judge, with 95 %; None where no model was seen."""
        if not self.scores[0] <= score <= self.scores[1]:
            return None
        away = score - self.middle[0]
        value = self.middle[1] + self.slope * away
        turned = [(slope - self.slope) * away for slope in self.slopes]
        ends = (value, value - math.hypot(self.half, min(turned)), value + math.hypot(self.half, max(turned)))
        return Estimate(*(min(1.0, max(0.0, end)) for end in ends))


def fitted(models: Sequence[Sequence[tuple[str, float, float]]]) -> CrosswalkLine | None:
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
    n, middle = int(cluster.max()) + 1, (float(x.mean()), float(y.mean()))
    old, new = x - middle[0], y - middle[1]
    if n < FEWEST or (both := float((old * new).sum())) <= 0:
        return None
    within = both / float((old**2).sum()), float((new**2).sum()) / both
    place = _others(old, cluster, model) + _others(old, model, cluster)
    place -= place.mean()
    quantile = float(stdtrit(n - 1, 0.975))
    sums = [np.bincount(cluster, weights=place * scores) for scores in (old, new)]
    slope, slopes = _slope(sums[0], sums[1], quantile, within)
    residuals = new - slope * old
    fit = float((np.bincount(cluster, weights=residuals) ** 2).sum()) * n / (n - 1) / count**2
    # One answer of all turned: judges that agree on every group may differ on the next.
    of_groups = (float((residuals**2).sum()) + 1) / count / fewest
    of_models = float(np.var(_means(residuals, model), ddof=1)) * (1 + 1 / len(models))
    return CrosswalkLine(
        slope=slope,
        slopes=slopes,
        middle=middle,
        half=max(
            quantile * math.sqrt(fit + of_groups),
            float(stdtrit(len(models) - 1, 0.975)) * math.sqrt(fit + of_models),
        ),
        scores=(float(min(old_means := _means(x, model))), float(max(old_means))),
    )


def _slope(old: Series, new: Series, quantile: float, within: tuple[float, float]) -> tuple[float, tuple[float, float]]:
    """The ratio of the sums of `new` and `old`, with its interval by Fieller, no further than `within`."""
    floor, ceiling = within
    (a, b), n = (float(series.sum()) for series in (old, new)), len(old)
    aa, bb, ab = (
        quantile**2 * n / (n - 1) * float(((first - first.mean()) * (second - second.mean())).sum())
        for first, second in ((old, old), (new, new), (old, new))
    )
    slope = min(ceiling, max(floor, b / a)) if a > 0 else math.sqrt(floor * ceiling)
    if a <= 0 or a * a <= aa:  # the places do not differ by more than chance
        return slope, (floor, ceiling)
    root = math.sqrt(max(0.0, (a * b - ab) ** 2 - (a * a - aa) * (b * b - bb)))
    low, high = (min(ceiling, max(floor, (a * b - ab + side * root) / (a * a - aa))) for side in (-1, 1))
    return slope, (min(low, slope), max(high, slope))


def _others(values: Series, kind: Series, apart: Series) -> Series:
    """For each value the mean of the others of its `kind`, without those that it shares `apart` with; else 0."""
    import numpy as np

    cell = np.unique(kind * (int(apart.max()) + 1) + apart, return_inverse=True)[1]
    sums, counts = (
        np.bincount(kind, weights=weights)[kind] - np.bincount(cell, weights=weights)[cell]
        for weights in (values, np.ones(len(values)))
    )
    found: Series = np.divide(sums, counts, out=np.zeros(len(values)), where=counts > 0.5)
    return found


def _means(values: Series, kind: Series) -> Series:
    import numpy as np

    found: Series = np.bincount(kind, weights=values) / np.bincount(kind)
    return found
