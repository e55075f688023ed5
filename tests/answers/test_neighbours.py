"""Replies whose one value is not what they say: denied, placed, added to, taken back by what stands around it.

Each form is tried with many words in its place, so that no list of literal replies can pass.
"""

from itertools import product

import pytest
from sweeping import swept

from counterbench.answers import Answer, Unparsed, parse

NUMBERS = ("2", "three", "17", "a dozen")


def is_unparsed(reply: str, kind: str) -> bool:
    return isinstance(parse(reply, kind), Unparsed)


QUESTIONS = (
    "Question: How many red circles are there?\nAnswer: 5",
    "Question 2: How many red circles are there?\nAnswer: 5",
    "**Question:** How many red circles are there?\n**Answer:** 5",
    "Q: How many red circles are there?\nA: 5",
    "Q. How many red circles are there?\nA. 5",
    "Next question: how many circles?\nThere are 5.",
    "How many red circles are there?\nAnswer: 5",
    "And how many red circles are there?\n5",
    "User: How many red circles are there?\nAssistant: 5",
    "Problem: Count the red circles.\nAnswer: 5",
    "Frage: Wie viele Kreise?\nAntwort: 5",
    "[INST] How many circles? [/INST] 5",
)


@swept("question", QUESTIONS)
@swept(
    ("first", "kind", "value"),
    [
        ("There are 3 yellow triangles.", "integer", "3"),
        ("3", "integer", "3"),
        ("I see none.", "integer", "0"),
        ("Yes, it is left of it.", "yes-no", "yes"),
        ("It is blue.", "colour", "blue"),
        ("The arrow points to the red circle.", "colour-shape", "red circle"),
        ("Rating: 4", "rating:1-5", "4"),
    ],
)
def test_the_answer_is_read_from_the_first_turn(first: str, kind: str, value: str, question: str) -> None:
    assert parse(f"{first}\n\n{question}", kind) == Answer(value)


@swept("question", QUESTIONS)
def test_a_first_turn_without_an_answer_is_unparsed(question: str) -> None:
    assert is_unparsed(f"It is hard to say.\n\n{question}", "integer")


@swept("number", NUMBERS)
@swept(
    "form",
    [
        "{} small triangles and a larger one",
        "{} at the bottom, a triangle at the top",
        "Besides the big one there are {}.",
        "Along with the one in the corner, {}",
        "There are {}, plus the one at the top.",
        "There are {}. There is also one at the top.",
        "There are {} triangles but they're all red",
        "{} triangles, all red",
        "{} triangles. None of them is yellow.",
        "{} triangles, although they are red",
        "There are {} triangles. They are not yellow.",
        "It is false that there are {}.",
        "Some would say the answer is {}",
        "Es sind nicht {} Dreiecke.",
        "Il n'y a pas {} triangles.",
        "Non ci sono {} triangoli.",
        "ungefähr {}",
        "environ {}",
    ],
)
def test_a_count_beside_others_or_denied_is_unparsed(form: str, number: str) -> None:
    assert is_unparsed(form.format(number), "integer")


BESIDE = (
    "next to", "beside", "near", "above", "below", "under", "behind", "inside", "opposite", "right of", "past",
    "touching", "to the left of", "across from", "in front of", "on top of", "between", "away from", "like", "without",
    "other than",
)  # fmt: skip


@swept("beside", BESIDE)
def test_a_landmark_is_no_answer(beside: str) -> None:
    for sentence in (
        "pointing to the shape {} the red circle",
        "The arrow points to the shape {} the red circle.",
        "{} the red circle",
    ):
        assert is_unparsed(sentence.format(beside), "colour-shape"), sentence


@pytest.mark.parametrize("share", [" 60%", ": 0.3", " (40 %)", " - 30 percent"])
def test_a_value_with_its_likelihood_is_no_answer(share: str) -> None:
    for value, kind in (("red", "colour"), ("red circle", "colour-shape"), ("yes", "yes-no"), ("no", "verdict")):
        assert is_unparsed(value + share, kind)


@swept(("word", "kind"), list(product(("yes", "no", "Yes", "No"), ("yes-no", "verdict"))))
@swept(
    "form",
    [
        "{} 30%",
        "{}: 0.2",
        "There is a chance of {}.",
        "It is false that the answer is {}",
        "I doubt that it is {}",
        "The opposite of {}",
        "Wrong answer: {}",
        "Many people say {}",
        "The answer would have been {}",
        "Die Antwort ist nicht {}",
        "La réponse n'est pas {}",
        "答案不是 {}",
        "{}, the picture is missing.",
        "{}, let me look at it",
        "{}, I don't know",
    ],
)
def test_yes_and_no_in_other_phrases_are_no_answer(form: str, word: str, kind: str) -> None:
    outcome = parse(form.format(word), kind)
    assert not (isinstance(outcome, Answer) and outcome.value == word.casefold())
