"""What graded and continuous scores share: one number, in a notation that is exact, never bent to another."""

from __future__ import annotations

import re
from abc import abstractmethod
from decimal import Decimal
from typing import ClassVar

from counterbench.answers.base import AnswerType
from counterbench.answers.numbers import ROUGH
from counterbench.answers.outcomes import Answer, Outcome, Unparsed

_NUMBER = r"\d+(?:[.,]\d+)?"
_AMOUNT = re.compile(
    rf"(?<![a-z0-9_.,/#)-])(?P<number>-?{_NUMBER})"
    rf"(?:[ ]*(?:/|out of(?: the)?|of(?: the)?)[ ]*(?P<of>{_NUMBER})|[ ]*(?P<percent>%|percent\b))?"
    r"(?![a-z0-9_/]|[.,]\d|-[a-z])(?P<after>[ ]+[a-z]+)?"
)
# The question's own words for what may be said, and numbers that are no scores.
_ECHO = re.compile(
    r"\b0,[ ]*0\.5,?[ ]*(?:and|or)?[ ]*1(?![.\d])|\b(?:scale|range)?[ ]*\(?(?:\bof|\bfrom|\bbetween)?[ ]*"
    r"\b0(?:\.0)?[ ]*(?:to|-|–)[ ]*1(?:\.0)?(?![.,]?\d)\)?"
    r"|\([ ]*out of 1(?:\.0)?[ ]*\)"
    r"|\bconfiden(?:ce|t)\b[^\d\n]{0,12}[\d.]+%?|(?<![\d.])[\d.]{1,9}%?[ ](?:confident|sure|certain)"
    r"|\b(?:criterion|criteria|step|image|picture|rule)[ ]\d+(?!\.\d)"
)
_EXPONENT = re.compile(r"(?<![\w.,])\d{1,40}(?:\.\d{1,40})?e[+-]?\d{1,3}(?![\w.]*\d)")
_MINUS = re.compile(r"\b(?:minus|negative)[ ]+(?=\.?\d)")
_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
_HALF = re.compile(r"(?<![\w./])1/2(?![\w./])")
# What may follow a score; any other word may be what is counted or measured.
_AFTER = re.compile(
    r"[ ]+(?:points?|pts?|marks?|for|is|was|out|if|and|or|but|overall|in|to|based|given|on|with|here|score|at|so|as"
    r"|because|since)\b"
)
# What is taken off a score is none.
_DEDUCTED = re.compile(
    rf"{ROUGH.pattern}|\bdeduct(?:s|ed|ing)?\b|\b(?:subtract(?:s|ed|ing)?|dock(?:s|ed|ing)?|los(?:es?|ing|t))[ ]+-?\d"
    r"|\d[ ]*(?:points?|marks?)?[ ]+(?:(?:is|are|was|were)[ ])?(?:off|lost|subtracted|taken off)\b"
)
_WORDS = {"half": "0.5", "a half": "0.5", "one half": "0.5", "half a point": "0.5", "zero": "0", "one": "1"}


class RatedType(AnswerType):
    """A score: one number. One that is not allowed is never bent to one that is."""

    json_keys = ("final_score", "score", "final_grade", "grade", "rating", "overall_score", "mark")
    cue_words = ("score", "grade", "rating", "mark")
    hedges = _DEDUCTED
    # A JSON Schema of one key, "score".
    allowed: ClassVar[dict[str, object]]

    def __init_subclass__(cls) -> None:
        """Each such type is asked for as `{"score": …}`."""
        cls.schema = {
            "type": "object",
            "properties": {"score": {"type": "number", **cls.allowed}},
            "required": ["score"],
            "additionalProperties": False,
        }

    @abstractmethod
    def objection(self, value: str) -> str:
        """Why `value`, which is not canonical, is no score: it names the value and what is allowed."""

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer, or Unparsed with the reason if its number is none of this type."""
        shown = answer.value if len(answer.value) <= 40 else f"{answer.value[:40]}…"
        return answer if self.is_canonical(answer.value) else Unparsed(self.objection(shown))

    def spelled(self, text: str) -> str:
        """A reply with "0.5" for ".5", "5e-1" and "1/2", "-1" for "minus 1", without the scale repeated."""
        text = _EXPONENT.sub(lambda m: f"{Decimal(m[0]):f}", text)
        return _ECHO.sub(" ", _HALF.sub("0.5", _POINT.sub("0.", _MINUS.sub("-", text))))

    def whole(self, text: str) -> str | None:
        """ "Half" and the like."""
        return _WORDS.get(text[:40].strip(" \t\n.!"))

    def json_text(self, value: object) -> str | None:
        """A number in plain decimals, or the words of a string; no booleans."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        if isinstance(value, str):
            return value
        number = Decimal(repr(value))
        return f"{number:f}" if number.is_finite() else "no number"

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every number that may be a score, as a plain decimal if it is one; a count with what it counts."""
        found = []
        for match in _AMOUNT.finditer(text):
            number = _decimal(match["number"])
            if match["percent"]:
                number = f"{match['number']}%"
            elif match["of"]:
                number = number if _decimal(match["of"]) == "1" else f"{match['number']}/{match['of']}"
            elif match["after"] and not _AFTER.match(match["after"]):
                number += match["after"]  # "1 cup"
            found.append(number)
        return found


def _decimal(text: str) -> str:
    """The shortest plain decimal; the text itself where a comma may part thousands, or two numbers."""
    whole, comma, fraction = text.partition(",")
    if comma and ((len(fraction) == 3 and whole.strip("-0")) or {whole, fraction} == {"0", "1"}):
        return text
    whole, _, fraction = text.replace(",", ".").partition(".")
    sign, whole, fraction = whole[: whole.startswith("-")], whole.lstrip("-0") or "0", fraction.rstrip("0")
    value = f"{whole}.{fraction}" if fraction else whole
    return f"{sign}{value}" if value != "0" else value
