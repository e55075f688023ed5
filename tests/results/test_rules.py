"""Named scorings: what strict, default and as-released take for right, and how repeats are counted."""

import msgspec
import pytest
from handmade import key
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers.outcomes import Answer, Refused, Unparsed
from counterbench.errors import InputError
from counterbench.results.rules import SCORINGS, Judged, majority, scoring
from counterbench.runs.queries import Key


def is_hit(name: str, reply: str, expected: str, answer_type: str) -> bool:
    return judged_reply(name, reply, key("q", expected, answer_type=answer_type)).right


def judged_reply(name: str, reply: str, question_key: Key) -> Judged:
    return scoring(name)(reply, question_key, "", False)


@swept(
    ("reply", "expected", "answer_type", "default", "strict"),
    [
        ("cyan", "cyan", "colour", True, True),
        ("Turquoise.", "cyan", "colour", True, False),
        ("teal", "cyan", "colour", True, False),
        ("aqua", "cyan", "colour", True, False),
        ("gold", "yellow", "colour", True, False),
        ("black", "cyan", "colour", False, False),
        ("turquoise", "blue", "colour", False, False),
        ("a teal rhombus", "cyan diamond", "colour-shape", True, False),
        ("The arrow points to the yellow square.", "yellow square", "colour-shape", True, True),
        ("yellow", "yellow square", "colour-shape", False, False),
        ("Yes.", "yes", "yes-no", True, True),
        ("There is no doubt: yes", "yes", "yes-no", True, True),
        ("four", "4", "integer", True, True),
        ("42", "4", "integer", False, False),
    ],
)
def test_the_scoring_default_accepts_synonyms_and_strict_does_not(
    reply: str, expected: str, answer_type: str, default: bool, strict: bool
) -> None:
    assert is_hit("default", reply, expected, answer_type) is default
    assert is_hit("strict", reply, expected, answer_type) is strict


# By hand from the released code: yes or no as a substring, then digits, number words, colours, in that order.
@swept(
    ("reply", "expected", "answer_type", "is_right"),
    [
        ("Yes.", "yes", "yes-no", True),
        ("No.", "no", "yes-no", True),
        ("I cannot know", "no", "yes-no", True),  # "no" inside "cannot" and "know"
        ("yesterday", "yes", "yes-no", True),
        ("There is nothing here", "no", "yes-no", True),
        ("There are 4 squares, of 7 shapes", "4", "integer", True),
        ("There are four squares", "4", "integer", True),
        ("someone counted seven", "1", "integer", True),  # "one" inside "someone", and before "seven" in its list
        ("not 4", "4", "integer", False),  # "no" inside "not"
        ("purple, not red", "purple", "colour", False),
        ("It is greenish", "green", "colour", True),
        ("a bluish red", "red", "colour", True),
        ("Turquoise", "cyan", "colour", False),
        ("Yellow square", "yellow square", "colour-shape", False),  # the bug
        ("the square is yellow", "yellow square", "colour-shape", False),
        ("square", "square", "colour-shape", True),
    ],
)
def test_as_released_scoring_counts_like_the_paper(reply: str, expected: str, answer_type: str, is_right: bool) -> None:
    assert is_hit("as-released", reply, expected, answer_type) is is_right


@given(
    colour=st.sampled_from(["red", "blue", "green", "yellow", "purple", "orange", "cyan", "pink"]),
    shape=st.sampled_from(["circle", "square", "triangle", "diamond"]),
    before=st.sampled_from(["", "The ", "It points to the "]),
)
def test_as_released_scoring_accepts_no_arrow_answer(colour: str, shape: str, before: str) -> None:
    assert not is_hit("as-released", f"{before}{colour} {shape}.", f"{colour} {shape}", "colour-shape")
    assert is_hit("strict", f"{before}{colour} {shape}.", f"{colour} {shape}", "colour-shape")


def test_an_unknown_scoring_is_refused_with_the_known_ones() -> None:
    assert list(SCORINGS) == ["default", "strict", "as-released"]
    with pytest.raises(
        InputError, match=r"'strickt' \(did you mean 'strict'\?\); choose from: as-released, default, strict"
    ):
        scoring("strickt")


# ---- repeats

YES, NO = Judged(Answer("yes"), True), Judged(Answer("no"), False)
HARD, SORRY = Judged(Unparsed("several"), False), Judged(Refused("sorry"), False)


@swept(
    ("repeats", "value"),
    [
        ([YES], "yes"),
        ([YES, YES, NO], "yes"),
        ([NO, YES, YES], "yes"),
        ([NO, NO, YES, NO, YES], "no"),
        ([YES, HARD], "yes"),
        ([HARD, SORRY, NO], "no"),
        ([YES, NO], None),
        ([YES, NO, HARD], None),
        ([HARD, HARD], None),
    ],
)
def test_the_majority_of_repeats_counts(repeats: list[Judged], value: str | None) -> None:
    assert majority(repeats).value == value


def test_a_tie_of_repeats_is_unparsed_with_the_reason() -> None:
    tied = majority([YES, NO])
    assert tied == Judged(Unparsed("repeats are tied between no and yes"), False)
    assert majority([NO, YES]) == tied


@pytest.mark.parametrize("name", ["default", "strict"])
def test_a_label_counts_as_its_shape_if_the_question_names_labels(name: str) -> None:
    named = key("q", "red circle", answer_type="colour-shape")
    labelled = msgspec.structs.replace(named, labels={"A": "blue square", "B": "red circle"})
    assert judged_reply(name, "Shape B is higher up.", labelled) == Judged(Answer("red circle"), True)
    assert judged_reply(name, "A", labelled) == Judged(Answer("blue square"), False)
    assert judged_reply(name, "the red circle", labelled).right
    for reply in ("A or B", "C", "Not A"):
        assert isinstance(judged_reply(name, reply, labelled).outcome, Unparsed)
    assert isinstance(judged_reply(name, "B", named).outcome, Unparsed)
