"""The commands `swap` (may a new judge replace the old one?) and `watch` (does a judge still answer as it did?).

Each command opens its options as a job (`pictures.comparing`), which asks the judges and returns a document; this
module prints that (the functions `_say_…`) and exits with 1 for "changed", with 3 for "undecided" or unfinished.

Both compare *CCS*, the share of pairs of pictures that a judge gets right on both, overall and in each *cell* (pairs
with questions of one kind). The *bank* of `watch` is the judge's first replies to a number of pairs; a *look* is a call
that asks some of these pairs again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.evidence.options import SwapOptions, WatchCall
from counterbench.text import counted, listed

if TYPE_CHECKING:
    from counterbench.asking.asking import Asking
    from counterbench.evidence.looks import WatchDocument
    from counterbench.pictures.comparing.swap import SwapDocument
    from counterbench.pictures.comparing.watch import Watch
    from counterbench.results.judge_changes import CellDifference
    from counterbench.stats.intervals import Estimate

_ALL = "all cells"
_MAX_CELLS = 24  # cells of a full table; one of more cells has no rows for undecided cells


@options.fields_as_options
def swap(
    old: str = typer.Argument(metavar="OLD", help="The judge so far, or a run of probe that it answered."),
    new: str = typer.Argument(metavar="NEW", help="The judge that would replace it."),
    target: str = typer.Option(
        "",
        "--for",
        metavar="SUITE|PROMPTS|TABLE|RUN",
        help="The questions, or OLD's run about pictures (default: certify, or those of OLD's run).",
    ),
    *,
    job_options: SwapOptions,
    as_json: options.AsJson = False,
) -> None:
    """See whether a new judge may take the old one's place.

    Both answer the same pairs, until that is decided. With a run about pictures NEW judges these too, to show how the
    models' scores change. Without --max-calls it stops at 6,000 calls about pairs; the same command resumes. Exits with
    1 if the judge changed, with 3 if that is undecided.
    Example: counterbench swap planted:oracle planted:noisy --for smoke
    """
    from counterbench.pictures.comparing.swap import Swap

    work = Swap.from_options(job_options)
    if not as_json:
        say(work.cost_in_words, err=True)
    with progress(f"asking {old} and {new}", quiet=as_json) as report:
        found = work.conclude(report)
    if as_json:
        print_json(found)
    else:
        _say_swap(found)
        if found.ranking is not None:
            _say_ranking(found)
        say_next(_next_command(found, new, target, job_options.command_words("base_url", "price")))
    if found.verdict != "equivalent":
        raise typer.Exit(CHECK_FAILED if found.verdict == "changed" else UNFINISHED)


def _next_command(result: SwapDocument, new: str, target: str, settings: list[object]) -> str:
    """The command for the user's next step, by the verdict; `settings`: the options on the judge to repeat in it."""
    from counterbench.evidence.swap import NEW

    if result.verdict == "equivalent":
        about = result.suite if result.ranking is not None else target or result.suite
        return command("validate", new, "--for", about, *settings, "--plan")
    if result.ranking is not None and result.ranking.moved:  # people say which of the two is right
        return command("label", result.ranking.run)
    return command("diagnose", Path(result.run) / NEW) if result.verdict == "changed" else result.again


@options.fields_as_options
def watch(
    run: Path = typer.Argument(metavar="RUN|CERT", help="A judge's run, or its certificate."),
    later: Path | None = typer.Argument(
        None, metavar="[LATER]", help="A later run of RUN's prompts, to tell if the judge or a model changed."
    ),
    *,
    job_options: WatchCall,
    as_json: options.AsJson = False,
) -> None:
    """See whether a judge is still the one that it was.

    Asks some pairs again, and compares each once with its first reply. May be called every day: the error rate stays
    below 5 % over all looks, if replies err independently (else --by-look). Exits with 1 if the judge or a model
    changed, with 3 if it was stopped, or nothing is left to ask.
    Example: counterbench watch runs/mine --start
    """
    from counterbench.pictures.comparing.watch import Watch

    work, start = Watch.from_options(job_options), job_options.start
    if not as_json and not start:
        say(work.cost_in_words, err=True)
    if start and not as_json:
        say(f"the bank takes: {counted(work.bank.plan().calls, 'call')}", err=True)
    with progress("asking the judge", quiet=as_json) as report:
        if start:
            _say_start(work, work.start(report), as_json)
            return
        found = work.look(report)
    if as_json:
        print_json(found)
    else:
        _say_watch(found)
    if found.verdict == "changed" and not found.stopped:
        raise typer.Exit(CHECK_FAILED)
    if found.stopped or found.compared_nothing:
        raise typer.Exit(UNFINISHED)


def _say_start(work: Watch, bank: Asking, as_json: bool) -> None:
    """Print how many questions of the bank have a reply, the cost of the first look, and the next command.

    Exits with 3 if replies are missing.
    """
    figures, end, questions = bank.figures, bank.ends[0].end, len(bank.questions) * bank.repeats
    if as_json:
        print_json({"run": str(bank.path), "pairs": len(bank.questions) // 2, "calls": figures.replies})
    else:
        pairs = counted(len(bank.questions) // 2, "pair")
        say(f"{bank.path}: a bank of {pairs}, {figures.replies} of {questions} questions have a first reply")
        if end.complete:
            # --pairs was the size of the bank; without it a look takes its usual number.
            say(f"the first look {replace(work, pairs=None).cost_in_words}")
        judge = work.command_words("judge")
        say_next(command("watch", work.run, *judge) if end.complete else end.again)
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def _say_watch(result: WatchDocument) -> None:
    """Print the result of all looks so far: the difference today, where it changed, and the verdict."""
    from counterbench.cli.grid import Table, show

    compared = f"{result.overall.pairs} of {counted(result.bank, 'pair')} of the bank compared"
    say(f"{result.run}: {counted(len(result.looks), 'look')}, {compared}, {counted(result.calls, 'call')} so far")
    if result.overall.pairs:
        say(f"today − at first, points of CCS: {_points_text(result.overall.difference)}")
    if result.since is not None:
        say(f"CHANGED since the look of {result.since}: {100 * (result.change or 0):+.1f} points from then on")
    _say_changed(result.cells, f"{result.judge} today", "at first")
    if (fresh := result.fresh) is not None:
        state = {"above": "still above", "below": "BELOW", "undecided": "not yet shown to be above"}[fresh.verdict]
        share = f"right on {fresh.right} of {counted(fresh.pairs, 'fresh pair')}"
        say(f"the bank is used up: {share}, {state} the certificate's {100 * fresh.bound:g} %")
    elif result.overall.pairs == result.bank:
        say("the bank is used up; without a certificate there is no bound to test fresh pairs against")
        say(f"for a new bank, delete {result.run} and run: {command('watch', Path(result.run).parent, '--start')}")
    if result.models:
        table = Table("The score of RUN and of LATER", keys=1)
        table.add_column("model")
        table.add_numbers("RUN", "by the judge today", "LATER")
        table.add_column("moved")
        for model in result.models:
            numbers = (model.judge.old, model.judge.new, model.pictures.new)
            table.add_row(model.model, *(f"{s.value or 0:.2f}" for s in numbers), model.what or "not shown to change")
        show(table)
    if result.stopped:
        say(f"stopped: {result.stopped}")
        say_next(result.again)
    else:
        change = result.overall.difference
        points = 100 * max(-(change.low or 0), change.high or 0)
        so_far = f"UNCHANGED so far; a change of up to {points:.0f} points is not excluded"
        say("at most 5 % of unchanged judges are called changed, if replies err independently of each other")
        say(f"CHANGED: the {result.what}" if result.verdict == "changed" else so_far)


def _say_ranking(result: SwapDocument) -> None:
    """Print how the models' scores change from the old judge to the new one."""
    from counterbench.cli.grid import Table, number_cell, show
    from counterbench.results.measures import CHANGE, heading

    ranking = result.ranking
    assert ranking is not None
    table = Table(f"The models by {heading(ranking.number)}")
    table.add_column("model")
    table.add_numbers("groups", "old", "new", "difference [95 %]")
    for model in ranking.models:
        numbers = (number_cell(model.old), number_cell(model.new), number_cell(model.difference, CHANGE))
        table.add_row(model.model, str(model.groups), *numbers)
    show(table)
    answers = ranking.agreement.answers
    say(f"{answers.answered - answers.same} of {counted(answers.answered, 'answer')} differ")
    for line in ranking.agreement.turns:
        say(line)
    if ranking.crosswalk:
        say("a new model's score, by OLD → by NEW [95 %]; nothing is known of scores outside this range:")
        for point in ranking.crosswalk[::2]:
            say(f"  {point.old:.2f} → {point.new.value:.2f} [{point.new.low:.2f}, {point.new.high:.2f}]")


def _say_swap(found: SwapDocument) -> None:
    """Print the difference of the judges by cell, and the verdict."""
    from counterbench.cli.grid import Table, show

    table = Table("new − old, points of CCS")
    table.add_column("cell")
    table.add_numbers("pairs", "difference [95 %]")
    table.add_column("verdict")
    full = len(found.cells) <= _MAX_CELLS
    for name, cell in {_ALL: found.overall, **found.cells}.items():
        if full or name == _ALL or cell.verdict != "undecided":
            table.add_row(name, f"{cell.pairs}", _points_text(cell.difference), cell.verdict)
    show(table)
    say(f"{found.run}: {counted(found.overall.pairs, 'pair')} answered by both, {counted(found.calls, 'call')} so far")
    _say_changed({_ALL: found.overall, **found.cells}, found.new, f"for {found.old}")
    for fault in found.new_faults:
        say(f"new or stronger: {fault.name}, costs {100 * fault.effect:.1f} points: {fault.evidence}")
    moved = found.ranking.moved if found.ranking is not None else []
    if found.overall.verdict == "equivalent":
        alike = f"{'alike' if found.verdict == 'changed' else 'EQUIVALENT'} over all cells"
        about = " of drawn pairs" if found.ranking is not None else ""
        say(f"{alike}{about}: OLD and NEW differ by less than {100 * found.delta:g} points")
    if moved:
        say(f"CHANGED on the pictures: the {'score' if len(moved) == 1 else 'scores'} of {listed(moved)} moved")
    if found.verdict == "undecided":
        pairs_left = found.pairs_left
        more = "about " + counted(pairs_left, "more pair") if pairs_left is not None else "an unknown number of pairs"
        say(f"UNDECIDED: {found.stopped}; {more}, each 2 calls to each judge, would decide it if the difference stays")


def _say_changed(cells: Mapping[str, CellDifference], new: str, old: str) -> None:
    """Print a line for each cell whose CCS changed; `new`, `old`: words for the two judges or times ("at first")."""
    for name, cell in cells.items():
        if cell.verdict == "changed":
            where = "over all cells" if name == _ALL else f"in {name}"
            points = 100 * (cell.difference.value or 0)
            difference = f"{abs(points):.1f} points {'lower' if points < 0 else 'higher'}"
            say(f"CHANGED {where}: CCS is {difference} for {new} than {old}")


def _points_text(change: Estimate) -> str:
    """A change of CCS with its interval, in points: "+1.2 [−0.3, +2.7]"."""
    numbers = (change.value, change.low, change.high)
    value, low, high = (f"{100 * (number or 0):+.1f}".replace("-", "−") for number in numbers)
    return f"{value} [{low}, {high}]"
