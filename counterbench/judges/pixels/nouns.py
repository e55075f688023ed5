"""Noun phrases of a question: "the leftmost red circle", "shape A", "the blue square (labeled B)", "pink squares"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, SHAPE_SYNONYMS, SHAPES, Colour, ShapeKind

Extreme = Literal["left", "right", "up", "down", "large", "small"]

_EXTREMES: dict[str, Extreme] = {
    "leftmost": "left",
    "rightmost": "right",
    "topmost": "up",
    "uppermost": "up",
    "highest": "up",
    "bottommost": "down",
    "lowest": "down",
    "largest": "large",
    "biggest": "large",
    "smallest": "small",
}
_COLOURS: dict[str, Colour] = {**{c: c for c in COLOURS}, **COLOUR_SYNONYMS}
_KINDS: dict[str, ShapeKind] = {**{k: k for k in SHAPES}, **SHAPE_SYNONYMS}
_ANY = ("shape", "object", "figure")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

COLOUR_WORD = "(?P<colour>" + "|".join((*_COLOURS, *OTHER_COLOURS)) + ")"
NUMBER_WORD = r"(?P<number>\d+|" + "|".join(_NUMBERS) + ")"

_LABELED = r",? \(?(?:labell?ed|marked|lettered|with (?:the )?(?:letter|label)) [\"'“]?(?P<mark>[A-Z])\b[\"'”]?\)?"
_PHRASE = re.compile(
    r"(?i:\b(?:(?:the|an?|any) )?"
    rf"(?:(?P<place>{'|'.join(_EXTREMES)}) )?"
    rf"(?:(?P<colour>{'|'.join(_COLOURS)})(?:[- ]colou?red)? )?"
    rf"(?P<kind>{'|'.join((*_KINDS, *_ANY))})s?\b)"
    rf"(?:{_LABELED}| (?P<name>[A-Z])\b)?"
    r"|(?<=[a-z,] )(?P<bare>[A-HJ-Z])(?=[ ,?]|$)"
)
# The marks for noun phrases in a sentence: for one with content, and for a plain "shape".
NOUN_MARK, ANY_MARK = "#", "@"


@dataclass(frozen=True)
class Noun:
    """The content of a noun phrase about a shape; None for each part that is not named."""

    place: Extreme | None = None
    colour: Colour | None = None
    kind: ShapeKind | None = None
    letter: str | None = None

    def __str__(self) -> str:
        said = [self.place, self.colour, self.kind or "shape", self.letter]
        return " ".join(word for word in said if word)


def mark_nouns(text: str) -> tuple[str, list[Noun]]:
    """The text with a mark for each noun phrase, and the nouns with content, in order."""
    nouns: list[Noun] = []

    def mark(match: re.Match[str]) -> str:
        place, colour, kind = (cast("str | None", match[name]) for name in ("place", "colour", "kind"))
        noun = Noun(
            _EXTREMES[place.lower()] if place else None,
            _COLOURS[colour.lower()] if colour else None,
            _KINDS.get(kind.lower()) if kind else None,
            match["mark"] or match["name"] or match["bare"],
        )
        if noun == Noun():
            return ANY_MARK
        nouns.append(noun)
        return NOUN_MARK

    return _PHRASE.sub(mark, text), nouns


def colour_named(word: str) -> str:
    """The colour that a word names: one of the palette's, or another word unchanged."""
    return _COLOURS.get(word, word)


def number_named(word: str) -> int:
    """The number that digits or a word name."""
    return int(word) if word.isdigit() else _NUMBERS.index(word)
