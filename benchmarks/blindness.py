"""Whether suites give their answers away to who does not look, or not at what is asked about.

    python benchmarks/blindness.py                      every shipped suite but smoke
    python benchmarks/blindness.py laws --items 1000    one of them, with fewer items
    python benchmarks/blindness.py laws --cells 200     each cell by itself, the worst first

Three classifiers are trained on pairs of many seeds and asked about as many of others; none may do better than chance:

words      the question alone: its words, pairs of them and the whole, to the answer of the original picture
picture    one picture of a pair, by lot, without the question: its bytes as PNG, the share of every colour, how many
           parts and kinds of things, damage, how many things are inside something and how many beside it, its place in
           the folder and in its pair. Yes/no only: an open answer is in the picture
damage     the question, and what is damaged in that picture; where damage is what is asked about, neither

Chance is the share of the commonest answer, to open questions of each skill; where these name answers ("the red circle
or the blue square?"), of the one that is named first or second. It ends with 1 where a classifier is more than two
points better than that.

Then the rules that a person would try who sees a picture, and of the question no more than the rule says (`RULES`): the
share of pairs that each has right on both pictures (CCS). It ends with 1 where one has more than `--rule` per
cent. Of comparisons a rule says how well a picture fits the prompt, and is right where it is right on both prompts; one
of them is a judge of words without their order, who may be right on half (`COMPARED`).

Of each cell of laws (`--cells`): in what share of its pairs both pictures have what is asked about, so that the one
whose answer is no shows another value of it; the CCS of who says yes where each thing that is named is there once; and
how often a classifier is right that sees what things and colours one picture has, not the question (chance is 50).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

import numpy as np
from scipy import ndimage, sparse
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from counterbench.answers.choices import FIRST
from counterbench.drawing import png
from counterbench.drawing.styles import draw
from counterbench.palette import COLOUR_RGB, COLOURS, GLOW_RGB, SHAPES, UNLIT_RGB
from counterbench.scene.figures import Damage, DamageKind
from counterbench.scene.nouns import NOUNS
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import Fact, Whole
from counterbench.scene.programs.named import Named, matching
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Container, Scene
from counterbench.scene.seeds import Stream
from counterbench.stats.intervals import wilson
from counterbench.suites.comparisons import is_comparison
from counterbench.suites.suite import Suite, load_suite
from counterbench.suites.workers import in_chunks, worker_count

SUITES = ("certify", "laws", "controls", "counterbench-550", "pairwise", "whole-prompts")
# Seeds from here on, even ones to train on and odd ones to test on: no shipped suite has one of them.
FIRST_SEED = 700_000
POINTS = 2.0
# A cell tests its name where so many per cent of its pairs show another value of what is asked.
MIN_SEEN = 100 / 3
# Rules may be right on both pictures of so many per cent of the pairs.
MAX_CCS = 30.0
# Families whose pictures may be damaged, and how.
DAMAGED, KINDS = ("laws", "law-control"), get_args(DamageKind)
# Families whose cells are not the forms of their questions.
BY_CELL = "laws", "whole-prompt"
_NAMED = re.compile(f"({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})")


@dataclass(frozen=True)
class BlindItem:
    """A pair as the classifiers see it.

    `original`, `answer`: of the original and of the chosen picture. `kind`: of an open question, its skill and how many
    answers it names. `rules`: by its name whether a rule is right on both pictures.
    """

    row: tuple[str, str]
    tested: bool
    question: str
    kind: str
    original: str
    answer: str
    picture: tuple[float, ...]
    damage: str
    rules: dict[str, bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--items", type=int, default=3000, help="of each kind, to train on, and as many to test on")
    parser.add_argument("--points", type=float, default=POINTS, help="so many above chance are too many")
    parser.add_argument("--rule", type=float, default=MAX_CCS, help="CCS in per cent, of a rule, that is too much")
    parser.add_argument("--cells", type=int, default=0, help="instead: so many pairs of each cell, by itself")
    given = parser.parse_args()
    if given.cells:
        poor = [report_cells(name, given.cells) for name in given.suites or ["laws", "rules"]]
        sys.exit(int(any(poor)))
    failed = [report(name, given.items, given.points, given.rule) for name in given.suites or SUITES]
    sys.exit(int(any(failed)))


def report(name: str, items: int, points: float, most: float) -> bool:
    """Prints a suite's tables; whether a classifier or a rule was too good."""
    print(f"\n{name}")
    print(f"{'family':<12} {'asked':<11} {'sees':<8} {'items':>5} {'chance':>7} {'right':>6}  {'95 %':<11} {'over':>5}")
    worst = -100.0
    drawn_by_row = items_by_cell(name, items)
    for row, drawn in drawn_by_row.items():
        if len({item.original for item in drawn}) == 1:
            continue  # controls of comparisons, all equal
        for sees, (hits, n, chance) in guessed(drawn).items():
            low, high = wilson(hits, n) or (0.0, 1.0)
            over = 100 * (hits / n - chance)
            worst = max(worst, over)
            print(
                f"{row[0]:<12} {row[1]:<11} {sees:<8} {n:>5} {100 * chance:>7.1f} {100 * hits / n:>6.1f}"
                f"  {100 * low:>4.1f}–{100 * high:<6.1f} {over:>+5.1f}{' !' if over > points else ''}",
                flush=True,
            )
    for row, drawn in drawn_by_row.items():
        for rule in drawn[0].rules:
            share = 100 * float(np.mean([item.rules[rule] for item in drawn]))
            limit = max(most, COMPARED[rule][1]) if rule in COMPARED else most
            worst = max(worst, points + share - limit)
            print(
                f"{row[0]:<12} {row[1]:<11} {rule:<44} {len(drawn):>5} CCS {share:>5.1f}{' !' if share > limit else ''}"
            )
    return worst > points


def items_by_cell(name: str, items: int) -> dict[tuple[str, str], list[BlindItem]]:
    """By family and form (of laws and whole prompts, by cell) about so many items to train on, and to test on."""
    suite = load_suite(name)
    found: dict[tuple[str, str], list[BlindItem]] = defaultdict(list)
    for number, part in enumerate(suite.parts):
        rows = 5 if part.family in BY_CELL else len(part.forms)
        seeds, task = range(FIRST_SEED, FIRST_SEED + 2 * items * rows), partial(_items, suite, number)
        for item in in_chunks(task, seeds, workers=worker_count(None), chunk=50, total=len(seeds)):
            found[item.row].append(item)
    return found


def _items(suite: Suite, number: int, seeds: list[int]) -> list[BlindItem]:
    """An item of each seed, somewhere in the suite: so that no two have anything in common."""
    part = suite.parts[number]
    places = [Stream(seed, "place", part.family).below(part.count) for seed in seeds]
    return [_item(suite.reseeded(seed).sample(part, at), seed) for seed, at in zip(seeds, places, strict=True)]


def _item(pair: Pair, seed: int) -> BlindItem:
    role = Stream(seed, "role", pair.family, pair.index).below(2)
    scene = pair.scenes[role]
    named = [found.group() for found in _NAMED.finditer(pair.question)] if pair.form == "open" else []

    def label(answer: str) -> str:
        return f"named {named.index(answer)}" if answer in named else answer

    look_at_damage = isinstance(pair.program, Whole)
    damage = [f"{e.kind} dose{e.dose}" for e in scene.elements if isinstance(e, Damage)] or ["whole"]
    return BlindItem(
        row=(pair.family, pair.cell.partition("/")[2] if pair.family in BY_CELL else pair.form),
        tested=bool(seed % 2),
        question=pair.question,
        kind=f"{pair.skill} {len(named)}" if pair.form == "open" else "",
        original=label(pair.original_answer),
        answer=label(pair.answers[role]),
        picture=_looks(scene, pair, role) if pair.form == "yes-no" and not look_at_damage else (),
        damage=" ".join(damage) if pair.family in DAMAGED and not look_at_damage else "",
        rules={} if not pair.relevant or look_at_damage else _results(pair),
    )


def _inside(scene: Scene) -> tuple[int, int]:
    """How many shapes are inside the container or things inside a vessel, and how many are not."""
    boxes = [e.interior for e in scene.elements if isinstance(e, Container)]
    things = scene.shapes if boxes else scene.figures
    boxes += [f.interior for f in scene.figures if NOUNS[f.noun].holds]
    held = sum(any(thing.box.within(box) for box in boxes) for thing in things)
    return held, len(things) - held


def _share_of(pair: Pair, colour: bool) -> Callable[[Scene], int]:
    """How many shapes of the asked colour there are, or of the asked kind."""
    program: Any = pair.program.program if isinstance(pair.program, Equals) else pair.program
    return lambda scene: sum((s.colour == program.colour if colour else s.kind == program.kind) for s in scene.shapes)


def _once(pair: Pair, scene: Scene) -> bool:
    return all(len(matching(scene, thing)) == 1 for thing in _named(pair))


def _named(pair: Pair) -> Sequence[Named]:
    """The things that a question about a law's outcome is of."""
    return pair.program.of.named if isinstance(pair.program, Fact) else ()


def _has_colour(pair: Pair, scene: Scene) -> bool:
    return isinstance(pair.program, Equals) and any(s.colour == pair.program.value for s in scene.shapes)


def _lacks_a_thing(scene: Scene) -> bool:
    """Whether there is a colour and a kind of which every shape has one, and none both."""
    names = {(shape.colour, shape.kind) for shape in scene.shapes}
    colours, kinds = ({name[i] for name in names} for i in (0, 1))
    return any(all((c == colour) != (k == kind) for c, k in names) for colour in colours for kind in kinds)


Rule = Callable[[Pair, Scene], bool | int]
LACKS = "all others share one trait with something missing"
# By family, what a person would try: of a pair's yes/no question and a picture, whether to say yes.
RULES: dict[str, dict[str, Rule]] = {
    "containment": {
        "half or more inside": lambda pair, scene: _inside(scene)[0] >= _inside(scene)[1],
        "more inside than outside": lambda pair, scene: _inside(scene)[0] > _inside(scene)[1],
        "anything inside": lambda pair, scene: _inside(scene)[0] > 0,
        "exactly one inside": lambda pair, scene: _inside(scene)[0] == 1,
        "an odd number inside": lambda pair, scene: _inside(scene)[0] % 2 == 1,
    },
    "attribute": {"anything in that color": _has_colour},
    "presence": {
        "that color and that kind": lambda pair, scene: all(_share_of(pair, by)(scene) > 0 for by in (True, False)),
        LACKS: lambda pair, scene: _lacks_a_thing(scene) == (" no " in pair.question),
    },
}


# Of questions for a number and of those that name one: the number that each sees, whatever colour and kind are asked.
NUMBERS: dict[str, Callable[[Sequence[int]], int]] = {
    "the size of the largest group": lambda groups: groups[0],
    "the size of the second largest group": lambda groups: groups[1] if len(groups) > 1 else groups[0],
    "the size of the smallest group": lambda groups: groups[-1],
    "the number of all shapes": sum,
    "the number of groups": len,
}
COUNTED = "counting", "count-", "touching"  # families, by how their names begin
NAMED_NUMBER = "a group of the number that is named"


def _sizes(scene: Scene) -> list[int]:
    """The sizes of the groups of equal shapes, the largest first."""
    return sorted(Counter(shape.name for shape in scene.shapes).values(), reverse=True)


def _area(prompt: str, truth: str, scene: Scene) -> float:
    """How many pixels have the colours that a prompt names."""
    pixels = np.asarray(draw(scene))
    return sum(float((pixels == COLOUR_RGB[c]).all(axis=2).sum()) for c in COLOURS if re.search(rf"\b{c}\b", prompt))


# By rule, how well a picture fits a prompt and the truth that it states, and the CCS in per cent that it may have.
COMPARED: dict[str, tuple[Callable[[str, str, Scene], float], float]] = {
    NAMED_NUMBER: (lambda prompt, truth, scene: float(truth in map(str, _sizes(scene))), 0.0),
    "more pixels of the colors that are named": (_area, 53.0),
}


def _results(pair: Pair) -> dict[str, bool]:
    """By rule, whether it is right on both pictures, or both prompts, of a pair."""
    if not is_comparison(pair.answer_type):
        return {name: _is_right(rule, pair) for name, rule in _rules(pair).items()}
    program: Any = pair.program
    of_scene = program.program if isinstance(program, Equals) else program
    rules = {name: fit for name, (fit, _) in COMPARED.items() if name != NAMED_NUMBER or pair.family in COUNTED}
    results = dict.fromkeys(rules, True)
    for question, answer in zip((pair.question, pair.question_2), pair.answers, strict=True):
        right, wrong = pair.scenes if answer == FIRST else pair.scenes[::-1]
        for name, fit in rules.items():
            truth = of_scene.answer(right)
            results[name] &= fit(str(question), truth, right) > fit(str(question), truth, wrong)
    return results


def _rules(pair: Pair) -> dict[str, Rule]:
    """The rules that fit a pair's question."""
    if pair.family.startswith(COUNTED):
        named: dict[str, Rule] = {NAMED_NUMBER: _has_named_number} if pair.form == "yes-no" else {}
        return {name: partial(_by_number, number) for name, number in NUMBERS.items()} | named
    if isinstance(pair.program, ShowsAll):
        if pair.cell.endswith("/counting"):
            return {NAMED_NUMBER: _has_named_number}
        return {LACKS: RULES["presence"][LACKS]} if pair.cell.endswith("ence") else {}
    return RULES.get(pair.family, {}) if pair.form == "yes-no" else {}


def _by_number(number: Callable[[Sequence[int]], int], pair: Pair, scene: Scene) -> bool | int:
    """The answer of who sees a number of groups of equal shapes, the largest first."""
    groups = _sizes(scene)
    count = number(groups) if groups else 0
    return str(count) == pair.program.value if isinstance(pair.program, Equals) else count


def _has_named_number(pair: Pair, scene: Scene) -> bool:
    parts = pair.program.parts if isinstance(pair.program, ShowsAll) else [pair.program]
    counts = {part.value for part in parts if isinstance(part, Equals) and isinstance(part.program, Count)}
    return counts <= {*map(str, _sizes(scene))}


def _is_right(rule: Rule, pair: Pair) -> bool:
    """Whether a rule is right on both pictures."""
    answers = [rule(pair, scene) for scene in pair.scenes]
    return pair.answers == tuple(("yes" if s else "no") if isinstance(s, bool) else str(s) for s in answers)


def _looks(scene: Scene, pair: Pair, role: int) -> tuple[float, ...]:
    """What is to be had of a picture without reading it."""
    image = draw(scene, first=pair.original)
    pixels = np.asarray(image)[::4, ::4].astype(int)
    shares = [float((pixels == colour).all(axis=2).mean()) for colour in (*COLOUR_RGB.values(), UNLIT_RGB, GLOW_RGB)]
    ground = np.median(pixels, axis=(0, 1))
    parts = ndimage.label(np.abs(pixels - ground).max(axis=2) > 24)[1]
    damage = next((e for e in scene.elements if isinstance(e, Damage)), None)
    spoilt = (0, 0) if damage is None else (1 + KINDS.index(damage.kind), damage.dose)
    kinds = len({thing.name for thing in scene.shapes}), len({(f.noun, f.colour) for f in scene.figures})
    return (
        role,
        pair.index,
        len(png.encode(image)),
        parts,
        float(ground[0]),
        *kinds,
        *shares,
        *spoilt,
        *_inside(scene),
    )


def report_cells(name: str, pairs: int) -> bool:
    """Prints a table of every cell of a suite of laws, the worst first; whether one does not test its name."""
    suite = load_suite(name)
    (number,) = (number for number, part in enumerate(suite.parts) if part.family == "laws")
    cells = suite.parts[number].count // 10
    found = list(
        in_chunks(
            partial(_by_cell, suite, number, pairs), range(cells), workers=worker_count(None), chunk=4, total=cells
        )
    )
    print(f"\n{name}, {pairs} pairs of each cell\n{'cell':<34} {'another value':>13} {'there once':>10} {'unasked':>8}")
    for cell, *shares in sorted((row for row in found if row[0]), key=lambda row: row[1]):
        print(
            f"{cell:<34} {shares[0]:>13.1f} {shares[1]:>10.1f} {shares[2]:>8.1f}{' !' if shares[0] < MIN_SEEN else ''}"
        )
    return any(row[1] < MIN_SEEN for row in found if row[0])


def _by_cell(suite: Suite, number: int, pairs: int, cells: list[int]) -> list[tuple[str, float, float, float]]:
    return [_cell(suite, number, pairs, cell) for cell in cells]


def _cell(suite: Suite, number: int, pairs: int, cell: int) -> tuple[str, float, float, float]:
    """A cell and its three shares, in per cent; without a name if it asks about damage."""
    part = suite.parts[number]
    places = [(FIRST_SEED + i, cell + part.count // 10 * (i % 2)) for i in range(pairs)]
    drawn = [suite.reseeded(seed).sample(part, at) for seed, at in places]
    if isinstance(drawn[0].program, Whole):
        return "", 0.0, 0.0, 0.0
    roles = [Stream(seed, "role", part.family, at).below(2) for seed, at in places]
    scenes = [pair.scenes[role] for pair, role in zip(drawn, roles, strict=True)]
    contents = [
        Counter(word for f in scene.figures for word in (f.noun, f.colour, f"{f.colour} {f.noun}")) for scene in scenes
    ]
    answers = [pair.answers[role] for pair, role in zip(drawn, roles, strict=True)]
    table = DictVectorizer().fit_transform(
        [{**words, "inside": _inside(s)[0]} for words, s in zip(contents, scenes, strict=True)]
    )
    model = RandomForestClassifier(60, min_samples_leaf=3, random_state=0)
    unasked = cross_val_score(model, table, answers, cv=5).mean()
    value = np.mean([_is_another(pair) for pair in drawn])
    once = np.mean([_is_right(_once, pair) for pair in drawn])
    return drawn[0].cell, 100 * float(value), 100 * float(once), 100 * float(unasked)


def _is_another(pair: Pair) -> bool:
    """Whether both pictures have what is asked about; if it is asked for, also in another colour, or twice."""
    if not pair.cell.endswith("/presence"):
        return all(matching(scene, thing) for scene in pair.scenes for thing in _named(pair))
    (thing,) = _named(pair)
    fewest = min(pair.scenes, key=lambda scene: len(matching(scene, thing)))
    return any(figure.noun == thing.noun for figure in fewest.figures)


def guessed(items: Sequence[BlindItem]) -> dict[str, tuple[int, int, float]]:
    """By what it sees, a classifier's right answers, of how many, and what chance gives."""
    looked = [item for item in items if item.picture]
    damaged = [item for item in items if item.damage]
    found = {"words": _tested(items, [item.original for item in items], _word_table([item.question for item in items]))}
    if looked:
        table = np.array([item.picture for item in looked])
        found["picture"] = _tested(looked, [item.answer for item in looked], table)
    if damaged:
        # Each word once more as said beside that damage: what damage says may depend on what is asked.
        rows = [" ".join([i.question, i.damage, *(f"{w}_{i.damage[:5]}" for w in i.question.split())]) for i in damaged]
        found["damage"] = _tested(damaged, [item.answer for item in damaged], _word_table(rows))
    return found


def _word_table(texts: Sequence[str]) -> Any:
    """Words and pairs of them, and each text that comes more than once as a whole."""
    words = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", binary=True, min_df=3)
    whole = CountVectorizer(analyzer=lambda text: [text], binary=True, min_df=3)
    try:
        return sparse.hstack([words.fit_transform(texts), whole.fit_transform(texts)]).tocsr()
    except ValueError:  # no text comes three times
        return words.fit_transform(texts).tocsr()


def _tested(items: Sequence[BlindItem], answers: Sequence[str], table: Any) -> tuple[int, int, float]:
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
