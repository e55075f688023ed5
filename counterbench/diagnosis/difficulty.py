"""CCS against what makes a pair hard: bins with intervals, and a logistic curve where enough pairs carry it."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import log

import numpy as np
from msgspec.structs import replace

from counterbench.diagnosis.document import Bin, Curve, Difficulty
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import share
from counterbench.stats.multiple import benjamini_hochberg

LEAST_PAIRS = 100  # for a curve
MOST_P = 0.05  # of a slope that is told of
MOST_BINS = 6
Points = list[tuple[int, bool]]  # a parameter's value, and whether the judge was right on both


def difficulties(pairs: Sequence[PairResult]) -> list[Difficulty]:
    """For every family and difficulty parameter with more than one value: bins and, perhaps, a curve.

    Relevant pairs with two replies only: a control's difficulty is its base family's, and its CCS is another thing.
    """
    found: defaultdict[tuple[str, str], Points] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant and pair.consistent is not None:
            for parameter, value in pair.key.difficulty.items():
                found[pair.key.family, parameter].append((value, pair.consistent))
    told = [
        Difficulty(family, parameter, bins(points), curve(points))
        for (family, parameter), points in found.items()
        if len({value for value, _ in points}) > 1
    ]
    return _adjusted(told)


def _adjusted(tables: list[Difficulty]) -> list[Difficulty]:
    """The same with every p adjusted for how many curves there are; crossings of slopes that may be 0 left out."""
    curves = [table.curve for table in tables if table.curve is not None]
    if not curves:
        return tables
    adjusted = iter(benjamini_hochberg([curve.p for curve in curves]))
    return [
        table if table.curve is None else replace(table, curve=_if_sloped(table.curve, next(adjusted)))
        for table in tables
    ]


def _if_sloped(curve: Curve, p: float) -> Curve:
    return replace(curve, p=p) if p <= MOST_P else replace(curve, p=p, p90=None, p50=None)


def bins(points: Points) -> list[Bin]:
    """One bin for each value where they are few, else about equally filled bins; a value is never split."""
    values = sorted(value for value, _ in points)
    distinct = sorted(set(values))
    if len(distinct) <= MOST_BINS:
        starts = distinct
    else:
        starts = sorted({values[len(values) * i // MOST_BINS] for i in range(MOST_BINS)})
    edges = [*starts, distinct[-1] + 1]
    found = []
    for low, end in pairwise(edges):
        inside = [(value, right) for value, right in points if low <= value < end]
        highest = max(value for value, _ in inside)
        found.append(Bin(low, highest, share(sum(right for _, right in inside), len(inside))))
    return found


def curve(points: Points) -> Curve | None:
    """A logistic regression of being right on both (statsmodels); None with too few pairs or nothing to fit.

    There is nothing to fit where all pairs came out alike, or where one value parts right from wrong exactly.
    """
    rights = [right for _, right in points]
    if len(points) < LEAST_PAIRS or all(rights) or not any(rights):
        return None
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import PerfectSeparationError

    values = np.array([value for value, _ in points], dtype=float)
    design = np.column_stack([np.ones(len(values)), values])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they warn of is looked at below
        try:
            fitted = Logit(np.array(rights, dtype=float), design).fit(disp=0, maxiter=100)
        except (PerfectSeparationError, np.linalg.LinAlgError):
            return None
    intercept, slope = map(float, fitted.params)
    if not fitted.mle_retvals["converged"] or not np.isfinite([intercept, slope]).all() or slope == 0:
        return None
    low, high = values.min(), values.max()

    def crossing(ccs: float) -> float | None:
        at = (log(ccs / (1 - ccs)) - intercept) / slope
        return at if low <= at <= high else None

    return Curve(intercept, slope, crossing(0.9), crossing(0.5), len(points), float(fitted.llr_pvalue))
