"""Questions about shapes: each kind is a class that words its question and computes the answer on any scene.

A scene says what a picture shows. `Count("circle").answer(scene)` is the text "3"; its `phrasings` are "How many
circles are there?" and others that mean the same, in a fixed order, as suites pick one by its place. Methods are those
of `BaseProgram`, such as `clause` (what an answer states, as a sentence), `misreadings` (the wrong answers of typical
mistakes, by the mistake's name) and `traits` (properties by which errors are grouped). `Equals` is the yes/no form of
the kinds with an open answer. Of a shape that is not in the picture, the answer is no, a count 0, and an open answer is
not clear (AmbiguousError). A new kind also needs a name in a union here and a rule in `judges/pixels`:
docs/extending/question-kind.md.
"""

from typing import Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import CONFUSED_WITH, Colour, ShapeKind
from counterbench.scene.geometry import squared
from counterbench.scene.programs.base import (
    SIDE_WORDS,
    BaseProgram,
    OpenProgram,
    agreeable_misreading,
    counting_misreadings,
    inside,
    only,
    side_trait,
    spelt,
    stated,
    traits_of,
    unique_name,
    yes_no,
)
from counterbench.scene.programs.clauses import Clause, missing, there_is
from counterbench.scene.programs.familiar import FamiliarProgram
from counterbench.scene.programs.signs import Reads
from counterbench.scene.scene import Arrow, Scene, Shape
from counterbench.scene.visibility import (
    CLEAR_OFFSET_PERCENT,
    Description,
    arrow_target,
    distance_to,
    find,
    is_absent,
    is_visible,
    visible_shapes,
)


class ColourOf(OpenProgram, frozen=True, tag="colour-of"):
    """The colour of the described shape."""

    answer_type = "colour"
    target: Description

    def answer(self, scene: Scene) -> str:
        return find(scene, self.target).colour

    def phrasings(self) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"What color is the {target}?",
            f"What is the color of the {target}?",
            f"In the picture, what color is the {target}?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} {value}?",
            f"Is the color of the {target} {value}?",
            f"In the picture, is the {target} {value}?",
        )

    def clause(self, value: str) -> Clause:
        return Clause(self.target.definite, "is", "is", value)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.target):
            return {}
        return {"colour-confusion": CONFUSED_WITH[find(scene, self.target).colour]}

    def misread_as(self, value: str, scene: Scene) -> dict[str, str]:
        """See `OpenProgram`: a judge may take the colour of another shape for that of the described one."""
        on_another = self.answer(scene) != value and any(shape.colour == value for shape in visible_shapes(scene))
        return {"bag-of-words": "yes"} if on_another else {}


class Exists(BaseProgram, frozen=True, tag="exists"):
    """The yes/no question "Is there a shape of this kind and colour?"; with `none`, "Is there none?"."""

    kind: ShapeKind
    colour: Colour
    none: bool = False

    def answer(self, scene: Scene) -> str:
        return yes_no(self._absent(scene) == self.none)

    def phrasings(self) -> tuple[str, ...]:
        """Three ways to ask if such a shape is there; with `none`, if it is true that none is there."""
        thing = f"{self.colour} {self.kind}"
        if self.none:  # the questions avoid "No, there is none", which could be read both ways
            return (
                f"Is it true that there is no {thing} in the picture?",
                f"Is it true that the picture shows no {thing}?",
                f"Is it true that no {thing} can be seen?",
            )
        return (
            f"Is there {with_article(thing)}?",
            f"Is there {with_article(thing)} in the picture?",
            f"Does the picture show {with_article(thing)}?",
        )

    def clause(self, value: str) -> Clause:
        thing = f"{self.colour} {self.kind}"
        return missing(thing) if (value == "no") != self.none else there_is(with_article(thing))

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return (self.kind, self.colour) == (shape.kind, shape.colour)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        misbound = {"bag-of-words": yes_no(not self.none)} if self._on_different_shapes(scene) else {}
        return agreeable_misreading(self._absent(scene)) | misbound

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"colour": self.colour}

    def _absent(self, scene: Scene) -> bool:
        return is_absent(scene, Description(self.kind, self.colour))

    def _on_different_shapes(self, scene: Scene) -> bool:
        """True if its kind and its colour are both there, but on different shapes."""
        parts = Description(kind=self.kind), Description(colour=self.colour)
        return self._absent(scene) and not any(is_absent(scene, part) for part in parts)


class _Number(OpenProgram, frozen=True):
    """Base of the kinds with a number as the answer."""

    answer_type = "integer"

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return counting_misreadings(int(self.answer(scene)))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.answer(scene)}


class Count(_Number, frozen=True, tag="count"):
    """The number of visible shapes of this kind and colour (None: any)."""

    kind: ShapeKind | None = None
    colour: Colour | None = None

    def answer(self, scene: Scene) -> str:
        return str(sum(is_visible(scene, shape) for shape in scene.shapes if self.asks_about(shape, scene)))

    def phrasings(self) -> tuple[str, ...]:
        """Three ways to ask for the number, of all shapes or of those of a kind and colour."""
        if self.kind is None and self.colour is None:
            return (
                "How many shapes are visible?",
                "How many shapes can be seen in the picture?",
                "Count the shapes that are visible. How many are there?",
            )
        things = f"{self._thing}s"
        return (
            f"How many {things} are there?",
            f"How many {things} are in the picture?",
            f"Count the {things} in the picture. How many are there?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        """Two or three ways to ask if the number is `value`, which is written in digits."""
        number, (are, s) = spelt(value), ("is", "") if value == "1" else ("are", "s")
        if self.kind is None and self.colour is None:
            return (
                f"{are.capitalize()} exactly {number} shape{s} visible?",
                f"Does the picture show exactly {number} shape{s}?",
            )
        things = f"{self._thing}{s}"
        if value == "0":
            return tuple(
                f"Is it true that {words}?" for words in (f"there are no {things}", f"no {things} can be seen")
            )
        return (
            f"{are.capitalize()} there exactly {number} {things}?",
            f"{are.capitalize()} there exactly {number} {things} in the picture?",
            f"Does the picture show exactly {number} {things}?",
        )

    def clause(self, value: str) -> Clause:
        number, s = spelt(value), "" if value == "1" else "s"
        if self.kind is None and self.colour is None:
            return _counted(value, "visible")._replace(thing=f"exactly {number} visible shape{s}")
        return missing(self._thing) if value == "0" else there_is(f"exactly {number} {self._thing}{s}", bool(s))

    @property
    def _thing(self) -> str:
        return " ".join(part for part in (self.colour, self.kind or "shape") if part)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return self.kind in (None, shape.kind) and self.colour in (None, shape.colour)

    def lacks(self, value: str, scene: Scene) -> bool:
        return value != "0" and self.answer(scene) == "0"

    def traits(self, scene: Scene) -> dict[str, str]:
        return super().traits(scene) | ({"colour": self.colour} if self.colour else {})


class CountInside(_Number, frozen=True, tag="count-inside"):
    """The number of shapes inside the container."""

    def answer(self, scene: Scene) -> str:
        return str(sum(inside(scene, shape) for shape in visible_shapes(scene)))

    def phrasings(self) -> tuple[str, ...]:
        return (
            "How many shapes are inside the container?",
            "How many shapes does the container hold?",
            "Count the shapes inside the rectangular container. How many are there?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        number, (are, s) = spelt(value), ("Is", "") if value == "1" else ("Are", "s")
        return (
            f"{are} exactly {number} shape{s} inside the container?",
            f"Does the container hold exactly {number} shape{s}?",
        )

    def clause(self, value: str) -> Clause:
        return _counted(value, "inside the container")

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return False  # its place matters, its colour does not


def _counted(value: str, rest: str) -> Clause:
    """ "exactly two shapes are inside the container"; of 0 "no shape is …".

    `value`: the number in digits; `rest`: the words after the verb.
    """
    if value in ("0", "1"):
        return Clause("no shape" if value == "0" else "exactly one shape", "is", "is", rest)
    return Clause(f"exactly {spelt(value)} shapes", "are", "are", rest)


def with_article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


SpatialRelation = Literal["left", "right", "above", "below"]

_OPPOSITE: dict[SpatialRelation, SpatialRelation]
_OPPOSITE = {"left": "right", "right": "left", "above": "below", "below": "above"}
_FURTHER: dict[SpatialRelation, str]
_FURTHER = {"left": "further to the left", "right": "further to the right", "above": "higher up", "below": "lower down"}


class Relates(BaseProgram, frozen=True, tag="relates"):
    """The yes/no question "Is `first` to the left of, to the right of, above or below `second`?", by their centres.

    Less than CLEAR_OFFSET_PERCENT of the picture's shorter side between them is unclear; with `finely`, a pixel counts.
    """

    first: Description
    relation: SpatialRelation
    second: Description
    finely: bool | msgspec.UnsetType = msgspec.UNSET

    def answer(self, scene: Scene) -> str:
        absent = is_absent(scene, self.first, self.second)
        clear = 1 if self.finely else None
        return yes_no(not absent and offset(scene, self.first, self.relation, self.second, clear) > 0)

    def phrasings(self) -> tuple[str, ...]:
        """Three ways to ask for the relation; two with `finely`, which say "even slightly"."""
        place, first = self._place, self.first.definite
        if self.finely:
            return (f"Is {first} {place}, even slightly?", f"In the picture, is {first} {place}, even slightly?")
        return (
            f"Is {first} {place}?",
            f"Looking at the picture, is {first} {place}?",
            f"In the picture, is {first} {place}?",
        )

    def clause(self, value: str) -> Clause:
        return stated(Clause(self.first.definite, "is", "is", self._place), value)

    @property
    def _place(self) -> str:
        """ "above the red circle"; with `finely`, when the two stand side by side, "higher up than the red circle"."""
        words = f"{_FURTHER[self.relation]} than" if self.finely else SIDE_WORDS[self.relation]
        return f"{words} {self.second.definite}"

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; a false relation becomes the opposite one: "below", and not "not above"."""
        clause = super().true_clause(scene)
        if clause != self.clause("no"):
            return clause
        return msgspec.structs.replace(self, relation=_OPPOSITE[self.relation]).clause("yes")

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return agreeable_misreading(True)
        return {"left-right": yes_no(self.answer(scene) == "no")} if self.relation in ("left", "right") else {}

    def traits(self, scene: Scene) -> dict[str, str]:
        return super().traits(scene) | side_trait(self.relation)


class Further(OpenProgram, frozen=True, tag="further"):
    """The one of two shapes that is further to the left, to the right, up or down."""

    answer_type = "colour-shape"
    first: Description
    relation: SpatialRelation
    second: Description

    def answer(self, scene: Scene) -> str:
        ahead = offset(scene, self.first, self.relation, self.second) > 0
        return unique_name(scene, find(scene, self.first if ahead else self.second))

    def phrasings(self) -> tuple[str, ...]:
        first, comparative, second = self.first.definite, _FURTHER[self.relation], self.second.definite
        return (
            f"Which shape is {comparative}, {first} or {second}?",
            f"Of {first} and {second}, which shape is {comparative}?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        first, comparative, second = self.first.definite, _FURTHER[self.relation], self.second.definite
        return (
            f"Of {first} and {second}, is the {value} the one that is {comparative}?",
            f"Between {first} and {second}, is it the {value} that is {comparative}?",
        )

    def clause(self, value: str) -> Clause:
        comparative = _FURTHER[self.relation]
        if value not in (self.first.noun, self.second.noun):  # described in other words
            both = f"of {self.first.definite} and {self.second.definite}"
            return Clause(f"{both}, the {value}", "is", "is", f"the one that is {comparative}")
        ahead, behind = (self.first, self.second) if value == self.first.noun else (self.second, self.first)
        return Clause(ahead.definite, "is", "is", f"{comparative} than {behind.definite}")

    def labels(self, scene: Scene) -> dict[str, str]:
        return {d.letter: find(scene, d).name for d in (self.first, self.second) if d.letter is not None}

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return {}
        first, second = (find(scene, d).name for d in (self.first, self.second))
        swapped = {"left-right": second if self.answer(scene) == first else first}
        return {"first-mentioned": first} | (swapped if self.relation in ("left", "right") else {})

    def traits(self, scene: Scene) -> dict[str, str]:
        traits = super().traits(scene) | side_trait(self.relation)
        if is_absent(scene, self.first, self.second):
            return traits
        mentioned = "first" if self.answer(scene) == find(scene, self.first).name else "second"
        return traits | {"mentioned": mentioned}


class IsInside(BaseProgram, frozen=True, tag="is-inside"):
    """The yes/no question "Is the described shape inside the container?"."""

    target: Description

    def answer(self, scene: Scene) -> str:
        return yes_no(not is_absent(scene, self.target) and inside(scene, find(scene, self.target)))

    def phrasings(self) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} inside the container?",
            f"Is the {target} inside the rectangular container?",
            f"In the picture, is the {target} inside the container?",
        )

    def clause(self, value: str) -> Clause:
        return stated(Clause(self.target.definite, "is", "is", "inside the container"), value)

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; says "outside the container", and not "not inside" it."""
        clause = super().true_clause(scene)
        return clause if clause != self.clause("no") else clause._replace(rest="outside the container")

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return agreeable_misreading(is_absent(scene, self.target))


class ArrowTarget(OpenProgram, frozen=True, tag="arrow-target"):
    """The shape that the arrow points to."""

    answer_type = "colour-shape"

    def answer(self, scene: Scene) -> str:
        return unique_name(scene, arrow_target(scene, only(scene, Arrow)))

    def phrasings(self) -> tuple[str, ...]:
        return (
            "Which shape does the arrow point to?",
            "What color and shape is the thing that the arrow points to?",
            "To which shape does the arrow point?",
        )

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        return (
            f"Does the arrow point to the {value}?",
            f"Is the arrow pointing at the {value}?",
            f"Is the {value} the shape that the arrow points to?",
        )

    def clause(self, value: str) -> Clause:
        return Clause("the arrow", "point", "points", f"to the {value}")

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return arrow_target(scene, only(scene, Arrow)).id == shape.id

    def lacks(self, value: str, scene: Scene) -> bool:
        return self.answer(scene) != value and all(shape.name != value for shape in visible_shapes(scene))

    def misreadings(self, scene: Scene) -> dict[str, str]:
        """See `BaseProgram`: the shape nearest to the tail, the most central and the largest."""
        arrow = only(scene, Arrow)
        if not scene.shapes:
            raise AmbiguousError("the arrow has nothing to point to")
        middle = (scene.width // 2, scene.height // 2)
        return {
            "nearest-tail": min(scene.shapes, key=lambda s: (distance_to(s, arrow.tail), s.id)).name,
            "most-central": min(scene.shapes, key=lambda s: (squared(s.centre, middle), s.id)).name,
            "largest": min(scene.shapes, key=lambda s: (-s.size, s.id)).name,
        }

    def traits(self, scene: Scene) -> dict[str, str]:
        return traits_of(arrow_target(scene, only(scene, Arrow)), scene)


def offset(
    scene: Scene, first: Description, relation: SpatialRelation, second: Description, clear: float | None = None
) -> int:
    """Pixels by which `first` is further than `second` in the direction of `relation`; negative if it is less far.

    AmbiguousError if they are fewer than `clear` (default: CLEAR_OFFSET_PERCENT of the shorter side), or if the two
    shapes overlap.
    """
    a, b = find(scene, first), find(scene, second)
    if a.box.touches(b.box):
        raise AmbiguousError(f"the {a.name} and the {b.name} overlap")
    pixels = {"left": b.x - a.x, "right": a.x - b.x, "above": b.y - a.y, "below": a.y - b.y}[relation]
    if abs(pixels) < (CLEAR_OFFSET_PERCENT * scene.side / 100 if clear is None else clear):
        raise AmbiguousError(f"the {a.name} and the {b.name} are only {abs(pixels)} px apart along that axis")
    return pixels


# The kinds with an open answer, which have a yes/no form as well.
Open = ColourOf | Further | Count | CountInside | ArrowTarget | Reads | FamiliarProgram


class Equals(BaseProgram, frozen=True, tag="equals"):
    """The yes/no form of an open question: "Is the answer of `program` the same as `value`?"."""

    program: Open
    value: str

    def answer(self, scene: Scene) -> str:
        return yes_no(not self._lacks(scene) and self.program.answer(scene) == self.value)

    def phrasings(self) -> tuple[str, ...]:
        return self.program.yes_no_phrasings(self.value)

    def clause(self, value: str) -> Clause:
        return stated(self.program.clause(self.value), value)

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; states the true answer to the open question ("is blue", and not "is not red")."""
        return self.program.true_clause(scene)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return shape.name == self.value or self.program.asks_about(shape, scene)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        open_answers = self.program.misreadings(scene).items()
        as_yes_no = {name: yes_no(answer == self.value) for name, answer in open_answers}
        if self._lacks(scene):
            return agreeable_misreading(True) | as_yes_no
        return as_yes_no | self.program.misread_as(self.value, scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        return self.program.traits(scene)

    def _lacks(self, scene: Scene) -> bool:
        return self.program.lacks(self.value, scene)


ShapeProgram = Open | Relates | Exists | IsInside | Equals
