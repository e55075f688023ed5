"""Answers that are a number on a scale that its type names: "rating:1-5", "rating:0-100", "rating:-2-2"."""

from __future__ import annotations

import re

from counterbench.answers.numbers import WORD, whole_numbers
from counterbench.answers.rated import AFTER, RatedType


class RatingType(RatedType):
    """A number from `low` to `high`; "4/5" and "4 out of 5" are 4 where `high` is 5. Nothing is rounded."""

    lead = re.compile(
        r"\s*(-?\d{1,9}(?:\.\d{1,9})?(?:[ ]*(?:/|out of)[ ]*\d{1,9})?)[ ]*(?:[–—:]|-(?=[ ]))[ ]*(?=[a-z])"
    )
    after = re.compile(rf"{AFTER}|[ ]+stars?\b")

    def __init__(self, name: str, low: str, high: str) -> None:
        super().__init__(low, high)
        self.name = name

    def whole(self, text: str) -> str | None:
        """ "Four", and nothing else."""
        word = text[:40].strip(" \t\n.!")
        return whole_numbers(word)[0] if re.fullmatch(WORD, word) else None
