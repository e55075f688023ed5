"""Whether certificates go to whom they should, by simulation, beside the chances that `certify` prints.

    python benchmarks/certification.py                     300 seeds of each judge (some minutes on two cores)
    python benchmarks/certification.py --seeds 50 --faulty 10 --no-pixels

Prints Markdown: planted:noisy judges of known true CCS with the printed chance beside the share certified; judges with
a fault, none of which may ever be certified; the oracle and the pixel reader, who must be where there are enough pairs.
A printed chance is refuted if the share certified is one that it gives in fewer than 1 of 10,000 simulations (exact
binomial test). Exits with 1 if one is, or if a judge is certified that must not be, or the other way round.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from counterbench.asking.probe import probe
from counterbench.certificate import Verdict, certify, findings
from counterbench.certificate.chances import chance, composition
from counterbench.certificate.policies import load_policy
from counterbench.judges.pixels import PixelReader
from counterbench.runs.pair_queries import keys
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.testing import Rehearsal

SUITES = ("certify", "counterbench-550")
POLICIES = ("exploratory", "standard", "strict")
TRUE_CCS = (0.70, 0.80, 0.90, 0.95, 0.98, 0.99)
FAULTY = ("constant", "blind", "random", "sticky", "yes-bias", "no-bias", "failing", "refusing", "unparsed")
REFUTED = 1e-4

_rehearsals: dict[str, Rehearsal] = {}


def verdicts(task: tuple[str, str]) -> tuple[Verdict, ...]:
    """What a planted judge's certificate on a suite would say, by policy."""
    suite, spec = task
    if suite not in _rehearsals:
        _rehearsals[suite] = Rehearsal(SuiteSource(load_suite(suite)))
    pairs = _rehearsals[suite].results(spec)
    return tuple(findings(pairs, load_policy(policy)).verdict for policy in POLICIES)


def noisy(pool: ProcessPoolExecutor, seeds: int) -> int:
    """The printed chances against shares certified; how many are refuted."""
    from scipy.stats import binomtest

    refuted = 0
    print("| suite | policy | true CCS | printed chance | certified | of | p |\n|---|---|---|---|---|---|---|")
    for suite in SUITES:
        asked = composition(keys(SuiteSource(load_suite(suite))))
        for ccs in TRUE_CCS:
            tasks = [(suite, f"noisy?p={1 - math.sqrt(ccs):.12f}&seed={seed}") for seed in range(1, seeds + 1)]
            found = list(pool.map(verdicts, tasks, chunksize=10))
            for i, policy in enumerate(POLICIES):
                printed = min(1.0, chance(load_policy(policy), asked, ccs))
                hits = sum(verdict[i] == "pass" for verdict in found)
                p = float(binomtest(hits, seeds, printed).pvalue)
                refuted += p < REFUTED
                mark = " REFUTED" if p < REFUTED else ""
                print(
                    f"| {suite} | {policy} | {ccs:.2f} | {printed:.4f} | {hits} | {seeds} | {p:.3f}{mark} |", flush=True
                )
    return refuted


def faulty(pool: ProcessPoolExecutor, seeds: int) -> int:
    """Judges with a fault; how many certificates they got."""
    wrong = 0
    print("\n| judge | " + " | ".join(f"certified on {s}, {p}" for s in SUITES for p in POLICIES) + " |")
    print("|---" * (1 + len(SUITES) * len(POLICIES)) + "|")
    for judge in FAULTY:
        cells = []
        for suite in SUITES:
            found = list(
                pool.map(verdicts, [(suite, f"{judge}?seed={seed}") for seed in range(1, seeds + 1)], chunksize=5)
            )
            hits = [sum(verdict[i] == "pass" for verdict in found) for i in range(len(POLICIES))]
            wrong += sum(hits)
            cells += [f"{count} of {seeds}" for count in hits]
        print(f"| {judge} | {' | '.join(cells)} |", flush=True)
    return wrong


def faultless(pixels: bool) -> int:
    """The oracle and the pixel reader; how many verdicts are not those that the number of pairs allows."""
    expected = {"certify": ("pass",) * 3, "counterbench-550": ("pass", "pass", "not-enough-evidence")}
    wrong = 0
    print("\n| judge | suite | " + " | ".join(POLICIES) + " |\n|---|---|---|---|---|")
    for suite in SUITES:
        judges: dict[str, Iterable[Verdict]] = {"planted:oracle": verdicts((suite, "oracle"))}
        if pixels:
            with tempfile.TemporaryDirectory() as folder:
                run = Path(folder) / "run"
                probe(SuiteSource(load_suite(suite)), PixelReader(), run)
                judges["pixels"] = [certify(run, load_policy(policy)).verdict for policy in POLICIES]
        for judge, found in judges.items():
            print(f"| {judge} | {suite} | {' | '.join(found)} |", flush=True)
            wrong += tuple(found) != expected[suite]
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=300, help="of each noisy judge")
    parser.add_argument("--faulty", type=int, default=100, help="seeds of each judge with a fault")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--no-pixels", action="store_true", help="leave out the pixel reader, who looks at pictures")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        refuted = noisy(pool, options.seeds)
        wrong = faulty(pool, options.faulty)
    unlike = faultless(not options.no_pixels)
    print(f"\n{refuted} printed chances refuted, {unlike} unexpected verdicts on judges without a fault,")
    print(f"{wrong} certificates to judges with one")
    sys.exit(1 if refuted or wrong or unlike else 0)


if __name__ == "__main__":
    main()
