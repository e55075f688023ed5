"""The command `t2i compare`: text-to-image models side by side, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.printing import print_json, progress
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.scoring.comparison import Contrast
    from counterbench.t2i.comparing.models import Comparison, ModelRun


def compare(
    runs: list[Path] = typer.Argument(metavar="RUN RUN…", help="Runs of t2i judge that differ in their generator."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two models, with what they rest on."),
) -> None:
    """Compare text-to-image models: which is better, or chance?

    Differences paired by group with intervals, p adjusted for all of them, ranks, and the number of prompts that would
    part a tie.
    Example: counterbench t2i compare runs/mine runs/another
    """
    from counterbench.cli.compare import contrasts_table, near, rows
    from counterbench.cli.grid import show, show_csv
    from counterbench.cli.t2i_tables import cell_of, table_over
    from counterbench.t2i.comparing.models import compare_models

    form = options.Form.JSON if as_json else form
    with progress("comparing models", quiet=form is options.Form.JSON, brief=True) as report:
        comparison = compare_models(runs, scoring, brief=form is not options.Form.JSON, on_progress=report)
    if form is options.Form.JSON:
        print_json(comparison)
        return
    if form is options.Form.CSV:
        show_csv([
            row
            for each in comparison.comparisons
            for row in rows({"prompts": each.prompts, "protocol": each.protocol}, each.contrasts, {})
        ])  # fmt: skip
        return
    page: list[Table | str] = []
    for each in comparison.comparisons:
        order = {column: [rank.model for rank in ranks] for column, ranks in each.ranks.items()}
        shown = each.contrasts if verbose else near(each.contrasts, order)
        every = len(shown) == len(each.contrasts)
        table = table_over("Every two models, paired" if every else "Each model and the next, paired", each.runs)
        page += [
            ranks_table(each),
            contrasts_table(table, shown, {}, partial(cell_of, signed=True), f"{each.units}s", verbose),
        ]
        page += _notes(each, shown, verbose)
    page += [
        f"not compared: {run}: no other run is of its prompts, protocol, judge and template" for run in comparison.alone
    ]
    show(*page, form=form)


def ranks_table(comparison: Comparison) -> Table:
    """Each model's headline numbers with the rank that each gives it, best first by all of them."""
    from counterbench.cli.grid import cell
    from counterbench.cli.t2i_tables import cell_of, table_over
    from counterbench.t2i.words import heading

    one = len(comparison.headline) == 1
    scoring = comparison.runs[0].provenance.scoring
    title = f"{comparison.protocol} on {comparison.prompts}, {scoring} scoring{' [95 %]' * one}, and (rank)"
    table = table_over(title, comparison.runs, ["generator"], list(map(heading, comparison.headline)))
    of = {
        run.model: [r for ranks in comparison.ranks.values() for r in ranks if r.model == run.model]
        for run in comparison.runs
    }
    places = {model: sum(map(list.index, comparison.ranks.values(), ranks)) for model, ranks in of.items()}
    best = sorted(of, key=lambda model: (sum(rank.rank + rank.rank_last for rank in of[model]), places[model]))
    for model, ranks in ((model, of[model]) for model in best):
        table.add_row(model, *(cell_of(r.value, interval=one).append_text(cell(f" ({r.span})")) for r in ranks))
    return table


def _notes(comparison: Comparison, shown: Sequence[Contrast], verbose: bool) -> list[str]:
    from counterbench.stats.clusters import FEWEST

    lines = []
    if len(shown) < len(comparison.contrasts):
        lines.append(f"… and {len(comparison.contrasts) - len(shown)} more differences (-v prints all)")
    lines += comparison.not_compared
    adjusted = f", Holm-adjusted over all {counted(comparison.tests, 'test')}," if comparison.tests > 1 else ""
    lines.append(f"better: p of a randomisation test{adjusted} is at most {100 * comparison.level:g} %")
    if any(each.better is None for each in shown):
        also = f" of as many times more {comparison.clusters}s" if comparison.clusters != comparison.units else ""
        lines.append(
            f"needed to part a tie: so many {comparison.units}s{also} with as many samples; 80 % power, if the "
            "difference seen is the true one"
        )
    if comparison.fewest < FEWEST:
        least = f"{2.0 ** (1 - comparison.fewest):.2g}"
        few = comparison.tests * 2.0 ** (1 - comparison.fewest) > comparison.level
        remark = f", so that nothing but further {comparison.clusters}s parts a tie" if few else ""
        lines.append(
            f"of only {counted(comparison.fewest, comparison.clusters)}: no interval, and p is {least} at the "
            f"least{remark}"
        )
    notes_of = [_notes_on(run, verbose) for run in comparison.runs]
    lines += [f"all runs: {note}" for note in notes_of[0] if all(note in others for others in notes_of)]
    for run, notes in zip(comparison.runs, notes_of, strict=True):
        lines += [f"{run.model}: {note}" for note in notes if not all(note in others for others in notes_of)]
        lines += [f"{run.model}: {run.run}"] if verbose else []
    return lines


def _notes_on(run: ModelRun, verbose: bool) -> list[str]:
    """Warnings that belong to a run's numbers."""
    from counterbench.t2i.words import reason_lines, soft_line

    lines = reason_lines(run, verbose)
    lines += [] if run.complete else ["INCOMPLETE, pictures or replies are missing"]
    return lines + ([] if run.soft is None else [soft_line(run.soft)])
