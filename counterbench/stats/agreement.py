"""Agreement of two or more series of scores or labels; None if a number is undefined."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from statistics import StatisticsError, correlation
from typing import Any, Literal

Measurement = Literal["nominal", "ordinal"]


def kendall_tau_b(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Kendall's tau-b (1945), -1 … 1, corrected for ties, from scipy; None if either is constant or has no 2 values."""
    from scipy.stats import kendalltau

    return float(kendalltau(xs, ys).statistic) if _all_vary(xs, ys) else None


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Spearman's rank correlation (1904), -1 … 1, from scipy; None if either is constant or has no 2 values."""
    from scipy.stats import spearmanr

    return float(spearmanr(xs, ys).statistic) if _all_vary(xs, ys) else None


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's correlation (1895), -1 … 1; None if either is constant or has no 2 values."""
    try:
        return correlation(xs, ys) if _all_vary(xs, ys) else None
    except StatisticsError:  # values that differ by so little that their squares are 0
        return None


def cohen_kappa(labels: Sequence[Hashable], other_labels: Sequence[Hashable]) -> float | None:
    """Cohen's kappa (1960), at most 1: agreement of two raters beyond that expected from their shares of each label.

    None without items, or if both give all items the same one label.
    """
    first, second, n = Counter(labels), Counter(other_labels), len(labels)
    by_chance = sum(first[label] * second[label] for label in first) / n**2 if n else 1.0
    if by_chance == 1:
        return None
    same = sum(a == b for a, b in zip(labels, other_labels, strict=True)) / n
    return (same - by_chance) / (1 - by_chance)


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable]], measurement: Measurement = "nominal") -> float | None:
    """Krippendorff's alpha (2011, "Computing Krippendorff's Alpha-Reliability"), at most 1.

    `ratings` has a row for each rater and a column for each unit; None is a rating that is missing. Nominal ratings may
    be any labels; ordinal ones are numbers. None if no unit was rated twice, or if all ratings that can be compared are
    the same, when agreement says nothing.
    """
    units = [[value for value in column if value is not None] for column in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    counts = Counter(value for unit in units for value in unit)
    if len(counts) < 2:
        return None
    distance = _distance(counts, measurement)
    observed = sum(sum(distance(a, b) for a in unit for b in unit) / (len(unit) - 1) for unit in units)
    expected = sum(counts[a] * counts[b] * distance(a, b) for a in counts for b in counts) / (counts.total() - 1)
    return 1 - observed / expected


def _distance(counts: Counter[Any], measurement: Measurement) -> Callable[[Any, Any], float]:
    """The function for Krippendorff's squared difference of two ratings, at a level of measurement."""
    if measurement == "nominal":
        return lambda a, b: float(a != b)
    # Ordinal: the number of ratings from one to the other, with half of these two.
    below = dict(zip(sorted(counts), accumulate((counts[v] for v in sorted(counts)), initial=0), strict=False))
    return lambda a, b: (below[a] + counts[a] / 2 - below[b] - counts[b] / 2) ** 2


def tie_calibration(sets: Sequence[tuple[Sequence[float], Sequence[float]]]) -> tuple[float, float, float] | None:
    """The pairwise accuracy without an epsilon, the largest accuracy with one, and that epsilon.

    Each set holds the true and the predicted scores of its items. The accuracy is acc_eq of Deutsch, Foster and Freitag
    ("Ties Matter", EMNLP 2023; section 5, by item): of all pairs of items of a set, the share ordered as in truth, ties
    included, 0 … 1, where predictions that differ by at most epsilon are tied; then the mean over sets. Without an
    epsilon only equal predictions are tied. Of several epsilons that are as good, it is the smallest. None where no set
    has two items.
    """
    import numpy as np

    pairs = []  # of each pair: distance of the predictions, right if tied, right if not, weight in the mean
    sets = [(truth, predicted) for truth, predicted in sets if len(truth) > 1]
    for truth, predicted in sets:
        rows, columns = np.triu_indices(len(truth), 1)
        true, guess = (np.round(np.subtract(*(np.asarray(values, float)[index] for index in (rows, columns))), 9)
                       for values in (truth, predicted))  # fmt: skip
        right = (true != 0) & (np.sign(true) == np.sign(guess))
        pairs.append(np.array([np.abs(guess), true == 0, right, np.full(len(true), 1 / len(true) / len(sets))]))
    if not pairs:
        return None
    apart, tied, right, weight = np.hstack(pairs)
    epsilons, epsilon_of_pair = np.unique(np.append(0.0, apart), return_inverse=True)
    gained = np.bincount(epsilon_of_pair[1:], weights=weight * (tied - right), minlength=len(epsilons))
    accuracies = float(np.sum(weight * right)) + np.cumsum(gained)
    best = int(np.argmax(np.round(accuracies, 12)))
    return float(accuracies[0]), float(accuracies[best]), float(epsilons[best])


def _all_vary(*series: Sequence[float]) -> bool:
    """True if no series is constant or has fewer than 2 values."""
    return all(len(set(values)) > 1 for values in series)
