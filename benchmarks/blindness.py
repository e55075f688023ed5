"""Whether suites give their answers away to who does not look, or not at what is asked about.

    python benchmarks/blindness.py                      every shipped suite but smoke
    python benchmarks/blindness.py laws --items 1000    one of them, with fewer items

Three classifiers are trained on pairs of many seeds and asked about as many of others; none may do better than chance:

words      the question alone: its words, pairs of them and the whole, to the answer of the original picture
picture    one picture of a pair, by lot, without the question: its bytes as PNG, the share of every colour, how many
           parts, damage, its place in the folder and in its pair. Yes/no only: an open answer is in the picture
damage     the question, and what is damaged in that picture; where damage is what is asked about, neither

Chance is the share of the commonest answer, to open questions of each skill; where these name answers ("the red circle
or the blue square?"), of the one that is named first or second. It ends with 1 where a classifier is more than two
points better than that.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import numpy as np
from scipy import ndimage, sparse
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from counterbench.drawing import png
from counterbench.drawing.styles import draw
from counterbench.palette import COLOUR_RGB, COLOURS, GLOW_RGB, SHAPES, UNLIT_RGB
from counterbench.scene.figures import Damage, DamageKind
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import Whole
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
from counterbench.stats.intervals import wilson
from counterbench.suites.suite import Suite, load_suite
from counterbench.suites.workers import count as processes
from counterbench.suites.workers import in_chunks

SUITES = ("certify", "laws", "controls", "counterbench-550")
# Seeds from here on, even ones to train on and odd ones to test on: no shipped suite has one of them.
FIRST_SEED = 700_000
POINTS = 2.0
# Families whose pictures may be damaged, and how.
DAMAGED, KINDS = ("laws", "law-control"), get_args(DamageKind)
_NAMED = re.compile(f"({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})")


@dataclass(frozen=True)
class Item:
    """A pair as the classifiers see it.

    `original`, `answer`: of the original and of the chosen picture. `kind`: of an open question, its skill and how many
    answers it names.
    """

    row: tuple[str, str]
    tested: bool
    question: str
    kind: str
    original: str
    answer: str
    picture: tuple[float, ...]
    damage: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--items", type=int, default=3000, help="of each kind, to train on, and as many to test on")
    parser.add_argument("--points", type=float, default=POINTS, help="so many above chance are too many")
    given = parser.parse_args()
    worst = max(report(name, given.items, given.points) for name in given.suites or SUITES)
    sys.exit(int(worst > given.points))


def report(name: str, items: int, points: float) -> float:
    """Prints a suite's table; how far the best classifier was above chance, in points."""
    print(f"\n{name}")
    print(f"{'family':<12} {'asked':<11} {'sees':<8} {'items':>5} {'chance':>7} {'right':>6}  {'95 %':<11} {'over':>5}")
    worst = -100.0
    for row, drawn in seen(name, items).items():
        for sees, (hits, n, chance) in judged(drawn).items():
            low, high = wilson(hits, n) or (0.0, 1.0)
            over = 100 * (hits / n - chance)
            worst = max(worst, over)
            print(
                f"{row[0]:<12} {row[1]:<11} {sees:<8} {n:>5} {100 * chance:>7.1f} {100 * hits / n:>6.1f}"
                f"  {100 * low:>4.1f}–{100 * high:<6.1f} {over:>+5.1f}{' !' if over > points else ''}",
                flush=True,
            )
    return worst


def seen(name: str, items: int) -> dict[tuple[str, str], list[Item]]:
    """By family and form (of laws, by kind of check) about so many items to train on, and to test on."""
    suite = load_suite(name)
    found: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for number, part in enumerate(suite.parts):
        rows = 5 if part.family == "laws" else len(part.forms)
        seeds, task = range(FIRST_SEED, FIRST_SEED + 2 * items * rows), partial(_items, suite, number)
        for item in in_chunks(task, seeds, workers=processes(None), chunk=50, total=len(seeds)):
            found[item.row].append(item)
    return found


def _items(suite: Suite, number: int, seeds: list[int]) -> list[Item]:
    """An item of each seed, somewhere in the suite: so that no two have anything in common."""
    part = suite.parts[number]
    places = [Stream(seed, "place", part.family).below(part.count) for seed in seeds]
    return [_item(suite.reseeded(seed).sample(part, at), seed) for seed, at in zip(seeds, places, strict=True)]


def _item(pair: Pair, seed: int) -> Item:
    role = Stream(seed, "role", pair.family, pair.index).below(2)
    scene = pair.scenes[role]
    named = [found.group() for found in _NAMED.finditer(pair.question)] if pair.form == "open" else []

    def label(answer: str) -> str:
        return f"named {named.index(answer)}" if answer in named else answer

    look_at_damage = isinstance(pair.program, Whole)
    damage = [f"{e.kind} dose{e.dose}" for e in scene.elements if isinstance(e, Damage)] or ["whole"]
    return Item(
        row=(pair.family, pair.cell.partition("/")[2] if pair.family == "laws" else pair.form),
        tested=bool(seed % 2),
        question=pair.question,
        kind=f"{pair.skill} {len(named)}" if pair.form == "open" else "",
        original=label(pair.original_answer),
        answer=label(pair.answers[role]),
        picture=_looks(scene, pair, role) if pair.form == "yes-no" and not look_at_damage else (),
        damage=" ".join(damage) if pair.family in DAMAGED and not look_at_damage else "",
    )


def _looks(scene: Scene, pair: Pair, role: int) -> tuple[float, ...]:
    """What is to be had of a picture without reading it."""
    image = draw(scene, first=pair.original)
    pixels = np.asarray(image)[::4, ::4].astype(int)
    shares = [float((pixels == colour).all(axis=2).mean()) for colour in (*COLOUR_RGB.values(), UNLIT_RGB, GLOW_RGB)]
    ground = np.median(pixels, axis=(0, 1))
    parts = ndimage.label(np.abs(pixels - ground).max(axis=2) > 24)[1]
    damage = next((e for e in scene.elements if isinstance(e, Damage)), None)
    spoilt = (0, 0) if damage is None else (1 + KINDS.index(damage.kind), damage.dose)
    return (role, pair.index, len(png.encode(image)), parts, float(ground[0]), *shares, *spoilt)


def judged(items: Sequence[Item]) -> dict[str, tuple[int, int, float]]:
    """By what it sees, a classifier's right answers, of how many, and what chance gives."""
    looked = [item for item in items if item.picture]
    damaged = [item for item in items if item.damage]
    found = {"words": _tested(items, [item.original for item in items], _words([item.question for item in items]))}
    if looked:
        table = np.array([item.picture for item in looked])
        found["picture"] = _tested(looked, [item.answer for item in looked], table)
    if damaged:
        # Each word once more as said beside that damage: what damage says may depend on what is asked.
        told = [" ".join([i.question, i.damage, *(f"{w}_{i.damage[:5]}" for w in i.question.split())]) for i in damaged]
        found["damage"] = _tested(damaged, [item.answer for item in damaged], _words(told))
    return found


def _words(texts: Sequence[str]) -> Any:
    """Words and pairs of them, and each text that comes more than once as a whole."""
    words = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", binary=True, min_df=3)
    whole = CountVectorizer(analyzer=lambda text: [text], binary=True, min_df=3)
    try:
        return sparse.hstack([words.fit_transform(texts), whole.fit_transform(texts)]).tocsr()
    except ValueError:  # no text comes three times
        return words.fit_transform(texts).tocsr()


def _tested(items: Sequence[Item], answers: Sequence[str], table: Any) -> tuple[int, int, float]:
    tested = np.array([item.tested for item in items])
    truth, kinds = np.array(answers), np.array([item.kind for item in items])
    model = LogisticRegression(C=0.3, max_iter=300) if sparse.issparse(table) else HistGradientBoostingClassifier()
    right = model.fit(table[~tested], truth[~tested]).predict(table[tested]) == truth[tested]
    # Of all items, and not of those tested alone, whose commonest of many answers is common by chance.
    shares = {kind: Counter(truth[kinds == kind]).most_common(1)[0][1] / sum(kinds == kind) for kind in set(kinds)}
    chance = np.mean([shares[kind] for kind in kinds[tested]])
    return int(right.sum()), len(right), float(chance)


if __name__ == "__main__":
    main()
