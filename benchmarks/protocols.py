"""Which way of scoring ranks models rightly? Planted models, planted judges, protocols, at equal numbers of calls.

    python benchmarks/protocols.py                                   about ten minutes on two cores
    python benchmarks/protocols.py --runs 20 vandal "one styled"     some of its sets of models, fewer seeds
    python benchmarks/protocols.py --csv docs/static/which-protocol.csv      writes the table there too, for the plot

The models draw the prompts of `laws`. Groups of prompts come in a random order until each model has had its calls. The
true order of a protocol is its own, by an oracle on all prompts (by checklist, the mean share of right checks), so that
what a protocol measures is no error of it; all that is counted comes from the judge and from the choice of prompts.
cf-eval ranks by the mean of S_L1, S_L2 and S_L3, gated; pairwise by points, which give the order of Davidson's ratings
where all pairs of models are compared equally often. Prints Markdown, with 95 % intervals over seeds:

tau       Kendall's τ-b of the ranking to the true order, the mean over seeds
all       the same where all prompts are asked about, three seeds: what more calls do not repair
best      the share of seeds in which the best model is ranked first (tied with others: a part)
winner    the lead of the model ranked first over the one ranked second, less their true difference
calls     about each of two models until a paired t test over groups tells them apart, the right way round, in 80 % of
          seeds; in parentheses how far apart they truly are; "wrong": told apart the wrong way round in 80 % of seeds
admitted  of eight laws, those to which `validate` admits this judge (in each style of the models, with small pictures
          if a model draws small, policy standard); for comparisons the families of the suite pairwise, of which all
          must pass; no certificate covers direct

r2i-score asks and counts yes/no checks as checklist does. soft: the same with a judge that tells how sure it is. The
answers come from tables of truths (`truth_tables`). Of each judge, dose and protocol one seed goes through the real
asking about drawn pictures (`really_asked`). Exits with 1 if a reply or a score is another one than from the tables.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from admissions import AdmittedShare, Drawn, certified
from planted_sets import ALL, OF_CHECKS, SETS, Models, name_in, styles_of
from protocol_rows import CALLS, GRID, Bench, RowDraws, RowSummary, summary
from really_asked import ask_and_compare, draw_all, few
from truth_tables import TableJudge, Tables

from counterbench.prompts.files import load_prompts

RUNS = 200
COMPARED = Drawn("pairwise")
# By what a certificate says, and by whether the ranking is wrong.
NOTES = {
    (True, True): "**admitted, wrong**",
    (True, False): "",
    (False, True): "",
    (False, False): "refused, right",
}


def rows_of(task: tuple[str, int, str]) -> tuple[list[RowDraws], list[str]]:
    """All rows of a set of models, and what the real asking had otherwise."""
    name, runs, folder = task
    model_set, prompts = SETS[name], load_prompts("laws")
    tables = Tables(model_set.models | {name_in(model_set, spec): spec for spec in model_set.two}, prompts)
    ranked = Tables(model_set.models, few(prompts))
    images = draw_all(model_set.models, few(prompts), Path(folder) / name)
    rows, other = list[RowDraws](), list[str]()
    every = [by for by in ALL if any(by in only for only in model_set.judges.values())]
    for spec, only in {"oracle": every, **model_set.judges}.items():
        bench = Bench(model_set, tables, TableJudge(spec))
        for by in only:
            draws = [bench.draw(by, seed) for seed in range(runs)]
            rows.append(RowDraws(name, spec, by, draws, bench.differ(by), bench.whole(by)))
            out = Path(folder) / name / f"{spec.replace('?', '-')}--{by}"
            other += ask_and_compare(ranked, images, spec, by, out)
    return rows, other


def tested(model_set: Models) -> list[Drawn]:
    """The pairs on which a judge of checks is tested before, in each style of a set's models."""
    small = any("small=true" in spec for spec in model_set.models.values())
    return [Drawn("laws", style, small) for style in styles_of(model_set)]


def tests(chosen: Sequence[str]) -> dict[Drawn, list[str]]:
    """The judges to be certified, by the pairs that they are tested on."""
    due: dict[Drawn, dict[str, None]] = {}
    for model_set in (SETS[name] for name in chosen):
        for spec, only in model_set.judges.items():
            for where in tested(model_set) if {*only} & {*OF_CHECKS} else ():
                due.setdefault(where, {})[spec] = None
            if "pairwise" in only:
                due.setdefault(COMPARED, {})[spec] = None
    return {where: list(specs) for where, specs in due.items()}


def admission(row: RowDraws, known: Mapping[Drawn, Mapping[str, AdmittedShare]]) -> tuple[str, bool]:
    """What certificates say of a row's judge, and whether they admit it to anything."""
    if row.protocol == "direct":
        return "none covers it", False
    if row.protocol == "pairwise":
        issued = known[COMPARED][row.judge]
        return issued.text, issued.admitted == issued.of
    found = {where.style: known[where][row.judge] for where in tested(SETS[row.models])}
    text = "; ".join(f"{issued.text}{f' {style}' if len(found) > 1 else ''}" for style, issued in found.items())
    return text, all(issued.admitted >= issued.of / 2 for issued in found.values())


def cell(numbers: tuple[float, float, float], digits: int = 2, percent: bool = False) -> str:
    """A number with its interval, in a table."""
    scaled = [100 * number if percent else number for number in numbers]
    texts = [f"> {GRID[-1]}" if number == math.inf else f"{number:.{digits}f}".replace("-", "−") for number in scaled]
    return f"{texts[0]} ({texts[1]} … {texts[2]})" if scaled[0] != math.inf or scaled[1] != math.inf else texts[0]


def columns(row: RowDraws, numbers: RowSummary) -> dict[str, str | int | float]:
    """A row's numbers by name, each with the ends of its interval; empty where more calls than the last would do."""
    named = {"models": row.models, "judge": row.judge, "protocol": row.protocol, "tau_all": f"{row.whole:.3f}"}
    for name in ("tau", "best", "winner", "calls"):
        digits = 0 if name == "calls" else 3
        for end, number in zip(("", "_low", "_high"), getattr(numbers, name), strict=True):
            named[f"{name}{end}"] = "" if number == math.inf else f"{number:.{digits}f}"
    return {**named, "two_apart": f"{row.differ:.3f}", "two_turned_round": int(numbers.wrong_way)}


def write_csv(path: Path, table: Sequence[Mapping[str, str | int | float]]) -> None:
    """The rows as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all if none is named")
    parser.add_argument("--runs", type=int, default=RUNS, help="seeds of each judge")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--csv", type=Path, help="a file for the table")
    options = parser.parse_args()
    chosen = options.sets or list(SETS)
    if unknown := set(chosen) - set(SETS):
        parser.error(f"unknown set {min(unknown)!r}; choose from: {', '.join(SETS)}")
    due = tests(chosen)
    with ProcessPoolExecutor(options.workers) as pool, tempfile.TemporaryDirectory() as folder:
        issued = [pool.submit(certified, (where, specs)) for where, specs in due.items()]
        made = list(pool.map(rows_of, [(name, options.runs, folder) for name in chosen]))
        known = dict(zip(due, (future.result() for future in issued), strict=True))
    rows = [row for of_set, _ in made for row in of_set]
    oracles = {(row.models, row.protocol): row for row in rows if row.judge == "oracle"}
    print(f"{CALLS} calls about each model of a ranking; {options.runs} seeds a row\n")
    heads = ("models", "judge", "protocol", "τ", "all", "best, %", "winner", "calls", "admitted", "")
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    table, surprises = list[dict[str, str | int | float]](), list[str]()
    for row in rows:
        result = summary(row, oracles[row.models, row.protocol])
        text, admitted = ("", True) if row.judge == "oracle" else admission(row, known)
        calls = f"{'wrong' if result.wrong_way else cell(result.calls, 0)} ({row.differ:.3f})"
        note = "" if row.judge == "oracle" else NOTES[admitted, result.wrong]
        cells = (row.models, row.judge, row.protocol, cell(result.tau), f"{row.whole:.2f}", cell(result.best, 0, True))
        print(f"| {' | '.join((*cells, cell(result.winner), calls, text, note))} |")
        surprises += [f"{row.models}, {row.judge}, {row.protocol}"] if note.startswith("**") else []
        table.append(columns(row, result) | {"admitted": text, "admits": int(admitted), "wrong": int(result.wrong)})
    if options.csv:
        write_csv(options.csv, table)
    print(f"\nAdmitted although the ranking is wrong: {len(surprises)} rows", *surprises, sep="\n- ")
    other = [text for _, of_set in made for text in of_set]
    print(f"\nAsked for real: {len(rows)} runs, {len(other)} replies or scores other than from the tables")
    print(*other[:10], sep="\n")
    sys.exit(1 if other else 0)


if __name__ == "__main__":
    main()
