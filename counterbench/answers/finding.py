"""A verdict with what in the picture it rests on: yes, no or uncertain, the evidence in words, a confidence."""

from __future__ import annotations

from typing import Final

import msgspec

from counterbench.answers.objects import objects
from counterbench.answers.outcomes import Answer, Outcome
from counterbench.answers.verdict import VerdictType

LONGEST = 500  # characters of evidence that are kept: a sentence or two
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
    """As a verdict, with the evidence that the reply states in JSON: one line, empty where there is none."""

    name = "finding"
    schema = _SCHEMA

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the last evidence that the reply has."""
        found = super().settle(answer, reply)
        values = ((each.data or {}).get("evidence") for each in objects(reply))
        stated = [value for value in values if isinstance(value, str)]
        words = " ".join(stated[-1].encode(errors="replace").decode().split()) if stated else ""
        return msgspec.structs.replace(found, evidence=words[:LONGEST].rstrip())
