"""Asks the questions of one command, to one or several judges: journals tries, keeps limits, reports progress."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from counterbench.asking.asker import RESUMES, Asker, Limits, PendingQuery, ReadReply, answer_to
from counterbench.asking.limits import ENOUGH, Budget, Forecast, forecast
from counterbench.errors import InputError, JudgeError
from counterbench.judges.base import Judge
from counterbench.runs.folder import (
    Figures,
    Journal,
    Record,
)
from counterbench.runs.pair_queries import Questions
from counterbench.text import brief, counted

T = TypeVar("T")

# Kinds of failures that a repeat would meet again: a question that the server does not take, a reply that is not in the
# replayed run, a picture that is not in the folder, a question to a planted judge without a known truth. Statuses that
# may pass are not among them.
_LASTING = re.compile(
    r"http-4(?!0[89]|29)\d\d|too-large|not-recorded|not-asked|asked-otherwise|no-truth|no-key|missing|ambiguous|unreadable|wrong-type|wrong-number"
)


class Progress(msgspec.Struct):
    """The state of a run during one call of `probe`."""

    total: int  # queries in all
    template: str = ""  # the name of the template under which is asked
    done: int = 0  # queries with a final answer
    failed: int = 0  # queries that failed
    calls: int = 0  # tries in this call of `probe`
    cost: float = 0.0  # US dollars, in this call of `probe`
    stopped: str = ""  # the reason why nothing more is asked
    retried: int = 0  # tries after a failed one, in this call of `probe`
    paused: float = 0.0  # seconds for which the server has asked to be left alone
    again: str = RESUMES  # advice to the user on how a stopped run goes on
    min_remaining: int = 0  # least number of queries after `total`, in a run that grows
    status: str = ""  # the state of a run that grows, in a few words
    expected: Forecast | None = None  # for the queries of this call, once enough is known
    lasting: dict[str, str] = {}  # queries that failed and would fail again: the reason by id
    figures: Figures = msgspec.field(default_factory=Figures)  # sums over all calls of `probe` for this run

    def __str__(self) -> str:
        text = f"{self.done} of {counted(self.total, 'question')} with a reply, {self.failed} failed"
        spent = f", {self.cost:.4f} USD" if self.cost else ""
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return f"{text}; {counted(self.calls, 'call')}{spent}{stopped}"

    def __repr__(self) -> str:
        return brief(self, str(self))

    @property
    def complete(self) -> bool:
        """True if every query has a final answer."""
        return self.done == self.total

    @property
    def reason(self) -> str:
        """The reason, in words, why the run is not complete."""
        return self.stopped or f"{counted(self.failed, 'question')} failed"

    @property
    def tried(self) -> bool:
        """True if every query has a final answer or failed."""
        return self.done + self.failed >= self.total


class Runner:
    """One command at work: has an `Asker` ask, and keeps its records in the journal, the progress and the budget.

    A run under several templates has a runner for each, and one budget for all.
    """

    def __init__(
        self, limits: Limits, progress: Progress, on_progress: Callable[[Progress], None], budget: Budget
    ) -> None:
        self.limits, self.progress, self.on_progress, self.budget = limits, progress, on_progress, budget
        self._before = self.budget.calls, self.budget.cost  # spent before this command or template
        self._failing: dict[str, Record] = {}  # by identity: the last try of a query that failed

    def asker(self, judge: Judge, read: ReadReply = answer_to) -> Asker:
        """An asker of `judge` within the command's limits."""
        self.budget.forget_prices()
        return Asker(judge, self.limits, self.budget, read)

    async def ask(
        self,
        asker: Asker,
        pending: Iterable[PendingQuery],
        journal: Path,
        settles: Callable[[Record], bool],
        answered: Collection[str] = (),
        *,
        calls: int = 0,
    ) -> None:
        """Ask all of `pending` but those whose identity is `answered`, and append every try to `journal`.

        `settles` gets each record once it is written, and returns True if its question is settled; if not, the question
        counts as failed; it keeps the sums in `progress.figures`. `calls`: the number of questions, for a forecast.
        Raises JudgeError if the judge cannot be asked at all; earlier answers are kept.
        """

        def keep(records: list[Record]) -> None:
            """Append the records, and count those that failed."""
            file.append(records)
            for record in records:
                if settles(record):
                    self._failing.pop(record.identity, None)
                else:
                    self._failing[record.identity] = record
                self.progress.retried += record.attempts > 1
            self._update_forecast(calls, asker)
            self._update_counts(asker)
            self.on_progress(self.progress)

        self._update_forecast(calls, asker)
        if self.progress.expected is not None:
            self.on_progress(self.progress)
        with Journal(journal) as file:
            try:
                await asker.ask(pending, keep, answered)
            finally:
                self._update_counts(asker)
                failing = self._failing.values()
                self.progress.lasting = {record.id: why for record in failing if (why := _lasting_failure(record))}
        if asker.fatal:
            raise JudgeError(asker.stopped)

    def _update_forecast(self, calls: int, asker: Asker) -> None:
        """Forecast so many calls in the progress, once, as soon as enough replies are known."""
        figures = self.progress.figures
        if self.progress.expected is None and min(calls, figures.replies) >= ENOUGH:
            rate = 60 / self.limits.rpm if self.limits.rpm else 0.0
            self.progress.expected = forecast(calls, figures, asker.at_once * asker.batch, rate)

    def _update_counts(self, asker: Asker) -> None:
        """Update the failed questions, calls, money and state of the progress."""
        progress = self.progress
        progress.failed = len(self._failing)
        calls, cost = self._before
        progress.calls, progress.cost = self.budget.calls - calls, self.budget.cost - cost
        progress.paused, progress.stopped, progress.again = asker.pace.paused, asker.stopped, asker.again


def refuse_unpriced(limits: Limits, unpriced: str, how: str, before: Callable[[], Figures]) -> None:
    """InputError if money is limited and the cost of a call is not known, so that the limit cannot be kept.

    `unpriced`: the model whose price is not known, empty if it is (as of `JudgeExtras`); `how`: advice to the user on
    how to give a price; `before`: the sums of the run so far, because a server that gave its cost before will do so
    again.
    """
    if limits.max_cost is not None and unpriced and before().cost is None:
        raise InputError(f"--max-cost {limits.max_cost:g}: what {unpriced} costs is not known; give it with {how}")


def _lasting_failure(record: Record) -> str:
    """The reason why the same question to the same judge would fail again; empty if it might not."""
    failure = record.failure
    if failure is None or not _LASTING.fullmatch(failure.kind):
        return ""
    return f"{failure.kind} {failure.message}".strip()


def run_sync(work: Coroutine[None, None, T]) -> T:
    """The result of a coroutine, run in a thread of its own where an event loop is running already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)
    try:
        with ThreadPoolExecutor(1) as thread:
            end = thread.submit(loop.run_until_complete, task)
            try:
                return end.result()
            except KeyboardInterrupt:
                loop.call_soon_threadsafe(task.cancel)
                raise
    finally:
        loop.close()


class AdaptiveQuestions(Protocol):
    """Questions that depend on replies: further ones follow once every question so far has a reply."""

    # True if further questions depend on the counts of cells, as `run.json` then says; such a run does not go on past a
    # question that failed.
    by_cells: bool

    def next_batch(self) -> Questions | Awaitable[Questions | None] | None:
        """The questions that come next, or an awaitable of them; None if there are no more."""
        ...

    @property
    def min_remaining(self) -> int:
        """The smallest number of questions that follow after those that are asked now."""
        ...

    @property
    def status(self) -> str:
        """The state of the run, in a few words."""
        ...
