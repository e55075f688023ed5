"""The skill that a question needs, by its author's word or all of its words, and the drawn families that test it."""

import pytest

from counterbench.evidence.admission import not_tested
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.skills import (
    FAMILIES,
    OTHER,
    families_for,
    named_by_user,
    skill_of,
    sticker_families,
    whole_prompt,
)
from counterbench.scene.programs.shapes import Count


def prompt(*checks: Check, text: str = "x") -> Prompt:
    return Prompt.at("a", "image", text, checks=checks)


@pytest.mark.parametrize(
    ("text", "own", "skill"),
    [
        ("Is the cat to the left of the dog?", "", "left-right"),
        ("Does it look sad?", "", "other"),
        ("Does it look sad?", "Mood", "mood"),
        ("Does it look sad?", "object", "presence"),
        ("Is the cat above the dog?", "position", "above-below"),
        ("Is the cat near the dog?", "position", "position"),
        ("Is the cat above the dog?", "colour", "colour"),
    ],
)
def test_an_author_s_skill_goes_before_the_words(text: str, own: str, skill: str) -> None:
    assert skill_of(Check(id="q", text=text, skill=own)) == skill


@pytest.mark.parametrize(
    ("fields", "skill"),
    [
        ({}, OTHER),
        ({"tags": ("mood", "count")}, "mood"),
        ({"dimension": "Mood"}, "mood"),
        ({"tags": ("count",)}, "count, in other words"),
        ({"tags": ("whole",)}, "presence, in other words"),
        ({"dimension": "color"}, "colour, in other words"),
        ({"answer_type": "integer", "expected": "3"}, OTHER),
    ],
)
def test_a_tag_names_a_question_that_is_not_tried_and_grants_nothing(fields: dict[str, str], skill: str) -> None:
    check = Check(id="q", text="How do we feel?", **fields)  # type: ignore[arg-type]
    assert skill_of(check) == skill
    assert skill not in FAMILIES


@pytest.mark.parametrize(
    "text",
    ["Are the hands drawn right?", "Is there anything left to fix in the faces?", "Is she crying over the loss?"],
)
def test_a_word_in_a_question_grants_no_skill(text: str) -> None:
    assert skill_of(Check(id="q", text=text)) == OTHER
    assert families_for([prompt(Check(id="q", text=text))]) == ["presence"]


@pytest.mark.parametrize(
    "text",
    [
        "Is there a fierce dog?", "Is there a vibrant flower?", "Is there happiness?", "Is there a fight?",
        "Does the image depict a conversation?", "Is there a crowd?", "How many years are there?",
        "Does the picture show Barack Obama?",
    ],
)  # fmt: skip
def test_no_drawn_pair_speaks_for_a_mood_an_event_or_a_name(text: str) -> None:
    assert skill_of(Check(id="q", text=text)) == OTHER


def test_a_grade_and_the_name_of_a_cell_grant_nothing() -> None:
    assert skill_of(Check(id="q", text="Is there a dog?", criteria="5: it dances", answer_type="rating:1-5")) == OTHER
    cell = prompt(Check(id="q", text="Is he juggling well?", dimension="presence/yes-no"))
    prompts = PromptSet("s", ["image"], [cell])
    assert not_tested({"presence", "presence/yes-no"}, prompts) == {"presence/yes-no": 1}


def test_the_families_are_those_of_the_skills_and_presence_is_always_among_them() -> None:
    counting = prompt(Check(id="q", text="How many cats are there?", answer_type="integer", expected="3"))
    assert set(families_for([counting])) == {"presence", "counting"}
    sign = prompt(Check(id="q", text="Does the sign say STOP?"))
    assert (families_for([sign]), sticker_families([sign])) == (["presence"], ("presence", "words"))


def test_the_words_of_a_whole_prompt_grant_nothing() -> None:
    words = Prompt.at("a", "image", "two red cats left of a dog")
    assert families_for([prompt(whole_prompt(words), text=words.text)]) == ["presence"]


def test_skills_by_their_author_s_word_alone_are_named_with_their_share() -> None:
    checks = (
        Check(id="a", text="Does it look sad?", skill="counting"),
        Check(id="b", text="Is there a cat?", skill="presence", weight=2),
        Check(id="c", text="Does it look glad?", skill="mood"),
        Check(id="d", text="Do they?", skill="count", program=Count()),
    )
    assert named_by_user([prompt(*checks)]) == {"count": 0.2}
