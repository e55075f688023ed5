"""Measures of a run in counts (flips, wrong counts, lost replies, CCS against difficulty), and evidence for faults."""

import math
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from counterbench.answers.outcomes import outcome_name
from counterbench.diagnosis.document import Above, Bin, Confusion, Difficulty, Measures, PriorStrength, YesShare
from counterbench.diagnosis.patterns import misreadings_of, two_answers
from counterbench.diagnosis.plain import CHOICES, TREATED, choice_words, treatment_words
from counterbench.diagnosis.signs import is_count
from counterbench.judges.planted import PLANTED
from counterbench.palette import COLOURS
from counterbench.results.results import PairResult
from counterbench.results.scores import share
from counterbench.runs.queries import Key
from counterbench.scene.familiar import ALTERED
from counterbench.scene.programs.familiar import NAMINGS
from counterbench.stats.paired import paired_difference

Pairs = Sequence[PairResult]
Answered = tuple[Key, str]  # a question's key, and the answer to it
# The faults that are counted, and the outcome without an answer that each causes.
LOST: dict[str, str] = {name: PLANTED[name].outcome for name in ("unparsed", "refusing", "failing")}
MAX_BINS = 6
Points = list[tuple[float, bool]]  # a parameter's value, and True if the judge was right on both


def measure(pairs: Pairs) -> Measures:
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
        yes=YesShare(
            said=share(sum(said == "yes" for _, said in yes_no), len(yes_no)),
            true=share(sum(key.expected == "yes" for key, _ in yes_no), len(yes_no)),
        ),
        counts=_confusion(answers, "integer"),
        colours=_confusion(answers, "colour"),
        lost={
            family: {name: lost.outcomes[name] for name in LOST.values()}
            for family, lost in lost_by_family(pairs).items()
            if lost.outcomes.total()
        },
        difficulty=difficulties(pairs),
    )


def answered(pairs: Pairs) -> Iterator[Answered]:
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


class Lost(NamedTuple):
    """The number of questions asked of one family, and the number of them by each outcome of `LOST`."""

    asked: int
    outcomes: Counter[str]


def lost_by_family(pairs: Pairs) -> dict[str, Lost]:
    """The lost questions by family, in the order of the pairs. A question that was not asked is not counted."""
    families: dict[str, Lost] = {}
    for pair in pairs:
        asked, tally = families.get(pair.key.family, (0, Counter[str]()))
        tally["failed"] += pair.failed
        tally.update(outcome_name(reply.outcome) for reply in pair.replies if reply is not None and reply.value is None)
        families[pair.key.family] = Lost(asked + 2 - pair.missing, tally)
    return families


def difficulties(pairs: Pairs) -> list[Difficulty]:
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
    if len(distinct) <= MAX_BINS:
        return distinct
    return sorted({ordered[len(ordered) * i // MAX_BINS] for i in range(MAX_BINS)})


def _of(hits: int, of: int) -> str:
    return f"{hits} of {of} ({100 * hits / of:.1f} %)" if of else f"{hits} of {of}"


def _relevant(pairs: Pairs) -> list[tuple[PairResult, str, str]]:
    """Relevant pairs that were answered twice, with the answers."""
    return [(pair, *answers) for pair in pairs if pair.key.relevant and (answers := two_answers(pair))]


def _sticky(pairs: Pairs) -> str:
    twice = _relevant(pairs)
    original = sum(a == b == pair.keys[0].expected for pair, a, b in twice)
    intervened = sum(a == b == pair.keys[1].expected for pair, a, b in twice)
    return (
        f"gives the original's true answer to both pictures of {_of(original, len(twice))} relevant pairs, and the "
        f"intervened one's to both of {intervened}"
    )


def _blind(pairs: Pairs) -> str:
    twice = _relevant(pairs)
    same = [(pair, a) for pair, a, b in twice if a == b]
    neither = sum(a not in {key.expected for key in pair.keys} for pair, a in same)
    families = Counter(pair.key.family for pair, _ in same)
    where = ", ".join(f"{family} {count}" for family, count in families.most_common(4))
    return (
        f"gives one answer to both pictures of {_of(len(same), len(twice))} relevant pairs (in {neither} it is true of "
        f"neither): {where}"
    )


def _of_type(pairs: Pairs, kind: str) -> list[Answered]:
    return [(key, said) for key, said in answered(pairs) if key.answer_type == kind]


def _bias(answer: str, other: str, pairs: Pairs) -> str:
    asked = _of_type(pairs, "yes-no")
    wrongly = [said == answer for key, said in asked if key.expected == other]
    missed = [said == other for key, said in asked if key.expected == answer]
    return (
        f"says {answer} to {_of(sum(wrongly), len(wrongly))} questions whose answer is {other}, and {other} to "
        f"{_of(sum(missed), len(missed))} whose answer is {answer}"
    )


def _agreeing(pairs: Pairs) -> str:
    asked = [(key, said) for key, said in _of_type(pairs, "yes-no") if key.expected == "no"]
    absent = [said == "yes" for key, said in asked if "agreeable" in misreadings_of(key)]
    rest = [said == "yes" for key, said in asked if "agreeable" not in misreadings_of(key)]
    return (
        f"says yes to {_of(sum(absent), len(absent))} questions about what is not there, and to "
        f"{_of(sum(rest), len(rest))} others whose answer is no"
    )


def _misread(fault: str, words: str, pairs: Pairs) -> str:
    """The evidence for a fault by the answers that its misreadings give."""
    names = PLANTED[fault].misreadings
    said = [
        (value, key.expected, [known[name] for name in names if name in known])
        for key, value in answered(pairs)
        if (known := misreadings_of(key)).keys() & set(names)
    ]
    wrong = [value in misread for value, truth, misread in said if value != truth]
    return f"{words} in {_of(sum(wrong), len(wrong))} wrong answers, of {len(said)} questions that can show it"


def _losing(outcome: str, words: str, pairs: Pairs) -> str:
    families = lost_by_family(pairs)
    lost = Counter({name: family.outcomes[outcome] for name, family in families.items()})
    asked = sum(family.asked for family in families.values())
    shares = (f"{name} {100 * n / families[name].asked:.1f} %" for name, n in lost.most_common(3) if n)
    return f"{words} {_of(lost.total(), asked)} questions: {', '.join(shares)}"


def prior_strength(pairs: Pairs) -> PriorStrength | None:
    """The excess of altered familiar things taken for usual over the reverse; None if no pair shows such."""
    if not any(ALTERED in key.kinds for pair in pairs for key in pair.keys):
        return None
    said: list[tuple[Key, bool, bool]] = []  # the altered picture taken for the usual one, and the reverse
    for pair in pairs:
        if (both := two_answers(pair)) and pair.key.relevant:
            swapped = {ALTERED in key.kinds: both[at] == pair.keys[1 - at].expected for at, key in enumerate(pair.keys)}
            said.append((pair.key, swapped[True], swapped[False]))
    namings = {name: [row for row in said if row[0].traits.get("naming") == name] for name in NAMINGS}
    things = {key.family: [row for row in said if row[0].family == key.family] for key, *_ in said}
    by_thing = {name.removeprefix("prior-"): _above(of) for name, of in things.items()}
    overall, values = _above(said), [of.value or 0.0 for of in by_thing.values()]
    if len(values) > 1:
        from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

        half = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / math.sqrt(len(values))
        value = fmean(values)
        low, high = min(overall.low or 0, value - half), max(overall.high or 0, value + half)
        overall = msgspec.structs.replace(overall, value=value, low=max(-1.0, low), high=min(1.0, high))
    return PriorStrength(overall, {name: _above(of) for name, of in namings.items() if of}, by_thing)


def _above(said: Sequence[tuple[Key, bool, bool]]) -> Above:
    """The share of altered things taken for usual less that of the reverse, of pairs answered twice."""
    counts = Counter((one, other) for _, one, other in said)
    both, usual, mirrored = (counts[each] for each in ((True, True), (True, False), (False, True)))
    found = paired_difference(both, usual, mirrored, counts[False, False])
    value, low, high = (None,) * 3 if found is None else (found.value, found.low, found.high)
    return Above(value, low, high, both + usual, len(said), both + mirrored)


# The evidence for each fault of `FAULTS` in pairs: words, with counts to check in the run.
EVIDENCE: dict[str, Callable[[Pairs], str]] = {
    "blind": _blind,
    "sticky": _sticky,
    "yes-bias": partial(_bias, "yes", "no"),
    "no-bias": partial(_bias, "no", "yes"),
    "off-by-one": partial(_misread, "off-by-one", "counts one too many or too few"),
    "colour-confusion": partial(_misread, "colour-confusion", "takes a colour for its neighbouring hue"),
    "arrow-blind": partial(
        _misread, "arrow-blind", "names the shape nearest to the arrow's tail, the most central or the largest"
    ),
    "prior-bound": partial(_misread, "prior-bound", "sees what is usual, or what the real law would give"),
    "bag-of-words": partial(_misread, "bag-of-words", "joins a noun and a colour that are in the picture apart"),
    "agreeable": _agreeing,
    **{name: partial(choice_words, name) for name in CHOICES},
    **{name: partial(treatment_words, name) for name in TREATED},
    "unparsed": partial(_losing, "unparsed", "gives no readable answer to"),
    "refusing": partial(_losing, "refused", "declines"),
    "failing": partial(_losing, "failed", "fails on"),
}
