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
from counterbench.cli.work import ask, next_step
from counterbench.errors import InputError
from counterbench.pictures.options import AuditOptions
from counterbench.text import counted, listed

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.pictures.auditing.audit import Audit
    from counterbench.pictures.auditing.result import AuditResult, Contradiction

_SHOWN = 3  # contradictions, without -v
_LEGEND = (
    "alone, related: the share of right answers about our drawings, to the question alone and to those related to it; "
    "a relation is not in the bound if that share falls by more than 5 points, or is at chance"
)


@options.fields_as_options
def audit(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="A run of evaluate or t2i judge, or several."),
    plan: bool = typer.Option(False, "--plan", help="Print the forecast and stop; asks nothing."),
    *,
    job_options: AuditOptions,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every contradiction, and the findings by skill."),
) -> None:
    """Find answers of a run's judge that cannot all be right.

    Needs no label: asks about mirror images, plain grey, two pictures as one, and the negated question. Gives a lower
    bound on the number of wrong answers; it never shows that one is right. The same command again resumes. Exits with
    1 if the share shown to be wrong ends the judge's admission, with 3 if it was stopped or questions failed.
    Example: counterbench t2i audit runs/table--gpt-4o-mini
    """
    from counterbench.pictures.auditing.audit import Audit
    from counterbench.runs.folder import refuse_repeats

    refuse_repeats(runs)
    if job_options.judge and len(runs) > 1:
        raise InputError("--judge names the judge of one run: audit the runs one by one")
    audits = [Audit.from_options(job_options, folder=run) for run in runs]
    if plan:
        _say_plans(audits, as_json)
        return
    found = [_run_audit(audit, as_json) for audit in audits]
    if as_json:
        print_json({"runs": found})
    else:
        for result in found:
            _say_result(result, verbose)
    if any(result.revoked or (result.denials is not None and result.denials.ends_admission) for result in found):
        raise typer.Exit(CHECK_FAILED)


def _say_plans(audits: Sequence[Audit], as_json: bool) -> None:
    """Print the forecast of each audit."""
    plans = [audit.plan() for audit in audits]
    if as_json:
        print_json(
            {"runs": [{"run": str(a.folder), **msgspec.structs.asdict(p)} for a, p in zip(audits, plans, strict=True)]}
        )
        return
    for audit, plan in zip(audits, plans, strict=True):
        pictures = f"{counted(plan.pictures, 'picture')}, {plan.drawn} about drawn ones"
        say(f"{audit.folder}: {plan.questions} questions about {pictures} ({listed(plan.relations)})")
        say(f"takes: at most {forecast_words(plan.expected)}")


def _run_audit(audit: Audit, as_json: bool) -> AuditResult:
    """Ask the questions of an audit and return its result; exits with 3 if it was stopped."""
    for asking in audit.askings():
        (run,) = ask(asking, f" for the audit of {audit.folder}", quiet=as_json)
        if not run.end.complete:
            if as_json:
                print_json({"runs": [{"run": str(audit.folder), "complete": False, "progress": run.end}]})
            else:
                say(
                    f"stopped: {run.end.stopped}" if run.end.stopped else f"{run.end.failed} questions failed", err=True
                )
                say_next(next_step(run.end, ""))
            raise typer.Exit(UNFINISHED)
    return audit.conclude()


def _say_result(result: AuditResult, verbose: bool) -> None:
    """Print the result of an audit."""
    from counterbench.cli.grid import show

    audited = f"{result.run}: {counted(result.pictures, 'picture')} audited, {result.calls} calls, judge {result.judge}"
    show(audited, _table(result), _LEGEND)
    say(result.finding)
    if result.denials is not None and result.denials.finding:
        say(result.denials.finding)
        if result.denials.ends_admission:
            say(f"so its admission is revoked for {listed(result.denials.revoked)}")
    say(result.consequence)
    for name, skill in result.skills.items() if verbose else ():
        wrong = skill.wrong_at_least
        say(f"{name}: {counted(skill.groups, 'picture')}, at least {wrong.count} of {wrong.of} answers wrong")
    shown = result.contradictions if verbose else result.contradictions[:_SHOWN]
    for clash in shown:
        _say_contradiction(clash)
    if more := len(result.contradictions) - len(shown):
        say(f"… and {more} more (-v prints all)")
    if result.contradictions:
        say_next(command("label", result.run))


def _table(result: AuditResult) -> Table:
    """A row for each relation: how often answers break it, and the judge's right answers about drawings."""
    from counterbench.cli.grid import Table
    from counterbench.results.measures import FRACTION

    table = Table("relations between answers", ["relation"], ["asked", "broken", "alone", "related"], [""])
    for name, relation in result.relations.items():
        note = "" if relation.counts else "not read on drawings" if relation.drawn.sees else "at chance on drawings"
        shares = map(FRACTION.plain, (relation.drawn.original, relation.drawn.edited))
        table.add_row(name, f"{relation.asked}", f"{relation.broken}", *shares, note)
    table.add_section()
    total, changed = (sum(getattr(noise, name) for noise in result.noise.values()) for name in ("asked", "changed"))
    table.add_row("unchanged", f"{total}", f"{changed}", "", "", "noise, not in the bound")
    return table


def _say_contradiction(clash: Contradiction) -> None:
    """Print a picture's answers that contradict each other."""
    say(f"{clash.model}, {clash.picture}: {counted(clash.wrong, 'answer')} wrong at least ({listed(clash.relations)})")
    for answer in clash.answers:
        say(f"  {answer.question}{answer.about} {answer.reply}")
