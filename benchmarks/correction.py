"""How often intervals hold the truth when a judge errs: left as it is, Rogan-Gladen, PPI++, side by side, as Markdown.

    python benchmarks/correction.py            both tables, about a minute
    python benchmarks/correction.py --draws 500

First a share of right pictures: a judge with one yes/no check, tested on pictures of known truth, and people's labels
on a random sample of the model's own pictures. Then a level mean of CF-Eval with its three weighted checks and the band
of `t2i score`, which is about the very pictures. The same seed gives the same tables. Exits with 1 if an interval whose
assumptions hold covers less than chance allows, or if Rogan-Gladen is saved where error rates do not transfer.
"""

from __future__ import annotations

import argparse
import math
import sys

import msgspec
import numpy as np

from counterbench.stats.correction import Correction, Errors, Part, Stratum
from counterbench.stats.intervals import wilson
from counterbench.stats.ppi import ppi_mean
from counterbench.t2i.scores.correction import band
from counterbench.t2i.scores.results import CheckResult

SEED = 20240501
PICTURES = 1000
Rates = tuple[float, float]  # sensitivity, specificity


class Case(msgspec.Struct, frozen=True):
    """How the judge errs where it is tested, and on the model's pictures; how many of those people label."""

    name: str
    tested: Rates
    really: Rates
    share: float = 0.3
    labels: int = 100
    known: int = 200


CASES = (
    Case("error rates hold", (0.95, 0.95), (0.95, 0.95)),
    Case("error rates hold, a weaker judge", (0.85, 0.8), (0.85, 0.8)),
    Case("tested at .95 / .95, really .85 / .80", (0.95, 0.95), (0.85, 0.8)),
    Case("tested at .95 / .95, really .95 / .70 (prior-bound)", (0.95, 0.95), (0.95, 0.7)),
    Case("error rates hold, 30 labels", (0.95, 0.95), (0.95, 0.95), labels=30),
    Case("error rates hold, success is rare (.03), 50 labels", (0.95, 0.95), (0.95, 0.95), share=0.03, labels=50),
)


def share_coverage(case: Case, draws: int) -> list[float]:
    """How often the three intervals hold the model's true share, or that of its pictures, where there is one."""
    source = np.random.default_rng([SEED, *case.name.encode()])
    held, given = np.zeros(3), np.zeros(3)
    for seed in range(draws):
        truth = source.random(PICTURES) < case.share
        said = np.where(truth, source.random(PICTURES) < case.really[0], source.random(PICTURES) >= case.really[1])
        hits = int(said.sum())
        sens, spec = (int(source.binomial(case.known, rate)) for rate in case.tested)
        plain = wilson(hits, PICTURES)
        errors = {"": Errors((sens, case.known), (spec, case.known))}
        checks = Stratum(parts=(Part("", False, hits / PICTURES),), share=1, squares=1 / PICTURES)
        corrected = Correction(errors, draws=500, seed=seed).mean([checks])
        judged = said.astype(float)
        people = ppi_mean(
            truth[: case.labels].astype(float).tolist(), judged[: case.labels].tolist(), judged[case.labels :].tolist()
        )
        assert plain is not None
        assert people is not None
        # Wilson's interval is about all that the model would draw, the others about these very pictures.
        sought = (case.share, float(truth.mean()), float(truth.mean()))
        for place, (low, high) in enumerate((plain, (corrected.low, corrected.high), (people.low, people.high))):
            if low is not None and high is not None:
                given[place] += 1
                held[place] += low <= sought[place] <= high
    return (held / np.where(given, given, np.nan)).tolist()  # type: ignore[no-any-return]


CHECKS = {"integrity": (3, 0.9), "point": (15, 0.4), "logic": (8, 0.3)}  # weight, and how often it is right


def level_coverage(case: Case, draws: int, pictures: int = 200) -> tuple[float, float, float]:
    """How far the judged level mean is off, as predicted and as found, and how often the band holds the true mean."""
    source = np.random.default_rng([SEED, 1, *case.name.encode()])
    weights = np.array([weight for weight, _ in CHECKS.values()]) / sum(weight for weight, _ in CHECKS.values())
    rights = np.array([share for _, share in CHECKS.values()])
    held, off = 0, 0.0
    for seed in range(draws):
        truth = source.random((pictures, 3)) < rights
        noise = source.random((pictures, 3))
        said = np.where(truth, noise < case.really[0], noise >= case.really[1])
        true_mean = float((truth * weights).sum() / pictures)
        off += float((said * weights).sum() / pictures) - true_mean
        errors = {
            skill: Errors(*((int(source.binomial(case.known, rate)), case.known) for rate in case.tested))
            for skill in CHECKS
        }
        found = band(_rows(said), levels=["l1"], errors=errors, draws=500, seed=seed)["l1"]
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= true_mean <= found.high
    sens, spec = case.really
    predicted = float((weights * ((1 - rights) * (1 - spec) - rights * (1 - sens))).sum())
    return predicted, off / draws, held / draws


def _rows(said: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> list[CheckResult]:
    return [
        CheckResult(
            group=f"g{i}",
            level="l1",
            sample=0,
            check=skill,
            dimension="assessment-point",
            weight=float(CHECKS[skill][0]),
            skill=skill,
            credit=float(credit),
        )
        for i, credits in enumerate(said)
        for skill, credit in zip(CHECKS, credits, strict=True)
    ]


def transfers(case: Case) -> bool:
    """Whether what Rogan-Gladen assumes is so."""
    return case.tested == case.really


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000, help="simulations of each case of the first table")
    draws = parser.parse_args().draws
    failures = []

    def least(count: int) -> float:
        return 0.95 - 3 * math.sqrt(0.95 * 0.05 / count)

    print(
        f"**A share of {PICTURES:,} pictures**, 200 + 200 of known truth, 100 labels unless said; {draws:,} simulations"
    )
    print(f"a row, by chance ± {2 * math.sqrt(0.95 * 0.05 / draws):.3f}; 95 % nominal.\n")
    print("| case | as judged | Rogan-Gladen | PPI++ |\n|---|---|---|---|")
    for case in CASES:
        plain, corrected, people = share_coverage(case, draws)
        print(
            f"| {case.name} | {plain:.3f} | {corrected:.3f} | "
            f"{'no interval' if math.isnan(people) else f'{people:.3f}'} |",
            flush=True,
        )
        if transfers(case) and corrected < least(draws):
            failures.append(f"{case.name}: Rogan-Gladen covers {corrected:.3f}")
        if not transfers(case) and corrected > 0.9:
            failures.append(f"{case.name}: Rogan-Gladen covers {corrected:.3f} although error rates do not transfer")
        if case.labels >= 100 and people < least(draws) - 0.01:  # a normal approximation
            failures.append(f"{case.name}: PPI++ covers {people:.3f}")
    some = max(1, draws // 4)
    print(
        f"\n**A level mean of CF-Eval** over 200 pictures, weights 3, 15 and 8, the band; {some:,} simulations a row,"
    )
    print(f"by chance ± {2 * math.sqrt(0.95 * 0.05 / some):.3f}.\n")
    print("| case | off, as the error rates predict | off, as found | band |\n|---|---|---|---|")
    for case in CASES[:4]:
        predicted, off, covered = level_coverage(case, some)
        print(f"| {case.name} | {predicted:+.3f} | {off:+.3f} | {covered:.3f} |", flush=True)
        if transfers(case) and covered < least(some):
            failures.append(f"{case.name}: the band covers {covered:.3f}")
    if failures:
        sys.exit("\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
