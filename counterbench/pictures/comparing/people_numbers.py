"""Numbers of a judge beside people, from two series in the same order: answers, orders, differences, thresholds."""

import math
from collections.abc import Sequence
from itertools import compress
from statistics import fmean

import numpy as np

from counterbench.pictures.comparing.people_results import Answers, AtThreshold, Ordered, ScoreDifferences, Thresholds
from counterbench.pictures.protocols.cf_eval.gate import ROUNDING, THRESHOLD
from counterbench.pictures.scores.results import by_key
from counterbench.results.scores import share
from counterbench.scene.seeds import Stream
from counterbench.stats.agreement import cohen_kappa, kendall_tau_b, pearson, spearman, tie_calibration
from counterbench.stats.clusters import Means
from counterbench.stats.intervals import clopper_pearson

_STEPS = (0.3, 0.4, 0.5, 0.6, 0.7)  # the thresholds of CF-World's Table 4
_MAX_FOLDS = 10
_BIN, _BINS_A_SIDE = 0.25, 4  # of differences: the width of a bin, and the bins on either side of that around 0


def answers(people: Sequence[bool], judge: Sequence[bool]) -> Answers:
    """The agreement of people's and a judge's answers to the same yes/no checks, in the same order; True is yes."""
    by_truth = {truth: [answer for person, answer in zip(people, judge, strict=True) if person is truth]
            for truth in (True, False)}  # fmt: skip
    right, total = [by_truth[truth].count(truth) for truth in (True, False)], len(people)
    shares = [share(right[place], len(by_truth[truth]), clopper_pearson) for place, truth in enumerate((True, False))]
    values = [estimate.value for estimate in shares if estimate.value is not None]
    affirmed = sum(people) + sum(judge)  # by either: 2 TP + FP + FN
    return Answers(
        checks=total,
        sensitivity=shares[0],
        specificity=shares[1],
        balanced_accuracy=fmean(values) if len(values) == 2 else None,
        kappa=cohen_kappa(people, judge),
        accuracy=share(sum(right), total, clopper_pearson),
        f1=2 * right[0] / affirmed if affirmed else None,
    )


def ordered(people: Sequence[float], judge: Sequence[float], sets: Sequence[object] = ()) -> Ordered:
    """The agreement about the order of items, from people's and a judge's scores of each, in the same order.

    `sets` names each item's set: only items of one set are compared in pairs. Without it all items are one set.
    """
    places_by_set = by_key((sets[place] if sets else None, place) for place in range(len(people)))
    several = [places for places in places_by_set.values() if len(places) > 1]
    accuracies = tie_calibration([([people[i] for i in places], [judge[i] for i in places]) for places in several])
    strict, accuracy, epsilon = accuracies or (None, None, None)
    return Ordered(
        items=len(people),
        tau_b=kendall_tau_b(people, judge),
        spearman=spearman(people, judge),
        pearson=pearson(people, judge),
        pairs=sum(len(places) * (len(places) - 1) // 2 for places in several),
        strict=strict,
        accuracy=accuracy,
        epsilon=epsilon,
    )


def differences(people: Sequence[float], judge: Sequence[float], clusters: Sequence[str]) -> ScoreDifferences:
    """The judge's scores less people's, both 0 … 1, of the same pictures; `clusters`: that of each, for the interval.

    There must be a picture.
    """
    changes = [float(change) for change in np.round(np.subtract(judge, people), 9)]
    bins = [0] * (2 * _BINS_A_SIDE + 1)
    for change in changes:
        steps = math.ceil(abs(change) / _BIN - 1 / 2)  # halfway between two bins it is in the one nearer to 0
        bins[_BINS_A_SIDE + int(math.copysign(steps, change))] += 1
    inference = Means(clusters).infer([changes], lambda mean: mean, ([-1.0], [1.0]), (-1.0, 1.0))
    within = share(bins[_BINS_A_SIDE], len(changes), clopper_pearson)
    quartiles = [float(value) for value in np.quantile(changes, (0.25, 0.5, 0.75))]
    return ScoreDifferences(len(changes), inference.interval(), within, quartiles, bins)


def thresholds(people: Sequence[float], judge: Sequence[float], groups: Sequence[str]) -> Thresholds | None:
    """The judge's scores, 0 … 1, as yes/no answers, by threshold; `people`: their numbers of the same pictures, 0 … 1.

    `groups`: each picture's group of prompts, which stays in one fold. None unless people pass some pictures (with 0.5
    or more) and fail others.
    """
    passed = [number >= THRESHOLD for number in people]
    if len(set(passed)) < 2:
        return None
    rows = [_at(threshold, passed, [score >= threshold - ROUNDING for score in judge]) for threshold in _STEPS]
    best, accuracy_there = _best(passed, judge)
    names = Stream("folds of thresholds").shuffled(sorted(set(groups)))
    fold_of = {name: place % _MAX_FOLDS for place, name in enumerate(names)}
    chosen: list[float] = []
    by_judge = [False] * len(passed)
    for fold in sorted(set(fold_of.values())):
        is_out = [fold_of[group] == fold for group in groups]
        kept = [not out for out in is_out]
        if len(set(known := list(compress(passed, kept)))) < 2:
            chosen.clear()
            break
        chosen.append(_best(known, list(compress(judge, kept)))[0])
        by_judge = [judge[i] >= chosen[-1] - ROUNDING if out else by_judge[i] for i, out in enumerate(is_out)]
    accuracy = rows[_STEPS.index(THRESHOLD)].balanced_accuracy or 0.0
    held_out = _at(None, passed, by_judge) if chosen else None
    return Thresholds(len(passed), accuracy, best, accuracy_there, rows, held_out, sorted(chosen))


def _at(threshold: float | None, people: Sequence[bool], judge: Sequence[bool]) -> AtThreshold:
    """The agreement of those pictures that pass by people and by the judge at this threshold."""
    found = answers(people, judge)
    return AtThreshold(threshold, found.accuracy, found.balanced_accuracy, found.f1)


def _best(passed: Sequence[bool], judge: Sequence[float]) -> tuple[float, float]:
    """The threshold with the highest balanced accuracy, and that accuracy; of several the one nearest to 0.5.

    It is one of the judge's scores, or 0.5. `passed` must have both truths.
    """
    scores, truths = np.asarray(judge, float), np.asarray(passed)
    candidates = np.unique(np.append(scores, THRESHOLD))
    below = [np.searchsorted(np.sort(scores[truths == truth]), candidates - ROUNDING) for truth in (True, False)]
    accuracies = (1 - below[0] / np.sum(truths) + below[1] / np.sum(~truths)) / 2
    best = min(range(len(candidates)), key=lambda i: (-round(accuracies[i], 12), abs(candidates[i] - THRESHOLD)))
    return float(candidates[best]), float(accuracies[best])
