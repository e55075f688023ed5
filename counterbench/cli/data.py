"""List what is shipped."""

from __future__ import annotations

import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import print_json, say


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
