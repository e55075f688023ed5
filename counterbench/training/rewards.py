"""The reward of a reply in training: the parser of `score` reads it, and its answer is compared with the truth."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from counterbench.answers import Answer
from counterbench.errors import InputError
from counterbench.runs.queries import labels_in
from counterbench.scene.pairs import ROLES
from counterbench.scoring.rules import judged


def reward(reply: str | None, item: Mapping[str, Any], finish: str = "") -> float | None:
    """1.0 for the right answer, 0.0 for a wrong one, None if no answer could be read.

    `item`: an item of `items`, or a row with its `answer`, `answer_type` and `labels` (and `answer_line`). `finish`:
    why the reply ended; a reply that was cut off ("length") is never an answer. The trainer decides what to do with
    None: 0.0 (`reward(...) or 0.0`), or leave the reply out; never more than for a wrong answer.

    >>> item = {"answer": "4", "answer_type": "integer", "labels": []}
    >>> reward("I count four.", item), reward("5", item), reward("Either 4 or 5.", item)
    (1.0, 0.0, None)
    """
    line = item.get("answer_line", False)
    result = judged(reply or "", item["answer"], item["answer_type"], labels_in(item), finish, answer_line=line)
    return float(result.right) if isinstance(result.outcome, Answer) else None


def ccs_rewards(
    replies: Sequence[str | None], items: Sequence[Mapping[str, Any]], finishes: Sequence[str] = ()
) -> list[float | None]:
    """CCS as a reward: 1.0 for a right answer on a picture if that on the pair's other picture is right too, else 0.0.

    `replies` and `items` have the same order; both questions of a pair must be among them, and `pair` and `role` join
    them. If a question has several replies, as in a group of GRPO, the share of right ones counts: a right answer gets
    0.75 if three of four replies to the other question are right, and the mean over both groups is the expected CCS. A
    reply without a readable answer has None, and counts as not right for the other question.
    """
    ends = finishes or [""] * len(replies)
    own = [reward(reply, item, end) for reply, item, end in zip(replies, items, ends, strict=True)]
    by_question: dict[tuple[str, str], list[float]] = defaultdict(list)
    for item, value in zip(items, own, strict=True):
        by_question[item["pair"], item["role"]].append(value or 0.0)
    return [
        None if value is None else value * _mean(by_question, item["pair"], _other(item["role"]))
        for item, value in zip(items, own, strict=True)
    ]


def _other(role: str) -> str:
    return ROLES[1 - ROLES.index(role)]


def _mean(by_question: Mapping[tuple[str, str], list[float]], pair: str, role: str) -> float:
    values = by_question.get((pair, role))
    if not values:
        raise InputError(
            f"pair {pair!r}: its {role} picture's question is not in the batch; keep both questions of a pair "
            "together: do not shuffle items, and make the batch that is rewarded at once a multiple of two groups"
        )
    return sum(values) / len(values)
