"""Puts questions to a judge until each has its reply or the patience is at an end: retries, limits, clean records.

Every attempt becomes a record. A judge only answers; whatever it does wrong is a `Failed` record here.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from datetime import time as timetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt, wait_exponential, wait_random_exponential

from counterbench.answers import PARSER_VERSION, read_reply
from counterbench.answers.outcomes import Failed, Outcome, outcome_name
from counterbench.asking.budget import Budget
from counterbench.asking.pace import Call, Pace
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply
from counterbench.runs.journal import Record
from counterbench.runs.queries import Query

DEFAULT_CONCURRENCY = 32
# What is kept of an exception's message.
_MESSAGE = 500
# A server that wants to be left alone for longer than this many seconds ends the run; it can be resumed.
_LONGEST_PAUSE = 300.0
# So many questions in a row that failed after every retry: the way to the judge is gone.
_FRUITLESS = 20
# No reply for so many seconds, and so many attempts that failed meanwhile: the server is there and never answers.
_SILENCE, _SILENT_ATTEMPTS = 300.0, 3

_LOG_ZERO = -9999.0
_MOST_TOKENS = 2**40
# What is no text, though it can be written as one.
_NO_TEXTS = (bytes, bytearray, datetime, date, timetime, UUID, Decimal)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How hard and how long a judge is asked.

    `concurrency`: most calls at once (default 32, or what the judge allows). `max_calls`, `max_cost` (US dollars): of
    this call of `probe`. `rpm`, `tpm`: requests and tokens per minute. `retries`: how often a question is asked again
    after a failure that may pass; the first wait is about `backoff` seconds, and doubles up to 30.
    """

    concurrency: int | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    rpm: float | None = None
    tpm: float | None = None
    retries: int = 8
    backoff: float = 0.5

    def __post_init__(self) -> None:
        for name in ("concurrency", "max_calls", "max_cost", "rpm", "tpm", "backoff"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # and neither is what is no number
                raise InputError(f"--{name.replace('_', '-')} must be more than 0, not {value}")
        if not 0 <= self.retries <= 100:
            raise InputError(f"--retries must be from 0 to 100, not {self.retries}")


class Due(msgspec.Struct, frozen=True):
    """A question to be asked: the query as it is put to the judge, and what its record says of it."""

    query: Query
    identity: str
    asked: str


Keep = Callable[[list[Record]], None]
Read = Callable[[str, str, str], Outcome]


class Asker:
    """Asks one judge. `stopped` says why nothing more is asked; `fatal`, that the judge cannot be asked at all.

    `read` gives a reply's outcome from its text, answer type and finish: by default, as an answer to a question.
    """

    def __init__(self, judge: Judge, limits: Limits, keep: Keep, read: Read = read_reply) -> None:
        self.judge, self.keep, self._read = judge, keep, read
        self.at_once = max(1, min(judge.max_in_flight, limits.concurrency or DEFAULT_CONCURRENCY))
        self.pace = Pace(self.at_once, limits.rpm, limits.tpm)
        self.budget = Budget(limits.max_calls, limits.max_cost)
        self.stopped = ""
        self.fatal = self.abandoned = False
        self._ended = asyncio.Event()  # set whenever a call is over
        self._fruitless = 0
        self._last_failure = ""
        self._silent_since = time.monotonic()
        self._silent_attempts = 0
        half = limits.backoff / 2
        # Half of each wait is certain and half is chance, so that those who failed together do not return together.
        self._attempts: dict[str, Any] = {
            "stop": stop_after_attempt(1 + limits.retries),
            "wait": wait_exponential(multiplier=half, max=15) + wait_random_exponential(multiplier=half, max=15),
            "retry": retry_if_result(bool),
            "retry_error_callback": lambda state: state.outcome.result(),
            "sleep": self.pace.sleep,
        }

    def room(self, wanted: int) -> int:
        """How many of `wanted` questions may be asked now."""
        return 0 if self.stopped else self.budget.room(wanted)

    def start(self, batch: Sequence[Due]) -> asyncio.Task[None]:
        """Begin to ask a batch for which there is room; it counts as spent from now on."""
        self.budget.begin(len(batch))
        return asyncio.create_task(self._ask(batch))

    async def _ask(self, batch: Sequence[Due]) -> None:
        """Ask until nothing in the batch is worth asking again; `keep` gets every attempt."""
        pending = list(batch)
        async for attempt in AsyncRetrying(**self._attempts):
            number = attempt.retry_state.attempt_number
            if number > 1:
                pending = pending[: await self._room_again(len(pending))]
                self.budget.begin(len(pending))
            pending = await self._once(pending, number)
            attempt.retry_state.set_result(pending)
        if pending and not self.stopped:
            self._fruitless += len(pending)
            if self._fruitless >= _FRUITLESS:
                self.stop(
                    f"{self._fruitless} questions in a row failed after all retries; the last: {self._last_failure}"
                )

    def stop(self, why: str, fatal: bool = False) -> None:
        """Ask nothing more, and do not wait to ask what has begun to wait; the first reason counts."""
        self._no_more(why)
        self.fatal = self.fatal or (fatal and self.stopped == why)
        self.abandoned = True
        self.pace.hurry()

    def out_of_budget(self) -> None:
        """Begin nothing more; calls that the budget has room for are still made."""
        self._no_more(self.budget.why())

    def _no_more(self, why: str) -> None:
        self.stopped = self.stopped or why

    async def _room_again(self, wanted: int) -> int:
        """Room for a retry; waits where money that is set aside may come back."""
        while not (room := self.room(wanted)) and not self.stopped:
            if not self.budget.may_grow:
                self.out_of_budget()
                break
            self._ended.clear()
            await self._ended.wait()
        return room

    async def _once(self, batch: Sequence[Due], attempt: int) -> list[Due]:
        """Put a batch to the judge once; the questions that are worth asking again."""
        if not batch:
            return []
        replies: Sequence[Reply] = ()
        made = False
        try:
            async with self.pace.call() as call:
                if self.abandoned:
                    return []
                made = True
                began = time.perf_counter()
                replies = await self._replies([due.query for due in batch])
                seconds = round(time.perf_counter() - began, 4)
                self._learn(call, replies)
        finally:
            self.budget.end(len(batch), replies, made)
            self._ended.set()
        records = [_record(due, reply, self._read, seconds, attempt) for due, reply in zip(batch, replies, strict=True)]
        self.keep(records)
        return [due for due, reply in zip(batch, replies, strict=True) if reply.retry is not None]

    def _learn(self, call: Call, replies: Sequence[Reply]) -> None:
        for reply in replies:
            if reply.failure is None:
                self._fruitless = self._silent_attempts = 0
                self._silent_since = time.monotonic()
                known = reply.tokens_in is not None or reply.tokens_out is not None
                call.went_well((reply.tokens_in or 0) + (reply.tokens_out or 0) if known else None)
            else:
                self._last_failure = f"{reply.failure.kind} {reply.failure.message}".strip()[:300]
            if reply.stop:
                self.stop(reply.stop, fatal=True)
            if reply.retry is not None:
                if reply.retry.overload:
                    call.overloaded()
                pause = reply.retry.after or 0.0
                if pause > _LONGEST_PAUSE:
                    self.stop(f"the server asks to be left alone for {pause:.0f} seconds")
                elif pause > 0:
                    call.pause(pause)
                    self._silent_since = max(self._silent_since, time.monotonic() + pause)  # silence that it asked for
                self._silent_attempts += 1
                silence = time.monotonic() - self._silent_since
                if silence > _SILENCE and self._silent_attempts >= _SILENT_ATTEMPTS:
                    self.stop(f"no reply for {silence:.0f} seconds; the last failure: {self._last_failure}")

    async def _replies(self, queries: Sequence[Query]) -> Sequence[Reply]:
        """The judge's replies; whatever else comes back is a failure of every query in the batch."""
        try:
            return _checked(await self.judge.answer(queries), len(queries))
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
        return [Reply(failure=failure)] * len(queries)


def _record(due: Due, reply: Reply, read: Read, seconds: float, attempt: int) -> Record:
    outcome = reply.failure or read(reply.text or "", due.query.answer_type, reply.finish)
    return Record(
        id=due.query.id,
        identity=due.identity,
        asked=due.asked,
        vote=due.query.vote,
        reply=reply.text,
        failure=reply.failure,
        outcome=outcome_name(outcome),
        parser=PARSER_VERSION,
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        seconds=seconds,
        model=reply.model,
        finish=reply.finish,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost=reply.cost,
        attempts=attempt,
        mode=reply.mode,
        choices=reply.choices,
        logprobs=reply.logprobs,
        dropped=reply.dropped,
    )


class _Malformed(Exception):
    """A judge broke its contract; `kind` says how."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def _checked(replies: object, count: int) -> list[Reply]:
    """`count` replies of the right types, whatever the judge returned; else _Malformed."""
    if not isinstance(replies, Sequence) or isinstance(replies, str | bytes):
        raise _Malformed("malformed", f"the judge returned {type(replies).__name__}, not a list of replies")
    if len(replies) != count:
        raise _Malformed("wrong-number", f"{len(replies)} replies to {count} queries")
    return [_sound(reply) for reply in replies]


def _sound(reply: object) -> Reply:
    """A reply that a journal can keep and others can read, or the failure that it is."""
    if not isinstance(reply, Reply):
        return Reply(failure=Failed("malformed", f"the judge returned {type(reply).__name__}, not Reply"))
    try:
        plain = msgspec.to_builtins(reply, builtin_types=_NO_TEXTS)  # as they are, not as texts
        typed = msgspec.convert(_writable(plain), Reply)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError) as error:
        return Reply(failure=Failed("malformed", f"a reply's fields are not of their types: {error}"))
    if typed.cost is not None and not 0 <= typed.cost < math.inf:
        return Reply(failure=Failed("malformed", f"a reply costs {typed.cost}"))
    likelihoods = [*(typed.choices or {}).values()]
    for token in typed.logprobs or ():
        likelihoods += [token.logprob, *(logprob for _, logprob in token.top)]
    if not all(math.isfinite(value) for value in likelihoods):
        return Reply(failure=Failed("malformed", "a reply's log-likelihoods are no numbers"))
    return msgspec.structs.replace(
        typed, tokens_in=_believable(typed.tokens_in), tokens_out=_believable(typed.tokens_out)
    )


def _believable(tokens: int | None) -> int | None:
    """A number of tokens; None if it can be none."""
    return tokens if tokens is not None and 0 <= tokens < _MOST_TOKENS else None


def _writable(value: Any) -> Any:
    """`value` so that JSON can keep it: half surrogate pairs in texts written out, log(0) as the number servers use."""
    if isinstance(value, float) and value == -math.inf:
        return _LOG_ZERO
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    return value
