"""Answers that are a colour: one of the eight, or another colour's name, which is a definite wrong answer."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType
from counterbench.answers.words import COLOUR, colours_in
from counterbench.palette import COLOURS

# "reddish", "red-ish", "closer to red"; of "blue-green" and "blue/green" both are named.
SHADED = re.compile(
    r"\b(?:redd|orang|orangey|yellow|green|cyan|blu|blue|purpl|pink|grey|gray|brown|whit|black|violet|teal)ish\b"
    rf"|{COLOUR}[ -]ish\b|\b(?:purply|pinky|close to|closer to|similar to|slightly|multi-?colou?red)\b"
)


class ColourType(AnswerType):
    """A colour, by one word."""

    name = "colour"
    alphabet = COLOURS
    json_keys = ("colour", "color")
    bare_words = 2
    hedges = SHADED

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every colour that is named, but for backgrounds, outlines and the like."""
        return [colour for colour, _, _ in colours_in(text, synonyms)]
