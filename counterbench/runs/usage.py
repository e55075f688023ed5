"""Observations of a judge in a run, beside its answers: model ids, spending, refused parameters."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from counterbench.answers import Refused, Unparsed, read_reply
from counterbench.runs.folder import JOURNAL_FILE, Figures, Record, read_journal, read_keys
from counterbench.runs.queries import Key

_EXAMPLE = 80  # characters of an example, which a server may make of any length


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Observations of one run; tokens and cost are null if no reply gives them."""

    outcomes: dict[str, int]  # attempts by outcome, as read at the time
    models: dict[str, int]  # replies by model id, as the server returned it; several: the model changed midway
    finishes: dict[str, int]  # replies by the reason for which they ended
    modes: dict[str, int]  # replies by the way in which they were made
    dropped: list[str]  # parameters that the server refused
    attempts: int  # those that failed included
    failed_attempts: dict[str, int]  # by kind of failure
    # The first message of each kind of failure; the first unparsed and the first refused reply, with the question's id
    # and the reason.
    examples: dict[str, str] = {}
    tokens_in: int | None
    tokens_out: int | None
    tokens_reasoning: int | None = None  # part of tokens_out
    cost: float | None  # US dollars
    priced: int = 0  # replies that give their cost
    first: str = ""  # time of the first reply, UTC in ISO 8601; empty if no record has one
    last: str = ""  # time of the last reply


class UsageCounter:
    """Gathers observations from the records of a journal as they are read.

    `probabilities`: True if any reply came with log-probabilities or candidates' likelihoods.
    """

    def __init__(self) -> None:
        # Records differ little in these: outcome, failure's kind (None of a reply), model, finish, mode.
        self._alike: Counter[tuple[str, str | None, str, str, str]] = Counter()
        self._dropped: set[str] = set()
        self._examples: dict[str, Record] = {}  # by kind of failure, or outcome
        self._figures = Figures()
        self._first = self._last = ""
        self.probabilities = False

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, unchanged, each looked at as it passes."""
        for record in records:
            self._look_at(record)
            if record.final and record.time:
                self._first, self._last = min(self._first or record.time, record.time), max(self._last, record.time)
            yield record

    def observations(self, path: Path) -> Usage:
        """The counts, with examples from the run in `path`."""
        outcomes: Counter[str] = Counter()
        for (outcome, *_), count in self._alike.items():
            outcomes[outcome] += count

        def by(field: int, failed: bool = False) -> dict[str, int]:
            """Number of replies, or of those that `failed`, by what they have in a field; most first."""
            counts: Counter[str] = Counter()
            for alike, count in self._alike.items():
                if (alike[1] is not None) == failed and (name := alike[field]):
                    counts[name] += count
            return dict(counts.most_common())

        return Usage(
            outcomes=dict(outcomes),
            models=by(2),
            finishes=by(3),
            modes=by(4),
            dropped=sorted(self._dropped),
            attempts=outcomes.total(),
            failed_attempts=by(1, failed=True),
            examples=self._lines(path),
            tokens_in=self._figures.tokens_in,
            tokens_out=self._figures.tokens_out,
            tokens_reasoning=self._figures.tokens_reasoning,
            cost=self._figures.cost,
            priced=self._figures.priced,
            first=self._first,
            last=self._last,
        )

    def _look_at(self, record: Record) -> None:
        failure = None if record.failure is None else record.failure.kind
        self._alike[record.outcome, failure, record.model, record.finish, record.mode] += 1
        if record.failure is not None:
            self._examples.setdefault(record.failure.kind, record)
        elif record.outcome in ("unparsed", "refused"):
            self._examples.setdefault(record.outcome, record)
        if record.dropped:
            self._dropped.update(record.dropped)
        if record.choices is not None or record.logprobs is not None:
            self.probabilities = True
        self._figures.add(record)

    def _lines(self, path: Path) -> dict[str, str]:
        """The examples; the key of a question gives the reason why its reply is no answer."""
        ids = {record.id for record in self._examples.values() if record.failure is None}
        needed = (key for key in (read_keys(path) if ids else ()) if key.id in ids)
        keys = {key.id: key for key in islice(needed, len(ids))}
        return {
            kind: _line(r.failure.message) if r.failure else _no_answer(r, keys.get(r.id))
            for kind, r in self._examples.items()
        }


def usage_of(path: Path) -> Usage:
    """Read the observations of the run in `path`."""
    observer = UsageCounter()
    for _ in observer.watch(read_journal(path / JOURNAL_FILE)):
        pass
    return observer.observations(path)


def _no_answer(record: Record, key: Key | None) -> str:
    """A reply that is no answer, the id of its question, and the reason as it is read now."""
    if key is None:
        return f"{_line(record.reply or '')} ({record.id})"
    outcome = read_reply(
        record.reply or "", key.answer_type, record.finish, labels=key.labels, answer_line=record.answer_line
    )
    match outcome:
        case Unparsed(reason=why) | Refused(evidence=why):
            pass
        case _:
            why = "an answer by now"  # as this version's parser reads it
    return f"{_line(record.reply or '')} ({record.id}: {_line(why)})"


def _line(text: str) -> str:
    line = " ".join(text[: 10 * _EXAMPLE].split())
    return line if len(line) <= _EXAMPLE else f"{line[: _EXAMPLE - 2]} …"
