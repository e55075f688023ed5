"""Claims that questions about a picture make, and the questions from which they can be read with certainty.

A claim's `text` is a yes/no question of ours with one meaning, also about duplicates, missing and two-tone things. A
question that was asked keeps its own words; its claim may be loose ("Are there three dogs?" of four), and relations
rest only on what each answer to it says for certain.
"""

import re
from typing import Literal

import msgspec

from counterbench.scene.programs.base import NUMBER_WORDS, spelt

Side = Literal["left", "right"]
_OTHER_SIDE: dict[str, Side] = {"left": "right", "right": "left"}

_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "mouse": "mice", "foot": "feet",
    "goose": "geese", "tooth": "teeth", "knife": "knives", "leaf": "leaves", "wolf": "wolves", "shelf": "shelves",
    "loaf": "loaves", "calf": "calves", "sheep": "sheep", "fish": "fish", "deer": "deer",
}  # fmt: skip


def plural(noun: str) -> str:
    """The plural of a noun, by rule; a wrong one only makes a question odd.

    >>> plural("red fox"), plural("woman"), plural("cherry")
    ('red foxes', 'women', 'cherries')
    """
    before, _, last = noun.rpartition(" ")
    if last not in _IRREGULAR:
        by_y = last.endswith("y") and last[-2:-1] not in "aeiou"
        ended = f"{last[:-1]}ies" if by_y else last + ("es" if last.endswith(("s", "x", "ch", "sh", "z")) else "s")
    else:
        ended = _IRREGULAR[last]
    return f"{before} {ended}".strip()


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


class Present(msgspec.Struct, frozen=True, tag=True):
    """There is such a thing; a plural is loose, since one thing may or may not do."""

    thing: str
    number: Literal["one", "many"] = "one"  # "a dog", "dogs"

    @property
    def named(self) -> str:
        """The thing, with its article."""
        return _article(self.thing) if self.number == "one" else self.thing

    @property
    def text(self) -> str:
        """The question."""
        return f"{'Are' if self.number == 'many' else 'Is'} there {self.named}?"


class Absent(msgspec.Struct, frozen=True, tag=True):
    """There is no such thing."""

    of: Present

    @property
    def text(self) -> str:
        """The question, to which "no" can be read in one way only."""
        are = "are" if self.of.number == "many" else "is"
        return f"Is it true that there {are} no {self.of.thing} in the picture?"


class InOne(msgspec.Struct, frozen=True, tag=True):
    """One of two pictures shows such a thing, and the other does not."""

    of: Present

    @property
    def text(self) -> str:
        """The question."""
        return f"Is it true that exactly one of the two pictures shows {self.of.named}, and the other does not?"


class Count(msgspec.Struct, frozen=True, tag=True):
    """There are so many of a thing. As asked, a number is loose: yes says so many or more, no says not just so many."""

    things: str  # in the plural
    number: int
    how: Literal["asked", "exactly", "at least"] = "exactly"

    @property
    def text(self) -> str:
        """The question."""
        number = spelt(str(self.number))
        if self.how == "asked":
            return f"Are there {number} {self.things}?"
        return f"Is the number of {self.things} {self.how} {number}?"


class Beside(msgspec.Struct, frozen=True, tag=True):
    """A thing is to the left or right of another; `every`: each of them of each of the others, and there are some."""

    thing: str
    side: Side
    other: str
    every: bool = False

    @property
    def text(self) -> str:
        """The question."""
        if self.every:
            words = f"Is every {self.thing} to the {self.side} of every {self.other}"
            return f"{words}, and is there at least one {self.thing} and one {self.other}?"
        return f"Is the {self.thing} to the {self.side} of the {self.other}?"

    @property
    def turned(self) -> "Beside":
        """The other side, of all."""
        return Beside(self.thing, _OTHER_SIDE[self.side], self.other, every=True)


class Coloured(msgspec.Struct, frozen=True, tag=True):
    """A thing has a colour; `entirely`: each of them has it all over and no other, and there is one."""

    thing: str
    colour: str
    entirely: bool = False

    @property
    def text(self) -> str:
        """The question."""
        if self.entirely:
            return f"Is every {self.thing} entirely {self.colour}, and is there at least one {self.thing}?"
        return f"Is the {self.thing} {self.colour}?"


class Both(msgspec.Struct, frozen=True, tag=True):
    """There is one thing and also another."""

    one: Present
    other: Present

    @property
    def text(self) -> str:
        """The question."""
        return f"Is there {self.one.named}, and is there also {self.other.named}?"


Claim = Present | Absent | InOne | Count | Beside | Coloured | Both

COLOURS = (
    "red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan", "brown", "black", "white", "gray", "grey",
)  # fmt: skip
_PICTURE = r"(?:picture|image|photo|photograph|scene)"
# Words that join, place or deny: with one of them a phrase is more than a noun with its adjectives.
_JOINS = re.compile(
    r"\b(an?|the|and|or|of|in|on|at|to|by|with|without|no|not|any|only|some|more|less|than|that|which|who|near|behind"
    r"|under|over|above|below|beside|between|from|for|as|is|are|its|their|his|her|each|every|another|other|same|both|all"
    r"|one|exactly|least|most|left|right|front|back|top|bottom|middle|background|foreground|inside|outside|around"
    # Numbers that are loose or none; words that only say that a thing is to be seen, or where.
    r"|zero|few|fewer|single|lone|second|third|very|present|depicted|shown|visible|clearly|located|placed|positioned"
    r"|strictly|directly|slightly|blank)\b"
)
# Nouns for the picture itself, and for what is no thing in it: "the left of the picture", "is the day grey?".
_NO_THINGS = frozenset(
    {"picture", "image", "photo", "photograph", "scene", "view", "illustration", "frame", "screen", "style", "color"}
    | {"colour", "day", "night", "weather", "time", "lighting", "mood", "atmosphere", "text", "composition", "void"}
    # Not the end of a noun: "a black and a white cat", "a small and a large dog".
    | {"small", "large", "big", "little", "tall", "short", "old", "young", "new", "round", "wooden"}
)
# Before a colour a part of it, not of the noun: "is the jacket light green?".
_SHADES = frozenset(
    {"light", "dark", "pale", "bright", "deep", "neon", "muted", "milky", "mostly", "predominantly", "partially"}
    | {"painted", "mainly", "partly", "dull", "vivid", "navy", "lush"}
)
_A = r"(?P<{0}a>an?) (?P<{0}>[a-z][a-z' -]*)"
_SHOWS = rf"(?:is|are) there|does (?:the|this) {_PICTURE} (?:show|contain|include|depict)"
_NUMBER = rf"(?P<number>[0-9]{{1,2}}|{'|'.join(NUMBER_WORDS[1:])})"
_TWO = re.compile(rf"(?:{_SHOWS}) {_A.format('one')} and {_A.format('other')}")
_ONE = re.compile(rf"(?:{_SHOWS}) {_A.format('one')}")
_MANY = re.compile(r"are there (?P<one>[a-z][a-z' -]*s|people|men|women|children|sheep|fish)")
_COUNT = re.compile(rf"(?:{_SHOWS}) (?P<exactly>exactly )?{_NUMBER} (?P<one>[a-z][a-z' -]*)")
_HOW_MANY = re.compile(r"how many (?P<one>[a-z][a-z' -]*?) (?:are|is)(?: there| visible| shown)?")
_SIDE = re.compile(
    r"is the (?P<one>[a-z][a-z' -]*?) (?:(?:to|on) the )?(?P<side>left|right) of the "
    r"(?P<other>[a-z][a-z' -]*)"
)
_COLOUR = re.compile(
    rf"is the (?P<one>[a-z][a-z' -]*?) (?P<entirely>entirely |completely )?(?P<colour>{'|'.join(COLOURS)})"
)
_AROUND = re.compile(rf"^looking at the {_PICTURE}, | (?:there )?(?:in|visible in) (?:the|this) {_PICTURE}$")


def claim_of(question: str, answer: str = "") -> Claim | None:
    """The claim that a question makes; None unless its words are of a form with one reading, or known loose ones.

    `answer`: to a question for a number, which then claims just that.

    >>> claim_of("Are there exactly 3 red dogs in the image?")
    Count(things='red dogs', number=3, how='exactly')
    >>> claim_of("Is there a man with a hat?")
    """
    words = _AROUND.sub("", _AROUND.sub("", " ".join(question.lower().split()).rstrip("?. ")))
    if (m := _HOW_MANY.fullmatch(words)) and answer.isdecimal():
        return Count(m["one"], int(answer)) if _is_noun(m["one"]) else None
    if m := _SIDE.fullmatch(words):
        nouns = all(map(_is_one, (m["one"], m["other"]))) and m["one"] != m["other"]
        return Beside(m["one"], "left" if m["side"] == "left" else "right", m["other"]) if nouns else None
    if m := _COLOUR.fullmatch(words):
        shade = m["one"].split()[-1] in _SHADES
        return Coloured(m["one"], m["colour"]) if _is_one(m["one"]) and not shade else None
    if m := _TWO.fullmatch(words):
        return Both(Present(m["one"]), Present(m["other"])) if all(map(_is_noun, (m["one"], m["other"]))) else None
    if m := _COUNT.fullmatch(words):
        number = int(m["number"]) if m["number"].isdecimal() else NUMBER_WORDS.index(m["number"])
        things = plural(m["one"]) if number == 1 else m["one"]
        return Count(things, number, "exactly" if m["exactly"] else "asked") if number and _is_noun(m["one"]) else None
    if m := _ONE.fullmatch(words):
        return Present(m["one"]) if _is_noun(m["one"]) else None
    if m := _MANY.fullmatch(words):
        return Present(m["one"], "many") if _is_noun(m["one"]) else None
    return None


def _is_noun(phrase: str) -> bool:
    """True for a thing's noun with at most two words before it, none of which joins, places or denies."""
    words = phrase.split()
    if words[-1] in _NO_THINGS or words[-1] in COLOURS:
        return False
    return len(words) <= 3 and not _JOINS.search(phrase) and not any(w.endswith("ing") for w in words[1:])


def _is_one(phrase: str) -> bool:
    """True for such a noun in the singular, as far as its end tells."""
    last = phrase.split()[-1]
    ends = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return _is_noun(phrase) and not ends and last not in set(_IRREGULAR.values()) - {"sheep", "fish", "deer"}
