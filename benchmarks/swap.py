"""Whether `swap` finds a judge that changed and leaves alone one that did not, by simulation.

    python benchmarks/swap.py                    about seven minutes on two cores
    python benchmarks/swap.py --runs 20 losses   some of its parts (losses, faults, watch, pictures), fewer swaps

A simulated judge is right on both pictures of a pair with a given chance, by cell of the suite certify, each judge with
noise of its own; a fault that appears is that of a planted judge, on the suite's own pairs. The verdicts are those of
`swap`, looked at as often as it looks. Prints Markdown: the verdicts, the share that was decided within so many
calls to the new judge, its calls in the median, and how often the cells called changed are those that did. `watch`: 52
looks of 16 pairs at a judge that changes with one of them, or never. `pictures`: models with an ability each, prompts
of a difficulty each, judges with an error rate on each model; how often the crosswalk's band holds the new score of a
further model, where it has one, and how often a score that moved is laid to the judge or to the model that did move it.

Exits with 1 if more than 5 % of judges that did not change are called changed, or a band holds fewer than 93 %, by more
than chance (exact binomial test, 1 in 10,000).
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

import msgspec
import numpy as np
from rehearsal import Rehearsal

from counterbench.asking.side_by_side import BATCH
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.judges.base import Reply
from counterbench.judges.planted import PlantedJudge
from counterbench.prompts.files import load_prompts
from counterbench.results import judge_changes
from counterbench.results.judge_changes import compared
from counterbench.runs.queries import Query, cell_of
from counterbench.stats.clusters import PSEUDO_PAIRED, Means
from counterbench.stats.crosswalk import fit_line
from counterbench.stats.differences import Differences, changed_since
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

PARTS = ("losses", "faults", "watch", "pictures")
OLD = (0.90, 0.95, 0.97)
POINTS = (2, 5, 10, 20)
FAULTS = {"yes-bias": "certify", "off-by-one": "certify", "arrow-blind": "certify", "prior-bound": "laws"}
OTHER_WORDS = "other words"
WORDS = (
    "{}",
    "{}.",
    "**{}**",
    "The answer is {}.",
    "Answer: {}",
    "I would say {}.",
    "Looking at the picture, it is {}.",
)
DOSE, FAULTY_OLD = 0.3, 0.95
DELTA, MAX_PAIRS = 0.05, 1_500  # pairs; a command's 6,000 calls if both judges are asked
WITHIN = (500, 1_100, 1_500)  # calls to the new judge
REFUTED = 1e-4
LOOKS, PAIRS_OF_A_LOOK = 52, 16
PROMPTS = 100

# The same few counts of cells come again and again.
judge_changes._cell_difference = functools.cache(judge_changes._cell_difference)


class EndedSwap(NamedTuple):
    """The end of a swap: its verdict, the calls to the new judge, and the cells that are called changed."""

    verdict: str
    calls: int
    cells: frozenset[str]


Pairs = Iterator[Sequence[tuple[str, int]]]  # rounds of cells with the difference of a pair


def ended(rounds: Pairs) -> EndedSwap:
    """Look at the rounds as `swap` does, until it is decided."""
    counts: dict[str, list[int]] = {}
    total = since = 0
    found = compared({}, DELTA)
    for pairs in rounds:
        for cell, difference in pairs:
            counts.setdefault(cell, [0, 0, 0])[(1, -1, 0).index(difference)] += 1
        total, since = total + len(pairs), since + len(pairs)
        if since + len(pairs) > BATCH:
            since = 0
            found = compared({cell: Differences(*counted) for cell, counted in counts.items()}, DELTA)
        if found.verdict != "undecided" or total >= MAX_PAIRS:
            break
    cells = frozenset(cell for cell, cell_result in found.cells.items() if cell_result.verdict == "changed")
    return EndedSwap(found.verdict, 2 * total, cells)


@functools.cache
def cells_of_round() -> list[str]:
    pairs = Rounds(SuiteSource(load_suite("certify"))).pairs(0, 1)
    return [pair.cell or f"{pair.family}/{pair.form}" for pair in pairs]


def lost(task: tuple[float, int, bool, int]) -> EndedSwap:
    """A swap of judges with noise of their own; the new one loses points in one cell or in all."""
    old, points, everywhere, _ = task
    chance, cells = random.Random(str(task)), cells_of_round()
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
    return Rehearsal(rounds.pairs(0, 1 + MAX_PAIRS // 2 // rounds.longest)), rounds.longest


class Reworded(PlantedJudge):
    """A planted judge that gives its answers in other words."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """See `PlantedJudge`."""
        chance = random.Random(f"{self.name} {batch[0].id}")
        replies = await super().answer(batch)
        return [msgspec.structs.replace(reply, text=chance.choice(WORDS).format(reply.text)) for reply in replies]


def reworded_swap(seed: int) -> EndedSwap:
    """A swap of a noisy judge for one that is as noisy and says its answers in other words."""
    rehearsal, longest = rehearsed("certify")
    noise = f"noisy?p={1 - FAULTY_OLD**0.5:.4f}&seed={{}}"
    old = rehearsal.results(noise.format(2 * seed))
    new = rehearsal.results_of(Reworded(noise.format(2 * seed + 1), rehearsal.keys))
    both = zip(rehearsal.keys[::2], old, new, strict=True)
    pairs = [(cell_of(key), bool(b.consistent) - bool(a.consistent)) for key, a, b in both]
    return ended(pairs[at : at + longest] for at in range(0, len(pairs), longest))


def faulty_swap(task: tuple[str, int]) -> EndedSwap:
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


def row(name: str, ends: Sequence[EndedSwap], right: frozenset[str] | None = None) -> str:
    """A row of a table."""
    shares = [sum(end.verdict == kind for end in ends) / len(ends) for kind in ("equivalent", "changed", "undecided")]
    shares += [sum(end.verdict != "undecided" and end.calls <= most for end in ends) / len(ends) for most in WITHIN]
    named = [end.cells for end in ends if end.cells]
    cells = (
        f"{100 * sum(cells <= right for cells in named) / len(named):.0f} % of {len(named)}" if named and right else "–"
    )
    percents = " | ".join(f"{100 * share:.1f}" for share in shares)
    return f"| {name} | {percents} | {median(end.calls for end in ends):,.0f} | {cells} |"


def refutes(count: int, runs: int, most: float) -> bool:
    """True if so many of `runs` are more than a share of `most` by more than chance."""
    from scipy.stats import binomtest

    return bool(runs) and float(binomtest(count, runs, most, alternative="greater").pvalue) < REFUTED


def losses(pool: ProcessPoolExecutor, runs: int) -> int:
    """Judges that lose points, or none; the number of old judges with too many false alarms."""
    head()
    refuted = 0
    for old in OLD:
        cells = cells_of_round()
        for points, everywhere in ((0, True), *((points, where) for where in (True, False) for points in POINTS)):
            found = list(pool.map(lost, [(old, points, everywhere, seed) for seed in range(runs)], chunksize=5))
            name = f"{old:.2f} | " + (f"−{points} in {'all' if everywhere else 'one cell'}" if points else "none")
            wrong = not points and refutes(sum(end.verdict == "changed" for end in found), runs, 0.05)
            refuted += wrong
            right = frozenset(cells) if everywhere else frozenset(cells[:1])
            print(row(name, found, right if points else None) + (" REFUTED" if wrong else ""), flush=True)
    return refuted


def faults(pool: ProcessPoolExecutor, runs: int) -> int:
    """Other words for the same answers, 1 if that is too often called a change; then faults that appear."""
    head()
    found = list(pool.map(reworded_swap, range(runs), chunksize=5))
    wrong = refutes(sum(end.verdict == "changed" for end in found), runs, 0.05)
    print(row(f"{FAULTY_OLD:.2f} | {OTHER_WORDS}", found) + " REFUTED" * wrong, flush=True)
    for fault in FAULTS:
        found = list(pool.map(faulty_swap, [(fault, seed) for seed in range(runs)], chunksize=5))
        print(row(f"{FAULTY_OLD:.2f} | {fault} on {100 * DOSE:.0f} %, {FAULTS[fault]}", found), flush=True)
    return int(wrong)


def head() -> None:
    """The heading of the table of swaps."""
    of_new = " | ".join(f"decided in {most:,} calls" for most in WITHIN)
    print(
        f"\n| old CCS | change | equivalent % | changed % | undecided % | {of_new} | median calls | cells are right |"
    )
    print("|---" * 10 + "|", flush=True)


def watched(task: tuple[float, int, int, int]) -> int | None:
    """The look that shows a change of a judge that loses points with one look; None if none does."""
    old, points, at, _ = task
    chance, looks = random.Random(str(task)), list[Differences]()
    for look in range(LOOKS):
        new = old - (points / 100 if look >= at else 0)
        pairs = [(chance.random() < new) - (chance.random() < old) for _ in range(PAIRS_OF_A_LOOK)]
        looks.append(Differences(pairs.count(1), pairs.count(-1), pairs.count(0)))
        if changed_since(looks, judge_changes.OVERALL) is not None:
            return look
    return None


def watch(pool: ProcessPoolExecutor, runs: int) -> int:
    """A year of weekly looks; the number of judges with too many false alarms."""
    print("\n| CCS | change | with look | shown % | before it % | looks until then, median |")
    print("|---|---|---|---|---|---|", flush=True)
    refuted = 0
    for old in OLD:
        for points, at in ((0, 0), *((points, at) for points in POINTS for at in (0, 26))):
            found = list(pool.map(watched, [(old, points, at, seed) for seed in range(runs)], chunksize=5))
            shown = [look - at + 1 for look in found if look is not None and look >= at]
            early = sum(look is not None and look < at for look in found)
            wrong = refutes(early if points else len(shown), runs, 0.05)
            refuted += wrong
            looks = f"{median(shown):.0f}" if shown and points else "–"
            shares = f"{100 * len(shown) / runs:.1f} | {100 * early / runs:.1f}"
            print(f"| {old:.2f} | −{points} | {at + 1} | {shares} | {looks} |" + " REFUTED" * wrong, flush=True)
    return refuted


Models = list[list[tuple[str, float, float]]]


class Walk(NamedTuple):
    """Models that two judges scored, and a further one: the shares that they draw right, and how often judges err.

    `shares` is None for models that differ as prompts do; `differ`: the SD of the new judge's errors over models.
    """

    known: int
    shares: tuple[float, float] | None
    further: float | None  # within `shares` if None
    errors: tuple[float, float]  # of the old judge, and of the new one
    differ: float = 0.0

    @property
    def name(self) -> str:
        """What models, and the further one, as cells of a table."""
        shares = "differ as prompts do" if self.shares is None else "right on {:.2f} to {:.2f}".format(*self.shares)
        further = "one like them" if self.further is None else f"right on {self.further:.2f}"
        judges = " | ".join(f"{100 * error:.0f} %" for error in self.errors)
        return f"{self.known} | {shares} | {further} | {judges} | {100 * self.differ:.0f} %"


BOTH, BETTER = (0.15, 0.15), (0.2, 0.05)
WALKS = [
    *(
        Walk(count, None, None, (0.0, error), differ)
        for count in (3, 5, 8)
        for error, differ in ((0.02, 0.0), (0.1, 0.0), (0.1, 0.05))
    ),
    *(Walk(5, (0.45, 0.55), further, errors) for errors in (BOTH, BETTER) for further in (None, 0.9)),
    *(Walk(5, (0.3, 0.7), further, errors) for errors in (BOTH, BETTER) for further in (None, 0.9)),
    *(Walk(count, None, None, errors, 0.05) for count in (3, 8) for errors in (BOTH, BETTER)),
]


def models(walk: Walk, rng: np.random.Generator) -> Models:
    """The scores of each model's prompts of three checks by both judges; the further model comes last."""
    if walk.shares is None:
        ability, hard = rng.normal(0, 1, walk.known + 1), rng.normal(0, 1, PROMPTS)
    else:
        further = rng.uniform(*walk.shares) if walk.further is None else walk.further
        share = np.array([*np.linspace(*walk.shares, walk.known), further])
        ability, hard = np.log(share / (1 - share)), np.zeros(PROMPTS)
    truth = rng.random((walk.known + 1, PROMPTS, 3)) < 1 / (1 + np.exp(-(ability[:, None, None] + hard[:, None])))
    of_model = np.clip(walk.errors[1] + rng.normal(0, walk.differ, (walk.known + 1, 1, 1)), 0, 1)
    old, new = ((truth != (rng.random(truth.shape) < error)).mean(2) for error in (walk.errors[0], of_model))
    names = [f"g{prompt}" for prompt in range(PROMPTS)]
    return [list(zip(names, *sides, strict=True)) for sides in zip(old, new, strict=True)]


def walked(task: tuple[Walk, int]) -> bool | None:
    """True if the band of a crosswalk from some models holds the new score of a further one; None if there is none."""
    walk, seed = task
    *known, further = models(walk, np.random.default_rng([walk.known, seed]))
    line = fit_line(known)
    old, new = (sum(column) / PROMPTS for column in zip(*((a, b) for _, a, b in further), strict=True))
    band = line.at(old) if line is not None else None
    return None if band is None else (band.low or 0) <= new <= (1 if band.high is None else band.high)


def laid(task: tuple[str, int]) -> str:
    """The judge or the model, to which a score that moved 10 to 20 points is laid; empty if neither is shown."""
    moved, seed = task
    rng = np.random.default_rng(seed)
    chance = np.clip(rng.beta(4, 2, PROMPTS), 0, 1)[:, None]
    before = rng.random((PROMPTS, 3)) < chance
    later = rng.random((PROMPTS, 3)) < chance - (0.2 if moved == "model" else 0)
    turn = 0.3 if moved == "judge" else 0.02
    again, later = ((answers != (rng.random(answers.shape) < turn)).mean(1) for answers in (before, later))
    over = Means([f"g{prompt}" for prompt in range(PROMPTS)])
    shown = []
    for new, old in ((again, before.mean(1)), (later, again)):
        change = over.infer([new.tolist(), old.tolist()], lambda a, b: a - b, ((0, 1), (1, 0)), (-1, 1), PSEUDO_PAIRED)
        found = change.interval(0.025)
        shown.append((found.low or 0) > 0 or (found.high or 0) < 0)
    return "judge" if shown[0] else "model" if shown[1] else ""


def pictures(pool: ProcessPoolExecutor, runs: int) -> int:
    """Crosswalks and attribution; the number of rows that hold too few."""
    print("\n| models | these | the further one | old judge errs | new judge | more or less (SD) ", end="")
    print("| says nothing % | band holds % |")
    print("|---" * 8 + "|", flush=True)
    refuted = 0
    for walk in WALKS:
        held = list(pool.map(walked, [(walk, seed) for seed in range(runs)], chunksize=5))
        with_band = runs - held.count(None)
        wrong = refutes(held.count(False), with_band, 0.07)
        refuted += wrong
        share = f"{100 * held.count(True) / with_band:.1f}" if with_band > runs / 20 else "–"
        print(f"| {walk.name} | {100 * (1 - with_band / runs):.1f} | {share} |" + " REFUTED" * wrong, flush=True)
    for moved in ("judge", "model"):
        named = list(filter(None, pool.map(laid, [(moved, seed) for seed in range(runs)], chunksize=5)))
        right = f"{100 * named.count(moved) / max(1, len(named)):.1f} % of {len(named)}"
        print(f"\nthe {moved} moved a score: named rightly in {right}, neither in {runs - len(named)}", flush=True)
    return refuted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--runs", type=int, default=200)
    given = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        refuted = sum(globals()[part](pool, given.runs) for part in given.parts or PARTS)
    sys.exit(bool(refuted))


if __name__ == "__main__":
    main()
