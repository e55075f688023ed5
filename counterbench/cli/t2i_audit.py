"""The command `t2i audit`: answers about a model's pictures that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.amounts import forecast_words
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, say, say_next
from counterbench.cli.work import asked, goes_on
from counterbench.errors import InputError
from counterbench.pictures.options import AuditOptions
from counterbench.text import counted, listed

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.pictures.auditing.audit import Audit
    from counterbench.pictures.auditing.result import AuditResult, Contradiction

_SHOWN = 3  # contradictions, without -v
_LEGEND = (
    "alone, related: the shares of right answers about our drawings, to the question alone and to the questions that "
    "are related to it; a relation that the judge reads worse is not in the bound"
)


@options.spread
def audit(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="A run of evaluate or t2i judge, or several."),
    plan: bool = typer.Option(False, "--plan", help="Say what it takes, and stop; asks nothing."),
    *,
    asked_so: AuditOptions,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every contradiction, and the findings by skill."),
) -> None:
    """Find answers of a run's judge that cannot all be right.

    Needs no label: asks about mirror images, plain grey, two pictures as one, and the denied question. Says that at
    least so many answers are wrong; never that one is right. The same command again resumes. Exits with 1 if the share
    that is shown to be wrong ends the judge's admission, with 3 if it was stopped or questions failed.
    Example: counterbench t2i audit runs/table--gpt-4o-mini
    """
    from counterbench.pictures.auditing.audit import Audit
    from counterbench.runs.folder import refuse_repeats

    refuse_repeats(runs)
    if asked_so.judge and len(runs) > 1:
        raise InputError("--judge names the judge of one run: audit the runs one by one")
    audits = [Audit.from_options(asked_so, run=run) for run in runs]
    if plan:
        _say_plans(audits, as_json)
        return
    found = [_audited(each, as_json) for each in audits]
    if as_json:
        print_json({"runs": found})
    else:
        for of in found:
            _say(of, verbose)
    if any(of.revoked or (of.denials is not None and of.denials.ends_admission) for of in found):
        raise typer.Exit(CHECK_FAILED)


def _say_plans(audits: Sequence[Audit], as_json: bool) -> None:
    plans = [each.plan() for each in audits]
    if as_json:
        print_json(
            {"runs": [{"run": str(a.run), **msgspec.structs.asdict(p)} for a, p in zip(audits, plans, strict=True)]}
        )
        return
    for each, of in zip(audits, plans, strict=True):
        questions = f"{of.questions} questions about {counted(of.pictures, 'picture')}, {of.drawn} about drawn ones"
        say(f"{each.run}: {questions} ({listed(of.relations)})")
        say(f"takes at most: {forecast_words(of.expected)}")


def _audited(audit: Audit, as_json: bool) -> AuditResult:
    """Ask, and give the result; exits with 3 if it was stopped."""
    for asking in audit.askings():
        (run,) = asked(asking, f" for the audit of {audit.run}", quiet=as_json)
        if not run.end.complete:
            if as_json:
                print_json({"runs": [{"run": str(audit.run), "complete": False, "progress": run.end}]})
            else:
                say(
                    f"stopped: {run.end.stopped}" if run.end.stopped else f"{run.end.failed} questions failed", err=True
                )
                say_next(goes_on(run.end, ""))
            raise typer.Exit(UNFINISHED)
    return audit.conclude()


def _say(of: AuditResult, verbose: bool) -> None:
    from counterbench.cli.grid import show

    audited = f"{of.run}: {counted(of.pictures, 'picture')} audited, {of.calls} calls, judge {of.judge}"
    show(audited, _table(of), _LEGEND)
    say(of.finding)
    if of.denials is not None and of.denials.finding:
        say(of.denials.finding)
        if of.denials.ends_admission:
            say(f"so its admission is revoked for {listed(of.denials.revoked)}")
    say(of.consequence)
    for name, skill in of.skills.items() if verbose else ():
        wrong = skill.wrong_at_least
        say(f"{name}: {counted(skill.groups, 'picture')}, at least {wrong.count} of {wrong.of} answers wrong")
    shown = of.contradictions if verbose else of.contradictions[:_SHOWN]
    for each in shown:
        _say_contradiction(each)
    if more := len(of.contradictions) - len(shown):
        say(f"… and {more} more (-v prints all)")
    if of.contradictions:
        say_next(command("label", of.run))


def _table(of: AuditResult) -> Table:
    from counterbench.cli.grid import Table

    table = Table("relations between answers")
    table.add_column("relation")
    table.add_numbers("asked", "broken", "alone", "related")
    table.add_column("")

    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    for name, each in of.relations.items():
        note = "" if each.counts else "not read on drawings" if each.drawn.sees else "at chance on drawings"
        table.add_row(
            name, f"{each.asked}", f"{each.broken}", share(each.drawn.original), share(each.drawn.edited), note
        )
    table.add_section()
    asked, changed = (sum(getattr(noise, name) for noise in of.noise.values()) for name in ("asked", "changed"))
    table.add_row("unchanged", f"{asked}", f"{changed}", "", "", "noise, not in the bound")
    return table


def _say_contradiction(of: Contradiction) -> None:
    say(f"{of.model}, {of.picture}: {counted(of.wrong, 'answer')} wrong at least ({listed(of.relations)})")
    for each in of.answers:
        say(f"  {each.question}{each.about} {each.reply}")
