"""What can be seen of the things of laws, one class an observation: its values, its value on a scene, its words.

Observing is the only way facts about an outcome come to be: no law writes an answer down. A new observation is a class
here, a rule in `judges/pixels/things`, and its test.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import COLOURS, CONFUSED_WITH, SHAPES
from counterbench.scene.figures import FACINGS, Room
from counterbench.scene.geometry import Box, squared
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.base import SIDE_WORDS, miscounted
from counterbench.scene.programs.named import Clause, Named, find, matching
from counterbench.scene.programs.traits import traits_of
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
    "presence",
    "obeys-everything",  # of checks of earlier versions, which asked for everything at once
]

_PLACE_WORDS = {
    "floor": "on the floor",
    "ceiling": "against the ceiling",
    "left wall": "against the left wall",
    "right wall": "against the right wall",
    "mid-air": "in mid-air",
}
_DIRECTION_WORDS = {"left": "to the left", "right": "to the right", "up": "upwards", "down": "downwards"}
_SLOPE_WORDS = {"above": "at the top of", "below": "at the foot of"}
_FORM_WORDS = {"circle": "round", "square": "square", "triangle": "triangular", "diamond": "diamond-shaped"}


_SWAPPED = (("left", "right"), ("left wall", "right wall"))


def _is(subject: Named, rest: str) -> Clause:
    return Clause(subject.definite, "is", "is", rest)


class BaseObservation(msgspec.Struct, frozen=True, tag_field="see", forbid_unknown_fields=True):
    """Base of the observations. `skill`: what a judge needs to see; `values`: all that it may be; `subject`: the field
    that says of what.
    """

    skill: ClassVar[Skill]
    values: ClassVar[tuple[str, ...]]
    subject: ClassVar[str] = "thing"

    def value(self, scene: Scene) -> str:
        """What it is on `scene`, one of `values`; AmbiguousError if that is not clear, or `lacking`."""
        raise NotImplementedError

    def refuses(self, scene: Scene, value: str) -> bool:
        """Whether a value that it has not is clearly not so."""
        return True

    @property
    def named(self) -> tuple[Named, ...]:
        """The things that it is of."""
        return tuple(value for value in msgspec.structs.astuple(self) if isinstance(value, Named))

    def lacking(self, scene: Scene) -> bool:
        """Whether a thing that it is of is not there: then nothing is true of it."""
        return any(not matching(scene, thing) for thing in self.named)

    def clause(self, value: str) -> Clause:
        """That it is `value`, in words."""
        raise NotImplementedError

    def misread(self, value: str) -> dict[str, str]:
        """By misreading, what a judge that makes it takes `value` for."""
        swapped = {a: b for one, other in _SWAPPED for a, b in ((one, other), (other, one)) if a in self.values}
        return {"left-right": swapped[value]} if value in swapped else {}

    def traits(self, scene: Scene) -> dict[str, str]:
        """As `BaseProgram.traits`."""
        return traits_of(find(scene, getattr(self, self.subject)), scene)


class Where(BaseObservation, frozen=True, tag="where"):
    """What of the room a thing rests against: floor, ceiling, left wall, right wall, or nothing (mid-air)."""

    skill = "place"
    values = PLACES
    thing: Named

    def value(self, scene: Scene) -> str:
        rooms = [e for e in scene.elements if isinstance(e, Room)]
        if len(rooms) != 1:
            raise AmbiguousError(f"there are {len(rooms)} rooms, not one")
        thing = find(scene, self.thing)
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

    def clause(self, value: str) -> Clause:
        verb = "hang" if value == "mid-air" else "rest"
        return Clause(self.thing.definite, verb, f"{verb}s", _PLACE_WORDS[value])


class Facing(BaseObservation, frozen=True, tag="facing"):
    """Where a thing points: left, right, up or down."""

    skill = "direction"
    values = FACINGS
    thing: Named

    def value(self, scene: Scene) -> str:
        return find(scene, self.thing).facing

    def clause(self, value: str) -> Clause:
        verb = NOUNS[self.thing.noun].verb
        subject = self.thing.part if verb[0] == "point" else self.thing.definite
        return Clause(subject, *verb, _DIRECTION_WORDS[value])


class ColourSeen(BaseObservation, frozen=True, tag="colour"):
    """The colour of the only thing of its noun. No other thing in the picture may ever have one of its colours."""

    skill = "colour"
    values = COLOURS
    thing: Named

    def value(self, scene: Scene) -> str:
        return find(scene, self.thing).colour

    def clause(self, value: str) -> Clause:
        verb = "are" if NOUNS[self.thing.noun].part.startswith("petals") else "is"
        return Clause(Named(self.thing.noun).part, verb, verb, value)

    def misread(self, value: str) -> dict[str, str]:
        return {"colour-confusion": CONFUSED_WITH[value]}  # type: ignore[index]


class Number(BaseObservation, frozen=True, tag="number"):
    """How many things of this noun and colour there are; of what is not counted, such as oil, 1 where there is any."""

    skill = "count"
    values = tuple(str(n) for n in range(11))
    things: Named

    def value(self, scene: Scene) -> str:
        found = len(matching(scene, self.things))
        return str(min(1, found) if NOUNS[self.things.noun].mass else found)

    def lacking(self, scene: Scene) -> bool:
        """Never: of what is not there, there are none."""
        return False

    def clause(self, value: str) -> Clause:
        verb = "is" if value in ("0", "1") else "are"
        if value == "0":
            return Clause("there", verb, verb, f"no {self.things.name} to be seen")
        mass = NOUNS[self.things.noun].mass
        return Clause(
            "there", verb, verb, f"some {self.things.name}" if mass else f"exactly {self.things.counted(int(value))}"
        )

    def misread(self, value: str) -> dict[str, str]:
        return miscounted(int(value))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.value(scene)} | ({"colour": self.things.colour} if self.things.colour else {})


class Contents(BaseObservation, frozen=True, tag="contents"):
    """Whether a thing is inside a vessel, or outside."""

    skill = "containment"
    values = ("inside", "outside")
    thing: Named
    vessel: Named

    def value(self, scene: Scene) -> str:
        thing, vessel = find(scene, self.thing), find(scene, self.vessel)
        if vessel.holds(thing):
            return "inside"
        if _gap(thing.box, vessel.box) < _percent(scene, TOUCHING_PERCENT):
            raise AmbiguousError(f"{thing.id!r} is neither inside {vessel.id!r} nor clearly outside")
        return "outside"

    def clause(self, value: str) -> Clause:
        return _is(self.thing, f"{value} {self.vessel.definite}")


class Light(BaseObservation, frozen=True, tag="light"):
    """Whether a thing is lit or dark."""

    skill = "lit"
    values = ("lit", "dark")
    thing: Named

    def value(self, scene: Scene) -> str:
        return "lit" if find(scene, self.thing).lit else "dark"

    def clause(self, value: str) -> Clause:
        return _is(self.thing, value)


class Level(BaseObservation, frozen=True, tag="level"):
    """How full a vessel is, in quarters."""

    skill = "level"
    values = QUARTERS
    subject = "vessel"
    vessel: Named

    def value(self, scene: Scene) -> str:
        return QUARTERS[find(scene, self.vessel).quarters]

    def clause(self, value: str) -> Clause:
        return _is(self.vessel, value)


class Size(BaseObservation, frozen=True, tag="size"):
    """Whether a thing is larger than another, smaller, or as large, in width and in height."""

    skill = "size"
    values = ("larger", "smaller", "same")
    thing: Named
    other: Named

    def value(self, scene: Scene) -> str:
        a, b = find(scene, self.thing), find(scene, self.other)
        wide = _compared(a.half_width, b.half_width, "larger", "smaller", "width")
        high = _compared(a.half_height, b.half_height, "larger", "smaller", "height")
        if wide != high:
            raise AmbiguousError(f"{a.id!r} is {wide} than {b.id!r} in width and {high} in height")
        return wide

    def clause(self, value: str) -> Clause:
        return _is(self.thing, _than(value, "large", self.other))


class Height(BaseObservation, frozen=True, tag="height"):
    """Whether a thing is taller than another, shorter, or as tall."""

    skill = "size"
    values = ("taller", "shorter", "same")
    thing: Named
    other: Named

    def value(self, scene: Scene) -> str:
        a, b = find(scene, self.thing), find(scene, self.other)
        return _compared(a.half_height, b.half_height, "taller", "shorter", "height")

    def clause(self, value: str) -> Clause:
        return _is(self.thing, _than(value, "tall", self.other))


class Contact(BaseObservation, frozen=True, tag="contact"):
    """Whether a thing touches another, or is apart from it."""

    skill = "contact"
    values = ("touching", "apart")
    thing: Named
    other: Named

    def value(self, scene: Scene) -> str:
        a, b = find(scene, self.thing), find(scene, self.other)
        gap = _gap(a.box, b.box)
        if gap <= _percent(scene, TOUCHING_PERCENT):
            return "touching"
        if gap >= _percent(scene, APART_PERCENT):
            return "apart"
        raise AmbiguousError(f"{a.id!r} and {b.id!r} are {gap} pixels apart: neither touching nor clearly apart")

    def clause(self, value: str) -> Clause:
        if value == "touching":
            return Clause(self.thing.definite, "touch", "touches", self.other.definite)
        return _is(self.thing, f"apart from {self.other.definite}")


class Form(BaseObservation, frozen=True, tag="form"):
    """The form of a thing: circle, square, triangle or diamond."""

    skill = "form"
    values = SHAPES
    thing: Named

    def value(self, scene: Scene) -> str:
        return find(scene, self.thing).form

    def clause(self, value: str) -> Clause:
        return _is(self.thing, _FORM_WORDS[value])


class Side(BaseObservation, frozen=True, tag="side"):
    """On which side of another a thing is: left, right, above or below, whichever way it is further."""

    skill = "relation"
    values = ("left", "right", "above", "below")
    thing: Named
    other: Named

    def value(self, scene: Scene) -> str:
        a, b = find(scene, self.thing), find(scene, self.other)
        dx, dy = a.x - b.x, a.y - b.y
        far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
        if far < _percent(scene, CLEAR_PERCENT) or 100 * far < CLEAR_RATIO_PERCENT * near:
            raise AmbiguousError(f"{a.id!r} is not clearly to one side of {b.id!r}")
        if abs(dx) > abs(dy):
            return "right" if dx > 0 else "left"
        return "below" if dy > 0 else "above"

    def refuses(self, scene: Scene, value: str) -> bool:
        """Whether it is clearly not on that side: what is above and a little to the left is not clearly not left."""
        a, b = find(scene, self.thing), find(scene, self.other)
        dx, dy = a.x - b.x, a.y - b.y
        towards = {"left": -dx, "right": dx, "above": -dy, "below": dy}[value]
        return towards < _percent(scene, CLEAR_PERCENT)

    def clause(self, value: str) -> Clause:
        return _is(self.thing, f"{SIDE_WORDS[value]} {self.other.definite}")


class Slope(Side, frozen=True, tag="slope"):
    """As Side, of a mountain: left, right, at its top or at its foot."""

    def clause(self, value: str) -> Clause:
        words = _SLOPE_WORDS.get(value, "") if self.other.noun not in SYMBOLS else ""
        return _is(self.thing, f"{words} {self.other.definite}") if words else Side.clause(self, value)


class Nearer(BaseObservation, frozen=True, tag="nearer"):
    """To which of two others a thing is nearer, by their middles: the first or the second."""

    skill = "relation"
    values = ("first", "second")
    thing: Named
    first: Named
    second: Named

    def value(self, scene: Scene) -> str:
        a, first, second = (find(scene, named) for named in (self.thing, self.first, self.second))
        there, here = squared((a.x, a.y), (first.x, first.y)), squared((a.x, a.y), (second.x, second.y))
        if 100**2 * max(there, here) < DIFFERENT_PERCENT**2 * min(there, here):
            raise AmbiguousError(f"{a.id!r} is about as near to {first.id!r} as to {second.id!r}")
        return "first" if there < here else "second"

    def clause(self, value: str) -> Clause:
        near, far = (self.first, self.second) if value == "first" else (self.second, self.first)
        return _is(self.thing, f"nearer to {near.definite} than to {far.definite}")


Observation = (
    Where
    | Facing
    | ColourSeen
    | Number
    | Contents
    | Light
    | Level
    | Size
    | Height
    | Contact
    | Form
    | Side
    | Slope
    | Nearer
)


def _gap(a: Box, b: Box) -> int:
    """The free pixels between two boxes; 0 or less if they touch."""
    across = max(b.left - a.right, a.left - b.right) - 1
    down = max(b.top - a.bottom, a.top - b.bottom) - 1
    return max(across, down)


def _percent(scene: Scene, percent: int) -> int:
    return scene.side * percent // 100


def _compared(a: int, b: int, more: str, less: str, what: str) -> str:
    small, large = sorted((a, b))
    if 100 * large >= DIFFERENT_PERCENT * small:
        return more if a > b else less
    if 100 * large <= SAME_PERCENT * small:
        return "same"
    raise AmbiguousError(f"{what}s {a} and {b} are neither the same nor clearly different")


def _than(value: str, adjective: str, other: Named) -> str:
    return f"as {adjective} as {other.definite}" if value == "same" else f"{value} than {other.definite}"
