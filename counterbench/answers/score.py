"""Answers that are a score from 0 to 1: "0.25"."""

from __future__ import annotations

import re
from typing import ClassVar

from counterbench.answers.rated import RatedType


class ScoreType(RatedType):
    """A number from 0 to 1, as the shortest plain decimal. What is outside, or on another scale, is no answer."""

    name = "score"
    allowed: ClassVar[dict[str, object]] = {"description": "from 0 to 1"}

    def is_canonical(self, value: str) -> bool:
        """0, 1, or "0." and digits of which the last is not 0."""
        return re.fullmatch(r"0|1|0\.[0-9]*[1-9]", value) is not None

    def objection(self, value: str) -> str:
        """Why `value` is no score."""
        if value.endswith("%") or "/" in value:
            return f"{value} is on another scale than 0 to 1"
        if "," in value:
            return f"{value} may be one number or several"
        return f"{value} is outside 0 to 1"
