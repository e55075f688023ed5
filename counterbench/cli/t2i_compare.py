"""The command `t2i compare`: text-to-image models side by side, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import print_json, progress
from counterbench.stats.intervals import Estimate
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.t2i.comparing.document import Comparison, Contrast, ModelRun

# Of more models than these, each is shown against the next alone.
MOST_MODELS = 4
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"


def compare(
    runs: list[Path] = typer.Argument(metavar="RUN RUN…", help="Runs of t2i judge that differ in their generator."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    threshold: float | None = typer.Option(
        None, help="cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two models, with what they rest on."),
) -> None:
    """Compare text-to-image models: which is better, or chance?

    Differences paired by group with intervals, p adjusted for all of them, ranks, and the number of prompts that would
    part a tie.
    Example: counterbench t2i compare runs/mine runs/another
    """
    from counterbench.cli.grid import show, show_csv
    from counterbench.t2i.comparing.models import compare_models

    form = options.Form.JSON if as_json else form
    with progress("comparing models", quiet=form is options.Form.JSON, brief=True) as report:
        found = compare_models(runs, scoring, threshold, brief=form is not options.Form.JSON, on_progress=report)
    if form is options.Form.JSON:
        print_json(found)
        return
    if form is options.Form.CSV:
        show_csv([row for each in found.comparisons for row in _rows(each)])
        return
    page: list[Table | str] = []
    for each in found.comparisons:
        shown = each.contrasts if verbose else _shown(each)
        signs = _signs(each)
        page += [ranks_table(each, signs), contrasts_table(each, shown, signs, verbose)]
        page += _notes(each, shown, verbose)
    page += [f"not compared: {run}: no other run is of its prompts, protocol, judge and wording" for run in found.alone]
    show(*page, form=form)


def _signs(found: Comparison) -> dict[str, str]:
    """A letter for each model, best first by the ranks that it may have, of all headline numbers together."""

    def place(run: ModelRun) -> tuple[int, int]:
        ranks = [(n, each) for of in found.ranks.values() for n, each in enumerate(of) if each.model == run.model]
        return sum(each.rank + each.rank_last for _, each in ranks), sum(n for n, _ in ranks)

    ordered = sorted(found.runs, key=place)
    return {run.model: LETTERS[n] if n < len(LETTERS) else f"Z{n}" for n, run in enumerate(ordered)}


def ranks_table(found: Comparison, signs: Mapping[str, str]) -> Table:
    """Each model's headline numbers with the rank that each gives it, best first by all of them."""
    from counterbench.cli.grid import cell
    from counterbench.cli.t2i_tables import cell_of, table_over
    from counterbench.t2i.words import heading

    scoring = found.runs[0].signature.scoring
    one = len(found.headline) == 1
    told = f"{found.protocol} on {found.prompts}, {scoring} scoring{' [95 %]' * one}, and (rank)"
    table = table_over(told, found.runs, keys=2)
    table.add_column("", "generator")
    table.add_numbers(*map(heading, found.headline))
    for model, sign in signs.items():
        cells = []
        for column in found.headline:
            of = next(each for each in found.ranks[column] if each.model == model)
            cells.append(cell_of(of.value, interval=one).append_text(cell(f" ({of.span})")))
        table.add_row(sign, model, *cells)
    return table


def contrasts_table(found: Comparison, shown: Sequence[Contrast], signs: Mapping[str, str], everything: bool) -> Table:
    """Two models a row, a section for each headline number: difference, p, the better one, prompts to part a tie."""
    from counterbench.cli.compare import shown_p
    from counterbench.cli.t2i_tables import cell_of, table_over
    from counterbench.t2i.words import heading

    every = len(shown) == len(found.contrasts)
    title = "Every two models, paired" if every else "Each model and the next, paired"
    table = table_over(title, found.runs, keys=2)
    table.add_column("models", "by")
    more = ("p", "both scored", "left out") if everything else ()
    table.add_numbers("difference [95 %]", *more, "Holm p", "better", f"{found.units}s needed")
    turned = sorted((_turned(each, signs) for each in shown), key=lambda c: (signs[c.first], signs[c.second]))
    for column in found.headline:
        for each in (each for each in turned if each.column == column):
            counts = (shown_p(each.p), str(each.units), str(each.left_out)) if everything else ()
            better = "tied" if each.better is None else signs[each.better]
            tied = each.better is None
            lacking = f"{each.units_needed:,}" if each.units_needed else "–" if tied else ""
            difference = cell_of(each.difference, signed=True)
            models = f"{signs[each.first]} − {signs[each.second]}"
            table.add_row(models, heading(column), difference, *counts, shown_p(each.p_holm), better, lacking)
        if len(found.runs) > 2:
            table.add_section()
    return table


def _turned(contrast: Contrast, signs: Mapping[str, str]) -> Contrast:
    """The difference, turned so that the better ranked model is the first."""
    if signs[contrast.first] < signs[contrast.second]:
        return contrast
    value, low, high = (None if end is None else 0 - end for end in msgspec.structs.astuple(contrast.difference))
    return msgspec.structs.replace(
        contrast, first=contrast.second, second=contrast.first, difference=Estimate(value, high, low)
    )


def _shown(found: Comparison) -> list[Contrast]:
    """The contrasts; of more than a few models, those of each with the next one down by the same number."""
    if len(found.runs) <= MOST_MODELS:
        return found.contrasts
    near = {
        (column, frozenset((one.model, other.model)))
        for column, of in found.ranks.items()
        for one, other in pairwise(of)
    }
    return [each for each in found.contrasts if (each.column, frozenset((each.first, each.second))) in near]


def _rows(found: Comparison) -> list[dict[str, Any]]:
    """Every two models by every number for CSV."""
    from counterbench.cli.grid import flat

    about = {"prompts": found.prompts, "protocol": found.protocol}
    return [about | flat(msgspec.to_builtins(each)) for each in found.contrasts]


def _notes(found: Comparison, shown: Sequence[Contrast], verbose: bool) -> list[str]:
    from counterbench.stats.clusters import FEWEST

    lines = []
    if len(shown) < len(found.contrasts):
        lines.append(f"… and {len(found.contrasts) - len(shown)} more differences (-v prints all)")
    lines += found.not_compared
    adjusted = f", Holm-adjusted over all {counted(found.tests, 'test')}," if found.tests > 1 else ""
    lines.append(f"better: p of a randomisation test{adjusted} is at most {100 * found.level:g} %")
    if any(each.better is None for each in shown):
        also = f" of as many times more {found.clusters}s" if found.clusters != found.units else ""
        lines.append(
            f"needed to part a tie: so many {found.units}s{also} with as many samples; 80 % power, if the difference "
            "seen is the true one"
        )
    if found.fewest < FEWEST:
        least = f"{2.0 ** (1 - found.fewest):.2g}"
        few = found.tests * 2.0 ** (1 - found.fewest) > found.level
        more = f", so that nothing but further {found.clusters}s parts a tie" if few else ""
        lines.append(
            f"of only {counted(found.fewest, found.clusters)}: no interval, and p is {least} at the least{more}"
        )
    told = [_told(run, verbose) for run in found.runs]
    lines += [f"all runs: {note}" for note in told[0] if all(note in others for others in told)]
    for run, notes in zip(found.runs, told, strict=True):
        lines += [f"{run.model}: {note}" for note in notes if not all(note in others for others in told)]
        lines += [f"{run.model}: {run.run}"] if verbose else []
    return lines


def _told(run: ModelRun, verbose: bool) -> list[str]:
    """Warnings that belong to a run's numbers."""
    from counterbench.t2i.words import reason_lines, soft_line

    lines = reason_lines(run, verbose)
    lines += [] if run.complete else ["INCOMPLETE, pictures or replies are missing"]
    return lines + ([] if run.soft is None else [soft_line(run.soft)])
