"""Named scorings: rules that compare a reply with its key, so that every number can name its rule."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Protocol

import msgspec

from counterbench.answers import read_reply
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.errors import unknown
from counterbench.runs.queries import Key

DEFAULT = "default"


class Judged(msgspec.Struct, frozen=True):
    """The meaning of a reply, and if it is right."""

    outcome: Outcome
    right: bool

    @property
    def value(self) -> str | None:
        """The normalised answer, if there is one."""
        return self.outcome.value if isinstance(self.outcome, Answer) else None


class Scoring(Protocol):
    """A rule that compares a reply with its key.

    `finish`: why the reply ended; `answer_line`: True if an "Answer: …" line was asked for.
    """

    def __call__(self, reply: str, key: Key, finish: str = "", answer_line: bool = False) -> Judged:
        """The meaning of the reply, and if it is right."""
        ...


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
    """The meaning of a reply by our parser, compared with the right answer."""
    outcome = read_reply(reply, answer_type, finish, synonyms=synonyms, labels=labels, answer_line=answer_line)
    return Judged(outcome, isinstance(outcome, Answer) and outcome.value == expected)


def _ours(reply: str, key: Key, finish: str = "", answer_line: bool = False, *, synonyms: bool = True) -> Judged:
    kind = (key.expected, key.answer_type, key.labels)
    return judged(reply, *kind, finish, synonyms=synonyms, answer_line=answer_line)


_RELEASED_COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "cyan", "pink")
_RELEASED_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _as_released(reply: str, key: Key, finish: str = "", answer_line: bool = False) -> Judged:
    """The released CounterBench scoring with its bug: a shape named with its colour is cut down to the colour.

    So an arrow's "yellow square" becomes "yellow", which never contains both words, and no arrow pair scores.
    `finish` and `answer_line` are ignored.
    """
    said = _released_normal_form(reply)
    if key.answer_type == "colour-shape":
        right = all(word in said for word in key.expected.split())
    else:
        right = said == key.expected
    return Judged(Answer(said), right)


def _released_normal_form(reply: str) -> str:
    """Yes or no anywhere in the text, else the first number, else the first of eight colours, else the text."""
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


SCORINGS: dict[str, Scoring] = {
    "default": _ours,
    "strict": partial(_ours, synonyms=False),
    "as-released": _as_released,
}


def scoring(name: str) -> Scoring:
    """The scoring called `name`; InputError with the valid names if there is none."""
    if name not in SCORINGS:
        raise unknown("scoring", name, SCORINGS)
    return SCORINGS[name]


def majority(votes: list[Judged]) -> Judged:
    """The answer of most votes; unparsed if two answers are tied, or if no vote gave one."""
    if len(votes) == 1:
        return votes[0]
    counts = Counter(vote.value for vote in votes if vote.value is not None)
    if not counts:
        return votes[0]
    most = max(counts.values())
    leaders = [value for value, count in counts.items() if count == most]
    if len(leaders) > 1:
        return Judged(Unparsed(f"votes are tied between {' and '.join(sorted(leaders))}"), False)
    return next(vote for vote in votes if vote.value == leaders[0])
