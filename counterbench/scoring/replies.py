"""The reply to every question of a run, collected record by record in little memory: a run may have millions."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.runs.journal import Record, asked_of_another
from counterbench.runs.queries import Key
from counterbench.scoring.rules import Judged, majority, scoring

# Judges repeat the same few short replies; the results of reading these are kept.
_SHORT, _REMEMBERED = 40, 4096
_FAILED = Failed("failed")


# A key's answer type, expected answer and labels: the reading of a reply depends on nothing else.
Kind = tuple[str, str, tuple[tuple[str, str], ...]]


class Replies(Mapping[str, Judged | Failed | None]):
    """The reply to each question by id; Failed, or None if it has not been asked (often enough).

    For each vote only the result and a hash of its identity are kept, each at one place in its column; the first vote
    has the place of its key. Keys whose replies are read in the same way share one key.
    """

    def __init__(self, keys: Iterable[Key], scoring_name: str, votes: int, where: str) -> None:
        self._scoring, self._asked, self._where = scoring(scoring_name), votes, where
        self._judge_short = lru_cache(_REMEMBERED)(self._judge)
        self._alike: dict[Kind, tuple[Kind, Key]] = {}
        self._kinds: list[Kind] = []
        self._places: dict[str, int] = {}
        for place, key in enumerate(keys):
            if self._places.setdefault(key.id, place) != place:
                raise InputError(f"{where}: two keys have the same id")
            kind = (key.answer_type, key.expected, tuple(key.labels.items()))
            self._kinds.append(self._alike.setdefault(kind, (kind, key))[0])
        self._came: list[Judged | Failed | None] = [None] * len(self._kinds)
        self._identities = array("q", bytes(8 * len(self._kinds)))
        self._put = array("q", bytes(8 * len(self._kinds)))
        self._further: dict[int, dict[int, int]] = {}  # places of votes after the first, by that of the first

    def add(self, record: Record) -> None:
        """Add an attempt; InputError if it has no key, or is about another picture than an earlier one."""
        place = self._places.get(record.id)
        if place is None:
            raise InputError(f"{self._where}: a record is of query {record.id!r}, which has no key")
        kind = self._kinds[place]
        self._put[place] = hash(record.asked)
        if record.vote:
            place = self._place(place, record.vote)
        before, identity = self._came[place], hash(record.identity)
        if before is None:
            self._identities[place] = identity
        elif self._identities[place] != identity:
            raise asked_of_another(record.id, self._where)
        if record.reply is not None:
            judge = self._judge_short if len(record.reply) <= _SHORT else self._judge
            self._came[place] = judge(record.reply, kind, record.finish, record.answer_line)
        elif before is None:  # a failure never undoes an answer
            self._came[place] = _FAILED

    def _judge(self, reply: str, kind: Kind, finish: str, answer_line: bool) -> Judged:
        return _one_of_all(self._scoring(reply, self._alike[kind][1], finish, answer_line))

    def _place(self, first: int, vote: int) -> int:
        further = self._further.setdefault(first, {})
        if vote not in further:
            further[vote] = len(self._came)
            self._came.append(None)
            self._identities.append(0)
        return further[vote]

    def put(self, id: str) -> int:
        """A hash of the question as the judge got it: the same for the same words."""
        return self._put[self._places[id]]

    def __getitem__(self, id: str) -> Judged | Failed | None:
        first = self._places[id]
        further = self._further.get(first)
        if further is None and self._asked == 1:
            return self._came[first]
        votes = {0: first} | (further or {})
        came = [reply for vote in sorted(votes) if (reply := self._came[votes[vote]]) is not None]
        if any(isinstance(reply, Failed) for reply in came):
            return _FAILED
        return majority([reply for reply in came if isinstance(reply, Judged)]) if len(came) >= self._asked else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@lru_cache(_REMEMBERED)
def _one_of_all(judged: Judged) -> Judged:
    """The same value, with one object for all equal ones."""
    return judged
