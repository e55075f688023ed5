"""A judge's agreement with people: about checks, about pictures, about models, and about the gate. No I/O."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from counterbench.scoring.scores import Share
from counterbench.stats.agreement import cohen_kappa, kendall_tau_b, spearman, tie_calibration
from counterbench.stats.intervals import clopper_pearson
from counterbench.t2i.protocols.cf_eval.gate import ROUNDING

# Of CF-World's Table 4, and the two beyond either end.
THRESHOLDS = tuple(n / 10 for n in range(1, 10))


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's answers to yes/no checks beside people's; shares with exact intervals (Clopper and Pearson 1934).

    `sensitivity`: of the checks to which people say yes, those to which the judge does; `specificity`: the same of no;
    `balanced_accuracy`: the mean of both. `kappa`: Cohen's. The intervals take checks to be independent.
    """

    checks: int
    sensitivity: Share
    specificity: Share
    balanced_accuracy: float | None
    kappa: float | None


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's scores of `items` beside people's, in order.

    `accuracy`: of the `pairs` of items that are compared, the share in people's order, ties included (Deutsch, Foster
    and Freitag 2023), where the judge ties what differs by at most `epsilon`: the one by which it is largest. `strict`:
    with a tie where both are equal alone.
    """

    items: int
    tau_b: float | None
    spearman: float | None
    pairs: int
    strict: float | None
    accuracy: float | None
    epsilon: float | None


class AtThreshold(msgspec.Struct, frozen=True):
    """The gate at one threshold: how often it is open as people say it should be, and F1 of its being open."""

    threshold: float
    accuracy: Share
    f1: float | None


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The gate held against people's verdict on `pictures` at L1 (CF-World, Table 4).

    `whole`: on how many of these people said whether the whole is recognisable; of the others the verdict is that their
    own S of the checks reaches the threshold in use. `best`: the threshold of the highest accuracy, the one nearest to
    0.5 among equals; null without pictures of both kinds.
    """

    pictures: int
    whole: int
    recognisable: int
    thresholds: list[AtThreshold]
    best: float | None


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
    """Two series of scores of the same items; those of one of the `sets` are compared in pairs, by default all."""
    groups: dict[object, list[int]] = defaultdict(list)
    for place in range(len(people)):
        groups[sets[place] if sets else None].append(place)
    several = [of for of in groups.values() if len(of) > 1]
    found = tie_calibration([([people[i] for i in of], [judge[i] for i in of]) for of in several])
    strict, accuracy, epsilon = found or (None, None, None)
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
    """The gate at several thresholds, given people's verdict on each picture, whether on the whole, and its S."""
    people = [verdict for verdict, _ in verdicts]
    found = []
    for threshold in THRESHOLDS:
        opened = [score >= threshold - ROUNDING for score in scores]
        both = sum(person and is_open for person, is_open in zip(people, opened, strict=True))
        right = sum(person is is_open for person, is_open in zip(people, opened, strict=True))
        f1 = 2 * both / (sum(people) + sum(opened)) if any(people) else None
        found.append(AtThreshold(threshold, exact_share(right, len(people)), f1))
    decided = 0 < sum(people) < len(people)
    best = max(found, key=lambda each: (each.accuracy.value or 0, -abs(each.threshold - 0.5)))
    return Gate(
        pictures=len(people),
        whole=sum(whole for _, whole in verdicts),
        recognisable=sum(people),
        thresholds=found,
        best=best.threshold if decided else None,
    )


def majority(said: Iterable[bool]) -> bool | None:
    """The answer of most; None if as many say the one as the other."""
    votes = list(said)
    return None if 2 * sum(votes) == len(votes) else 2 * sum(votes) > len(votes)


def ratings(said: Mapping[tuple[str, object], float]) -> list[list[float | None]]:
    """Labels by rater and thing as Krippendorff's alpha takes them: a row for each rater, a column for each thing."""
    raters = dict.fromkeys(rater for rater, _ in said)
    things = dict.fromkeys(thing for _, thing in said)
    return [[said.get((rater, thing)) for thing in things] for rater in raters]
