"""A verdict with what in the picture it rests on: yes, no or uncertain, the evidence in words, a confidence."""

from __future__ import annotations

from typing import Final

import msgspec

from counterbench.answers.objects import objects
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.verdict import VerdictType

LONGEST = 500  # characters of evidence that are kept: a sentence or two
_MOST_OF_TEN = 10  # what is no larger may be of ten, or of five
_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "enum": ["yes", "no", "uncertain"]},
        "evidence": {"type": "string", "description": "what in the picture says so, in one sentence"},
        "confidence": {"type": "number", "description": "from 0 to 1"},
    },
    "required": ["answer", "evidence", "confidence"],
    "additionalProperties": False,
}


class FindingType(VerdictType):
    """As a verdict, with the evidence that the reply states in JSON: one line, empty where there is none.

    Of JSON the key "confidence" alone says how sure it is, whatever the evidence says. What is above 10 there is a
    percentage. A confidence that is none, or on another scale, makes the finding Unparsed: it counts, as the answer
    does, and without one an answer would earn more.
    """

    name = "finding"
    schema = _SCHEMA

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the last evidence that the reply has, and its confidence."""
        data = [each.data for each in objects(reply) if each.data is not None]
        if not data:
            return super().settle(answer, reply)
        stated = [value for each in data if isinstance(value := each.get("evidence"), str)]
        words = " ".join(stated[-1].encode(errors="replace").decode().split()) if stated else ""
        found = msgspec.structs.replace(answer, evidence=words[:LONGEST].rstrip())
        said = [value for each in data if (value := each.get("confidence")) is not None]
        if not said:
            return found
        sure = _share(said[-1]) if all(value == said[-1] for value in said) else None
        if sure is None:
            return Unparsed(f"says {answer.value}, with a confidence that is no number from 0 to 1: {_shown(said)}")
        return msgspec.structs.replace(found, confidence=sure)


def _share(value: object) -> float | None:
    """A confidence from 0 to 1; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return None
    if text.endswith("%") or number > _MOST_OF_TEN:
        number /= 100
    return number + 0.0 if 0 <= number <= 1 else None


def _shown(values: list[object]) -> str:
    return ", ".join(f"{value}"[:40] for value in values[:3])
