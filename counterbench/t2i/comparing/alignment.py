"""A judge's agreement with people: about checks, about pictures, about models, and about the gate. No I/O."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from counterbench.scoring.scores import Share
from counterbench.stats.agreement import cohen_kappa, kendall_tau_b, spearman, tie_calibration
from counterbench.stats.intervals import clopper_pearson
from counterbench.t2i.protocols.cf_eval.gate import ROUNDING

# The thresholds of CF-World's Table 4, and one more at either end.
THRESHOLDS = tuple(n / 10 for n in range(1, 10))


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to yes/no checks beside people's; shares with exact intervals (Clopper and Pearson 1934).

    The intervals take checks to be independent.
    """

    checks: int
    sensitivity: Share  # checks to which the judge says yes, among those to which people say yes
    specificity: Share  # the same for no
    balanced_accuracy: float | None  # the mean of both
    kappa: float | None  # Cohen's


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """The order of items by a judge's scores beside the order by people's."""

    items: int
    tau_b: float | None
    spearman: float | None
    pairs: int  # of items that are compared
    strict: float | None  # as `accuracy`, where the judge ties only equal scores
    # The share of pairs in people's order, ties included (Deutsch, Foster and Freitag 2023), where the judge ties
    # scores that differ by at most `epsilon`.
    accuracy: float | None
    epsilon: float | None  # the one with the largest accuracy


class AtThreshold(msgspec.Struct, frozen=True):
    """The gate at one threshold."""

    threshold: float
    accuracy: Share  # the pictures for which the gate agrees with people's verdict
    f1: float | None  # of the open gate


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The gate compared with people's verdict on pictures at L1 (CF-World, Table 4)."""

    pictures: int
    # Pictures with a label of the whole. For the others the verdict is yes if people's own S of the checks reaches the
    # threshold in use.
    whole: int
    recognisable: int
    thresholds: list[AtThreshold]
    best: float | None  # the most accurate threshold, the nearest to 0.5 among equals; null without both verdicts


def exact_share(hits: int, of: int) -> Share:
    """A share with its exact interval."""
    low, high = clopper_pearson(hits, of) or (None, None)
    return Share(hits / of if of else None, low, high, hits, of)


def answers(people: Sequence[bool], judge: Sequence[bool]) -> Answers:
    """The answers of people and a judge to the same yes/no checks, counted."""
    said = {truth: [answer for person, answer in zip(people, judge, strict=True) if person is truth]
            for truth in (True, False)}  # fmt: skip
    sensitivity = exact_share(said[True].count(True), len(said[True]))
    specificity = exact_share(said[False].count(False), len(said[False]))
    both = (sensitivity.value, specificity.value)
    return Answers(
        checks=len(people),
        sensitivity=sensitivity,
        specificity=specificity,
        balanced_accuracy=None if None in both else sum(filter(None, both)) / 2,
        kappa=cohen_kappa(people, judge),
    )


def ordered(people: Sequence[float], judge: Sequence[float], sets: Sequence[object] = ()) -> Ordered:
    """Two series of scores of the same items; items of the same set (`sets`) are compared in pairs, by default all."""
    groups: dict[object, list[int]] = defaultdict(list)
    for place in range(len(people)):
        groups[sets[place] if sets else None].append(place)
    several = [of for of in groups.values() if len(of) > 1]
    calibrated = tie_calibration([([people[i] for i in of], [judge[i] for i in of]) for of in several])
    strict, accuracy, epsilon = calibrated or (None, None, None)
    return Ordered(
        items=len(people),
        tau_b=kendall_tau_b(people, judge),
        spearman=spearman(people, judge),
        pairs=sum(len(of) * (len(of) - 1) // 2 for of in several),
        strict=strict,
        accuracy=accuracy,
        epsilon=epsilon,
    )


def gate(verdicts: Sequence[tuple[bool, bool]], scores: Sequence[float]) -> Gate:
    """The gate at several thresholds; `verdicts`: people's on each picture, and if it is on the whole; `scores`: S."""
    people = [verdict for verdict, _ in verdicts]
    at_thresholds = []
    for threshold in THRESHOLDS:
        opened = [score >= threshold - ROUNDING for score in scores]
        both = sum(person and is_open for person, is_open in zip(people, opened, strict=True))
        right = sum(person is is_open for person, is_open in zip(people, opened, strict=True))
        f1 = 2 * both / (sum(people) + sum(opened)) if any(people) else None
        at_thresholds.append(AtThreshold(threshold, exact_share(right, len(people)), f1))
    decided = 0 < sum(people) < len(people)
    best = max(at_thresholds, key=lambda each: (each.accuracy.value or 0, -abs(each.threshold - 0.5)))
    return Gate(
        pictures=len(people),
        whole=sum(whole for _, whole in verdicts),
        recognisable=sum(people),
        thresholds=at_thresholds,
        best=best.threshold if decided else None,
    )


def majority(said: Iterable[bool]) -> bool | None:
    """The answer of the majority; None for a tie."""
    votes = list(said)
    return None if 2 * sum(votes) == len(votes) else 2 * sum(votes) > len(votes)


def ratings(said: Mapping[tuple[str, object], float]) -> list[list[float | None]]:
    """Labels by rater and thing as Krippendorff's alpha takes them: a row for each rater, a column for each thing."""
    raters = dict.fromkeys(rater for rater, _ in said)
    things = dict.fromkeys(thing for _, thing in said)
    return [[said.get((rater, thing)) for thing in things] for rater in raters]
