"""The rows of the benchmark of protocols: seeds of one judge by one protocol, and the numbers that they come to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from planted_sets import Models, name_in
from truth_tables import LEVELS, TableJudge, TableNumbers, Tables

from counterbench.stats.intervals import wilson

CALLS = 300  # about each model of a ranking
GRID = (50, 100, 200, 400, 700)  # calls about each of two models
POWER, LEVEL = 0.8, 1.96
OF_ALL = 3  # seeds that ask about all prompts
WORSE = 0.1  # a τ that is lower than an oracle's by so much, and by more than chance, is a wrong ranking


class SeedDraw(NamedTuple):
    """What one seed came to under one protocol."""

    tau: float
    best: float
    winner: float
    told: tuple[int, ...]  # by GRID: 1 if told apart the right way round, −1 the wrong way, 0 not


class RowDraws(NamedTuple):
    """One judge under one protocol on one set of models."""

    models: str
    judge: str
    protocol: str
    draws: list[SeedDraw]
    differ: float  # the two models, truly
    whole: float  # τ where all prompts are asked about


class Bench:
    """The seeds of one judge on one set of models; the two models may be others than those of the ranking."""

    def __init__(self, model_set: Models, tables: Tables, judge: TableJudge) -> None:
        self.names, self.tables = tuple(model_set.models), tables
        self.two = tuple(name_in(model_set, spec) for spec in model_set.two)
        self._judged, self._oracle = TableNumbers(tables, judge), TableNumbers(tables, TableJudge("oracle"))

    @cache  # noqa: B019  (a bench lives as long as its rows are made)
    def true(self, by: str, models: tuple[str, ...]) -> list[float]:
        """Each model's number by an oracle on all prompts."""
        every = [numbers_of(self._oracle, by, models, group) for group in self.tables.groups]
        return [mean(column) for column in zip(*every, strict=True)]

    def draw(self, by: str, seed: int) -> SeedDraw:
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
        return SeedDraw(
            tau_b(means, true),
            (int(np.argmax(true)) in top) / len(top),
            means[first] - means[second] - (true[first] - true[second]),
            tuple(self._signs(by, order)),
        )

    def whole(self, by: str) -> float:
        """τ where all prompts are asked about, the mean over a few seeds: what more calls do not repair."""
        taus = []
        for seed in range(OF_ALL):
            self._judged.start(seed)
            every = [numbers_of(self._judged, by, self.names, group) for group in self.tables.groups]
            taus.append(tau_b([mean(column) for column in zip(*every, strict=True)], self.true(by, self.names)))
        return float(np.mean(taus))

    def differ(self, by: str) -> float:
        """How far the two models are truly apart."""
        first, second = self.true(by, self.two)
        return first - second

    def _signs(self, by: str, order: Sequence[str]) -> Iterator[int]:
        sign, grid = int(np.sign(self.differ(by))), list(GRID)
        found: list[float] = []
        for group, spent in self._spent(by, self.two, order):
            while grid and spent > grid[0]:
                del grid[0]
                yield sign * told_apart(found)
            if not grid:
                return
            first, second = numbers_of(self._judged, by, self.two, group)
            found += [] if first is None or second is None else [first - second]
        for _ in grid:
            yield sign * told_apart(found)

    def _spent(self, by: str, models: Sequence[str], order: Sequence[str]) -> Iterator[tuple[str, float]]:
        """The groups in order, each with the calls about each model so far; pictures of the same words are one."""
        spent, known_ids = 0.0, set[str]()
        table = self.tables.ratings if by == "direct" else self.tables.checks
        for group in order:
            if by == "pairwise":
                spent += len(LEVELS) * (len(models) - 1)
            for level in LEVELS if by != "pairwise" else ():
                items = table[models[0], f"{group}/{level}/0"].items
                spent += 0 if items[0].key.id in known_ids else len(items)
                known_ids.add(items[0].key.id)
            yield group, spent


def numbers_of(numbers: TableNumbers, by: str, models: Sequence[str], group: str) -> list[float | None]:
    """Each model's number from a group of prompts."""
    if by == "pairwise":
        return [numbers.pairwise(model, group, models) for model in models]
    return [getattr(numbers, by.replace("-", "_"))(model, group) for model in models]


def mean(values: Sequence[float | None]) -> float:
    """The mean of the values that are there."""
    return float(np.mean([value for value in values if value is not None]))


def tau_b(first: Sequence[float], second: Sequence[float]) -> float:
    """Kendall's τ-b; 0 if one side has ties only."""
    pairs = combinations(range(len(first)), 2)
    signs = [(np.sign(round(first[i] - first[j], 9)), np.sign(round(second[i] - second[j], 9))) for i, j in pairs]
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


class RowSummary(NamedTuple):
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


def summary(row: RowDraws, oracle: RowDraws) -> RowSummary:
    """The numbers of a row; `oracle`: the row of an oracle."""
    tau, best, winner = (around([getattr(draw, name) for draw in row.draws]) for name in ("tau", "best", "winner"))
    low, high = wilson(round(sum(draw.best for draw in row.draws)), len(row.draws)) or (0.0, 1.0)
    signs = np.array([draw.told for draw in row.draws])
    rng = np.random.default_rng(0)
    again = sorted(calls_until(signs[rng.integers(0, len(signs), len(signs))] > 0) for _ in range(400))
    loss = around([b.tau - a.tau for a, b in zip(row.draws, oracle.draws, strict=True)])
    return RowSummary(
        tau,
        (best[0], low, high),
        winner,
        (calls_until(signs > 0), again[10], again[389]),
        bool(calls_until(signs < 0) < math.inf),
        loss,
    )


def around(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean with a 95 % interval."""
    middle, error = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return middle, max(-1.0, middle - LEVEL * error), min(1.0, middle + LEVEL * error)


def calls_until(is_told: np.ndarray) -> float:
    """The calls at which a share POWER is told apart, between the numbers of GRID by the logarithm of calls."""
    shares = is_told.mean(0)
    reached = next((i for i, share in enumerate(shares) if share >= POWER), None)
    if reached is None:
        return math.inf
    if not reached:
        return float(GRID[0])
    part = (POWER - shares[reached - 1]) / (shares[reached] - shares[reached - 1])
    return float(GRID[reached - 1] * (GRID[reached] / GRID[reached - 1]) ** part)
