"""Observations: what can be seen of a thing in a picture of a law, one class for each property.

A law is a rule of a small world (gravity); its outcome is a scene, which says what a picture shows. On a scene, the
observation `Where(Named("ball", "red"))` has a value, "floor", and its `clause` says it: "the red ball rests on the
floor". `facts` makes yes/no questions of observations: so the right answer is always read from the scene, and no
law writes one down. AmbiguousError is raised where a value is not clear, such as for a ball that hangs just above the
floor. A new observation also needs a rule in `judges/pixels/words`, one in `judges/pixels/things`, and a test.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import COLOURS, CONFUSED_WITH, SHAPES
from counterbench.scene.figures import FACINGS, Figure, Room
from counterbench.scene.geometry import Box, squared
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.base import SIDE_WORDS, counting_misreadings, traits_of
from counterbench.scene.programs.clauses import Clause
from counterbench.scene.programs.named import Named, find, matching
from counterbench.scene.scene import Scene

# In per cent of the picture's shorter side: the largest distance of things that touch, and the least of things apart …
TOUCHING_PERCENT, APART_PERCENT = 1, 4
# … the least distance of a thing in mid-air from every wall …
MID_AIR_PERCENT = 8
# … and the least distance of the middles of two things of which one is clearly to the left of (above, …) the other. In
# per cent, the least ratio of that distance to the one along the other axis.
CLEAR_PERCENT, CLEAR_RATIO_PERCENT = 6, 130
# In per cent, the least ratio of sizes or distances that are clearly different, and the largest of equal ones.
DIFFERENT_PERCENT, SAME_PERCENT = 125, 106

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
]

# By value, the words for it in a clause.
_PLACES = {
    "floor": "on the floor",
    "ceiling": "against the ceiling",
    "left wall": "against the left wall",
    "right wall": "against the right wall",
    "mid-air": "in mid-air",
}
_DIRECTIONS = {"left": "to the left", "right": "to the right", "up": "upwards", "down": "downwards"}
_SLOPE = SIDE_WORDS | {"above": "at the top of", "below": "at the foot of"}
_FORMS = {"circle": "round", "square": "square", "triangle": "triangular", "diamond": "diamond-shaped"}
_SIZES = {"larger": "larger than", "smaller": "smaller than", "same": "the same size as"}
_HEIGHTS = {"taller": "taller than", "shorter": "shorter than", "same": "the same height as"}
_CONTACT = {"touching": "touching", "apart": "apart from"}
# The value that a judge sees that takes left for right.
_SWAPPED = {"left": "right", "right": "left", "left wall": "right wall", "right wall": "left wall"}


class BaseObservation(msgspec.Struct, frozen=True, tag_field="see", forbid_unknown_fields=True):
    """Base of the observations. An object is a property of certain things; it reads its value from a scene."""

    skill: ClassVar[Skill]  # the skill that a judge needs to see the value
    values: ClassVar[tuple[str, ...]]  # all possible values
    words: ClassVar[Mapping[str, str]] = {}  # by value, the words for it in a clause, if it is not itself these

    def value(self, scene: Scene) -> str:
        """The value on `scene`, one of `values`; AmbiguousError if it is not clear, or a thing is missing."""
        raise NotImplementedError

    def clearly_false(self, scene: Scene, value: str) -> bool:
        """True if `value`, which is not the observed one, is clearly false, so that nobody would dispute it."""
        return True

    @property
    def named(self) -> tuple[Named, ...]:
        """The observed things, the one that the clause is about first."""
        return tuple(value for value in msgspec.structs.astuple(self) if isinstance(value, Named))

    def figures(self, scene: Scene) -> list[Figure]:
        """The observed things in a scene; AmbiguousError if one is missing or there several times."""
        return [find(scene, thing) for thing in self.named]

    def lacking(self, scene: Scene) -> bool:
        """True if an observed thing is missing: then every fact about it is false."""
        return any(not matching(scene, thing) for thing in self.named)

    def clause(self, value: str) -> Clause:
        """The clause that says that the value is `value`; by default "the thing is …"."""
        return Clause(self.named[0].definite, "is", "is", self.ending(value))

    def ending(self, value: str) -> str:
        """The words after the verb in the clause for `value`: "to the left of the red ball"."""
        return self.words.get(value, value)

    def misread(self, value: str) -> dict[str, str]:
        """By misreading (see `BaseProgram.misreadings`), the value that a judge may see instead of the true `value`."""
        return {"left-right": _SWAPPED[value]} if value in _SWAPPED else {}

    def traits(self, scene: Scene) -> dict[str, str]:
        """The traits of the first observed thing; see `BaseProgram.traits`."""
        return traits_of(find(scene, self.named[0]), scene)


class _ToAnother(BaseObservation, frozen=True):
    """Base of the observations of one thing in relation to another."""

    thing: Named
    other: Named

    def ending(self, value: str) -> str:
        return f"{super().ending(value)} {self.other.definite}"


class Where(BaseObservation, frozen=True, tag="where"):
    """The side of the room a thing rests against: floor, ceiling, left wall, right wall, or none (mid-air)."""

    skill = "place"
    values, words = tuple(_PLACES), _PLACES
    thing: Named

    def value(self, scene: Scene) -> str:
        """The place: "floor", "ceiling", "left wall", "right wall" or "mid-air".

        It is seen from the gaps between the boxes of the thing and of the room's inside. AmbiguousError if there is not
        one room or one such thing, if the thing is close to a side without resting against it, or if it rests against
        two sides.
        """
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
        touched = [place for place, gap in gaps.items() if gap <= _percent_of_side(scene, TOUCHING_PERCENT)]
        near = [place for place, gap in gaps.items() if gap < _percent_of_side(scene, MID_AIR_PERCENT)]
        if near != touched or len(touched) > 1:
            raise AmbiguousError(
                f"{thing.id!r} is close to {', '.join(near)} and rests against {', '.join(touched) or '-'}"
            )
        return touched[0] if touched else "mid-air"

    def clause(self, value: str) -> Clause:
        verb = "hang" if value == "mid-air" else "rest"
        return Clause(self.thing.definite, verb, f"{verb}s", self.ending(value))


class Facing(BaseObservation, frozen=True, tag="facing"):
    """The direction in which a thing points: left, right, up or down."""

    skill = "direction"
    values, words = FACINGS, _DIRECTIONS
    thing: Named

    def value(self, scene: Scene) -> str:
        return find(scene, self.thing).facing

    def clause(self, value: str) -> Clause:
        verb, third = NOUNS[self.thing.noun].verb
        subject = self.thing.part if verb == "point" else self.thing.definite
        return Clause(subject, verb, third, self.ending(value))


class ColourSeen(BaseObservation, frozen=True, tag="colour"):
    """The colour of the only thing of its noun. No other thing may have one of the colours that it can have."""

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
    """The number of things of this noun and colour; of a mass such as oil, 1 if there is any."""

    skill = "count"
    values = tuple(str(n) for n in range(11))
    things: Named

    def value(self, scene: Scene) -> str:
        count = len(matching(scene, self.things))
        return str(min(1, count) if NOUNS[self.things.noun].mass else count)

    def lacking(self, scene: Scene) -> bool:
        """Never: the number of missing things is 0."""
        return False

    def clause(self, value: str) -> Clause:
        verb = "is" if value in ("0", "1") else "are"
        things = f"no {self.things.name}" if value == "0" else self.ending(value)
        return Clause("there", verb, verb, self.ending(value), things)

    def ending(self, value: str) -> str:
        """ "exactly two red balls"; for 0 "no red balls to be seen"; of a mass "some oil"."""
        if value == "0":
            return f"no {self.things.name} to be seen"
        mass = NOUNS[self.things.noun].mass
        return f"some {self.things.name}" if mass else f"exactly {self.things.counted(int(value))}"

    def misread(self, value: str) -> dict[str, str]:
        return counting_misreadings(int(value))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.value(scene)} | ({"colour": self.things.colour} if self.things.colour else {})


class Contents(BaseObservation, frozen=True, tag="contents"):
    """The place of a thing inside or outside a vessel."""

    skill = "containment"
    values = ("inside", "outside")
    thing: Named
    vessel: Named

    def value(self, scene: Scene) -> str:
        thing, vessel = self.figures(scene)
        if vessel.holds(thing):
            return "inside"
        if _gap(thing.box, vessel.box) < _percent_of_side(scene, TOUCHING_PERCENT):
            raise AmbiguousError(f"{thing.id!r} is neither inside {vessel.id!r} nor clearly outside")
        return "outside"

    def ending(self, value: str) -> str:
        return f"{value} {self.vessel.definite}"


class Light(BaseObservation, frozen=True, tag="light"):
    """The light of a thing: lit or dark."""

    skill = "lit"
    values = ("lit", "dark")
    thing: Named

    def value(self, scene: Scene) -> str:
        return "lit" if find(scene, self.thing).lit else "dark"


class Level(BaseObservation, frozen=True, tag="level"):
    """The level of what is in a vessel, in quarters of its height."""

    skill = "level"
    values = ("empty", "one quarter full", "half full", "three quarters full", "full")
    vessel: Named

    def value(self, scene: Scene) -> str:
        return self.values[find(scene, self.vessel).quarters]


class _Measured(_ToAnother, frozen=True):
    """Base of the observations that compare a measure of two things; `values`: the words for more, less and equal."""

    def compared(self, a: int, b: int, measure: str) -> str:
        """The first of `values` if `a` is clearly larger than `b`, the second if it is smaller, else "same".

        `a`, `b`: half the measure of either thing, in pixels; `measure`: its name, for the AmbiguousError that is
        raised if neither is clear.
        """
        small, large = sorted((a, b))
        if 100 * large >= DIFFERENT_PERCENT * small:
            return self.values[0] if a > b else self.values[1]
        if 100 * large <= SAME_PERCENT * small:
            return "same"
        raise AmbiguousError(f"{measure}s {a} and {b} are neither the same nor clearly different")


class Size(_Measured, frozen=True, tag="size"):
    """The size of a thing beside another: larger, smaller or the same, in width and in height."""

    skill = "size"
    values, words = tuple(_SIZES), _SIZES

    def value(self, scene: Scene) -> str:
        a, b = self.figures(scene)
        by_width = self.compared(a.half_width, b.half_width, "width")
        by_height = self.compared(a.half_height, b.half_height, "height")
        if by_width != by_height:
            raise AmbiguousError(f"{a.id!r} is {by_width} than {b.id!r} in width and {by_height} in height")
        return by_width


class Height(_Measured, frozen=True, tag="height"):
    """The height of a thing beside another: taller, shorter or the same."""

    skill = "size"
    values, words = tuple(_HEIGHTS), _HEIGHTS

    def value(self, scene: Scene) -> str:
        a, b = self.figures(scene)
        return self.compared(a.half_height, b.half_height, "height")


class Contact(_ToAnother, frozen=True, tag="contact"):
    """The contact of a thing with another: touching or apart."""

    skill = "contact"
    values, words = tuple(_CONTACT), _CONTACT

    def value(self, scene: Scene) -> str:
        """The contact, "touching" or "apart", by the gap between the boxes of both things.

        AmbiguousError if a thing is not there once, or if the gap is neither small nor large, as shares of the scene's
        side.
        """
        a, b = self.figures(scene)
        gap = _gap(a.box, b.box)
        if gap <= _percent_of_side(scene, TOUCHING_PERCENT):
            return "touching"
        if gap >= _percent_of_side(scene, APART_PERCENT):
            return "apart"
        raise AmbiguousError(f"{a.id!r} and {b.id!r} are {gap} pixels apart: neither touching nor clearly apart")

    def clause(self, value: str) -> Clause:
        if value == "touching":
            return Clause(self.thing.definite, "touch", "touches", self.other.definite)
        return super().clause(value)


class Form(BaseObservation, frozen=True, tag="form"):
    """The form of a thing: circle, square, triangle or diamond."""

    skill = "form"
    values, words = SHAPES, _FORMS
    thing: Named

    def value(self, scene: Scene) -> str:
        return find(scene, self.thing).form


class Side(_ToAnother, frozen=True, tag="side"):
    """The side of another thing on which a thing is: left, right, above or below, whichever distance is larger."""

    skill = "relation"
    values, words = tuple(SIDE_WORDS), SIDE_WORDS

    def value(self, scene: Scene) -> str:
        """The side, "left", "right", "above" or "below", by the centres of both things.

        AmbiguousError if a thing is not there once, if the centres are too near, or if the offsets across and down are
        too much alike.
        """
        a, b = self.figures(scene)
        dx, dy = a.x - b.x, a.y - b.y
        larger, smaller = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
        if larger < _percent_of_side(scene, CLEAR_PERCENT) or 100 * larger < CLEAR_RATIO_PERCENT * smaller:
            raise AmbiguousError(f"{a.id!r} is not clearly to one side of {b.id!r}")
        if abs(dx) > abs(dy):
            return "right" if dx > 0 else "left"
        return "below" if dy > 0 else "above"

    def clearly_false(self, scene: Scene, value: str) -> bool:
        """See `BaseObservation`; of a thing above and well to the left, "left" is not clearly false."""
        a, b = self.figures(scene)
        dx, dy = a.x - b.x, a.y - b.y
        distance_that_way = {"left": -dx, "right": dx, "above": -dy, "below": dy}[value]
        return distance_that_way < _percent_of_side(scene, CLEAR_PERCENT)


class Slope(Side, frozen=True, tag="slope"):
    """The same as `Side`, beside a mountain: "above" is worded "at the top of" it, "below" "at the foot of" it."""

    def ending(self, value: str) -> str:
        return super().ending(value) if self.other.noun in SYMBOLS else f"{_SLOPE[value]} {self.other.definite}"


class Nearer(BaseObservation, frozen=True, tag="nearer"):
    """The one of two others to which a thing is nearer, by their middles: the first or the second."""

    skill = "relation"
    values = ("first", "second")
    thing: Named
    first: Named
    second: Named

    def value(self, scene: Scene) -> str:
        a, first, second = self.figures(scene)
        to_first, to_second = (squared((a.x, a.y), (other.x, other.y)) for other in (first, second))
        if 100**2 * max(to_first, to_second) < DIFFERENT_PERCENT**2 * min(to_first, to_second):
            raise AmbiguousError(f"{a.id!r} is about as near to {first.id!r} as to {second.id!r}")
        return "first" if to_first < to_second else "second"

    def ending(self, value: str) -> str:
        near, far = (self.first, self.second) if value == "first" else (self.second, self.first)
        return f"nearer to {near.definite} than to {far.definite}"


OfOne = Where | Facing | ColourSeen | Number | Light | Level | Form
OfSeveral = Contents | Size | Height | Contact | Side | Slope | Nearer
Observation = OfOne | OfSeveral


def _gap(a: Box, b: Box) -> int:
    """The free pixels between two boxes; 0 or less if they touch."""
    across = max(b.left - a.right, a.left - b.right) - 1
    down = max(b.top - a.bottom, a.top - b.bottom) - 1
    return max(across, down)


def _percent_of_side(scene: Scene, percent: int) -> int:
    """`percent` of the picture's shorter side, in whole pixels."""
    return scene.side * percent // 100
