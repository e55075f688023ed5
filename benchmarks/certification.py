"""Whether laws are admitted as they should be, by simulation, beside chances that are computed exactly.

    python benchmarks/certification.py                     about an hour and a half on two cores
    python benchmarks/certification.py calls faults        some of its parts
    python benchmarks/certification.py --runs 50 --faulty 2

A simulated judge is right on both pictures of a pair with a given probability, by cell. It is asked as
`validate` asks: the same code decides which pairs come next and which laws are admitted, and no picture
is drawn. Prints Markdown:

power     how likely judges of a known true CCS are admitted, exactly and simulated, without controls and picture kinds
calls     how many calls it takes against 200 pairs of every cell, of the same judges
attempts  how often a law is admitted of which a cell does not exceed the bound, attempt after attempt until one is, and
          in a run a law
kinds     judges whose CCS differs from cell to cell and from picture kind to picture kind, with all that a run asks
faults    planted judges with a fault, on pairs of the suite laws, with their CCS by picture kind and the exact chance
          that a kind passes
spoiled   how often planted judges are admitted to what their fault takes to the bound or below: a cell, what rests on
          a picture kind, and with a treatment everything

An exact chance is refuted if what came out is what it gives in fewer than 1 of 10,000 simulations (exact binomial
test); so is alpha, also by spoiled. Exits with 1 if one is, if a clear case takes more than a quarter of the fixed
design's calls under the policy standard, or if, in faults, a judge is admitted to a law of which its fault takes a cell
to the bound or below.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate
from typing import NamedTuple

import msgspec
import numpy as np
from populations import (
    Take,
    Truth,
    admitted_cells,
    asked_about,
    at_random,
    by_cell,
    in_order,
    pair_findings,
    pairs_asked,
    population,
)
from rehearsal import Rehearsal

from counterbench.evidence.cells import PairCount, cell_result, law_of, law_results, needed_e_value, pooled
from counterbench.evidence.findings import shown_kinds
from counterbench.evidence.interim import STEP, InterimLook
from counterbench.evidence.policies import Policy, load_policy
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell
from counterbench.judges.planted import PLANTED
from counterbench.prompts.files import load_prompts
from counterbench.results.results import PairResult
from counterbench.stats.betting import hits_to_reach
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import load_suite

PARTS = ("power", "calls", "attempts", "kinds", "faults", "spoiled")
POLICIES = ("exploratory", "standard", "strict")
SETS = ("laws", "laws-few", "certify")
WHOLE = ("certify", "laws-few")  # asked with controls, treatments and picture kinds
FIXED = 200  # pairs of every cell, of the design that asks all of them
CLEAR = (0.3, 0.5, 0.98, 0.99, 1.0)
TRUE_CCS = (0.90, 0.93, 0.95, 0.97, 0.99)  # of the exact chances
ATTEMPTS = 20
DRAWN = 150  # pairs of every cell for planted judges: `strict` asks for 83 at least, 117 where four laws are lost
DOSES = (1.0, 0.5)
SEEDS = 10  # of a planted judge, from which each reply is taken at random
WRONG_ON = "wrong on "  # begins the name of a judge that errs on one treatment alone
REFUTED = 1e-4


class Bad(NamedTuple):
    """A judge that is always right, but on `cells` cells of each of `laws` laws, where it is `below` the bound."""

    cells: int
    laws: int
    below: float = 0.0


class SimulatedRun(NamedTuple):
    """What a simulated run came to."""

    admitted: list[str]
    pairs: int


class PlantedFindings(NamedTuple):
    """By cell the share of pairs on which a planted judge is right, by policy its laws, by picture kind its counts."""

    right: dict[str, float]
    admitted: dict[str, set[str]]
    kinds: dict[str, PairCount]


class Varied(NamedTuple):
    """A judge with a CCS on its usual cell and picture kind; the standard deviations of its logit over both."""

    ccs: float
    cells: float = 0.0
    kinds: float = 0.0


VARIED = [
    *((name, Varied(ccs)) for name in WHOLE for ccs in (1.0, 0.97)),
    *(("laws-few", Varied(*row)) for row in ((0.95,), (0.95, 0.5), (0.97, 0.5, 0.5), (0.98, 0.7, 0.7), (0.97, 1, 0.7))),
]
BAD = {
    "one cell of one law at the bound": Bad(1, 1),
    "all cells of one law at the bound": Bad(9, 1),
    "one cell of each of five laws at the bound": Bad(1, 5),
    "one cell of every law at the bound": Bad(1, 99),
    "every cell at the bound": Bad(9, 99),
    "every cell 0.05 below the bound": Bad(9, 99, 0.05),
}


@functools.cache
def cells_named(name: str) -> list[str]:
    """The cells that a suite or prompt set asks about."""
    if name == "laws-few":
        return [cell for cells in law_cells(name).values() for cell in cells]
    return [cell for cell, where in cells_of(load_suite(name)).items() if not where.control]


def count_asked(right: Mapping[str, Sequence[int]], policy: Policy, attempt: int) -> dict[str, PairCount]:
    """Which pairs a run asks of a judge that is right on `right[cell][n]` of the first n pairs of a cell."""
    counts = {cell: PairCount() for cell in right}
    while more := InterimLook(counts, {}, policy, attempt).next_pairs():
        for cell, n in more.items():
            pairs = counts[cell].pairs + n
            counts[cell] = PairCount(right[cell][pairs], pairs - right[cell][pairs])
    return counts


def admitted(counts: Mapping[str, PairCount], policy: Policy, attempt: int) -> list[str]:
    """The laws that pass."""
    least = needed_e_value(policy, attempt)
    laws = law_results({cell: cell_result(count, policy.ccs, least) for cell, count in counts.items()}, least)
    return [name for name, law in laws.items() if law.verdict == "pass"]


def simulate(ccs: Mapping[str, float], policy: Policy, attempt: int, draw: np.random.Generator) -> SimulatedRun:
    """One run of a judge of this true CCS in each cell."""
    hits = draw.random((len(ccs), policy.most)) < np.array(list(ccs.values()))[:, None]
    sums = np.concatenate([np.zeros((len(ccs), 1), dtype=int), hits.cumsum(1)], axis=1).tolist()
    counts = count_asked(dict(zip(ccs, sums, strict=True)), policy, attempt)
    return SimulatedRun(admitted(counts, policy, attempt), sum(count.pairs for count in counts.values()))


def power_runs(task: tuple[str, str, float, int, int]) -> list[tuple[int, int]]:
    """Laws admitted and pairs asked, run by run, of a judge of one true CCS in all cells."""
    name, policy, ccs, runs, seed = task
    draw = np.random.default_rng([seed, *name.encode(), *policy.encode(), round(100 * ccs)])
    truth = dict.fromkeys(cells_named(name), ccs)
    found = (simulate(truth, load_policy(policy), 1, draw) for _ in range(runs))
    return [(len(run.admitted), run.pairs) for run in found]


def false_runs(task: tuple[str, str, str, int, int]) -> list[int]:
    """Run by run the first attempt that admits a bad law; 0 if none does."""
    name, chosen, judge, runs, seed = task
    draw = np.random.default_rng([seed, *name.encode(), *chosen.encode(), *judge.encode()])
    policy, bad, cells = load_policy(chosen), BAD[judge], cells_named(name)
    laws = list(dict.fromkeys(map(law_of, cells)))[: bad.laws]
    truth = dict.fromkeys(cells, 1.0)
    for law in laws:
        cells_of_law = [cell for cell in cells if law_of(cell) == law]
        truth |= dict.fromkeys(cells_of_law[: bad.cells], policy.ccs - bad.below)
    attempts = range(1, ATTEMPTS + 1)
    return [
        next((k for k in attempts if not set(laws).isdisjoint(simulate(truth, policy, k, draw).admitted)), 0)
        for _ in range(runs)
    ]


def together_or_apart(task: tuple[int, int]) -> list[tuple[bool, bool]]:
    """Whether any law with one cell at the bound is admitted: in one run about all laws, and in a run about each."""
    runs, seed = task
    draw, policy = np.random.default_rng([seed, *b"together or apart"]), load_policy("standard")
    laws = [dict.fromkeys(cells, 1.0) | {cells[0]: policy.ccs} for cells in law_cells("laws-few").values()]
    whole = {cell: ccs for law in laws for cell, ccs in law.items()}

    def passes(truth: Mapping[str, float]) -> bool:
        return bool(simulate(truth, policy, 1, draw).admitted)

    return [(passes(whole), any(passes(law) for law in laws)) for _ in range(runs)]


@functools.cache
def law_cells(name: str) -> dict[str, list[str]]:
    """The cells that a shipped prompt set's checks need, by law."""
    return needed_cells(load_prompts(name).prompts)


@functools.cache
def sides(name: str) -> tuple[dict[str, list[PairResult]], dict[str, list[PairResult]]]:
    """The pairs that a run about a suite or prompt set takes, of a judge that is always right, and always wrong."""
    every = population(name)
    return by_cell(every.results("oracle")), by_cell(every.results("noisy?p=1"))


def varied(name: str, judge: Varied, draw: np.random.Generator) -> Take:
    """One judge drawn from those that vary so; its pairs are right by chance, those of controls at its usual CCS.

    The logit of a pair is that of the usual CCS, plus its cell's deviation and that of each kind of its pictures.
    """
    right, wrong = sides(name)
    usual, of_kind = math.log(judge.ccs / (1 - judge.ccs)) if judge.ccs < 1 else math.inf, dict[str, float]()
    chances: dict[str, list[float]] = {}
    for cell in (*asked_about(name).cells, *asked_about(name).controls):
        known = right[cell][0].key.relevant
        own, chances[cell] = judge.cells * draw.standard_normal() if known else 0.0, []
        for pair in right[cell]:
            kinds = {kind for key in pair.keys for kind in key.kinds} if known else set()
            for kind in sorted(kinds - of_kind.keys()):
                of_kind[kind] = judge.kinds * draw.standard_normal()
            chances[cell].append(1 / (1 + math.exp(-usual - own - sum(of_kind[kind] for kind in kinds))))

    def take(cell: str, n: int) -> list[PairResult]:
        taken = zip(draw.integers(len(chances[cell]), size=n), draw.random(n), strict=True)
        return [(right if chance < chances[cell][i] else wrong)[cell][i] for i, chance in taken]

    return take


def varied_runs(task: tuple[str, Varied, int, int]) -> list[tuple[int, int, int]]:
    """Run by run the laws and the cells that a judge is admitted to, and its calls."""
    name, judge, runs, seed = task
    draw, plan, policy = np.random.default_rng([seed, *map(ord, f"{name} {judge}")]), asked_about(name), load_policy()
    rows = []
    for _ in range(runs):
        pairs = pairs_asked(plan, varied(name, judge, draw), policy)
        run = pair_findings(plan, pairs, policy)
        rows.append((len(run.admitted), len(admitted_cells(run)), 2 * len(pairs)))
    return rows


def parts(runs: int) -> list[tuple[int, int]]:
    """So many runs in parts, with a seed for each."""
    return [(min(25, runs - start), start) for start in range(0, runs, 25)]


@functools.lru_cache(maxsize=4096)
def cell_chance(bound: float, most: int, least: float, ccs: float) -> tuple[float, float]:
    """The chance that a cell, or a picture kind, reaches `least` within `most` pairs, and the pairs asked on average.

    It is computed look by look, over the number of misses so far, with the steps of `cells.InterimLook`.
    """
    shown, failed = _decided(bound, most, least)
    misses = np.arange(most + 1)
    reached = np.zeros((most + 1, most + 1))  # by pairs at a look, and misses among them
    reached[0, 0] = 1.0
    passed = pairs = 0.0
    for n in range(most + 1):
        at_look, right = reached[n], np.maximum(n - misses, 0)
        up, down = right >= shown, misses >= failed[right]
        passed += float(at_look[up].sum())
        undecided = np.where(up | down, 0.0, at_look)
        blocks = np.minimum(np.minimum(shown - right, STEP), most - n)
        for block in set(blocks[undecided > 0].tolist()) - {0}:
            mass = np.where(blocks == block, undecided, 0.0)
            pairs += block * float(mass.sum())
            for wrong in range(block + 1):
                p = math.comb(block, wrong) * ccs ** (block - wrong) * (1 - ccs) ** wrong
                reached[n + block, wrong:] += p * mass[: most + 1 - wrong]
    return passed, pairs


@functools.lru_cache(maxsize=64)
def _decided(bound: float, most: int, least: float) -> tuple[np.ndarray, np.ndarray]:
    """By misses so far the hits that show the bound, and by hits so far the misses that refute it."""
    log, counts = math.log(least), range(most + 1)
    shown = np.array([hits_to_reach(log, 0, misses, bound) for misses in counts])
    return shown, np.array([hits_to_reach(log, 0, hits, 1 - bound) for hits in counts])


def power(pool: ProcessPoolExecutor, runs: int) -> int:
    """The exact chances to be admitted to all laws against shares admitted; how many are refuted."""
    from scipy.stats import binomtest

    refuted = 0
    print(
        "| asked about | policy | true CCS | all laws: exactly | simulated | calls: exactly | simulated |\n"
        + "|---" * 7
        + "|"
    )
    for name in SETS:
        laws = Counter(map(law_of, cells_named(name)))
        for chosen in POLICIES:
            for ccs in TRUE_CCS:
                policy, cells = load_policy(chosen), laws.total()
                cell_passes, pairs = cell_chance(policy.ccs, policy.most, needed_e_value(policy, 1), ccs)
                exact, expected = cell_passes**cells, round(2 * pairs * cells)
                tasks = [(name, chosen, ccs, *part) for part in parts(runs)]
                found = [run for some in pool.map(power_runs, tasks) for run in some]
                full = sum(count == len(laws) for count, _ in found)
                wrong = binomtest(full, runs, min(1.0, exact)).pvalue < REFUTED
                refuted += wrong
                calls = 2 * sum(pairs for _, pairs in found) / runs
                print(
                    f"| {name} | {chosen} | {ccs:.2f} | {exact:.3f} | {full / runs:.3f} | {expected:,} | {calls:,.0f} |"
                    + (" REFUTED" if wrong else ""),
                    flush=True,
                )
    return refuted


def calls(pool: ProcessPoolExecutor, runs: int) -> int:
    """Calls in parts of the fixed design's; of how many clear cases they are too many."""
    fixed = FIXED * len(cells_named("laws"))
    print(f"\nOn `laws`; {FIXED} pairs of every cell would be {2 * fixed:,} calls.\n")
    print("| true CCS | " + " | ".join(POLICIES) + " |\n|---" + "|---" * len(POLICIES) + "|")
    many = 0
    for ccs in CLEAR:
        row = []
        for chosen in POLICIES:
            tasks = [("laws", chosen, ccs, *part) for part in parts(min(runs, 100))]
            found = [pairs for some in pool.map(power_runs, tasks) for _, pairs in some]
            share = sum(found) / len(found) / fixed
            many += chosen == "standard" and share > 0.25
            row.append(f"{2 * share * fixed:,.0f} ({100 * share:.0f} %)")
        print(f"| {ccs:.2f} | {' | '.join(row)} |", flush=True)
    return many


def attempts(pool: ProcessPoolExecutor, runs: int) -> int:
    """How often a bad law is admitted in any of the attempts; of how many judges too often."""
    from scipy.stats import binomtest

    refuted = 0
    print(f"\nAdmitted to such a law in any of {ATTEMPTS} attempts (in the first):")
    where = [(name, "standard") for name in SETS] + [("laws", "exploratory"), ("laws", "strict")]
    print("\n| judge | " + " | ".join(f"{name}, {policy}" for name, policy in where) + " |")
    print("|---" + "|---" * len(where) + "|")
    for i, judge in enumerate(BAD):
        row = []
        for name, policy in where:
            if i and policy != "standard":  # the first is the one that is admitted most often
                row.append("")
                continue
            tasks = [(name, policy, judge, *part) for part in parts(runs)]
            found = [k for some in pool.map(false_runs, tasks) for k in some]
            hits, first = sum(map(bool, found)), sum(k == 1 for k in found)
            wrong = binomtest(hits, runs, load_policy(policy).alpha, alternative="greater").pvalue < REFUTED
            refuted += wrong
            row.append(f"{100 * hits / runs:.1f} % ({100 * first / runs:.1f} %)" + (" REFUTED" if wrong else ""))
        print(f"| {judge} | {' | '.join(row)} |", flush=True)
    print("\nOf one cell at the bound, all others right, computed exactly: ", end="")
    print(", ".join(f"{100 * exactly(load_policy(policy)):.1f} % ({policy})" for policy in POLICIES))
    both = [run for some in pool.map(together_or_apart, parts(10 * runs)) for run in some]
    whole, apart = (sum(column) / len(both) for column in zip(*both, strict=True))
    cell_passes = at_the_bound(load_policy("standard"), 1)
    exact = 1 - (1 - cell_passes) ** len(law_cells("laws-few"))
    refuted += bool(binomtest(round(apart * len(both)), len(both), exact).pvalue < REFUTED)
    print(f"One cell of each law of laws-few at the bound, attempt 1: in one run {100 * whole:.1f} %,", end=" ")
    print(f"in a run a law {100 * apart:.1f} % ({len(both):,} simulations; exactly {100 * exact:.1f} %).")
    print(f"One cell at the bound, in any of 20 runs, or sizes, exactly: {100 * (1 - (1 - cell_passes) ** 20):.1f} %")
    return refuted


def at_the_bound(policy: Policy, attempt: int) -> float:
    """How likely one cell whose true CCS is the policy's bound is admitted."""
    return cell_chance(policy.ccs, policy.most, needed_e_value(policy, attempt), policy.ccs)[0]


def exactly(policy: Policy) -> float:
    """How likely one cell at the bound is admitted in any of the attempts, where nothing else is lost."""
    missed = (1 - at_the_bound(policy, k) for k in range(1, ATTEMPTS + 1))
    return 1 - math.prod(missed)


@functools.cache
def rehearsal() -> Rehearsal:
    """The first pairs of every cell of the suite laws; some minutes."""
    suite = load_suite("laws")
    return Rehearsal(CellSource(suite, in_turn(dict.fromkeys(cells_of(suite), DRAWN))))


def planted(spec: str) -> PlantedFindings:
    """What becomes of a planted judge, asked cell by cell."""
    pairs, plan = by_cell(rehearsal().results(spec)), asked_about("laws")
    right = {cell: running(pairs[cell])[-1] / DRAWN for cell in plan.cells}
    admissions = {}
    for chosen in POLICIES:
        policy = load_policy(chosen)
        policy = msgspec.structs.replace(policy, most=min(policy.most, DRAWN - STEP))
        admissions[chosen] = set(pair_findings(plan, pairs_asked(plan, in_order(pairs), policy), policy).admitted)
    everything = [pair for of_cell in pairs.values() for pair in of_cell]
    return PlantedFindings(right, admissions, pooled(shown_kinds(everything), ()))


def by_kind(runs: Sequence[PlantedFindings], policy: Policy) -> dict[str, tuple[float, float]]:
    """By picture kind the CCS over several runs, and the exact chance that the kind passes where that is the true one.

    Of the pairs that an always-right run of the suite asks: 26 of every cell under the policy standard.
    """
    found = {}
    for kind in runs[0].kinds:
        right, wrong = (sum(run.kinds[kind][i] for run in runs) for i in (0, 1))
        ccs, pairs = right / (right + wrong), (right + wrong) * 26 // (DRAWN * len(runs))
        found[kind] = ccs, cell_chance(policy.ccs, min(pairs, policy.most), needed_e_value(policy, 1), ccs)[0]
    return found


def running(pairs: Iterable[PairResult]) -> list[int]:
    """On how many of the first 0, 1, 2, … a judge is right."""
    return list(accumulate((pair.consistent is True for pair in pairs), initial=0))


def faults(pool: ProcessPoolExecutor, seeds: int) -> int:
    """Judges with a fault; to how many laws with a cell that it takes to the bound or below they were admitted."""
    wrong, kinds = 0, {}
    where = [
        f"{part}, {policy}" for part in ("not above the bound", "admitted", "others admitted") for policy in POLICIES
    ]
    print(f"\nOf {len(law_cells('laws'))} laws, on average over {seeds} seeds:\n")
    print("| judge | it shows on | " + " | ".join(where) + " |\n|---|---" + "|---" * len(where) + "|")
    for name in PLANTED:
        if name in ("oracle", "noisy"):
            continue
        found = list(pool.map(planted, [f"{name}?seed={seed}" for seed in range(1, seeds + 1)]))
        kinds[name] = by_kind(found, load_policy("standard"))
        ccs = {cell: sum(run.right[cell] for run in found) / seeds for cell in found[0].right}
        bad = {policy: laws_up_to(load_policy(policy).ccs, ccs) for policy in POLICIES}
        admissions = [sum(len(run.admitted[policy] & bad[policy]) for run in found) for policy in POLICIES]
        others = [sum(len(run.admitted[policy] - bad[policy]) for run in found) / seeds for policy in POLICIES]
        wrong += sum(admissions)
        row = [len({law_of(cell) for cell in ccs if ccs[cell] < 1}), *map(len, bad.values())]
        row_of = [*map(str, row), *(f"{n / seeds:.3g}" for n in admissions), *(f"{n:.3g}" for n in others)]
        print(f"| {name} | {' | '.join(row_of)} |", flush=True)
    named = list(next(iter(kinds.values())))
    print("\nCCS in % by picture kind, and in parentheses the chance in % that the kind passes `standard`:\n")
    print(f"| judge | {' | '.join(named)} |\n|---{'|---' * len(named)}|")
    for name, shown_of_kinds in kinds.items():
        shown = (f"{100 * ccs:.0f} ({100 * passes:.0f})" for ccs, passes in shown_of_kinds.values())
        print(f"| {name} | {' | '.join(shown)} |")
    return wrong


def results_by_cell(judge: str, dose: float, name: str) -> dict[str, list[PairResult]]:
    """The results of a planted judge by cell: of several seeds, each as likely as the others.

    A judge that is wrong on one treatment has the oracle's and so many that are wrong.
    """
    every = population(name, "small" in judge)
    if not judge.startswith(WRONG_ON):
        specs = [f"{judge}?p={dose}&seed={seed}" for seed in range(1, SEEDS + 1)]
        return by_cell(pair for spec in specs for pair in every.results(spec))
    right, wrong = by_cell(every.results("oracle")), by_cell(every.results("noisy?p=1"))
    treated = {cell for cell in right if treatment_of_cell(cell) == judge.removeprefix(WRONG_ON)}
    often = round(dose * SEEDS)
    return right | {cell: wrong[cell] * often + right[cell] * (SEEDS - often) for cell in treated}


def spoiled_runs(task: tuple[str, float, str, int]) -> int | None:
    """In how many runs a judge is admitted to what its fault spoils; None if it spoils nothing."""
    judge, dose, name, runs = task
    plan, pairs, policy = asked_about(name, "small" in judge), results_by_cell(judge, dose, name), load_policy()
    truth, draw = Truth(pairs, plan, policy), np.random.default_rng([*map(ord, f"{judge} {dose} {name}")])
    if not truth.spoils:
        return None
    ended = (pairs_asked(plan, at_random(pairs, draw), policy, truth=truth) for _ in range(runs))
    return sum(truth.wrongly(pair_findings(plan, pairs_of_run, policy)) for pairs_of_run in ended)


def kinds(pool: ProcessPoolExecutor, runs: int) -> None:
    """What judges that vary are admitted to, controls and treatments asked."""
    print("\n| asked about | usual CCS | sd of cells | of kinds | laws admitted | cells | all laws | none | calls |")
    print("|---" * 9 + "|")
    for name, judge in VARIED:
        rows = [row for some in pool.map(varied_runs, [(name, judge, *part) for part in parts(runs)]) for row in some]
        laws, cells, calls = (sum(column) / runs for column in zip(*rows, strict=True))
        laws_asked = len({law_of(cell) for cell in asked_about(name).cells})
        every, none = (100 * sum(row[0] == n for row in rows) / runs for n in (laws_asked, 0))
        numbers = f"{judge.ccs:.2f} | {judge.cells:g} | {judge.kinds:g} | {laws:.2f} of {laws_asked} | {cells:.1f} of"
        print(
            f"| {name} | {numbers} {len(asked_about(name).cells)} | {every:.1f} % | {none:.1f} % | {calls:,.0f} |",
            flush=True,
        )


def spoiled(pool: ProcessPoolExecutor, runs: int) -> int:
    """How often planted judges are admitted to what their fault spoils; in how many cases more often than alpha."""
    from scipy.stats import binomtest

    judges = [name for name in PLANTED if name not in ("oracle", "noisy")] + [WRONG_ON + name for name in TREATMENTS]
    where = [(name, dose) for name in WHOLE for dose in DOSES]
    refuted, alike = 0, dict[tuple[str, ...], list[str]]()
    ended = pool.map(spoiled_runs, [(judge, dose, name, runs) for judge in judges for name, dose in where])
    for judge in judges:
        row = []
        for _ in where:
            hits = next(ended)
            worse = bool(hits) and binomtest(hits, runs, load_policy().alpha, alternative="greater").pvalue < REFUTED
            refuted += worse
            row.append("–" if hits is None else f"{100 * hits / runs:.3g}" + (" REFUTED" if worse else ""))
        alike.setdefault((*row,), []).append(judge)
    print(f"\nAdmitted to what the fault spoils, in % of {runs} runs (–: it spoils nothing):\n")
    print(f"| judge | {' | '.join(f'{name}, dose {dose:g}' for name, dose in where)} |\n|---{'|---' * len(where)}|")
    for numbers, named in alike.items():
        print(f"| {', '.join(named)} | {' | '.join(numbers)} |")
    return refuted


def laws_up_to(bound: float, ccs: Mapping[str, float]) -> set[str]:
    """The laws with a cell of which the CCS does not exceed a bound."""
    return {law_of(cell) for cell in ccs if ccs[cell] <= bound}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--runs", type=int, default=400, help="of each simulated judge, and of planted ones in spoiled")
    parser.add_argument("--faulty", type=int, default=20, help="seeds of each planted judge in faults")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    chosen = options.parts or PARTS
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"unknown part {min(unknown)!r}; choose from: {', '.join(PARTS)}")
    if "faults" in chosen:
        rehearsal()  # before the workers are forked, so that they have it
    for name in WHOLE if {"kinds", "spoiled"} & {*chosen} else ():
        sides(name)
        if "spoiled" in chosen:
            population(name, small=True)
    with ProcessPoolExecutor(options.workers) as pool:
        refuted = power(pool, options.runs) if "power" in chosen else 0
        many = calls(pool, options.runs) if "calls" in chosen else 0
        refuted += attempts(pool, options.runs) if "attempts" in chosen else 0
        if "kinds" in chosen:
            kinds(pool, min(options.runs, 200))
        wrong = faults(pool, options.faulty) if "faults" in chosen else 0
        refuted += spoiled(pool, options.runs) if "spoiled" in chosen else 0
    print(f"\n{refuted} exact chances or levels refuted, {many} clear cases that take too many calls,")
    print(f"{wrong} admissions to laws of which a fault takes a cell to the bound or below")
    sys.exit(1 if refuted or many or wrong else 0)


if __name__ == "__main__":
    main()
