"""Answers that are a colour: one of the eight, or another colour's name, which is a definite wrong answer."""

from __future__ import annotations

import re

from counterbench.answers.base import DENIED, AnswerType
from counterbench.answers.stated import is_stated
from counterbench.answers.words import COLOUR, OF_ANOTHER, colours_in
from counterbench.palette import COLOURS

# "reddish", "red-ish", "closer to red"; of "blue-green" and "blue/green" both are named.
SHADED = re.compile(
    r"\b(?:redd|orang|orangey|yellow|green|cyan|blu|blue|purpl|pink|grey|gray|brown|whit|black|violet|teal)ish\b"
    rf"|{COLOUR}[ -](?:ish|tinted|tinged)\b"
    r"|\b(?:purply|pinky|close to|closer to|similar to|slightly|multi-?colou?red)\b"
)


class ColourType(AnswerType):
    """A colour, by one word."""

    name = "colour"
    alphabet = COLOURS
    json_keys = ("colour", "color")
    bare_words = 2
    hedges = re.compile(rf"{SHADED.pattern}|{OF_ANOTHER.pattern}|\b(?:less|equally|half|part) {COLOUR}\b")

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every colour that is named, but for backgrounds, outlines and the like; one that is not stated is denied."""
        return [
            f"{'' if is_stated(text, at, end) else DENIED}{colour}" for colour, at, end in colours_in(text, synonyms)
        ]
