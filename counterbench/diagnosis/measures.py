"""Measures of a run in counts: flips, yes-share, wrong counts, lost replies, and CCS against difficulty."""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from counterbench.answers.outcomes import outcome_name
from counterbench.diagnosis.document import Bin, Confusion, Difficulty, Measures, YesShare
from counterbench.diagnosis.patterns import two_answers
from counterbench.diagnosis.signs import is_count
from counterbench.judges.planted import PLANTED
from counterbench.palette import COLOURS
from counterbench.runs.queries import Key
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import Share, share

ARROW_MISREADINGS = PLANTED["arrow-blind"].misreadings
Answered = tuple[Key, str]  # a question's key, and the answer to it
# The faults that are counted, and the outcome without an answer that each causes.
LOST: dict[str, str] = {name: PLANTED[name].outcome for name in ("unparsed", "refusing", "failing")}
MOST_BINS = 6
Points = list[tuple[float, bool]]  # a parameter's value, and True if the judge was right on both


def measure(pairs: Sequence[PairResult]) -> Measures:
    """The measures of a run's pairs."""
    changed = {True: Counter[bool](), False: Counter[bool]()}
    for pair in pairs:
        if both := two_answers(pair):
            changed[pair.key.relevant][both[0] != both[1]] += 1
    relevant, irrelevant = changed[True], changed[False]
    answers = list(answered(pairs))
    yes_no = [(key, said) for key, said in answers if key.answer_type == "yes-no"]
    return Measures(
        flips=share(relevant[True], relevant.total()),
        false_flips=share(irrelevant[True], irrelevant.total()),
        collapse=share(relevant[False], relevant.total()),
        yes=YesShare(
            said=share(sum(said == "yes" for _, said in yes_no), len(yes_no)),
            true=share(sum(key.expected == "yes" for key, _ in yes_no), len(yes_no)),
        ),
        counts=_confusion(answers, "integer"),
        colours=_confusion(answers, "colour"),
        arrows=_arrows(answers),
        lost=_lost(pairs),
        phrasings=_phrasings(answers),
        difficulty=difficulties(pairs),
    )


def answered(pairs: Sequence[PairResult]) -> Iterator[Answered]:
    """Every question that got an answer, with the answer."""
    for pair in pairs:
        for key, reply in pair.questions:
            if reply is not None and reply.value is not None:
                yield key, reply.value


def _confusion(answers: Sequence[Answered], kind: str) -> Confusion:
    """Truth → said → number of answers, for one answer type; numbers and colours in their order."""
    tallies: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for key, said in answers:
        if key.answer_type == kind:
            tallies[key.expected][said] += 1
    return {truth: {said: tallies[truth][said] for said in _ordered(tallies[truth])} for truth in _ordered(tallies)}


def _ordered(names: dict[str, Counter[str]] | Counter[str]) -> list[str]:
    colours = {name: i for i, name in enumerate(COLOURS)}
    return sorted(names, key=lambda n: (not is_count(n), int(n) if is_count(n) else 0, colours.get(n, 99), n))


def _arrows(answers: Sequence[Answered]) -> dict[str, int]:
    tally = dict.fromkeys(("right", *ARROW_MISREADINGS, "other"), 0)
    for key, said in answers:
        if key.answer_type != "colour-shape" or not any(name in key.misreadings for name in ARROW_MISREADINGS):
            continue  # without a scene the other shapes are unknown
        kinds = (name for name in ARROW_MISREADINGS if key.misreadings.get(name) == said)
        tally["right" if said == key.expected else next(kinds, "other")] += 1
    return tally if any(tally.values()) else {}


def _phrasings(answers: Sequence[Answered]) -> dict[str, Share]:
    by_phrasing: defaultdict[str, list[bool]] = defaultdict(list)
    for key, said in answers:
        if phrasing := key.traits.get("phrasing"):
            by_phrasing[phrasing].append(said == key.expected)
    return {phrasing: share(sum(right), len(right)) for phrasing, right in sorted(by_phrasing.items())}


def _lost(pairs: Sequence[PairResult]) -> dict[str, dict[str, int]]:
    return {
        family: {name: lost.outcomes[name] for name in LOST.values()}
        for family, lost in lost_by_family(pairs).items()
        if lost.outcomes.total()
    }


class Lost(msgspec.Struct, frozen=True):
    """The number of questions asked of one family, and the number of them by each outcome of `LOST`."""

    asked: int
    outcomes: Counter[str]


def lost_by_family(pairs: Sequence[PairResult]) -> dict[str, Lost]:
    """The lost questions by family, in the order of the pairs. A question that was not asked is not counted."""
    asked: Counter[str] = Counter()
    outcomes: dict[str, Counter[str]] = {}
    for pair in pairs:
        family = pair.key.family
        asked[family] += 2 - pair.missing
        tally = outcomes.setdefault(family, Counter())
        tally["failed"] += pair.failed
        tally.update(outcome_name(reply.outcome) for reply in pair.replies if reply is not None and reply.value is None)
    return {family: Lost(asked[family], tally) for family, tally in outcomes.items()}


def difficulties(pairs: Sequence[PairResult]) -> list[Difficulty]:
    """For every family and difficulty parameter with more than one value, the bins.

    Only relevant pairs with two replies count: a control has the difficulty of its base family, and its CCS means
    something else. A parameter whose value differs between the two pictures is left out.
    """
    points_of: defaultdict[tuple[str, str], Points] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant and pair.consistent is not None:
            for parameter, value in pair.key.difficulty.items():
                if pair.keys[1].difficulty.get(parameter) == value:
                    points_of[pair.key.family, parameter].append((value, pair.consistent))
    return [
        Difficulty(family, parameter, bins(points))
        for (family, parameter), points in points_of.items()
        if len({value for value, _ in points}) > 1
    ]


def bins(points: Points) -> list[Bin]:
    """One bin for each value if they are few, else about equally filled bins; a value is never split."""
    first = starts(value for value, _ in points)
    inside: list[Points] = [[] for _ in first]
    for value, right in points:
        inside[bisect(first, value) - 1].append((value, right))
    return [
        Bin(low, max(values)[0], share(sum(right for _, right in values), len(values)))
        for low, values in zip(first, inside, strict=True)
    ]


def starts(values: Iterable[float]) -> list[float]:
    """The lowest value of each bin, of one or more values."""
    ordered = sorted(values)
    distinct = sorted(set(ordered))
    if len(distinct) <= MOST_BINS:
        return distinct
    return sorted({ordered[len(ordered) * i // MOST_BINS] for i in range(MOST_BINS)})
