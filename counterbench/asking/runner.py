"""One call of `probe` at work: what is still to ask, what is in flight, what comes back into the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from counterbench.asking.asker import Asker, Due, Limits
from counterbench.asking.canaries import ask_canaries
from counterbench.asking.flight import Flight
from counterbench.asking.prefetch import ahead
from counterbench.errors import JudgeError
from counterbench.judges.base import Judge
from counterbench.runs.journal import Answered, Journal, Record, identity_of, read_journal
from counterbench.runs.questions import Questions
from counterbench.runs.usage import CANARIES_FILE
from counterbench.runs.wordings import Wording


class Progress(msgspec.Struct):
    """How far a run is: queries that have a final answer, that failed, and that are asked in all, and the spending.

    `calls` counts every attempt of this call of `probe`, `retried` those that were made because one before failed;
    `paused` is for how many seconds the server has asked to be left alone.
    """

    total: int
    done: int = 0
    failed: int = 0
    calls: int = 0
    cost: float = 0.0
    stopped: str = ""
    retried: int = 0
    paused: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether every query has a final answer."""
        return self.done == self.total


class ToAsk(msgspec.Struct, frozen=True):
    """A query to be asked; `changed` if the journal answers it, but about another picture."""

    due: Due
    changed: bool


class Settled(msgspec.Struct, frozen=True):
    """A query that the journal answers; `latest` if that is also what it was last asked, `counted` as done or not."""

    identity: str
    latest: bool
    counted: bool


class Runner:
    """One call of `probe`: what is asked, what is in flight, what was spent."""

    def __init__(
        self,
        questions: Questions,
        judge: Judge,
        wording: Wording,
        votes: int,
        settled: Answered,
        limits: Limits,
        canaries: int,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.questions, self.judge, self.wording, self.votes = questions, judge, wording, votes
        self.limits, self.canaries, self.on_progress, self.settled = limits, canaries, on_progress, settled
        done = sum(identity in settled.identities for identity in settled.latest.values())
        self.progress = Progress(total=len(questions) * votes, done=done)
        self._failing: set[str] = set()  # identities whose last attempt failed

    async def run(self, journal: Journal) -> None:
        """Ask until all is answered, a limit is reached or the caller stops it.

        Raises JudgeError if the judge cannot be asked at all; what was answered before is kept.
        """
        asker = Asker(self.judge, self.limits, lambda records: self._keep(records, journal, asker))
        flight = Flight(asker)
        restated: set[str] = set()
        self.on_progress(self.progress)
        try:
            batch: list[Due] = []
            async with ahead(self._items()) as items:
                async for item in items:
                    if isinstance(item, Settled):
                        self.progress.done += not item.counted
                        if not item.latest:  # a picture was changed and changed back: say again what holds
                            restated.add(item.identity)
                        continue
                    self.progress.done -= item.changed
                    batch.append(item.due)
                    if len(batch) >= max(1, self.judge.max_batch):
                        await flight.launch(batch)
                        batch = []
                    if asker.stopped:
                        break
            await flight.launch(batch)
            await flight.land()
            if restated:
                again = {r.identity: r for r in read_journal(journal.path) if r.identity in restated and r.final}
                journal.append(list(again.values()))
            if self.canaries and self.progress.complete and not asker.stopped:
                first = await asyncio.to_thread(lambda: list(islice(self._first_votes(), self.canaries)))
                await ask_canaries(first, asker, journal.path.with_name(CANARIES_FILE))
        finally:
            await flight.abandon()
            await self.judge.close()
        self._spent(asker)
        if asker.fatal:
            raise JudgeError(asker.stopped)

    def _dues(self) -> Iterator[Due]:
        """Every question of the source as it is put to the judge. Runs in a thread, so it changes nothing."""
        for query in self.questions.queries():
            digest = query.digest
            dressed = self.wording.dress(query)
            asked = dressed.digest
            for vote in range(self.votes):
                identity = identity_of(self.judge.name, self.wording.digest, query.id, digest, vote)
                yield Due(msgspec.structs.replace(dressed, vote=vote), identity, asked)

    def _first_votes(self) -> Iterator[Due]:
        return (due for due in self._dues() if due.query.vote == 0)

    def _items(self) -> Iterator[ToAsk | Settled]:
        """Every question, asked already or not."""
        settled = self.settled
        for due in self._dues():
            before = settled.latest.get((due.query.id, due.query.vote))
            counted = before in settled.identities
            if due.identity in settled.identities:
                yield Settled(due.identity, before == due.identity, counted)
            else:
                yield ToAsk(due, counted)

    def _keep(self, records: list[Record], journal: Journal, asker: Asker) -> None:
        journal.append(records)
        self.progress.done += sum(record.final for record in records)
        for record in records:
            if record.final:
                self._failing.discard(record.identity)
            else:
                self._failing.add(record.identity)
            self.progress.retried += record.attempts > 1
        self._spent(asker)
        self.on_progress(self.progress)

    def _spent(self, asker: Asker) -> None:
        progress = self.progress
        progress.failed = len(self._failing)
        progress.calls, progress.cost = asker.budget.calls, asker.budget.cost
        progress.paused, progress.stopped = asker.pace.paused, asker.stopped
