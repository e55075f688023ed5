"""What was observed of a judge on the way, beside its answers: model ids, canaries, spending, refused parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from counterbench.answers import meaning
from counterbench.errors import InputError
from counterbench.runs.folder import JOURNAL_FILE, read_keys
from counterbench.runs.journal import Record, last_records, read_journal
from counterbench.runs.queries import Key

CANARIES_FILE = "canaries.jsonl"
_EXAMPLE = 160  # signs of an example, which may be as long as a server likes


class Canaries(msgspec.Struct, frozen=True):
    """How many of the first questions were asked again, and how many got another answer, or other words.

    `share` is changed ÷ those that got a reply both times; null if none did.
    """

    asked: int
    replied: int
    changed: int
    reworded: int
    share: float | None


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run. `outcomes`: of all attempts, as they were read then. `models`: how many replies came under which
    model id, as the server returned it; more than one means that the model changed midway. `finishes`, `modes`: why
    replies ended and how they were made. `dropped`: parameters that the server refused. `attempts`: all, with those
    that failed. `examples`: the first message of each kind of failure, and the first reply that was unparsed or refused
    then, shortened to a line. `tokens_in`, `tokens_out`, `cost` (US dollars): null where no reply says. `canaries`: see
    `compare_canaries`.
    """

    outcomes: dict[str, int]
    models: dict[str, int]
    finishes: dict[str, int]
    modes: dict[str, int]
    dropped: list[str]
    attempts: int
    failed_attempts: dict[str, int]
    examples: dict[str, str] = {}
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    canaries: Canaries | None


class UsageCounter:
    """Gathers observations from the records of a journal as they are read."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        self.finishes: Counter[str] = Counter()
        self.modes: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self.dropped: set[str] = set()
        self.attempts = 0
        self._sums: dict[str, float | None] = {"tokens_in": None, "tokens_out": None, "cost": None}

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, unchanged, each looked at as it passes."""
        for record in records:
            self._look_at(record)
            yield record

    def observations(self, path: Path) -> Usage:
        """What was seen, with the canaries of the run in `path`, which are counted in."""
        canaries = path / CANARIES_FILE
        compared = None
        if canaries.exists():
            again = last_records(canaries)
            before = {i: r for i, r in last_records(path / JOURNAL_FILE).items() if i in again}
            ids = {record.id for record in again.values()}
            keys = {key.id: key for key in read_keys(path) if key.id in ids}
            if strangers := ids - keys.keys():
                raise InputError(f"{canaries}: {min(strangers)!r} is no question of this run")
            compared = compare_canaries(before, again, keys)
            for record in read_journal(canaries):
                self._look_at(record)
        tokens_in, tokens_out, cost = self._sums.values()
        return Usage(
            outcomes=dict(self.outcomes),
            models={name: n for name, n in self.models.most_common() if name},
            finishes=dict(self.finishes.most_common()),
            modes=dict(self.modes.most_common()),
            dropped=sorted(self.dropped),
            attempts=self.attempts,
            failed_attempts=dict(self.failed.most_common()),
            examples=dict(self.examples),
            tokens_in=None if tokens_in is None else int(tokens_in),
            tokens_out=None if tokens_out is None else int(tokens_out),
            cost=cost,
            canaries=compared,
        )

    def _look_at(self, record: Record) -> None:
        self.attempts += 1
        self.outcomes[record.outcome] += 1
        self.dropped.update(record.dropped)
        for name, total in self._sums.items():
            value = getattr(record, name)
            if value is not None:
                self._sums[name] = (total or 0) + value
        if record.failure is not None:
            self.failed[record.failure.kind] += 1
            self._keep_example(record.failure.kind, record.failure.message)
            return
        if record.outcome in ("unparsed", "refused"):
            self._keep_example(record.outcome, record.reply or "")
        self.models[record.model] += 1
        if record.finish:
            self.finishes[record.finish] += 1
        if record.mode:
            self.modes[record.mode] += 1

    def _keep_example(self, kind: str, text: str) -> None:
        if kind not in self.examples:
            line = " ".join(text[: 10 * _EXAMPLE].split())
            self.examples[kind] = line if len(line) <= _EXAMPLE else f"{line[: _EXAMPLE - 2]} …"


def usage_of(path: Path) -> Usage:
    """What was observed in the run in `path`."""
    observer = UsageCounter()
    for _ in observer.watch(read_journal(path / JOURNAL_FILE)):
        pass
    return observer.observations(path)


def compare_canaries(run: dict[str, Record], again: dict[str, Record], keys: dict[str, Key]) -> Canaries | None:
    """The last records of the canaries against those of the run, by identity; None if none were asked."""
    if not again:
        return None
    pairs = [(run[identity], record) for identity, record in again.items() if identity in run]
    replied = [(before, now) for before, now in pairs if before.final and now.final]
    changed = sum(_meaning(before, keys) != _meaning(now, keys) for before, now in replied)
    reworded = sum(before.reply != now.reply for before, now in replied)
    share = changed / len(replied) if replied else None
    return Canaries(len(again), len(replied), changed, reworded, share)


def _meaning(record: Record, keys: dict[str, Key]) -> str:
    return meaning(record.reply or "", keys[record.id].answer_type, record.finish)
