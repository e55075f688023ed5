"""Claims are read from questions of the field's usual forms, and never guessed."""

import pytest

from counterbench.t2i.auditing.claims import Absent, Beside, Both, Claim, Coloured, Count, InOne, Present, claim_of


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Is there a dog?", Present("dog")),
        ("Is there a red car in the picture?", Present("red car")),
        ("Is there an apple visible in this image?", Present("apple")),
        ("Does the image show a traffic light?", Present("traffic light")),
        ("Does the picture contain an old clock?", Present("old clock")),
        ("Are there girls?", Present("girls", "many")),
        ("Are there people in the photo?", Present("people", "many")),
        ("Are there three elephants?", Count("elephants", 3, "asked")),
        ("Are there 3 red dogs?", Count("red dogs", 3, "asked")),
        ("Are there exactly two cups in the image?", Count("cups", 2)),
        ("Is there exactly one red fox?", Count("red foxes", 1)),
        ("Does the picture show exactly four red circles?", Count("red circles", 4)),
        ("How many dogs are there?", Count("dogs", 3)),
        ("How many benches are in the picture?", Count("benches", 3)),
        ("Is the cat to the left of the dog?", Beside("cat", "left", "dog")),
        ("Is the bench right of the parking meter?", Beside("bench", "right", "parking meter")),
        ("Is the cup on the left of the plate?", Beside("cup", "left", "plate")),
        ("Is the car red?", Coloured("car", "red")),
        ("Is the stop sign entirely blue?", Coloured("stop sign", "blue")),
        ("Is there a cat and a dog?", Both(Present("cat"), Present("dog"))),
        ("Does this image contain a fork and an orange knife?", Both(Present("fork"), Present("orange knife"))),
    ],
)
def test_a_question_of_a_usual_form_makes_its_claim(question: str, claim: Claim) -> None:
    assert claim_of(question, "3") == claim


@pytest.mark.parametrize(
    "question",
    [
        "Is there no dog?",
        "Is there a man with a hat?",
        "Is there a dog in the background?",
        "Is there a man wearing a hat?",
        "Is there a dog or a cat?",
        "Is there only one dog?",
        "Are there at least three dogs?",
        "Are there more than two dogs?",
        "Are there three dogs on the table?",
        "Are the cars red?",
        "Are the cats to the left of the dogs?",
        "Is the left arm down by the side?",
        "Is the dog to the left of the man's dog and the cat?",
        "Is the cat left of the cat?",
        "Is the cup on the left side of the plate?",
        "Is the border to the left of the image?",
        "Is the umbrella to the left of the sheeps?",
        "Is the day gray?",
        "Is there a photo?",
        "Is the car red and shiny?",
        "Is the wall made of wood?",
        "Is there water?",
        "Is the dog black or white?",
        "How many dogs are on the table?",
        "Is the following false: Is there a dog?",
        'Does the picture show this: "a dog"?',
        "",
    ],
)
def test_any_other_question_makes_none(question: str) -> None:
    assert claim_of(question, "3") is None


def test_a_question_for_a_number_makes_none_without_a_number() -> None:
    assert claim_of("How many dogs are there?", "many") is None


def test_our_own_questions_have_one_meaning_in_words() -> None:
    dog = Present("dog")
    assert Absent(dog).text == "Is it true that there is no dog in the picture?"
    assert Absent(Present("dogs", "many")).text == "Is it true that there are no dogs in the picture?"
    assert InOne(dog).text == "Is it true that exactly one of the two pictures shows a dog, and the other does not?"
    assert Count("dogs", 1).text == "Is the number of dogs exactly one?"
    assert Count("dogs", 12, "at least").text == "Is the number of dogs at least 12?"
    every = Beside("cat", "left", "dog").turned
    assert every.text == "Is every cat to the right of every dog, and is there at least one cat and one dog?"
    red = Coloured("car", "red", entirely=True)
    assert red.text == "Is every car entirely red, and is there at least one car?"


@pytest.mark.parametrize(
    "words",
    [
        "Is the jacket light green?", "Are there few buildings?", "Are there zero dogs?",
        "Is there exactly one chest present in the image?", "Is there a single paintbrush?",
        "Is there a black and a white cat?", "Is there a small and a large dog?", "Is there a void?",
        "Is the floor lamp positioned to the right of the sofa?",
    ],
)  # fmt: skip
def test_words_of_the_field_that_say_less_than_they_seem_to_are_left_alone(words: str) -> None:
    assert claim_of(words) is None
