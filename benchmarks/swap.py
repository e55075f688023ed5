"""Whether `swap` finds a judge that changed and leaves alone one that did not, by simulation.

    python benchmarks/swap.py                    about five minutes on two cores
    python benchmarks/swap.py --runs 20 losses   one of its parts (losses, faults), fewer swaps

A simulated judge is right on both pictures of a pair with a given chance, by cell of the suite certify, each judge with
noise of its own; a fault that appears is that of a planted judge, on the suite's own pairs. The verdicts are those of
`swap`, looked at as often as it looks. Prints Markdown: the verdicts, the share that was decided within so many
calls to the new judge, its calls in the median, and how often the cells called changed are those that did.

Exits with 1 if a judge that did not change is called changed in more than 5 % of the swaps, by more than chance (exact
binomial test, 1 in 10,000).
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from typing import NamedTuple

from rehearsal import Rehearsal

from counterbench.asking.side_by_side import BATCH
from counterbench.runs.queries import cell_of
from counterbench.scoring import swap
from counterbench.scoring.swap import compared
from counterbench.stats.differences import Differences
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.t2i.judging.admission import needed_cells
from counterbench.t2i.prompts.files import load_prompts

PARTS = ("losses", "faults")
OLD = (0.90, 0.95, 0.97)
POINTS = (2, 5, 10, 20)
FAULTS = {"yes-bias": "certify", "off-by-one": "certify", "arrow-blind": "certify", "prior-bound": "laws"}
DOSE, FAULTY_OLD = 0.3, 0.95
DELTA, MOST = 0.05, 1_500  # pairs; a command's 6,000 calls if both judges are asked
WITHIN = (500, 1_100, 1_500)  # calls to the new judge
REFUTED = 1e-4

# The same few counts of cells come again and again.
swap._cell = functools.cache(swap._cell)


class Ended(NamedTuple):
    """The end of a swap: its verdict, the calls to the new judge, and the cells that are called changed."""

    verdict: str
    calls: int
    cells: frozenset[str]


Pairs = Iterator[Sequence[tuple[str, int]]]  # rounds of cells with the difference of a pair


def ended(rounds: Pairs) -> Ended:
    """Look at the rounds as `swap` does, until it is decided."""
    counts: dict[str, list[int]] = {}
    asked = since = 0
    found = compared({}, DELTA)
    for pairs in rounds:
        for cell, difference in pairs:
            counts.setdefault(cell, [0, 0, 0])[(1, -1, 0).index(difference)] += 1
        asked, since = asked + len(pairs), since + len(pairs)
        if since + len(pairs) > BATCH:
            since = 0
            found = compared({cell: Differences(*of) for cell, of in counts.items()}, DELTA)
        if found.verdict != "undecided" or asked >= MOST:
            break
    cells = frozenset(cell for cell, of in found.cells.items() if of.verdict == "changed")
    return Ended(found.verdict, 2 * asked, cells)


@functools.cache
def cells_named() -> list[str]:
    pairs = Rounds(SuiteSource(load_suite("certify"))).pairs(0, 1)
    return [pair.cell or f"{pair.family}/{pair.form}" for pair in pairs]


def lost(task: tuple[float, int, bool, int]) -> Ended:
    """A swap of judges with noise of their own; the new one loses points in one cell or in all."""
    old, points, everywhere, _ = task
    chance, cells = random.Random(str(task)), cells_named()
    new = {cell: old - (points / 100 if everywhere or cell == cells[0] else 0.0) for cell in cells}

    def rounds() -> Pairs:
        while True:
            yield [(cell, (chance.random() < new[cell]) - (chance.random() < old)) for cell in cells]

    return ended(rounds())


@functools.cache
def rehearsed(suite: str) -> tuple[Rehearsal, int]:
    """The questions of rounds of a suite, and the pairs of a round."""
    laws = needed_cells(load_prompts("laws-few").prompts) if suite == "laws" else ()
    rounds = Rounds(SuiteSource(load_suite(suite)), laws)
    return Rehearsal(rounds.pairs(0, 1 + MOST // 2 // rounds.longest)), rounds.longest


def faulty(task: tuple[str, int]) -> Ended:
    """A swap of a noisy judge for one that is as noisy and has a fault besides."""
    fault, seed = task
    rehearsal, longest = rehearsed(FAULTS[fault])
    noise = f"noisy?p={1 - FAULTY_OLD**0.5:.4f}&seed={{}}"
    old, new, other = (
        [bool(pair.consistent) for pair in rehearsal.results(spec)]
        for spec in (noise.format(2 * seed), noise.format(2 * seed + 1), f"{fault}?p={DOSE}&seed={seed}")
    )
    cells = [cell_of(key) for key in rehearsal.keys[::2]]
    pairs = [(cell, (b and c) - a) for cell, a, b, c in zip(cells, old, new, other, strict=True)]
    return ended(pairs[at : at + longest] for at in range(0, len(pairs), longest))


def row(name: str, of: Sequence[Ended], right: frozenset[str] | None = None) -> str:
    """A row of a table."""
    shares = [sum(end.verdict == verdict for end in of) / len(of) for verdict in ("equivalent", "changed", "undecided")]
    shares += [sum(end.verdict != "undecided" and end.calls <= most for end in of) / len(of) for most in WITHIN]
    named = [end.cells for end in of if end.cells]
    cells = (
        f"{100 * sum(cells <= right for cells in named) / len(named):.0f} % of {len(named)}" if named and right else "–"
    )
    percents = " | ".join(f"{100 * share:.1f}" for share in shares)
    return f"| {name} | {percents} | {median(end.calls for end in of):,.0f} | {cells} |"


def losses(pool: ProcessPoolExecutor, runs: int) -> int:
    """Judges that lose points, or none; the number of old judges with too many false alarms."""
    from scipy.stats import binomtest

    refuted = 0
    for old in OLD:
        cells = cells_named()
        for points, everywhere in ((0, True), *((points, where) for where in (True, False) for points in POINTS)):
            found = list(pool.map(lost, [(old, points, everywhere, seed) for seed in range(runs)], chunksize=5))
            name = f"{old:.2f} | " + (f"−{points} in {'all' if everywhere else 'one cell'}" if points else "none")
            alarms = sum(end.verdict == "changed" for end in found)
            wrong = not points and binomtest(alarms, runs, 0.05, alternative="greater").pvalue < REFUTED
            refuted += wrong
            right = frozenset(cells) if everywhere else frozenset(cells[:1])
            print(row(name, found, right if points else None) + (" REFUTED" if wrong else ""), flush=True)
    return refuted


def faults(pool: ProcessPoolExecutor, runs: int) -> int:
    """Faults that appear; 0."""
    for fault in FAULTS:
        found = list(pool.map(faulty, [(fault, seed) for seed in range(runs)], chunksize=5))
        print(row(f"{FAULTY_OLD:.2f} | {fault} on {100 * DOSE:.0f} %, {FAULTS[fault]}", found), flush=True)
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--runs", type=int, default=200)
    given = parser.parse_args()
    of_new = " | ".join(f"decided in {most:,} calls" for most in WITHIN)
    print(f"| old CCS | change | equivalent % | changed % | undecided % | {of_new} | median calls | cells are right |")
    print("|---" * 10 + "|", flush=True)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        refuted = sum(globals()[part](pool, given.runs) for part in given.parts or PARTS)
    sys.exit(bool(refuted))


if __name__ == "__main__":
    main()
