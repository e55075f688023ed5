"""One call of `probe` at work: what is still to ask, what is in flight, what was spent, what comes back."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from counterbench.answers import PARSER_VERSION, parse
from counterbench.answers.outcomes import OUTCOME_NAMES, Failed
from counterbench.errors import InputError
from counterbench.journal import Answered, Journal, Record, identity_of, read_journal
from counterbench.judges.base import Judge, Reply
from counterbench.probing import queries
from counterbench.queries import Query
from counterbench.sources import Source
from counterbench.wordings import Wording

# What is kept of an exception's message.
_MESSAGE = 500


class Progress(msgspec.Struct):
    """How far a run is: queries that have a final answer, that failed, and that are asked in all, and the spending."""

    total: int
    done: int = 0
    failed: int = 0
    calls: int = 0
    cost: float = 0.0
    stopped: str = ""

    @property
    def complete(self) -> bool:
        """Whether every query has a final answer."""
        return self.done == self.total


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Where to stop: before the next batch would make more than `max_calls` calls, or once `max_cost` is spent."""

    concurrency: int | None = None
    max_calls: int | None = None
    max_cost: float | None = None

    def __post_init__(self) -> None:
        for name in ("concurrency", "max_calls", "max_cost"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # and neither is what is no number
                raise InputError(f"--{name.replace('_', '-')} must be more than 0, not {value}")


class Runner:
    """One call of `probe`: what is asked, what is in flight, what was spent."""

    def __init__(
        self,
        source: Source,
        judge: Judge,
        wording: Wording,
        votes: int,
        settled: Answered,
        limits: Limits,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.source, self.judge, self.wording, self.votes, self.limits = source, judge, wording, votes, limits
        self.on_progress = on_progress
        self.settled = settled
        self.restated: set[str] = set()
        done = sum(identity in settled.identities for identity in settled.latest.values())
        self.progress = Progress(total=2 * len(source) * votes, done=done)

    async def run(self, journal: Journal) -> None:
        """Ask until all is answered, a limit is reached or the caller stops it."""
        in_flight: set[asyncio.Task[None]] = set()
        at_once = max(1, min(self.judge.max_in_flight, self.limits.concurrency or self.judge.max_in_flight))
        self.on_progress(self.progress)
        try:
            for batch in self._batches():
                asked = batch[: self._room()]
                if asked:
                    self.progress.calls += len(asked)
                    in_flight.add(asyncio.create_task(self._ask(asked, journal)))
                if len(asked) < len(batch):
                    self._room()  # says why
                    break
                if len(in_flight) >= at_once:
                    finished, in_flight = await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
                    await asyncio.gather(*finished)
            await asyncio.gather(*in_flight)
            if self.restated:
                again = {r.identity: r for r in read_journal(journal.path) if r.identity in self.restated and r.final}
                journal.append(list(again.values()))
        finally:
            for task in in_flight:
                task.cancel()
            await asyncio.gather(*in_flight, return_exceptions=True)
            await self.judge.close()

    def _batches(self) -> Iterator[list[tuple[Query, int, str]]]:
        """What is still to be asked: (query, vote, identity), in batches that the judge takes."""
        settled = self.settled
        batch: list[tuple[Query, int, str]] = []
        for query in queries(self.source):
            digest = query.digest
            for vote in range(self.votes):
                identity = identity_of(self.judge.name, self.wording.digest, query.id, digest, vote)
                before = settled.latest.get((query.id, vote))
                counted = before in settled.identities
                if identity in settled.identities:
                    if before != identity:  # a picture was changed and changed back: say again what holds
                        self.restated.add(identity)
                    self.progress.done += not counted
                    continue
                self.progress.done -= counted  # answered about another picture
                batch.append((query, vote, identity))
                if len(batch) >= max(1, self.judge.max_batch):
                    yield batch
                    batch = []
        if batch:
            yield batch

    def _room(self) -> int:
        """How many calls may still be made; at 0 the run stops, and `progress.stopped` says why."""
        limits, progress = self.limits, self.progress
        if limits.max_cost is not None and progress.cost >= limits.max_cost:
            progress.stopped = f"--max-cost {limits.max_cost} reached"
            return 0
        room = progress.total if limits.max_calls is None else limits.max_calls - progress.calls
        if room <= 0:
            progress.stopped = f"--max-calls {limits.max_calls} reached"
        return max(0, room)

    async def _ask(self, batch: Sequence[tuple[Query, int, str]], journal: Journal) -> None:
        """Put one batch to the judge and journal what comes back."""
        dressed = [self.wording.dress(query) for query, _, _ in batch]
        began = time.perf_counter()
        replies = await self._replies(dressed)
        seconds = round(time.perf_counter() - began, 4)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        records = []
        for (query, vote, identity), asked, reply in zip(batch, dressed, replies, strict=True):
            outcome = reply.failure or parse(reply.text or "", query.answer_type)
            records.append(
                Record(
                    id=query.id,
                    identity=identity,
                    asked=asked.digest,
                    vote=vote,
                    reply=reply.text,
                    failure=reply.failure,
                    outcome=outcome_name(outcome),
                    parser=PARSER_VERSION,
                    time=now,
                    seconds=seconds,
                    model=reply.model,
                    finish=reply.finish,
                    tokens_in=reply.tokens_in,
                    tokens_out=reply.tokens_out,
                    cost=reply.cost,
                )
            )
        journal.append(records)
        self.progress.done += sum(record.final for record in records)
        self.progress.failed += sum(not record.final for record in records)
        self.progress.cost += sum(record.cost or 0.0 for record in records)
        self.on_progress(self.progress)

    async def _replies(self, dressed: Sequence[Query]) -> Sequence[Reply]:
        """The judge's replies; whatever else comes back is a failure of every query in the batch."""
        try:
            return _checked(await self.judge.answer(dressed), len(dressed))
        except InputError:
            raise  # a picture of ours is missing or damaged: not the judge's failure
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # the runner stops; otherwise the judge gave up by itself
            failure = Failed("CancelledError", "the judge cancelled itself")
        except _Malformed as error:
            failure = Failed(error.kind, str(error))
        except Exception as error:  # whatever a judge raises is evidence, not a reason to lose the run
            failure = Failed(type(error).__name__, _writable(str(error)[:_MESSAGE]))
        return [Reply(failure=failure)] * len(dressed)


class _Malformed(Exception):
    """A judge broke its contract; `kind` says how."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def _checked(replies: object, count: int) -> list[Reply]:
    """`count` replies of the right types, whatever the judge returned; else _Malformed."""
    if not isinstance(replies, Sequence) or isinstance(replies, str):
        raise _Malformed("malformed", f"the judge returned {type(replies).__name__}, not a list of replies")
    if len(replies) != count:
        raise _Malformed("wrong-number", f"{len(replies)} replies to {count} queries")
    checked = []
    for reply in replies:
        if not isinstance(reply, Reply):
            raise _Malformed("malformed", f"the judge returned {type(reply).__name__}, not Reply")
        try:
            typed = msgspec.convert(_writable(msgspec.to_builtins(reply)), Reply)
        except (msgspec.ValidationError, TypeError) as error:
            raise _Malformed("malformed", f"a reply's fields are not of their types: {error}") from None
        if typed.cost is not None and not 0 <= typed.cost < math.inf:
            raise _Malformed("malformed", f"a reply costs {typed.cost}")
        checked.append(typed)
    return checked


def _writable(value: Any) -> Any:
    """`value` with what is no Unicode in its texts (half surrogate pairs) written out, so that it can be kept."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _writable(item) for key, item in value.items()}
    return value


def outcome_name(outcome: object) -> str:
    """ "answer", "unparsed", "refused" or "failed"."""
    name = type(outcome).__name__.lower()
    assert name in OUTCOME_NAMES
    return name
