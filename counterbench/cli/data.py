"""List what is shipped."""

from __future__ import annotations

import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import print_json


def list_(
    what: str = typer.Argument("", metavar="WHAT", help="One of the lists; without it, what lists there are."),
    as_json: AsJson = False,
) -> None:
    """List the choices of each kind, with a line on each.

    Example: counterbench list suites
    """
    from counterbench.cli.grid import show, show_list
    from counterbench.cli.listing import LISTS, listed, policy_chances

    entries = listed(what) if what else LISTS
    if as_json:
        print_json({what or "lists": [{"name": name, "summary": summary} for name, summary in entries.items()]})
        return
    show_list(entries)
    if what == "policies":
        show("", *policy_chances())
