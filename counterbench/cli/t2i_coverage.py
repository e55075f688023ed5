"""The command t2i coverage: which checks of a prompt set a judge was tested on, and what tests the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.printing import command, print_json, say, say_next
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.certificate import Certificate, OlderCertificate
    from counterbench.cli.grid import Table
    from counterbench.t2i.judging.coverage import Coverage, CoveredPart

SHOWN = 12  # laws and skills in a table without -v


def coverage(
    prompts: str = typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file."),
    certificate: Path | None = typer.Option(None, help="What the judge was shown to see: a certificate's file."),
    table: str = typer.Option(
        "default", metavar="NAME|FILE", help="Which cells come near to checks that nothing can be drawn for."
    ),
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every law and skill."),
) -> None:
    """See which checks of a prompt set a certificate covers.

    A check has a cell of its own, if it can be drawn; else perhaps a near one, which a table names; or none. With a
    certificate, exits with 1 unless all of the weight is of own cells that it admits its judge to.
    Example: counterbench t2i coverage attributes
    """
    from counterbench.certificate import read_certificate
    from counterbench.cli.grid import show
    from counterbench.t2i.judging.coverage import coverage as covered_by
    from counterbench.t2i.judging.coverage import load_table
    from counterbench.t2i.prompts.files import load_prompts

    asked = load_prompts(prompts)
    shown = read_certificate(certificate) if certificate is not None else None
    found = covered_by(asked, load_table(table, asked), shown)
    commands = _testing(found, prompts, shown)
    if as_json:
        print_json(msgspec.to_builtins(found) | {"commands": commands})
    else:
        rows = found.parts if verbose else [part for part in found.parts if part.state != "admitted"][:SHOWN]
        if rows:
            show(_table(found, rows))
        left = [part for part in found.parts if part.state != "admitted" and part not in rows]
        if left and not verbose:
            say(f"… and {len(left)} more (-v prints all)")
        for line in _shares(found):
            say(line)
        for reason in found.objections:
            say(f"not admitted: {reason}")
        if commands:
            say_next(commands[0])
    if found.tested is not None and not found.covered:
        raise typer.Exit(CHECK_FAILED)


def admitting(
    judge: object,
    target: object,
    laws: Collection[str],
    way: Sequence[object],
    attempt: int | None = None,
    size: int | None = None,
) -> list[str]:
    """The commands that may admit a judge to the checks of `target`, a prompt set or its pictures.

    `laws`: those of its checks that can be drawn; `way`: how the judge is asked, as options; `attempt`, `size`: on
    which pairs.
    """
    from counterbench.runs.folder import default_path
    from counterbench.t2i.judging.gate import FLOOR, suite_for

    pairs = options.given(attempt=attempt, size=size)
    if "--votes" not in way:
        return [command("validate", judge, "--for", target, *way, *pairs)]
    suite = suite_for(laws)  # validate asks each question once
    run = default_path(suite, str(judge), size=size, attempt=attempt)
    return [
        command("probe", suite, "--judge", judge, *way, "--until-certified", FLOOR, *pairs, "--out", run),
        command("certify", run, "--policy", FLOOR, "--out", run / f"certificate-{FLOOR}.json"),
    ]


def _testing(found: Coverage, prompts: str, shown: Certificate | OlderCertificate | None) -> list[str]:
    """The commands that may have more of the weight covered; none if no pairs can."""
    from counterbench.certificate import Certificate
    from counterbench.cli.certify import asked_way

    laws = [part.name for part in found.parts if part.of == "law"]
    if shown is None:
        return []
    basic = found.objections and not all(part.cells for part in found.parts)
    if not basic and not any(part.open for part in found.parts):
        return []
    way = asked_way(shown.wording, shown.votes) if isinstance(shown, Certificate) else []
    return admitting(shown.judge, prompts, laws, way)


def _table(found: Coverage, rows: Sequence[CoveredPart]) -> Table:
    from counterbench.cli.grid import Table

    of = {part.of for part in found.parts}
    made = Table(f"What tests a judge of {found.prompts}")
    made.add_column(" or ".join(sorted(of)))
    made.add_numbers("weight")
    made.add_column("cells")
    if found.tested is not None:
        made.add_column("tested")
    for part in rows:
        one = part.cells[0] if len(part.cells) == 1 else counted(len(part.cells), "cell")
        near = f"near: {one}" if part.source == "table" else one
        tested = [f"{part.state}: {part.why}" if part.why else str(part.state)] if part.state is not None else []
        made.add_row(part.name, _percent(part.weight), near if part.cells else "none", *tested)
    return made


def _shares(found: Coverage) -> list[str]:
    """How much of the weight is tested in which way, a line each."""
    from counterbench.t2i.judging.gate import suite_for

    claim = f"by a near cell, as the table {found.table!r} has it (a claim, not a proof)"
    if found.tested is None:
        own, near, none = (found.mapped[source] for source in ("program", "table", "none"))
        drawn = [part for part in found.parts if part.source == "program"]
        cells, suite = sum(len(part.cells) for part in drawn), suite_for(part.name for part in drawn)
        lines = {
            f"has cells of its own, {cells} of the suite {suite}": own,
            f"can be tested {claim}": near,
            "has no cell: no pairs test it": none,
        }
    else:
        lines = {
            "is tested and admitted": found.tested["admitted"],
            f"is tested {claim}": found.tested["near"],
            "is tested and not admitted": found.tested["not-admitted"],
            "was never tested": found.tested["untested"],
        }
    said = [f"{_percent(share)} of the weight {what}" for what, share in lines.items() if share]
    bare = found.mapped["table"] + found.mapped["none"]
    labels = f"scores that rest on the {_percent(bare)} without a cell of their own are never certified"
    return said + ([f"{labels}; people's labels of pictures help (t2i score --labels)"] if bare else [])


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
