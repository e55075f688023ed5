"""Commands about data: list what is shipped, import published data sets."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import command, print_json, say, say_next


def list_(
    what: str = typer.Argument(
        help="suites, families, laws, prompts, judges, generators, protocols, policies, wordings, scorings or imports."
    ),
    as_json: AsJson = False,
) -> None:
    """List what there is to choose from, with a line on each.

    Example: counterbench list suites
    """
    from counterbench.cli.listing import listed

    entries = listed(what)
    if as_json:
        print_json({what: [{"name": name, "summary": summary} for name, summary in entries.items()]})
        return
    width = max(map(len, entries), default=0)
    for name, summary in entries.items():
        say(f"{name:<{width}}  {summary}")


def import_(
    format_: str = typer.Argument(metavar="FORMAT", help="counterbench: the original release."),
    path: Path = typer.Argument(help="The release's folder."),
    out: Path = typer.Option(help="The folder to write."),
    as_json: AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every odd item."),
) -> None:
    """Read a published data set and its replies into a folder and runs of our own; list what is odd about it.

    Example: counterbench import counterbench CounterBench --out released
    """
    from counterbench.interop import importer

    found = importer(format_)(path, out)
    if as_json:
        print_json(
            {"out": str(out), "info": found.info, "runs": list(map(str, found.runs)), "oddities": found.oddities}
        )
        return
    say(f"{out}: {found.info.pairs} pairs of {found.info.source}, truth as published, {len(found.runs)} runs")
    for oddity in found.oddities:
        ids = f": {', '.join(oddity.ids)}" if verbose and oddity.ids else ""
        say(f"odd: {oddity.what} ({oddity.count}){ids}")
    if found.runs:
        say_next(f"{command('score', out / 'runs')}/* --scoring strict")
