"""The meaning of a question, by reading the English: noun phrases first, then the sentence around them.

A noun phrase: "the leftmost red circle", "shape A", "the blue square (labeled B)", "pink squares".

Sentences are matched whole: an unknown word ("not", "almost") makes the question unreadable; it is not ignored.
Nothing here knows the templates; a phrasing that says left for right is read as it is written.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, cast

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, SHAPE_SYNONYMS, SHAPES, Colour, ShapeKind

Side = Literal["left", "right", "up", "down"]
Extreme = Literal["left", "right", "up", "down", "large", "small"]


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


class AskColour(NamedTuple):
    """The question for a shape's colour; with `value`, the yes/no question for that colour."""

    target: Noun
    value: str | None = None


class AskSide(NamedTuple):
    """The yes/no question if `first` lies on that side of `second`."""

    first: Noun
    side: Side
    second: Noun


class AskFurther(NamedTuple):
    """The question for the one of two further to that side; with `value`, the yes/no question for that one."""

    first: Noun
    side: Side
    second: Noun
    value: Noun | None = None


class AskCount(NamedTuple):
    """The question for a number, anywhere or in the container; with `value`, the yes/no question for that number."""

    things: Noun
    inside: bool = False
    value: int | None = None


class AskThere(NamedTuple):
    """The yes/no question if there is such a shape; with `none`, if there is none."""

    thing: Noun
    none: bool = False


class AskInside(NamedTuple):
    """The yes/no question if the shape is inside the container."""

    target: Noun


class AskArrow(NamedTuple):
    """The question for the shape that the arrow points to; with `value`, the yes/no question for that one."""

    value: Noun | None = None


Asked = AskColour | AskSide | AskFurther | AskCount | AskThere | AskInside | AskArrow

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

_COLOUR_WORD = "(?P<colour>" + "|".join((*_COLOURS, *OTHER_COLOURS)) + ")"
_NUMBER_WORD = r"(?P<number>\d+|" + "|".join(_NUMBERS) + ")"

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
_NOUN_MARK, _ANY_MARK = "#", "@"

_SIDES: dict[Side, str] = {
    "left": r"(?:to |on )?(?:the )?left(?: side| hand side)? of",
    "right": r"(?:to |on )?(?:the )?right(?: side| hand side)? of",
    "up": r"(?:above|over|higher (?:up )?than)",
    "down": r"(?:below|beneath|under|underneath|lower (?:down )?than)",
}
_MORES: dict[Side, str] = {
    "left": r"(?:further|farther|more)(?: over)? (?:to the )?left",
    "right": r"(?:further|farther|more)(?: over)? (?:to the )?right",
    "up": r"(?:higher(?: up)?|(?:further|farther) up)",
    "down": r"(?:lower(?: down)?|(?:further|farther) down)",
}
_SHORT = {
    "_PICTURE": r"(?:the|this) (?:picture|image|scene)",
    "_BOX": r"(?:the|this) (?:rectangular )?(?:container|frame)",
    "_IN": r"(?:inside|within|in)(?: of)? (?:the|this) (?:rectangular )?(?:container|frame)",
    "_HUE": r"colou?r",
    "_LIE": r"(?: (?:lie|lying|located|placed|positioned|standing))?",
    "_SEEN": r"(?:(?: that| which)?(?: are| is| can be)? (?:visible|seen|shown|there))",
    "_COLOUR": _COLOUR_WORD,
    "_EXACTLY": rf"(?:exactly|precisely) {_NUMBER_WORD}",
    "_THINGS": "[#@]",
    "_POINT": r"(?:points?|is pointing|pointing) (?:to|at|towards?)",
}
_WHERE = rf" ?(?:in|on) {_SHORT['_PICTURE']}"
_BEFORE = rf"(?:looking at|in|on) {_SHORT['_PICTURE']},? "
_INTRODUCTION = r"^(?:(?:look at|here is|this is|you see|you are shown)\b[^.!?]*\b(?:picture|image)[^.!?]*[.!] )?"

Rule = tuple[str, Callable[[list[Noun], dict[str, str]], Asked]]


def _count(nouns: list[Noun], words: dict[str, str], inside: bool = False) -> AskCount:
    """The question for a number; a plain "shapes" is no noun."""
    number = number_named(words["number"]) if "number" in words else None
    return AskCount(nouns[0] if nouns else Noun(), inside, number)


_count_inside = partial(_count, inside=True)

# "#" stands for a noun phrase with content, "@" for a plain "shape"; _WORDS are those above.
_RULES: tuple[Rule, ...] = (
    (r"(?:what|which) _HUE (?:is #|does # have)", lambda n, w: AskColour(n[0])),
    (r"what is the _HUE of #", lambda n, w: AskColour(n[0])),
    (r"is (?:the _HUE of )?# (?:_HUEed )?_COLOUR", lambda n, w: AskColour(n[0], colour_named(w["colour"]))),
    (r"does # have the _HUE _COLOUR", lambda n, w: AskColour(n[0], colour_named(w["colour"]))),
    (r"how many _THINGS_SEEN?_SEEN?(?: do you see| does _PICTURE (?:show|contain)| are)?", _count),
    (r"count _THINGS_SEEN?(?:[.:] how many_SEEN?)?", _count),
    (r"(?:are|is) (?:there )?_EXACTLY _THINGS_SEEN?", _count),
    (r"does _PICTURE (?:show|contain) _EXACTLY _THINGS", _count),
    (r"can _EXACTLY _THINGS be seen", _count),
    (r"is there #_SEEN?", lambda n, w: AskThere(n[0])),
    (r"does _PICTURE (?:show|contain) #", lambda n, w: AskThere(n[0])),
    (r"is it true that (?:there is no #|_PICTURE (?:shows|contains) no #)", lambda n, w: AskThere(n[0], none=True)),
    (r"is _PICTURE without #", lambda n, w: AskThere(n[0], none=True)),
    (r"how many _THINGS (?:are|lie)(?: there)? _IN", _count_inside),
    (r"how many _THINGS does _BOX (?:hold|contain)", _count_inside),
    (r"count _THINGS(?: that are)? _IN(?:[.:] how many_SEEN?)?", _count_inside),
    (r"(?:are|is) (?:there )?_EXACTLY _THINGS _IN", _count_inside),
    (r"does _BOX (?:hold|contain) _EXACTLY _THINGS", _count_inside),
    (r"(?:is|does) #_LIE _IN", lambda n, w: AskInside(n[0])),
    (r"(?:what|which) @ (?:does|is) the arrow _POINT", lambda n, w: AskArrow()),
    (r"(?:to|at|towards?) (?:what|which) @ (?:does|is) the arrow point(?:ing)?", lambda n, w: AskArrow()),
    (r"(?:does|is) the arrow _POINT #", lambda n, w: AskArrow(n[0])),
    (r"is # @ (?:that |which )?the arrow _POINT", lambda n, w: AskArrow(n[0])),
)


def _sided(side: Side) -> tuple[Rule, ...]:
    """The rules of a side: for a shape on it, and for the one further to it."""
    comparatives = _MORES[side]
    return (
        (rf"(?:is|does) #_LIE {_SIDES[side]} #", lambda n, w: AskSide(n[0], side, n[1])),
        (rf"which (?:@ |one )?is {comparatives}[,:]? # or #", lambda n, w: AskFurther(n[0], side, n[1])),
        (rf"(?:of|between) # and #,? which (?:@ |one )?is {comparatives}", lambda n, w: AskFurther(n[0], side, n[1])),
        (
            rf"(?:of|between) # and #,? is (?:it )?#(?: the one)? (?:that|which) is {comparatives}",
            lambda n, w: AskFurther(n[0], side, n[1], n[2]),
        ),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    for name in sorted(_SHORT, key=len, reverse=True):
        pattern = pattern.replace(name, _SHORT[name])
    return re.compile(pattern)


_COMPILED = [(_compiled(pattern), build) for pattern, build in (*_RULES, *(r for s in _SIDES for r in _sided(s)))]


def read_words(text: str) -> Asked:
    """The question in a text, without instructions after it; CannotRead if it is not understood."""
    for sentence in _candidates(" ".join(text.split())):
        marked, nouns = _mark_nouns(sentence)
        marked = marked.lower().strip(" .!")
        marked = re.sub(rf"^{_BEFORE}", "", marked)
        marked = re.sub(rf"{_WHERE}(?=$|[.:])", "", marked)
        for pattern, build in _COMPILED:
            if match := pattern.fullmatch(marked):
                return build(nouns, match.groupdict())
    raise CannotRead(f"I do not understand the question {text.strip()!r}", "words")


def _candidates(text: str) -> list[str]:
    """The texts that may be the question: all up to the first "?"; without one, one sentence, then two, and so on."""
    text = re.sub(_INTRODUCTION, "", text, flags=re.IGNORECASE)
    head, mark, _ = text.partition("?")
    if mark:
        return [head]
    sentences = re.split(r"(?<=[.!]) ", head)
    return [" ".join(sentences[:i]) for i in range(1, len(sentences) + 1)]


def _mark_nouns(text: str) -> tuple[str, list[Noun]]:
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
            return _ANY_MARK
        nouns.append(noun)
        return _NOUN_MARK

    return _PHRASE.sub(mark, text), nouns


def colour_named(word: str) -> str:
    """The colour that a word names: one of the palette's, or another word unchanged."""
    return _COLOURS.get(word, word)


def number_named(word: str) -> int:
    """The number that digits or a word name."""
    return int(word) if word.isdigit() else _NUMBERS.index(word)
