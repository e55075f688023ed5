"""The answer types there are; a new one is a line here and a file of its own."""

from __future__ import annotations

from counterbench.answers.base import AnswerType
from counterbench.answers.colour import ColourType
from counterbench.answers.colour_shape import ColourShapeType
from counterbench.answers.grade import GradeType
from counterbench.answers.integer import IntegerType
from counterbench.answers.score import ScoreType
from counterbench.answers.text import TextType
from counterbench.answers.verdict import VerdictType
from counterbench.answers.yes_no import YesNoType
from counterbench.errors import unknown

_TYPES: tuple[AnswerType, ...] = (
    YesNoType(),
    IntegerType(),
    ColourType(),
    ColourShapeType(),
    GradeType(),
    ScoreType(),
    VerdictType(),
    TextType(),
)
ANSWER_TYPES: dict[str, AnswerType] = {type_.name: type_ for type_ in _TYPES}


def answer_type(name: str) -> AnswerType:
    """The answer type called `name`."""
    if name not in ANSWER_TYPES:
        raise unknown("answer type", name, ANSWER_TYPES)
    return ANSWER_TYPES[name]


def canonical(value: str, answer_type_name: str) -> str:
    """`value` if it is a canonical answer of that type, else InputError."""
    return answer_type(answer_type_name).canonical(value)
