"""The truth of a claim on things whose kinds, colours and places are known: for drawn scenes, tests and simulations.

`holds` takes a claim (`prompts.claims`), such as "there are two balls", and the things in a picture. Words may be
ambiguous: "three dogs" may be there where there are four. A `Reading` fixes this for all claims about a picture.
"""

import msgspec

from counterbench.prompts.claims import (
    Absent,
    Beside,
    Both,
    Claim,
    Coloured,
    CountClaim,
    Denial,
    InOne,
    Present,
    Untied,
)
from counterbench.prompts.nouns import plural
from counterbench.scene.scene import Scene

# Added to x of each thing of the right one of two pictures side by side, in pixels; wider than any scene.
SPAN = 100_000


class AuditedThing(msgspec.Struct, frozen=True):
    """A thing in a picture; one with several colours is two-tone."""

    kind: str
    colours: tuple[str, ...]
    x: int  # of its middle, in pixels from the left


class Reading(msgspec.Struct, frozen=True):
    """One way to read ambiguous words, kept for all questions about a picture; each comment says what True means."""

    partly: bool = True  # a thing that is red and blue is a red thing
    at_least: bool = True  # "three dogs" are there where there are four
    one_does: bool = True  # "dogs" are there where there is one
    some: bool = True  # "the dog" of several: one of them will do, else all of them must


_USUAL_READING = Reading()


def things_of(scene: Scene) -> tuple[AuditedThing, ...]:
    """The shapes of a scene, none of which may be hidden, as things."""
    return tuple(AuditedThing(shape.kind, (shape.colour,), shape.x) for shape in scene.shapes)


def holds(claim: Claim, things: tuple[AuditedThing, ...], reading: Reading = _USUAL_READING) -> bool:
    """True if a claim is true of these things, by this `reading` of its words.

    A plural needs two things or more unless `reading.one_does`: in that comparison True is 1 and False is 0.
    """
    match claim:
        case Present():
            return len(_things_named(claim.thing, things, reading)) > (claim.number == "many" and not reading.one_does)
        case Absent():
            return not _things_named(claim.claim.thing, things, reading)
        case InOne():
            sides = {thing.x > SPAN // 2 for thing in _things_named(claim.claim.thing, things, reading)}
            return len(sides) == 1
        case CountClaim():
            count = len(_things_named(claim.things, things, reading))
            at_least = claim.reading == "at least" or (claim.reading == "asked" and reading.at_least)
            return count >= claim.number if at_least else count == claim.number
        case Both():
            return holds(claim.first, things, reading) and holds(claim.second, things, reading)
        case Coloured():
            candidates = _things_named(claim.thing, things, reading)
            partly = reading.partly and not claim.entirely
            fits = [claim.colour in thing.colours and (len(thing.colours) == 1 or partly) for thing in candidates]
            return any(fits) if reading.some and not claim.entirely else all(fits) and bool(fits)
        case Denial():
            return not holds(claim.claim, things, reading)
        case Untied():
            raise ValueError(f"things of known places do not tell this: {claim.text}")
        case Beside():
            ones, others = (_things_named(name, things, reading) for name in (claim.thing, claim.other))
            pairs = [own.x < other.x if claim.side == "left" else own.x > other.x for own in ones for other in others]
            return any(pairs) if reading.some and not claim.every else all(pairs) and bool(pairs)


def _things_named(name: str, things: tuple[AuditedThing, ...], reading: Reading) -> list[AuditedThing]:
    """The things that a name is true of: a noun, singular or plural, with colours before it."""
    *colours, noun = name.split()
    return [
        thing
        for thing in things
        if noun in (thing.kind, plural(thing.kind))
        and all(colour in thing.colours and (reading.partly or len(thing.colours) == 1) for colour in colours)
    ]
