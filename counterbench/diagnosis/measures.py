"""Measures what a judge's answers show, in counts, and puts the evidence for each of its faults into words.

In go the results of a run (`PairResult`s: two questions with their replies). Out come `measure`, the counts of a
diagnosis (answers that change, yes answers, confusions, lost replies, CCS by difficulty); `prior_strength`; and
`EVIDENCE`, a function for each fault that gives a sentence with counts. `diagnose` and `faults` use them.

A pair has an original and an intervened picture. It is *relevant* if its right answer changes, else it is a control. A
*fault* is a known way to be wrong, such as "yes-bias"; a *misreading* is the wrong answer that a fault gives to one
question. A question is *lost* if it got no answer: unparsed, refused or failed. *CCS* is the share of pairs with a
right answer to both questions.
"""

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
from counterbench.diagnosis.plain import CHOICES, PROMPT_BLIND, TREATED, choice_words, treatment_words
from counterbench.diagnosis.symptoms import is_count
from counterbench.judges.planted import PLANTED
from counterbench.palette import COLOURS
from counterbench.results.results import PairResult
from counterbench.results.scores import share
from counterbench.runs.queries import Key
from counterbench.scene.familiar_things import ALTERED
from counterbench.scene.programs.familiar import NAMINGS
from counterbench.stats.paired import paired_difference

Pairs = Sequence[PairResult]
AnsweredKey = tuple[Key, str]  # a question's key, and the answer to it
# The outcome of the questions that are lost by a fault, by the fault's name.
LOST: dict[str, str] = {name: PLANTED[name].outcome for name in ("unparsed", "refusing", "failing")}
MAX_BINS = 6
Trials = list[tuple[float, bool]]  # for each pair: the value of a difficulty, and True if both answers are right


def measure(pairs: Pairs) -> Measures:
    """The counts of a diagnosis: changed answers, yes answers, confusions, lost replies, and CCS by difficulty.

    A *flip* is a changed answer to a relevant pair, a *false flip* one to a control.
    """
    changed_by_relevance = {True: Counter[bool](), False: Counter[bool]()}
    for pair in pairs:
        if both := two_answers(pair):
            changed_by_relevance[pair.key.relevant][both[0] != both[1]] += 1
    relevant, irrelevant = changed_by_relevance[True], changed_by_relevance[False]
    answers = list(answered(pairs))
    yes_no = [(key, answer) for key, answer in answers if key.answer_type == "yes-no"]
    return Measures(
        flips=share(relevant[True], relevant.total()),
        false_flips=share(irrelevant[True], irrelevant.total()),
        yes=YesShare(
            said=share(sum(answer == "yes" for _, answer in yes_no), len(yes_no)),
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


def answered(pairs: Pairs) -> Iterator[AnsweredKey]:
    """Every question that got an answer, with the answer."""
    for pair in pairs:
        for key, reply in pair.questions:
            if reply is not None and reply.value is not None:
                yield key, reply.value


def _confusion(answers: Sequence[AnsweredKey], kind: str) -> Confusion:
    """The number of answers by right answer, then by answer, for one answer type (`kind`), in order (`_sorted`)."""
    tallies: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for key, answer in answers:
        if key.answer_type == kind:
            tallies[key.expected][answer] += 1
    return {truth: {reply: tallies[truth][reply] for reply in _sorted(tallies[truth])} for truth in _sorted(tallies)}


def _sorted(names: dict[str, Counter[str]] | Counter[str]) -> list[str]:
    """The answers in order: numbers by value, then colours as in the palette, then others."""
    colours = {name: i for i, name in enumerate(COLOURS)}
    return sorted(names, key=lambda n: (not is_count(n), int(n) if is_count(n) else 0, colours.get(n, 99), n))


class Lost(NamedTuple):
    """The number of questions of one family that were asked, and of those that got no answer, by outcome."""

    questions: int
    outcomes: Counter[str]


def lost_by_family(pairs: Pairs) -> dict[str, Lost]:
    """The lost questions by family, in the order of the pairs. A question that was not asked is not counted."""
    questions, outcomes = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for pair in pairs:
        questions[pair.key.family] += 2 - pair.missing
        tally = outcomes[pair.key.family]
        tally["failed"] += pair.failed
        for reply in pair.replies:
            if reply is not None and reply.value is None:
                tally[outcome_name(reply.outcome)] += 1
    return {family: Lost(questions[family], tally) for family, tally in outcomes.items()}


def difficulties(pairs: Pairs) -> list[Difficulty]:
    """The CCS by bins of a difficulty, for each family and each difficulty (such as "objects") with several values.

    Only relevant pairs with two replies count: CCS of a control means something else. For a pair whose two pictures
    differ in a difficulty, this difficulty is left out.
    """
    trials_of: defaultdict[tuple[str, str], Trials] = defaultdict(list)
    for pair in pairs:
        if pair.key.relevant and pair.consistent is not None:
            for parameter, value in pair.key.difficulty.items():
                if pair.keys[1].difficulty.get(parameter) == value:
                    trials_of[pair.key.family, parameter].append((value, pair.consistent))
    return [
        Difficulty(family, parameter, bins(trials))
        for (family, parameter), trials in trials_of.items()
        if len({value for value, _ in trials}) > 1
    ]


def bins(trials: Trials) -> list[Bin]:
    """The trials in bins: one for each value if the values are few, else MAX_BINS about equally filled ones.

    All trials with one value are in one bin.
    """
    lows = bin_starts(value for value, _ in trials)
    inside: list[Trials] = [[] for _ in lows]
    for value, right in trials:
        inside[bisect(lows, value) - 1].append((value, right))
    return [
        Bin(low, max(values)[0], share(sum(right for _, right in values), len(values)))
        for low, values in zip(lows, inside, strict=True)
    ]


def bin_starts(values: Iterable[float]) -> list[float]:
    """The lowest value of each bin for these values, in order; `values` has at least one."""
    ordered = sorted(values)
    distinct = sorted(set(ordered))
    if len(distinct) <= MAX_BINS:
        return distinct
    return sorted({ordered[len(ordered) * i // MAX_BINS] for i in range(MAX_BINS)})


def _of_total(hits: int, total: int) -> str:
    """A count of a total in words: "3 of 10 (30.0 %)"."""
    return f"{hits} of {total} ({100 * hits / total:.1f} %)" if total else f"{hits} of {total}"


def _relevant_with_answers(pairs: Pairs) -> list[tuple[PairResult, str, str]]:
    """The relevant pairs that have two answers, as (pair, answer to the original, answer to the intervened)."""
    return [(pair, *answers) for pair in pairs if pair.key.relevant and (answers := two_answers(pair))]


def _sticky_evidence(pairs: Pairs) -> str:
    """The evidence for "sticky", the fault of repeating the original's answer: pairs with that answer to both."""
    twice = _relevant_with_answers(pairs)
    original = sum(a == b == pair.keys[0].expected for pair, a, b in twice)
    intervened = sum(a == b == pair.keys[1].expected for pair, a, b in twice)
    return (
        f"gives the original picture's true answer to both pictures of {_of_total(original, len(twice))} relevant "
        f"pairs, and the intervened picture's to both pictures of {intervened}"
    )


def _blind_evidence(pairs: Pairs) -> str:
    """The evidence for "blind", answering without looking: pairs with one answer to both pictures, by family."""
    twice = _relevant_with_answers(pairs)
    alike = [(pair, a) for pair, a, b in twice if a == b]
    neither = sum(a not in {key.expected for key in pair.keys} for pair, a in alike)
    families = Counter(pair.key.family for pair, _ in alike)
    by_family = ", ".join(f"{family} {count}" for family, count in families.most_common(4))
    return (
        f"gives one answer to both pictures of {_of_total(len(alike), len(twice))} relevant pairs (in {neither} it is "
        f"right for neither): {by_family}"
    )


def _prompt_blind_evidence(pairs: Pairs) -> str:
    """The evidence for "prompt-blind": pairs of prompts for which the same picture is called better."""
    twice = _relevant_with_answers(pairs)
    alike = _of_total(sum(a == b for _, a, b in twice), len(twice))
    return f"gives the same answer about the same two pictures for both prompts of {alike} relevant pairs"


def _answers_of_type(pairs: Pairs, kind: str) -> list[AnsweredKey]:
    """The questions of an answer type (`kind`) that got an answer, each with the answer."""
    return [(key, answer) for key, answer in answered(pairs) if key.answer_type == kind]


def _bias_evidence(answer: str, other: str, pairs: Pairs) -> str:
    """The evidence for a bias to one `answer` in yes/no questions; `other`: the other answer."""
    answers = _answers_of_type(pairs, "yes-no")
    wrongly = [value == answer for key, value in answers if key.expected == other]
    missed = [value == other for key, value in answers if key.expected == answer]
    return (
        f"says {answer} to {_of_total(sum(wrongly), len(wrongly))} questions whose answer is {other}, and {other} to "
        f"{_of_total(sum(missed), len(missed))} whose answer is {answer}"
    )


def _agreeable_evidence(pairs: Pairs) -> str:
    """The evidence for "agreeable", saying yes to what is not there, beside other questions whose answer is no."""
    answers = [(key, answer) for key, answer in _answers_of_type(pairs, "yes-no") if key.expected == "no"]
    absent = [answer == "yes" for key, answer in answers if "agreeable" in misreadings_of(key)]
    others = [answer == "yes" for key, answer in answers if "agreeable" not in misreadings_of(key)]
    return (
        f"says yes to {_of_total(sum(absent), len(absent))} questions about what is not there "
        f"(sycophancy), and to {_of_total(sum(others), len(others))} others whose answer is no"
    )


def _misread_evidence(fault: str, words: str, pairs: Pairs) -> str:
    """The evidence for a fault with misreadings: the wrong answers that are these; `words`: the fault as a verb."""
    names = PLANTED[fault].misreadings
    cases = [
        (value, key.expected, [answers[name] for name in names if name in answers])
        for key, value in answered(pairs)
        if (answers := misreadings_of(key)).keys() & set(names)
    ]
    wrong = [value in misread for value, truth, misread in cases if value != truth]
    return f"{words} in {_of_total(sum(wrong), len(wrong))} wrong answers, of {len(cases)} questions that can show it"


def _loss_evidence(outcome: str, words: str, pairs: Pairs) -> str:
    """The evidence for a fault that loses questions: their number, and the families with most of them.

    `outcome`: that of the lost questions; `words`: the verb of the sentence, such as "declines".
    """
    families = lost_by_family(pairs)
    lost_counts = Counter({name: family.outcomes[outcome] for name, family in families.items()})
    total = sum(family.questions for family in families.values())
    shares = (f"{name} {100 * n / families[name].questions:.1f} %" for name, n in lost_counts.most_common(3) if n)
    return f"{words} {_of_total(lost_counts.total(), total)} questions: {', '.join(shares)}"


def prior_strength(pairs: Pairs) -> PriorStrength | None:
    """The prior strength: how often altered familiar things are taken for usual ones, less the reverse.

    One picture of such a pair shows a thing as it usually is, the other with an altered part; a judge that answers what
    is usual takes the altered one for the usual one. The overall value is the mean over things. Its interval holds two
    intervals: that over pairs, and that of the mean over things by Student's t. None if no pair has altered things.
    """
    if not any(ALTERED in key.kinds for pair in pairs for key in pair.keys):
        return None
    cases: list[tuple[Key, bool, bool]] = []  # True if the altered picture was taken for the usual one; the reverse
    for pair in pairs:
        if (both := two_answers(pair)) and pair.key.relevant:
            swapped = {ALTERED in key.kinds: both[at] == pair.keys[1 - at].expected for at, key in enumerate(pair.keys)}
            cases.append((pair.key, swapped[True], swapped[False]))
    namings = {name: [row for row in cases if row[0].traits.get("naming") == name] for name in NAMINGS}
    things = {key.family: [row for row in cases if row[0].family == key.family] for key, *_ in cases}
    by_thing = {name.removeprefix("prior-"): _excess(rows) for name, rows in things.items()}
    overall, values = _excess(cases), [above.value or 0.0 for above in by_thing.values()]
    if len(values) > 1:
        from scipy.special import stdtrit  # the same in scipy.stats takes a second to import

        half_width = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / math.sqrt(len(values))
        value = fmean(values)
        low, high = min(overall.low or 0, value - half_width), max(overall.high or 0, value + half_width)
        overall = msgspec.structs.replace(overall, value=value, low=max(-1.0, low), high=min(1.0, high))
    return PriorStrength(overall, {name: _excess(rows) for name, rows in namings.items() if rows}, by_thing)


def _excess(cases: Sequence[tuple[Key, bool, bool]]) -> Above:
    """The share of altered things taken for usual, less the share of the reverse; `cases`: see `prior_strength`."""
    counts = Counter((as_usual, as_altered) for _, as_usual, as_altered in cases)
    both, usual, mirrored = (counts[flags] for flags in ((True, True), (True, False), (False, True)))
    found = paired_difference(both, usual, mirrored, counts[False, False])
    value, low, high = (None,) * 3 if found is None else (found.value, found.low, found.high)
    return Above(value, low, high, both + usual, len(cases), both + mirrored)


# For each fault of `FAULTS`, the function that puts the evidence in pairs into words, with counts to check in the run.
EVIDENCE: dict[str, Callable[[Pairs], str]] = {
    "blind": _blind_evidence,
    PROMPT_BLIND: _prompt_blind_evidence,
    "sticky": _sticky_evidence,
    "yes-bias": partial(_bias_evidence, "yes", "no"),
    "no-bias": partial(_bias_evidence, "no", "yes"),
    "off-by-one": partial(_misread_evidence, "off-by-one", "counts one too many or too few"),
    "colour-confusion": partial(_misread_evidence, "colour-confusion", "takes a colour for its neighbouring hue"),
    "arrow-blind": partial(
        _misread_evidence, "arrow-blind", "names the shape nearest to the arrow's tail, the most central or the largest"
    ),
    "prior-bound": partial(_misread_evidence, "prior-bound", "sees what is usual, or what the real law would give"),
    "bag-of-words": partial(
        _misread_evidence, "bag-of-words", "joins a noun and a colour that belong to different things in the picture"
    ),
    "agreeable": _agreeable_evidence,
    **{name: partial(choice_words, name) for name in CHOICES},
    **{name: partial(treatment_words, name) for name in TREATED},
    "unparsed": partial(_loss_evidence, "unparsed", "gives no readable answer to"),
    "refusing": partial(_loss_evidence, "refused", "declines"),
    "failing": partial(_loss_evidence, "failed", "fails on"),
}
