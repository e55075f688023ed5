"""The command `t2i align`: judges beside people, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import print_json
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.t2i.comparing.people import Agreement, Alignment


def align(
    labels: Path = typer.Argument(
        metavar="LABELS.csv",
        help="People's labels (sample, check, label) or ratings of pictures (id or sample, rating); rater, model.",
    ),
    runs: list[Path] = typer.Argument(metavar="RUN…", help="Runs of t2i judge about the pictures that are labelled."),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Measure how well judges agree with people about pictures.

    Checks: sensitivity, specificity and kappa. Pictures and models: agreement with people's order. Raters, and two
    judges on the same pictures: agreement with each other.
    Example: counterbench t2i align labels.csv runs/mine runs/other-judge
    """
    from counterbench.cli.grid import show, show_csv
    from counterbench.cli.t2i_compare import agreement_parts
    from counterbench.t2i.comparing.people import align as set_beside

    form = options.Form.JSON if as_json else form
    alignment = set_beside(labels, runs)
    if form is options.Form.JSON:
        print_json(alignment)
        return
    if form is options.Form.CSV:
        show_csv(_rows(alignment, alignment.names))
        return
    named = dict(zip(alignment.names, alignment.judges, strict=True))
    tables = [table for table in (answers_table(named), order_table(named)) if table is not None]
    show(*tables, *agreement_parts(alignment.agreement), *_notes(alignment, named), form=form)


def answers_table(judges: Mapping[str, Agreement]) -> Table | None:
    """Agreement of judges with people on yes/no checks."""
    from counterbench.cli.grid import Table
    from counterbench.cli.t2i_tables import cell_of

    if not any(of.answers.checks for of in judges.values()):
        return None
    table = Table("Yes/no checks beside people [95 %, exact]")
    table.add_column("judge")
    table.add_numbers("checks", "balanced", "sensitivity", "specificity", "kappa")
    for name, agreement in judges.items():
        of = agreement.answers
        shares = (cell_of(of.sensitivity), cell_of(of.specificity))
        table.add_row(name, str(of.checks), _number(of.balanced_accuracy), *shares, _number(of.kappa))
    return table


def order_table(judges: Mapping[str, Agreement]) -> Table | None:
    """Agreement of judges with people on the order of pictures, and of models."""
    from counterbench.cli.grid import Table

    rows = [
        (name, what, of)
        for name, agreement in judges.items()
        for what, of in (("pictures", agreement.pictures), ("models", agreement.models))
        if of is not None and of.items > 1
    ]
    if not rows:
        return None
    table = Table("Scores beside people's", keys=2)
    table.add_column("judge", "of")
    table.add_numbers("n", "tau-b", "Spearman", "pairs", "in order", "with ties", "tie up to")
    for name, what, of in rows:
        numbers = (_number(of.tau_b), _number(of.spearman))
        pairs = (str(of.pairs), *map(_number, (of.strict, of.accuracy, of.epsilon)))
        table.add_row(name, what, str(of.items), *numbers, *pairs)
    return table


def _number(value: float | None) -> str:
    from counterbench.t2i.words import plain

    return plain(value)


def _notes(alignment: Alignment, judges: Mapping[str, Agreement]) -> list[str]:
    lines = []
    if any(of.answers.checks for of in judges.values()):
        lines.append("sensitivity: of the checks to which people say yes, the share to which the judge does; "
                     "specificity: the same of no; balanced: their mean")  # fmt: skip
    if any(of.pictures.pairs or of.models for of in judges.values()):
        lines.append("in order: share of pairs (pictures: of one prompt) in people's order, ties included; "
                     "with ties: where the judge ties what differs by no more than stands beside it")  # fmt: skip
    for name, of in judges.items():
        lines += [f"{name}: left out: {why}" for why in of.left_out]
    if alignment.others:
        lines.append(f"labels of {', '.join(alignment.others)} are not used: no run here is of these")
    if (raters := alignment.raters) is not None:
        alphas = (("yes/no checks", raters.yes_no), ("grades or ratings", raters.graded))
        agreements = [f"{what} {_number(alpha)}" for what, alpha in alphas if alpha is not None]
        alike = ", ".join(agreements) or "undefined: nothing was labelled twice, or all said the same"
        lines.append(f"Krippendorff's alpha between {counted(raters.raters, 'rater')}: {alike}")
    return lines


def _rows(alignment: Alignment, names: Sequence[str]) -> list[dict[str, Any]]:
    """Every number of every judge for CSV, a row each."""
    from counterbench.cli.grid import flat

    rows = []
    for name, of in zip(names, alignment.judges, strict=True):
        plain = msgspec.to_builtins(of)
        fields = {"judge": name, "template": of.template, "protocol": of.protocol, "runs": " ".join(of.runs)}
        numbers = {key: plain[key] for key in ("answers", "pictures", "models")}
        rows.append(fields | flat(numbers))
    return rows
