"""Counting: who counts a group of equal shapes without reading which one is asked about is seldom right."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.scene.programs.shapes import Equals
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Redraw
from counterbench.suites.families.counting import CountingParams
from counterbench.suites.families.placement import draw_size_for
from counterbench.suites.suite import load_suite

PAIRS = 250
SUITES = ("counterbench-550", "certify", "ladder/count-1", "ladder/count-8", "ladder/touching-6")


def group_sizes(scene: Scene) -> list[int]:
    """The sizes of the groups of equal shapes, the largest first."""
    return sorted(Counter(shape.name for shape in scene.shapes).values(), reverse=True) or [0]


@pytest.mark.parametrize("place", [0, 1, -1], ids=["largest", "second", "smallest"])
@pytest.mark.parametrize(
    "name", ["counterbench-550", "certify", "ladder/count-1", "ladder/count-8", "ladder/touching-6"]
)
def test_the_size_of_a_group_is_the_answer_of_less_than_a_third_of_the_pairs(name: str, place: int) -> None:
    suite_name, _, rung = name.partition("/")
    suite = load_suite(suite_name)
    part = next(part for part in suite.parts if part.family == (rung or "counting"))
    right = 0
    for index in range(PAIRS):
        pair = suite.reseeded(index).sample(part, index % part.count)
        guesses = [str(group_sizes(scene)[place % len(group_sizes(scene))]) for scene in pair.scenes]
        if isinstance(pair.program, Equals):
            guesses = ["yes" if number == pair.program.value else "no" for number in guesses]
        right += tuple(guesses) == pair.answers
    assert right < PAIRS / 3, f"{right} of {PAIRS}"


@given(number=st.integers(0, 200), low=st.integers(2, 20), wider=st.integers(0, 10), gap=st.integers(1, 5))
def test_shapes_take_at_most_a_third_of_the_picture(number: int, low: int, wider: int, gap: int) -> None:
    canvas, params = Canvas(), CountingParams(shape_size=(low, low + wider), gap=gap)
    least, most, free = canvas.px(low), canvas.px(low + wider), canvas.width * canvas.height / 3
    try:
        size = draw_size_for(number, Stream(number, low, wider, gap), params, canvas)
    except Redraw:
        assert number * (2 * least + canvas.px(gap) + 2) ** 2 > free
        return
    assert least <= size <= most
    assert number * (2 * size + canvas.px(gap)) ** 2 <= free


def test_the_largest_rung_has_room_for_three_groups() -> None:
    suite = load_suite("ladder")
    part = next(part for part in suite.parts if part.family == "count-40")
    groups_of_40 = {sum(size >= 39 for size in group_sizes(suite.sample(part, index).scenes[0])) for index in range(12)}
    assert groups_of_40 == {1, 2, 3}
