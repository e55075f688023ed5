"""Decides if a judge's reply is right, and scores the probabilities that come with replies.

A *scoring* is a named rule (`SCORINGS`: "default", "strict", "as-released"). In go a reply and its *key*, which has the
right answer; out comes `Judged`: the meaning of the reply (an answer, unparsed or refused), and if it is right. A
question may be asked several times (*repeats*); `majority` gives one result for all.

A *soft answer* is the judge's probability of yes to a yes/no question. Its *origin* is one of three: log-probabilities
of the words ("logprobs"), likelihoods of the choices ("choices"), or the shares of repeats ("repeats"). `soft_score`
compares such probabilities with the truth. `results` and `scores` use this module.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import Literal, NamedTuple

import msgspec

from counterbench.answers import read_reply
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.soft import SoftAnswer, from_choices, from_logprobs, from_repeats, number_chance
from counterbench.errors import chosen
from counterbench.runs.folder import Record
from counterbench.runs.queries import Key

DEFAULT = "default"  # the name of the usual scoring


class Judged(msgspec.Struct, frozen=True):
    """The meaning of a reply, and if it is right."""

    outcome: Outcome
    right: bool

    @property
    def value(self) -> str | None:
        """The answer in its normal form ("yes", "3", "blue square"); None if there is none."""
        return self.outcome.value if isinstance(self.outcome, Answer) else None


# A rule that compares a reply with its key. Its arguments: the reply, the key, the reason why the reply ended
# ("length": it was cut), and True if the judge was asked for a last line "Answer: …".
ScoringRule = Callable[[str, Key, str, bool], Judged]


def judged(
    reply: str,
    expected: str,
    answer_type: str,
    labels: Mapping[str, str],
    finish: str = "",
    *,
    synonyms: bool = True,
    answer_line: bool = False,
) -> Judged:
    """The meaning of a reply by our parser, compared with the right answer `expected`.

    `answer_type`: the kind of answer, such as "yes-no". `labels`: the meaning of each label in the question ("A": "blue
    square"). `finish`: the reason why the reply ended. `synonyms`: True to read synonyms as the word that they mean.
    `answer_line`: True if a last line "Answer: …" was asked for.
    """
    outcome = read_reply(reply, answer_type, finish, synonyms=synonyms, labels=labels, answer_line=answer_line)
    return Judged(outcome, isinstance(outcome, Answer) and outcome.value == expected)


def _default(reply: str, key: Key, finish: str, answer_line: bool, synonyms: bool = True) -> Judged:
    """Our own rule: a reply is right if our parser reads the expected answer in it."""
    kind = (key.expected, key.answer_type, key.labels)
    return judged(reply, *kind, finish, synonyms=synonyms, answer_line=answer_line)


_RELEASED_COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "cyan", "pink")
_RELEASED_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _as_released(reply: str, key: Key, finish: str, answer_line: bool) -> Judged:
    """The scoring of the released CounterBench, with its bug.

    It cuts a shape that is named with its colour down to the colour: "yellow square" becomes "yellow", which does not
    contain both words, so no question about an arrow is ever right. `finish` and `answer_line` are ignored.
    """
    answer = _released_normal_form(reply)
    if key.answer_type == "colour-shape":
        right = all(word in answer for word in key.expected.split())
    else:
        right = answer == key.expected
    return Judged(Answer(answer), right)


def _released_normal_form(reply: str) -> str:
    """A reply as the released scoring reads it.

    It is "yes" or "no" if that is anywhere in the text, else the first number, else the first of the eight colours that
    is in the text, else the text.
    """
    text = reply.strip().lower()
    for word in ("yes", "no"):
        if word in text:
            return word
    if number := re.search(r"\d+", text):
        return number.group()
    for value, word in enumerate(_RELEASED_NUMBERS):
        if word in text:
            return str(value)
    return next((colour for colour in _RELEASED_COLOURS if colour in text), text)


SCORINGS: dict[str, ScoringRule] = {
    "default": _default,
    "strict": partial(_default, synonyms=False),
    "as-released": _as_released,
}


def scoring(name: str) -> ScoringRule:
    """The scoring called `name`; InputError with the valid names if there is none."""
    return chosen("scoring", name, SCORINGS)


def majority(repeats: list[Judged]) -> Judged:
    """The reply with the most frequent answer; unparsed if two answers are tied; the first if none has an answer."""
    if len(repeats) == 1:
        return repeats[0]
    counts = Counter(repeat.value for repeat in repeats if repeat.value is not None)
    if not counts:
        return repeats[0]
    top_count = max(counts.values())
    leaders = [value for value, count in counts.items() if count == top_count]
    if len(leaders) > 1:
        return Judged(Unparsed(f"repeats are tied between {' and '.join(sorted(leaders))}"), False)
    return next(repeat for repeat in repeats if repeat.value == leaders[0])


Origin = Literal["logprobs", "choices", "repeats"]


class SoftScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of soft answers, P(yes) ÷ (P(yes) + P(no)), against the truth."""

    origin: Origin
    questions: int  # yes/no questions with a soft answer
    p_right: float  # the mean probability of the right answer
    brier: float  # the mean of (P(yes) − truth)²: 0 is best, 0.25 is the result of always saying 0.5
    residual: float  # the mean probability of saying neither yes nor no


def soft_score(records: Iterable[Record], keys: Mapping[str, Key], repeats: int) -> SoftScore | None:
    """The soft score of a run's yes/no questions; None if no reply allows one.

    It is over the answers of one origin: the one that most questions have. `keys`: by the id of the question.
    """
    yes_no_ids = {id for id, key in keys.items() if key.answer_type == "yes-no"}
    by_origin: dict[Origin, list[tuple[SoftAnswer, bool]]] = {"logprobs": [], "choices": [], "repeats": []}
    for id, (origin, soft) in soft_answers(records, yes_no_ids, repeats).items():
        by_origin[origin].append((soft, keys[id].expected == "yes"))
    origin = max(by_origin, key=lambda name: len(by_origin[name]))
    answers = by_origin[origin]
    if not answers:
        return None
    n = len(answers)
    return SoftScore(
        origin=origin,
        questions=n,
        p_right=sum(soft.p_yes if yes else 1 - soft.p_yes for soft, yes in answers) / n,
        brier=sum((soft.p_yes - yes) ** 2 for soft, yes in answers) / n,
        residual=sum(soft.residual for soft, _ in answers) / n,
    )


class _RepeatAnswer(NamedTuple):
    """The soft answer of one repeat."""

    origin: Origin  # of its probabilities
    soft: SoftAnswer | None
    answer: str | None  # yes or no, if there are several repeats; else None


def soft_answers(
    records: Iterable[Record], yes_no_ids: Container[str], repeats: int
) -> dict[str, tuple[Origin, SoftAnswer]]:
    """The soft answers to the questions `yes_no_ids`, by id, each after its origin.

    A question's first repeat decides the origin of its probability. Questions whose replies give none are left out.
    """
    by_query: dict[str, dict[int, _RepeatAnswer]] = defaultdict(dict)
    for record in records:
        if record.final and record.id in yes_no_ids:
            by_query[record.id][record.repeat] = _repeat_answer(record, repeats)
    answers = {}
    for id, by_repeat in by_query.items():
        first = by_repeat[min(by_repeat)]
        are_counted = first.origin == "repeats" and repeats > 1
        soft = from_repeats([by_repeat[repeat].answer for repeat in sorted(by_repeat)]) if are_counted else first.soft
        if soft is not None:
            answers[id] = first.origin, soft
    return answers


def number_chances(records: Iterable[Record], expected: Mapping[str, str], repeats: int) -> dict[str, float]:
    """The probability of the `expected` whole number, by the id of its question; questions without one are left out.

    It is from the log-probabilities of the first repeat, else the share of the repeats that say a whole number.
    """
    by_query: dict[str, dict[int, Record]] = defaultdict(dict)
    for record in records:
        if record.final and record.id in expected:
            by_query[record.id][record.repeat] = record
    chances = {}
    for id, by_repeat in by_query.items():
        first, chance = by_repeat[min(by_repeat)], None
        if first.logprobs is not None:
            chance = number_chance(first.logprobs, expected[id], first.answer_line)
        elif values := [
            value for record in by_repeat.values() if (value := _answer(record, repeats, "integer")) is not None
        ]:
            chance = values.count(expected[id]) / len(values)
        if chance is not None:
            chances[id] = chance
    return chances


def _repeat_answer(record: Record, repeats: int) -> _RepeatAnswer:
    """The soft answer of one repeat: from choices if it has any, or from log-probabilities; else its plain answer."""
    if record.choices is not None:
        return _RepeatAnswer("choices", from_choices(record.choices), _answer(record, repeats))
    if record.logprobs is not None:
        return _RepeatAnswer("logprobs", from_logprobs(record.logprobs, record.answer_line), _answer(record, repeats))
    return _RepeatAnswer("repeats", None, _answer(record, repeats))


def _answer(record: Record, repeats: int, kind: str = "yes-no") -> str | None:
    """The answer in a record, as our parser reads it; None if there is none.

    It is also None if questions are asked once: a single answer says nothing about probabilities.
    """
    if repeats == 1:
        return None
    outcome = read_reply(record.reply or "", kind, record.finish, answer_line=record.answer_line)
    return outcome.value if isinstance(outcome, Answer) else None
