"""Facts: what can be seen of the things in a law's outcome, each decided by the scene alone. Data, so that they travel.

An observation ("where does the red ball rest?") has one of a few values on a scene; a fact states one of them and is
true or false. Observing is the only way facts about an outcome come to be: no law writes an answer down.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.figures import FACINGS, Damage, Figure, Room
from counterbench.scene.geometry import Box, squared
from counterbench.scene.scene import Scene

# Shares of the picture's shorter side, in per cent: what touches is at most so far away, what does not at least so far.
TOUCHING_PERCENT, APART_PERCENT = 1, 4
# What hangs in mid-air is at least so far from every wall.
MID_AIR_PERCENT = 8
# Middles this far apart lie clearly to one side, and so many times further along that axis than along the other.
CLEAR_PERCENT, CLEAR_RATIO_PERCENT = 6, 130
# Sizes and distances: clearly different from this ratio on, the same up to that one, in per cent.
DIFFERENT_PERCENT, SAME_PERCENT = 125, 106

QUARTERS: tuple[str, ...] = ("empty", "one quarter full", "half full", "three quarters full", "full")
PLACES: tuple[str, ...] = ("floor", "ceiling", "left wall", "right wall", "mid-air")


class _Observation(msgspec.Struct, frozen=True, tag_field="see", forbid_unknown_fields=True):
    """Base of the observations."""


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words that pick out a figure: its noun and, unless its colour is what is asked, its colour."""

    noun: str
    colour: Colour | None = None


class Where(_Observation, frozen=True, tag="where"):
    """What of the room a thing rests against: floor, ceiling, left wall, right wall, or nothing (mid-air)."""

    thing: Named


class Facing(_Observation, frozen=True, tag="facing"):
    """Where a thing points: left, right, up or down."""

    thing: Named


class ColourSeen(_Observation, frozen=True, tag="colour"):
    """The colour of the only thing of its noun. No other thing in the picture may ever have one of its colours."""

    thing: Named


class Number(_Observation, frozen=True, tag="number"):
    """How many things of this noun and colour there are."""

    things: Named


class Contents(_Observation, frozen=True, tag="contents"):
    """Whether a thing is inside a vessel, or outside."""

    thing: Named
    vessel: Named


class Light(_Observation, frozen=True, tag="light"):
    """Whether a thing is lit or dark."""

    thing: Named


class Level(_Observation, frozen=True, tag="level"):
    """How full a vessel is, in quarters."""

    vessel: Named


class Size(_Observation, frozen=True, tag="size"):
    """Whether a thing is larger than another, smaller, or as large, in width and in height."""

    thing: Named
    other: Named


class Height(_Observation, frozen=True, tag="height"):
    """Whether a thing is taller than another, shorter, or as tall."""

    thing: Named
    other: Named


class Contact(_Observation, frozen=True, tag="contact"):
    """Whether a thing touches another, or is apart from it."""

    thing: Named
    other: Named


class Form(_Observation, frozen=True, tag="form"):
    """The form of a thing: circle, square, triangle or diamond."""

    thing: Named


class Side(_Observation, frozen=True, tag="side"):
    """On which side of another a thing is: left, right, above or below, whichever way it is further."""

    thing: Named
    other: Named


class Nearer(_Observation, frozen=True, tag="nearer"):
    """To which of two others a thing is nearer, by their middles: the first or the second."""

    thing: Named
    first: Named
    second: Named


Observation = (
    Where | Facing | ColourSeen | Number | Contents | Light | Level | Size | Height | Contact | Form | Side | Nearer
)

VALUES: dict[type, tuple[str, ...]] = {
    Where: PLACES,
    Facing: FACINGS,
    ColourSeen: COLOURS,
    Number: tuple(str(n) for n in range(1, 11)),
    Contents: ("inside", "outside"),
    Light: ("lit", "dark"),
    Level: QUARTERS,
    Size: ("larger", "smaller", "same"),
    Height: ("taller", "shorter", "same"),
    Contact: ("touching", "apart"),
    Form: SHAPES,
    Side: ("left", "right", "above", "below"),
    Nearer: ("first", "second"),
}

Skill = Literal[
    "place",
    "direction",
    "colour",
    "count",
    "containment",
    "lit",
    "level",
    "size",
    "contact",
    "form",
    "relation",
    "integrity",
    "obeys-everything",
]

SKILLS: dict[type, Skill] = {
    Where: "place",
    Facing: "direction",
    ColourSeen: "colour",
    Number: "count",
    Contents: "containment",
    Light: "lit",
    Level: "level",
    Size: "size",
    Height: "size",
    Contact: "contact",
    Form: "form",
    Side: "relation",
    Nearer: "relation",
}


class Fact(msgspec.Struct, frozen=True, tag="fact", tag_field="op", forbid_unknown_fields=True):
    """That an observation has this value: a yes/no program."""

    of: Observation
    value: str


class Together(msgspec.Struct, frozen=True, tag="together", tag_field="op", forbid_unknown_fields=True):
    """That all these facts hold; with `rule`, asked as whether everything obeys that rule."""

    facts: tuple[Fact, ...]
    rule: str = ""


class Whole(msgspec.Struct, frozen=True, tag="whole", tag_field="op", forbid_unknown_fields=True):
    """That no part of the picture is damaged."""


FactProgram = Fact | Together | Whole


def holds(program: FactProgram, scene: Scene) -> bool:
    """Whether a fact, or all of several, are true of `scene`; AmbiguousError if that is not clear."""
    match program:
        case Fact(of, value):
            return observe(of, scene) == value
        case Together(facts):
            found = [holds(fact, scene) for fact in facts]  # each one must be clear, also after a false one
            return all(found)
        case Whole():
            return not any(isinstance(e, Damage) for e in scene.elements)


def observed(of: Observation, scene: Scene) -> Fact:
    """The fact about `of` that is true of `scene`."""
    return Fact(of, observe(of, scene))


def skill_of(program: FactProgram) -> Skill:
    """What a judge needs to see, to tell whether it is so."""
    match program:
        case Fact(of):
            return SKILLS[type(of)]
        case Together(facts, rule):
            return "obeys-everything" if rule else SKILLS[type(facts[0].of)]
        case Whole():
            return "integrity"


def observe(of: Observation, scene: Scene) -> str:
    """The value of an observation on `scene`, one of VALUES; AmbiguousError if it has no clear one."""
    match of:
        case Where(thing):
            return _where(find(scene, thing), scene)
        case Facing(thing):
            return find(scene, thing).facing
        case ColourSeen(thing):
            return find(scene, thing).colour
        case Number(things):
            return str(len(matching(scene, things)))
        case Contents(thing, vessel):
            return _contents(find(scene, thing), find(scene, vessel), scene)
        case Light(thing):
            return "lit" if find(scene, thing).lit else "dark"
        case Level(vessel):
            return QUARTERS[find(scene, vessel).quarters]
        case Size(thing, other):
            return _size(find(scene, thing), find(scene, other))
        case Height(thing, other):
            a, b = find(scene, thing), find(scene, other)
            return _compared(a.half_height, b.half_height, "taller", "shorter", "height")
        case Contact(thing, other):
            return _contact(find(scene, thing), find(scene, other), scene)
        case Form(thing):
            return find(scene, thing).form
        case Side(thing, other):
            return _side(find(scene, thing), find(scene, other), scene)
        case Nearer(thing, first, second):
            return _nearer(find(scene, thing), find(scene, first), find(scene, second))


def find(scene: Scene, named: Named) -> Figure:
    """The one figure that a name means; AmbiguousError if there is none or several."""
    found = matching(scene, named)
    if len(found) != 1:
        raise AmbiguousError(f"{len(found)} figures match {named}")
    return found[0]


def matching(scene: Scene, named: Named) -> list[Figure]:
    """The figures that a name fits, in drawing order."""
    return [f for f in scene.figures if f.noun == named.noun and named.colour in (None, f.colour)]


def _gap(a: Box, b: Box) -> int:
    """The free pixels between two boxes; 0 or less if they touch."""
    across = max(b.left - a.right, a.left - b.right) - 1
    down = max(b.top - a.bottom, a.top - b.bottom) - 1
    return max(across, down)


def _percent(scene: Scene, percent: int) -> int:
    return scene.side * percent // 100


def _where(thing: Figure, scene: Scene) -> str:
    rooms = [e for e in scene.elements if isinstance(e, Room)]
    if len(rooms) != 1:
        raise AmbiguousError(f"there are {len(rooms)} rooms, not one")
    inner, box = rooms[0].interior, thing.box
    gaps = {
        "floor": inner.bottom - box.bottom,
        "ceiling": box.top - inner.top,
        "left wall": box.left - inner.left,
        "right wall": inner.right - box.right,
    }
    touched = [place for place, gap in gaps.items() if gap <= _percent(scene, TOUCHING_PERCENT)]
    near = [place for place, gap in gaps.items() if gap < _percent(scene, MID_AIR_PERCENT)]
    if near != touched or len(touched) > 1:
        raise AmbiguousError(
            f"{thing.id!r} is close to {', '.join(near)} and rests against {', '.join(touched) or '-'}"
        )
    return touched[0] if touched else "mid-air"


def _contents(thing: Figure, vessel: Figure, scene: Scene) -> str:
    if vessel.holds(thing):
        return "inside"
    if _gap(thing.box, vessel.box) < _percent(scene, TOUCHING_PERCENT):
        raise AmbiguousError(f"{thing.id!r} is neither inside {vessel.id!r} nor clearly outside")
    return "outside"


def _compared(a: int, b: int, more: str, less: str, what: str) -> str:
    small, large = sorted((a, b))
    if 100 * large >= DIFFERENT_PERCENT * small:
        return more if a > b else less
    if 100 * large <= SAME_PERCENT * small:
        return "same"
    raise AmbiguousError(f"{what}s {a} and {b} are neither the same nor clearly different")


def _size(a: Figure, b: Figure) -> str:
    wide = _compared(a.half_width, b.half_width, "larger", "smaller", "width")
    high = _compared(a.half_height, b.half_height, "larger", "smaller", "height")
    if wide != high:
        raise AmbiguousError(f"{a.id!r} is {wide} than {b.id!r} in width and {high} in height")
    return wide


def _contact(a: Figure, b: Figure, scene: Scene) -> str:
    gap = _gap(a.box, b.box)
    if gap <= _percent(scene, TOUCHING_PERCENT):
        return "touching"
    if gap >= _percent(scene, APART_PERCENT):
        return "apart"
    raise AmbiguousError(f"{a.id!r} and {b.id!r} are {gap} pixels apart: neither touching nor clearly apart")


def _side(a: Figure, b: Figure, scene: Scene) -> str:
    dx, dy = a.x - b.x, a.y - b.y
    far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if far < _percent(scene, CLEAR_PERCENT) or 100 * far < CLEAR_RATIO_PERCENT * near:
        raise AmbiguousError(f"{a.id!r} is not clearly to one side of {b.id!r}")
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "below" if dy > 0 else "above"


def _nearer(a: Figure, first: Figure, second: Figure) -> str:
    there, here = squared((a.x, a.y), (first.x, first.y)), squared((a.x, a.y), (second.x, second.y))
    if 100**2 * max(there, here) < DIFFERENT_PERCENT**2 * min(there, here):
        raise AmbiguousError(f"{a.id!r} is about as near to {first.id!r} as to {second.id!r}")
    return "first" if there < here else "second"
