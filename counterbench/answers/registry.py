"""The list of answer types."""

import re
from decimal import Decimal
from functools import cache

from counterbench.answers.base import AnswerType
from counterbench.answers.choices import CHOICE, of_choices
from counterbench.answers.colour_shape import ColourShapeType, ColourType
from counterbench.answers.numbers import IntegerType
from counterbench.answers.rated import RatedType, RatingsType, RatingType
from counterbench.answers.text import DescriptionType, TextType
from counterbench.answers.verdict import FindingType, VerdictType
from counterbench.answers.yes_no import YesNoType
from counterbench.errors import InputError, unknown

_TYPES: tuple[AnswerType, ...] = (
    YesNoType(),
    IntegerType(),
    ColourType(),
    ColourShapeType(),
    RatedType("grade", grades=("0", "0.5", "1")),
    RatedType("score"),
    VerdictType(),
    FindingType(),
    TextType(),
    DescriptionType(),
)
ANSWER_TYPES: dict[str, AnswerType] = {type_.name: type_ for type_ in _TYPES}
# Types that are named with their scale, "rating:1-5".
_SCALED: dict[str, type[RatingType] | type[RatingsType]] = {"rating": RatingType, "ratings": RatingsType}
# Types whose names go on after a colon, each with a form of what follows.
SUFFIXED: dict[str, str] = {**dict.fromkeys(_SCALED, "LOW-HIGH"), CHOICE: "ONE|OTHER|…"}
_SCALE = re.compile(r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)-(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)")


@cache
def answer_type(name: str) -> AnswerType:
    """The answer type called `name`; InputError with the valid names, or the form of a scale or of choices."""
    if name in ANSWER_TYPES:
        return ANSWER_TYPES[name]
    kind, colon, scale = name.partition(":")
    if kind not in SUFFIXED or not colon:
        raise unknown("answer type", name, [*ANSWER_TYPES, *(f"{kind}:{form}" for kind, form in SUFFIXED.items())])
    if kind == CHOICE:
        return of_choices(name)
    ends = _SCALE.fullmatch(scale)
    if ends is None or Decimal(ends[1]) >= Decimal(ends[2]):
        raise InputError(f"answer type {name!r}: its scale is LOW-HIGH, two numbers of which LOW is less: {kind}:1-5")
    low, high = (f"{Decimal(end).normalize():f}" for end in ends.groups())
    return _SCALED[kind](name, low, high)


def kind_of(name: str) -> str:
    """The name of an answer type without its scale or choices: of "rating:1-5" it is "rating"."""
    return name.partition(":")[0]


def scale_of(name: str) -> tuple[str, str] | None:
    """The ends of the scale of an answer type, as plain decimals; None if it has none."""
    kind = answer_type(name)
    return (kind.low, kind.high) if isinstance(kind, RatedType | RatingsType) else None


def share(value: str, name: str, best: str) -> float:
    """The place of a number on the scale of its answer type: 1 at `best`, one of the ends, and 0 at the other end."""
    low, high = map(Decimal, scale_of(name) or ("0", "1"))
    worst, top = (high, low) if best == f"{low}" else (low, high)
    return float((Decimal(value) - worst) / (top - worst))


def canonical(value: str, answer_type_name: str) -> str:
    """`value` if it is a canonical answer of that type, else InputError."""
    return answer_type(answer_type_name).canonical(value)
