"""Models side by side, as `compare` has them, and the command `align`: judges beside people. Tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import print_json
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.pictures.comparing.judges import SideBySide
    from counterbench.pictures.comparing.models import Comparison, ModelRun
    from counterbench.pictures.comparing.people import Agreement, Alignment
    from counterbench.pictures.words import Names
    from counterbench.results.comparison import Contrast


def show_models(runs: Sequence[Path], scoring: str, form: options.Form, verbose: bool) -> None:
    """Print the comparison of text-to-image models that `compare` makes of runs about their pictures."""
    from counterbench.cli.compare import contrasts_table, near, rows
    from counterbench.cli.grid import Table, show, show_csv
    from counterbench.cli.t2i_tables import cell_of
    from counterbench.pictures.comparing.models import compare_models
    from counterbench.pictures.words import audit_lines, verdict_lines

    whole: Names = "as asked" if form is options.Form.JSON else "whole"
    comparison = compare_models(runs, scoring, names="short" if form is options.Form.TABLE else whole)
    if form is options.Form.JSON:
        print_json(comparison)
        return
    if form is options.Form.CSV:
        about = [(each, {name: getattr(each, name) for name in ("prompts", "protocol", "judge")})
                 for each in comparison.comparisons]  # fmt: skip
        show_csv([row for each, of in about for row in rows(of, each.contrasts, {})])
        return
    page: list[Table | str] = []
    for each in comparison.comparisons:
        page += verdict_lines((run.model, run) for run in each.runs)
        order = {column: [rank.model for rank in ranks] for column, ranks in each.ranks.items()}
        shown = each.contrasts if verbose else near(each.contrasts, order)
        every = len(shown) == len(each.contrasts)
        table = Table("Every two models, paired" if every else "Each model and the next, paired")
        page += [
            ranks_table(each, f" by {each.judge}" if len(comparison.comparisons) > 1 else ""),
            contrasts_table(table, shown, {}, partial(cell_of, signed=True), f"{each.units}s", verbose),
        ]
        page += _notes(each, shown, verbose)
    page += [*agreement_parts(comparison.agreement), *comparison.notes, *audit_lines(comparison.audits)]
    show(*page, form=form)


def agreement_parts(agreement: Sequence[SideBySide]) -> list[Table | str]:
    """The agreement of every two judges or protocols; and the models that turn round."""
    from counterbench.cli.grid import Table
    from counterbench.pictures.comparing.judges import COLUMNS, NOTE, WORDS

    if not agreement:
        return []
    table = Table("Judges side by side on the same pictures", keys=2)
    table.add_column(*COLUMNS[:WORDS])
    table.add_numbers(*COLUMNS[WORDS:])
    for row in (row for each in agreement for row in each.rows):
        table.add_row(*row)
    return [table, *(line for each in agreement for line in each.turns), NOTE]


def ranks_table(comparison: Comparison, judge: str = "") -> Table:
    """Each model's headline numbers with the rank that each gives it, best first by all of them."""
    from counterbench.cli.grid import Table, cell
    from counterbench.cli.t2i_tables import cell_of
    from counterbench.pictures.words import heading

    one = len(comparison.headline) == 1
    scoring = comparison.runs[0].provenance.scoring
    title = f"{comparison.protocol} on {comparison.prompts}{judge}, {scoring} scoring{' [95 %]' * one}, and (rank)"
    table = Table(title)
    table.add_column("generator")
    table.add_numbers(*map(heading, comparison.headline))
    of = comparison.by_model
    places = {model: sum(map(list.index, comparison.ranks.values(), ranks)) for model, ranks in of.items()}
    best = sorted(of, key=lambda model: (sum(rank.rank + rank.rank_last for rank in of[model]), places[model]))
    for model, ranks in ((model, of[model]) for model in best):
        table.add_row(model, *(cell_of(r.value, interval=one).append_text(cell(f" ({r.span})")) for r in ranks))
    return table


def _notes(comparison: Comparison, shown: Sequence[Contrast], verbose: bool) -> list[str]:
    from counterbench.pictures.words import shared_line

    lines = []
    if len(shown) < len(comparison.contrasts):
        lines.append(f"… and {len(comparison.contrasts) - len(shown)} more differences (-v prints all)")
    lines += shared_line(comparison.not_shared, comparison.units == "prompt", verbose)
    lines += comparison.not_compared
    if comparison.tests:
        adjusted = f", Holm-adjusted over all {comparison.tests} tests," * (comparison.tests > 1)
        lines.append(
            f"better: p of the test over {comparison.clusters}s{adjusted} is at most {100 * comparison.level:g} %"
        )
    if comparison.tests > 1:
        lines.append("an interval is of its own test, before the adjustment: one without 0 may still be a tie")
    if any(each.better is None for each in shown):
        also = f" of as many times more {comparison.clusters}s" if comparison.clusters != comparison.units else ""
        lines.append(
            f"needed to part a tie: so many {comparison.units}s{also} with as many samples; 80 % power, if the "
            "difference seen is the true one"
        )
    lines += filter(None, [comparison.few])
    notes_of = [_notes_on(run, verbose) for run in comparison.runs]
    lines += [f"all runs: {note}" for note in notes_of[0] if all(note in others for others in notes_of)]
    for run, notes in zip(comparison.runs, notes_of, strict=True):
        lines += [f"{run.model}: {note}" for note in notes if not all(note in others for others in notes_of)]
        lines += [f"{run.model}: {run.run}"] if verbose else []
    return lines


def _notes_on(run: ModelRun, verbose: bool) -> list[str]:
    """Warnings that belong to a run's numbers."""
    from counterbench.pictures.words import reason_lines, soft_line

    lines = reason_lines(run, verbose)
    lines += [] if run.complete else ["INCOMPLETE, pictures or replies are missing"]
    return lines + ([] if run.soft is None else [soft_line(run.soft)])


def align(
    labels: Path = typer.Argument(
        metavar="LABELS.csv",
        help="People's labels (sample, check, label), ratings (id or sample, rating) or preferences (id, first, "
        "second, better); rater, model.",
    ),
    runs: list[Path] = typer.Argument(metavar="RUN…", help="Runs of t2i judge about the pictures that are labelled."),
    columns: options.Columns = "",
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Measure how well judges agree with people about pictures.

    Checks: sensitivity, specificity and kappa. Pictures and models: agreement with people's order. Raters, and two
    judges on the same pictures: agreement with each other.
    Example: counterbench align labels.csv runs/mine runs/other-judge
    """
    from counterbench.cli.grid import flat, show, show_csv
    from counterbench.pictures.comparing.people import COLUMNS
    from counterbench.pictures.comparing.people import align as set_beside
    from counterbench.prompts.items import columns_given

    form = options.Form.JSON if as_json else form
    alignment = set_beside(labels, runs, columns_given(columns, COLUMNS))
    if form is options.Form.JSON:
        print_json(alignment)
        return
    if form is options.Form.CSV:
        rows = []
        for name, of in zip(alignment.whole_names, map(msgspec.to_builtins, alignment.judges), strict=True):
            lists = {key: " ".join(of[key]) for key in ("runs", "left_out")}
            rows.append(flat(of | {"judge": name} | lists))
        show_csv(rows)
        return
    names = alignment.names if form is options.Form.TABLE else alignment.whole_names
    named = dict(zip(names, alignment.judges, strict=True))
    show(*_people_tables(named), *agreement_parts(alignment.agreement), *_people_notes(alignment, named), form=form)


def _people_tables(judges: Mapping[str, Agreement]) -> Iterator[Table]:
    """Agreement of judges with people: on yes/no checks, and on the order of pictures and of models."""
    from counterbench.cli.grid import Table
    from counterbench.cli.t2i_tables import cell_of
    from counterbench.pictures.words import plain

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
    foretold = Table("The drawn test beside people", keys=2)
    foretold.add_column("judge", "skill or law")
    foretold.add_numbers("CCS on drawn pairs", "balanced, beside people", "checks")
    for name, agreement in judges.items():
        for each in agreement.foretold:
            foretold.add_row(name, each.name, cell_of(each.drawn), plain(each.people), str(each.checks))
    if foretold.rows:
        yield foretold


def _people_notes(alignment: Alignment, judges: Mapping[str, Agreement]) -> list[str]:
    from counterbench.pictures.words import plain, with_interval

    lines = []
    if any(of.answers.checks for of in judges.values()):
        lines.append("sensitivity: of the checks to which people say yes, the share to which the judge does; "
                     "specificity: the same of no; balanced: their mean")  # fmt: skip
    if any(of.pictures.pairs or of.models for of in judges.values()):
        lines.append("in order: share of pairs (pictures: of one prompt) in people's order, ties included; "
                     "with ties: where the judge ties what differs by no more than stands beside it")  # fmt: skip
    lines += [
        f"{name}: its gate lets through what people do with a balanced accuracy of {gate.accuracy:.2f} at 0.5, of "
        f"{gate.accuracy_there:.2f} at {gate.threshold:.2f} ({counted(gate.pictures, 'picture')} of L1)"
        for name, of in judges.items()
        if (gate := of.gate) is not None
    ]
    lines += [
        f"{name}: orders {said.right.hits} of {said.right.of} pairs of pictures as people do, "
        f"{with_interval(said.right)}; {said.tied} tied (not right); people call {said.equal} more equal"
        for name, of in judges.items()
        if (said := of.preferences) is not None
    ]
    lines += [
        f"{name}: {counted(said.lost, 'preference is', 'preferences are')} of pictures that were not judged, or by "
        f"other names: not used ({said.first_lost})"
        for name, of in judges.items()
        if (said := of.preferences) is not None and said.lost
    ]
    if (rho := alignment.foretells) is not None:
        lines.append(f"does the drawn test foretell? Spearman's rho over judges and skills {plain(rho)}")
    for name, of in judges.items():
        lines += [f"{name}: left out: {why}" for why in of.left_out]
    if alignment.others:
        lines.append(f"labels of {', '.join(alignment.others)} are not used: no run here is of these")
    lines += [alignment.raters.line] if alignment.raters is not None else []
    return lines
