"""How often `diagnose` names the faults that planted judges have, and how often it accuses judges that have none.

Every planted fault at its stated dose, every pair of faults, and judges without a fault, on a suite's questions:

    python benchmarks/diagnosis.py                    300 seeds of each fault and pair, 1,000 of the judges without
    python benchmarks/diagnosis.py --seeds 20 --innocent 50 --only faults,innocent

Prints Markdown. Pairs of faults that cannot be told apart (`counterbench.diagnosis.faults.INDISTINCT`) are listed with
the reason and not counted against the target. The oracle's replies do not depend on its seed, and the pixel reader's
not on anything but the pictures; so they are asked other items instead, of `--suites` other seeds of the suite.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

from counterbench.diagnosis.faults import FAULTS, INDISTINCT, find_faults
from counterbench.diagnosis.lost import LOST
from counterbench.judges import open_judge
from counterbench.judges.planted import PLANTED
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.testing import Rehearsal

ORDER = (*sorted(set(FAULTS) - set(LOST)), *LOST)
_rehearsal: Rehearsal | None = None


def _prepare(suite: str) -> None:
    global _rehearsal
    _rehearsal = Rehearsal(SuiteSource(load_suite(suite)))


def _named(spec: str) -> tuple[str, ...]:
    """The faults that a planted judge is found to have."""
    assert _rehearsal is not None
    return tuple(sorted(named.name for named in find_faults(_rehearsal.results(spec)).named))


def _innocent(task: tuple[str, str, int]) -> tuple[str, ...]:
    """The faults that a judge without one is found to have, on other items of the suite."""
    suite, judge, seed = task
    rehearsal = Rehearsal(SuiteSource(load_suite(suite, seed)))
    found = find_faults(rehearsal.results_of(open_judge(judge, lambda: rehearsal.keys)))
    return tuple(named.name for named in found.named)


def main() -> None:
    parser = argparse.ArgumentParser(description="How often diagnose names planted faults, and accuses without one.")
    parser.add_argument("--suite", default="certify")
    parser.add_argument("--seeds", type=int, default=300, help="of each fault and pair of faults")
    parser.add_argument("--innocent", type=int, default=1000, help="seeds of noisy?p=0.05")
    parser.add_argument("--suites", type=int, default=20, help="other seeds of the suite, for oracle and pixel reader")
    parser.add_argument("--only", default="faults,innocent,pairs", help="which parts, joined by commas")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
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
    for fault in ORDER:
        _row(f"{fault} (p = {PLANTED[fault].p:g})", {fault}, found(fault, options.seeds))


def _without(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| judge without a fault | accused, of seeds | of what |\n|---|---|---|", flush=True)
    _row("noisy?p=0.05", set(), found("noisy?p=0.05", options.innocent))
    for judge in ("planted:oracle", "pixels") if options.suites else ():
        tasks = [(options.suite, judge, seed) for seed in range(1, options.suites + 1)]
        _row(f"{judge} (other items)", set(), list(pool.map(_innocent, tasks)))


def _pairs(options: argparse.Namespace, found: Found, pool: ProcessPoolExecutor) -> None:
    print("\n| pair | both found, of seeds | also accused of |\n|---|---|---|", flush=True)
    for pair in combinations(ORDER, 2):
        if frozenset(pair) not in INDISTINCT:
            _row(" + ".join(pair), set(pair), found("+".join(pair), options.seeds))
    print("\n| pair that cannot be told apart | why |\n|---|---|")
    for hidden, why in INDISTINCT.items():
        print(f"| {' + '.join(sorted(hidden))} | {why} |")


PARTS = {"faults": _faults, "innocent": _without, "pairs": _pairs}


def _row(name: str, expected: set[str], results: Iterable[tuple[str, ...]]) -> None:
    """A line: how often all of `expected` were named (or, if nothing is, anything at all), and what else was."""
    told = list(results)
    hits = sum(expected <= set(named) if expected else bool(named) for named in told)
    extra = Counter(fault for named in told for fault in named if fault not in expected)
    also = ", ".join(f"{fault} {count}" for fault, count in extra.most_common()) or "nothing"
    print(f"| {name} | {hits} of {len(told)} ({100 * hits / len(told):.1f} %) | {also} |", flush=True)


if __name__ == "__main__":
    main()
