"""The score of a model by one judge, foreseen from its score by another: a line through groups that both scored."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from counterbench.stats.intervals import Estimate

# A line needs so many groups of each model, in as many clusters; and so many models.
FEWEST, MODELS = 12, 3


class Line(msgspec.Struct, frozen=True):
    """The new judge's scores as a line of the old one's, by least squares over the groups of several models.

    Variances of a mean over `groups` groups around it: `fit`, of offset and slope (the sandwich estimate, by clusters);
    `of_groups`, as if groups alone differed; `of_models`, as models are seen to differ, groups and all.
    """

    slope: float
    offset: float
    fit: list[list[float]]
    of_groups: float
    of_models: float
    clusters: int
    models: int
    groups: int

    def at(self, score: float) -> Estimate:
        """The score of a further model that has `score` by the old judge, with 95 %; by the wider of both variances."""
        from scipy.special import stdtrit

        place = (1.0, score)
        fit = sum(place[i] * self.fit[i][j] * place[j] for i in (0, 1) for j in (0, 1))
        ways = (
            (self.clusters - 1, fit + self.of_groups),
            (self.models - 1, fit + self.of_models * (1 + 1 / self.models)),
        )
        half = max(float(stdtrit(free, 0.975)) * math.sqrt(variance) for free, variance in ways)
        value = self.offset + self.slope * score
        return Estimate(*(min(1.0, max(0.0, end)) for end in (value, value - half, value + half)))


def fitted(models: Sequence[Sequence[tuple[str, float, float]]]) -> Line | None:
    """The line through (cluster, old score, new score) of each model's groups; None if no line is determined."""
    import numpy as np

    every = [group for groups in models for group in groups]
    x, y = (np.array([group[side] for group in every]) for side in (1, 2))
    clusters = np.unique(np.array([group[0] for group in every], dtype=object), return_inverse=True)[1]
    count, fewest = len(every), min(map(len, models), default=0)
    if len(models) < MODELS or fewest < FEWEST or np.ptp(x) == 0 or (n := int(clusters.max()) + 1) < FEWEST:
        return None
    design = np.stack([np.ones(count), x], axis=1)
    inverse = np.linalg.inv(design.T @ design)
    offset, slope = inverse @ design.T @ y
    residuals = y - offset - slope * x
    scores = np.stack([np.bincount(clusters, weights=residuals * column) for column in design.T], axis=1)
    fit = inverse @ (scores.T @ scores) @ inverse * n / (n - 1)
    by_model = np.split(residuals, np.cumsum([len(groups) for groups in models])[:-1])
    # One answer of all turned: judges that agree on every group may differ on the next.
    of_groups = (float(residuals @ residuals) + 1) / count / fewest
    return Line(
        slope=float(slope),
        offset=float(offset),
        fit=fit.tolist(),
        of_groups=of_groups,
        of_models=float(np.var([part.mean() for part in by_model], ddof=1)),
        clusters=n,
        models=len(models),
        groups=fewest,
    )
