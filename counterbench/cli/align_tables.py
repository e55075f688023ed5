"""Judges beside people, as `align` has them: tables and lines."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.compare_models import agreement_parts
from counterbench.cli.grid import Table, flat, number_cell, show_result
from counterbench.cli.options import OutputForm
from counterbench.pictures.comparing.people import COLUMNS, Agreement, Alignment, align
from counterbench.prompts.items import columns_given
from counterbench.results.measures import FRACTION
from counterbench.text import counted

plain = FRACTION.plain


def show_alignment(labels: Path, runs: Sequence[Path], columns: str, form: OutputForm) -> None:
    """Print the agreement of the judges of runs about pictures with people, and with each other.

    `labels`: the file of people's labels; `columns`: the text of --columns, "ours=theirs,…".
    """
    alignment = align(labels, runs, columns_given(columns, COLUMNS))
    names = alignment.names if form is OutputForm.TABLE else alignment.whole_names
    show_result(
        form,
        lambda: alignment,
        lambda: list(_rows(alignment)),
        lambda: _page(alignment, dict(zip(names, alignment.judges, strict=True))),
    )


def _rows(alignment: Alignment) -> Iterator[dict[str, Any]]:
    """The numbers of each judge as a flat row, for CSV."""
    for name, fields in zip(alignment.whole_names, map(msgspec.to_builtins, alignment.judges), strict=True):
        yield flat(fields | {"judge": name} | {key: " ".join(fields[key]) for key in ("runs", "left_out")})


def _page(alignment: Alignment, judges: Mapping[str, Agreement]) -> Iterator[Table | str]:
    """The tables and lines that are printed for people; `judges`: each judge's agreement, by the name to print."""
    yield from _tables(judges)
    yield from agreement_parts(alignment.agreement)
    yield from _notes(alignment, judges)


def _tables(judges: Mapping[str, Agreement]) -> Iterator[Table]:
    """Agreement of judges with people: on yes/no checks, on the order of pictures and of models; the drawn test."""
    checks = Table("Yes/no checks beside people [95 %, exact]")
    checks.add_column("judge")
    checks.add_numbers("checks", "balanced", "sensitivity", "specificity", "kappa")
    order = Table("Scores beside people's", keys=2)
    order.add_column("judge", "of")
    order.add_numbers("n", "tau-b", "Spearman", "pairs", "in order", "with ties", "tie up to")
    foretold = Table("The drawn test beside people", keys=2)
    foretold.add_column("judge", "skill or law")
    foretold.add_numbers("CCS on drawn pairs", "balanced, beside people", "checks")
    for name, agreement in judges.items():
        answers = agreement.answers
        shares = (number_cell(answers.sensitivity), number_cell(answers.specificity))
        checks.add_row(name, str(answers.checks), plain(answers.balanced_accuracy), *shares, plain(answers.kappa))
        for what, items in (("pictures", agreement.pictures), ("models", agreement.models)):
            if items is not None and items.items > 1:
                numbers = (plain(items.tau_b), plain(items.spearman), str(items.pairs))
                in_order = map(plain, (items.strict, items.accuracy, items.epsilon))
                order.add_row(name, what, str(items.items), *numbers, *in_order)
        for test in agreement.foretold:
            foretold.add_row(name, test.name, number_cell(test.drawn), plain(test.people), str(test.checks))
    if any(agreement.answers.checks for agreement in judges.values()):
        yield checks
    yield from (table for table in (order, foretold) if table.rows)


def _notes(alignment: Alignment, judges: Mapping[str, Agreement]) -> Iterator[str]:
    """Lines that explain the tables, and what was not used."""
    if any(agreement.answers.checks for agreement in judges.values()):
        yield (
            "sensitivity: of the checks to which people say yes, the share to which the judge does; "
            "specificity: the same of no; balanced: their mean"
        )
    if any(agreement.pictures.pairs or agreement.models for agreement in judges.values()):
        yield (
            "in order: share of pairs (pictures: of one prompt) in people's order, ties included; "
            "with ties: where the judge ties what differs by no more than stands beside it"
        )
    for name, agreement in judges.items():
        if (gate := agreement.gate) is not None:
            yield (
                f"{name}: its gate lets through what people do with a balanced accuracy of {gate.accuracy:.2f} at 0.5, "
                f"of {gate.accuracy_there:.2f} at {gate.threshold:.2f} ({counted(gate.pictures, 'picture')} of L1)"
            )
    preferences = [(name, agreement.preferences) for name, agreement in judges.items() if agreement.preferences]
    for name, counts in preferences:
        yield (
            f"{name}: orders {counts.right.hits} of {counts.right.of} pairs of pictures as people do, "
            f"{FRACTION.whole(counts.right)}; {counts.tied} tied (not right); people call {counts.equal} more equal"
        )
    for name, counts in preferences:
        if counts.lost:
            yield (
                f"{name}: {counted(counts.lost, 'preference is', 'preferences are')} of pictures that were not judged, "
                f"or by other names: not used ({counts.first_lost})"
            )
    if (rho := alignment.foretells) is not None:
        yield f"does the drawn test foretell? Spearman's rho over judges and skills {plain(rho)}"
    yield from (f"{name}: left out: {why}" for name, agreement in judges.items() for why in agreement.left_out)
    if alignment.others:
        yield f"labels of {', '.join(alignment.others)} are not used: no run here is of these"
    yield from [alignment.raters.line] if alignment.raters is not None else []
