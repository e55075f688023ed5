"""Whether ladders are granted as they should be, by simulation.

    python benchmarks/ladders.py            about a minute
    python benchmarks/ladders.py --runs 200

A simulated judge sees each ladder up to a rung of its own, drawn at random: up to it, it is wrong about a picture with
the chance of its lapses; above it, it is right on both pictures of a pair with a given chance. The code of `validate
--for ladder` decides which pairs come next and which rungs are granted, and no picture is drawn. Prints Markdown: the
share of runs in which any rung above a true one was granted (at most 5 %, also where the judge is just at the bound
above it), the share of ladders whose granted rung is the true one or the one below it (at least 85 % where lapses are
.01), and calls for a ladder (at most 500 on average, unless the judge is just at the bound). Exits with 1 if one of
these does not hold.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from counterbench.evidence.cells import PairCount
from counterbench.evidence.ladders import next_pairs, passed, rung_e_needed
from counterbench.evidence.policies import load_policy
from counterbench.suites.families.ladders import LADDERS, Ladder

POLICY = "standard"
LAPSES = (0.0, 0.005, 0.01, 0.02, 0.04)
# The share of pairs right above the true rung: none, as by coin, and just at the bound, where errors are most likely.
BOUND = 0.85
BEYOND = (0.0, 0.25, BOUND)
SETS = (("count",), ("count", "offset", "size"), tuple(LADDERS))


class Found(NamedTuple):
    """The ladders of simulated judges."""

    ladders: int  # all that were tested
    wrong: int  # runs in which a rung above the true one was granted
    near: int  # ladders whose granted rung is the true one or the one below it
    calls: float  # for a ladder, on average


def simulate(names: Sequence[str], beyond: float, runs: int, lapse: float = 0.0, seed: int = 1) -> Found:
    """LadderQuestions these ladders with `runs` judges, whose last rung of each ladder is drawn anew."""
    rng, policy = np.random.default_rng(seed), load_policy(POLICY)
    needed = math.log(rung_e_needed(policy, 1, len(names)))
    wrong = near = calls = 0
    for _ in range(runs):
        errs = False
        for ladder in (LADDERS[name] for name in names):
            true = int(rng.integers(len(ladder.rungs)))  # the place of the last rung that it sees
            chances = [(1 - lapse) ** 2 if at <= true else beyond for at in range(len(ladder.rungs))]
            known = _ask_ladder(ladder, chances, policy.ccs, needed, rng)
            granted = _granted(ladder, known, policy.ccs, needed)
            errs = errs or granted > true
            near += granted in (true, true - 1)
            calls += 2 * sum(count.pairs for count in known.values())
        wrong += errs
    ladders = runs * len(names)
    return Found(ladders, wrong, near, calls / ladders)


def _ask_ladder(
    ladder: Ladder, chances: Sequence[float], bound: float, needed: float, rng: np.random.Generator
) -> dict[str, PairCount]:
    known: dict[str, PairCount] = {}
    while following := next_pairs(ladder, known, bound, needed):
        for rung, pairs in following.items():
            right = int(rng.binomial(pairs, chances[ladder.rungs.index(rung)]))
            before = known.get(rung, PairCount())
            known[rung] = PairCount(before.right + right, before.wrong + pairs - right)
    return known


def _granted(ladder: Ladder, known: dict[str, PairCount], bound: float, needed: float) -> int:
    """The place of the last rung that is granted; -1 for none."""
    place = -1
    for rung in ladder.rungs:
        if not passed(known.get(rung), bound, needed):
            break
        place += 1
    return place


def main() -> int:
    """Print the table; returns 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print("| ladders | lapses | right above | a rung too high, % of runs | true or one below, % | calls a ladder |")
    print("|---:|---:|---:|---:|---:|---:|")
    broken = []
    for names in dict.fromkeys(SETS):
        for lapse in LAPSES:
            for beyond in BEYOND:
                found = simulate(names, beyond, runs, lapse)
                high, near = 100 * found.wrong / runs, 100 * found.near / found.ladders
                print(f"| {len(names)} | {lapse:g} | {beyond:g} | {high:.1f} | {near:.1f} | {found.calls:.0f} |")
                if high > 5 + 3 * math.sqrt(5 * 95 / runs):
                    broken.append(f"{len(names)} ladders, lapses {lapse:g}, {beyond:g} above: too high in {high:.1f} %")
                fits = near >= 85 and (found.calls <= 500 or beyond == BOUND)
                if lapse <= 0.01 and len(names) <= 3 and not fits:
                    broken.append(f"{len(names)} ladders, lapses {lapse:g}: near {near:.1f} %, {found.calls:.0f} calls")
    for line in broken:
        print(f"does not hold: {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
