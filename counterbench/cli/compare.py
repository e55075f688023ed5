"""Judges on the same pairs, side by side, as `compare` has them: tables and lines for people."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.amounts import dollars
from counterbench.cli.grid import Table, flat, number_cell, show_result
from counterbench.cli.ladders import MORE, ladders_table
from counterbench.cli.options import OutputForm
from counterbench.cli.printing import command, say, say_next
from counterbench.cli.tables import judge_lines, percent, provenance_line
from counterbench.judges.specs import is_by_order
from counterbench.pages.gather import compare_judges
from counterbench.results.advice import advice
from counterbench.results.comparison import Comparison
from counterbench.results.contrasts import Contrast
from counterbench.results.measures import NONE, POINTS, Notation, heading
from counterbench.results.results import CONTROLS_OUT
from counterbench.results.scores import unfinished
from counterbench.runs.usage import short_names
from counterbench.text import counted

# If there are more runs than these, each is shown against the next alone.
MAX_RUNS = 4
_MARKED = " (MARKED: see above)"
_COUNTS = {"both": "both", "only_first": "only 1st", "only_second": "only 2nd", "neither": "neither"}


def show_judges(runs: Sequence[Path], scoring: str, anyway: bool, form: OutputForm, verbose: bool) -> None:
    """Print the comparison of judges on the same pairs."""
    comparison, notes = compare_judges(runs, scoring, anyway)
    for note in notes:
        say(f"note: {note}", err=True)
    names = _names_by_label(comparison, whole=form is not OutputForm.TABLE)
    parts = [("overall", "", comparison.overall), *(("category", *named) for named in comparison.categories.items())]
    show_result(
        form,
        lambda: comparison,
        lambda: [row for key, name, part in parts for row in rows({"part": key, "name": name}, part.contrasts, names)],
        lambda: _judges_page(comparison, names, verbose),
    )
    if form is OutputForm.TABLE:
        say_next(command("diagnose", *runs))


def _names_by_label(comparison: Comparison, whole: bool) -> dict[str, str]:
    """The name to print for each run, by its label in the comparison (`Compared.judge`).

    It is a short name or, with `whole`, the whole one; it is the label itself if two names would be equal.
    """
    labels = [run.judge for run in comparison.runs]
    short = short_names([run.provenance for run in comparison.runs], whole)
    return dict(zip(labels, short if len(set(short)) == len(short) else labels, strict=True))


def _judges_page(comparison: Comparison, names: Mapping[str, str], verbose: bool) -> Iterator[Table | str]:
    """The tables and lines of a comparison of judges, for people."""
    for run in comparison.unanswered:
        missing = unfinished(run.missing, run.failed)
        yield f"LEFT OUT: {run.judge} ({run.run}): no pair has both replies, {missing}"
    yield from (f"MARKED: {mark}" for mark in comparison.marked)
    yield ranking_table(comparison, names)
    contrasts = comparison.overall.contrasts
    shown = contrasts if verbose else adjacent(contrasts, {"ccs": [rank.judge for rank in comparison.overall.ranking]})
    title = "Every two judges" if len(shown) == len(contrasts) else "Each judge and the next"
    title += _MARKED if comparison.marked else ""
    yield contrasts_table(title, shown, names, POINTS, "pairs", verbose)
    if ladders := {names[run.judge]: run.ladders for run in comparison.runs if run.ladders}:
        yield from (ladders_table(ladders), MORE)
    yield from offer_parts(comparison, names)
    yield from _judges_notes(comparison, shown, names, verbose)
    if advised := advice(comparison, names):
        yield f"{advised[0].upper()}{advised[1:]}."


def ranking_table(comparison: Comparison, names: Mapping[str, str]) -> Table:
    """Each judge's CCS and rank on the pairs common to all, overall and by category, best first."""
    common = f"{counted(comparison.overall.pairs, 'pair')} common to all judges"
    title = f"CCS (%) and rank on the {common}{_MARKED if comparison.marked else ''}"
    table = Table(title, ["rank", "judge"], ["overall [95 %]", *comparison.categories], keys=2)
    by_category = [{s.judge: s for s in group.ranking} for group in comparison.categories.values()]
    for ranked in comparison.overall.ranking:
        cells = (percent(of_judge[ranked.judge].ccs) for of_judge in by_category)
        table.add_row(ranked.span, names[ranked.judge], percent(ranked.ccs, interval=True), *cells)
    return table


def offer_parts(comparison: Comparison, names: Mapping[str, str]) -> Iterator[Table | str]:
    """Table of each judge's cost and admission, the cheapest admitted first; no table if neither is known.

    If a judge has no certificate, a line below gives the command that makes one.
    """
    if not any(run.costs.usd or run.costs.tokens_in or run.admitted for run in comparison.runs):
        return
    title = "Cost of 1,000 pictures, one question each; admitted judges first, the cheapest on top"
    table = Table(title, ["judge"], ["cells admitted", "USD", "tokens in", "tokens out"])
    for run in comparison.by_offer:
        cells = NONE if run.admitted is None else f"{run.admitted.cells}/{run.admitted.of} ({run.admitted.policy})"
        usd = NONE if run.costs.usd is None else dollars(run.costs.usd)
        tokens = (NONE if n is None else f"{n:,.0f}" for n in (run.costs.tokens_in, run.costs.tokens_out))
        table.add_row(names[run.judge], cells, usd, *tokens)
    yield table
    if without := [run for run in comparison.by_offer if run.admitted is None]:
        certify = command("certify", without[0].run)
        none = f"no valid certificate was found for {', '.join(names[run.judge] for run in without)}"
        yield f"cells admitted: {none}; to issue one for each: {certify}"


def adjacent(contrasts: Sequence[Contrast], order: Mapping[str, Sequence[str]]) -> list[Contrast]:
    """The contrasts to show: all of them, or of more than MAX_RUNS runs only those between neighbours.

    `order`: the names of the runs from the best to the worst, by the column (the number) that a contrast compares.
    """
    if all(len(names) <= MAX_RUNS for names in order.values()):
        return list(contrasts)
    neighbours = {(column, frozenset(two)) for column, names in order.items() for two in pairwise(names)}
    return [c for c in contrasts if (c.column, frozenset((c.first, c.second))) in neighbours]


def contrasts_table(
    title: str,
    contrasts: Sequence[Contrast],
    names: Mapping[str, str],
    notation: Notation,
    units: str,
    everything: bool,
) -> Table:
    """A table with two runs a row: the difference, p and what follows; with `everything`, the counts behind them.

    `notation`: of the difference; `units`: the word for the things that numbers are means over; `names`: the name to
    print by a run's label, which stands for itself if it is not there.
    """
    several = len({contrast.column for contrast in contrasts}) > 1
    counts = {"units": units, "left_out": "left out"}
    counts |= {name: header for name, header in _COUNTS.items() if any(hasattr(c, name) for c in contrasts)}
    keys = ["first", "second", *(["by"] if several else [])]
    numbers = ["1st−2nd [95 %]", *(["p"] if everything else []), "Holm p", "better"]
    numbers += [*(counts.values() if everything else []), f"{units} needed"]
    table = Table(title, keys, numbers, keys=len(keys))
    for c in contrasts:
        better = {c.first: "1st", c.second: "2nd"}.get(c.winner, c.winner)
        table.add_row(
            *(names.get(name, name) for name in (c.first, c.second)),
            *([heading(c.column)] if several else []),
            number_cell(c.difference, notation),
            *([shown_p(c.p)] if everything else []),
            shown_p(c.p_holm),
            better,
            *(str(getattr(c, name)) for name in (counts if everything else ())),
            f"{c.units_needed:,}" if c.units_needed else NONE,
        )
    return table


def rows(first_fields: dict[str, Any], contrasts: Sequence[Contrast], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """A row for CSV for every two runs, `first_fields` before their fields; shares and differences as fractions.

    `names`: as of `contrasts_table`.
    """
    csv_rows = []
    for contrast in contrasts:
        cells = flat(msgspec.to_builtins(contrast))
        for key in ("first", "second", "better"):
            if (label := str(cells.get(key))) in names:
                cells |= {key: names[label]}
                if key == "better" and "verdict" in cells:
                    cells |= {"verdict": cells["verdict"].replace(label, names[label])}
        csv_rows.append(first_fields | cells)
    return csv_rows


def _judges_notes(
    comparison: Comparison, shown: Sequence[Contrast], names: Mapping[str, str], verbose: bool
) -> Iterator[str]:
    """Lines below the tables: runs that are not complete, what is left out, and the meaning of the columns.

    `shown`: the contrasts that have a row.
    """
    for run in comparison.runs:
        if not run.complete:
            missing = unfinished(run.missing, run.failed)
            yield f"{names[run.judge]}: INCOMPLETE, {missing}; their pairs are left out"
    if any(is_by_order(run.provenance.judge) for run in comparison.runs):
        yield CONTROLS_OUT
    if comparison.overall.left_out:
        yield f"left out: {counted(comparison.overall.left_out, 'pair')} without both replies of every judge"
    compared = comparison.overall.contrasts
    if len(shown) < len(compared):
        yield f"… and {len(compared) - len(shown)} more pairs of judges (-v prints all)"
    adjusted = f", Holm-adjusted over all {len(compared)} pairs of judges," if len(compared) > 1 else ""
    yield f"better: McNemar's exact p{adjusted} is at most {100 * comparison.level:.0f} %, on these kinds of questions"
    if any(c.better is None for c in shown):
        level = f"{100 * comparison.level / len(compared):.2g} %"
        yield f"pairs needed: for 80 % power at a level of {level}, if the observed rates are the true ones"
    if verbose:
        yield "both, only 1st, only 2nd, neither: the pairs, by which of the two judges is right about both pictures"
        yield from (f"{names[run.judge]}: {run.run}" for run in comparison.runs)
    yield from judge_lines([names[run.judge] for run in comparison.runs], [run.provenance for run in comparison.runs])
    yield from dict.fromkeys(provenance_line(run.provenance) for run in comparison.runs)


def shown_p(p: float | None) -> str:
    """A p-value as the text of a cell, never as 0; a dash if there is none."""
    return NONE if p is None else f"{p:.3f}" if p >= 0.001 else f"{p:.4f}" if p >= 0.0001 else "<0.0001"
