"""What is asked within one command, of one judge or several: each attempt journaled, limits kept, progress told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import msgspec

from counterbench.answers import read_reply
from counterbench.asking.asker import Asker, Due, Limits, Read
from counterbench.asking.budget import Budget
from counterbench.errors import JudgeError
from counterbench.judges.base import Judge
from counterbench.runs.journal import Journal, Record


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


class Runner:
    """One command at work: what it may still spend, and how far it is."""

    def __init__(self, limits: Limits, progress: Progress, on_progress: Callable[[Progress], None]) -> None:
        self.limits, self.progress, self.on_progress = limits, progress, on_progress
        self.budget = Budget(limits.max_calls, limits.max_cost)
        self._failing: set[str] = set()  # identities whose last attempt failed

    def asker(self, judge: Judge, read: Read = read_reply) -> Asker:
        """Who asks `judge`, within the command's limits."""
        self.budget.forget_prices()
        return Asker(judge, self.limits, self.budget, read)

    async def ask(
        self,
        asker: Asker,
        dues: Iterable[Due],
        journal: Path,
        settles: Callable[[Record], bool],
        answered: Collection[str] = (),
    ) -> None:
        """Ask all of `dues` but those whose identity is `answered`, and append every attempt to `journal`.

        `settles` is told each record once it is written, and says whether its question is settled by it; if not, it
        counts as failed. Raises JudgeError if the judge cannot be asked at all; what was answered before is kept.
        """

        def keep(records: list[Record]) -> None:
            file.append(records)
            for record in records:
                (self._failing.discard if settles(record) else self._failing.add)(record.identity)
                self.progress.retried += record.attempts > 1
            self._count(asker)
            self.on_progress(self.progress)

        with Journal(journal) as file:
            try:
                await asker.ask(dues, keep, answered)
            finally:
                self._count(asker)
        if asker.fatal:
            raise JudgeError(asker.stopped)

    def _count(self, asker: Asker) -> None:
        progress = self.progress
        progress.failed = len(self._failing)
        progress.calls, progress.cost = self.budget.calls, self.budget.cost
        progress.paused, progress.stopped = asker.pace.paused, asker.stopped
