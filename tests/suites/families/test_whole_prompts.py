"""Whole prompts: one picture shows all clauses, the other all but one; the pixel reader reads a prompt by itself."""

import re
from collections import Counter
from itertools import combinations

import pytest

from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.scene.interventions import SwapColours
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.programs.shapes import Count, Equals, Exists, Relates
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import Description
from counterbench.suites.families import family
from counterbench.suites.families.base import read_params
from counterbench.suites.families.whole_prompts import _nouns
from counterbench.suites.suite import load_suite

SUITE = load_suite("whole-prompts")
PAIRS = [SUITE.sample(SUITE.parts[0], index) for index in range(60)]
ABSENCES = [pair for pair in PAIRS if pair.cell == "whole-prompt/absence"]
RED, BLUE = Shape("r", "circle", "red", 100, 200, 40), Shape("b", "square", "blue", 400, 200, 40)
PROGRAM = ShowsAll(
    (
        Relates(Description("circle", "red"), "left", Description("square", "blue")),
        Equals(Count("square", "blue"), "1"),
        Exists("circle", "red"),
    )
)


def broken_parts(pair: Pair) -> int:
    """The clauses that the picture with the answer no does not show."""
    assert isinstance(pair.program, ShowsAll)
    scene = pair.scenes[pair.answers.index("no")]
    return sum(part.answer(scene) == "no" for part in pair.program.parts)


def test_a_prompt_is_one_phrase() -> None:
    assert PROGRAM.prompt == (
        "a picture with exactly one blue square and a red circle, in which the red circle is to the left of the blue "
        "square"
    )
    assert PROGRAM.phrasings() == (f'Does the picture show this: "{PROGRAM.prompt}"?',)


def test_one_picture_shows_everything_and_the_other_all_but_one_clause() -> None:
    for pair in PAIRS:
        assert {*pair.answers} == {"yes", "no"}
        assert broken_parts(pair) == 1, pair.question


def test_prompts_have_one_to_three_clauses_and_each_kind_is_broken_as_often() -> None:
    assert {*Counter(pair.difficulty["clauses"] for pair in PAIRS)} == {1, 2, 3}
    assert {*Counter(pair.cell for pair in PAIRS).values()} == {10}
    prompts = [pair.program.prompt for pair in PAIRS if isinstance(pair.program, ShowsAll)]
    assert [prompt for prompt in prompts if not 5 <= len(prompt.split()) <= 40] == []


def test_a_clause_that_says_no_is_a_cell_of_its_own() -> None:
    assert [bool(re.search(r"\bno\b", pair.question)) for pair in PAIRS] == [pair in ABSENCES for pair in PAIRS]
    assert {*Counter(pair.answers for pair in ABSENCES).values()} == {5}
    assert all(len({len(scene.shapes) for scene in pair.scenes}) == 1 for pair in ABSENCES)


def test_the_kinds_of_things_do_not_say_if_one_is_there() -> None:
    swaps = [pair for pair in PAIRS if isinstance(pair.edit, SwapColours) and "ence" in pair.cell]
    uneven = [pair.id for pair in swaps if len({len({s.name for s in scene.shapes}) for scene in pair.scenes}) > 1]
    assert {pair.cell for pair in swaps} == {"whole-prompt/absence", "whole-prompt/presence"}
    assert uneven == []


def test_no_two_clauses_are_about_the_same_thing() -> None:
    """Not "a red triangle" beside "the leftmost triangle is red"."""
    for pair in PAIRS:
        assert isinstance(pair.program, ShowsAll)
        for part, other in combinations(pair.program.parts, 2):
            same = [(a, b) for a in _nouns(part) for b in _nouns(other) if a <= b or b <= a]
            assert same == [], pair.program.prompt


def test_the_pixel_reader_reads_a_prompt_and_every_clause_counts() -> None:
    (question,) = PROGRAM.phrasings()
    whole = Scene(512, 512, elements=(RED, BLUE))
    swapped = Scene(512, 512, elements=(RED.but(x=400), BLUE.but(x=100)))
    two = Scene(512, 512, elements=(RED, BLUE, BLUE.but(id="c", y=400)))
    alone = Scene(512, 512, elements=(BLUE,))
    for scene, answer in ((whole, "yes"), (swapped, "no"), (alone, "no")):
        assert (PROGRAM.answer(scene), read_answer(render(scene), f"{question} Answer yes or no.")) == (answer, answer)
    exactly = ShowsAll((Equals(Count("square", "blue"), "1"),))
    assert (exactly.answer(two), read_answer(render(two), exactly.phrasings()[0])) == ("no", "no")


def test_a_prompt_with_a_clause_that_is_not_understood_is_not_answered() -> None:
    scene = Scene(512, 512, elements=(RED, BLUE))
    with pytest.raises(CannotRead):
        read_answer(render(scene), 'Does the picture show this: "a picture with a red circle and a mood of joy"?')


def test_a_judge_that_misreads_one_clause_still_answers_by_all_clauses() -> None:
    scene = Scene(512, 512, elements=(RED, BLUE))
    assert PROGRAM.misreadings(scene)["left-right"] == "no"
    assert PROGRAM.misreadings(scene)["off-by-one"] == "no"


def test_more_than_three_clauses_are_refused() -> None:
    with pytest.raises(InputError, match=r"'clauses' must be .* from 1 to 3, not \[2, 4\]"):
        read_params(family("whole-prompt"), {"clauses": [2, 4]})
