"""The command `compare`: judges side by side, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say, say_next
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.scoring.comparison.document import Compared, Comparison, Contrast, Group, Standing
    from counterbench.scoring.scores import Share
    from counterbench.stats.intervals import Estimate

# Of more judges than these, each is shown against the next alone.
MOST_JUDGES = 6
COUNTS = ("pairs", "left out", "both", "only 1st", "only 2nd", "neither", "pairs needed")


def compare(
    runs: list[Path] = typer.Argument(metavar="RUN RUN…", help="Two run folders or more."),
    scoring: options.Scoring = "default",
    certificate: list[Path] = typer.Option([], help="A judge's certificate, beside those in the runs' folders."),
    anyway: bool = typer.Option(False, "--anyway", help="Compare runs on different suites, wordings or votes; marked."),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two judges, with counts, by category too."),
) -> None:
    """Compare judges on the same pairs: which is better, or chance?

    Differences with intervals, exact p, ranks, and the number of pairs that would part judges which these pairs
    cannot; the cost of each for 1,000 pictures and the cells it is admitted to, the cheapest admitted judge first.
    Example: counterbench compare runs/smoke--pixels runs/smoke--planted-noisy
    """
    from counterbench.cli.grid import show, show_csv
    from counterbench.reporting.offers import with_admissions
    from counterbench.scoring.comparison.compare import compare_runs
    from counterbench.scoring.comparison.joining import refuse_unfit
    from counterbench.scoring.results import load_results

    form = options.Form.JSON if as_json else form
    refuse_unfit(runs)
    read = [load_results(run, scoring) for run in runs]
    found, notes = with_admissions(compare_runs(read, anyway), read, certificate)
    for note in notes:
        say(f"note: {note}", err=True)
    if form is options.Form.JSON:
        print_json(found)
        return
    names = _names(found)
    if form is options.Form.CSV:
        show_csv(_rows(found, names))
        return
    left_out = [f"LEFT OUT: {run.judge} ({run.run}) has both replies to no pair: {_unasked(run)}"
                for run in found.unanswered]  # fmt: skip
    tables = [standings_table(found, names, verbose), *_contrasts_tables(found, names, verbose)]
    last = [*offers(found, names), *_notes(found, names, verbose)]
    show(*left_out, *(f"MARKED: {mark}" for mark in found.marked), *tables, *last, form=form)
    if form is options.Form.TABLE:
        say_next(command("diagnose", *runs))


def _names(found: Comparison) -> dict[str, str]:
    """A short name of each run in the comparison; the long one if two short ones are equal."""
    from counterbench.runs.names import short_names

    labels = [run.judge for run in found.runs]
    short = short_names([run.signature for run in found.runs])
    return dict(zip(labels, short if len(set(short)) == len(short) else labels, strict=True))


def standings_table(found: Comparison, names: Mapping[str, str], everything: bool = False) -> Table:
    """Each judge's CCS and rank on the pairs common to all, overall and by category, best first."""
    rank = "rank (of categories in brackets)" if everything else "rank"
    common = f"{counted(found.overall.pairs, 'pair')} common to all judges"
    table = _table(f"CCS (%) and {rank} on the {common}", found.marked, keys=2)
    table.add_column("rank", "judge")
    table.add_numbers("overall [95 %]", *found.categories)
    by_category = [{s.judge: s for s in group.standings} for group in found.categories.values()]
    for standing in found.overall.standings:
        cells = [_cell(members[standing.judge], everything) for members in by_category]
        table.add_row(_rank(standing), names[standing.judge], _interval(standing.ccs), *cells)
    return table


def offers(found: Comparison, names: Mapping[str, str]) -> list[Table | str]:
    """Table of each judge's cost and admission, the cheapest admitted first; empty if nothing is known.

    If no certificate is known, a line below gives the command that makes one.
    """
    if not any(run.costs.usd or run.costs.tokens_in or run.admitted for run in found.runs):
        return []
    from counterbench.cli.work import dollars

    table = _table("What 1,000 pictures take, a question each: the cheapest that is admitted first", [], keys=1)
    table.add_column("judge")
    table.add_numbers("cells admitted", "USD", "tokens in", "tokens out")
    for run in found.by_offer:
        cells = "–" if run.admitted is None else f"{run.admitted.cells}/{run.admitted.of} ({run.admitted.policy})"
        usd = "–" if run.costs.usd is None else dollars(run.costs.usd)
        tokens = ("–" if n is None else f"{n:,.0f}" for n in (run.costs.tokens_in, run.costs.tokens_out))
        table.add_row(names[run.judge], cells, usd, *tokens)
    without = [run for run in found.by_offer if run.admitted is None]
    if not without:
        return [table]
    certify = command("certify", without[0].run)
    none = f"no certificate that holds was found of {', '.join(names[run.judge] for run in without)}"
    return [table, f"cells admitted: {none}; `{certify}` tells, of each"]


def _contrasts_tables(found: Comparison, names: Mapping[str, str], everything: bool) -> list[Table]:
    if everything:
        groups = {"Every two judges": found.overall}
        groups |= {f"Every two judges, {name}": group for name, group in found.categories.items()}
        return [
            contrasts_table(title, group.contrasts, found.marked, names, everything) for title, group in groups.items()
        ]
    shown = _shown(found.overall)
    title = "Every two judges" if len(shown) == len(found.overall.contrasts) else "Each judge and the next"
    return [contrasts_table(title, shown, found.marked, names)]


def _shown(group: Group) -> list[Contrast]:
    """The contrasts; of more than a few judges, those of each with the next one down."""
    if len(group.standings) <= MOST_JUDGES:
        return group.contrasts
    by_judges = {frozenset((c.first, c.second)): c for c in group.contrasts}
    return [by_judges[frozenset((one.judge, next_.judge))] for one, next_ in pairwise(group.standings)]


def contrasts_table(
    title: str, contrasts: Sequence[Contrast], marked: list[str], names: Mapping[str, str], everything: bool = False
) -> Table:
    """Two judges a row: the difference, p and what follows; with `everything`, the counts behind them."""
    table = _table(title, marked, keys=2)
    table.add_column("first", "second")
    table.add_numbers("1st − 2nd [95 %]", *(["p"] if everything else []), "Holm p", "better")
    table.add_numbers(*(COUNTS if everything else []))
    for c in contrasts:
        counts = (c.pairs, c.left_out, c.both, c.only_first, c.only_second, c.neither)
        p = [shown_p(c.p)] if everything else []
        more = [*map(str, counts), _needed(c)] if everything else []
        table.add_row(names[c.first], names[c.second], _points(c.difference), *p, shown_p(c.p_holm), _better(c), *more)
    return table


def _table(title: str, marked: list[str], keys: int) -> Table:
    from counterbench.cli.grid import Table

    note = " (MARKED: see above)" if marked else ""
    return Table(title + note, keys)


def _rows(found: Comparison, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every two judges for CSV, overall and by category; shares and differences as fractions."""
    from counterbench.cli.grid import flat

    groups = [("overall", "", found.overall), *(("category", name, of) for name, of in found.categories.items())]
    called = {"first", "second", "better"}
    return [
        {"part": part, "name": name}
        | {key: names.get(of, of) if key in called else of for key, of in flat(msgspec.to_builtins(c)).items()}
        for part, name, group in groups
        for c in group.contrasts
    ]


def _notes(found: Comparison, names: Mapping[str, str], verbose: bool) -> list[str]:
    from counterbench.cli.tables import judge_lines, signature_line

    lines = [
        f"{names[run.judge]}: INCOMPLETE, {_unasked(run)}; their pairs are left out"
        for run in found.runs
        if not run.complete
    ]
    if found.overall.left_out:
        lines.append(f"left out: {counted(found.overall.left_out, 'pair')} to which not every judge has both replies")
    compared, shown = found.overall.contrasts, found.overall.contrasts if verbose else _shown(found.overall)
    lines += [f"{names[c.first]} and {names[c.second]} {c.verdict}" for c in shown if c.better is None]
    if len(shown) < len(compared):
        lines.append(f"… and {len(compared) - len(shown)} more pairs of judges (-v prints all)")
    adjusted = f", Holm-adjusted over all {len(compared)} pairs of judges" if len(compared) > 1 else ""
    lines.append(f"better: McNemar's exact p{adjusted}, at most {100 * found.level:.0f} %")
    if verbose:
        level = f"{100 * found.level / len(compared):.2g} %"
        lines.append(f"pairs needed: for 80 % power at a level of {level}, if the rates seen are the true ones")
        lines.append("both, only 1st, only 2nd, neither: who is right on both pictures of a pair, in pairs")
        lines += [f"{names[run.judge]}: {run.run}" for run in found.runs]
    lines += judge_lines([names[run.judge] for run in found.runs], [run.signature for run in found.runs])
    lines += dict.fromkeys(signature_line(run.signature) for run in found.runs)
    return lines


def _unasked(run: Compared) -> str:
    return f"{counted(run.missing, 'question')} not asked, {run.failed} failed"


def _rank(standing: Standing) -> str:
    return str(standing.rank) if standing.rank == standing.rank_last else f"{standing.rank}-{standing.rank_last}"


def _interval(ccs: Share) -> str:
    if ccs.value is None or ccs.low is None or ccs.high is None:
        return "–"
    return f"{100 * ccs.value:.1f} [{100 * ccs.low:.1f}, {100 * ccs.high:.1f}]"


def _cell(standing: Standing, with_rank: bool) -> str:
    if standing.ccs.value is None:
        return "–"
    return f"{100 * standing.ccs.value:.1f}" + (f" ({_rank(standing)})" if with_rank else "")


def _points(difference: Estimate) -> str:
    if difference.value is None or difference.low is None or difference.high is None:
        return "–"
    shown = f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"
    return shown.replace("-", "−")


def shown_p(p: float | None) -> str:
    """A p-value as tables show it; never as 0."""
    return "–" if p is None else f"{p:.3f}" if p >= 0.001 else f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def _better(contrast: Contrast) -> str:
    return "tied" if contrast.better is None else "1st" if contrast.better == contrast.first else "2nd"


def _needed(contrast: Contrast) -> str:
    return "–" if contrast.pairs_needed is None else f"{contrast.pairs_needed:,}"
