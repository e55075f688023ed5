"""Answers that are yes, no or uncertain, with a confidence; a finding has evidence in words as well."""

import re
from decimal import Decimal

import msgspec

from counterbench.answers.base import DENIED
from counterbench.answers.clean import clean
from counterbench.answers.objects import objects
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.yes_no import YesNoType

_ALONE = frozenset({"maybe", "perhaps", "possibly"})
# Doubt about the answer, and not about some detail of the picture ("unclear what is behind the box").
_UNSURE = re.compile(
    r"(?P<denied>(?:\b(?:not?|nothing|never|hardly|scarcely|barely|nobody|neither)|n't)(?: \w+){0,4} )?"
    r"\b(?:uncertain|unsure|unclear|unknown|undetermined|inconclusive"
    r"|ambiguous"
    r"|not (?:\w+ly )?(?:sure|certain|clear)"
    r"|(?:cannot|can not|can't|unable to|impossible to|hard to|difficult to|not possible to)"
    r" (?:be )?(?:\w+ly )?(?:tell|say|determined?|know|known|judge)|(?:don't|do not) know|no idea"
    r"|not enough (?:information|evidence|detail))\b"
    r"(?=[ ]*(?:[.,;!?)\n]|$)|[ ]+(?:for sure|from|to (?:say|tell|answer)|whether|if|yes or no)\b)"
)
_OPTIONS = re.compile(
    r"\byes\b[ ]*[,/|][ ]*no\b[ ]*[,/|]?[ ]*(?:or )?(?:uncertain|unsure|maybe)\b|\byes/no or uncertain\b"
)
_NUMBER = (
    r"(-?(?:\d{1,20}(?:[.,]\d{1,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?)"
    r"(?![\w/]|[.,]\w|\.[\"'}]|[ ]*(?:[-–]|to\b|or\b|out\b)[ ]*\.?\d)"
)
_CONFIDENCE = re.compile(
    r"\bconfiden(?:ce|t)\b(?: (?:level|score|rating))?(?:[ ]*\([^()\n]{0,12}\))?[\"']?[ ]*(?:is\b|of\b|at\b|[:=—])?[ ]*"
    rf"[\"']?{_NUMBER}(?:[ ]*(%|percent\b))?"
    r"|(?<![\w.,-])(?<!not )(?<!about )(?<!around )"
    rf"{_NUMBER}(?:[ ]*(%|percent\b))?[ ](?:confiden(?:t|ce)|sure|certain)\b"
)

_EVIDENCE: dict[str, object] = {
    "evidence": {"type": "string", "description": "what in the picture says so, in one sentence"}
}
_MOST_EVIDENCE = 500  # characters that are kept: a sentence or two
_TEN = 10  # a number up to it may be on a scale of ten, or of five


def _schema(between: dict[str, object] | None = None) -> dict[str, object]:
    properties: dict[str, object] = {
        "answer": {"type": "string", "enum": ["yes", "no", "uncertain"]},
        **(between or {}),
        "confidence": {"type": "number", "description": "from 0 to 1"},
    }
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


class VerdictType(YesNoType):
    """Yes, no or uncertain, asked for as JSON with a confidence from 0 to 1.

    A confidence outside 0 … 1, stated twice differently or only roughly is dropped, and the answer stays.
    """

    name = "verdict"
    alphabet = ("yes", "no", "uncertain")
    json_keys = ("final_answer", "answer", "verdict", "final_verdict")
    abstentions = ("uncertain",)  # "I cannot view images, so I cannot tell" declines
    schema = _schema()

    def spelled(self, text: str) -> str:
        """A reply without the question's own choice ("yes, no or uncertain")."""
        return super().spelled(_OPTIONS.sub(" ", text))

    def whole(self, text: str) -> str | None:
        """As for yes and no; "maybe" is uncertain."""
        return "uncertain" if text[:40].strip(" \t\n.!") in _ALONE else super().whole(text)

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every yes and no that is said as an answer, and every way to say that one cannot tell."""
        doubts = [f"{DENIED if m['denied'] else ''}uncertain" for m in _UNSURE.finditer(text)]
        return [*super().mentions(text, synonyms), *doubts]

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the one confidence that the reply states."""
        stated = {_share(m[1] or m[3], m[2] or m[4]) for m in _CONFIDENCE.finditer(clean(reply))}
        return msgspec.structs.replace(answer, confidence=stated.pop() if len(stated) == 1 else None)


def _share(number: str, percent: str | None) -> float | None:
    # Divided as decimals are written, so that 80% is 0.8 and 7% is 0.07.
    value = Decimal(number.replace(",", ".")) / (100 if percent else 1)
    return float(value) + 0.0 if 0 <= value <= 1 else None


class FindingType(VerdictType):
    """A verdict with the evidence that the reply states in JSON: one line, empty if there is none.

    In JSON the key "confidence" alone tells the confidence; a number above 10 is a percentage. A confidence that is no
    number or on another scale makes the finding Unparsed: an answer without a confidence would earn more.
    """

    name = "finding"
    schema = _schema(_EVIDENCE)

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the last evidence that the reply has, and its confidence."""
        data = [each.data for each in objects(reply) if each.data is not None]
        if not data:
            return super().settle(answer, reply)
        stated = [value for each in data if isinstance(value := each.get("evidence"), str)]
        words = " ".join(stated[-1].encode(errors="replace").decode().split()) if stated else ""
        finding = msgspec.structs.replace(answer, evidence=words[:_MOST_EVIDENCE].rstrip())
        confidences = [value for each in data if (value := each.get("confidence")) is not None]
        if not confidences:
            return finding
        sure = _confidence(confidences[-1]) if all(value == confidences[-1] for value in confidences) else None
        if sure is None:
            shown = ", ".join(f"{value}"[:40] for value in confidences[:3])
            return Unparsed(f"says {answer.value}, with a confidence that is no number from 0 to 1: {shown}")
        return msgspec.structs.replace(finding, confidence=sure)


def _confidence(value: object) -> float | None:
    """A confidence from 0 to 1; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return None
    if text.endswith("%") or number > _TEN:
        number /= 100
    return number + 0.0 if 0 <= number <= 1 else None
