"""What the test by order finds in scorers and raters of known faults, by simulation; no picture is drawn.

    python benchmarks/any_judge.py               about ten minutes on one core
    python benchmarks/any_judge.py scorers       one of its parts: scorers, raters, models
    python benchmarks/any_judge.py --seeds 5

Prints Markdown:

scorers   planted scorers on the relevant pairs of the suite certify as comparisons (300 in each of 16 cells), asked as
          `validate` asks: of 16 cells how many pass, how many fail, CCS over all pairs, and the pairs of such cells
raters    a rating from a number with noise, by scale: the share of pairs right in both ways, and of equal ratings
models    how often three models, right on .5, .6 and .7 of 300 prompts, are ordered rightly by the mean number, by
          wins, and by wins with the margin of the controls (within it are 9 in 10 of two equal pictures' numbers)

Exits with 1 if a planted scorer passes a cell that it should not, or lacks one that it should pass, in any seed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from populations import RunPlan, by_cell, in_order, pairs_asked
from rehearsal import Rehearsal

from counterbench.drawing.picture import Picture
from counterbench.evidence.cells import law_of, needed_e_value
from counterbench.evidence.document import MIN_GAPS, NumberFindings
from counterbench.evidence.findings import judge_findings
from counterbench.evidence.policies import load_policy
from counterbench.judges.planted.scorer import PlantedScorer
from counterbench.results.scores import share
from counterbench.suites.kinds import kind_rules
from counterbench.suites.sources import SuiteSource, cells_of
from counterbench.suites.suite import Suite, load_suite

PARTS = ("scorers", "raters", "models")
COUNTING = ("counting/open", "counting/yes-no", "occlusion/open", "occlusion/yes-no")
Numbers = NDArray[np.float64]


class ExpectedCells(NamedTuple):
    """A planted scorer, and what becomes of its cells: "pass", "fail", "counting fails", or "" where it is unclear."""

    spec: str
    cells: str


SCORERS = (
    ExpectedCells("oracle?sd=0.25", "pass"),
    ExpectedCells("oracle?sd=0.35", "pass"),
    ExpectedCells("oracle?sd=0.5", ""),
    ExpectedCells("oracle?sd=1", "fail"),
    ExpectedCells("any-colour?sd=0.1", "counting fails"),
    ExpectedCells("bag-of-words", "fail"),
    ExpectedCells("blind", "fail"),
    ExpectedCells("prettier-wins?p=1", "fail"),
)


class Undrawn:
    """In place of a picture: its name as its digest."""

    def __init__(self, name: str) -> None:
        self.digest = name

    def forget(self) -> None:
        """Nothing is kept."""


def suite_by_order() -> Suite:
    """The relevant families of certify as comparisons; no shape is named by its letter, which no prompt does."""
    data = tomllib.loads((Path(__file__).parents[1] / "scenes/certify.toml").read_text())
    parts = [part for part in data["family"] if part["name"] not in ("control", "treated", "whole-prompt")]
    lines = [f'format = "{data["format"]}"', 'name = "by-order"', 'description = "by order"', "seed = 2026"]
    lines.append("compared = true")
    for part in parts:
        params = part.get("params", {}) | ({"letters": False} if part["name"] == "spatial" else {})
        written = ", ".join(f"{name} = {str(value).lower()}" for name, value in params.items())
        lines += [
            "[[family]]",
            f'name = "{part["name"]}"',
            f"count = {300 * len(part['forms'])}",
            f"forms = {part['forms']}",
        ]
        lines.append(f"params = {{ {written} }}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "by-order.toml"
        file.write_text("\n".join(lines))
        return load_suite(str(file))


def rehearsal_of(source: SuiteSource) -> Rehearsal:
    """The questions of the suite, whose pictures have only names."""
    rehearsal = Rehearsal(source)
    rehearsal._queries = [
        msgspec.structs.replace(
            query, pictures=tuple(_undrawn(f"{query.group}/{place}") for place in range(len(query.pictures)))
        )
        for query in rehearsal._queries
    ]
    return rehearsal


def _undrawn(name: str) -> Picture:
    return Undrawn(name)  # type: ignore[return-value]


def scorers(seeds: int) -> Iterator[str]:
    """The table of planted scorers; a line that begins with WRONG for each that is judged wrongly."""
    suite, policy = suite_by_order(), load_policy()
    rehearsal = rehearsal_of(SuiteSource(suite))
    plan = RunPlan([*cells_of(suite)], [], kind_rules(suite), [])
    yield f"{len(rehearsal.keys) // 2} pairs, {len(plan.cells)} cells, {seeds} seeds, policy {policy.name}\n"
    yield "| scorer | CCS | cells pass | fail | pairs a cell that passes | a cell that fails |"
    yield "|---|---|---|---|---|---|"
    nobody = share(0, 0)
    nothing = NumberFindings(margin=0.0, ties=nobody, at_margin=nobody, gaps=MIN_GAPS, text_order=nobody)
    for scorer in SCORERS:
        ccs, passed, failed, taken = list[float](), list[set[str]](), list[set[str]](), {"pass": [0], "fail": [0]}
        for seed in range(seeds):
            spec = f"planted:{scorer.spec}{'&' if '?' in scorer.spec else '?'}seed={seed}"
            pairs = rehearsal.results_of(PlantedScorer(spec, rehearsal.keys))
            ccs.append(sum(bool(pair.consistent) for pair in pairs) / len(pairs))
            pairs_taken = pairs_asked(plan, in_order(by_cell(pairs)), policy)
            found = judge_findings(pairs_taken, policy, needed_e_value(policy, 1), (), plan.rules, (), nothing)
            verdicts = {cell: found.cells[cell].verdict for cell in plan.cells}
            passed.append({cell for cell in plan.cells if found.laws[law_of(cell)].verdict == "pass"})
            failed.append({cell for cell, verdict in verdicts.items() if verdict == "fail"})
            for name, cells in (("pass", passed[-1]), ("fail", failed[-1])):
                taken[name] += [found.cells[cell].ccs.of for cell in cells]
        means = [f"{np.mean([len(cells) for cells in part]):.1f}" for part in (passed, failed)]
        sizes = [f"{np.mean(taken[name][1:]):.0f}" if taken[name][1:] else "–" for name in ("pass", "fail")]
        yield f"| {scorer.spec} | {np.mean(ccs):.2f} | {' | '.join([*means, *sizes])} |"
        for seed, (good, bad) in enumerate(zip(passed, failed, strict=True)):
            if not as_expected(scorer.cells, plan.cells, good, bad):
                yield f"WRONG: {scorer.spec}, seed {seed}: passed {sorted(good)}, failed {sorted(bad)}"


def as_expected(what: str, cells: Sequence[str], passed: set[str], failed: set[str]) -> bool:
    """True if a scorer's cells passed and failed as they should."""
    if what == "pass":
        return passed == {*cells}
    if what == "counting fails":
        return passed == {*cells} - {*COUNTING} and {law_of(cell) for cell in failed} == {*map(law_of, COUNTING)}
    return what == "" or not passed


def raters(draw: np.random.Generator, pairs: int = 200_000) -> Iterator[str]:
    """The table of raters: a rating is a rounded number with noise (sd .2; .75 for what shows the prompt, else .25)."""
    yield "| scale | right in both ways | equal |\n|---|---|---|"
    for low, high in ((1, 5), (0, 10)):
        truths = np.array([0.75, 0.25, 0.25, 0.75])[:, None]
        numbers = low + (high - low) * (truths + draw.normal(0, 0.2, (4, pairs)))
        a, b, a_again, b_again = np.clip(np.rint(numbers), low, high)
        right = np.mean((a > b) & (b_again > a_again))
        yield f"| {low}–{high} | {right:.2f} | {np.mean(a == b):.2f} |"


def models(draw: np.random.Generator, runs: int = 1000, sd: float = 0.25) -> Iterator[str]:
    """The table of three models, by how their numbers come about."""
    margin = float(np.quantile(np.abs(draw.normal(0, sd * 2**0.5, 100_000)), 0.9))
    yield "| | mean | wins | wins with margin |\n|---|---|---|---|"
    for name, scale, bonus in (
        ("alike", 0.0, 0.0),
        ("scales vary", 1.5, 0.0),
        ("style +.1", 0.0, 0.1),
        ("style +.3", 0.0, 0.3),
    ):
        hits = np.zeros(3)
        for _ in range(runs):
            match = draw.random((3, 300)) < np.array([0.5, 0.6, 0.7])[:, None]
            numbers = match * np.exp(draw.normal(0, scale, 300)) + draw.normal(0, scale, 300)
            numbers = numbers + draw.normal(0, sd, (3, 300)) + np.array([bonus, 0, 0])[:, None]
            orders = numbers.mean(axis=1), wins(numbers, 0.0), wins(numbers, margin)
            hits += [first < second < third for first, second, third in orders]
        yield f"| {name} | {' | '.join(f'{value:.2f}' for value in hits / runs)} |"


def wins(numbers: Numbers, margin: float) -> Numbers:
    """Each model's wins, a tie counting half."""
    gaps = numbers[:, None] - numbers[None]
    won = (gaps > margin) + 0.5 * (np.abs(gaps) <= margin)
    return np.asarray(won.sum(axis=(1, 2)), dtype=np.float64)


def main() -> None:
    """Print the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    draw, wrong = np.random.default_rng(0), False
    for part in options.parts or PARTS:
        lines = {
            "scorers": lambda: scorers(options.seeds),
            "raters": lambda: raters(draw),
            "models": lambda: models(draw),
        }
        print(f"\n## {part}\n")
        for line in lines[part]():
            print(line, flush=True)
            wrong |= line.startswith("WRONG")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
