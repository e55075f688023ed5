"""Replies as input for the model of faults: the explanations that each reply allows, with equal pairs counted once.

A pair has two questions, original and intervened. The model uses only this of a reply: is it right, is it yes or no,
is it the truth of the other picture, is it the answer of a known misreading.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from counterbench.answers import answer_type
from counterbench.diagnosis.plain import answer_count
from counterbench.judges.planted import PLANTED
from counterbench.palette import CONFUSED_WITH
from counterbench.results.results import PairResult
from counterbench.results.rules import Judged
from counterbench.runs.queries import Key

FloatArray = npt.NDArray[np.floating[Any]]
Flags = npt.NDArray[np.bool_]

# Misreadings that the model weighs, and the fault that each is a symptom of.
MISREADINGS: dict[str, str] = {
    misreading: fault
    for fault in ("off-by-one", "colour-confusion", "arrow-blind", "prior-bound", "bag-of-words", "agreeable")
    for misreading in PLANTED[fault].misreadings
}
_NONE = (False,) * len(MISREADINGS)
# Stands for two replies that differ.
UNLIKE = ""


class ReplyFeatures(NamedTuple):
    """The explanations that one reply allows."""

    present: bool = False
    right: bool = False
    yes: bool = False
    no: bool = False
    is_original_truth: bool = False  # it is the original's truth
    is_other_truth: bool = False  # it is wrong, and the truth of the pair's other picture
    matches: tuple[bool, ...] = _NONE  # by misreading: the reply is its answer
    can_show: tuple[bool, ...] = _NONE  # by misreading: the question can show it
    value: str = ""


class PairFeatures(NamedTuple):
    """The features of a pair: pairs with equal rows are one pattern."""

    group: tuple[str, str, bool]  # skill, answer type, True if a misreading can show; each has its own error rates
    relevant: bool
    chance_of_wrong: float  # the chance of one particular answer among all other wrong ones
    original: ReplyFeatures
    intervened: ReplyFeatures


class Patterns:
    """P different pairs of replies with their counts, as arrays; the axis of 2 is (original, intervened).

    `groups`: the kinds of questions, `answer_types`: their answer types, M: the number of MISREADINGS.

    `count` (P,), `relevant` (P,), `members[p]`: positions of the pairs with pattern p. `group` (P,): the index of the
    pair's group. `yes_no` (P,): the questions are yes/no.
    `present`, `right`, `yes`, `no`, `is_original_truth`, `is_other_truth` (P, 2); `matches`, `can_show` (P, 2, M).
    `chance_of_wrong` (P,): of one particular answer among all other wrong ones. `answer` (P, 2): the index
    of the reply among the answers of its type, -1 without a reply; `answer_type` (P,): the index of that type;
    `alphabets`: the number of answers of each type.
    """

    def __init__(self, pairs: Sequence[PairResult]) -> None:
        """Count pairs with the same features as one pattern, in the order in which the patterns first occur.

        Pairs without any answer are of no pattern.
        """
        positions: dict[PairFeatures, list[int]] = {}
        for position, pair in enumerate(pairs):
            if row := _pair_features(pair):
                positions.setdefault(row, []).append(position)
        rows, self.members = list(positions), list(positions.values())
        self.groups = list(dict.fromkeys(row.group for row in rows))
        self.answer_types = list(dict.fromkeys(name for _, name, _ in self.groups))
        self.count = np.array([len(members) for members in self.members], dtype=float)
        self.relevant = np.array([row.relevant for row in rows], dtype=bool)
        self.group = np.array([self.groups.index(row.group) for row in rows], dtype=int)
        self.answer_type = np.array([self.answer_types.index(row.group[1]) for row in rows], dtype=int)
        self.yes_no: Flags = np.array([row.group[1] == "yes-no" for row in rows], dtype=bool)
        self.chance_of_wrong = np.array([row.chance_of_wrong for row in rows], dtype=float)

        def flags(name: str, *shape: int) -> Flags:
            """A feature of both replies of each pattern, as truths (P, 2) or, with a `shape` of (M), (P, 2, M)."""
            values = [[getattr(reply, name) for reply in (row.original, row.intervened)] for row in rows]
            return np.array(values, dtype=bool).reshape(-1, 2, *shape)

        self.present, self.right, self.yes, self.no = flags("present"), flags("right"), flags("yes"), flags("no")
        self.is_original_truth, self.is_other_truth = flags("is_original_truth"), flags("is_other_truth")
        self.matches, self.can_show = flags("matches", len(MISREADINGS)), flags("can_show", len(MISREADINGS))
        listed = [{value: n for n, value in enumerate(answer_type(name).alphabet or ())} for name in self.answer_types]
        self.answer = np.full((len(rows), 2), -1)
        for p, row in enumerate(rows):
            known = listed[self.answer_type[p]]
            for j, reply in enumerate((row.original, row.intervened)):
                if reply.present and reply.value != UNLIKE:
                    self.answer[p, j] = known.setdefault(reply.value, len(known))
        self.alphabets = [
            max(len(known), answer_count(name)) for known, name in zip(listed, self.answer_types, strict=True)
        ]


def _pair_features(pair: PairResult) -> PairFeatures | None:
    """The features of a pair; None if neither reply gave an answer."""
    first, second = (_reply_features(reply, key, pair) for key, reply in pair.questions)
    if not (first.present or second.present):
        return None
    key = pair.key
    group = (key.skill, key.answer_type, any(first.can_show + second.can_show))
    # A wrong answer to an arrow question is assumed to be another shape of the picture, so misread ones are likely.
    others = key.difficulty.get("shapes", 0) - 1 if key.answer_type == "colour-shape" else 0
    chance_of_wrong = 1 / max(others if others > 1 else answer_count(key.answer_type) - 1, 1)
    if first.present and second.present and first.value != second.value:  # the two values do not matter then
        first, second = first._replace(value=UNLIKE), second._replace(value=UNLIKE)
    return PairFeatures(group, key.relevant, chance_of_wrong, first, second)


def _reply_features(reply: Judged | None, key: Key, pair: PairResult) -> ReplyFeatures:
    """The features of one reply; only `can_show` is set where there is no answer."""
    misreadings = misreadings_of(key)
    can_show = _flags(tuple(misreadings))
    value = reply.value if reply is not None else None
    if reply is None or value is None:
        return ReplyFeatures(can_show=can_show)
    yes_no = key.answer_type == "yes-no"
    truths = {k.expected for k in pair.keys}
    return ReplyFeatures(
        present=True,
        right=reply.right,
        yes=yes_no and value == "yes",
        no=yes_no and value == "no",
        is_original_truth=value == pair.key.expected,
        is_other_truth=not yes_no and not reply.right and value in truths,
        matches=_flags(tuple(name for name, answer in misreadings.items() if answer == value)),
        can_show=can_show,
        value=value,
    )


@cache
def _flags(names: tuple[str, ...]) -> tuple[bool, ...]:
    """For each misreading, True if it is one of these."""
    return tuple(name in names for name in MISREADINGS)


def misreadings_of(key: Key) -> Mapping[str, str]:
    """The answers to a key's question by misreading; for a published truth, of those that need no scene."""
    if key.misreadings or key.truth == "computed":
        return key.misreadings
    if key.answer_type == "integer" and key.expected.isdecimal():
        count = int(key.expected)
        return {"off-by-one": str(count + 1), "off-by-minus-one": str(max(0, count - 1))}
    if key.answer_type == "colour" and key.expected in CONFUSED_WITH:
        return {"colour-confusion": CONFUSED_WITH[key.expected]}
    return {}


def two_answers(pair: PairResult) -> tuple[str, str] | None:
    """The answers to both questions of a pair; None if one has none."""
    if pair.both is None or pair.both[0].value is None or pair.both[1].value is None:
        return None
    return pair.both[0].value, pair.both[1].value
