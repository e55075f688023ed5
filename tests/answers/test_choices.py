"""Multiple choice: what is read as one of the choices, and what is none."""

import pytest

from counterbench.answers import Answer, Outcome, Refused, Unparsed, answer_type, canonical, choice_type, parse
from counterbench.errors import InputError

PLACES, LABELLED, NUMBERS = "choice:beach|hot dog stand|dog|no entry", "choice:A) red|B) blue", "choice:1|2|12"


@pytest.mark.parametrize(
    ("kind", "reply", "answer"),
    [
        (PLACES, "Beach", "beach"),
        (PLACES, "A **beach**.", "beach"),
        (PLACES, "It is the beach, with a man.", "beach"),
        (PLACES, "a dog", "dog"),
        (PLACES, "Answer: the hot-dog stand", "hot dog stand"),
        (PLACES, "No entry.", "no entry"),
        (PLACES, '{"answer": "dog"}', "dog"),
        (LABELLED, "b", "B) blue"),
        (LABELLED, "(A)", "A) red"),
        (LABELLED, "The answer is B", "B) blue"),
        (LABELLED, "A) red", "A) red"),
        (LABELLED, "It is blue.", "B) blue"),
        (NUMBERS, "twelve", "12"),
        (NUMBERS, "There are 2 dogs.", "2"),
    ],
)
def test_a_reply_that_names_one_choice_is_that_choice(kind: str, reply: str, answer: str) -> None:
    assert parse(reply, kind) == Answer(answer)
    assert canonical(answer, kind) == answer


@pytest.mark.parametrize(
    ("kind", "reply", "outcome"),
    [
        (PLACES, "a beach or a dog", Unparsed),
        (PLACES, "It is not a beach.", Unparsed),
        (PLACES, "a park", Unparsed),
        (PLACES, "B", Unparsed),  # no letters were shown
        (PLACES, "beaches", Unparsed),
        (PLACES, "I cannot see the image.", Refused),
        (LABELLED, "red and blue", Unparsed),
        (LABELLED, "C", Unparsed),
        (NUMBERS, "7", Unparsed),
        (NUMBERS, "1 or 2", Unparsed),
    ],
)
def test_anything_else_is_no_answer(kind: str, reply: str, outcome: type[Outcome]) -> None:
    assert isinstance(parse(reply, kind), outcome)


@pytest.mark.parametrize("choices", [["a"], ["red", "Red"], ["red", "a red"], ["red", ""], ["C", "C++"], ["1", "1"]])
def test_choices_that_no_reply_could_tell_apart_are_refused(choices: list[str]) -> None:
    with pytest.raises(InputError, match="it needs two choices or more that differ in letters or digits"):
        choice_type(choices)


def test_the_list_of_types_says_how_choices_are_written() -> None:
    with pytest.raises(InputError, match=r"choose from: choice:ONE\|OTHER"):
        answer_type("choice")
