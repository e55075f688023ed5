"""The skill that a question needs, by its author's word or all of its words, and the drawn families that test it."""

from sweeping import swept

from counterbench.evidence.prompt_checks import untested_shares
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
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.programs.shapes import Count
from counterbench.suites.suite import load_suite

_SUITE = load_suite("whole-prompts")
# But for those that name a size, which no claim reads.
PAIRS = [
    pair
    for pair in (_SUITE.sample(_SUITE.parts[0], index) for index in range(60))
    if "largest" not in pair.question and "smallest" not in pair.question
]


def prompt(*checks: Check, text: str = "x") -> Prompt:
    return Prompt.at("a", "image", text, checks=checks)


@swept(
    ("text", "fields", "skill"),
    [
        ("Is the cat to the left of the dog?", {}, "left-right"),
        ("Does it look sad?", {}, OTHER),
        ("Does it look sad?", {"skill": "Mood"}, "mood"),
        ("Does it look sad?", {"skill": "object"}, "presence"),
        ("Is the cat above the dog?", {"skill": "position"}, "above-below"),
        ("Is the cat near the dog?", {"skill": "position"}, "position"),
        ("Is the cat above the dog?", {"skill": "colour"}, "colour"),
        # A tag or a dimension names a question that is not tried, and grants nothing.
        ("How do we feel?", {"tags": ("mood", "count")}, "mood"),
        ("How do we feel?", {"dimension": "Mood"}, "mood"),
        ("How do we feel?", {"tags": ("count",)}, "count, in other words"),
        ("How do we feel?", {"tags": ("whole",)}, "presence, in other words"),
        ("How do we feel?", {"dimension": "color"}, "colour, in other words"),
        ("How do we feel?", {"answer_type": "integer", "expected": "3"}, OTHER),
    ],
)
def test_a_skill_named_by_the_author_overrides_the_words_and_tags_grant_no_skill(
    text: str, fields: dict[str, str], skill: str
) -> None:
    assert skill_of(Check(id="q", text=text, **fields)) == skill  # type: ignore[arg-type]
    assert skill not in FAMILIES or text != "How do we feel?"


def test_a_grade_or_the_name_of_a_cell_grants_no_skill() -> None:
    assert skill_of(Check(id="q", text="Is there a dog?", criteria="5: it dances", answer_type="rating:1-5")) == OTHER
    assert families_for([prompt(Check(id="q", text="Is there a fierce dog?"))]) == ["presence"]
    cell = prompt(Check(id="q", text="Is he juggling well?", dimension="presence/yes-no"))
    prompts = PromptSet("s", ["image"], [cell])
    assert untested_shares({"presence", "presence/yes-no"}, prompts) == {"presence/yes-no": 1}


def test_the_families_are_those_of_the_skills_and_always_presence() -> None:
    counting = prompt(Check(id="q", text="How many cats are there?", answer_type="integer", expected="3"))
    assert set(families_for([counting])) == {"presence", "counting"}
    sign = prompt(Check(id="q", text="Does the sign say STOP?"))
    assert (families_for([sign]), sticker_families([sign])) == (["presence"], ("presence", "words"))


@swept(
    "text",
    [
        "a photo of a red apple and a green cup",
        "Two dogs, no cat and exactly three birds.",
        "A picture with a cup, in which the cat is to the left of the cup and the dog is black",
        "a bear above a clock",
        *(pair.program.prompt for pair in PAIRS if isinstance(pair.program, ShowsAll)),
    ],
)
def test_a_prompt_of_drawn_clauses_needs_the_pairs_of_whole_prompts(text: str) -> None:
    assert families_for([prompt(whole_prompt(prompt(text=text)))]) == ["presence", "whole-prompt"]


@swept(
    "text",
    [
        "two red cats left of a dog",  # which of them?
        "a photo without a dog", "a dog; a cat", "A Tesla", "a dog jumps", "a mirror in which the dog is red", "a text",
        "a cat and a dog, a cow and a horse",  # drawn prompts have three clauses at most
        "a cat in a hat", "a cat and a feeling", "an angry cat", "two cats and dogs", "a dog or a cat",
        "Paris and a cat",
        "a cat with a dog, in which the dog is asleep", "a cat, a dog and", "a cat. The dog is black", "the cat",
    ],
)  # fmt: skip
def test_a_prompt_with_more_than_drawn_clauses_is_not_tried(text: str) -> None:
    check = whole_prompt(prompt(text=text))
    assert skill_of(check) == "whole prompt of another form"
    assert families_for([prompt(check)]) == ["presence"]


def test_skills_granted_only_by_the_author_are_named_with_their_share() -> None:
    checks = (
        Check(id="a", text="Does it look sad?", skill="counting"),
        Check(id="b", text="Is there a cat?", skill="presence", weight=2),
        Check(id="c", text="Does it look glad?", skill="mood"),
        Check(id="d", text="Do they?", skill="count", program=Count()),
    )
    assert named_by_user([prompt(*checks)]) == {"count": 0.2}
