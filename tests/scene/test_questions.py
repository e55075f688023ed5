import re

import pytest

from counterbench.scene.programs.descriptions import Description
from counterbench.scene.programs.shapes import (
    ArrowTarget,
    ColourOf,
    Count,
    CountInside,
    Equals,
    Further,
    IsInside,
    Relates,
)
from counterbench.scene.questions import ask
from counterbench.scene.seeds import Stream

A, B = Description(letter="A"), Description(kind="square", colour="blue", letter="B")
OPEN = [
    ColourOf(Description(kind="square", place="leftmost")),
    Further(A, "left", B),
    Count("square", "pink"),
    Count(),
    CountInside(),
    ArrowTarget(),
]
YES_NO = [
    Relates(A, "above", B),
    IsInside(Description(kind="circle", colour="red")),
    *(
        Equals(program, value)
        for program, value in zip(OPEN, ["red", "red circle", "4", "4", "4", "red circle"], strict=True)
    ),
    *(Equals(program, "1") for program in (Count("square", "pink"), Count(), CountInside())),
]


@pytest.mark.parametrize("program", OPEN + YES_NO, ids=repr)
def test_every_program_has_several_complete_wordings(program):
    found = program.wordings()
    assert len(set(found)) == len(found) >= 2
    for words in found:
        assert words.endswith("?")
        assert words[0].isupper()
        assert not re.search(r"[{}]|  |None|\bthe the\b", words)


@pytest.mark.parametrize("program", OPEN, ids=repr)
def test_open_and_yes_no_forms(program):
    question = ask(program, Stream(1))
    assert question.form == "open"
    value = {"integer": "4", "colour": "red", "colour-shape": "red circle"}[question.answer_type]
    closed = ask(Equals(program, value), Stream(1))
    assert closed.form == "yes-no"
    assert closed.answer_type == Equals(program, value).answer_type == "yes-no"


def test_exactly_one_is_asked_in_the_singular():
    for program in (Count("square", "pink"), Count(), CountInside()):
        for words in Equals(program, "1").wordings():
            assert "exactly one" in words
            assert not re.search(r"\b(shapes|squares|are)\b", words, re.IGNORECASE)
    assert "Are there exactly four pink squares?" in Equals(Count("square", "pink"), "4").wordings()


def test_the_stream_chooses_the_wording_and_uses_all_of_them():
    seen = {ask(Count("square", "pink"), Stream("wording", i)).words for i in range(60)}
    assert seen == set(Count("square", "pink").wordings())


def test_descriptions_read_like_english():
    assert Description().noun == "shape"
    assert Description(kind="circle", colour="red", place="largest").noun == "largest red circle"
    assert B.noun == "blue square labeled B"
    assert any(
        "shape A" in words and "the blue square (labeled B)" in words for words in Relates(A, "left", B).wordings()
    )
