"""Answers that are a score from 0 to 1: "0.25"."""

from __future__ import annotations

from counterbench.answers.rated import RatedType


class ScoreType(RatedType):
    """A number from 0 to 1. What is outside, or on another scale, is no answer."""

    name = "score"
