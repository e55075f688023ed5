"""Answers that are a grade by stated criteria: 0, 0.5 or 1."""

from __future__ import annotations

from typing import ClassVar

from counterbench.answers.rated import RatedType


class GradeType(RatedType):
    """One of three grades. Any other number, also 0.7 and 50%, is no answer: nothing is rounded."""

    name = "grade"
    alphabet = ("0", "0.5", "1")
    allowed: ClassVar[dict[str, object]] = {"enum": [0, 0.5, 1]}

    def objection(self, value: str) -> str:
        """Why `value` is no grade."""
        return f"{value} is none of {', '.join(self.alphabet)}"
