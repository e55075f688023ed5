"""The command `compare`: judges side by side, as tables for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.options import AsJson, Scoring
from counterbench.cli.printing import command, print_json, say, say_next

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.scoring.comparison.document import Compared, Comparison, Contrast, Group, Standing
    from counterbench.stats.intervals import Estimate


def compare(
    runs: list[Path] = typer.Argument(metavar="RUN RUN…", help="Two run folders or more."),
    scoring: Scoring = "default",
    anyway: bool = typer.Option(False, "--anyway", help="Compare runs on different suites, wordings or votes; marked."),
    as_json: AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two judges by category too, and the runs."),
) -> None:
    """Which judge is better on the same pairs: difference with interval, exact p, ranks, where the data cannot tell.

    Example: counterbench compare runs/smoke--pixels runs/smoke--planted-noisy
    """
    from counterbench.cli.grid import show
    from counterbench.scoring.comparison.compare import compare as compare_runs

    found = compare_runs(runs, scoring, anyway)
    if as_json:
        print_json(found)
        return
    for run in found.unanswered:
        say(f"LEFT OUT: {run.judge} ({run.run}) has both replies to no pair: {_unasked(run)}")
    for mark in found.marked:
        say(f"MARKED: {mark}")
    show(standings_table(found))
    show(contrasts_table("Every two judges", found.overall, found.marked))
    if verbose:
        for name, group in found.categories.items():
            show(contrasts_table(f"Every two judges, {name}", group, found.marked))
    for line in _notes(found, verbose):
        say(line)
    say_next(command("diagnose", *runs))


def standings_table(found: Comparison) -> Table:
    """Each judge's CCS and rank on the pairs common to all, overall and by category, best first."""
    table = _table(f"CCS (%) and rank on the {found.overall.pairs} pairs common to all judges", found.marked)
    table.add_column("rank", no_wrap=True)
    table.add_column("judge", no_wrap=True)
    table.add_column("overall [95 %]", justify="right", no_wrap=True)
    for name in found.categories:
        table.add_column(f"{name} (rank)", justify="right", no_wrap=True)
    by_category = [{s.judge: s for s in group.standings} for group in found.categories.values()]
    for standing in found.overall.standings:
        ccs = standing.ccs
        overall = "–"
        if ccs.value is not None and ccs.low is not None and ccs.high is not None:
            overall = f"{100 * ccs.value:.1f} [{100 * ccs.low:.1f}, {100 * ccs.high:.1f}]"
        cells = [_cell(members[standing.judge]) for members in by_category]
        table.add_row(_rank(standing), standing.judge, overall, *cells)
    return table


def contrasts_table(title: str, group: Group, marked: list[str]) -> Table:
    """Every two judges: counts, difference, p, and what follows."""
    table = _table(title, marked)
    for name in ("first", "second"):
        table.add_column(name, no_wrap=True)
    for name in ("pairs", "left out", "both", "only 1st", "only 2nd", "neither", "1st - 2nd [95 %]", "p", "Holm p"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("better", no_wrap=True)
    table.add_column("pairs needed", justify="right", no_wrap=True)
    for c in group.contrasts:
        counts = (c.pairs, c.left_out, c.both, c.only_first, c.only_second, c.neither)
        cells = (_points(c.difference), _p(c.p), _p(c.p_holm), _better(c), _needed(c))
        table.add_row(c.first, c.second, *map(str, counts), *cells)
    return table


def _table(title: str, marked: list[str]) -> Table:
    from counterbench.cli.grid import Table

    note = " (MARKED: see above)" if marked else ""
    return Table(title + note)


def _notes(found: Comparison, verbose: bool) -> list[str]:
    lines = [
        f"{run.judge}: INCOMPLETE, {_unasked(run)}; their pairs are left out" for run in found.runs if not run.complete
    ]
    for c in found.overall.contrasts:
        if c.better is None:
            lines.append(f"{c.first} and {c.second} {c.verdict}")
    compared = len(found.overall.contrasts)
    lines.append(
        f"better: McNemar's exact p, Holm-adjusted over the table, at most {100 * found.level:.0f} %; pairs needed: "
        f"for 80 % power at a level of {100 * found.level / compared:.2g} %, if the rates seen are the true ones"
    )
    if verbose:
        lines += [f"{run.judge}: {run.run}" for run in found.runs]
    signatures = (run.signature for run in found.runs)
    lines += dict.fromkeys(
        f"suite {s.suite} {s.suite_digest} · wording {s.wording} {s.wording_digest[:8]} · parser {s.parser} · "
        f"scoring {s.scoring} · truth {s.truth} · counterbench {s.version}"
        for s in signatures
    )
    return lines


def _unasked(run: Compared) -> str:
    return f"{run.missing} questions not asked, {run.failed} failed"


def _rank(standing: Standing) -> str:
    return str(standing.rank) if standing.rank == standing.rank_last else f"{standing.rank}-{standing.rank_last}"


def _cell(standing: Standing) -> str:
    return "–" if standing.ccs.value is None else f"{100 * standing.ccs.value:.1f} ({_rank(standing)})"


def _points(difference: Estimate) -> str:
    if difference.value is None or difference.low is None or difference.high is None:
        return "–"
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _p(p: float | None) -> str:
    return "–" if p is None else f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def _better(contrast: Contrast) -> str:
    return "tied" if contrast.better is None else "1st" if contrast.better == contrast.first else "2nd"


def _needed(contrast: Contrast) -> str:
    return "–" if contrast.pairs_needed is None else f"{contrast.pairs_needed:,}"
