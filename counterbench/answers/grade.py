"""Answers that are a grade by stated criteria: 0, 0.5 or 1."""

from __future__ import annotations

from typing import ClassVar

from counterbench.answers.rated import RatedType


class GradeType(RatedType):
    """One of three grades. Any other number, also 0.7 and 50%, is no answer: nothing is rounded."""

    name = "grade"
    alphabet = ("0", "0.5", "1")
    json_keys = ("final_score", "score", "final_grade", "grade", "rating", "overall_score", "mark")
    schema: ClassVar[dict[str, object] | None] = {
        "type": "object",
        "properties": {"score": {"type": "number", "enum": [0, 0.5, 1]}},
        "required": ["score"],
        "additionalProperties": False,
    }

    def objection(self, value: str) -> str:
        """Why `value` is no grade."""
        return f"{value} is none of {', '.join(self.alphabet)}"
