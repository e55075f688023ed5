"""Words for facts: as a statement, for a list of what should be so, and as a question, for a judge."""

from __future__ import annotations

from typing import NamedTuple

from counterbench.scene.facts import (
    ColourSeen,
    Contact,
    Contents,
    Facing,
    Fact,
    FactProgram,
    Form,
    Height,
    Level,
    Light,
    Named,
    Nearer,
    Number,
    Side,
    Size,
    Together,
    Where,
    Whole,
)
from counterbench.scene.nouns import NOUNS

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_OPENINGS: tuple[str, ...] = ("", "Looking at the picture, ", "In this picture, ")
_WHOLE: tuple[str, ...] = (
    "Is the whole picture clear, with no part of it garbled or blacked out?",
    "Is every part of the picture drawn cleanly, with nothing garbled or blacked out?",
)

_PLACE = {
    "floor": "on the floor",
    "ceiling": "against the ceiling",
    "left wall": "against the left wall",
    "right wall": "against the right wall",
    "mid-air": "in mid-air",
}
_DIRECTION = {"left": "to the left", "right": "to the right", "up": "upwards", "down": "downwards"}
_SIDE = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}
_FORM = {"circle": "round", "square": "square", "triangle": "triangular", "diamond": "diamond-shaped"}


class _Clause(NamedTuple):
    """A subject, its verb ("is", or a plain verb with its third person) and the rest."""

    subject: str
    verb: str
    third: str
    rest: str

    @property
    def statement(self) -> str:
        return f"{self.subject} {self.third} {self.rest}"

    @property
    def question(self) -> str:
        if self.verb in ("is", "are"):
            return f"{self.verb} {self.subject} {self.rest}"
        return f"does {self.subject} {self.verb} {self.rest}"


def name(named: Named) -> str:
    """ "red ball"; the noun alone where the colour is not given or not part of the name."""
    return " ".join(part for part in (named.colour, named.noun) if part and not _plain(named, part))


def definite(named: Named) -> str:
    """ "the red ball"."""
    return f"the {name(named)}"


def plural(named: Named, number: int) -> str:
    """ "three red apples", "one red apple"."""
    noun = named.noun if number == 1 else NOUNS[named.noun].plural or f"{named.noun}s"
    return " ".join(part for part in (NUMBER_WORDS[number], named.colour, noun) if part)


def statement(fact: Fact) -> str:
    """A fact as a clause without a capital or a full stop: "the red ball rests on the floor"."""
    return _clause(fact).statement


def fact_wordings(program: FactProgram) -> tuple[str, ...]:
    """Every wording of the question whether `program` is so."""
    match program:
        case Whole():
            return _WHOLE
        case Fact():
            asked = _clause(program).question
        case Together(facts, rule) if rule:
            listed = "; ".join(statement(fact) for fact in facts)
            return (
                f"In this picture's world, {rule}. Does everything in the picture obey this, so that: {listed}?",
                f"The rule of this picture's world: {rule}. Is everything in the picture as it then must be: {listed}?",
            )
        case Together(facts):
            asked = f"is it so that {' and '.join(statement(fact) for fact in facts)}"
    return tuple(_capital(f"{opening}{asked}?") for opening in _OPENINGS)


def _clause(fact: Fact) -> _Clause:
    of, value = fact.of, fact.value
    match of:
        case Where(thing):
            if value == "mid-air":
                return _Clause(definite(thing), "hang", "hangs", _PLACE[value])
            return _Clause(definite(thing), "rest", "rests", _PLACE[value])
        case Facing(thing):
            verb, third = NOUNS[thing.noun].verb
            return _Clause(definite(thing), verb, third, _DIRECTION[value])
        case ColourSeen(thing):
            return _Clause(f"the {thing.noun}", "is", "is", value)
        case Number(things):
            number = int(value)
            verb = "is" if number == 1 else "are"
            return _Clause("there", verb, verb, f"exactly {plural(things, number)}")
        case Contents(thing, vessel):
            return _Clause(definite(thing), "is", "is", f"{value} {definite(vessel)}")
        case Light(thing):
            return _Clause(definite(thing), "is", "is", value)
        case Level(vessel):
            return _Clause(definite(vessel), "is", "is", value)
        case Size(thing, other) | Height(thing, other):
            more = ("large" if isinstance(of, Size) else "tall") if value == "same" else value
            than = f"as {more} as" if value == "same" else f"{more} than"
            return _Clause(definite(thing), "is", "is", f"{than} {definite(other)}")
        case Contact(thing, other):
            if value == "touching":
                return _Clause(definite(thing), "touch", "touches", definite(other))
            return _Clause(definite(thing), "is", "is", f"apart from {definite(other)}")
        case Form(thing):
            return _Clause(definite(thing), "is", "is", _FORM[value])
        case Side(thing, other):
            return _Clause(definite(thing), "is", "is", f"{_SIDE[value]} {definite(other)}")
        case Nearer(thing, first, second):
            near, far = (first, second) if value == "first" else (second, first)
            return _Clause(definite(thing), "is", "is", f"nearer to {definite(near)} than to {definite(far)}")


def _plain(named: Named, part: str) -> bool:
    return part == named.colour and NOUNS[named.noun].plain


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
