"""How sure a judge was on its yes/no questions, and how rightly: from log-probabilities, likelihoods or votes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from counterbench.answers import Answer, read_reply
from counterbench.answers.soft import SoftAnswer, from_choices, from_logprobs, from_votes
from counterbench.runs.journal import Record
from counterbench.runs.queries import Key

Origin = Literal["logprobs", "choices", "votes"]


class SoftScore(msgspec.Struct, frozen=True, kw_only=True):
    """Of `questions` yes/no questions that have a soft answer: P(yes) ÷ (P(yes) + P(no)) against the truth.

    `p_right`: the mean probability of the right answer. `brier`: the mean of (P(yes) − truth)², 0 is best, 0.25 is
    what always saying 0.5 gives. `residual`: the mean probability of saying neither.
    """

    origin: Origin
    questions: int
    p_right: float
    brier: float
    residual: float


def soft_score(records: Iterable[Record], keys: Mapping[str, Key], votes: int) -> SoftScore | None:
    """The soft score of a run's yes/no questions; None where no reply allows one."""
    by_query: dict[str, dict[int, Record]] = defaultdict(dict)
    for record in records:
        key = keys.get(record.id)
        if key is None or key.answer_type != "yes-no":
            continue
        if record.final:
            by_query[record.id][record.vote] = record
    found: dict[Origin, list[tuple[SoftAnswer, bool]]] = {"logprobs": [], "choices": [], "votes": []}
    for id, given in by_query.items():
        if not given:
            continue
        origin, soft = _soft([given[vote] for vote in sorted(given)], votes)
        if soft is not None:
            found[origin].append((soft, keys[id].expected == "yes"))
    origin = max(found, key=lambda name: len(found[name]))
    answers = found[origin]
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


def _soft(records: list[Record], votes: int) -> tuple[Origin, SoftAnswer | None]:
    first = records[0]
    if first.choices is not None:
        return "choices", from_choices(first.choices)
    if first.logprobs is not None:
        return "logprobs", from_logprobs(first.logprobs)
    if votes > 1:
        return "votes", from_votes([_said(record) for record in records])
    return "votes", None


def _said(record: Record) -> str | None:
    outcome = read_reply(record.reply or "", "yes-no", record.finish)
    return outcome.value if isinstance(outcome, Answer) else None
