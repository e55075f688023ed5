"""How often our 95 % intervals hold the truth, by simulation: tables in Markdown (docs/statistics.md has their ranges).

    python benchmarks/coverage.py            all tables, a few minutes
    python benchmarks/coverage.py wilson     one kind alone (--help names them)

The same seed gives the same tables. Every table says how far a figure of it may be off by chance (two standard errors).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from counterbench.stats.clusters import PSEUDO, PSEUDO_PAIRED, Means
from counterbench.stats.intervals import wilson
from counterbench.stats.paired import paired_difference

SIZES = (10, 33, 50, 100, 240, 500)
SHARES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
SEED = 20240501

DIFFERENCES = ("difference", "no difference")  # kinds of two models

Held = tuple[bool, float]  # whether an interval holds the truth, and its width
Interval = Callable[[int, int], tuple[float, float] | None]
Simulate = Callable[[np.random.Generator, int, float], float | None]


def binomial(interval: Interval, draws: int) -> Simulate:
    """Coverage of an interval for one share."""
    cached = cache(interval)

    def simulate(source: np.random.Generator, n: int, share: float) -> float:
        return float(np.mean([holds(cached(int(hits), n), share) for hits in source.binomial(n, share, draws)]))

    return simulate


def too_high(interval: Interval, draws: int) -> Simulate:
    """How often the lower end alone lies above the truth: what lets a judge pass that should not."""
    cached = cache(interval)

    def simulate(source: np.random.Generator, n: int, share: float) -> float:
        ends = (cached(int(hits), n) for hits in source.binomial(n, share, draws))
        return float(np.mean([end is not None and end[0] > share + 1e-12 for end in ends]))

    return simulate


def paired(difference: float, draws: int) -> Simulate:
    """Coverage for two judges: the first right on `share`, half of whose errors the second makes too; the second is
    right on `difference` less.
    """

    @cache
    def interval(both: int, first: int, second: int, neither: int) -> tuple[float, float] | None:
        found = paired_difference(both, first, second, neither)
        return None if found is None or found.low is None or found.high is None else (found.low, found.high)

    def simulate(source: np.random.Generator, n: int, share: float) -> float:
        half = (1 - share) / 2
        rates = [share - half - difference, half + difference, half, half]
        return float(
            np.mean([holds(interval(*map(int, row)), difference) for row in source.multinomial(n, rates, draws)])
        )

    return simulate


class Laws(NamedTuple):
    """A row of a table: laws with so many groups each; of all-or-nothing laws no two groups differ."""

    name: str
    sizes: list[int]
    is_whole: bool = False

    def drawn(self, source: np.random.Generator, laws: np.ndarray) -> np.ndarray:
        """All or nothing of each group, of laws with these chances."""
        if self.is_whole:
            return np.repeat((source.random(len(laws)) < laws).astype(float), self.sizes)
        return (source.random(sum(self.sizes)) < np.repeat(laws, self.sizes)).astype(float)

    def chances(self, source: np.random.Generator, share: float) -> np.ndarray:
        """The chance of each law to be drawn right, on average `share`; of single prompts it is the same for all."""
        n = len(self.sizes)
        alike = self.is_whole or max(self.sizes) == 1
        return np.full(n, share) if alike else source.beta(2 * share, 2 * (1 - share), n)


def unequal(n: int) -> Laws:
    """Laws of which a fifth have ten times as many groups as the others."""
    return Laws(f"{n} laws, a fifth with 30 groups, the rest 3", [30] * (n // 5) + [3] * (n - n // 5))


ROWS = (
    *(Laws(f"{n} laws", [10] * n) for n in (12, 20, 35, 200)),
    *(Laws(f"{n} prompts", [1] * n) for n in (12, 35, 100, 200)),
    *(Laws(f"{n} all-or-nothing laws", [10] * n, is_whole=True) for n in (12, 20, 35, 100)),
    *(unequal(n) for n in (35, 100)),
    Laws("100 laws, sizes as 1/rank", [max(1, round(100 / rank)) for rank in range(1, 101)]),
)


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    found: np.ndarray = first - second
    return found


def rate(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    found: np.ndarray = above / np.sqrt(below)
    return found


def one_interval(kind: str, source: np.random.Generator, share: float, over: Means, row: Laws) -> Held | None:
    """Whether one interval of a number of this kind holds the truth, and its width; `share`: of what is right.

    Of a rate that is the mean above the line. None where the number is undefined.
    """
    below = {"PRR": 0.99, "RRR": 0.9}.get(kind, 1.0)
    chances = row.chances(source, share)
    above, pseudo = row.drawn(source, chances), PSEUDO
    columns, truth, corners = [above], share, ([0.0], [1.0])
    compute: Callable[..., np.ndarray] = np.asarray
    if kind in DIFFERENCES:
        compute, corners, pseudo = difference, ([0, 1], [1, 0]), PSEUDO_PAIRED
        # The second model has nine tenths of the first's chance in each law; or the same on average, in other laws.
        truth = 0.1 * share if kind == "difference" else 0
        second = 0.9 * chances if kind == "difference" else row.chances(source, share)
        columns = [above, row.drawn(source, second)]
    elif kind != "level":
        columns = [above, row.drawn(source, row.chances(source, below))]
        if kind == "PRR":  # behind a gate
            columns[0] = above * columns[1]
        truth = share * (below if kind == "PRR" else 1) / math.sqrt(below)
        compute, corners = rate, ([0, 1], [1, 0.5 if kind == "PRR" else 0])
    limits = (-1, 1) if kind in DIFFERENCES else (0, 1) if kind == "level" else (0, math.inf)
    found = over.infer([column.tolist() for column in columns], compute, corners, limits, pseudo).interval()
    if found.low is None or found.high is None:
        return None
    return holds((found.low, found.high), truth), found.high - found.low


def means_tables(runs: int = 2000) -> None:
    """Coverage of the intervals of text-to-image numbers: of laws with ten groups each, of others, and of prompts.

    A test rejects what its interval does not hold: of models that do not differ, 100 less the coverage is its size.
    """
    shares = (0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0.1, 0.03)
    for kind in ("level", "PRR", "RRR", *DIFFERENCES):
        size = "; 100 less it is the size of the test" if kind == "no difference" else ""
        print(f"\n**{kind[0].upper() + kind[1:]}: coverage{size}; and how wide.**", end=" ")
        print(f"Of {runs:,} simulations a cell; by chance ± 1.0.\n")
        print("| n | " + " | ".join(map(str, shares)) + " |")
        print("|---" * (len(shares) + 1) + "|")
        for row in ROWS:
            n = len(row.sizes)
            over = Means([f"{i:03}" for i, size in enumerate(row.sizes) for _ in range(size)])
            cells = []
            for share in shares:
                source = np.random.default_rng([SEED, n, round(1000 * share)])
                held = [one_interval(kind, source, share, over, row) for _ in range(runs)]
                covered, width = np.mean([interval for interval in held if interval is not None], axis=0)
                cells.append(f"{100 * covered:.1f} / {width:.2f}")
            print(f"| {row.name} | " + " | ".join(cells) + " |", flush=True)


def holds(interval: tuple[float, float] | None, truth: float) -> bool:
    return interval is not None and interval[0] - 1e-12 <= truth <= interval[1] + 1e-12


def print_table(
    title: str, simulate: Simulate, draws: int, shares: Sequence[float] = SHARES, rate: float = 0.95
) -> list[float]:
    """Print one Markdown table: a row for each n, a column for each share, per cent; all its figures, as fractions.

    `rate` is what a figure should be.
    """
    error = 200 * math.sqrt(rate * (1 - rate) / draws)
    print(f"\n**{title}** Of {draws:,} simulations a cell; by chance ± {error:.1f}.\n", flush=True)
    print("| n | " + " | ".join(map(str, shares)) + " |")
    print("|---" * (len(shares) + 1) + "|")
    found = []
    for n in SIZES:
        cells = [simulate(np.random.default_rng([SEED, n, round(1000 * share)]), n, share) for share in shares]
        print(f"| {n} | " + " | ".join("–" if c is None else f"{100 * c:.1f}" for c in cells) + " |", flush=True)
        found += [cell for cell in cells if cell is not None]
    print(f"\nFrom {100 * min(found):.1f} to {100 * max(found):.1f}.", flush=True)
    return found


def wilson_table() -> None:
    print_table("Wilson.", binomial(wilson, 20_000), 20_000)


def lower_end_table() -> None:
    print_table("Wilson: the lower end lies above the truth.", too_high(wilson, 20_000), 20_000, rate=0.025)


def paired_tables() -> None:
    for difference in (0.0, 0.05):
        print_table(f"Paired difference, truly {difference:g}.", paired(difference, 2000), 2000)


TABLES: dict[str, Callable[[], None]] = {
    "wilson": wilson_table,
    "lower-end": lower_end_table,
    "paired": paired_tables,
    "means": means_tables,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="?", choices=list(TABLES), help="one kind of table alone")
    only = parser.parse_args().only
    for name, tabulate in TABLES.items():
        if only in (None, name):
            tabulate()


if __name__ == "__main__":
    main()
