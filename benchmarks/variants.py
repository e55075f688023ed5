"""How often the gain of a rewritten prompt set is found, by simulation: a table in Markdown.

    python benchmarks/variants.py            1,000 runs a row, two minutes

A run is 200 prompts of 3 yes/no checks, judged over the original and over the variant; the planted gain is .05 on
average. No picture is drawn: credits are drawn, and go through the function that `compare` calls.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from counterbench.pictures.comparing.variants import sides_of
from counterbench.pictures.protocols import protocol
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import DEFAULT

PROMPTS, CHECKS, SHARE, GAIN = 200, 3, 0.4, 0.05
SEED = 20250611

Chances = tuple[np.ndarray, np.ndarray]  # (PROMPTS, CHECKS): of a right answer, over the original and over the variant


def alike(source: np.random.Generator) -> Chances:
    """All checks are as hard, and gain as much."""
    original = np.full((PROMPTS, CHECKS), SHARE)
    return original, original + GAIN


def of_their_own(source: np.random.Generator) -> Chances:
    """Each check has a difficulty of its own, and gains a share of what is missing."""
    original = source.beta(2 * SHARE, 2 * (1 - SHARE), (PROMPTS, CHECKS))
    return original, original + GAIN / (1 - SHARE) * (1 - original)


def some_prompts(source: np.random.Generator) -> Chances:
    """A tenth of the prompts is understood only in other words, the rest gains nothing."""
    original = np.full((PROMPTS, CHECKS), SHARE)
    return original, original + 10 * GAIN * (source.random(PROMPTS) < 0.1)[:, None]


ROWS: dict[str, Callable[[np.random.Generator], Chances]] = {
    "all checks alike": alike,
    "checks of their own difficulty": of_their_own,
    "a tenth of the prompts gains .5": some_prompts,
    "no gain": lambda source: (alike(source)[0],) * 2,
}


def rows(source: np.random.Generator, chances: np.ndarray) -> Iterator[CheckResult]:
    """Judged checks, each right at its chance."""
    for (prompt, check), right in np.ndenumerate(source.random(chances.shape) < chances):
        yield CheckResult(
            group=f"g{prompt}", level="image", sample=0, check=f"q{check}", dimension="d", weight=1, skill="",
            credit=float(right), answer="yes" if right else "no",
        )  # fmt: skip


def simulated(kind: str, runs: int) -> tuple[float, float, float]:
    """The shares of runs with a gain above 0, an interval that holds the planted gain, and p of 5 % or less."""
    source, checklist = np.random.default_rng(SEED), protocol("checklist")
    shared, truth = {f"g{prompt}/image" for prompt in range(PROMPTS)}, 0.0 if kind == "no gain" else GAIN
    found = []
    for _ in range(runs):
        original, variant = (list(rows(source, chances)) for chances in ROWS[kind](source))
        scoring = checklist.scorings[DEFAULT]
        (sides,) = sides_of(checklist, scoring, variant, original, shared, ["image"], ("variant", "original"))
        test = sides.couple.differences["score"]
        gain, p = test.interval(), test.p()
        assert not {gain.value, gain.low, gain.high, p} & {None}
        found.append((gain.value > 0, gain.low <= truth <= gain.high, p <= 0.05))  # type: ignore[operator]
    sign, held, decided = np.mean(found, axis=0)
    return sign, held, decided


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print(f"| {PROMPTS} prompts of {CHECKS} checks, gain .05 | sign found | interval holds it | p ≤ 5 % |")
    print("|---|---:|---:|---:|")
    for kind in ROWS:
        print(f"| {kind} | {' | '.join(f'{share:.3f}' for share in simulated(kind, runs))} |", flush=True)
    print(f"\nChance alone moves a share by up to {2 * (0.25 / runs) ** 0.5:.3f}.")


if __name__ == "__main__":
    main()
