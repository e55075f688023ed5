"""The command swap: is a new judge the old one?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.options import Calls, Server
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.scoring.swap import SwapDocument
    from counterbench.stats.intervals import Estimate

_ALL = "all cells"
_FEW = 24  # cells that are all shown; of more, those that are decided


@options.spread
def swap(
    old: str = typer.Argument(metavar="OLD", help="The judge so far, or a run of probe that it answered."),
    new: str = typer.Argument(metavar="NEW", help="The judge that is to take its place."),
    for_: str = typer.Option(
        "", "--for", metavar="SUITE|PROMPTS|TABLE", help="The questions (default: certify, or those of OLD's run)."
    ),
    delta: float = typer.Option(0.05, help="A difference of less than this does not matter (0.05: 5 points)."),
    out: Path | None = typer.Option(None, help="The folder of both runs (default: runs/swap-SUITE--OLD--NEW)."),
    template: str = typer.Option("", help="How both are asked (default: structured, or that of OLD's run)."),
    *,
    server: Server,
    calls: Calls,
    as_json: options.AsJson = False,
) -> None:
    """See whether a new judge may take the old one's place: both answer the same pairs, until that is decided.

    Without --max-calls it stops at 6,000 calls; the same command again goes on. Exits with 1 if the judge changed, with
    3 if that is undecided.
    Example: counterbench swap planted:oracle planted:noisy --for smoke
    """
    from counterbench.t2i.comparing.swap import Swap

    work = Swap(old, new, for_, delta=delta, out=out, template_given=template, limits=calls.limits, **vars(server))
    with progress(f"asking {old} and {new}", quiet=as_json) as report:
        found = work.run(report)
    if as_json:
        print_json(found)
    else:
        _say(found)
        say_next(_next(found, new, for_, options.given(**vars(server))))
    if found.verdict != "equivalent":
        raise typer.Exit(CHECK_FAILED if found.verdict == "changed" else UNFINISHED)


def _next(found: SwapDocument, new: str, for_: str, asked_so: list[object]) -> str:
    from counterbench.t2i.comparing.swap import NEW

    if found.verdict == "equivalent":
        return command("validate", new, "--for", for_ or found.suite, *asked_so)
    return command("diagnose", Path(found.run) / NEW) if found.verdict == "changed" else found.again


def _say(found: SwapDocument) -> None:
    from counterbench.cli.grid import Table, show

    table = Table("new − old, points of CCS")
    table.add_column("cell")
    table.add_numbers("pairs", "difference [95 %]")
    table.add_column("verdict")
    few = len(found.cells) <= _FEW
    for name, of in {_ALL: found.overall, **found.cells}.items():
        if few or name == _ALL or of.verdict != "undecided":
            table.add_row(name, f"{of.pairs}", _points(of.difference), of.verdict)
    show(table)
    say(f"{found.run}: {counted(found.overall.pairs, 'pair')} answered by both, {counted(found.calls, 'call')} so far")
    for name, of in {_ALL: found.overall, **found.cells}.items():
        if of.verdict == "changed":
            points = 100 * (of.difference.value or 0)
            more = f"{abs(points):.1f} points {'fewer' if points < 0 else 'more'}"
            say(f"CHANGED in {name}: {found.new} is right on {more} of the pairs than {found.old}")
    if found.verdict == "equivalent":
        say(f"EQUIVALENT over all cells: they differ by less than {100 * found.delta:g} points")
    elif found.verdict == "undecided":
        left = found.pairs_left
        more = "about " + counted(left, "more pair") if left is not None else "more pairs than can be foreseen"
        say(f"UNDECIDED: {found.stopped}; {more} would decide it, each 2 calls to a judge, if the difference stays")


def _points(of: Estimate) -> str:
    value, low, high = (f"{100 * (end or 0):+.1f}".replace("-", "−") for end in (of.value, of.low, of.high))
    return f"{value} [{low}, {high}]"
