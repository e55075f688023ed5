"""Understands questions: turns the English of a question into data that the pixel reader can answer from a picture.

`read_words` takes a question about shapes: "How many red circles are there?" gives `AskCount(Phrase(None, "red",
"circle"))`. In a copy of the sentence each noun phrase is replaced by a mark ("how many # are there"), and the copy is
compared with the patterns in `_RULES`. `read_claim` takes a question about things: "Is the red ball lit?" gives
`Assertion("light", …, "lit")`, the claim whose truth is asked about. It turns the question into a statement, and
compares that with `_CLAIM_RULES`. Both halves of the module stand below one another: shapes first, then things.

A pattern must fit the whole sentence: with an unknown word ("not", "almost") the question is CannotRead, and no word is
passed over. The code shares nothing with that which words the questions, so that it can find their mistakes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, cast

from counterbench.judges.pixels.ink import CannotRead
from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, SHAPE_SYNONYMS, SHAPES, Colour, ShapeKind

Direction = Literal["left", "right", "up", "down"]
Extreme = Literal["left", "right", "up", "down", "large", "small"]


@dataclass(frozen=True)
class Phrase:
    """The content of a noun phrase about a shape; None for each part that is not named."""

    place: Extreme | None = None
    colour: Colour | None = None
    kind: ShapeKind | None = None
    letter: str | None = None

    def __str__(self) -> str:
        """The phrase in words."""
        parts = [self.place, self.colour, self.kind or "shape", self.letter]
        return " ".join(word for word in parts if word)


class AskColour(NamedTuple):
    """The question for a shape's colour; with `value`, the yes/no question for that colour."""

    target: Phrase
    value: str | None = None


class AskSide(NamedTuple):
    """The yes/no question if `first` lies on that side of `second`."""

    first: Phrase
    side: Direction
    second: Phrase


class AskFurther(NamedTuple):
    """The question which of two shapes lies further to a side; with `value`, the yes/no question if it is that one."""

    first: Phrase
    side: Direction
    second: Phrase
    value: Phrase | None = None


class AskCount(NamedTuple):
    """The question for the number of shapes; with `value`, the yes/no question if it is that number.

    `inside`: True if only shapes in the container are counted.
    """

    things: Phrase
    inside: bool = False
    value: int | None = None


class AskThere(NamedTuple):
    """The yes/no question if there is such a shape; with `none`, if there is none."""

    thing: Phrase
    none: bool = False


class AskPart(NamedTuple):
    """The yes/no question if any part of such a shape shows."""

    thing: Phrase


class AskAlike(NamedTuple):
    """The yes/no question if the two shapes of a kind are of one colour; with `differ`, if they are not."""

    things: Phrase
    differ: bool = False


class AskInside(NamedTuple):
    """The yes/no question if the shape is inside the container."""

    target: Phrase


class AskArrow(NamedTuple):
    """The question for the shape that the arrow points to; with `value`, the yes/no question for that one."""

    value: Phrase | None = None


class AskWord(NamedTuple):
    """The question for the word on the sign of that colour, or in that place; with `value`, if it is that word."""

    colour: str | None
    place: Extreme | None
    value: str | None = None


ShapeQuestion = AskColour | AskSide | AskFurther | AskCount | AskThere | AskPart | AskInside | AskArrow

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
NUMBER_WORD = r"(?P<number>\d+|" + "|".join(_NUMBERS) + ")"

# Words after a noun with a letter: ' labelled "A"'.
_LABELED = r",? \(?(?:labell?ed|marked|lettered|with (?:the )?(?:letter|label)) [\"'“]?(?P<mark>[A-Z])\b[\"'”]?\)?"
# A noun phrase about a shape: "the leftmost red circle", "shape A", or a letter alone.
_PHRASE = re.compile(
    r"(?i:(?<![\"'“])\b(?:(?:the|an?|any) )?"  # in quotes it is a word that is printed
    rf"(?:(?P<place>{'|'.join(_EXTREMES)}) )?"
    rf"(?:(?P<colour>{'|'.join(_COLOURS)})(?:[- ]colou?red)? )?"
    rf"(?P<kind>{'|'.join((*_KINDS, *_ANY))})s?\b)"
    rf"(?:{_LABELED}| (?P<name>[A-Z])\b)?"
    r"|(?<=[a-z,] )(?P<bare>[A-HJ-Z])(?=[ ,?]|$)"
)
# The marks for noun phrases in a sentence: for one that says which shape, and for a plain "shape".
_NOUN_MARK, _ANY_MARK = "#", "@"

# By side, a pattern for the words between two shapes ("to the left of"), and one for the comparative ("further left").
_SIDE_OF: dict[Direction, str] = {
    "left": r"(?:to |on )?(?:the )?left(?: side| hand side)? of",
    "right": r"(?:to |on )?(?:the )?right(?: side| hand side)? of",
    "up": r"(?:above|over|higher (?:up )?than)",
    "down": r"(?:below|beneath|under|underneath|lower (?:down )?than)",
}
_FURTHER: dict[Direction, str] = {
    "left": r"(?:further|farther|more)(?: over)? (?:to the )?left",
    "right": r"(?:further|farther|more)(?: over)? (?:to the )?right",
    "up": r"(?:higher(?: up)?|(?:further|farther) up)",
    "down": r"(?:lower(?: down)?|(?:further|farther) down)",
}
# The short names in the patterns of `_RULES`, and the patterns that they stand for.
_SHORT_NAMES: dict[str, str] = {
    "_PICTURE": r"(?:the|this) (?:picture|image|scene)",
    "_BOX": r"(?:the|this) (?:rectangular )?(?:container|frame)",
    "_IN": r"(?:inside|within|in)(?: of)? (?:the|this) (?:rectangular )?(?:container|frame)",
    "_HUE": r"colou?r",
    "_LIE": r"(?: (?:lie|lying|located|placed|positioned|standing))?",
    "_SEEN": r"(?:(?: that| which)?(?: are| is| can be)? (?:visible|seen|shown|there))",
    "_COLOUR": _COLOUR_WORD,
    "_EXACTLY": rf"(?:exactly|precisely) {NUMBER_WORD}",
    "_THINGS": "[#@]",
    "_SIGN": rf"the (?:(?P<place>{'|'.join(_EXTREMES)}) )?(?:(?P<hue>white|{'|'.join(COLOURS)}) )?(?:sign|label)",
    "_TEXT": r"[\"'“]?(?P<text>[a-z]+)[\"'”]?",
    "_POINT": r"(?:points?|is pointing|pointing) (?:to|at|towards?)",
}
# Words that say nothing: "in the picture" at the end and at the beginning of a question, and a sentence before it.
_WHERE = rf" ?(?:in|on) {_SHORT_NAMES['_PICTURE']}"
_BEFORE = rf"(?:looking at|in|on) {_SHORT_NAMES['_PICTURE']},? "
_INTRODUCTION = r"^(?:(?:look at|here is|this is|you see|you are shown)\b[^.!?]*\b(?:picture|image)[^.!?]*[.!] )?"

# A pattern of a sentence, and the function that makes the question, of the noun phrases and the named groups in it.
PhraseRule = tuple[str, Callable[[list[Phrase], dict[str, str]], ShapeQuestion | AskWord | AskAlike]]


def _count_question(nouns: list[Phrase], words: dict[str, str], inside: bool = False) -> AskCount:
    """The question for a number of shapes; of any shapes if the sentence says only "shapes"."""
    number = number_named(words["number"]) if "number" in words else None
    return AskCount(nouns[0] if nouns else Phrase(), inside, number)


def _word_question(nouns: list[Phrase], words: dict[str, str]) -> AskWord:
    """The question for the word on a sign."""
    place = words["place"]
    return AskWord(words["hue"], _EXTREMES[place] if place else None, words.get("text"))


_count_inside = partial(_count_question, inside=True)

# Patterns of whole sentences, and the questions they make of the noun phrases (n) and the named groups (w) in them.
# "#" stands for a noun phrase that says which shape, "@" for a plain "shape"; names like _PICTURE are explained in
# `_SHORT_NAMES`.
_RULES: tuple[PhraseRule, ...] = (
    (r"(?:what|which) _HUE (?:is #|does # have)", lambda n, w: AskColour(n[0])),
    (r"what is the _HUE of #", lambda n, w: AskColour(n[0])),
    (r"is (?:the _HUE of )?# (?:_HUEed )?_COLOUR", lambda n, w: AskColour(n[0], colour_named(w["colour"]))),
    (r"does # have the _HUE _COLOUR", lambda n, w: AskColour(n[0], colour_named(w["colour"]))),
    (r"how many _THINGS_SEEN?_SEEN?(?: do you see| does _PICTURE (?:show|contain)| are)?", _count_question),
    (r"count _THINGS_SEEN?(?:[.:] how many_SEEN?)?", _count_question),
    (r"(?:are|is) (?:there )?_EXACTLY _THINGS_SEEN?", _count_question),
    (r"does _PICTURE (?:show|contain) _EXACTLY _THINGS", _count_question),
    (r"can _EXACTLY _THINGS be seen", _count_question),
    (r"is there #_SEEN?", lambda n, w: AskThere(n[0])),
    (r"does _PICTURE (?:show|contain) #", lambda n, w: AskThere(n[0])),
    (r"is it true that (?:there is no #|_PICTURE (?:shows|contains) no #)", lambda n, w: AskThere(n[0], none=True)),
    (r"(?:is there no|is _PICTURE without) #", lambda n, w: AskThere(n[0], none=True)),
    (r"is it true that (?:there are no #|no # can be seen)", lambda n, w: AskThere(n[0], none=True)),
    (r"(?:is|can) any part of # (?:visible|be seen)", lambda n, w: AskPart(n[0])),
    (r"does _PICTURE (?:show|contain) any part of #", lambda n, w: AskPart(n[0])),
    (r"(?:are|do) the two # (?:of|have) exactly the same _HUE", lambda n, w: AskAlike(n[0])),
    (r"is the _HUE of the two # exactly the same", lambda n, w: AskAlike(n[0])),
    (r"do the two # differ in _HUE(?:, even slightly)?", lambda n, w: AskAlike(n[0], differ=True)),
    (r"is there any difference in _HUE between the two #", lambda n, w: AskAlike(n[0], differ=True)),
    (r"are the _HUEs of the two # exactly the same", lambda n, w: AskAlike(n[0])),
    (r"are the _HUEs of the two # (?:even slightly )?different", lambda n, w: AskAlike(n[0], differ=True)),
    (r"how many _THINGS (?:are|lie)(?: there)? _IN", _count_inside),
    (r"how many _THINGS does _BOX (?:hold|contain)", _count_inside),
    (r"count _THINGS(?: that are)? _IN(?:[.:] how many_SEEN?)?", _count_inside),
    (r"(?:are|is) (?:there )?_EXACTLY _THINGS _IN", _count_inside),
    (r"does _BOX (?:hold|contain) _EXACTLY _THINGS", _count_inside),
    (r"(?:is|does) #_LIE _IN", lambda n, w: AskInside(n[0])),
    (r"(?:what|which) @ (?:does|is) the arrow _POINT", lambda n, w: AskArrow()),
    (r"what _HUE and @ is the thing (?:that|which) the arrow _POINT", lambda n, w: AskArrow()),
    (r"(?:to|at|towards?) (?:what|which) @ (?:does|is) the arrow point(?:ing)?", lambda n, w: AskArrow()),
    (r"(?:does|is) the arrow _POINT #", lambda n, w: AskArrow(n[0])),
    (r"is # @ (?:that |which )?the arrow _POINT", lambda n, w: AskArrow(n[0])),
    (r"what does _SIGN (?:read|say)", _word_question),
    (r"what is (?:written|printed) on _SIGN", _word_question),
    (r"(?:what|which) (?:word|text) is (?:written |printed )?on _SIGN", _word_question),
    (r"does _SIGN (?:read|say) _TEXT", _word_question),
    (r"is _TEXT (?:written|printed) on _SIGN", _word_question),
    (r"is the (?:word|text) on _SIGN _TEXT", _word_question),
)


def _side_rules(side: Direction) -> tuple[PhraseRule, ...]:
    """The rules for a side: for a shape on it, and for the one of two further to it. For the marks see `_RULES`."""
    comparatives = _FURTHER[side]
    return (
        (rf"(?:is|does) #_LIE {_SIDE_OF[side]} #", lambda n, w: AskSide(n[0], side, n[1])),
        (rf"is # {comparatives} than #(?:, even slightly)?", lambda n, w: AskSide(n[0], side, n[1])),
        (rf"which (?:@ |one )?is {comparatives}[,:]? # or #", lambda n, w: AskFurther(n[0], side, n[1])),
        (rf"(?:of|between) # and #,? which (?:@ |one )?is {comparatives}", lambda n, w: AskFurther(n[0], side, n[1])),
        (
            rf"(?:of|between) # and #,? is (?:it )?#(?: the one)? (?:that|which) is {comparatives}",
            lambda n, w: AskFurther(n[0], side, n[1], n[2]),
        ),
    )


def _compile(pattern: str) -> re.Pattern[str]:
    """A rule's pattern with its short names written out, compiled."""
    for name in sorted(_SHORT_NAMES, key=len, reverse=True):
        pattern = pattern.replace(name, _SHORT_NAMES[name])
    return re.compile(pattern)


_COMPILED = [(_compile(pattern), build) for pattern, build in (*_RULES, *(r for s in _SIDE_OF for r in _side_rules(s)))]


def read_words(text: str) -> ShapeQuestion | AskWord | AskAlike:
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


def _mark_nouns(text: str) -> tuple[str, list[Phrase]]:
    """The text with a mark for each noun phrase, and the phrases that say which shape, in order."""
    nouns: list[Phrase] = []

    def mark(match: re.Match[str]) -> str:
        """The mark for a noun phrase; the phrase is kept in `nouns` if it says which shape."""
        place, colour, kind = (cast("str | None", match[name]) for name in ("place", "colour", "kind"))
        noun = Phrase(
            _EXTREMES[place.lower()] if place else None,
            _COLOURS[colour.lower()] if colour else None,
            _KINDS.get(kind.lower()) if kind else None,
            match["mark"] or match["name"] or match["bare"],
        )
        if noun == Phrase():
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


@dataclass(frozen=True)
class NamedThing:
    """A thing by its name: its colour, "" if not given, and its noun."""

    colour: str
    noun: str


@dataclass(frozen=True)
class Assertion:
    """The claim that a property of the things has this value; of most properties there is one thing, of others several.

    kind        value
    place       bottom, top, left, right: the side of the room; none: in mid-air
    number      digits
    some        ""
    colour      a colour of the palette, or another word
    inside      inside, outside (the first thing, the second)
    light       lit, dark
    level       0 to 4: the quarters to which a vessel is full
    size        larger, smaller, same (the first thing beside the second)
    height      taller, shorter, level (likewise)
    contact     touching, apart
    form        a shape
    side        left, right, up, down: the side of the second thing on which the first is
    nearer      first: the first thing is nearer to the second than to the third
    direction   left, right, up, down
    """

    kind: str
    things: tuple[NamedThing, ...]
    value: str


# A thing in a statement: "the red ball", its colour and its noun as two groups.
_THING = r"the (?:({}) )?([a-z]+)".format("|".join(COLOURS))
# The words before a thing of which only a part has the colour, or points: "the petals of the red flower".
_PART = "(?:the (?:(?:liquid|charge) in|(?:petals|shade|column|light|arrow) of|shade on) )?"
_PLACES = {
    "on the floor": "bottom",
    "against the ceiling": "top",
    "against the left wall": "left",
    "against the right wall": "right",
    "in mid-air": "none",
}
_HEADINGS = {"to the left": "left", "to the right": "right", "upwards": "up", "downwards": "down"}
_SIDES_OF_THINGS = {"to the left of": "left", "to the right of": "right", "above": "up", "below": "down"}
_SIDES_OF_THINGS |= {"at the top of": "up", "at the foot of": "down"}
_FORMS = {"round": "circle", "square": "square", "triangular": "triangle", "diamond-shaped": "diamond"}
_FILLINGS = {"empty": "0", "one quarter full": "1", "half full": "2", "three quarters full": "3", "full": "4"}
_COMPARED = {
    "larger than": "larger",
    "smaller than": "smaller",
    "as large as": "same",
    "taller than": "taller",
    "shorter than": "shorter",
    "as tall as": "level",
    "the same size as": "same",
    "the same height as": "level",
}


def _any_of(words: dict[str, str] | tuple[str, ...]) -> str:
    """A regular expression's group for any one of these words, the longest first."""
    return "(" + "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True)) + ")"


# Plain shapes are not things: pictures of them are read by other code.
_SHAPES = frozenset({"shape", "shapes", "container", "arrow", *SHAPES, *(f"{shape}s" for shape in SHAPES)})


def _named(match: re.Match[str], *starts: int) -> tuple[NamedThing, ...]:
    """The things that a match names: for each number in `starts`, the colour in that group and the noun in the next."""
    return tuple(NamedThing(match[i] or "", match[i + 1]) for i in starts)


# Patterns of statements, and the claims that they make. A thing (_THING) takes two groups of a match: colour and noun.
_CLAIM_RULES: tuple[tuple[str, Callable[[re.Match[str]], Assertion]], ...] = (
    (rf"{_THING} (?:rests?|hangs?) {_any_of(_PLACES)}", lambda m: Assertion("place", _named(m, 1), _PLACES[m[3]])),
    (
        rf"there (?:is|are) exactly {_any_of(_NUMBERS)} (?:{_any_of(COLOURS)} )?([a-z]+)",
        lambda m: Assertion("number", _named(m, 2), str(_NUMBERS.index(m[1]))),
    ),
    (
        rf"there is no (?:{_any_of(COLOURS)} )?([a-z]+)(?: to be seen)?",
        lambda m: Assertion("number", _named(m, 1), "0"),
    ),
    (rf"there is some (?:{_any_of(COLOURS)} )?([a-z]+)", lambda m: Assertion("some", _named(m, 1), "")),
    (rf"{_PART}{_THING} (?:is|are) {_any_of(COLOURS)}", lambda m: Assertion("colour", _named(m, 1), m[3])),
    (rf"{_THING} is (inside|outside) {_THING}", lambda m: Assertion("inside", _named(m, 1, 4), m[3])),
    (rf"{_THING} is (lit|dark)", lambda m: Assertion("light", _named(m, 1), m[3])),
    (rf"{_THING} is {_any_of(_FILLINGS)}", lambda m: Assertion("level", _named(m, 1), _FILLINGS[m[3]])),
    (
        rf"{_THING} is {_any_of(_COMPARED)} {_THING}",
        lambda m: Assertion(
            "height" if re.search("tall|short|height", m[3]) else "size", _named(m, 1, 4), _COMPARED[m[3]]
        ),
    ),
    (rf"{_THING} touch(?:es)? {_THING}", lambda m: Assertion("contact", _named(m, 1, 3), "touching")),
    (rf"{_THING} is apart from {_THING}", lambda m: Assertion("contact", _named(m, 1, 3), "apart")),
    (rf"{_THING} is {_any_of(_FORMS)}", lambda m: Assertion("form", _named(m, 1), _FORMS[m[3]])),
    (
        rf"{_THING} is {_any_of(_SIDES_OF_THINGS)} {_THING}",
        lambda m: Assertion("side", _named(m, 1, 4), _SIDES_OF_THINGS[m[3]]),
    ),
    (rf"{_THING} is nearer to {_THING} than to {_THING}", lambda m: Assertion("nearer", _named(m, 1, 3, 5), "first")),
    (rf"{_PART}{_THING} [a-z]+ {_any_of(_HEADINGS)}", lambda m: Assertion("direction", _named(m, 1), _HEADINGS[m[3]])),
)
_CLAIMS = [(re.compile(pattern), build) for pattern, build in _CLAIM_RULES]
_OPENING = re.compile(
    r"^(?:in the picture, )?(?:is it true that |does the picture show that |looking at the picture, )?"
)
_WHOLE = re.compile(
    r"is everything in the picture whole and clean, with nothing [a-z, ]+"
    r"|is the picture free of flaws, such as [a-z, ]+"
    r"|is every part of the picture drawn cleanly, with no ?thing [a-z, ]+"
)


def read_claim(text: str) -> Assertion | None:
    """The claim whose truth a question asks about; None if the question is if the picture is undamaged.

    Instructions may follow the question. CannotRead if it is unknown.
    """
    sentence = _OPENING.sub("", " ".join(text.split()).partition("?")[0].lower())
    if _WHOLE.fullmatch(sentence):
        return None
    statement = _as_statement(sentence)
    for pattern, build in _CLAIMS:
        if match := pattern.fullmatch(statement):
            claim = build(match)
            if any(thing.noun in _SHAPES for thing in claim.things):
                break
            return claim
    raise CannotRead(f"I do not understand {statement!r}", "words")


def _as_statement(question: str) -> str:
    """A yes/no question as a statement: "is the ball lit" gives "the ball is lit"; other texts unchanged."""
    if exists := re.match(r"(is|are) there (.*)", question):
        return f"there {exists[1]} {exists[2]}"
    if does := re.match(r"does (.*)", question):
        return does[1]
    if be := re.match(rf"(?:is|are) ({_PART}{_THING}) (.*)", question):
        return f"{be[1]} is {be[4]}"
    return question
