"""How well two or more series of scores or labels agree; None wherever a number is undefined."""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence
from typing import Literal

from counterbench.stats.checks import check_lengths

Level = Literal["nominal", "ordinal", "interval"]


def kendall_tau_b(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b (1945), -1 … 1, corrected for ties, from scipy; None if either is constant or has no 2 values."""
    check_lengths(one, other)
    if not (_varies(one) and _varies(other)):
        return None
    from scipy.stats import kendalltau

    return float(kendalltau(one, other, variant="b").statistic)


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Spearman's rank correlation (1904), -1 … 1, from scipy; None if either is constant or has no 2 values."""
    check_lengths(one, other)
    if not (_varies(one) and _varies(other)):
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(one, other).statistic)


def balanced_accuracy(truth: Sequence[Hashable], said: Sequence[Hashable]) -> float | None:
    """The mean over the true labels of the share recognised, 0 … 1, from scikit-learn; None without items.

    A label that was said and is never true lowers the share of the label it stood in for, and has no share itself.
    """
    check_lengths(truth, said)
    if not truth:
        return None
    from sklearn.metrics import balanced_accuracy_score

    names = {label: number for number, label in enumerate(dict.fromkeys([*truth, *said]))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that are never true, and of a single label
        return float(balanced_accuracy_score([names[label] for label in truth], [names[label] for label in said]))


def krippendorff_alpha(ratings: Sequence[Sequence[object]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha (2011, "Computing Krippendorff's Alpha-Reliability"), at most 1, from krippendorff.

    `ratings` has a row for each rater and a column for each unit; None is a rating that is missing. Nominal ratings may
    be any labels; ordinal and interval ones are numbers. None if no unit was rated twice, or if all ratings that can be
    compared are the same, when agreement says nothing. ValueError if rows differ in length.
    """
    for row in ratings:
        check_lengths(ratings[0], row)
    units = [column for column in zip(*ratings, strict=True) if sum(value is not None for value in column) > 1]
    values = list(dict.fromkeys(value for column in units for value in column if value is not None))
    if len(values) < 2:
        return None
    import krippendorff

    numbers = {value: index for index, value in enumerate(values)} if level == "nominal" else None
    table = [[_number(column[rater], numbers) for column in units] for rater in range(len(ratings))]
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def pairwise_accuracy(truth: Sequence[float], predicted: Sequence[float], epsilon: float = 0.0) -> float | None:
    """Of all pairs of items, the share ordered as in truth, ties included, 0 … 1; None with fewer than two items.

    acc_eq of Deutsch, Foster and Freitag ("Ties Matter", EMNLP 2023): (C + T_hm) / (C + D + T_h + T_m + T_hm), where C
    counts pairs in the same strict order in both, D in opposite order, T_h those tied in truth alone, T_m tied in the
    prediction alone, T_hm tied in both. Two items are tied in truth when equal, in the prediction when they differ by
    at most `epsilon`. ValueError if lengths differ or epsilon is negative.
    """
    check_lengths(truth, predicted)
    if epsilon < 0:
        raise ValueError(f"epsilon is {epsilon}; the difference that counts as a tie cannot be negative")
    if len(truth) < 2:
        return None
    import numpy as np

    right = 0
    true, guess = np.asarray(truth, float), np.asarray(predicted, float)
    for i in range(len(true) - 1):  # row by row: memory stays linear
        apart = guess[i + 1 :] - guess[i]
        order = np.where(np.abs(apart) <= epsilon, 0, np.sign(apart))
        right += int(np.sum(order == np.sign(true[i + 1 :] - true[i])))
    return right / math.comb(len(true), 2)


def _varies(values: Sequence[float]) -> bool:
    return len(set(values)) > 1


def _number(value: object, numbers: dict[object, int] | None) -> float:
    if value is None:
        return math.nan
    if numbers is not None:
        return numbers[value]
    if isinstance(value, int | float):
        return float(value)
    raise ValueError(f"a rating of {value!r}; only nominal ratings can be other than numbers")
