"""Symptoms that a person sees first: an answer given always, answers near chance; and faults that plain counts show.

These are faults on comparisons of two pictures (`first-bias`: position bias; `lazy`), and of controls (invariance
tests) with one treatment.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from counterbench.answers import answer_type
from counterbench.answers.choices import EQUAL, FIRST, PREFERENCE, SECOND
from counterbench.results.results import PairResult
from counterbench.runs.queries import Key
from counterbench.stats.intervals import wilson
from counterbench.stats.tails import binomial_above, log_fisher

PROMPT_BLIND = "prompt-blind"  # on comparisons, where both questions of a pair show the same two pictures, for "blind"
CHOICES: dict[str, str] = {"first-bias": FIRST, "lazy": EQUAL}  # the answer that is said too often
# Faults of controls whose second picture is treated so: obeyed words, or any other treatment.
TREATED: dict[str, tuple[str, ...]] = {
    "text-led": ("writing", "label"),
    "fickle": ("jpeg", "resized", "contrast", "texture", "edge", "small"),
}
MAX_P, MIN_LOST = 1e-4, 0.1
_MIN_ONE_WAY, _ALWAYS, _MIN_ANSWERS = 2 / 3, 0.95, 10  # shares of wrong answers and of answers; a number of answers
_NEAR = 0.2  # of the way from chance to always right
_STRONG = 0.85  # the share of pairs that a judge is surely right on, whose faults are small
_UNLISTED = 10  # the number of answers that is assumed for a type whose answers cannot be listed
_MANY = 3  # from so many lost treatments on, a judge is fickle, and painted words and labels are two more of them

CountedFault = tuple[float, Sequence[bool]]  # the dose of a fault, and for each pair, whether it is lost to it


def head(pairs: Sequence[PairResult]) -> str:
    """The symptom that stands out first, in words; empty if nothing stands out.

    "always yes" is a symptom only if 20 to 80 % of the true answers are yes, so that it is often wrong; no likewise.
    """
    rows = [(key, reply.value, reply.right) for pair in pairs for key, reply in pair.questions if reply and reply.value]
    yes_no = [(key.expected, value) for key, value, _ in rows if key.answer_type == "yes-no"]
    for answer in ("yes", "no"):
        true = sum(expected == answer for expected, _ in yes_no)
        hits = sum(value == answer for _, value in yes_no)
        if len(yes_no) >= _MIN_ANSWERS and hits >= _ALWAYS * len(yes_no) and 0.2 <= true / len(yes_no) <= 0.8:
            return f"always {answer}"
    if len(rows) >= _MIN_ANSWERS:
        of_comparisons = _agreement_by_chance(
            [(key.expected, value) for key, value, _ in rows if key.answer_type == PREFERENCE]
        )
        chance = sum(
            of_comparisons if key.answer_type == PREFERENCE else 1 / answer_count(key.answer_type) for key, *_ in rows
        ) / len(rows)
        if sum(right for *_, right in rows) / len(rows) - chance < _NEAR * (1 - chance):
            return "near chance"
    right = [pair.consistent for pair in pairs if pair.consistent is not None]
    low, _ = wilson(sum(right), len(right)) or (0.0, 1.0)
    return f"right on {100 * sum(right) / len(right):.1f} % of pairs" if low > _STRONG else ""


def _agreement_by_chance(rows: Sequence[tuple[str, str]]) -> float:
    """The share of right answers of a judge that gives its answers as often, but at random (as in Cohen's kappa).

    `rows`: the expected answer and the given one. So a judge that never says "equal" is near chance at a half, not at a
    third.
    """
    expected, given = (Counter(column) for column in zip(*rows, strict=True)) if rows else (Counter(), Counter())
    return sum(expected[answer] * given[answer] for answer in given) / max(1, len(rows)) ** 2


def faults_on_choices(pairs: Sequence[PairResult]) -> dict[str, CountedFault]:
    """The faults of `CHOICES` that two thirds or more of the wrong answers to comparisons show, and clearly over half.

    Only wrong answers count that no misreading of the pictures gives: who misreads both often calls them equal.
    """
    wrong = Counter(
        value for key, value, right in _compared_answers(pairs) if not (right or value in _misread_values(key))
    )
    faults: dict[str, CountedFault] = {}
    for name, answer in CHOICES.items():
        hits, total = wrong[answer], wrong[FIRST] + wrong[SECOND] if answer == FIRST else wrong.total()
        mostly = hits >= _MIN_ONE_WAY * wrong.total()
        if mostly and hits and binomial_above(hits, total) < MAX_P:
            can_show = sum(answer not in (key.expected, *_misread_values(key)) for key, *_ in _compared_answers(pairs))
            shows = [
                any(reply is not None and reply.value == answer and not reply.right for reply in pair.replies)
                and _is_comparison(pair.key)
                for pair in pairs
            ]
            faults[name] = hits / can_show, shows
    return faults


def faults_of_treatments(pairs: Sequence[PairResult]) -> dict[str, CountedFault]:
    """The faults of `TREATED`, by treatments whose controls are clearly more often lost than untreated ones."""
    lost_treatments = _lost_treatments(pairs)
    faults: dict[str, CountedFault] = {}
    for name, treatments in lost_treatments.items():
        shows = [_is_control(pair) and pair.treatment in treatments and not pair.consistent for pair in pairs]
        control_count = sum(_is_control(pair) and pair.treatment in treatments for pair in pairs)
        faults[name] = sum(shows) / control_count, shows
    return faults


def _lost_treatments(pairs: Sequence[PairResult]) -> dict[str, list[str]]:
    """The treatments by fault whose controls are clearly more often lost than untreated ones."""
    controls = [(pair.treatment, not pair.consistent) for pair in pairs if _is_control(pair)]
    untreated = [is_lost for applied, is_lost in controls if not applied]
    lost_by_fault: dict[str, list[str]] = {}
    for name, treatments in TREATED.items():
        for treatment in treatments:
            inside = [is_lost for applied, is_lost in controls if applied == treatment]
            shares = [(sum(part), len(part)) for part in (inside, untreated)]
            low, _ = wilson(*shares[0]) or (0.0, 1.0)
            if low > MIN_LOST and log_fisher(*shares) < math.log(MAX_P):
                lost_by_fault.setdefault(name, []).append(treatment)
    if len(lost_by_fault.get("fickle", ())) >= _MANY:
        return {"fickle": [*lost_by_fault.pop("text-led", []), *lost_by_fault["fickle"]]}
    return lost_by_fault


def _misread_values(key: Key) -> set[str]:
    """The answers that misreadings of the pictures give, without those of `CHOICES` themselves."""
    return {value for fault, value in key.misreadings.items() if fault not in CHOICES}


def choice_words(fault: str, pairs: Sequence[PairResult]) -> str:
    """The evidence for a fault on comparisons: the number of wrong answers that it explains."""
    answer = CHOICES[fault]
    wrong = [value for _, value, right in _compared_answers(pairs) if not right]
    bias = " (position bias)" if fault == "first-bias" else ""
    return f"says {answer} in {wrong.count(answer)} of {len(wrong)} wrong answers about which picture is better{bias}"


def treatment_words(fault: str, pairs: Sequence[PairResult]) -> str:
    """The evidence for a fault of treatments: the controls lost with each, and of untreated ones."""
    counts = Counter((pair.treatment, not pair.consistent) for pair in pairs if _is_control(pair))
    rows = (("", "untreated"), *((name, name) for name in _lost_treatments(pairs).get(fault, ())))
    shares = [f"{called} {counts[name, True]} of {counts[name, True] + counts[name, False]}" for name, called in rows]
    return f"loses controls with {', '.join(shares[1:])}; {shares[0]}"


def _is_control(pair: PairResult) -> bool:
    """True if a pair is a control with two answers: a judge that declines a picture does not change its answer."""
    return not pair.key.relevant and pair.both is not None and all(reply.value is not None for reply in pair.both)


def _compared_answers(pairs: Sequence[PairResult]) -> Iterator[tuple[Key, str, bool]]:
    """Each comparison of two pictures that got an answer: its key, the answer, and True if that is right."""
    for pair in pairs:
        for key, reply in pair.questions:
            if reply is not None and reply.value is not None and _is_comparison(key):
                yield key, reply.value, reply.right


def _is_comparison(key: Key) -> bool:
    """True if a question asks which of two pictures is better."""
    return key.answer_type == f"choice:{FIRST}|{SECOND}|{EQUAL}"


def all_compare(pairs: Sequence[PairResult]) -> bool:
    """True if all relevant pairs are comparisons, of the same two pictures by two prompts."""
    return all(_is_comparison(pair.key) for pair in pairs if pair.key.relevant)


def answer_count(kind: str) -> int:
    """The number of possible answers of a type."""
    return len(answer_type(kind).alphabet or ()) or _UNLISTED
