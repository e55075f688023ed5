"""Which way of scoring ranks models rightly? Planted models, planted judges, six protocols, at equal numbers of calls.

    python benchmarks/protocols.py                      about ten minutes on two cores
    python benchmarks/protocols.py --runs 20 vandal     some of its sets of models, fewer seeds
    python benchmarks/protocols.py --json FILE          also writes all numbers into a file, for the plot in the docs

The models are asked about prompts of the set `laws`, in a random order of groups, until each has had its share of calls.
Each protocol is held against its own numbers by an oracle on the whole set, so that what it measures is no error, and
all that is counted here comes from the judge and from the choice of prompts. Prints Markdown, by judge, dose and
protocol, with 95 % intervals:

tau         Kendall's τ-b of the ranking to that order, the mean over seeds
best        the share of seeds in which the truly best model is ranked first (tied with others: a part)
margin      the lead of the best over the second, less the true one
calls       calls about each of two models that differ by little, until a paired t test over groups tells them apart, the
            right way round, in 80 % of the seeds
admitted    of the laws, those that `validate` admits this judge to (suite laws, policy standard); for comparisons the
            suite pairwise; no certificate covers `direct`

`r2i-score` asks and counts yes/no checks as `checklist` does. `soft` is a judge that tells its probabilities. Answers
come from tables of truths (`truth_tables`). Of each judge, dose and protocol one seed goes through the real asking,
about drawn pictures. Exits with 1 if a reply or a score of it is another one than from the tables.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from truth_tables import Numbers, SureJudge, TableJudge, Tables

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
    """Planted models, two of them that differ by little, and the judges about them with the protocols that count."""

    models: dict[str, str]
    two: tuple[str, str]  # the better one first
    judges: dict[str, tuple[str, ...]]


def doses(fault: str, *at: float, only: tuple[str, ...] = ALL) -> dict[str, tuple[str, ...]]:
    return {f"{fault}?p={p}": only for p in at}


CLOSE = {f"noisy{round(100 * p)}": noisy(p, p, p) for p in (0.9, 0.8, 0.7, 0.6)}
SETS = {
    "close": Models(
        {"reasoner": "reasoner", **CLOSE},
        ("noisy90", "noisy80"),
        doses("noisy", 0.1, 0.3) | doses("yes-bias", 0.2, 0.5) | doses("first-bias", 0.3, 0.8, only=("pairwise",)),
    ),
    "far": Models(
        {"reasoner": "reasoner", "noisy60": noisy(0.6, 0.6, 0.6), "literal": "literal", "starter": "starter"}
        | {"prior": "prior"},
        ("noisy60", "literal"),
        doses("noisy", 0.3)
        | doses("yes-bias", 0.5)
        | doses("lazy", 0.3, 0.8, only=("pairwise",))
        | doses("prompt-led", 0.5, only=("direct",)),
    ),
    "vandal": Models(
        {"noisy60": noisy(0.6, 0.6, 0.6), "literal": "literal", "late": noisy(0.9, 0, 0), "starter": "starter"}
        | {"vandal": "vandal"},
        ("starter", "vandal"),
        doses("text-led", 0.2, 0.5, 0.8),
    ),
    "literal": Models(
        {"careless": noisy(0.6, 0.9, 0.9), "noisy140": noisy(1, 0.8, 0.4), "noisy60": noisy(0.6, 0.6, 0.6)}
        | {"literal": "literal", "prior": "prior"},
        ("noisy60", "literal"),
        doses("prior-bound", 0.2, 0.5, 0.8),
    ),
    "swapper": Models(
        {"noisy80": noisy(0.8, 0.8, 0.8), "noisy60": noisy(0.6, 0.6, 0.6), "noisy40": noisy(0.4, 0.4, 0.4)}
        | {"swapper": "swapper?p=1", "prior": "prior"},
        ("noisy40", "swapper"),
        doses("bag-of-words", 0.2, 0.5, 0.8),
    ),
    "forgetful": Models(
        {"noisy80": noisy(0.8, 0.8, 0.8), "noisy60": noisy(0.6, 0.6, 0.6), "noisy40": noisy(0.4, 0.4, 0.4)}
        | {"forgetful": "forgetful?p=0.7", "prior": "prior"},
        ("noisy40", "forgetful"),
        doses("agreeable", 0.2, 0.5, 0.8),
    ),
    "styled": Models(
        {"reasoner": "reasoner?style=textured", **CLOSE},
        ("reasoner", "noisy90"),
        doses("style-blind", 0.2, 0.5, 0.8),
    ),
    "all styled": Models(
        {name: f"{spec}{'&' if '?' in spec else '?'}style=textured" for name, spec in
         {"reasoner": "reasoner", **CLOSE}.items()},
        ("reasoner", "noisy90"),
        doses("style-blind", 0.5),
    ),
    "small": Models(
        {"reasoner": "reasoner?small=true", **CLOSE},
        ("reasoner", "noisy90"),
        doses("small-blind", 0.2, 0.5, 0.8),
    ),
    "fine": Models(
        {"reasoner": "reasoner", "noisy90": CLOSE["noisy90"], "noisy80": CLOSE["noisy80"]}
        | {"noisy60": CLOSE["noisy60"], "literal": "literal?style=photograph"},
        ("noisy60", "literal"),
        doses("prettier-wins", 0.2, 0.5, 0.8, only=("pairwise",)),
    ),
}  # fmt: skip


class Draw(NamedTuple):
    """What one seed came to under one protocol: τ, the part of the first rank, the margin, and who was told apart."""

    tau: float
    best: float
    margin: float
    told: tuple[int, ...]  # by GRID: 1 the right way round, −1 the wrong way, 0 neither


class Row(NamedTuple):
    """One judge under one protocol on one set of models."""

    models: str
    judge: str
    protocol: str
    draws: list[Draw]
    differ: float  # the two models, truly


def numbers_of(of: Numbers, by: str, models: Sequence[str], group: str) -> list[float | None]:
    """Each model's number from a group of prompts."""
    if by == "pairwise":
        return [of.pairwise(model, group, models) for model in models]
    function: Callable[[str, str], float | None] = getattr(of, by.replace("-", "_"))
    return [function(model, group) for model in models]


def cost(tables: Tables, by: str, models: int, group: str, seen: set[str]) -> float:
    """The calls about each model for a group of prompts; pictures of the same words are asked about once."""
    if by == "pairwise":
        return 3 * (models - 1)
    table, calls = tables.ratings if by == "direct" else tables.checks, 0
    for level in ("l1", "l2", "l3"):
        items = table[tables.models[0], f"{group}/{level}/0"].items
        if items[0].key.id not in seen:
            seen.add(items[0].key.id)
            calls += len(items)
    return calls


def tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's τ-b; 0 if one side has ties only."""
    signs = [(np.sign(round(a - b, 9)), np.sign(round(c - d, 9)))
             for (a, c), (b, d) in combinations(zip(one, other, strict=True), 2)]  # fmt: skip
    most = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    return float(sum(a * b for a, b in signs) / most) if most else 0.0


def told_apart(differences: Sequence[float]) -> int:
    """1 or −1 if a paired t test shows the first model, or the second, to be better; else 0."""
    if len(differences) < 3:
        return 0
    mean, spread = float(np.mean(differences)), float(np.std(differences, ddof=1))
    if not spread:
        return int(np.sign(mean))
    from scipy.stats import t

    least = float(t.ppf(0.975, len(differences) - 1))
    return int(np.sign(mean)) if abs(mean) / spread * math.sqrt(len(differences)) >= least else 0


class Bench:
    """The seeds of one judge on one set of models."""

    def __init__(self, of: Models, tables: Tables, truth: Numbers, judge: TableJudge) -> None:
        self.of, self.tables, self.judged = of, tables, Numbers(tables, judge)
        self.names = list(of.models)
        self._truth = truth

    def true(self, by: str, models: Sequence[str]) -> list[float]:
        """Each model's number by an oracle on the whole set of prompts."""
        whole = [numbers_of(self._truth, by, models, group) for group in self.tables.groups]
        return [mean(column) for column in zip(*whole, strict=True)]

    def draw(self, by: str, seed: int, true: Sequence[float]) -> Draw:
        """One seed of the judge and of the order of prompts."""
        order = [self.tables.groups[i] for i in np.random.default_rng([seed, 34]).permutation(len(self.tables.groups))]
        self.judged.start(seed)
        found = [numbers_of(self.judged, by, self.names, group) for group in self._within(by, len(self.names), order)]
        means = [mean(column) for column in zip(*found, strict=True)]
        top = [name for name, value in zip(self.names, means, strict=True) if value >= max(means) - 1e-9]
        first, second = np.argsort(true)[::-1][:2]
        best = (self.names[first] in top) / len(top)
        margin = means[first] - means[second] - (true[first] - true[second])
        return Draw(tau_b(means, true), best, margin, self._told(by, order))

    def _told(self, by: str, order: Sequence[str]) -> tuple[int, ...]:
        told, differences, spent, seen = [], list[float](), 0.0, set[str]()
        for group in order:
            one, other = numbers_of(self.judged, by, self.of.two, group)
            spent += cost(self.tables, by, 2, group, seen)
            while len(told) < len(GRID) and spent > GRID[len(told)]:
                told.append(told_apart(differences))
            if len(told) == len(GRID):
                break
            differences += [] if one is None or other is None else [one - other]
        return (*told, *[told_apart(differences)] * (len(GRID) - len(told)))

    def _within(self, by: str, models: int, order: Sequence[str]) -> list[str]:
        chosen, spent, seen = [], 0.0, set[str]()
        for group in order:
            spent += cost(self.tables, by, models, group, seen)
            if spent > CALLS:
                break
            chosen.append(group)
        return chosen


def mean(values: Sequence[float | None]) -> float:
    """The mean of the values that are there."""
    return float(np.mean([value for value in values if value is not None]))


def measured(task: tuple[str, int, str]) -> tuple[list[Row], list[str]]:
    """All rows of a set of models, and what the real asking had otherwise."""
    name, runs, folder = task
    of, prompts = SETS[name], load_prompts("laws")
    tables = Tables(of.models, prompts)
    truth = Numbers(tables, TableJudge("oracle"))
    rows = []
    every = tuple(by for by in ALL if any(by in only for only in of.judges.values()))
    for spec, only in {"oracle": every, **of.judges}.items():
        bench = Bench(of, tables, truth, TableJudge(spec))
        for by in only:
            true, two = bench.true(by, bench.names), bench.true(by, of.two)
            draws = [bench.draw(by, seed, true) for seed in range(runs)]
            rows.append(Row(name, spec, by, draws, two[0] - two[1]))
    return rows, []
