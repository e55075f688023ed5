"""Replies whose one value is not what they say: denied, placed, added to, taken back by what stands around it.

Each form is tried with many words in its place, so that no list of literal replies can pass.
"""

from __future__ import annotations

from itertools import product

import pytest

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


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
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
def test_the_first_turn_counts(first: str, kind: str, value: str, question: str) -> None:
    assert parse(f"{first}\n\n{question}", kind) == Answer(value)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_first_turn_without_an_answer_is_none(question: str) -> None:
    assert is_unparsed(f"It is hard to say.\n\n{question}", "integer")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "form",
    [
        "a large yellow triangle and {} smaller ones",
        "{} small triangles and a larger one",
        "{} at the bottom, a triangle at the top",
        "In addition to the one at the top, there are {}",
        "Besides the big one there are {}.",
        "Along with the one in the corner, {}",
        "There are {}, plus the one at the top.",
        "There are {}. There is also one at the top.",
        "There are {} triangles but they're all red",
        "{} triangles, all red",
        "{} triangles; neither is yellow",
        "{} triangles. None of them is yellow.",
        "{} triangles, although they are red",
        "There are {} triangles. They are not yellow.",
        "It is false that there are {}.",
        "I doubt that the answer is {}.",
        "Some would say the answer is {}",
        "Es sind nicht {} Dreiecke.",
        "Il n'y a pas {} triangles.",
        "Non ci sono {} triangoli.",
        "ungefähr {}",
        "environ {}",
    ],
)
def test_a_count_beside_others_or_denied_is_none(form: str, number: str) -> None:
    assert is_unparsed(form.format(number), "integer")


@pytest.mark.parametrize(
    "reply",
    [
        "one in the top left. There is also one in the bottom right",
        "one, a second one, and a third one",
        "One here, one there.",
        "不是4个",
        "没有3个三角形",
        "大约4个",
        "有4个，但都是红色",
        "4つではありません",
        "Не 4",
        "No hay 4",
    ],
)
def test_counts_one_by_one_and_counts_denied_in_other_languages_are_none(reply: str) -> None:
    assert is_unparsed(reply, "integer")


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        ("2 + 3 = 5", "5"),
        ("1+1+1=3", "3"),
        ("two plus three equals five", "5"),
        ("There are 2 + 3 = 5 triangles.", "5"),
        ("2 on the left + 3 on the right = 5", "5"),
        ("Out of 7 shapes, 3 are yellow triangles.", "3"),
        ("Out of the seven shapes, three are yellow.", "3"),
        ("3 of the 7 shapes are yellow.", "3"),
        ("3 out of 7 shapes", "3"),
        ("One of the 7 shapes is yellow.", "1"),
        ("a dozen", "12"),
        ("There are two dozen.", "24"),
        ("Half a dozen", "6"),
        ("five hundred", "500"),
        ("one hundred and twenty-one", "121"),
        ("There isn't a single yellow triangle.", "0"),
    ],
)
def test_counts_that_are_clear(reply: str, count: str) -> None:
    assert parse(reply, "integer") == Answer(count)


@pytest.mark.parametrize(
    "reply",
    [
        "2 + 3 = 6",
        "2 + 3",
        "2 + 2 = 4 or 5",
        "about a dozen",
        "dozens",
        "nearly five hundred",
        "Out of 7 shapes, 3 are not",
    ],
)
def test_counts_that_only_look_so(reply: str) -> None:
    assert is_unparsed(reply, "integer")


BESIDE = (
    "next to", "beside", "near", "above", "below", "under", "behind", "inside", "opposite", "right of", "past",
    "touching", "to the left of", "across from", "in front of", "on top of", "between", "away from", "like", "without",
    "other than",
)  # fmt: skip


@pytest.mark.parametrize("beside", BESIDE)
def test_a_landmark_is_no_answer(beside: str) -> None:
    for said in (
        "pointing to the shape {} the red circle",
        "The arrow points to the shape {} the red circle.",
        "{} the red circle",
    ):
        assert is_unparsed(said.format(beside), "colour-shape"), said


@pytest.mark.parametrize(
    "reply",
    [
        "It is the opposite color of red",
        "the complement of red",
        "different from red",
        "the second smallest triangle is red",
        "the third one is red",
        "the other triangle is red",
        "the shape next to it is red",
        "its neighbour is red",
        "Everything else is red",
        "It should be red",
        "Nobody would call it red",
        "Das ist nicht orange",
        "Ce n'est pas orange",
        "不是 red",
    ],
)
def test_a_colour_of_something_else_or_denied_is_none(reply: str) -> None:
    assert is_unparsed(reply, "colour")
    assert is_unparsed(f"{reply.replace('triangle', 'shape')} circle", "colour-shape")


@pytest.mark.parametrize("share", [" 60%", ": 0.3", " (40 %)", " - 30 percent"])
def test_how_likely_a_value_is_says_none(share: str) -> None:
    for value, kind in (("red", "colour"), ("red circle", "colour-shape"), ("yes", "yes-no"), ("no", "verdict")):
        assert is_unparsed(value + share, kind)


@pytest.mark.parametrize(("word", "kind"), list(product(("yes", "no", "Yes", "No"), ("yes-no", "verdict"))))
@pytest.mark.parametrize(
    "form",
    [
        "{} 30%",
        "{}: 0.2",
        "P({}) = 0.2",
        "Probability of {}: 0.2",
        "There is a chance of {}.",
        "I'm only 20% sure it is {}",
        "It is false that the answer is {}",
        "It would be wrong to say {}",
        "I doubt that it is {}",
        "The answer is anything but {}",
        "The opposite of {}",
        "Wrong answer: {}",
        "Many people say {}",
        "The answer would have been {}",
        "Die Antwort ist nicht {}",
        "La réponse n'est pas {}",
        "答案不是 {}",
        "{}, the image does not load",
        "{}, the picture is missing.",
        "{}, I can help with that.",
        "{}, let me look at it",
        "{}, I don't know",
    ],
)
def test_yes_and_no_that_are_no_answer(form: str, word: str, kind: str) -> None:
    outcome = parse(form.format(word), kind)
    assert not (isinstance(outcome, Answer) and outcome.value == word.casefold())


@pytest.mark.parametrize(
    "reply",
    [
        "No, it's true.",
        "No, that is correct.",
        "No, indeed it is.",
        "No. The statement is true.",
        "Yes, it's false.",
        "Yes, that is not true",
        "Yes, they aren't.",
        "Yes, wrong.",
        "No, es verdad.",
        "No, das stimmt.",
    ],
)
def test_an_answer_that_its_own_sentence_contradicts_is_none(reply: str) -> None:
    assert is_unparsed(reply, "yes-no")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("No, that's incorrect.", "no"),
        ("Yes, that's right.", "yes"),
        ("I'd say yes.", "yes"),
        ("So the answer is definitely no.", "no"),
        ("The circle is left of it, so yes.", "yes"),
        ("Yes, I am 95% sure.", "yes"),
        ("Antwort: Ja", "yes"),
        ("答案：是", "yes"),
        ("没有", "no"),
    ],
)
def test_plain_answers_are_read(reply: str, value: str) -> None:
    assert parse(reply, "yes-no") == Answer(value)


TAKEN_BACK = {
    "yes-no": (
        "Yes, I don't think so.",
        "Yes, absolutely not.",
        "Yes, the other way round.",
        "Yes, reversed.",
        "Yes, the opposite.",
        "Yes, not left.",
        "Yes, on the right instead.",
        "Yes, only it's on the right.",
        "Yes; on reflection, it isn't.",
        "Yes it was, until I looked closer.",
        "Yes. That was a joke.",
        "yes (sarcasm)",
        "Yes in image 1, no in image 2.",
        "Yes on shape; no on colour.",
        "Yes for the circle. The square isn't.",
        "Yes, said nobody.",
        "Yes, of course! What would you like to know?",
        "Yes, go on.",
        "Yes, ready.",
        "Yes, I see a blank picture.",
        "[ ] yes",
        "yes: 0",
        "yes=0",
        "!yes",
        "¬yes",
        '{"answer": "yes", "correct": false}',
        "No, you are right, it is.",
        "No, I think so.",
        "No, I agree.",
        "No, exactly.",
        "No, nothing was attached.",
        "No, I'm a text model.",
        "No, I won't.",
        "No. 3",
        "Yep, I do not think so.",
        "- [ ] Yes",
        "Yes, quite the reverse.",
        "No, of course.",
        "Nope, agreed.",
        "Yes, I doubt it.",
        "yes : 1, no : 0",
    ),
    "integer": (
        "There are 2 yellow triangles up top and the same number below.",
        "No one can count these.",
        "Three yellow triangles are missing.",
        "3 yellow triangles would make it even.",
        "The answer used to be 3.",
        "I'd need to see the image to count 3 triangles.",
        "You said there are 3.",
        "There are 0.3k",
        "It is 3 pm.",
        "Thirty percent",
        "The prompt says 4.",
        "It is five o'clock.",
    ),
    "colour": (
        "red: no",
        "Its shadow is red.",
        "The background is red.",
        "The arrow is blue.",
        "blue = false",
    ),
    "colour-shape": (
        "The starting shape is the red circle.",
        "start=red circle",
        "red circle is where it originates",
        "Red circle is behind the arrow.",
        "nearest: red circle",
        "source = red circle",
        "red circle: no",
    ),
}


@pytest.mark.parametrize(
    ("kind", "reply"), [(kind, reply) for kind, replies in TAKEN_BACK.items() for reply in replies]
)
def test_a_value_that_the_rest_of_the_reply_denies_or_turns_round_is_none(kind: str, reply: str) -> None:
    assert is_unparsed(reply, kind)
    if kind == "yes-no":
        assert is_unparsed(reply, "verdict")


STANDS = {
    ("yes-no", "yes"): (
        "Yes, the red circle is left of the blue square.",
        "Yes, as you can see, the circle is inside.",
        "Yes, of course.",
        "Yes, they are on opposite sides.",
        "Yes, I think so.",
        "Yes, exactly.",
        "Yes: 2 circles are inside.",
        "Yes, not only is it inside, it is centred.",
        "Yes, only the red circle is inside.",
        "Yes, in the image the circle is left.",
        "Yes, of course! Would you like me to explain?",
        "Yes, I don't see any gap.",
        "Yes, that's right.",
        "Yes for sure.",
        "Yes with high confidence.",
        '{"answer": "yes", "correct": true}',
        "Yes, the circle isn't touching the wall.",
        "Yes, on the left.",
    ),
    ("yes-no", "no"): (
        "No, it's the other way round.",
        "No, the opposite.",
        "No, I don't think so.",
        "No, it is reversed.",
        "No, not exactly.",
        "No, you can see that it is on the right.",
        "No, I disagree.",
        "No, nothing is inside.",
        "No, of course not.",
        "No. The circle is on the right instead.",
        "No, I do not see it.",
        "No, absolutely not.",
        "No, indeed it isn't.",
        "No: the circle is outside.",
    ),
    ("integer", "3"): (
        "I would say 3.",
        "The answer would be 3.",
        "Three; I am ninety percent sure.",
        "I count 3 of the same colour.",
        "There are 3 yellow triangles.",
        "3 (95% sure)",
        "I'd say 3.",
    ),
    ("integer", "0"): (
        "Not a single one.",
        "There are no yellow ones.",
        "I see no ones.",
        "none",
    ),
    ("colour", "red"): (
        "The shape nearest the border is red.",
        "The shape the arrow points to is red.",
        "The object in the frame is red.",
        "red",
        "The circle is red, on a white background.",
        "Red: the circle.",
    ),
    ("colour", "blue"): ("It is blue rather than green.",),
    ("colour-shape", "red circle"): (
        "The nearest shape is the red circle.",
        "It points to the red circle.",
        "answer: red circle",
        "The arrow starts at the blue square and points to the red circle.",
        "The arrow is pointing to the red circle.",
    ),
    ("verdict", "yes"): (
        "Yes, there is nobody in the room.",
        "Yes, the candle is no longer lit.",
        "Yes, the arrow is reversed.",
        "Yes, the cup is empty.",
    ),
}


@pytest.mark.parametrize(("said", "reply"), [(said, reply) for said, replies in STANDS.items() for reply in replies])
def test_a_value_that_the_rest_of_the_reply_explains_stands(said: tuple[str, str], reply: str) -> None:
    kind, value = said
    assert parse(reply, kind) == Answer(value)
