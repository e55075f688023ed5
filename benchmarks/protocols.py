"""Which way of scoring ranks models rightly? Planted models, planted judges, protocols, at equal numbers of calls.

    python benchmarks/protocols.py                                   about ten minutes on two cores
    python benchmarks/protocols.py --runs 20 vandal "one styled"     some of its sets of models, fewer seeds
    python benchmarks/protocols.py --json FILE                       writes all numbers into a file too, for the plot

The models draw the prompts of `laws`. Groups of prompts come in a random order until each model has had its calls. The
true order of a protocol is its own, by an oracle on all prompts (by checklist, the mean share of right checks), so that
what a protocol measures is no error of it; all that is counted comes from the judge and from the choice of prompts.
cf-eval ranks by the mean of S_L1, S_L2 and S_L3, gated; pairwise by points, which give the order of Davidson's ratings
where all pairs of models are compared equally often. Prints Markdown, with 95 % intervals over seeds:

tau       Kendall's τ-b of the ranking to the true order, the mean over seeds
best      the share of seeds in which the best model is ranked first (tied with others: a part)
winner    the lead of the model ranked first over the one ranked second, less their true difference
calls     about each of two models until a paired t test over groups tells them apart, the right way round, in 80 % of
          seeds; in parentheses how far apart they truly are; "wrong": told apart the wrong way round in 80 % of seeds
admitted  of eight laws, those to which `validate` admits this judge (in each style of the models, policy standard); for
          comparisons the families of the suite pairwise, of which all must pass; no certificate covers direct

r2i-score asks and counts yes/no checks as checklist does. soft: the same with a judge that tells how sure it is. The
answers come from tables of truths (`truth_tables`). Of each judge, dose and protocol one seed goes through the real
asking about drawn pictures (`really_asked`). Exits with 1 if a reply or a score is another one than from the tables.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from admissions import Certified, certified
from really_asked import differences, drawn, few
from truth_tables import LEVELS, Numbers, TableJudge, Tables

from counterbench.stats.intervals import wilson
from counterbench.t2i.prompts.files import load_prompts

CALLS = 300  # about each model
GRID = (50, 100, 200, 400, 700)  # calls about each of two models
POWER, LEVEL = 0.8, 1.96
RUNS = 200
OF_CHECKS = ("checklist", "soft", "cf-eval")
ALL = (*OF_CHECKS, "direct", "pairwise")
WORSE = 0.1  # a τ that is lower than an oracle's by so much, and by more than chance, is a wrong ranking


def noisy(l1: float, l2: float, l3: float) -> str:
    return f"noisy?l1={l1}&l2={l2}&l3={l3}"


class Models(NamedTuple):
    """Planted models, and the judges about them with the protocols that count; two models that differ by little."""

    models: dict[str, str]
    judges: dict[str, tuple[str, ...]]
    two: tuple[str, str]  # the better one first


def doses(fault: str, *at: float, only: tuple[str, ...] = ALL) -> dict[str, tuple[str, ...]]:
    return {f"{fault}?p={p}": only for p in at}


def in_style(models: Mapping[str, str]) -> dict[str, str]:
    return {name: f"{spec}{'&' if '?' in spec else '?'}style=textured" for name, spec in models.items()}


EVEN = {p: noisy(p, p, p) for p in (0.9, 0.8, 0.7, 0.6, 0.4)}
CLOSE = {f"noisy{100 * p:.0f}": EVEN[p] for p in (0.9, 0.8, 0.7, 0.6)}
WORSE_ONES = {"noisy80": EVEN[0.8], "noisy60": EVEN[0.6], "noisy40": EVEN[0.4]}
LATE = noisy(0.9, 0.45, 0.45)  # a little better than the literal model, and not by a lucky L1
SETS = {
    "close": Models(
        {"reasoner": "reasoner", **CLOSE},
        doses("noisy", 0.1, 0.3) | doses("yes-bias", 0.2, 0.5) | doses("first-bias", 0.3, 0.8, only=("pairwise",)),
        (EVEN[0.9], EVEN[0.8]),
    ),
    "far": Models(
        {"reasoner": "reasoner", "noisy60": EVEN[0.6], "late": LATE, "starter": "starter", "prior": "prior"},
        doses("noisy", 0.3)
        | doses("yes-bias", 0.5)
        | doses("lazy", 0.3, 0.8, only=("pairwise",))
        | doses("prompt-led", 0.5, only=("direct",)),
        (EVEN[0.9], EVEN[0.8]),
    ),
    "vandal": Models(
        {"noisy60": EVEN[0.6], "literal": "literal", "late": noisy(0.9, 0, 0), "starter": "starter"}
        | {"vandal": "vandal"},
        doses("text-led", 0.2, 0.5, 0.8),
        ("starter", "vandal"),
    ),
    "literal": Models(
        {"careless": noisy(0.6, 0.9, 0.9), "noisy80": EVEN[0.8], "noisy60": EVEN[0.6], "literal": "literal"}
        | {"prior": "prior"},
        doses("prior-bound", 0.2, 0.5, 0.8),
        (LATE, "literal"),
    ),
    "swapper": Models(
        {**WORSE_ONES, "swapper": "swapper?p=0.85", "prior": "prior"},
        doses("bag-of-words", 0.2, 0.5, 0.8),
        (EVEN[0.4], "swapper?p=0.85"),
    ),
    "forgetful": Models(
        {**WORSE_ONES, "forgetful": "forgetful?p=0.55", "prior": "prior"},
        doses("agreeable", 0.2, 0.5, 0.8),
        (EVEN[0.4], "forgetful?p=0.55"),
    ),
    "one styled": Models(
        {"reasoner": "reasoner?style=textured", **CLOSE},
        doses("style-blind", 0.2, 0.5, 0.8),
        ("reasoner?style=textured", EVEN[0.9]),
    ),
    "all styled": Models(
        in_style({"reasoner": "reasoner", **CLOSE}),
        doses("style-blind", 0.5),
        ("reasoner?style=textured", f"{EVEN[0.9]}&style=textured"),
    ),
    "one small": Models(
        {"reasoner": "reasoner?small=true", **CLOSE},
        doses("small-blind", 0.2, 0.5, 0.8),
        ("reasoner?small=true", EVEN[0.9]),
    ),
    "one fine": Models(
        {"reasoner": "reasoner", "noisy80": EVEN[0.8], "noisy60": EVEN[0.6]}
        | {"literal": "literal?style=photograph", "prior": "prior"},
        doses("prettier-wins", 0.2, 0.5, 0.8, only=("pairwise",)),
        (LATE, "literal?style=photograph"),
    ),
}


class Draw(NamedTuple):
    """What one seed came to under one protocol."""

    tau: float
    best: float
    winner: float
    told: tuple[int, ...]  # by GRID: 1 if told apart the right way round, −1 the wrong way, 0 not


class Row(NamedTuple):
    """One judge under one protocol on one set of models."""

    models: str
    judge: str
    protocol: str
    draws: list[Draw]
    differ: float  # the two models, truly


class Bench:
    """The seeds of one judge on one set of models; the two models may be others than those of the ranking."""

    def __init__(self, of: Models, tables: Tables, judge: TableJudge) -> None:
        self.names, self.tables = tuple(of.models), tables
        self.two = tuple(name_in(of, spec) for spec in of.two)
        self._judged, self._oracle = Numbers(tables, judge), Numbers(tables, TableJudge("oracle"))

    @cache  # noqa: B019  (a bench lives as long as its rows are made)
    def true(self, by: str, models: tuple[str, ...]) -> list[float]:
        """Each model's number by an oracle on all prompts."""
        every = [numbers_of(self._oracle, by, models, group) for group in self.tables.groups]
        return [mean(column) for column in zip(*every, strict=True)]

    def draw(self, by: str, seed: int) -> Draw:
        """One seed of the judge and of the order of prompts."""
        order = [self.tables.groups[i] for i in np.random.default_rng([34, seed]).permutation(len(self.tables.groups))]
        self._judged.start(seed)
        true, found = self.true(by, self.names), []
        for group, spent in self._spent(by, self.names, order):
            if spent > CALLS:
                break
            found.append(numbers_of(self._judged, by, self.names, group))
        means = [mean(column) for column in zip(*found, strict=True)]
        top = [i for i, value in enumerate(means) if value >= max(means) - 1e-9]
        first, second = np.argsort(means, kind="stable")[::-1][:2]
        return Draw(
            tau_b(means, true),
            (int(np.argmax(true)) in top) / len(top),
            means[first] - means[second] - (true[first] - true[second]),
            tuple(self._told(by, order)),
        )

    def differ(self, by: str) -> float:
        """How far the two models are truly apart."""
        one, other = self.true(by, self.two)
        return one - other

    def _told(self, by: str, order: Sequence[str]) -> Iterator[int]:
        sign, grid = int(np.sign(self.differ(by))), list(GRID)
        found: list[float] = []
        for group, spent in self._spent(by, self.two, order):
            while grid and spent > grid[0]:
                del grid[0]
                yield sign * told_apart(found)
            if not grid:
                return
            one, other = numbers_of(self._judged, by, self.two, group)
            found += [] if one is None or other is None else [one - other]
        for _ in grid:
            yield sign * told_apart(found)

    def _spent(self, by: str, models: Sequence[str], order: Sequence[str]) -> Iterator[tuple[str, float]]:
        """The groups in order, each with the calls about each model so far; pictures of the same words are one."""
        spent, seen = 0.0, set[str]()
        table = self.tables.ratings if by == "direct" else self.tables.checks
        for group in order:
            if by == "pairwise":
                spent += len(LEVELS) * (len(models) - 1)
            for level in LEVELS if by != "pairwise" else ():
                items = table[models[0], f"{group}/{level}/0"].items
                spent += 0 if items[0].key.id in seen else len(items)
                seen.add(items[0].key.id)
            yield group, spent


def name_in(of: Models, spec: str) -> str:
    """The name of a model of a set, or one of its two that are in no ranking."""
    return next((name for name, own in of.models.items() if own == spec), f"two{of.two.index(spec)}")


def numbers_of(of: Numbers, by: str, models: Sequence[str], group: str) -> list[float | None]:
    """Each model's number from a group of prompts."""
    if by == "pairwise":
        return [of.pairwise(model, group, models) for model in models]
    return [getattr(of, by.replace("-", "_"))(model, group) for model in models]


def mean(values: Sequence[float | None]) -> float:
    """The mean of the values that are there."""
    return float(np.mean([value for value in values if value is not None]))


def tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's τ-b; 0 if one side has ties only."""
    pairs = combinations(range(len(one)), 2)
    signs = [(np.sign(round(one[i] - one[j], 9)), np.sign(round(other[i] - other[j], 9))) for i, j in pairs]
    most = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    return float(sum(a * b for a, b in signs) / most) if most else 0.0


@cache
def _student(freedom: int) -> float:
    from scipy.stats import t

    return float(t.ppf(0.975, freedom))


def told_apart(found: Sequence[float]) -> int:
    """1 or −1 if a paired t test (5 %) shows the first model, or the second, to be better; else 0."""
    if len(found) < 3:
        return 0
    middle, spread = float(np.mean(found)), float(np.std(found, ddof=1))
    shown = abs(middle) * math.sqrt(len(found)) >= _student(len(found) - 1) * spread
    return int(np.sign(round(middle, 9))) if shown else 0


def rows_of(task: tuple[str, int, str]) -> tuple[list[Row], list[str]]:
    """All rows of a set of models, and what the real asking had otherwise."""
    name, runs, folder = task
    of, prompts = SETS[name], load_prompts("laws")
    tables = Tables(of.models | {name_in(of, spec): spec for spec in of.two}, prompts)
    ranked = Tables(of.models, few(prompts))
    images = drawn(of.models, few(prompts), Path(folder) / name)
    rows, other = list[Row](), list[str]()
    every = [by for by in ALL if any(by in only for only in of.judges.values())]
    for spec, only in {"oracle": every, **of.judges}.items():
        bench = Bench(of, tables, TableJudge(spec))
        for by in only:
            draws = [bench.draw(by, seed) for seed in range(runs)]
            rows.append(Row(name, spec, by, draws, bench.differ(by)))
            out = Path(folder) / name / f"{spec.replace('?', '-')}--{by}"
            other += differences(ranked, images, spec, by, out)
    return rows, other


class Line(NamedTuple):
    """A row's numbers, each with its interval."""

    tau: tuple[float, float, float]
    best: tuple[float, float, float]
    winner: tuple[float, float, float]
    calls: tuple[float, float, float]  # infinite: more than the last of GRID
    wrong_way: bool
    loss: tuple[float, float, float]  # of tau, to an oracle's on the same models and prompts

    @property
    def wrong(self) -> bool:
        """True if the ranking is worse than an oracle's by WORSE, and by more than chance."""
        return self.loss[0] >= WORSE and self.loss[1] > 0


def line(row: Row, oracle: Row) -> Line:
    """The numbers of a row; `oracle`: the row of an oracle."""
    tau, best, winner = (around([getattr(draw, name) for draw in row.draws]) for name in ("tau", "best", "winner"))
    low, high = wilson(round(sum(draw.best for draw in row.draws)), len(row.draws)) or (0.0, 1.0)
    told = np.array([draw.told for draw in row.draws])
    rng = np.random.default_rng(0)
    again = sorted(until(told[rng.integers(0, len(told), len(told))] > 0) for _ in range(400))
    loss = around([b.tau - a.tau for a, b in zip(row.draws, oracle.draws, strict=True)])
    return Line(
        tau,
        (best[0], low, high),
        winner,
        (until(told > 0), again[10], again[389]),
        bool(until(told < 0) < math.inf),
        loss,
    )


def around(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean with a 95 % interval."""
    middle, error = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return middle, max(-1.0, middle - LEVEL * error), min(1.0, middle + LEVEL * error)


def until(told: np.ndarray) -> float:
    """The calls at which a share POWER is told apart, between the numbers of GRID by the logarithm of calls."""
    shares = told.mean(0)
    reached = next((i for i, share in enumerate(shares) if share >= POWER), None)
    if reached is None:
        return math.inf
    if not reached:
        return float(GRID[0])
    part = (POWER - shares[reached - 1]) / (shares[reached] - shares[reached - 1])
    return float(GRID[reached - 1] * (GRID[reached] / GRID[reached - 1]) ** part)


def styles_of(of: Models) -> list[str]:
    """The styles in which a set's models draw, and in which a judge is tested before."""
    named = [spec.partition("style=")[2].partition("&")[0] or "flat" for spec in of.models.values()]
    return sorted(set(named), key=lambda style: (style != "flat", style))


def tests(chosen: Sequence[str]) -> dict[tuple[str, str], list[str]]:
    """The judges to be certified, by suite and style."""
    due: dict[tuple[str, str], dict[str, None]] = {}
    for of in (SETS[name] for name in chosen):
        for spec, only in of.judges.items():
            for where in [("laws", style) for style in styles_of(of) if {*only} & {*OF_CHECKS}]:
                due.setdefault(where, {})[spec] = None
            if "pairwise" in only:
                due.setdefault(("pairwise", "flat"), {})[spec] = None
    return {where: list(specs) for where, specs in due.items()}


def admission(row: Row, known: Mapping[tuple[str, str], Mapping[str, Certified]]) -> tuple[str, bool]:
    """What certificates say of a row's judge, and whether they admit it to anything."""
    if row.protocol == "direct":
        return "none covers it", False
    if row.protocol == "pairwise":
        of = known["pairwise", "flat"][row.judge]
        return of.text, of.admitted == of.of
    found = {style: known["laws", style][row.judge] for style in styles_of(SETS[row.models])}
    text = "; ".join(f"{of.text}{f' {style}' if len(found) > 1 else ''}" for style, of in found.items())
    return text, all(of.admitted >= of.of / 2 for of in found.values())


def shown(numbers: tuple[float, float, float], digits: int = 2, percent: bool = False) -> str:
    """A number with its interval, in a table."""
    scaled = [100 * number if percent else number for number in numbers]
    texts = [f"> {GRID[-1]}" if number == math.inf else f"{number:.{digits}f}".replace("-", "−") for number in scaled]
    return f"{texts[0]} ({texts[1]} … {texts[2]})" if scaled[0] != math.inf or scaled[1] != math.inf else texts[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all if none is named")
    parser.add_argument("--runs", type=int, default=RUNS, help="seeds of each judge")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path, help="a file for all numbers")
    options = parser.parse_args()
    chosen = options.sets or list(SETS)
    if unknown := set(chosen) - set(SETS):
        parser.error(f"unknown set {min(unknown)!r}; choose from: {', '.join(SETS)}")
    due = tests(chosen)
    with ProcessPoolExecutor(options.workers) as pool, tempfile.TemporaryDirectory() as folder:
        issued = [pool.submit(certified, (*where, specs)) for where, specs in due.items()]
        made = list(pool.map(rows_of, [(name, options.runs, folder) for name in chosen]))
        known = dict(zip(due, (of.result() for of in issued), strict=True))
    rows = [row for of_set, _ in made for row in of_set]
    oracles = {(row.models, row.protocol): row for row in rows if row.judge == "oracle"}
    print(f"{CALLS} calls about each model of a ranking; {options.runs} seeds a row\n")
    print("| models | judge | protocol | τ | best first, % | winner's lead | calls until told apart | admitted | |")
    print("|---" * 9 + "|")
    table, surprises = [], []
    for row in rows:
        of = line(row, oracles[row.models, row.protocol])
        said, admitted = ("", True) if row.judge == "oracle" else admission(row, known)
        calls = f"{'wrong' if of.wrong_way else shown(of.calls, 0)} ({row.differ:.3f})"
        note = (
            "" if row.judge == "oracle" or of.wrong != admitted else "**admitted and wrong**" if of.wrong else "right"
        )
        note = note if row.protocol != "direct" or of.wrong else "right"
        print(
            f"| {row.models} | {row.judge} | {row.protocol} | {shown(of.tau)} | {shown(of.best, 0, True)} "
            f"| {shown(of.winner)} | {calls} | {said} | {note} |"
        )
        surprises += [f"{row.models}, {row.judge}, {row.protocol}"] if note.startswith("**") else []
        table.append({**row._asdict(), **of._asdict(), "draws": len(row.draws), "wrong": of.wrong, "admitted": said,
                      "admits": admitted})  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps(table, indent=1).replace("Infinity", "null") + "\n")
    print(f"\nAdmitted although the ranking is wrong: {len(surprises)} rows", *surprises, sep="\n- ")
    other = [text for _, of_set in made for text in of_set]
    print(f"\nAsked for real: {len(rows)} runs, {len(other)} replies or scores other than from the tables")
    print(*other[:10], sep="\n")
    sys.exit(1 if other else 0)


if __name__ == "__main__":
    main()
