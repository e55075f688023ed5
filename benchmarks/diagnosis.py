"""How often `diagnose` finds the faults that planted judges have, and how often it accuses judges that have none.

Every planted fault at its stated dose, every pair of faults, planted faults that are on no list (their place must be
told), judges without a fault, and judges that see less the harder a pair is, on a suite's questions:

    python benchmarks/diagnosis.py                    300 seeds of each fault and pair, 1,000 of the judges without
    python benchmarks/diagnosis.py --suite laws
    python benchmarks/diagnosis.py --seeds 20 --innocent 50 --only faults,others,innocent
    python benchmarks/diagnosis.py --only thresholds       1,000 seeds of judges with a smooth threshold

Prints Markdown. A judge counts as accused if a fault is named or a residual is told. What cannot show on the suite is
left out; pairs of faults that cannot be told apart (`counterbench.diagnosis.faults.INDISTINCT`) are listed with the
reason and not counted against the target. The oracle's replies do not depend on its seed, and the pixel reader's not on
anything but the pictures; so they are asked other items instead, of `--suites` other seeds of the suite.
"""

from __future__ import annotations

import argparse
import math
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from typing import cast

from rehearsal import Rehearsal

from counterbench.answers import Answer
from counterbench.diagnosis.faults import FAULTS, INDISTINCT, find_faults
from counterbench.diagnosis.measures import LOST
from counterbench.diagnosis.residuals import find_residuals
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.results.results import PairResult
from counterbench.results.rules import Judged
from counterbench.runs.pair_queries import keys_of
from counterbench.runs.queries import Key, load_template
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import Source, SuiteSource
from counterbench.suites.suite import load_suite

ORDER = (*sorted(set(FAULTS) - set(LOST)), *LOST)
# Planted faults that are on no list, and what says so: any of these descriptions in the first residual.
OTHERS: dict[str, tuple[str, ...]] = {
    "first-mentioned": ("mentioned second",),
    "left-right": ("side left or right", "skill left-right"),
    "saturating": ("count 5 or more",),
    "small-blind": ("size small",),
    "left-blind": ("column left",),
}
_rehearsal: Rehearsal | None = None


def _prepare(suite: str) -> None:
    global _rehearsal
    _rehearsal = Rehearsal(SuiteSource(load_suite(suite)))


def _findings(pairs: Sequence[PairResult]) -> tuple[str, ...]:
    """The faults that are named, and the residuals in words: the first of them before the others."""
    found = find_faults(pairs)
    places = [
        [f"{kind} {value}" for kind, value in residual.where.items()]
        for residual in find_residuals(pairs, found.unexplained)
    ]
    return (*sorted(named.name for named in found.named), *(", ".join(place) for place in places))


def _expected(spec: str) -> tuple[str, ...]:
    """What is told of a planted judge."""
    assert _rehearsal is not None
    return _findings(_rehearsal.results(spec))


def _innocent(task: tuple[str, str, int]) -> tuple[str, ...]:
    """What is told of a judge without a fault, on other items of the suite."""
    suite, judge, seed = task
    rehearsal = Rehearsal(SuiteSource(load_suite(suite, seed)))
    return _findings(rehearsal.results_of(open_judge(judge, lambda: rehearsal.keys)))


def _shows(spec: str) -> bool:
    """Whether all of a planted judge's faults can show on the suite."""
    assert _rehearsal is not None
    try:
        PlantedJudge(spec, _rehearsal.keys).refuse_unplantable(load_template())
    except InputError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description="How often diagnose finds planted faults, and accuses without one.")
    parser.add_argument("--suite", default="certify")
    parser.add_argument("--seeds", type=int, default=300, help="of each fault and pair of faults")
    parser.add_argument("--innocent", type=int, default=1000, help="seeds of noisy?p=0.05, and of each threshold")
    parser.add_argument("--suites", type=int, default=20, help="other seeds of the suite, for oracle and pixel reader")
    parser.add_argument(
        "--only", default="faults,others,innocent,thresholds,pairs", help="which parts, joined by commas"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    _prepare(options.suite)
    with ProcessPoolExecutor(options.workers, initializer=_prepare, initargs=(options.suite,)) as pool:

        def found(spec: str, seeds: int) -> list[tuple[str, ...]]:
            mark = "&" if "?" in spec else "?"
            return list(pool.map(_expected, [f"{spec}{mark}seed={seed}" for seed in range(1, seeds + 1)], chunksize=5))

        print(f"Suite {options.suite}, {options.seeds} seeds of each fault and pair.")
        for part in options.only.split(","):
            PARTS[part](options, found, pool)


# Eight gaps between two circles, the pairs of all two of them, so often each: 672 pairs, of which 288 have two answers
# if the circles touch in the first two, and 384 one. Judges by how often they say yes at each gap.
GAPS = (-0.15, -0.05, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
OFTEN, TOUCHING = 24, 2
CIRCLES: dict[str, tuple[float, ...]] = {
    "smooth": (1, 0.87, 0.68, 0.47, 0.29, 0.14, 0.08, 0),
    "sees far": (1, 1, 0.95, 0.9, 0.8, 0.6, 0.35, 0.1),
    "sees near": (0.8, 0.5, 0.25, 0.1, 0.03, 0.01, 0, 0),
    "sharp": (1, 0.98, 0.8, 0.2, 0.02, 0, 0, 0),
}


class Circles:
    """A source of the pairs of two circles, without pictures: each pair has its difficulty, each picture its gap."""

    style = ""

    def __init__(self) -> None:
        self._pairs = [
            _circles(f"{n:03}-{i}{j}", i, j) for n in range(OFTEN) for i, j in combinations(range(len(GAPS)), 2)
        ]

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    def pictures(self, pair: Pair) -> Sequence[Picture]:
        """None: no judge looks."""
        return ()


def _circles(id: str, i: int, j: int) -> Pair:
    before, after = ("yes" if gap < TOUCHING else "no" for gap in (i, j))
    return Pair(
        id=id,
        index=0,
        family="circles",
        category="circles",
        skill="touching",
        stratum="published",
        form="yes-no",
        question="Are the two circles touching each other?",
        answer_type="yes-no",
        original_answer=before,
        intervened_answer=after,
        relevant=before != after,
        truth="published",
        intervention="",
        difficulty={"hardness": 1 + (3 * i + 5 * j) % 8, "original_gap": GAPS[i], "intervened_gap": GAPS[j]},
    )


def circle_results(rates: Sequence[float], seed: int, source: Circles) -> list[PairResult]:
    """What a judge that says yes so often at each gap makes of the pairs of circles."""
    chance, found = random.Random(seed), []
    for pair in source:
        first, second = keys_of(pair, "")
        judged = [
            Judged(Answer(answer), answer == key.expected)
            for key in (first, second)
            for answer in ("yes" if chance.random() < rates[GAPS.index(key.difficulty["gap"])] else "no",)
        ]
        found.append(PairResult((first, second), judged[0], judged[1], 0, 0))
    return found


def threshold_spec(seed: int, dials: Mapping[str, Sequence[float]]) -> str:
    """A judge with a threshold between the 10th and 90th percentile of a dial, whose chance to see goes from .9 to .1
    over a fifth of that range, or up to all of it; it says yes where it does not see, or no, by chance.
    """
    chance = random.Random(seed)
    dial = chance.choice(sorted(dials))
    values = sorted(dials[dial])
    at, low, high = (values[round(share * (len(values) - 1))] for share in (chance.uniform(0.1, 0.9), 0.1, 0.9))
    slope = chance.choice((-1, 1)) * 2 * math.log(9) / ((high - low or 1) * chance.uniform(0.2, 1))
    return f"threshold?dial={dial}&at={at}&slope={slope}&answer={chance.choice(('yes', 'no'))}&seed={seed}"


def dials_of(keys: Iterable[Key]) -> dict[str, list[float]]:
    """The values of each number of the difficulty, of keys."""
    found: dict[str, list[float]] = {}
    for key in keys:
        for name, value in key.difficulty.items():
            found.setdefault(name, []).append(value)
    return found


def _circle_faults(task: tuple[str, int]) -> tuple[str, ...]:
    """The faults named of a judge of circles; with no name, of a threshold on the pairs' hardness."""
    name, seed = task
    source = Circles()
    if name:
        pairs = circle_results(CIRCLES[name], seed, source)
    else:
        hardness = dials_of(key for pair in source for key in keys_of(pair, ""))["hardness"]
        pairs = Rehearsal(cast(Source, source)).results(threshold_spec(seed, {"hardness": hardness}))
    return tuple(sorted(named.name for named in find_faults(pairs).named))


def _threshold_faults(seed: int) -> tuple[str, ...]:
    """The faults named of a judge with a threshold, on the suite."""
    assert _rehearsal is not None
    spec = threshold_spec(seed, dials_of(_rehearsal.keys))
    return tuple(sorted(named.name for named in find_faults(_rehearsal.results(spec)).named))


def _thresholds(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| judge with a smooth threshold | accused of a fault, of seeds | of what |\n|---|---|---|", flush=True)
    seeds = range(1, options.innocent + 1)
    for name in ("", *CIRCLES):
        findings = list(pool.map(_circle_faults, [(name, seed) for seed in seeds], chunksize=5))
        _row(f"circles, by their gap: {name}" if name else "circles, by the pair's difficulty", set(), findings)
    _row(f"{options.suite}, by any of its dials", set(), list(pool.map(_threshold_faults, seeds, chunksize=5)))


Found = Callable[[str, int], list[tuple[str, ...]]]


def _faults(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| judge | found, of seeds | also accused of |\n|---|---|---|", flush=True)
    for fault in filter(_shows, ORDER):
        _row(f"{fault} (p = {PLANTED[fault].p:g})", {fault}, found(fault, options.seeds))


def _others(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| fault on no list | told, of seeds | also accused of |\n|---|---|---|", flush=True)
    for fault in filter(_shows, OTHERS):
        findings = [
            tuple(fault if any(place in finding for place in OTHERS[fault]) else finding for finding in all_findings)
            for all_findings in found(fault, options.seeds)
        ]
        _row(f"{fault} (p = {PLANTED[fault].p:g}): {OTHERS[fault][0]}", {fault}, findings)


def _without(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| judge without a fault | accused, of seeds | of what |\n|---|---|---|", flush=True)
    _row("noisy?p=0.05", set(), found("noisy?p=0.05", options.innocent))
    for judge in ("planted:oracle", "pixels") if options.suites else ():
        tasks = [(options.suite, judge, seed) for seed in range(1, options.suites + 1)]
        _row(f"{judge} (other items)", set(), list(pool.map(_innocent, tasks)))


def _pairs(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| pair | both found, of seeds | also accused of |\n|---|---|---|", flush=True)
    for pair in combinations(ORDER, 2):
        if frozenset(pair) not in INDISTINCT and _shows("+".join(pair)):
            _row(" + ".join(pair), set(pair), found("+".join(pair), options.seeds))
    print("\n| pair that cannot be told apart | why |\n|---|---|")
    for hidden, why in INDISTINCT.items():
        print(f"| {' + '.join(sorted(hidden))} | {why} |")


PARTS = {"faults": _faults, "others": _others, "innocent": _without, "thresholds": _thresholds, "pairs": _pairs}


def _row(name: str, expected: set[str], results: Iterable[tuple[str, ...]]) -> None:
    """A line: how often all of `expected` were named (or, if nothing is, anything at all), and what else was."""
    findings = list(results)
    hits = sum(expected <= set(named) if expected else bool(named) for named in findings)
    extra = Counter(fault for named in findings for fault in named if fault not in expected)
    also = ", ".join(f"{fault} {count}" for fault, count in extra.most_common()) or "nothing"
    print(f"| {name} | {hits} of {len(findings)} ({100 * hits / len(findings):.1f} %) | {also} |", flush=True)


if __name__ == "__main__":
    main()
