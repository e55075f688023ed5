"""Pairs about laws: the checks that generated pictures are asked, on pictures whose answers are known."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.drawing.things import GLYPHS_VERSION
from counterbench.errors import InputError, NoRoomError
from counterbench.laws import STANDARD, law
from counterbench.laws.base import SIDE
from counterbench.runs.pair_queries import keys
from counterbench.scene.figures import Room, Writing
from counterbench.scene.interventions import diff
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import FactProgram, Together, Whole
from counterbench.suites.families import Canvas, family, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.families.laws import LawParams, options
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify

CANVAS = Canvas(SIDE, SIDE)
TWO = {"laws": ["falling", "wind"]}


@cache
def item(name: str, index: int, seed: int = 0, laws: tuple[str, ...] = ()) -> Pair:
    chosen = family(name)
    params = read_params(chosen, {"laws": list(laws)} if laws else {})
    return sample(chosen, params, ("yes-no",), CANVAS, seed, index)


def items(name: str, count: int, seed: int = 0) -> list[Pair]:
    return [item(name, index, seed) for index in range(count)]


def truths(pair: Pair) -> tuple[str, ...]:
    assert pair.program is not None
    return tuple(pair.program.answer(scene) for scene in pair.scenes)


CELLS = tuple(options())
ROUND = 2 * len(CELLS)  # every cell with both answers


def test_every_check_of_every_law_is_a_cell() -> None:
    found = {(option.law, option.variant) for of in options().values() for option in of}
    assert found == {(one.name, variant.name) for one in map(law, STANDARD) for variant in one.variants}
    checks = ("integrity", "assessment", "consistency", "contrast")
    assert sorted(CELLS) == sorted(f"{name}/{check}" for name in STANDARD for check in checks)
    assert {(option.law, option.check) for option in options()["falling/contrast"]} == {("falling", "contrast")}
    assert {option.variant for option in options()["falling/contrast"]} == {v.name for v in law("falling").altered}


def test_cells_take_turns_and_answers_are_balanced() -> None:
    pairs = items("laws", ROUND)
    assert [pair.cell for pair in pairs] == [*CELLS] * 2
    assert all(pair.cell.split("/")[0] == pair.law for pair in pairs)
    for first, second in zip(pairs, pairs[len(CELLS) :], strict=False):
        assert {first.original_answer, second.original_answer} == {"yes", "no"}
    answers = Counter(pair.original_answer for pair in pairs[:-1])
    assert abs(answers["yes"] - answers["no"]) <= 1


def test_the_order_of_answers_is_not_the_same_in_every_cell_and_turn() -> None:
    starts = {tuple(item("laws", len(CELLS) * turn, seed).original_answer for turn in (0, 2, 4)) for seed in range(8)}
    assert len(starts) > 2


def test_the_answer_is_the_programs_and_changes_with_the_law() -> None:
    for pair in items("laws", ROUND):
        assert (pair.original_answer, pair.intervened_answer) == truths(pair)
        assert pair.relevant
        assert {pair.original_answer, pair.intervened_answer} == {"yes", "no"}
        assert (pair.category, pair.form, pair.answer_type) == ("law", "yes-no", "yes-no")
        assert isinstance(pair.program, FactProgram)
        assert pair.program.skill == pair.skill
        assert pair.difficulty["facts"] == (len(pair.program.facts) if isinstance(pair.program, Together) else 1)


def test_the_difference_of_the_scenes_is_the_declared_one() -> None:
    for pair in (*items("laws", ROUND), *items("law-control", ROUND)):
        original, intervened = pair.scenes
        assert pair.edit is not None
        assert pair.change == pair.edit.declare(original) == diff(original, intervened)
        assert pair.edit.apply(original) == intervened != original


def test_a_control_keeps_its_answer() -> None:
    kinds = set()
    for pair in items("law-control", 2 * ROUND):
        assert truths(pair) == (pair.original_answer, pair.intervened_answer)
        assert not pair.relevant
        assert pair.original_answer == pair.intervened_answer
        assert pair.category == "control"
        kinds.add(pair.intervention)
        shown = pair.scenes[1]
        for words in (e.box for e in shown.elements if isinstance(e, Writing)):
            assert all(words.within(e.interior) for e in shown.elements if isinstance(e, Room))
            assert not any(words.grown(4).touches(figure.box) for figure in shown.figures)
    assert kinds == {"background-shade", "shift-all", "restage"}


def test_integrity_is_asked_of_damaged_pictures_and_whole_ones() -> None:
    pairs = [pair for pair in items("laws", ROUND) if isinstance(pair.program, Whole)]
    assert len(pairs) == 2 * len(STANDARD)
    for pair in pairs:
        assert pair.original is not None
        damaged = any(element.id.startswith("damage-") for element in pair.original.elements)
        assert damaged == (pair.original_answer == "no")


def test_what_habit_would_answer_is_the_misreading_of_prior_bound() -> None:
    asked = list(keys(SuiteSource(load_suite("laws"), 160)))
    bound = [key for key in asked if "prior-bound" in key.misreadings]
    assert len(bound) > len(asked) / 5
    assert all(key.misreadings["prior-bound"] != key.expected for key in bound)
    # Of a damaged picture it sees the whole one that habit would have drawn.
    assert {key.misreadings["prior-bound"] for key in bound if key.skill == "integrity"} == {"yes"}


@settings(max_examples=10)
@given(st.integers(0, 2**63 - 1), st.integers(0, 500))
def test_items_are_pure(seed: int, index: int) -> None:
    again = item.__wrapped__("laws", index, seed, ("falling",))
    item.__wrapped__("laws", index + 1, seed, ("falling",))
    assert item.__wrapped__("laws", index, seed, ("falling",)) == again


def test_seeds_have_no_items_in_common() -> None:
    one, two = ({(p.question, p.scenes[0].digest) for p in items("laws", len(CELLS), seed)} for seed in (0, 1))
    assert not one & two


def test_parameters_choose_laws() -> None:
    chosen = family("laws")
    params = read_params(chosen, TWO)
    pairs = [sample(chosen, params, ("yes-no",), CANVAS, 3, i) for i in range(8)]
    assert {pair.cell for pair in pairs} == set(options(("falling", "wind")))
    assert isinstance(params, LawParams)
    assert set(chosen.basis(params)) == {"falling", "wind", "glyphs"}
    assert chosen.basis(params)["glyphs"] == GLYPHS_VERSION
    assert chosen.basis(params) != chosen.basis(read_params(chosen, {"laws": ["falling"]}))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"laws": ["faling"]}, r"family 'laws': parameter 'laws' .* some of: falling, .*; not \['faling'\]"),
        ({"law": ["falling"]}, "law"),
        ({"laws": "falling"}, "laws"),
    ],
)
def test_parameters_that_there_are_not(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_params(family("laws"), params)


def test_checks_are_asked_in_no_other_form_and_on_no_other_canvas() -> None:
    chosen = family("laws")
    params = read_params(chosen, TWO)
    with pytest.raises(InputError, match=r"family 'laws': checks are yes/no questions; set forms = \[\"yes-no\"\]"):
        sample(chosen, params, ("open",), CANVAS, 0, 0)
    with pytest.raises(NoRoomError, match="laws are drawn on 512×512 pixels"):
        sample(chosen, params, ("yes-no",), Canvas(640, 480), 0, 0)


def test_the_first_items_of_the_suite_hold() -> None:
    report = verify(SuiteSource(load_suite("laws"), 120), workers=1)
    assert report.problems == []


@pytest.mark.slow
def test_the_suite_holds_under_another_seed() -> None:
    report = verify(SuiteSource(load_suite("laws", 20261121), len(CELLS)), workers=1)
    assert report.problems == []
