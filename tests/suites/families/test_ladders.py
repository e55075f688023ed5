"""Rungs: each shows its dial's value in its pixels, and holds at every size; nobody answers without looking."""

import pickle
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage.color import deltaE_ciede2000, rgb2lab
from sweeping import swept

from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import NoRoomError
from counterbench.palette import COLOUR_RGB, COLOURS, LABEL_DARK_RGB, SHAPES
from counterbench.prompts.skills import FAMILIES
from counterbench.scene.figures import Sign
from counterbench.scene.pairs import Pair
from counterbench.scene.scene import Scene
from counterbench.suites.families import RUNGS, Canvas, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.ladders import LADDERS
from counterbench.suites.suite import load_suite
from counterbench.verification.checks import check_pair

NEW = ("touching", "visible", "colour", "words")
NEW_RUNGS = [rung for name in NEW for rung in LADDERS[name].rungs]


def item(rung: str, index: int, side: int = 1024, seed: int = 0) -> Pair:
    return sample(RUNGS[rung], read_params(RUNGS[rung], {}), ("yes-no",), Canvas(side, side), seed, index)


def pixels(scene: Scene, side: int | None = None) -> np.ndarray:
    return np.asarray(render(scene, side)).astype(int)


def count(picture: np.ndarray, rgb: tuple[int, int, int]) -> int:
    return int((picture == rgb).all(axis=2).sum())


def test_each_ladder_goes_from_easy_to_hard_in_units_of_its_own() -> None:
    assert [rung for ladder in LADDERS.values() for rung in ladder.rungs] == [*RUNGS]
    for name, ladder in LADDERS.items():
        values = [ladder.value(rung) for rung in ladder.rungs]
        rising = name in ("count", "touching")
        assert values == sorted({*values}, reverse=not rising), name
        assert 6 <= len(values) <= 13
        assert ladder.unit
        assert ladder.needs <= {*FAMILIES, "text"}
        assert ladder.needs
        assert str(ladder.values[0]) in ladder.sentence.format(str(ladder.values[0]))


@pytest.mark.slow
@given(st.sampled_from(NEW_RUNGS), st.integers(0, 10_000), st.integers(0, 2**32))
def test_every_pair_of_a_ladder_verifies(rung: str, index: int, seed: int) -> None:
    assert_pair_holds(item(rung, index, seed=seed))


@pytest.mark.slow
@pytest.mark.parametrize("side", [512, 1024, 2048])
@pytest.mark.parametrize("rung", NEW_RUNGS)
def test_every_rung_verifies_at_every_size_or_is_refused_as_too_fine(rung: str, side: int) -> None:
    for index in range(6):
        if side == 512 and rung in ("words-12", "words-10", "words-8", "words-7"):
            with pytest.raises(NoRoomError, match="px high; they need at least 7 px: raise letters or the picture's"):
                item(rung, index, side)
        else:
            assert_pair_holds(item(rung, index, side))


def assert_pair_holds(pair: Pair) -> None:
    drawn = [Picture(lambda scene=scene: render(scene), pair.id) for scene in pair.scenes]
    assert list(check_pair(pair, drawn, True)) == [], pair.question


def test_a_part_of_few_pixels_is_refused() -> None:
    with pytest.raises(NoRoomError, match="3 % of a shape of 66 px are 88 pixels; at least 300 must show"):
        item("visible-3", 0, 256)


@swept("rung", LADDERS["touching"].rungs)
def test_touching_things_adjoin_and_are_connected(rung: str) -> None:
    for index in range(12):
        for scene in item(rung, index).scenes:
            boxes = [shape.box for shape in scene.shapes]
            assert [(a, b) for a, b in combinations(boxes, 2) if a.touches(b)] == []
            beside = [
                (a, b)
                for a, b in combinations(boxes, 2)
                if a.grown(1).touches(b) and (a.left == b.left or a.top == b.top)
            ]
            group, more = {boxes[0]}, True
            while more:
                found = {box for pair in beside for box in pair if group & {*pair}} - group
                group, more = group | found, bool(found)
            assert group == {*boxes}


@pytest.mark.slow
@pytest.mark.parametrize("rung", LADDERS["visible"].rungs)
@pytest.mark.parametrize("side", [512, 1024])
def test_a_covered_thing_shows_the_rungs_percentage(rung: str, side: int) -> None:
    percent = LADDERS["visible"].value(rung)
    for index in range(8):
        scene = item(rung, index, side).scenes[0]
        ink = COLOUR_RGB[scene.shape("back").colour]
        alone = scene.with_elements(*(e for e in scene.elements if e.id != "front"))
        share = 100 * count(pixels(scene), ink) / count(pixels(alone), ink)
        # A line of colour loses its blended edges, a pixel at most on either side.
        assert percent - 1.2 * 1024 / side <= share <= 1.15 * percent + 0.5, (index, share)


@pytest.mark.slow
@swept("rung", LADDERS["colour"].rungs)
def test_two_colours_are_equal_or_differ_by_the_rungs_distance(rung: str) -> None:
    value = LADDERS["colour"].value(rung)
    for index in range(16):
        pair = item(rung, index)
        apart = []
        for scene in pair.scenes:
            picture = pixels(scene)
            lab = [rgb2lab(picture[scene.shape(id).y, scene.shape(id).x] / 255.0) for id in "ab"]
            apart.append(float(deltaE_ciede2000(*lab)))
        assert min(apart) == 0
        assert abs(max(apart) - value) <= 0.05 * value + 0.12
        differ = [distance > 0 for distance in apart]
        assert [answer == "yes" for answer in pair.answers] in (differ, [not is_other for is_other in differ])


@swept("rung", LADDERS["words"].rungs)
def test_letters_have_the_rungs_height(rung: str) -> None:
    for index in range(4):
        scene = item(rung, index).scenes[0]
        box = next(e for e in scene.elements if isinstance(e, Sign)).box.grown(-2)
        shown = pixels(scene)[box.top : box.bottom, box.left : box.right]
        rows = np.flatnonzero((shown == LABEL_DARK_RGB).all(axis=2).any(axis=1))
        assert abs(int(np.ptp(rows)) + 1 - 1.024 * LADDERS["words"].value(rung)) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", LADDERS)
def test_neither_question_nor_picture_alone_gives_the_answer(name: str) -> None:
    blindness = pytest.importorskip("blindness")
    drawn = {rung: [blind(blindness.BlindItem, item(rung, i), i) for i in range(160)] for rung in LADDERS[name].rungs}
    for rung, items in drawn.items():  # of so few, chance may have 70 % right
        for sees, (hits, total, _) in blindness.guessed(items).items():
            assert hits / total <= 0.7, (rung, sees)
    together = [blind_item for items in drawn.values() for blind_item in items]
    for sees, (hits, total, _) in blindness.guessed(together).items():
        assert hits / total <= 0.56, (sees, hits / total)


def blind(kind: Any, pair: Pair, number: int) -> Any:
    """A pair as the benchmark's classifiers see it; of its picture, whatever a scene has, without the question."""
    role = number // 2 % 2
    return kind(
        row=(pair.family, pair.form),
        tested=bool(number // 4 % 2),
        question=pair.question,
        kind="",
        original=pair.original_answer,
        answer=pair.answers[role],
        picture=tuple(picture_traits(pair.scenes[role])),
        damage="",
        rules={},
    )


def picture_traits(scene: Scene) -> Iterator[float]:
    found: defaultdict[str, float] = defaultdict(float)
    for at, shape in enumerate(scene.shapes):
        for trait in (shape.kind, shape.colour, "shaded" if shape.shade else "plain"):
            found[trait] += 1
        found["x"], found["y"], found[f"size{at == 0}"] = shape.x, shape.y, shape.size
    fills = [shape.fill for shape in scene.shapes]
    found["same"] = len(fills) - len({*fills})
    yield from (found[trait] for trait in (*SHAPES, *COLOURS, *("shaded", "x", "y", "sizeTrue", "sizeFalse", "same")))
    words = [e.word for e in scene.elements if isinstance(e, Sign)]
    yield from (float(sum(word.count(letter) for word in words)) for letter in "ADEGLNORST")


def test_the_parameters_of_a_rung_reach_a_spawned_process() -> None:
    parts = load_suite("ladder").parts
    assert pickle.loads(pickle.dumps(parts)) == parts
