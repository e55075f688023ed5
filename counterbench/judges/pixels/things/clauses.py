"""The claims of questions and statements about things, by reading the English.

A claim is a property, the things that it is about, and the claimed value. Sentences are matched whole.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.palette import COLOURS, SHAPES

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Thing:
    """A thing by its name: its colour, if given, and its noun."""

    colour: str
    noun: str


@dataclass(frozen=True)
class Claim:
    """The claim that the property `what` of the things has this value."""

    what: str
    things: tuple[Thing, ...]
    value: str


_N = r"the (?:({}) )?([a-z]+)".format("|".join(COLOURS))
# The part of a thing that has its colour, or points, if not the whole thing does.
_PART = "(?:the (?:(?:liquid|charge) in|(?:petals|shade|column|light|arrow) of|shade on) )?"
_PLACES = {
    "on the floor": "bottom",
    "against the ceiling": "top",
    "against the left wall": "left",
    "against the right wall": "right",
    "in mid-air": "none",
}
_WAYS = {"to the left": "left", "to the right": "right", "upwards": "up", "downwards": "down"}
_SIDES = {"to the left of": "left", "to the right of": "right", "above": "up", "below": "down"}
_SIDES |= {"at the top of": "up", "at the foot of": "down"}
_FORMS = {"round": "circle", "square": "square", "triangular": "triangle", "diamond-shaped": "diamond"}
_LEVELS = {"empty": "0", "one quarter full": "1", "half full": "2", "three quarters full": "3", "full": "4"}
_COMPARED = {
    "larger than": "larger",
    "smaller than": "smaller",
    "as large as": "same",
    "taller than": "taller",
    "shorter than": "shorter",
    "as tall as": "level",
}


def _one_of(words: dict[str, str] | tuple[str, ...]) -> str:
    return "(" + "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True)) + ")"


# Plain shapes are not things: pictures of them are read by other code.
_SHAPES = frozenset({"shape", "shapes", "container", "arrow", *SHAPES, *(f"{shape}s" for shape in SHAPES)})

Build = Callable[[re.Match[str]], Claim]


def _things(match: re.Match[str], *starts: int) -> tuple[Thing, ...]:
    return tuple(Thing(match[i] or "", match[i + 1]) for i in starts)


# Each sentence as a statement, and its claim; a noun takes two groups: colour and noun.
_RULES: tuple[tuple[str, Build], ...] = (
    (rf"{_N} (?:rests?|hangs?) {_one_of(_PLACES)}", lambda m: Claim("place", _things(m, 1), _PLACES[m[3]])),
    (
        rf"there (?:is|are) exactly {_one_of(_NUMBERS)} (?:{_one_of(COLOURS)} )?([a-z]+)",
        lambda m: Claim("number", _things(m, 2), str(_NUMBERS.index(m[1]))),
    ),
    (rf"there is no (?:{_one_of(COLOURS)} )?([a-z]+)(?: to be seen)?", lambda m: Claim("number", _things(m, 1), "0")),
    (rf"there is some (?:{_one_of(COLOURS)} )?([a-z]+)", lambda m: Claim("some", _things(m, 1), "")),
    (rf"{_PART}{_N} (?:is|are) {_one_of(COLOURS)}", lambda m: Claim("colour", _things(m, 1), m[3])),
    (rf"{_N} is (inside|outside) {_N}", lambda m: Claim("inside", _things(m, 1, 4), m[3])),
    (rf"{_N} is (lit|dark)", lambda m: Claim("light", _things(m, 1), m[3])),
    (rf"{_N} is {_one_of(_LEVELS)}", lambda m: Claim("level", _things(m, 1), _LEVELS[m[3]])),
    (
        rf"{_N} is {_one_of(_COMPARED)} {_N}",
        lambda m: Claim("height" if "tall" in m[3] or "short" in m[3] else "size", _things(m, 1, 4), _COMPARED[m[3]]),
    ),
    (rf"{_N} touch(?:es)? {_N}", lambda m: Claim("contact", _things(m, 1, 3), "touching")),
    (rf"{_N} is apart from {_N}", lambda m: Claim("contact", _things(m, 1, 3), "apart")),
    (rf"{_N} is {_one_of(_FORMS)}", lambda m: Claim("form", _things(m, 1), _FORMS[m[3]])),
    (rf"{_N} is {_one_of(_SIDES)} {_N}", lambda m: Claim("side", _things(m, 1, 4), _SIDES[m[3]])),
    (rf"{_N} is nearer to {_N} than to {_N}", lambda m: Claim("nearer", _things(m, 1, 3, 5), "first")),
    (rf"{_PART}{_N} [a-z]+ {_one_of(_WAYS)}", lambda m: Claim("direction", _things(m, 1), _WAYS[m[3]])),
)
_COMPILED = [(re.compile(pattern), build) for pattern, build in _RULES]
_OPENING = re.compile(
    r"^(?:is it true that |does the picture show that |looking at the picture, |in this picture, "
    r"|is this what the picture shows: )"
)
_WHOLE = re.compile(
    r"is everything in the picture whole and clean, with nothing [a-z, ]+"
    r"|is the picture free of flaws, such as [a-z, ]+"
    r"|is every part of the picture drawn cleanly, with no thing [a-z, ]+"
    r"|is the whole picture clear, with no part of it garbled or blacked out"
    r"|is every part of the picture drawn cleanly, with nothing garbled or blacked out"
)
_RULED = re.compile(
    r"^(?:in this picture's world, |the rule of this picture's world: ).*(?:so that|as it then must be): (.*)$"
)


def read_claims(text: str) -> tuple[Claim, ...]:
    """The claims that a question asks if all are true; none if it asks if the picture is undamaged.

    Instructions may follow the question. CannotRead if it is unknown.
    """
    sentence = " ".join(text.split()).partition("?")[0].lower()
    sentence = _OPENING.sub("", sentence)
    if _WHOLE.fullmatch(sentence):
        return ()
    if ruled := _RULED.match(sentence):
        return tuple(_claim(part) for part in ruled[1].split("; "))
    if sentence.startswith("is it so that "):
        return tuple(_claim(part) for part in re.split(r" and (?=the |there )", sentence[14:]))
    return (_claim(_stated(sentence)),)


def _stated(question: str) -> str:
    """A question's words in the order of a statement."""
    if there := re.match(r"(is|are) there (.*)", question):
        return f"there {there[1]} {there[2]}"
    if does := re.match(r"does (.*)", question):
        return does[1]
    if be := re.match(rf"(?:is|are) ({_PART}{_N}) (.*)", question):
        return f"{be[1]} is {be[4]}"
    return question


def _claim(statement: str) -> Claim:
    for pattern, build in _COMPILED:
        if match := pattern.fullmatch(statement):
            claim = build(match)
            if any(thing.noun in _SHAPES for thing in claim.things):
                break
            return claim
    raise CannotRead(f"I do not understand {statement!r}", "words")
