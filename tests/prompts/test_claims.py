"""Claims are read from questions of the field's usual forms, and never guessed."""

import re

import pytest
from hypothesis import given
from pictures.auditing.claimed import claims
from sweeping import swept

from counterbench.pictures.auditing.relations import takes
from counterbench.prompts.claims import (
    Absent,
    Beside,
    Both,
    Claim,
    Coloured,
    CountClaim,
    InOne,
    Present,
    claim_of,
    skill_in,
)
from counterbench.suites.suite import load_suite


@swept(
    ("question", "claim"),
    [
        ("Is there a dog?", Present("dog")),
        ("Is there a red car in the picture?", Present("red car")),
        ("Is there an apple visible in this image?", Present("apple")),
        ("Does the image show a traffic light?", Present("traffic light")),
        ("Does the picture contain a wall clock?", Present("wall clock")),
        ("Is there no dog?", Absent(Present("dog"))),
        ("Are there no dogs in the image?", Absent(Present("dogs", "many"))),
        ("Are there exactly twenty-five dogs?", CountClaim("dogs", 25)),
        ("Are exactly three shapes visible?", CountClaim("shapes", 3)),
        ("Count the blue squares in the picture. How many are there?", CountClaim("blue squares", 3)),
        ("Is it true that the picture shows no square?", Absent(Present("square"))),
        ("Is the picture without a red square?", Absent(Present("red square"))),
        ("Are there girls?", Present("girls", "many")),
        ("Are there people in the photo?", Present("people", "many")),
        ("Are there three elephants?", CountClaim("elephants", 3, "asked")),
        ("Are there 3 red dogs?", CountClaim("red dogs", 3, "asked")),
        ("Are there exactly two cups in the image?", CountClaim("cups", 2)),
        ("Is there exactly one red fox?", CountClaim("red foxes", 1)),
        ("Does the picture show exactly four red circles?", CountClaim("red circles", 4)),
        ("How many dogs are there?", CountClaim("dogs", 3)),
        ("How many benches are in the picture?", CountClaim("benches", 3)),
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


# Each says more than its form, or less than it seems to; of a mood, an event or a name no drawn pair speaks.
OTHERS = """
Is there a man with a hat? Is there a dog in the background? Is there a man wearing a hat? Is there a dog or a cat?
Is there only one dog? Are there more than two dogs? Are there three dogs on the table? Is the cat left of the cat?
Is the left arm down by the side? Is the dog to the left of the man's dog and the cat? Is there a photo?
Is the cup on the left side of the plate? Is the border to the left of the image? Is the day gray?
Is the car red and shiny? Is the wall made of wood? Is the dog black or white? Is the zebra black and white?
Is there an angry person? Is there a small wooden table? Is there an old clock? Is there a red wooden table?
Is there a barking dog? Is there a six-string guitar? Is there a pair of glasses? Are the hands drawn right?
Does the picture show irrelevant stools? Is the text on the menu truly tidy and bold?
Does the picture show the letter 'B' of 'BREAD' turned into 'C'? Is the woman crying over the loss?
Is the fox yawning under the cart? Is the fish inside the jar turning slowly? Is the stove top glowing blue?
Are the nurses wearing green? If the jester and balls are present, is he juggling? If the dog is present, is it old?
Is the text in a slim font? Is the text red? Is the clerk writing in the diary? How many people wear hats?
How many fingers does the hand have? Is there a red car, and is it parked? Is there a cat, and is the dog brown?
How many dogs are on the table? Is the following false: Is there a dog? Does the picture show this: "a sad dog"?
Is the jacket light green? Are there few buildings? Are there zero dogs? Is there a single paintbrush?
Is there exactly one chest present in the image? Is there a black and a white cat? Is there a void?
Is there a small and a large dog? Is there a fierce dog? Is there a vibrant flower? Is there happiness?
Is there a fight? Is there a crowd? Does the image depict a conversation? How many years are there?
Does the picture show Barack Obama? Is there anything left to fix in the faces?
"""


@swept("question", [*re.findall(r"\S[^?]+[?]", OTHERS), ""])
def test_a_question_of_another_form_makes_no_claim(question: str) -> None:
    assert claim_of(question, "3") is None


SKILLS = {
    "presence": """
    Are there any dogs? Is there water? Is the dog in the picture? Is the dog visible? Does the image show dogs?
    Are the dogs present in the image? Are there cats, and is there a dog?
    """,
    "count": """
    Are there at least three dogs? Are there 3 or more teddy bears in the picture? How many cats are there?
    How many children can you see?
    """,
    "colour": """
    Are the cars red? What colour is the bench? Which color are the fire hydrants? Is the color of the bench green?
    Does the bench have the color green? If the mugs are present, are the mugs black?
    If a bonnet is present, is it black?
    """,
    "left-right": """
    Are the cats to the left of the dogs? Is there a cat to the right of the dog?
    Is the floor lamp positioned to the right of the sofa?
    """,
    "above-below": """
    Is the cat on top of the box? Are the cats under the table? Is the bird above a cloud?
    Does the blue square lie below the red circle?
    """,
    "inside": "Is the cat inside the box?",
    "text": """
    Is there text? Is the text 'SALE' present? Is the text 'Tea - $3' positioned under the 'DRINKS' heading?
    Is the tab heading 'Home' present? Does the sign say STOP? What is written on the board?
    """,
}


@swept(("question", "skill"), [(q, skill) for skill, text in SKILLS.items() for q in re.findall(r"\S[^?]+[?]", text)])
def test_a_question_of_a_form_that_no_relation_takes_has_a_skill(question: str, skill: str) -> None:
    assert skill_in(question) == skill
    claim = claim_of(question, "3")
    assert claim is not None
    assert not takes(claim, question) or question.startswith("How many")


@given(claim=claims)
def test_the_words_of_a_claim_make_a_claim_of_its_skill(claim: Claim) -> None:
    none = isinstance(claim, CountClaim) and claim.reading == "asked" and not claim.number  # "are there zero dogs?"
    assert skill_in(claim.text) == ("" if none else claim.skill)


@pytest.mark.parametrize("family", ["counting", "attribute", "composition", "containment"])
def test_questions_of_drawn_pairs_have_their_own_skill_or_none(family: str) -> None:
    pairs = [pair for pair in load_suite("smoke") if pair.family == family]
    assert pairs
    assert {skill_in(pair.question) for pair in pairs} <= {"", *{pair.skill for pair in pairs}}


def test_a_question_of_any_length_is_read_quickly() -> None:
    assert skill_in("is there a " * 2000) == skill_in("Is the text '" + "' " * 2000) == ""


def test_a_question_for_a_count_makes_no_claim_without_a_number() -> None:
    assert claim_of("How many dogs are there?", "many") is None


def test_questions_written_for_claims_are_unambiguous() -> None:
    dog = Present("dog")
    assert Absent(dog).text == "Is it true that there is no dog in the picture?"
    assert Absent(Present("dogs", "many")).text == "Is it true that there are no dogs in the picture?"
    assert InOne(dog).text == "Is it true that exactly one of the two pictures shows a dog, and the other does not?"
    assert CountClaim("dogs", 1).text == "Is the number of dogs exactly one?"
    assert CountClaim("dogs", 12, "at least").text == "Is the number of dogs at least 12?"
    every = Beside("cat", "left", "dog").turned
    assert every.text == "Is every cat to the right of every dog, and is there at least one cat and one dog?"
    red = Coloured("car", "red", entirely=True)
    assert red.text == "Is every car entirely red, and is there at least one car?"
