"""The answer types there are; a new one is a line here and a file of its own."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from counterbench.answers.base import AnswerType
from counterbench.answers.colour import ColourType
from counterbench.answers.colour_shape import ColourShapeType
from counterbench.answers.description import DescriptionType
from counterbench.answers.finding import FindingType
from counterbench.answers.grade import GradeType
from counterbench.answers.integer import IntegerType
from counterbench.answers.rated import RatedType
from counterbench.answers.rating import RatingType
from counterbench.answers.ratings import RatingsType
from counterbench.answers.score import ScoreType
from counterbench.answers.text import TextType
from counterbench.answers.verdict import VerdictType
from counterbench.answers.yes_no import YesNoType
from counterbench.errors import InputError, unknown

_TYPES: tuple[AnswerType, ...] = (
    YesNoType(),
    IntegerType(),
    ColourType(),
    ColourShapeType(),
    GradeType(),
    ScoreType(),
    VerdictType(),
    FindingType(),
    TextType(),
    DescriptionType(),
)
ANSWER_TYPES: dict[str, AnswerType] = {type_.name: type_ for type_ in _TYPES}
# Types that are named with their scale, "rating:1-5".
SCALED: dict[str, type[RatingType] | type[RatingsType]] = {"rating": RatingType, "ratings": RatingsType}
_SCALE = re.compile(r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)-(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)")


@cache
def answer_type(name: str) -> AnswerType:
    """The answer type called `name`; InputError with the valid names, or what a scale looks like."""
    if name in ANSWER_TYPES:
        return ANSWER_TYPES[name]
    kind, colon, scale = name.partition(":")
    if kind not in SCALED or not colon:
        raise unknown("answer type", name, [*ANSWER_TYPES, *(f"{kind}:LOW-HIGH" for kind in SCALED)])
    ends = _SCALE.fullmatch(scale)
    if ends is None or Decimal(ends[1]) >= Decimal(ends[2]):
        raise InputError(f"answer type {name!r}: its scale is LOW-HIGH, two numbers of which LOW is less: {kind}:1-5")
    return SCALED[kind](name, *(f"{Decimal(end).normalize():f}" for end in ends.groups()))


def kind_of(name: str) -> str:
    """The name of an answer type without its scale: of "rating:1-5" it is "rating"."""
    return name.partition(":")[0]


def scale_of(name: str) -> tuple[str, str] | None:
    """The ends of the scale of an answer type, as plain decimals; None if it has none."""
    kind = answer_type(name)
    return (kind.low, kind.high) if isinstance(kind, RatedType | RatingsType) else None


def share(value: str, name: str, best: str) -> float:
    """Where a number lies on the scale of its answer type, from 0 at the worse end to 1 at `best`, one of the ends."""
    low, high = map(Decimal, scale_of(name) or ("0", "1"))
    worst, top = (high, low) if best == f"{low}" else (low, high)
    return float((Decimal(value) - worst) / (top - worst))


def canonical(value: str, answer_type_name: str) -> str:
    """`value` if it is a canonical answer of that type, else InputError."""
    return answer_type(answer_type_name).canonical(value)
