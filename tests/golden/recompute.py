"""The papers' tables, computed again from their own cells: the numbers that their cells do not give.

    python tests/golden/recompute.py    # each such number, and the table of docs/findings.md

Tables: CounterBench 1, 2; CF-World 3, 4 (Table 2: `test_cf_world_table2.py`); T2I-CoReBench 3 to 8 (9 prints no number
that others give); PicWorld 1; R2I-Bench 2, 3 (means of its Table 18) and 13 to 17. Their figures are in
`published_tables.toml`.

A printed number stands for all that round to it, and so does each of its cells. A number is given by its cells if any
natural way of taking them may round to it; else it is a finding, with the way that comes nearest.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

FIGURES = tomllib.loads((Path(__file__).parent / "published_tables.toml").read_text(encoding="utf-8"))
PICTURES = 150  # CF-World's accuracies are of so many pictures, with one label each
PAIRS, SPATIAL_FAILED = (100, 100, 100, 100, 100, 50), (95, 100, 100, 100, 100, 50)  # five of Qwen's calls failed


class Rounded(NamedTuple):
    """A number that is known up to `half`, as a printed one is for its rounding."""

    value: Fraction
    half: Fraction
    decimals: int

    def __str__(self) -> str:
        return f"{float(self.value):.{self.decimals}f}"


Row = dict[str, Rounded]
Ways = dict[str, Rounded]


@dataclass(frozen=True)
class Recomputed:
    """A printed number beside the nearest that its cells give; `beyond` is how far they are apart after rounding."""

    table: str
    row: str
    column: str
    printed: Rounded
    found: Rounded
    way: str

    @property
    def beyond(self) -> Fraction:
        return max(Fraction(0), excess(self.printed, self.found))

    @property
    def recomputed(self) -> str:
        """The nearest number, or its range where the weights are not known, and how it comes from the cells."""
        value, half, decimals = self.found.value, self.found.half, self.printed.decimals
        ends = (value - half, value + half) if self.way == ANY else (value,)
        return f"{'–'.join(f'{float(end):.{decimals}f}' for end in ends)} ({self.way})"


ANY = "weights fitting the rest"


def excess(printed: Rounded, found: Rounded) -> Fraction:
    return abs(printed.value - found.value) - printed.half - found.half


def parse_number(text: str) -> Rounded:
    decimals = len(text.partition(".")[2])
    return Rounded(Fraction(text), Fraction(1, 2 * 10**decimals), decimals)


def read_table(name: str) -> dict[str, Row]:
    """A table's rows by name; the last numbers of a line are its columns."""
    columns = FIGURES[name]["columns"].split()
    rows = {}
    for line in FIGURES[name]["rows"].strip().splitlines():
        words = line.split()
        cells = words[-len(columns) :]
        rows[" ".join(words[: -len(columns)])] = dict(zip(columns, map(parse_number, cells), strict=True))
    return rows


def mean(cells: Sequence[Rounded], weights: Sequence[Fraction | int] | None = None) -> Rounded:
    weights = weights or [1] * len(cells)
    total = Fraction(sum(weights))
    value, half = (sum(w * cell[at] for w, cell in zip(weights, cells, strict=True)) / total for at in (0, 1))
    return Rounded(value, half, cells[0].decimals)


def change(after: Rounded, before: Rounded) -> Rounded:
    return Rounded(after.value - before.value, after.half + before.half, after.decimals)


def rounded(printed: Rounded, count: int) -> Rounded:
    """The whole number of so many that is nearest to a percentage, in per cent."""
    return Rounded(Fraction(round(printed.value * count / 100), count) * 100, Fraction(0), printed.decimals)


def check(name: str, row: str, column: str, printed: Rounded, ways: Ways) -> Recomputed:
    way = min(ways, key=lambda way: excess(printed, ways[way]))
    return Recomputed(name, row, column, printed, ways[way], way)


def counterbench() -> Iterator[Recomputed]:
    """Shares of whole pairs; Both and CCS are what Table 2 makes of all pairs. Failed calls leave the denominator."""
    tasks = read_table("CounterBench 2")
    for model, row in read_table("CounterBench 1").items():
        cells = [cell._replace(half=Fraction(0)) for cell in tasks[model].values()]  # of at most 100 pairs: exact
        known = {"550 pairs": PAIRS} | ({"545 pairs": SPATIAL_FAILED} if model.startswith("Qwen") else {})
        for column, printed in row.items():
            both = column in ("Both", "CCS")
            ways = {way: mean(cells, pairs) if both else rounded(printed, sum(pairs)) for way, pairs in known.items()}
            yield check("CounterBench 1", model, column, printed, ways)
        for (task, printed), pairs in zip(tasks[model].items(), PAIRS, strict=True):
            yield check("CounterBench 2", model, task, printed, {"pairs": rounded(printed, pairs)})


def cf_world() -> Iterator[Recomputed]:
    main = read_table("CF-World 2")
    for model, row in read_table("CF-World 3").items():
        yield check("CF-World 3", model, "L2", row["L2"], {"Table 2": main[model]["L2"]})
        yield check("CF-World 3", model, "Change", row["Change"], {"difference": change(row["De-norm"], row["L2"])})
    for threshold, row in read_table("CF-World 4").items():
        accuracy = {f"of {PICTURES} pictures": rounded(row["Accuracy"], PICTURES)}
        yield check("CF-World 4", threshold, "Accuracy", row["Accuracy"], accuracy)


COMPOSITION, REASONING = ("MI", "MA", "MR", "TR"), ("LR", "BR", "HR", "PR", "GR", "AR", "CR", "RR")
MEANS = {"Composition": COMPOSITION, "Reasoning": REASONING, "Overall": (*COMPOSITION, *REASONING)}


def corebench() -> Iterator[Recomputed]:
    def equal(name: str, model: str, row: Row, column: str, cells: Sequence[str]) -> Recomputed:
        return check(name, model, column, row[column], {"equal": mean([row[cell] for cell in cells])})

    for name in (f"T2I-CoReBench {n}" for n in (3, 6, 7, 8)):
        for model, row in read_table(name).items():
            for column, cells in MEANS.items():
                yield equal(name, model, row, column, cells)
    for judge, row in read_table("T2I-CoReBench 5").items():
        yield equal("T2I-CoReBench 5", judge, row, "Mean", COMPOSITION)
    before, changes = read_table("T2I-CoReBench 3"), read_table("T2I-CoReBench 4, changes")
    for model, row in read_table("T2I-CoReBench 4").items():
        yield equal("T2I-CoReBench 4", model, row, "Reasoning", REASONING)
        for column, after in row.items():
            ways = {"difference": change(after, before[model][column])}
            yield check("T2I-CoReBench 4, changes", model, column, changes[model][column], ways)


PROMPTS = {"paper": "paper's prompts", "release": "release's prompts"}


class PaperPart(NamedTuple):
    """A model's Overall in one of R2I-Bench's categories, with the subcategories that it is the mean of."""

    table: str
    model: str
    category: str
    overall: Rounded
    cells: list[Rounded]
    ways: Ways


def r2i_parts() -> list[PaperPart]:
    parts = []
    for category, known in FIGURES["prompts"].items():
        weights = {who: [Fraction(count) for count in known[key].split()] for key, who in PROMPTS.items()}
        for model, row in read_table(known["table"]).items():
            first = list(row).index(category) + 1
            cells = list(row.values())[first : first + len(known["paper"].split())]
            ways = {"equal": mean(cells)} | {who: mean(cells, shares) for who, shares in weights.items()}
            parts.append(PaperPart(known["table"], model, category, row[category], cells, ways))
    return parts


def over_categories(cells: dict[str, Rounded]) -> Ways:
    """Means of one number a category: equal, and by the prompts that it has in Table 4 or in the release."""
    paper: dict[str, int] = FIGURES["categories"]
    release = {category: sum(map(int, known["release"].split())) for category, known in FIGURES["prompts"].items()}
    numbers = [cells[category] for category in paper]
    ways = {"equal": mean(numbers)}
    for who, counts in zip(PROMPTS.values(), (paper, release), strict=True):
        ways[who] = mean(numbers, [counts[category] for category in paper])
    return ways


def r2i_bench() -> Iterator[Recomputed]:
    main, parts = read_table("R2I-Bench 2"), r2i_parts()
    for model, row in main.items():
        of_model = [part for part in parts if part.model == model]
        ways = over_categories(row)
        if of_model:
            ways["subcategories equal"] = mean([cell for part in of_model for cell in part.cells])
        yield check("R2I-Bench 2", model, "Overall", row["Overall"], ways)
        for part in of_model:
            yield check("R2I-Bench 2", model, part.category, row[part.category], {part.table: part.overall} | part.ways)
    [(pipeline, changes)] = read_table("R2I-Bench 2, changes").items()
    for column, printed in changes.items():
        ways = {"difference": change(main[pipeline][column], main["SD3-medium"][column])}
        yield check("R2I-Bench 2, changes", pipeline, column, printed, ways)
    metrics = read_table("R2I-Bench 18")
    for metric, row in read_table("R2I-Bench 3").items():
        for column, printed in row.items():
            cells = {category: metrics[f"{category} {metric}"][column] for category in FIGURES["categories"]}
            yield check("R2I-Bench 3", metric, column, printed, over_categories(cells))
    for part in parts:
        yield check(part.table, part.model, part.category, part.overall, part.ways)


def picworld() -> Iterator[Recomputed]:
    """PicWorld does not say how many prompts a category has: any weights are allowed that are the same for all models.

    No weights give all Scores; there is one pair of models without which some weights give the others.
    """
    rows = read_table("PicWorld 1")
    without = [{m: row for m, row in rows.items() if m not in out} for out in combinations(rows, 2)]
    [others] = [kept for kept in without if score_range(kept, next(iter(kept.values())))]
    for model, row in rows.items():
        low, high = map(Fraction, score_range(others, row) or ())
        known = Rounded((low + high) / 2, (high - low) / 2 + row["Score"].half, 2)
        yield check("PicWorld 1", model, "Score", row["Score"], {ANY: known})


def score_range(rows: dict[str, Row], row: Row) -> tuple[float, float] | None:
    """The lowest and highest Score of a row under weights that give some rows' Scores; None without such weights."""
    cells = np.array([[float(x.value) for x in row.values()] for row in rows.values()])
    printed, cells = cells[:, -1], cells[:, :-1]
    near = float(2 * row["Score"].half)  # the rounding of the cells, and that of the Score
    limits = np.concatenate([cells, -cells]), np.concatenate([printed + near, near - printed])
    target = np.array([float(x.value) for x in row.values()])[:-1]
    ends = []
    for sign in (1, -1):
        done = linprog(sign * target, *limits, np.ones((1, len(target))), [1])
        if not done.success:
            return None
        ends.append(sign * float(done.fun))
    return ends[0], ends[1]


def checks() -> list[Recomputed]:
    return [*counterbench(), *cf_world(), *corebench(), *picworld(), *r2i_bench()]


def summary(found: Sequence[Recomputed]) -> str:
    """The table of docs/findings.md: of each table how many numbers, and the one that is farthest off."""
    lines = ["| table | numbers; farthest | printed | recomputed |", "|---|---|---|---|"]
    for name in dict.fromkeys(cell.table for cell in found):
        cells = [cell for cell in found if cell.table == name]
        far = max(cells, key=lambda cell: cell.beyond)
        lines.append(f"| {name} | {len(cells)}; {far.row} {far.column} | {far.printed} | {far.recomputed} |")
    return "\n".join(lines)


if __name__ == "__main__":
    found = [cell for cell in checks() if cell.beyond]
    for cell in found:
        print(f"{cell.table}: {cell.row}, {cell.column}: printed {cell.printed}, recomputed {cell.recomputed}")
    print(f"\n{summary(found)}")
