"""Asks a judge many questions at once, each until it has a reply or no retry is left, within limits of cost and speed.

`Asker.ask` is the main path. It takes `PendingQuery` items (questions to be asked), puts them to the judge in batches
(a batch: the questions of one call), and gives a `Record` of every try, the line that a run's journal keeps. Inside,
`_feed` fills a queue, and a number of workers (`_work`) empty it. Each takes a batch, waits for room in the budget
(`_reserve`), and asks again what failed (`_until_answered`). One try is `_ask_once`. `_learn` decides by the replies if
asking must slow down or stop.

A judge may be anybody's code. Its replies are checked here (`checked`) so that a journal can keep them; each of its
errors becomes a `Failed` record. `Limits`, at the top, are what the user sets. A shard is one machine's part of a run.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec

from counterbench.answers import PARSER_VERSION, read_reply
from counterbench.answers.outcomes import Failed, Outcome, outcome_name
from counterbench.asking.limits import Budget, Pace
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply, raised, without_error_text
from counterbench.runs.folder import Record
from counterbench.runs.queries import Query
from counterbench.suites.shards import Shard

DEFAULT_CONCURRENCY = 32
RESUMES = "run the same command again to resume"
# A server that wants to be left alone for longer than this many seconds ends the run; it can be resumed.
_MAX_PAUSE = 300.0
# The longest wait before a question is asked again, in seconds.
_MAX_WAIT = 30.0
# After so many questions in a row that failed with every retry, asking stops: the way to the judge is gone.
_MAX_GIVEN_UP = 20
# After so many questions that were refused before any was answered, asking stops: not each question can be at fault.
_MAX_REFUSED_AT_FIRST = 3
# After so many questions in a row with an empty answer, asking stops: each was paid for, and more would be empty, too.
_MAX_EMPTY = 3
# After so many seconds without a reply, in which at least so many tries failed, asking stops: the server is there, and
# never answers.
_MAX_SILENCE, _MIN_SILENT_TRIES = 300.0, 3
# When the judge cannot be asked at all, calls under way have so many seconds to come back.
_SECONDS_FOR_LAST_REPLIES = 5.0
# Fields of a record that are copied from the reply.
_COPIED_FIELDS = sorted(set(Reply.__struct_fields__) & set(Record.__struct_fields__))
# Questions are made in a thread: so many at once, and so many that wait for their turn (in whole batches) …
_CHUNK_QUESTIONS, _AHEAD_QUESTIONS = 16, 16
# … or fewer, if their pictures take so many bytes.
_CHUNK_BYTES, _AHEAD_BYTES = 8 << 20, 32 << 20


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one call of `probe`: calls at once, calls, money, speed and retries. Shards share calls and money."""

    concurrency: int | None = None  # most calls at once; default 32, or the judge's own limit
    max_calls: int | None = None
    max_cost: float | None = None  # US dollars
    rpm: float | None = None  # requests per minute
    retries: int = 8  # most repeats of a question after a failure that may pass
    backoff: float = 0.5  # seconds before the first repeat, about; doubles up to 30

    def __post_init__(self) -> None:
        for name in ("concurrency", "max_calls", "max_cost", "rpm", "backoff"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # nan is not more than 0 either
                raise InputError(f"{name} must be more than 0, not {value}")
        if not 0 <= self.retries <= 100:
            raise InputError(f"retries must be from 0 to 100, not {self.retries}")

    def budget(self, shard: Shard | None = None) -> Budget:
        """The calls and money of one command for all that it asks; a shard gets its part of the whole.

        InputError if there is no call for each shard.
        """
        if shard is None:
            return Budget(self.max_calls, self.max_cost)
        if self.max_calls is not None and self.max_calls < shard.n:
            raise InputError(f"--max-calls {self.max_calls}: {shard.n} shards share it; give at least {shard.n}")
        calls = None if self.max_calls is None else len(shard.part_of(range(self.max_calls)))
        return Budget(calls, None if self.max_cost is None else self.max_cost / shard.n)


class PendingQuery(msgspec.Struct, frozen=True):
    """A question to be asked."""

    query: Query  # as it is put to the judge
    identity: str  # the digest of judge, template, question and repeat, by which a resumed run knows what it has asked
    asked_digest: str  # the digest of the question as it is put


def questions_at_once(judge: Judge, limits: Limits) -> int:
    """The largest number of questions to a judge that are under way at the same time."""
    return min(limits.concurrency or DEFAULT_CONCURRENCY, judge.max_in_flight) * judge.max_batch


BatchQueue = asyncio.Queue[tuple[list[PendingQuery], int]]  # batches, each with the bytes of its pictures
KeepRecords = Callable[[list[Record]], None]  # takes the records of one call
ReadReply = Callable[[Query, Reply], Outcome]  # reads a reply as an answer to its question


def _next_chunk(pending: Iterator[PendingQuery]) -> list[PendingQuery]:
    """The next questions to make at once: `_CHUNK_QUESTIONS`, or fewer if their pictures take much memory."""
    chunk: list[PendingQuery] = []
    while len(chunk) < _CHUNK_QUESTIONS and _bytes_of(chunk) < _CHUNK_BYTES and (item := next(pending, None)):
        chunk.append(item)
    return chunk


def _bytes_of(batch: Sequence[PendingQuery]) -> int:
    """The memory, in bytes, that the pictures of some questions take."""
    return sum(picture.bytes_held for item in batch for picture in item.query.pictures)


def answer_to(query: Query, reply: Reply) -> Outcome:
    """The outcome of a reply, read as an answer to its question."""
    return read_reply(
        reply.text or "", query.answer_type, reply.finish, labels=query.labels, answer_line=query.answer_line
    )


class Asker:
    """Asks one judge many questions at once, with retries and limits, and gives a `Record` of each try.

    `budget`: the calls and money that may still be spent (default: those of `limits`). `read` gives a reply's outcome:
    by default, as an answer to its question. Files are left to others: a `Runner` keeps the records.

    Attributes for the caller: `stopped` is the reason why nothing more is asked, empty while questions are asked;
    `fatal` is true if the judge cannot be asked at all; `again` is advice to the user on how to resume.
    """

    def __init__(self, judge: Judge, limits: Limits, budget: Budget | None = None, read: ReadReply = answer_to) -> None:
        """Begin with no call made; see the class for `budget` and `read`.

        Calls at once are as many as `limits` and the judge allow, at least 1.
        """
        self.judge, self.limits, self._read = judge, limits, read
        self.at_once = max(1, min(judge.max_in_flight, limits.concurrency or DEFAULT_CONCURRENCY))
        self.pace = Pace(self.at_once, limits.rpm)
        self.budget = budget or limits.budget()
        self.stopped = ""
        self.again = RESUMES
        self.fatal = False
        self._ended = asyncio.Event()  # set whenever a call is over
        self._taken = asyncio.Event()  # set whenever a worker takes a batch
        self._ahead_bytes = 0  # memory of the pictures of batches in the queue
        self._answered = False  # True once this judge has answered anything
        self._refused: set[str] = set()  # ids of questions that were refused since the last reply
        self._refusal = ""  # the reason of the last refusal
        self._given_up_in_a_row = 0  # questions whose retries all failed, since the last reply
        self._last_failure = ""
        self._no_reply_since = time.monotonic()
        self._tries_without_reply = 0  # tries that failed and may be repeated, since the last reply

    async def ask(self, pending: Iterable[PendingQuery], keep: KeepRecords, answered: Collection[str] = ()) -> None:
        """Ask all of `pending` but those whose identity is `answered`; `keep` gets the records of every try.

        The queries are made in a thread, in order and not far ahead of their use, so that no reply waits for a picture
        to be drawn or read; an error in making them is raised here. Once `stopped`, no new call begins, and calls under
        way come back first; they have only a few seconds if `fatal`.
        """
        self._answered = self._answered or bool(answered)
        queue: BatchQueue = asyncio.Queue(max(1, _AHEAD_QUESTIONS // self.batch))
        workers = [asyncio.create_task(self._work(queue, keep)) for _ in range(self.at_once)]
        with ThreadPoolExecutor(1, thread_name_prefix="pending") as thread:
            tasks = [asyncio.create_task(self._feed(queue, thread, iter(pending), answered)), *workers]
            try:
                async with asyncio.timeout(None) as self._patience:
                    await asyncio.gather(*tasks)
                    if self._refused and not self._answered:
                        self.stop(self._refusal, fatal=True)
            except TimeoutError:
                if not self._patience.expired():
                    raise
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def batch(self) -> int:
        """The largest number of questions in one call."""
        return max(1, self.judge.max_batch)

    async def _feed(
        self, queue: BatchQueue, thread: Executor, pending: Iterator[PendingQuery], answered: Collection[str]
    ) -> None:
        """Put the questions into the queue, in batches; at the end, an empty batch tells each worker to stop."""
        make = partial(asyncio.get_running_loop().run_in_executor, thread, _next_chunk, pending)
        waiting: list[PendingQuery] = []
        while not self.stopped and (chunk := await make()):
            waiting += [item for item in chunk if item.identity not in answered]
            while len(waiting) >= self.batch:
                await self._put(queue, waiting[: self.batch])
                del waiting[: self.batch]
        for batch in ([waiting] if waiting else []) + [[]] * self.at_once:
            await self._put(queue, batch)

    async def _put(self, queue: BatchQueue, batch: list[PendingQuery]) -> None:
        """Put a batch into the queue; then wait while the pictures of all waiting batches take too many bytes."""
        picture_bytes = _bytes_of(batch)
        self._ahead_bytes += picture_bytes
        await queue.put((batch, picture_bytes))
        while self._ahead_bytes >= _AHEAD_BYTES and not queue.empty():
            self._taken.clear()
            await self._taken.wait()

    async def _next_batch(self, queue: BatchQueue) -> list[PendingQuery]:
        """The next batch of the queue; empty if there are no more."""
        batch, picture_bytes = await queue.get()
        self._ahead_bytes -= picture_bytes
        self._taken.set()
        return batch

    async def _work(self, queue: BatchQueue, keep: KeepRecords) -> None:
        """Ask the batches of the queue one after the other, in parts if the budget has no room for a whole batch."""
        while batch := await self._next_batch(queue):
            while batch and (room := await self._reserve(len(batch))):
                await self._until_answered(batch[:room], keep)
                batch = batch[room:]

    async def _reserve(self, wanted: int) -> int:
        """Take room for up to `wanted` calls and return their number; waits while room may come, else 0."""
        while not self.stopped:
            if room := self.budget.room(wanted):
                self.budget.begin(room)
                return room
            if self.budget.may_grow:
                self._ended.clear()
                await self._ended.wait()
            else:
                self.stopped, self.again = self.budget.why(), self.budget.again
        return 0

    async def _until_answered(self, batch: list[PendingQuery], keep: KeepRecords) -> None:
        """Ask until nothing in the batch is worth asking again; the first try has its room in the budget."""
        batch = await self._ask_once(batch, 1, keep)
        for try_number in range(2, self.limits.retries + 2):
            if not batch:
                return
            # Half of each wait is random, so that calls that failed together are not repeated together.
            wait = min(_MAX_WAIT, self.limits.backoff * 2 ** (try_number - 2))
            await self.pace.sleep(wait * random.uniform(0.5, 1))
            again: list[PendingQuery] = []
            while batch and (room := await self._reserve(len(batch))):
                again += await self._ask_once(batch[:room], try_number, keep)
                batch = batch[room:]
            batch = again
        if batch and not self.stopped:
            self._given_up_in_a_row += len(batch)
            if self._given_up_in_a_row >= _MAX_GIVEN_UP:
                count, last = self._given_up_in_a_row, self._last_failure
                self.stop(f"{count} questions in a row failed after all retries; the last: {last}")

    def stop(self, why: str, fatal: bool = False, again: str = RESUMES) -> None:
        """Ask nothing more, and end all waits before a call; the first reason counts, and its advice (`again`)."""
        if not self.stopped:
            self.again = again
        if fatal and not self.stopped:
            self.fatal = True
            self._patience.reschedule(asyncio.get_running_loop().time() + _SECONDS_FOR_LAST_REPLIES)
        self.stopped = self.stopped or why
        self.pace.hurry()

    async def _ask_once(self, batch: list[PendingQuery], try_number: int, keep: KeepRecords) -> list[PendingQuery]:
        """Put a batch to the judge once; returns the questions that are worth asking again."""
        replies: list[Reply] = []
        sent = False
        try:
            async with self.pace.call() as began:
                if self.pace.hurried:  # asking stopped during the wait
                    return []
                sent = True
                replies = await self._replies([item.query for item in batch])
                seconds = round(time.monotonic() - began, 4)
                self._learn(began, batch, replies)
        finally:
            self.budget.end(len(batch), replies, sent)
            self._ended.set()
        pairs = list(zip(batch, replies, strict=True))
        keep([self._record(item, reply, seconds, try_number) for item, reply in pairs])
        retries = ((item, reply.retry) for item, reply in pairs if reply.retry)
        return [item for item, retry in retries if retry.most is None or try_number <= retry.most]

    def _learn(self, began: float, batch: Sequence[PendingQuery], replies: Sequence[Reply]) -> None:
        """Learn from the replies to a call that began at `began` (monotonic seconds): slow down, pause or stop.

        Of a failed reply, `stop` is a reason to stop asking (the judge refuses questions), unless `only_this` says that
        it may be about this question alone: then it takes several. `retry` says that the failure may pass. Asking also
        stops if the server is silent for long, or asks for a very long pause.
        """
        for item, reply in zip(batch, replies, strict=True):
            if reply.failure is None:
                self._answered = True
                self._refused.clear()
                self._given_up_in_a_row = self._tries_without_reply = 0
                self._no_reply_since = time.monotonic()
                self.pace.went_well()
                continue
            self._last_failure = f"{reply.failure.kind} {reply.failure.message}".strip()[:300]
            if reply.stop:
                self._refused.add(item.query.id)
                self._refusal = reply.stop
                # As many as are asked at once must be refused: refusals come before the replies to other questions.
                max_refused = max(self.at_once, _MAX_GIVEN_UP if self._answered else _MAX_REFUSED_AT_FIRST)
                if reply.retry is not None:  # no refusal, but an empty answer
                    max_refused = min(max_refused, _MAX_EMPTY)
                if not reply.only_this or len(self._refused) >= max_refused:
                    self.stop(reply.stop, fatal=True)
            if reply.retry is not None:
                if reply.retry.overload:
                    self.pace.overloaded(began)
                pause = reply.retry.after or 0.0
                if pause > _MAX_PAUSE:
                    self.stop(f"the server asks for a pause of {pause:.0f} seconds")
                elif pause > 0:
                    self.pace.pause(pause)
                    # The time of the pause does not count as silence.
                    self._no_reply_since = max(self._no_reply_since, time.monotonic() + pause)
                self._tries_without_reply += 1
                silence = time.monotonic() - self._no_reply_since
                if silence > _MAX_SILENCE and self._tries_without_reply >= _MIN_SILENT_TRIES:
                    self.stop(f"no reply for {silence:.0f} seconds; the last failure: {self._last_failure}")

    async def _replies(self, queries: Sequence[Query]) -> list[Reply]:
        """The judge's replies; if it raises an error, a failure as the reply to every query of the batch."""
        try:
            return checked(await self.judge.answer(queries), len(queries))
        except InputError:
            raise  # a picture of ours is missing or damaged: not the judge's failure
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # the runner stops; otherwise the judge gave up by itself
            failure = Failed("CancelledError", "the judge cancelled itself")
        except Exception as error:
            failure = raised(error)
        return [Reply(failure=failure)] * len(queries)

    def _record(self, item: PendingQuery, reply: Reply, seconds: float, try_number: int) -> Record:
        """The line of the journal for one try; `seconds`: of the whole call."""
        return Record(
            id=item.query.id,
            identity=item.identity,
            asked=item.asked_digest,
            repeat=item.query.repeat,
            reply=reply.text,
            outcome=outcome_name(reply.failure or self._read(item.query, reply)),
            parser=PARSER_VERSION,
            time=datetime.now(UTC).isoformat(timespec="milliseconds"),
            seconds=seconds,
            attempts=try_number,
            answer_line=item.query.answer_line,
            **{name: getattr(reply, name) for name in _COPIED_FIELDS},
        )


# Servers write this for the logarithm of 0, for which JSON has no word.
_LOG_ZERO = -9999.0


def checked(replies: object, count: int) -> list[Reply]:
    """The `count` replies of a judge, each checked; if it returned anything but so many replies, `count` failures."""
    if not isinstance(replies, Sequence) or isinstance(replies, str | bytes):
        failure = Failed("wrong-type", f"the judge returned {type(replies).__name__}, not a list of replies")
    elif len(replies) != count:
        failure = Failed("wrong-number", f"{len(replies)} replies to {count} queries")
    else:
        return [_checked_reply(reply) for reply in replies]
    return [Reply(failure=failure)] * count


def _checked_reply(reply: object) -> Reply:
    """The reply, or a failure if its fields are not of their types or its text reports an error."""
    if not isinstance(reply, Reply):
        return Reply(failure=Failed("wrong-type", f"the judge returned {type(reply).__name__}, not Reply"))
    try:
        plain = msgspec.to_builtins(reply, builtin_types=(bytes, bytearray))  # neither is a text
        sound = msgspec.convert(_writable(plain), Reply)
        if sound.cost is not None and sound.cost < 0:
            raise ValueError(f"it costs {sound.cost}")
    except (ValueError, TypeError, RecursionError) as error:
        return Reply(failure=Failed("wrong-type", f"a reply's fields are not of their types: {error}"))
    return without_error_text(sound)


def _writable(value: Any) -> Any:
    """The value in a form that JSON can keep; ValueError for plus infinity and nan.

    Half surrogate pairs are escaped, minus infinity becomes `_LOG_ZERO`, and an integer beyond 64 bits becomes None.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, float) and not math.isfinite(value):
        if value == -math.inf:
            return _LOG_ZERO
        raise ValueError(f"{value} is no number")
    if isinstance(value, int) and abs(value) >= 2**63:
        return None
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    return value
