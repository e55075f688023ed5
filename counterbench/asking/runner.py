"""What is asked within one command, of one judge or several: each attempt journaled, limits kept, progress told."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import msgspec

from counterbench.asking.asker import RESUMES, Asker, Due, Limits, Read, answer_to
from counterbench.asking.budget import Budget
from counterbench.asking.forecast import Forecast, Outlook
from counterbench.errors import InputError, JudgeError
from counterbench.judges.base import Judge
from counterbench.runs.figures import Figures
from counterbench.runs.journal import Journal, Record
from counterbench.text import brief, counted

# Failures that are met again: what a server does not take in this question, what is not in the run that is replayed,
# or not in the folder that pictures come from; what nobody knows, asked of a planted judge. Statuses that pass are none
# of them.
_LASTING = re.compile(
    r"http-4(?!0[89]|29)\d\d|too-large|not-recorded|asked-otherwise|no-truth|no-key|missing|ambiguous|unreadable"
)


class Progress(msgspec.Struct):
    """How far a run is: queries that have a final answer, that failed, and that are asked in all, and the spending.

    `calls` counts every attempt of this call of `probe`, `retried` those that were made because one before failed;
    `cost` is in US dollars, of this call too, and `figures` are of all calls for the run. `paused` is for how many
    seconds the server has asked to be left alone. `expected`: what all that is to be asked now will take, once that can
    be said. `ahead`: how many questions at least come after these `total`, of a run that grows; `told`: how far it is.
    `again`: how a run that was `stopped` goes on. `lasting`: questions that failed and will again, by id, and why.
    """

    total: int
    done: int = 0
    failed: int = 0
    calls: int = 0
    cost: float = 0.0
    stopped: str = ""
    retried: int = 0
    paused: float = 0.0
    again: str = RESUMES
    ahead: int = 0
    told: str = ""
    expected: Forecast | None = None
    lasting: dict[str, str] = {}
    figures: Figures = msgspec.field(default_factory=Figures)

    def __repr__(self) -> str:
        told = f"{self.done} of {counted(self.total, 'question')} with a reply, {self.failed} failed"
        spent = f", {self.cost:.4f} USD" if self.cost else ""
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return brief(self, f"{told}; {counted(self.calls, 'call')}{spent}{stopped}")

    @property
    def complete(self) -> bool:
        """Whether every query has a final answer."""
        return self.done == self.total

    @property
    def tried(self) -> bool:
        """Whether every query has a final answer, or failed."""
        return self.done + self.failed >= self.total


class Runner:
    """One command at work: what it may still spend, and how far it is."""

    def __init__(self, limits: Limits, progress: Progress, on_progress: Callable[[Progress], None]) -> None:
        self.limits, self.progress, self.on_progress = limits, progress, on_progress
        self.budget = Budget(limits.max_calls, limits.max_cost, limits.calls, limits.cost)
        self._failing: dict[str, Record] = {}  # by identity: the last attempt at what failed

    def asker(self, judge: Judge, read: Read = answer_to) -> Asker:
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
        *,
        calls: int = 0,
        before: Figures | None = None,
    ) -> None:
        """Ask all of `dues` but those whose identity is `answered`, and append every attempt to `journal`.

        `settles` is told each record once it is written, and says whether its question is settled by it; if not, it
        counts as failed. `calls`: how many questions these are, and `before`: what this judge took for the run so far,
        for a forecast. Raises JudgeError if the judge cannot be asked at all; what was answered before is kept.
        """

        def keep(records: list[Record]) -> None:
            file.append(records)
            now = time.monotonic()
            for record in records:
                if settles(record):
                    self._failing.pop(record.identity, None)
                else:
                    self._failing[record.identity] = record
                self.progress.retried += record.attempts > 1
                outlook.saw(record, now)
            self.progress.expected = self.progress.expected or outlook.forecast()
            self._count(asker)
            self.on_progress(self.progress)

        limits = self.limits
        outlook = Outlook(calls, before or Figures(), asker.at_once * asker.batch, limits.rpm, limits.tpm)
        if calls:
            self.progress.expected = outlook.forecast()
        if self.progress.expected is not None:
            self.on_progress(self.progress)
        with Journal(journal) as file:
            try:
                await asker.ask(dues, keep, answered)
            finally:
                self._count(asker)
                failing = self._failing.values()
                self.progress.lasting = {record.id: why for record in failing if (why := _lasting(record))}
        if asker.fatal:
            raise JudgeError(asker.stopped)

    def _count(self, asker: Asker) -> None:
        progress = self.progress
        progress.failed = len(self._failing)
        progress.calls, progress.cost = self.budget.calls, self.budget.cost
        progress.paused, progress.stopped, progress.again = asker.pace.paused, asker.stopped, asker.again


def refuse_unpriced(limits: Limits, unpriced: str, how: str, before: Callable[[], Figures]) -> None:
    """InputError if money is limited and it is not known what a call costs: nothing would tell when to stop.

    `unpriced` is as of `JudgeExtras`, `how` says how to give a price, `before` what the run took so far: a server that
    said what it cost will say so again.
    """
    if limits.max_cost is not None and unpriced and before().cost is None:
        raise InputError(f"--max-cost {limits.max_cost:g}: what {unpriced} costs is not known; give it with {how}")


def _lasting(record: Record) -> str:
    """Why the same question to the same judge would fail again; empty if it might not."""
    failure = record.failure
    if failure is None or not _LASTING.fullmatch(failure.kind):
        return ""
    return f"{failure.kind} {failure.message}".strip()
