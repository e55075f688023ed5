"""Lines that long work prints: number of questions, forecast, cost, and the next step."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from counterbench.bars import Report
from counterbench.cli.amounts import basis_of, forecast_words, usd
from counterbench.cli.printing import command, progress, say, say_all, say_some
from counterbench.errors import JudgeError
from counterbench.text import counted, quoted

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.asking.asking import AskedTemplate, Asking
    from counterbench.asking.limits import Forecast
    from counterbench.asking.runner import Progress
    from counterbench.suites.shards import Shard

# Work that takes longer than this, or costs money, gets a forecast.
_SLOW = 10.0
_SHOWN, _LONGEST = 3, 120  # questions that failed for good, and characters about each


class Work:
    """Reports a run: the number of questions, the forecast once, then the progress. Parameters: see `working`."""

    def __init__(self, report: Report, first_line: Callable[[Progress], str], prices: Callable[[], str], quiet: bool):
        self.report, self.done = report, 0
        self._first_line, self._prices, self._quiet = first_line, prices, quiet
        self._began: str | None = None  # the template whose first line was printed
        self._printed_forecast: Forecast | None = None

    def __call__(self, p: Progress) -> None:
        """Show the progress of the work."""
        self.done = p.done
        if self._began != p.template and not self._quiet:
            say(self._first_line(p), err=True)
        self._began = p.template
        if p.expected is not None and p.expected is not self._printed_forecast and not self._quiet:
            self._printed_forecast = p.expected
            if p.expected.cost or (p.expected.seconds or 0) >= _SLOW:
                say(f"this run takes: {forecast_words(p.expected, self._prices(), grows=bool(p.status))}", err=True)
        self.report(p.done + p.failed, p.total + p.min_remaining, _note(p))


@contextlib.contextmanager
def working(
    doing: str, first_line: Callable[[Progress], str], done: str, prices: Callable[[], str], quiet: bool = False
) -> Iterator[Work]:
    """Show a progress bar during some work, and yield the object that reports the work's progress.

    `first_line`: the line on the number of questions. `prices`: the list of prices from which costs are computed. If a
    judge or generator ends it for good, a note says that everything `done` ("answered", "drawn") before is kept.
    """
    with progress(doing, quiet) as report:
        work = Work(report, first_line, prices, quiet)
        try:
            yield work
        except JudgeError as error:
            if work.done:
                error.add_note(f"what was {done} before is kept: run the same command again to resume")
            raise


def ask(asking: Asking, about: str = "", quiet: bool = False, step: str = "") -> list[AskedTemplate]:
    """Ask the questions, with progress on standard error; `about`: the things asked about; `step`: before each line."""
    from counterbench.judges.base import JudgeExtras, called, extras

    judge, part, several = asking.judge, asking.questions.shard, len(asking.templates) > 1

    def first_line(p: Progress) -> str:
        """The line printed before the first question of a template."""
        then = f", then at least {p.min_remaining:,} more" if p.min_remaining else ""
        under = f" under {p.template}" if several else ""
        left = f"questions to ask {judge.name}{about}{under}: {p.total - p.done:,}"
        return f"{step}{left}{then}{already_words(p, 'answered')}{shard_words(part, asking.limits)}"

    doing = f"{step}asking {called(judge, asking.name)}"
    with working(doing, first_line, "answered", lambda: extras(judge, JudgeExtras).prices, quiet=quiet) as work:
        return asking.run(work, lambda done, total: work.report(done, total, "pictures read, nothing asked yet"))


def already_words(p: Progress, done: str) -> str:
    """The part of a resumed run that was `done` ("answered", "drawn") before, for the end of a line."""
    return f", {p.done} already {done}" if p.done else ""


def shard_words(shard: Shard | None, limits: Limits) -> str:
    """The shard that a run is, and its part of the calls and money, for the end of a line; empty of a whole run."""
    if shard is None:
        return ""
    cap = limits.budget(shard)
    parts = [f"{cap.max_calls:,} of {counted(limits.max_calls, 'call')}"] if limits.max_calls and cap.max_calls else []
    parts += [f"{usd(cap.max_cost)} of {usd(limits.max_cost)}"] if limits.max_cost and cap.max_cost else []
    return f", shard {shard}{', with ' if parts else ''}{' and '.join(parts)}"


def _note(p: Progress) -> str:
    """The notes on the progress of asking: the status, the money spent, questions asked again, and pauses."""
    notes = [p.status] if p.status else []
    notes += [f"{usd(p.cost)} spent"] if p.cost else []
    notes += [f"{p.retried} asked again"] if p.retried else []
    notes += [f"the server asks to wait {p.paused:.0f} s"] if p.paused >= 1 else []
    return ", ".join(notes)


def say_state(path: Path, what: str, end: Progress) -> None:
    """Print the number of `what` ("questions") that were answered, and the outcomes of the others, each once."""
    read = end.figures.outcomes
    parts = [f"{read.get('answer', 0)} of {end.total} {what} answered"]
    other_counts = [(read.get(name, 0), name) for name in ("unparsed", "refused")]
    other_counts += [(end.failed, "failed"), (left := end.total - end.done - end.failed, "still to ask")]
    parts += [f"{count} {name}" for count, name in other_counts if count]
    parts[-1] += f" and, once they are answered, {end.min_remaining}" if left and end.min_remaining else ""
    say(f"{path}: {', '.join(parts)}{' (complete)' if end.complete else ''}, {end.calls} asked now")


def say_asked(asking: Asking, run: AskedTemplate, verbose: bool = False, observed: bool = True) -> None:
    """Print how asking ended, and what was `observed` of the judge."""
    from counterbench.cli.tables import observation_lines
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.usage import usage_of

    say_state(run.path, "questions", run.end)
    say_all(observation_lines(called(asking.judge, asking.name), usage_of(run.path)) if observed else ())
    say_lasting(run.end, verbose)
    say_end(run.end, extras(asking.judge, JudgeExtras).prices)


def say_lasting(end: Progress, verbose: bool = False) -> None:
    """Print the questions that failed for good."""
    if end.lasting:
        say(f"questions that failed for good: {len(end.lasting)}")
        shown = [f"  {id}: {why[:_LONGEST]}" for id, why in end.lasting.items()]
        say_some(shown, _SHOWN, verbose, all_are="journal.jsonl has all")


def say_end(end: Progress, prices: str) -> None:
    """Print why the work ended before all was done, and the money that was spent."""
    if end.stopped:
        say(f"stopped: {end.stopped}")
    figures = end.figures
    if figures.cost:
        spent = usd(figures.cost)
        if not math.isclose(end.cost, figures.cost) and (end.cost or not end.calls):
            spent = f"{usd(end.cost)} now, {spent} in all"
        unpriced = figures.replies - figures.priced
        spent += (
            f", without the cost of {counted(unpriced, 'reply', 'replies')}, which is not known" if unpriced else ""
        )
        say(f"spent: {spent}{basis_of(figures, prices)}")


def next_step(end: Progress, then: str) -> str:
    """The next step for the user: `then` if no more replies can come, else a command that helps."""
    if end.complete:
        return then
    if end.stopped:
        return end.again
    if len(end.lasting) < end.total - end.done:  # something is left that may be answered
        return end.again
    if end.done:
        return then
    replayed = all(why.startswith(("not-recorded", "asked-otherwise")) for why in end.lasting.values())
    other = "replay a run of these questions" if replayed else "fix the cause of the failures"
    return f"{other}: the same command would fail again"


def then_merge(shard: Shard, path: Path) -> str:
    """The next step after a shard: a complete command where the names of all shards are known."""
    name = str(path).removesuffix(shard.ending)
    if name == str(path):
        return f"after all {shard.n} shards: {command('merge')} DIR … --out DIR"
    return f"after all {shard.n} shards: {command('merge')} {quoted(name)}--shard-*-of-{shard.n} --out {quoted(name)}"
