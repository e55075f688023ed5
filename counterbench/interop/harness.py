"""Questions that another harness asks one by one, joined to pairs again, read and counted by our rules.

A question is a row of an export (`exports.rows.question_row`). A failed question and its pair are in no number.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from counterbench.answers.outcomes import Answer, Unparsed
from counterbench.results import scores
from counterbench.results.results import pairs_of
from counterbench.results.rules import DEFAULT, Judged, majority, scoring
from counterbench.runs.queries import Key, labels_in
from counterbench.scene.pairs import ROLES


class HarnessReply(NamedTuple):
    """A reply to a question, after it was read and compared with the truth."""

    question: Mapping[str, Any]  # the question's row
    right: bool  # True if the answer is the expected one
    answer: str | None  # None: the reply is no answer


def key_of(question: Mapping[str, Any]) -> Key:
    """The key (the right answer, and where it counts) in a question's row."""
    fields = {name: question[name] for name in Key.__struct_fields__ if name in question and name != "format"}
    fields |= {
        "group": question["pair"],
        "expected": question["answer"],
        "labels": labels_in(question),
        "truth": "computed",
    }
    return msgspec.convert(fields, Key)


def judge_reply(reply: str, question: Mapping[str, Any], finish: str = "", scoring_name: str = DEFAULT) -> Judged:
    """A reply read and compared with its key by the scoring rule `scoring_name`.

    `finish`: the reason why the reply ended ("stop", "length", …), where that is known.
    """
    return scoring(scoring_name)(reply, key_of(question), finish, question["answer_line"])


def or_nan(value: float | None) -> float:
    """A number for tools without missing values: NaN for None."""
    return math.nan if value is None else value


def numbers(records: Iterable[HarnessReply]) -> scores.Score:
    """The scores of the pairs whose two questions both have all their replies.

    Several replies to a question are repeats, whose majority counts. "All" is the largest number that any question has.
    """
    repeats, keys = defaultdict(list), {}
    for record in records:
        outcome = Unparsed("") if record.answer is None else Answer(record.answer)
        key = key_of(record.question)
        keys[key.id] = key
        repeats[key.id].append(Judged(outcome, record.right))
    repeat_count = max(map(len, repeats.values()), default=0)
    replies = {id: majority(judged) for id, judged in repeats.items() if len(judged) == repeat_count}
    replied = Counter(keys[id].group for id in replies)
    whole_pairs = [keys[id] for id in replies if replied[keys[id].group] == len(ROLES)]
    return scores.score(pairs_of(whole_pairs, replies, "the harness"))
