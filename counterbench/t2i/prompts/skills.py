"""Skills that a question about a picture needs of its judge, and the families of drawn pairs that test each.

A question says its skill by its own tag, where it has one; else its words tell. Skills without a family are not tested
by drawn pairs, and are named as such wherever a score is shown.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from counterbench.certificate.evidence import FAMILIES
from counterbench.t2i.prompts.prompt_set import Check, Prompt

WHOLE, OTHER = "whole prompt", "other"
# The families of which there are stickers; presence is always among those that questions need.
_STICKERS = ("presence", "counting", "attribute", "spatial", "containment")
# Of words there are stickers alone: no family of the drawn test asks for this skill.
_TEXT, _WORDS = "text", "words"
# Tags by which people and the field's files call skills that drawn pairs test.
_TAGS = {
    **dict.fromkeys(("object", "entity", "existence", "whole", "exists"), "presence"),
    **dict.fromkeys(("color", "colors", "colours"), "colour"),
    **dict.fromkeys(("counting", "number", "numeracy"), "count"),
    **dict.fromkeys(("containment",), "inside"),
    **dict.fromkeys(("ocr", "text rendering", "text-rendering"), "text"),
    **{name: name for name in (*FAMILIES, WHOLE)},
}
# Tags for places, of which the words tell the axis.
_PLACES = ("side", "position", "spatial", "location", "placement", "relation")
_MANY = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]+"
_COLOUR = "red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|cyan|magenta|turquoise|golden"
# The signs of each skill in a question's words; the first that fits counts.
_SIGNS = {
    "text": r"\b(text|words?|letters?|caption|title|sign|label)s? (says?|reads?|spells?)\b|\b(written|spelled)\b",
    "count": rf"\bhow many\b|\bnumber of\b|\bexactly\b|\b(are( there)?|show|shows|of|only) (one|{_MANY})\b",
    "left-right": r"\b(left|right)\b",
    "above-below": r"\b(above|below|beneath|underneath|under|over|on top of)\b",
    "inside": r"\binside\b|\bcontained in\b",
    "colour": rf"\bwh(at|ich) colou?r\b|\bcolou?r\b|\b({_COLOUR})\b",
    "presence": r"^(is|are) there\b|\b(visible|present|shown|appears?)\b|^(does|do) .*\b(show|contain|include|depict)",
}
_PATTERNS = {skill: re.compile(pattern, re.IGNORECASE) for skill, pattern in _SIGNS.items()}
_IN_PROMPTS = {**_PATTERNS, "count": re.compile(rf"\b({_MANY})\b", re.IGNORECASE)}


def whole_prompt(prompt: Prompt) -> Check:
    """The prompt's own question, for a prompt without questions."""
    text = f'Does the picture show this: "{prompt.text}"?'
    return Check(id="prompt", text=text, skill=WHOLE, criterion="prompt")


def skill_of(check: Check) -> str:
    """The skill that a check needs; one that nothing here draws keeps the name that its author gave it."""
    tag = check.skill.strip().casefold()
    if tag in _TAGS:
        return _TAGS[tag]
    signs = _signs_in(check.text)
    if tag in _PLACES:
        return next((skill for skill in signs if skill in ("left-right", "above-below")), tag)
    return tag or next(iter(signs), "count" if check.answer_type == "integer" else OTHER)


@lru_cache(maxsize=4096)  # the same few questions are asked about every picture
def _signs_in(text: str) -> tuple[str, ...]:
    return tuple(skill for skill, pattern in _PATTERNS.items() if pattern.search(text))


def shares_of(prompts: Iterable[Prompt]) -> dict[str, float]:
    """The share of the weight, 0 … 1, of the checks of each skill, the largest first."""
    weights: dict[str, float] = {}
    for check in (check for prompt in prompts for check in prompt.checks):
        weights[skill_of(check)] = weights.get(skill_of(check), 0.0) + check.weight
    total = sum(weights.values())
    return {name: of / total for name, of in sorted(weights.items(), key=lambda each: -each[1])}


def families_for(prompts: Iterable[Prompt]) -> list[str]:
    """The families that test a judge for these prompts' questions; of whole prompts, by the prompts' words.

    At least `presence`: a judge that sees nothing may score nothing.
    """
    skills = {"presence"}
    for prompt in prompts:
        for check in prompt.checks:
            if (skill := skill_of(check)) == WHOLE:
                skills |= {skill for skill, pattern in _IN_PROMPTS.items() if pattern.search(prompt.text)}
            skills.add(skill)
    return list(dict.fromkeys(families[0] for skill, families in FAMILIES.items() if skill in skills))


def sticker_families(prompts: Sequence[Prompt]) -> tuple[str, ...]:
    """The families of stickers on pictures that test a judge for these prompts' questions."""
    words = (_WORDS,) if _TEXT in shares_of(prompts) else ()
    return (*(name for name in families_for(prompts) if name in _STICKERS), *words)
