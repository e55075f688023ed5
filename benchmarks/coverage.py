"""How often our 95 % intervals hold the truth, by simulation: the tables of docs/statistics.md, as Markdown.

    python benchmarks/coverage.py            all tables, a few minutes
    python benchmarks/coverage.py wilson     one kind alone (--help names them)

The same seed gives the same tables. Every table says how far a figure of it may be off by chance (two standard errors).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from counterbench.stats.bootstrap import Resample
from counterbench.stats.correction import Correction, Errors, Part, Stratum
from counterbench.stats.intervals import wilson
from counterbench.stats.paired import paired_difference

SIZES = (10, 33, 50, 100, 240, 500)
SHARES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
SEED = 20240501

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


def resampled(copies: int, clustered: bool, runs: int, draws: int) -> Simulate:
    """Coverage of the bootstrap of a share, where each of n scenes has `copies` items, all right or all wrong."""

    def simulate(source: np.random.Generator, n: int, share: float) -> float:
        covered = 0
        for seed in range(runs):
            scenes = (source.random(n) < share).tolist()
            items = [right for right in scenes for _ in range(copies)]
            clusters = [f"{i // copies if clustered else i:05}" for i in range(len(items))]
            resample = Resample(clusters, draws, seed, fewest=2)
            found = resample.estimate(resample.mean(items))
            covered += found.low is not None and found.high is not None and found.low <= share <= found.high
        return covered / runs

    return simulate


def holds(interval: tuple[float, float] | None, truth: float) -> bool:
    return interval is not None and interval[0] - 1e-12 <= truth <= interval[1] + 1e-12


def table(
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
    table("Wilson.", binomial(wilson, 20_000), 20_000)


def lower_end_table() -> None:
    table("Wilson: the lower end lies above the truth.", too_high(wilson, 20_000), 20_000, rate=0.025)


def paired_tables() -> None:
    for difference in (0.0, 0.05):
        table(f"Paired difference, truly {difference:g}.", paired(difference, 2000), 2000)


def transfer_table(draws: int = 500, pictures: int = 1000, known: int = 200) -> None:
    """What becomes of the corrected share of these pictures when the judge errs otherwise on them than where tested."""
    print(f"\n**Rogan and Gladen on {pictures:,} pictures, the judge tested on {known} things of each kind.**", end=" ")
    print(f"Of {draws:,} simulations a cell; by chance ± {200 * math.sqrt(0.95 * 0.05 / draws):.1f}.\n")
    shares = (0.3, 0.5, 0.7)
    print("| sensitivity / specificity on the pictures | " + " | ".join(f"truly {share:g}" for share in shares) + " |")
    print("|---" * (len(shares) + 1) + "|")
    for true_sens, true_spec in ((0.95, 0.95), (0.9, 0.9), (0.85, 0.8)):
        cells = []
        for share in shares:
            source = np.random.default_rng([SEED, round(100 * true_sens), round(100 * share)])
            held = 0
            for seed in range(draws):
                right = int(source.binomial(pictures, share))
                hits = int(source.binomial(right, true_sens) + source.binomial(pictures - right, 1 - true_spec))
                sens, spec = (int(source.binomial(known, 0.95)) for _ in range(2))
                checks = Stratum(parts=(Part("", False, hits / pictures),), share=1, squares=1 / pictures)
                found = Correction({"": Errors((sens, known), (spec, known))}, 500, seed).mean([checks])
                assert found.low is not None
                assert found.high is not None
                held += found.low <= right / pictures <= found.high
            cells.append(held / draws)
        told = "as tested" if true_sens == 0.95 else "tested at 0.95 / 0.95"
        print(f"| {true_sens:g} / {true_spec:g} ({told}) | " + " | ".join(f"{100 * c:.1f}" for c in cells) + " |")


def few_table(runs: int = 1500, draws: int = 600) -> None:
    """Why few clusters give no interval: the mean of n clusters whose means are normal, or shares of two pictures."""
    kinds = {"normal": None, "0.5": 0.5, "0.8": 0.8}
    print(f"\n**Bootstrap of the mean of few clusters.** Of {runs:,} simulations a cell; by chance ± 1.1.\n")
    print("| clusters | " + " | ".join(kinds) + " |")
    print("|---" * (len(kinds) + 1) + "|")
    for n in (2, 3, 5, 8, 10, 12, 15, 20, 30):
        cells = []
        for share in kinds.values():
            source = np.random.default_rng([SEED, n, round(100 * (share or 0))])
            held = 0
            for seed in range(runs):
                if share is None:
                    means = source.normal(0, 1, n)
                else:  # each law has a share of its own, and two groups that are right or of habit
                    means = source.binomial(2, source.beta(2 * share, 2 - 2 * share, n)) / 2
                resample = Resample([f"{i:02}" for i in range(n)], draws, seed, fewest=2)
                found = resample.estimate(resample.mean(means.tolist()))
                held += found.low is not None and found.high is not None and found.low <= (share or 0) <= found.high
            cells.append(held / runs)
        print(f"| {n} | " + " | ".join(f"{100 * c:.1f}" for c in cells) + " |", flush=True)


def bootstrap_table() -> None:
    table("Bootstrap of a share.", resampled(1, False, 200, 500), 200)


def cluster_tables() -> None:
    for clustered, how in ((False, "as if they were independent"), (True, "clustered by scene")):
        table(f"Bootstrap, three like items a scene, {how}.", resampled(3, clustered, 200, 500), 200, (0.8, 0.9))


TABLES: dict[str, Callable[[], None]] = {
    "wilson": wilson_table,
    "lower-end": lower_end_table,
    "paired": paired_tables,
    "transfer": transfer_table,
    "bootstrap": bootstrap_table,
    "clusters": cluster_tables,
    "few": few_table,
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
