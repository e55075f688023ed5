"""The command t2i coverage: the checks of a prompt set that a judge's certificate covers."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.printing import command, print_json, say, say_next
from counterbench.text import counted

_SHOWN = 12  # laws in a table without -v


def coverage(
    prompts: str = typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file."),
    certificate: Path | None = typer.Option(None, help="A judge's certificate."),
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every law."),
) -> None:
    """See which checks of a prompt set a certificate covers.

    A check that can be drawn belongs to a cell of a law. With a certificate, exits with 1 unless all of the weight is
    of cells that it admits its judge to.
    Example: counterbench t2i coverage laws-few
    """
    from counterbench.certificate import read_certificate
    from counterbench.cli.grid import Table, show
    from counterbench.t2i.judging.coverage import coverage as covered_by
    from counterbench.t2i.judging.gate import suite_for
    from counterbench.t2i.prompts.files import load_prompts

    shown = read_certificate(certificate) if certificate is not None else None
    found = covered_by(load_prompts(prompts), shown)
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        left = [of for of in found.laws if not of.admitted]
        rows = found.laws if verbose else left[:_SHOWN]
        if rows:
            table = Table(f"What tests a judge of {found.prompts}")
            table.add_column("law")
            table.add_numbers("weight", "cells")
            table.add_column("tested")
            for of in rows:
                state = "" if of.admitted is None else "admitted" if of.admitted else f"not admitted: {of.why}"
                table.add_row(of.law, _percent(of.weight), str(len(of.cells)), state)
            show(table)
        if not verbose and len(left) > len(rows):
            say(f"… and {len(left) - len(rows)} more (-v prints all)")
        cells, suite = sum(len(of.cells) for of in found.laws), suite_for(of.law for of in found.laws)
        if found.laws:
            say(f"{_percent(1 - found.not_drawn)} of the weight is of {counted(cells, 'cell')} of the suite {suite}")
        if shown is not None:
            admitted = sum(of.weight for of in found.laws if of.admitted)
            say(f"{_percent(admitted)} of the weight is tested and admitted")
        if found.not_drawn:
            say(
                f"{_percent(found.not_drawn)} of the weight cannot be drawn: no pairs test it, and scores that rest on "
                "it are never certified; people's labels of pictures help (t2i score --labels)"
            )
        for reason in found.objections:
            say(f"not admitted: {reason}")
        if left and shown is not None:
            say_next(command("validate", shown.judge, "--for", prompts))
    if shown is not None and not found.covered:
        raise typer.Exit(CHECK_FAILED)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
