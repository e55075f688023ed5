"""Asks a judge every question of a source and journals what comes back. The same call again resumes.

A run folder holds `run.json` (what is asked of whom), `keys.jsonl` (the truth, for scoring) and `journal.jsonl`. The
runner alone owns retries, limits, budgets and the journal; a judge only answers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from counterbench import formats
from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION, parse
from counterbench.answers.outcomes import OUTCOME_NAMES, Failed
from counterbench.errors import BusyError, InputError
from counterbench.journal import Journal, Record, answered, identity_of
from counterbench.judges.base import Judge, Reply
from counterbench.probing import keys, queries
from counterbench.queries import Query
from counterbench.run_folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, RunInfo, write_keys
from counterbench.sources import Source
from counterbench.wordings import Wording, load_wording


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
            if value is not None and value <= 0:
                raise InputError(f"--{name.replace('_', '-')} must be more than 0, not {value}")


def probe(
    source: Source,
    judge: Judge,
    out: Path,
    *,
    wording: Wording | None = None,
    votes: int = 1,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Ask `judge` every question of `source` that the run in `out` has no final answer to.

    Raises InputError if `out` holds another run, BusyError if another process is writing there, and whatever reading
    a picture raises; everything that the judge does wrong is a `Failed` record instead.
    """
    if votes < 1:
        raise InputError(f"--votes must be at least 1, not {votes}")
    wording = wording or load_wording()
    info = RunInfo(
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        judge=judge.name,
        wording=wording.name,
        wording_digest=wording.digest,
        votes=votes,
        queries=2 * len(source) * votes,
        versions={"counterbench": __version__, "parser": PARSER_VERSION},
    )
    with formats.clear_os_errors(out, "writing"):
        _refuse_other_run(out, info)
        out.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(out / ".lock", timeout=0):
                _begin(out, info, source)
                runner = _Runner(source, judge, wording, info, limits or Limits(), on_progress)
                with Journal(out / JOURNAL_FILE) as journal:
                    asyncio.run(runner.run(journal))
                return runner.progress
        except Timeout:
            raise BusyError(f"{out}: another process is working on this run; wait for it or stop it") from None


def _refuse_other_run(out: Path, info: RunInfo) -> None:
    if out.is_file():
        raise InputError(f"{out}: is a file; --out takes a folder")
    if (out / RUN_FILE).is_file():
        there = formats.read_json(out / RUN_FILE, RunInfo)
        for name in ("suite_digest", "judge", "wording_digest", "votes"):
            if getattr(there, name) != getattr(info, name):
                raise InputError(
                    f"{out}: holds another run: its {name.replace('_', ' ')} is {getattr(there, name)!r}, not "
                    f"{getattr(info, name)!r} (it is {there.judge!r} on {there.suite!r}); choose another --out"
                )
    elif out.is_dir() and any(entry.name != KEYS_FILE and not formats.is_leftover(entry) for entry in out.iterdir()):
        raise InputError(f"{out}: is not empty and not a run; choose another --out")


def _begin(out: Path, info: RunInfo, source: Source) -> None:
    """Write the keys, then `run.json`, unless they are there."""
    if not (out / RUN_FILE).is_file() or not (out / KEYS_FILE).is_file():
        write_keys(out, keys(source))
        formats.write_json(out / RUN_FILE, info)


class _Runner:
    """One call of `probe`: what is asked, what is in flight, what was spent."""

    def __init__(
        self,
        source: Source,
        judge: Judge,
        wording: Wording,
        info: RunInfo,
        limits: Limits,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.source, self.judge, self.wording, self.info, self.limits = source, judge, wording, info, limits
        self.on_progress = on_progress
        self.progress = Progress(total=info.queries)

    async def run(self, journal: Journal) -> None:
        """Ask until all is answered, a limit is reached or the caller stops it."""
        in_flight: set[asyncio.Task[None]] = set()
        at_once = max(1, min(self.judge.max_in_flight, self.limits.concurrency or self.judge.max_in_flight))
        self.on_progress(self.progress)
        try:
            for batch in self._batches(journal.path):
                batch = batch[: self._room()]
                if not batch:
                    break
                self.progress.calls += len(batch)
                in_flight.add(asyncio.create_task(self._ask(batch, journal)))
                if len(in_flight) >= at_once:
                    finished, in_flight = await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
                    for task in finished:
                        task.result()
            await asyncio.gather(*in_flight)
        finally:
            for task in in_flight:
                task.cancel()
            await asyncio.gather(*in_flight, return_exceptions=True)
            await self.judge.close()

    def _batches(self, journal: Path) -> Iterator[list[tuple[Query, int, str]]]:
        """What is still to be asked: (query, vote, identity), in batches that the judge takes."""
        settled = answered(journal)
        batch: list[tuple[Query, int, str]] = []
        for query in queries(self.source):
            digest = query.digest
            for vote in range(self.info.votes):
                identity = identity_of(self.judge.name, self.wording.digest, query.id, digest, vote)
                if identity in settled:
                    self.progress.done += 1
                    continue
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
        """The judge's replies; an exception or a wrong number of them is a failure of every query in the batch."""
        try:
            replies = await self.judge.answer(dressed)
        except InputError:
            raise  # a picture of ours is missing or damaged: not the judge's failure
        except Exception as error:  # whatever a judge raises is evidence, not a reason to lose the run
            return [Reply(failure=Failed(type(error).__name__, str(error)[:500]))] * len(dressed)
        if len(replies) != len(dressed):
            message = f"{len(replies)} replies to {len(dressed)} queries"
            return [Reply(failure=Failed("wrong-number", message))] * len(dressed)
        return replies


def outcome_name(outcome: object) -> str:
    """ "answer", "unparsed", "refused" or "failed"."""
    name = type(outcome).__name__.lower()
    assert name in OUTCOME_NAMES
    return name
