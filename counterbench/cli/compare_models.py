"""Text-to-image models side by side, as `compare` has them, and judges on the same pictures: tables and lines."""

from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.compare import adjacent, contrasts_table, rows, shown_p
from counterbench.cli.grid import Table, cell, flat, number_cell, show_result
from counterbench.cli.options import OutputForm
from counterbench.pictures.comparing.contrasts import ModelRun
from counterbench.pictures.comparing.judges import COLUMNS, NOTE, SPREAD, WORDS, SideBySide
from counterbench.pictures.comparing.models import Comparisons, ModelComparison, compare_models
from counterbench.pictures.comparing.variants import Gain, SliceGain, VariantComparison
from counterbench.pictures.labelling.scored import labelled_runs
from counterbench.pictures.words import about_judges, about_numbers, run_names
from counterbench.results.contrasts import Contrast
from counterbench.results.measures import CHANGE, NONE, heading
from counterbench.text import counted

# Kinds of slices whose gains are printed without -v, if there are no more slices than this.
_SHOWN_SLICES, _MAX_SLICES = ("dimension", "category"), 12


def show_models(runs: Sequence[Path], scoring: str, form: OutputForm, verbose: bool) -> None:
    """Print the comparison of text-to-image models, of runs about their pictures."""
    name_forms: dict[OutputForm, run_names.NameForm] = {OutputForm.TABLE: "short", OutputForm.JSON: "as asked"}
    comparison = compare_models(runs, scoring, names=name_forms.get(form, "whole"), load=labelled_runs)
    show_result(
        form,
        lambda: comparison,
        lambda: [*_csv_rows(comparison)],
        lambda: _models_page(comparison, verbose),
    )


def _csv_rows(compared: Comparisons) -> Iterator[dict[str, Any]]:
    """A row for CSV for every two models by every number, and for every gain by a variant, also by its slices."""
    for models in compared.comparisons:
        yield from rows({key: getattr(models, key) for key in ("prompts", "protocol", "judge")}, models.contrasts, {})
    for variant in compared.variants:
        about = {"prompts": variant.variant, "protocol": variant.protocol, "judge": variant.judge}
        gains = [msgspec.structs.replace(gain, slices={}) for gain in variant.contrasts]
        yield from rows(about | {"variant_of": variant.original}, gains, {})
        for gain in variant.contrasts:
            called = about | {"variant_of": variant.original, "model": gain.model}
            for kind, parts in gain.slices.items():
                for name_of_part, part in parts.items():
                    about_part = {"part": kind, "name_of_part": name_of_part}
                    yield called | about_part | flat(msgspec.to_builtins(part))


def _models_page(compared: Comparisons, verbose: bool) -> Iterator[Table | str]:
    """The tables and lines of a comparison of models, for people."""
    for comparison in compared.comparisons:
        yield from about_judges.verdict_lines((run.model, run) for run in comparison.runs)
        order = {column: [rank.model for rank in ranks] for column, ranks in comparison.ranks.items()}
        shown = comparison.contrasts if verbose else adjacent(comparison.contrasts, order)
        every = len(shown) == len(comparison.contrasts)
        title = "Every two models, paired" if every else "Each model and the next, paired"
        yield ranks_table(comparison, f" by {comparison.judge}" if len(compared.comparisons) > 1 else "")
        yield contrasts_table(title, shown, {}, CHANGE, f"{comparison.units}s", verbose)
        yield from _models_notes(comparison, shown, verbose)
    compared_runs = {run.run for comparison in compared.comparisons for run in comparison.runs}
    for variant in compared.variants:
        yield from variant_parts(variant, compared_runs, verbose)
    yield from agreement_parts(compared.agreement)
    yield from compared.notes
    yield from about_judges.audit_lines(compared.audits)


def ranks_table(comparison: ModelComparison, judge: str = "") -> Table:
    """Each model's headline numbers with the rank that each gives it; the model with the best sum of ranks comes first.

    `judge`: words on the judge for the title, such as " by pixels".
    """
    single = len(comparison.headline) == 1
    scoring = f"{comparison.runs[0].provenance.scoring} scoring{' [95 %]' if single else ''}"
    title = f"{comparison.protocol} on {comparison.prompts}{judge}, {scoring}, and (rank)"
    table = Table(title, ["generator"], [*map(heading, comparison.headline)])
    by_model = comparison.by_model
    places = {model: sum(map(list.index, comparison.ranks.values(), ranks)) for model, ranks in by_model.items()}
    best = sorted(by_model, key=lambda model: (sum(r.rank + r.rank_last for r in by_model[model]), places[model]))
    for model, ranks in ((model, by_model[model]) for model in best):
        table.add_row(model, *(number_cell(r.value, interval=single).append_text(cell(f" ({r.span})")) for r in ranks))
    return table


def _models_notes(comparison: ModelComparison, shown: Sequence[Contrast], verbose: bool) -> Iterator[str]:
    """Lines below a table of models: what is not compared, the meaning of the columns, warnings.

    `shown`: the contrasts that have a row.
    """
    if len(shown) < len(comparison.contrasts):
        yield f"… and {len(comparison.contrasts) - len(shown)} more differences (-v prints all)"
    yield from about_numbers.shared_line(comparison.not_shared, comparison.units == "prompt", verbose)
    yield from comparison.not_compared
    if comparison.tests:
        adjusted = f", Holm-adjusted over all {comparison.tests} tests," if comparison.tests > 1 else ""
        yield f"better: p of the test over {comparison.clusters}s{adjusted} is at most {100 * comparison.level:g} %"
        yield from _unnamed(comparison.contrasts)
    if comparison.tests > 1:
        yield "intervals are not adjusted for the number of tests: one that excludes 0 may still be a tie"
    if any(contrast.better is None for contrast in shown):
        also = f" (of as many times more {comparison.clusters}s)" if comparison.clusters != comparison.units else ""
        yield (
            f"needed: {comparison.units}s{also} that would decide a tie, with as many samples each; 80 % power, if the "
            "observed difference is the true one"
        )
    yield from filter(None, [comparison.few])
    yield from _run_notes(comparison.runs, verbose)


def _unnamed(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """A line on differences that are shown and name no winner, if there are any."""
    if any(contrast.is_decided and contrast.better is None for contrast in contrasts):
        yield f"{NONE}: p is small enough, but a judge that is not supported names no winner"


def _run_notes(runs: Sequence[ModelRun], verbose: bool) -> Iterator[str]:
    """Warnings about these runs and their numbers, those that all have in common first."""
    yield from about_judges.same_maker_lines((run.model, run.provenance) for run in runs)
    notes = {run.model: _notes_on(run, verbose) for run in runs}
    common = [note for note in notes[runs[0].model] if all(note in lines for lines in notes.values())]
    yield from (f"all runs: {note}" for note in common)
    for run in runs:
        yield from (f"{run.model}: {note}" for note in notes[run.model] if note not in common)
        if verbose:
            yield f"{run.model}: {run.run}"


def _notes_on(run: ModelRun, verbose: bool) -> list[str]:
    """Warnings about the numbers of one run."""
    lines = about_judges.reason_lines(run, verbose)
    lines += [] if run.complete else ["INCOMPLETE, pictures or replies are missing"]
    return lines + ([] if run.soft is None else [about_numbers.soft_line(run.soft)])


def variant_parts(compared: VariantComparison, shown: Set[str], verbose: bool) -> Iterator[Table | str]:
    """The tables of a variant's gains, in whole and by slice, and lines on them; `shown`: runs with notes already."""
    runs = [run for run in compared.runs if run.run not in shown]
    yield from about_judges.verdict_lines((run.model, run) for run in runs)
    if gains := compared.contrasts:
        title = f"{compared.variant} beside {compared.original}, by {compared.protocol} and {compared.judge}"
        yield _gains_table(title, ["model", "by"], [([gain.model, heading(gain.column)], gain) for gain in gains])
        left_out = max(gain.left_out for gain in gains)
        others = f" ({counted(left_out, 'other')} left out)" if left_out else ""
        yield f"gain: the variant less the original, over the {compared.units}s that both have scored{others}"
        if any(gain.difference.low is None for gain in gains):
            yield f"no interval and no p where too few {compared.units}s are shared"
    if compared.gated_by and gains:
        rates = ", and PRR of both divides by its S_L1" if any(gain.column == "prr" for gain in gains) else ""
        yield f"both are gated by the original's pictures at {compared.gated_by.upper()}{rates}"
    if compared.tests:
        adjusted = f", Holm-adjusted over all {compared.tests} tests," if compared.tests > 1 else ""
        yield f"better: the paired test's p{adjusted} is at most {100 * compared.level:g} %"
        yield from _unnamed(gains)
    for kind in dict.fromkeys(kind for gain in gains for kind in gain.slices):
        cells = [
            ([gain.model, heading(gain.column), name], of_slice)
            for gain in gains
            for name, of_slice in gain.slices.get(kind, {}).items()
        ]
        if not verbose and (kind not in _SHOWN_SLICES or not 1 < len({keys[-1] for keys, _ in cells}) <= _MAX_SLICES):
            continue
        ungated = ", ungated" if any(gain.column.startswith("ungated_") for _, gain in cells) else ""
        yield _gains_table(f"By {kind}{ungated}", ["model", "by", kind], cells)
    yield from compared.not_compared
    yield from _run_notes(runs, verbose) if runs else ()


def _gains_table(title: str, keys: Sequence[str], cells: Sequence[tuple[list[str], Gain | SliceGain]]) -> Table:
    """A table of gains, a row each; a gain in whole also has its p, and what follows from it."""
    test_headers = ["Holm p", "better"] if isinstance(cells[0][1], Gain) else []
    table = Table(title, keys, ["original", "variant", "gain [95 %]", *test_headers], keys=len(keys))
    for words_of_row, gain in cells:
        values = (number_cell(number, interval=False) for number in (gain.original, gain.variant))
        sides = {gain.first: "variant", gain.second: "original"} if isinstance(gain, Gain) else {}
        test = (shown_p(gain.p_holm), sides.get(gain.winner, gain.winner)) if isinstance(gain, Gain) else ()
        table.add_row(*words_of_row, *values, number_cell(gain.difference, CHANGE), *test)
    return table


def agreement_parts(agreement: Sequence[SideBySide]) -> Iterator[Table | str]:
    """A table of the agreement of every two judges or protocols, and lines on models whose order they reverse."""
    yield from (comparison.unrelated for comparison in agreement if comparison.unrelated and not comparison.spread)
    if rows_of_spread := [row for comparison in agreement for row in comparison.spread]:
        title = "Scores of the same pictures, as shares of each scale"
        yield Table(title, SPREAD[:2], SPREAD[2:], rows=rows_of_spread, keys=2)
    if all(comparison.unrelated for comparison in agreement):
        return
    side_by_side = [row for comparison in agreement if not comparison.unrelated for row in comparison.rows]
    title = "Judges side by side on the same pictures"
    yield Table(title, COLUMNS[:WORDS], COLUMNS[WORDS:], rows=side_by_side, keys=2)
    yield from (line for comparison in agreement for line in comparison.turns)
    yield NOTE
