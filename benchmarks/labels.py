"""People's labels beside a judge, by simulation and on real people's ratings: the tables of docs/labels.md.

    python benchmarks/labels.py              all tables, some ten minutes
    python benchmarks/labels.py widths       one alone: widths, coverage, ranking, certificates, people

Simulated: a run of 600 questions, one a unit, and a judge with errors. DSG's ratings and GenEval's answers are read
from the papers' own files (COUNTERBENCH_UPSTREAM names their folder); without them these tables are left out.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, spearmanr

from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.policies import load_policy
from counterbench.stats.agreement import krippendorff_alpha
from counterbench.stats.betting import BETS
from counterbench.stats.sampled import SeenTerms, Terms, estimate, log_evidence, p_value

UPSTREAM = Path(os.environ.get("COUNTERBENCH_UPSTREAM", Path(__file__).resolve().parents[2] / "shared" / "upstream"))
Floats = NDArray[np.float64]
SIZE = 600
LABELS = (30, 50, 100, 200)
SHARES = (0.03, 0.1, 0.5, 0.9, 0.98)


class Population(NamedTuple):
    """Pictures: people's answer, the judge's, its best guess (its probability, where it tells one)."""

    truth: Floats
    said: Floats
    guess: Floats


def plain_judge(source: np.random.Generator, share: float, sensitivity: float, specificity: float) -> Population:
    """A judge whose errors nothing tells from its right answers."""
    truth = (source.random(SIZE) < share).astype(float)
    right = np.where(truth == 1, sensitivity, specificity) > source.random(SIZE)
    answers = np.where(right, truth, 1 - truth)
    return Population(truth, answers, answers)


def telling(source: np.random.Generator, share: float, unsure: float, wrong: float, slips: float) -> Population:
    """A judge that contradicts itself on a share `unsure` of the questions, and is `wrong` there; `slips` elsewhere."""
    truth = (source.random(SIZE) < share).astype(float)
    torn = source.random(SIZE) < unsure
    right = source.random(SIZE) > np.where(torn, wrong, slips)
    answers = np.where(right, truth, 1 - truth)
    return Population(truth, answers, np.where(torn, 0.5, answers))


JUDGES: dict[str, Callable[[np.random.Generator, float], Population]] = {
    ".95/.95": lambda source, share: plain_judge(source, share, 0.95, 0.95),
    ".9/.7": lambda source, share: plain_judge(source, share, 0.9, 0.7),
    "prior-bound (.95/.3)": lambda source, share: plain_judge(source, share, 0.95, 0.3),
    "constant": lambda source, share: plain_judge(source, share, 1.0, 0.0),
}


def sampled(
    source: np.random.Generator, population: Population, labels: int, guess: Floats | None, active: bool
) -> tuple[Terms, SeenTerms]:
    """A draw of `labels` pictures; the terms are shares of the mean. `active`: as `labelling.units` weights them."""
    weights = 1 + 2 * population.guess * (1 - population.guess) if active else np.ones(SIZE)
    order = np.argsort(-np.log(source.random(SIZE)) / weights)[:labels]
    judge = np.full(SIZE, 0.5) if guess is None else guess
    terms = Terms(np.zeros(SIZE), np.full(SIZE, 1 / SIZE), judge / SIZE, weights)
    labelled = population.truth[order] / SIZE
    return terms, SeenTerms(order.tolist(), labelled, labelled)


def ppi(population: Population, order: NDArray[np.int64]) -> tuple[float, float]:
    """PPI++'s interval for a fixed number of labels (Angelopoulos, Duchi and Zrnic 2023), uniform and normal."""
    n, rest = len(order), np.setdiff1d(np.arange(SIZE), order)
    truth, answers, others = population.truth[order], population.said[order], population.said[rest]
    spread = population.said.var(ddof=1)
    weight = min(1.0, max(0.0, float(np.cov(truth, answers)[0, 1]) / ((1 + n / len(rest)) * spread))) if spread else 0.0
    value = truth.mean() + weight * (others.mean() - answers.mean())
    variance = len(rest) / SIZE * (truth - weight * (1 + n / len(rest)) * answers).var(ddof=1) / n
    half = float(norm.ppf(0.975)) * math.sqrt(variance)
    return value - half, value + half


def widths(draws: int = 60) -> None:
    """Widths at each number of labels, and the labels that the active draw needs for the uniform one's width.

    b takes the judge's answers as they are; b' and c take its best guesses, one half where it contradicts itself.
    """
    sizes = (20, *LABELS, 140, 300)
    print(f"\n**Mean width of the 95 % interval**, {draws} draws a cell; c ÷ b: labels of c for the width of b.\n")
    print("| judge, truly yes | labels | a: labels | b: uniform | b': uniform, doubts | c: active | c ÷ b | c ÷ b' |")
    print("|---" * 8 + "|")
    kinds: dict[str, Callable[[np.random.Generator], Population]] = {
        "unsure on a quarter, .5": lambda source: telling(source, 0.5, 0.25, 0.4, 0.01),
        "unsure on a fifth, .7": lambda source: telling(source, 0.7, 0.2, 0.5, 0.005),
        ".95/.95, .5": lambda source: JUDGES[".95/.95"](source, 0.5),
        ".9/.7, .7": lambda source: JUDGES[".9/.7"](source, 0.7),
    }
    for name, make in kinds.items():
        source = np.random.default_rng(1)
        mean = dict[str, list[float]]()
        for way in "abBc":
            mean[way] = []
            for labels in sorted(sizes):
                ends = []
                for _ in range(draws):
                    drawn = make(source)
                    guess = {"a": None, "b": drawn.said, "B": drawn.guess, "c": drawn.guess}[way]
                    interval = estimate(*sampled(source, drawn, labels, guess, way == "c"))
                    ends.append(interval.high - interval.low)
                mean[way].append(float(np.mean(ends)))
        for labels in LABELS:
            a, b, doubts, c = (float(np.interp(labels, sorted(sizes), mean[way])) for way in "abBc")
            falling = [-width for width in mean["c"]]
            needed = [float(np.interp(-width, falling, sorted(sizes))) / labels for width in (b, doubts)]
            cells = " | ".join(f"{width:.3f}" for width in (a, b, doubts, c))
            print(f"| {name} | {labels} | {cells} | {needed[0]:.2f} | {needed[1]:.2f} |", flush=True)


def coverage(draws: int = 300) -> None:
    """How often the interval holds the truth at all times up to 200 labels; PPI++'s at 30 and 100 stands beside."""
    error = 200 * math.sqrt(0.95 * 0.05 / draws)
    print(f"\n**Holds the truth, %**, at all times up to 200 labels; {draws} draws a cell, ± {error:.1f} by chance.\n")
    print("| judge | draw | " + " | ".join(map(str, SHARES)) + " |")
    print("|---" * (2 + len(SHARES)) + "|")
    for name, make in JUDGES.items():
        for active in (False, True):
            cells = []
            for share in SHARES:
                source, held = np.random.default_rng([2, active, round(100 * share)]), 0
                for _ in range(draws):
                    drawn = make(source, share)
                    if active:  # a judge that tells a probability, whatever it is worth
                        drawn = drawn._replace(guess=np.abs(drawn.said - source.random(SIZE) / 2))
                    held += p_value(*sampled(source, drawn, 200, drawn.guess, active), float(drawn.truth.mean())) > 0.05
                cells.append(100 * held / draws)
            print(f"| {name} | {'active' if active else 'uniform'} | " + " | ".join(f"{c:.1f}" for c in cells) + " |")
        for labels in (30, 100):
            cells = []
            for share in SHARES:
                source, held = np.random.default_rng([3, labels, round(100 * share)]), 0
                for _ in range(draws * 3):
                    drawn = make(source, share)
                    low, high = ppi(drawn, source.permutation(SIZE)[:labels])
                    held += low <= drawn.truth.mean() <= high
                cells.append(100 * held / draws / 3)
            print(f"| {name} | PPI++ at {labels} | " + " | ".join(f"{c:.1f}" for c in cells) + " |", flush=True)


def ranking(draws: int = 400, gap: float = 0.15) -> None:
    """How often 100 labels bring right the order of two models that a judge has turned round."""
    print(f"\n**Two models, truly {gap:g} apart, turned round by the judge**: right by labels, % of {draws} runs.\n")
    print("| labels | raters | right order | right and shown (p ≤ .05) | wrong and shown |\n|---|---|---|---|---|")
    for labels in (50, 100, 200):
        for raters in ("one, never wrong", "two of three, wrong at 5 %"):
            source, right, shown, false = np.random.default_rng([4, labels]), 0, 0, 0
            slip = 0.0 if raters.startswith("one") else 3 * 0.05**2 * 0.95 + 0.05**3  # of a majority of three
            for _ in range(draws):
                better, worse = (source.random(300) < share for share in (0.7, 0.7 - gap))
                answers = [np.where(source.random(300) < 0.93, better, ~better) & (source.random(300) > 0.3), worse]
                order = source.permutation(300)[: labels // 2]  # a question about a picture of each model
                labelled = [np.where(source.random(300) < slip, ~truth, truth) for truth in (better, worse)]
                term = (labelled[0].astype(float) - labelled[1])[order] / 300
                ends = np.full(300, 1 / 300)
                terms = Terms(-ends, ends, (answers[0].astype(float) - answers[1]) / 300, np.ones(300))
                interval = estimate(terms, SeenTerms(order.tolist(), term, term))
                p = p_value(terms, SeenTerms(order.tolist(), term, term))
                right, shown, false = (
                    right + (interval.value > 0),
                    shown + (interval.value > 0 and p <= 0.05),
                    false + (interval.value < 0 and p <= 0.05),
                )
            cells = " | ".join(f"{100 * count / draws:.1f}" for count in (right, shown, false))
            print(f"| {labels} | {raters} | {cells} |", flush=True)


def certificates(draws: int = 300) -> None:
    """How many labels certify a skill, by the judge's sensitivity and specificity; and how often wrongly."""
    policy = load_policy("standard")
    least, bets = math.log(needed_e_value(policy, 1)), np.array(BETS)
    print(f"\n**Labels that certify one skill** above {policy.ccs:g}, half of the answers yes; {draws} runs of 600.\n")
    print("| sensitivity = specificity | certified by 100 labels | 200 | 400 | median labels |\n|---|---|---|---|---|")
    for share in (1.0, 0.98, 0.95, 0.85):
        source, needed = np.random.default_rng([5, round(100 * share)]), []
        for _ in range(draws):
            truth = source.random(SIZE) < 0.5
            yes = np.where(source.random(SIZE) < share, truth, ~truth)
            order = source.permutation(SIZE)
            for labels in range(40, 401, 20):
                labelled = order[:labels].tolist()
                logs = []
                for side in (True, False):
                    gain = np.where(truth == side, (yes == side) - policy.ccs, 0.0)
                    terms = Terms(*(np.full(SIZE, end) for end in (-policy.ccs, 1 - policy.ccs, 0.0, 1.0)))
                    logs.append(log_evidence(terms, SeenTerms(labelled, gain[labelled], gain[labelled]), bets=bets))
                if min(logs) >= least:
                    needed.append(labels)
                    break
            else:
                needed.append(10_000)
        cells = " | ".join(f"{100 * np.mean(np.array(needed) <= labels):.0f} %" for labels in (100, 200, 400))
        median = int(np.median(needed))
        print(f"| {share:g} | {cells} | {median if median < 10_000 else '–'} |", flush=True)


def people(draws: int = 200) -> None:
    """DSG's raters and a real judge: half of the ratings as labels, the order of five models by the other half."""
    folder = UPSTREAM / "DSG"
    if not (folder / "mplug_dsg_tifa160.csv").is_file():
        print(f"\nDSG's ratings are not in {folder}: left out")
        return
    judge = _dsg_scores(folder / "mplug_dsg_tifa160.csv")
    ratings: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in _rows(folder / "tifa160-likert-anns.csv"):
        ratings[row["t2i_model"], row["item_id"]].append((float(row["answer"]) - 1) / 4)
    models = sorted({model for model, _ in judge})
    places = {model: [place for place in judge if place[0] == model and place in ratings] for model in models}
    print(f"\n**DSG: {sum(map(len, ratings.values())):,} ratings of {len(models)} models**, mPLUG as the judge.")
    print("Half of each picture's ratings are labels; the other half says which models are better.\n")
    print(
        "| labelled pictures a model | order of models: Spearman | of pairs .05 apart, right | interval holds | width |"
    )
    print("|---|---|---|---|---|")
    for labels in (0, 10, 30, 60, 100):
        source, rhos, right, held, wide = np.random.default_rng(6), [], [], [], []
        for _ in range(draws if labels else 1):
            estimated, other = {}, {}
            for model in models:
                halves = [source.permutation(ratings[place]) for place in places[model]]
                first, rest = ([float(np.mean(half[cut])) for half in halves] for cut in (slice(0, 2), slice(2, None)))
                n, order = len(halves), source.permutation(len(halves))[:labels]
                guess = np.array([judge[place] for place in places[model]]) / n
                terms = Terms(np.zeros(n), np.full(n, 1 / n), guess, np.ones(n))
                labelled = np.array(first)[order] / n
                interval = estimate(terms, SeenTerms(order.tolist(), labelled, labelled))
                estimated[model], other[model] = interval.value, fmean(rest)
                held.append(interval.low <= fmean(first) <= interval.high)
                wide.append(interval.high - interval.low)
            rhos.append(float(spearmanr([estimated[m] for m in models], [other[m] for m in models]).statistic))
            pairs = [pair for pair in combinations(models, 2) if abs(other[pair[0]] - other[pair[1]]) >= 0.05]
            right.append(fmean((estimated[a] > estimated[b]) == (other[a] > other[b]) for a, b in pairs))
        cells = f"{fmean(rhos):.2f} | {100 * fmean(right):.0f} % | {100 * fmean(held):.1f} % | {fmean(wide):.2f}"
        print(f"| {labels or '0: judge alone'} | {cells} |", flush=True)
    _workers(UPSTREAM / "GenEval" / "annotations_sdv2.csv")


def _dsg_scores(path: Path) -> dict[tuple[str, str], float]:
    """DSG's score of each picture: the share of questions with a yes whose parents all have one."""
    answers_of: dict[tuple[str, str], dict[str, tuple[bool, list[str]]]] = defaultdict(dict)
    for row in _rows(path):
        parents = [parent for parent in row["dependency_id"].split(",") if parent.strip() not in ("", "0")]
        answers_of[row["t2i_model"], row["item_id"]][row["question_id"]] = (row["answer"] == "yes", parents)
    return {
        place: fmean(yes and all(answers[p.strip()][0] for p in parents if p.strip() in answers)
                     for yes, parents in answers.values())
        for place, answers in answers_of.items()
    }  # fmt: skip


def _workers(path: Path) -> None:
    """The agreement of GenEval's five workers with each other, by question."""
    if not path.is_file():
        return
    answers_of: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in _rows(path):
        for column, answer in row.items():
            if column.startswith("Answer.task-") and answer:
                kind = column.removeprefix("Answer.task-").rstrip("-01xy")
                answers_of[kind][f"{row['Input.prompt_id']}/{row['Input.image_id']}/{column}"].append(answer)
    print("\n**GenEval: five workers a picture, 400 pictures**\n")
    print("| question | answered | Krippendorff's α |\n|---|---|---|")
    for kind in ("count", "color", "position"):
        things = [row for row in answers_of[kind].values() if len(row) > 1]
        raters = [[row[n] if n < len(row) else None for row in things] for n in range(5)]
        alpha = krippendorff_alpha(raters, "nominal")
        print(f"| {kind} | {len(things)} | {'–' if alpha is None else f'{alpha:.2f}'} |", flush=True)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


TABLES = {part.__name__: part for part in (widths, coverage, ranking, certificates, people)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="?", choices=list(TABLES), help="one table alone")
    only = parser.parse_args().only
    for name, tabulate in TABLES.items():
        if only in (None, name):
            tabulate()


if __name__ == "__main__":
    main()
