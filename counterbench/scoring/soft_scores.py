"""Soft scores: a judge's probabilities of yes and no, and of numbers: log-probabilities, likelihoods or votes."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import Literal, NamedTuple

import msgspec

from counterbench.answers import Answer, read_reply
from counterbench.answers.soft import SoftAnswer, from_choices, from_logprobs, from_votes, number_chance
from counterbench.runs.journal import Record
from counterbench.runs.queries import Key

Origin = Literal["logprobs", "choices", "votes"]


class SoftScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of soft answers, P(yes) ÷ (P(yes) + P(no)), against the truth."""

    origin: Origin
    questions: int  # yes/no questions with a soft answer
    p_right: float  # the mean probability of the right answer
    brier: float  # the mean of (P(yes) − truth)²: 0 is best, 0.25 is the result of always saying 0.5
    residual: float  # the mean probability of saying neither


def soft_score(records: Iterable[Record], keys: Mapping[str, Key], votes: int) -> SoftScore | None:
    """The soft score of a run's yes/no questions; None if no reply allows one."""
    yes_no = {id for id, key in keys.items() if key.answer_type == "yes-no"}
    by_origin: dict[Origin, list[tuple[SoftAnswer, bool]]] = {"logprobs": [], "choices": [], "votes": []}
    for id, (origin, soft) in soft_answers(records, yes_no, votes).items():
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


class _Given(NamedTuple):
    """The soft answer of one vote."""

    origin: Origin  # of its probabilities
    soft: SoftAnswer | None
    said: str | None  # its answer, if votes are counted


def soft_answers(records: Iterable[Record], yes_no: Container[str], votes: int) -> dict[str, tuple[Origin, SoftAnswer]]:
    """The soft answers to the questions `yes_no`, by id; questions whose replies allow none are left out."""
    by_query: dict[str, dict[int, _Given]] = defaultdict(dict)
    for record in records:
        if record.final and record.id in yes_no:
            by_query[record.id][record.vote] = _given(record, votes)
    answers = {}
    for id, given in by_query.items():
        first = given[min(given)]
        counted = first.origin == "votes" and votes > 1
        soft = from_votes([given[vote].said for vote in sorted(given)]) if counted else first.soft
        if soft is not None:
            answers[id] = first.origin, soft
    return answers


def number_chances(records: Iterable[Record], expected: Mapping[str, str], votes: int) -> dict[str, float]:
    """The probability of the `expected` whole number, by the id of its question; questions without one are left out.

    It is from the log-probabilities of the first vote, else the share of the votes that say a whole number.
    """
    by_query: dict[str, dict[int, Record]] = defaultdict(dict)
    for record in records:
        if record.final and record.id in expected:
            by_query[record.id][record.vote] = record
    chances = {}
    for id, of in by_query.items():
        first, chance = of[min(of)], None
        if first.logprobs is not None:
            chance = number_chance(first.logprobs, expected[id], first.answer_line)
        elif said := [answer for record in of.values() if (answer := _said(record, votes, "integer")) is not None]:
            chance = said.count(expected[id]) / len(said)
        if chance is not None:
            chances[id] = chance
    return chances


def _given(record: Record, votes: int) -> _Given:
    if record.choices is not None:
        return _Given("choices", from_choices(record.choices), _said(record, votes))
    if record.logprobs is not None:
        return _Given("logprobs", from_logprobs(record.logprobs, record.answer_line), _said(record, votes))
    return _Given("votes", None, _said(record, votes))


def _said(record: Record, votes: int, kind: str = "yes-no") -> str | None:
    if votes == 1:
        return None
    outcome = read_reply(record.reply or "", kind, record.finish, answer_line=record.answer_line)
    return outcome.value if isinstance(outcome, Answer) else None
