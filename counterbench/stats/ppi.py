"""The mean of people's answers about all things, from their labels on some and a judge's answers on all."""

import math
from collections.abc import Sequence

import msgspec

FEWEST_LABELS, FEWEST_RARE = 100, 10  # below these the normal approximation covers less than it says


class PpiEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its interval, in the labels' unit."""

    value: float
    low: float | None
    high: float | None
    judge_weight: float  # PPI++'s λ, 0 … 1: the trust in the judge's values; with 0 it is the labels' own mean
    labels: int  # things with a label
    others: int  # things without a label
    warnings: list[str]  # reasons why there is no interval, or why it may cover less than it says


def ppi_mean(
    labels: Sequence[float],
    judged: Sequence[float],
    others: Sequence[float],
    *,
    judge_weight: float | None = None,
    confidence: float = 0.95,
) -> PpiEstimate | None:
    """PPI++'s mean and interval (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453), for values in 0 … 1.

    `labels` and `judged` are the answers of a person and of the judge about the same things; `others` are those of the
    judge about the things without a label. The estimate is mean(labels) + λ (mean(others) - mean(judged)). λ is
    cov(labels, judged) / ((1 + n / N) var(judged and others)) of n labels and N others, clamped to 0 … 1, unless
    `judge_weight` gives it. Each mean of others is set by the choice of labelled things, without replacement: the
    variance is N / (n + N) var(labels - λ (1 + n / N) judged) / n (Cochran 1977, section 7.2: b known beforehand), 0 if
    all are labelled. The interval is normal; variances have n - 1 below.

    The labelled things must be a simple random sample of all. Then the interval holds for the mean over these things,
    since only the sampling is random. It says nothing about other things.

    No interval with fewer than 10 of the rarer kind (labels of at least 0.5, labels below), where the normal one covers
    far too little, and a warning below 100 labels: `benchmarks/coverage.py labels` shows by how much. None with fewer
    than 2 labels. Without others it is the mean of the labels, which is then known.
    """
    if len(labels) < 2:
        return None
    import numpy as np
    from scipy.stats import norm

    truth, said, rest = np.asarray(labels, float), np.asarray(judged, float), np.asarray(others, float)
    n, remaining = len(truth), len(rest)
    weight, value = 0.0, float(truth.mean())
    if remaining > 1:  # else there is nothing to learn from the judge
        spread = float(np.concatenate([said, rest]).var(ddof=1))  # 0 where it says the same of everything
        together = float(((truth - truth.mean()) * (said - said.mean())).mean())
        best = together / ((1 + n / remaining) * spread) if spread else 0.0
        weight = min(1.0, max(0.0, best)) if judge_weight is None else judge_weight
        value += weight * float(rest.mean() - said.mean())
    reach = weight * (1 + n / remaining) if remaining else 0.0
    variance = remaining / (n + remaining) * float((truth - reach * said).var(ddof=1)) / n
    half = float(norm.ppf((1 + confidence) / 2)) * math.sqrt(variance)
    warnings = label_warnings(labels) if remaining else []
    trusted = not remaining or _rarer(labels)[0] >= FEWEST_RARE
    return PpiEstimate(
        value=value,
        low=value - half if trusted else None,
        high=value + half if trusted else None,
        judge_weight=weight,
        labels=n,
        others=remaining,
        warnings=warnings,
    )


def label_warnings(labels: Sequence[float]) -> list[str]:
    """The reasons why there are too few labels for the interval to be trusted."""
    warnings = []
    if len(labels) < FEWEST_LABELS:
        warnings.append(
            f"{len(labels)} labels; with fewer than {FEWEST_LABELS} the interval covers less than it says: label more"
        )
    rare, kind = _rarer(labels)
    if rare < FEWEST_RARE:
        warnings.append(
            f"{rare} label{'s' * (rare != 1)} {kind}; with fewer than {FEWEST_RARE} of the rarer kind there is no "
            "interval: label more"
        )
    return warnings


def _rarer(labels: Sequence[float]) -> tuple[int, str]:
    """The number of labels of the rarer kind, and the kind."""
    high = sum(label >= 0.5 for label in labels)
    return min((high, "at least 0.5"), (len(labels) - high, "below 0.5"))
