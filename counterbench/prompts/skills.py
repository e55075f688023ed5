"""Skills that a question about a picture needs of its judge, and the families of drawn pairs that test each.

A skill is a name such as "count" or "left-right". A sticker is a drawn thing put on one of the judged pictures; pairs
of these test the judge on such pictures.

A question's author may name its skill; else it has one if the whole of it is of a form that drawn pairs test (see
`claims`). All other questions are not tried, and are named as such wherever a score is shown.
"""

from collections.abc import Iterable, Sequence

from counterbench.prompts.claims import WHOLE, skill_in
from counterbench.prompts.prompt_set import Check, Prompt

# The families of drawn pairs in `certify`, by the skill that their questions need; the first one is the default.
FAMILIES = {
    "above-below": ("spatial", "composition"),
    "arrow-target": ("arrow",),
    "colour": ("attribute",),
    "count": ("counting",),
    "inside": ("containment",),
    "left-right": ("spatial",),
    "presence": ("presence",),
    "visible-count": ("occlusion",),
    WHOLE: ("whole-prompt",),
}
OTHER = "other"  # the skill of a check without tag and dimension
# The families of which there are stickers.
_STICKERS = ("presence", "counting", "attribute", "spatial", "containment")
# The skill of reading text, and the family of stickers that tests it; no family of drawn pairs does.
_TEXT, _WORDS = "text", "words"
# Our names of tested skills, by the names that people and published files give them.
_NAMES = {
    **dict.fromkeys(("object", "entity", "existence", "whole", "exists"), "presence"),
    **dict.fromkeys(("color", "colors", "colours"), "colour"),
    **dict.fromkeys(("counting", "number", "numeracy"), "count"),
    **dict.fromkeys(("containment",), "inside"),
    **dict.fromkeys(("ocr", "text rendering", "text-rendering"), _TEXT),
    **{name: name for name in (*FAMILIES, _TEXT)},
}
# Names that only say "a place": the words of the question tell if it is left-right or above-below.
_PLACES = {"side", "position", "spatial", "location", "placement", "relation"}


def whole_prompt(prompt: Prompt) -> Check:
    """The check that asks if the picture shows the whole prompt, for a prompt without questions.

    It needs the skill WHOLE if all clauses of the prompt are of forms that are drawn. Else its skill is untested, and
    is named by its tag (`_untested_skill`).
    """
    text = f'Does the picture show this: "{prompt.text}"?'
    return Check(id="prompt", text=text, tags=(WHOLE,), criterion="prompt")


def skill_of(check: Check) -> str:
    """The skill that a check needs: the one that its author names, else the one that its whole question asks for.

    A check whose question makes no claim needs a skill that no drawn pair tests, named by its tag or dimension.
    """
    stated = check.skill.strip().casefold()
    in_words = _skill_in_words(check)
    if stated and not (stated in _PLACES and in_words in ("left-right", "above-below")):
        return _NAMES.get(stated, stated)
    return in_words or _untested_skill(check)


def _skill_in_words(check: Check) -> str:
    """The skill that a check's words ask for; empty for a graded check, since no drawn pair asks for a grade."""
    return "" if check.criteria or check.answer_type.startswith("rating") else skill_in(check.text)


def _untested_skill(check: Check) -> str:
    """The name of an untested skill: the check's first tag or its dimension, marked if that names a tested skill."""
    name = next(filter(None, (tag.strip().casefold() for tag in (*check.tags, check.dimension))), OTHER)
    if name == WHOLE:
        return f"{WHOLE} of another form"
    return f"{_NAMES[name]}, in other words" if name in _NAMES else name


def named_by_user(prompts: Iterable[Prompt]) -> dict[str, float]:
    """The checks that have a tested skill by their author's word alone: their share of all weight, 0 … 1, by skill.

    Checks with a program are left out: for them nobody needs to name the skill.
    """
    weights, total = dict[str, float](), 0.0
    for check in (check for prompt in prompts for check in prompt.checks):
        total += check.weight
        skill = skill_of(check)
        if check.program is None and skill in (*FAMILIES, _TEXT) and skill != _skill_in_words(check):
            weights[skill] = weights.get(skill, 0.0) + check.weight
    return {name: weight / total for name, weight in weights.items() if weight}


def shares_of(prompts: Iterable[Prompt]) -> dict[str, float]:
    """The share of all weight, 0 … 1, that the checks of each skill have, the largest first."""
    weights: dict[str, float] = {}
    for check in (check for prompt in prompts for check in prompt.checks):
        weights[skill_of(check)] = weights.get(skill_of(check), 0.0) + check.weight
    total = sum(weights.values())
    return {name: weight / total for name, weight in sorted(weights.items(), key=lambda entry: -entry[1])}


def families_for(prompts: Iterable[Prompt]) -> list[str]:
    """The families that test a judge for these prompts' questions: of each skill the first one of `FAMILIES`.

    A second one counts too where a certificate has it. At least `presence`: a judge that sees nothing may score
    nothing.
    """
    skills = {"presence"} | {skill_of(check) for prompt in prompts for check in prompt.checks}
    return list(dict.fromkeys(families[0] for skill, families in FAMILIES.items() if skill in skills))


def sticker_families(prompts: Sequence[Prompt]) -> tuple[str, ...]:
    """The families of stickers on pictures that test a judge for these prompts' questions."""
    words = (_WORDS,) if _TEXT in shares_of(prompts) else ()
    return (*(name for name in families_for(prompts) if name in _STICKERS), *words)
