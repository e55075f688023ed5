"""The command `t2i align`: judges beside people, as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
    from counterbench.cli.grid import flat, show, show_csv
    from counterbench.cli.t2i_compare import agreement_parts
    from counterbench.t2i.comparing.people import align as set_beside

    form = options.Form.JSON if as_json else form
    alignment = set_beside(labels, runs)
    if form is options.Form.JSON:
        print_json(alignment)
        return
    if form is options.Form.CSV:
        rows = []
        for name, of in zip(alignment.names, map(msgspec.to_builtins, alignment.judges), strict=True):
            lists = {key: " ".join(of[key]) for key in ("runs", "left_out")}
            rows.append(flat(of | {"judge": name} | lists))
        show_csv(rows)
        return
    named = dict(zip(alignment.names, alignment.judges, strict=True))
    show(*_tables(named), *agreement_parts(alignment.agreement), *_notes(alignment, named), form=form)


def _tables(judges: Mapping[str, Agreement]) -> Iterator[Table]:
    """Agreement of judges with people: on yes/no checks, and on the order of pictures and of models."""
    from counterbench.cli.grid import Table
    from counterbench.cli.t2i_tables import cell_of
    from counterbench.t2i.words import plain

    checks = Table("Yes/no checks beside people [95 %, exact]")
    checks.add_column("judge")
    checks.add_numbers("checks", "balanced", "sensitivity", "specificity", "kappa")
    order = Table("Scores beside people's", keys=2)
    order.add_column("judge", "of")
    order.add_numbers("n", "tau-b", "Spearman", "pairs", "in order", "with ties", "tie up to")
    for name, agreement in judges.items():
        of = agreement.answers
        shares = (cell_of(of.sensitivity), cell_of(of.specificity))
        checks.add_row(name, str(of.checks), plain(of.balanced_accuracy), *shares, plain(of.kappa))
        for what, items in (("pictures", agreement.pictures), ("models", agreement.models)):
            if items is not None and items.items > 1:
                numbers = (plain(items.tau_b), plain(items.spearman), str(items.pairs))
                in_order = map(plain, (items.strict, items.accuracy, items.epsilon))
                order.add_row(name, what, str(items.items), *numbers, *in_order)
    if any(of.answers.checks for of in judges.values()):
        yield checks
    if order.rows:
        yield order


def _notes(alignment: Alignment, judges: Mapping[str, Agreement]) -> list[str]:
    from counterbench.t2i.words import plain

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
        agreements = [f"{what} {plain(alpha)}" for what, alpha in alphas if alpha is not None]
        alike = ", ".join(agreements) or "undefined: nothing was labelled twice, or all said the same"
        lines.append(f"Krippendorff's alpha between {counted(raters.raters, 'rater')}: {alike}")
    return lines
