"""How often `diagnose` finds the faults that planted judges have, and how often it accuses judges that have none.

Every planted fault at its stated dose, every pair of faults, planted faults that are on no list (their place must be
told), and judges without a fault, on a suite's questions:

    python benchmarks/diagnosis.py                    300 seeds of each fault and pair, 1,000 of the judges without
    python benchmarks/diagnosis.py --suite laws
    python benchmarks/diagnosis.py --seeds 20 --innocent 50 --only faults,others,innocent

Prints Markdown. A judge counts as accused if a fault is named or a residual is told. What cannot show on the suite is
left out; pairs of faults that cannot be told apart (`counterbench.diagnosis.faults.INDISTINCT`) are listed with the
reason and not counted against the target. The oracle's replies do not depend on its seed, and the pixel reader's not on
anything but the pictures; so they are asked other items instead, of `--suites` other seeds of the suite.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

from counterbench.diagnosis.faults import FAULTS, INDISTINCT, find_faults
from counterbench.diagnosis.lost import LOST
from counterbench.diagnosis.residuals import find_residuals
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.runs.wordings import load_wording
from counterbench.scoring.results import PairResult
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.testing import Rehearsal

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


def _told(pairs: Sequence[PairResult]) -> tuple[str, ...]:
    """The faults that are named, and the residuals in words: the first of them before the others."""
    found = find_faults(pairs)
    places = [
        [f"{kind} {value}" for kind, value in residual.where.items()]
        for residual in find_residuals(pairs, found.unexplained)
    ]
    return (*sorted(named.name for named in found.named), *(", ".join(place) for place in places))


def _named(spec: str) -> tuple[str, ...]:
    """What is told of a planted judge."""
    assert _rehearsal is not None
    return _told(_rehearsal.results(spec))


def _innocent(task: tuple[str, str, int]) -> tuple[str, ...]:
    """What is told of a judge without a fault, on other items of the suite."""
    suite, judge, seed = task
    rehearsal = Rehearsal(SuiteSource(load_suite(suite, seed)))
    return _told(rehearsal.results_of(open_judge(judge, lambda: rehearsal.keys)))


def _shows(spec: str) -> bool:
    """Whether all of a planted judge's faults can show on the suite."""
    assert _rehearsal is not None
    try:
        PlantedJudge(spec, _rehearsal.keys).refuse_unplantable(load_wording())
    except InputError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description="How often diagnose finds planted faults, and accuses without one.")
    parser.add_argument("--suite", default="certify")
    parser.add_argument("--seeds", type=int, default=300, help="of each fault and pair of faults")
    parser.add_argument("--innocent", type=int, default=1000, help="seeds of noisy?p=0.05")
    parser.add_argument("--suites", type=int, default=20, help="other seeds of the suite, for oracle and pixel reader")
    parser.add_argument("--only", default="faults,others,innocent,pairs", help="which parts, joined by commas")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    _prepare(options.suite)
    with ProcessPoolExecutor(options.workers, initializer=_prepare, initargs=(options.suite,)) as pool:

        def found(spec: str, seeds: int) -> list[tuple[str, ...]]:
            mark = "&" if "?" in spec else "?"
            return list(pool.map(_named, [f"{spec}{mark}seed={seed}" for seed in range(1, seeds + 1)], chunksize=5))

        print(f"Suite {options.suite}, {options.seeds} seeds of each fault and pair.")
        for part in options.only.split(","):
            PARTS[part](options, found, pool)


Found = Callable[[str, int], list[tuple[str, ...]]]


def _faults(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| judge | found, of seeds | also accused of |\n|---|---|---|", flush=True)
    for fault in filter(_shows, ORDER):
        _row(f"{fault} (p = {PLANTED[fault].p:g})", {fault}, found(fault, options.seeds))


def _others(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| fault on no list | told, of seeds | also accused of |\n|---|---|---|", flush=True)
    for fault in filter(_shows, OTHERS):
        told = [
            tuple(fault if any(place in each for place in OTHERS[fault]) else each for each in all_told)
            for all_told in found(fault, options.seeds)
        ]
        _row(f"{fault} (p = {PLANTED[fault].p:g}): {OTHERS[fault][0]}", {fault}, told)


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


PARTS = {"faults": _faults, "others": _others, "innocent": _without, "pairs": _pairs}


def _row(name: str, expected: set[str], results: Iterable[tuple[str, ...]]) -> None:
    """A line: how often all of `expected` were named (or, if nothing is, anything at all), and what else was."""
    told = list(results)
    hits = sum(expected <= set(named) if expected else bool(named) for named in told)
    extra = Counter(fault for named in told for fault in named if fault not in expected)
    also = ", ".join(f"{fault} {count}" for fault, count in extra.most_common()) or "nothing"
    print(f"| {name} | {hits} of {len(told)} ({100 * hits / len(told):.1f} %) | {also} |", flush=True)


if __name__ == "__main__":
    main()
