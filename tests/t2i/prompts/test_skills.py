"""The skill that a question needs, by its tag or its words, and the drawn families that test it."""

import pytest

from counterbench.certificate.evidence import FAMILIES
from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.prompts.skills import families_for, skill_of, whole_prompt


@pytest.mark.parametrize(
    ("text", "tag", "skill"),
    [
        ("How many cats are there?", "", "count"),
        ("Are there exactly three cats?", "", "count"),
        ("Is the bench green?", "", "colour"),
        ("What color is the bench?", "", "colour"),
        ("Is the cat to the left of the dog?", "", "left-right"),
        ("Is the cat on top of the box?", "", "above-below"),
        ("Is the cat inside the box?", "", "inside"),
        ("Is there a cat?", "", "presence"),
        ("Does the sign say STOP?", "", "text"),
        ("Does it look sad?", "", "other"),
        ("Does it look sad?", "Mood", "mood"),
        ("Is the cat there?", "object", "presence"),
        ("Is the cat above the dog?", "position", "above-below"),
        ("Is the cat near the dog?", "position", "position"),
    ],
)
def test_a_question_says_its_skill_by_its_tag_or_its_words(text: str, tag: str, skill: str) -> None:
    assert skill_of(Check(id="q", text=text, skill=tag)) == skill


def test_the_families_are_those_of_the_skills_and_presence_is_always_among_them() -> None:
    def prompt(*checks: Check, text: str = "x") -> Prompt:
        return Prompt.at("a", "image", text, checks=checks)

    assert families_for([prompt(Check(id="q", text="Does it look sad?"))]) == ["presence"]
    counting = prompt(Check(id="q", text="How many?", answer_type="integer", expected="3"))
    assert set(families_for([counting])) == {"presence", "counting"}
    words = Prompt.at("a", "image", "two red cats left of a dog")
    whole = prompt(whole_prompt(words), text=words.text)
    assert set(families_for([whole])) == {"presence", "counting", "attribute", "spatial"}
    assert set(families_for([whole])) <= {family for of in FAMILIES.values() for family in of}
