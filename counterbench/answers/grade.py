"""Answers that are a grade by stated criteria: 0, 0.5 or 1."""

from __future__ import annotations

from counterbench.answers.rated import RatedType


class GradeType(RatedType):
    """One of three grades. Any other number, also 0.7 and 50%, is no answer: nothing is rounded."""

    name = "grade"
    alphabet = ("0", "0.5", "1")

    def __init__(self) -> None:
        super().__init__(allowed={"enum": [0, 0.5, 1]})

    def is_canonical(self, value: str) -> bool:
        """One of the three."""
        return value in self.alphabet

    def objection(self, value: str) -> str:
        """Why `value` is no grade."""
        return f"{value} is none of {', '.join(self.alphabet)}"
