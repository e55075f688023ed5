"""Answers that are yes, no or uncertain, with a confidence where the reply states one."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from counterbench.answers.base import AnswerType, Reading, merge
from counterbench.answers.confidence import confidence_in
from counterbench.answers.doubt import doubts, without_options
from counterbench.answers.outcomes import Answer, Outcome
from counterbench.answers.yes_no import YesNoType


class VerdictType(AnswerType):
    """Yes, no or uncertain, asked for as JSON with a confidence from 0 to 1.

    A confidence that is outside 0 … 1, stated twice differently or only roughly is dropped, and the answer stands: it
    says nothing about which of the three was meant.
    """

    name = "verdict"
    alphabet = ("yes", "no", "uncertain")
    json_keys = ("final_answer", "answer", "verdict", "final_verdict")
    abstentions = ("uncertain",)  # "I cannot view images, so I cannot tell" declines
    schema: ClassVar[dict[str, object] | None] = {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "enum": ["yes", "no", "uncertain"]},
            "confidence": {"type": "number", "description": "from 0 to 1"},
        },
        "required": ["answer", "confidence"],
        "additionalProperties": False,
    }
    _yes_no = YesNoType()

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every yes and no that is said as an answer, and every way to say that one cannot tell."""
        text = without_options(text)
        return merge([self._yes_no.read(text, synonyms), Reading(doubts(text))])

    def settle(self, answer: Answer, marked: str, plain: str) -> Outcome:
        """The answer with the confidence that the reply states."""
        return msgspec.structs.replace(answer, confidence=confidence_in(marked, plain, answer.value, self))
