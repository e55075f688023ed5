"""The mean of what people would say of all things, from their labels on some and a judge's on all."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from counterbench.stats.validation import check_fraction, check_lengths

FEWEST_LABELS, FEWEST_RARE = 100, 10  # below these the normal approximation covers less than it says


class PpiEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its interval, in the labels' unit, and how it came about.

    `judge_weight` is PPI++'s λ, 0 … 1: how far the judge's values are trusted to stand in for labels; 0 is the labels'
    own mean. `labels` things have a label and `others` do not. `warnings`: why the interval may cover less than it
    says.
    """

    value: float
    low: float
    high: float
    judge_weight: float
    labels: int
    others: int
    warnings: list[str]


def ppi_mean(
    labels: Sequence[float],
    judged: Sequence[float],
    others: Sequence[float],
    *,
    judge_weight: float | None = None,
    confidence: float = 0.95,
) -> PpiEstimate | None:
    """PPI++'s mean and interval (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453), for values in 0 … 1.

    `labels` and `judged` are what a person and the judge said of the same things; `others` is what the judge said of
    the things without a label. The estimate is mean(labels) + λ (mean(others) - mean(judged)), whatever the judge is
    worth, and its variance λ² var(others) / N + var(labels - λ judged) / n. λ is the one that makes it smallest,
    cov(labels, judged) / ((1 + n / N) var(judged and others)), clamped to 0 … 1, unless `judge_weight` gives it. The
    interval is normal. Variances have n - 1 below, where ppi-python has n, so ours is a little wider.

    What is assumed: the labelled things are a simple random sample of all. Then this holds for the mean over these very
    things, whatever depends on what among them, for the sampling alone is random. As a statement about further things
    it is right only if all are independent: for laws that were not asked, the interval is too narrow.

    Warnings below 100 labels, or below 10 of the rarer kind (labels of at least 0.5, labels below), where the normal
    approximation is poor: `benchmarks/correction.py` shows by how much. None with fewer than 2 labels. Without others
    it is the mean of the labels. ValueError if lengths differ, a value or the weight is outside 0 … 1, or the
    confidence cannot be.
    """
    check_lengths(labels, judged)
    check_fraction("confidence", confidence)
    for name, values in (("label", labels), ("judge's value", judged), ("judge's value", others)):
        for value in values:
            if not 0 <= value <= 1:  # NaN neither
                raise ValueError(f"a {name} of {value}; it must be from 0 to 1")
    if judge_weight is not None and not 0 <= judge_weight <= 1:
        raise ValueError(f"a judge weight of {judge_weight}; it must be from 0 to 1")
    if len(labels) < 2:
        return None
    import numpy as np
    from scipy.stats import norm

    truth, said, rest = np.asarray(labels, float), np.asarray(judged, float), np.asarray(others, float)
    n, remaining = len(truth), len(rest)
    weight = _best_weight(labels, judged, others) if judge_weight is None else judge_weight
    if remaining < 2:  # nothing to learn from the judge
        weight = 0.0
    value = float(truth.mean())
    variance = float((truth - weight * said).var(ddof=1)) / n
    if weight:
        value += weight * float(rest.mean() - said.mean())
        variance += weight**2 * float(rest.var(ddof=1)) / remaining
    half = float(norm.ppf((1 + confidence) / 2)) * math.sqrt(variance)
    return PpiEstimate(
        value=value,
        low=value - half,
        high=value + half,
        judge_weight=weight,
        labels=n,
        others=remaining,
        warnings=label_warnings(labels),
    )


def label_warnings(labels: Sequence[float]) -> list[str]:
    """What is too little about these labels for the interval to be trusted."""
    warnings = []
    if len(labels) < FEWEST_LABELS:
        warnings.append(
            f"{len(labels)} labels; with fewer than {FEWEST_LABELS} the interval covers less than it says: label more"
        )
    high = sum(label >= 0.5 for label in labels)
    rare, kind = min((high, "at least 0.5"), (len(labels) - high, "below 0.5"))
    if rare < FEWEST_RARE:
        warnings.append(
            f"{rare} label{'s' * (rare != 1)} {kind}; with fewer than {FEWEST_RARE} of the rarer kind the interval "
            "covers less than it says: label more"
        )
    return warnings


def _best_weight(labels: Sequence[float], judged: Sequence[float], others: Sequence[float]) -> float:
    """The λ of least variance, 0 … 1; 0 where the judge says the same of everything, or of nothing further."""
    import numpy as np

    truth, said = np.asarray(labels, float), np.asarray(judged, float)
    spread = float(np.concatenate([said, np.asarray(others, float)]).var(ddof=1))
    if spread == 0 or not others:
        return 0.0
    together = float(((truth - truth.mean()) * (said - said.mean())).mean())
    return min(1.0, max(0.0, together / ((1 + len(truth) / len(others)) * spread)))
