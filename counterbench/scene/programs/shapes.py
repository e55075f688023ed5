"""Kinds of questions about shapes, one class each: its answer, its words, what it asks about, how it is misread.

A yes/no question about a shape that is not there has the answer no, and a count of such shapes is 0; an open question
about one has no clear answer.

A new kind is a class here, a rule in `judges/pixels`, and its test. Which wording an item gets is a draw from its
stream, so their order is part of a suite.
"""

from __future__ import annotations

from typing import Literal, TypeVar

from counterbench.errors import AmbiguousError
from counterbench.palette import CONFUSED_WITH, Colour, ShapeKind
from counterbench.scene.geometry import squared
from counterbench.scene.programs.base import NUMBER_WORDS, SIDE_WORDS, BaseProgram, agreed, miscounted, yes_no
from counterbench.scene.programs.descriptions import CLEAR_OFFSET_PERCENT, Description, find, is_absent
from counterbench.scene.programs.traits import side_asked, traits_of
from counterbench.scene.scene import Arrow, Container, Scene, Shape
from counterbench.scene.visibility import arrow_target, distance_to, is_inside, is_visible, visible_shapes

Relation = Literal["left", "right", "above", "below"]

OPPOSITE: dict[Relation, Relation] = {"left": "right", "right": "left", "above": "below", "below": "above"}

# A shape clearly inside or outside keeps this share of the shorter side between itself and the wall.
CLEAR_WALL_PERCENT = 1

_MORE: dict[Relation, str] = {
    "left": "further to the left",
    "right": "further to the right",
    "above": "higher up",
    "below": "lower down",
}

E = TypeVar("E", Arrow, Container)


class OpenProgram(BaseProgram, frozen=True):
    """Base of the kinds that have a yes/no form as well: is the answer this one?"""

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        """Every wording of the question whether the answer is `value`."""
        raise NotImplementedError

    def lacks(self, value: str, scene: Scene) -> bool:
        """Whether something is not there that the question whether the answer is `value` is about."""
        return False


class ColourOf(OpenProgram, frozen=True, tag="colour-of"):
    """The colour of the described shape."""

    answer_type = "colour"
    target: Description

    def answer(self, scene: Scene) -> str:
        return find(scene, self.target).colour

    def wordings(self) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"What color is the {target}?",
            f"What is the color of the {target}?",
            f"Which color does the {target} have?",
        )

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} {value}?",
            f"Is the color of the {target} {value}?",
            f"Does the {target} have the color {value}?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return _is_one_of(shape, scene, self.target)

    def lacks(self, value: str, scene: Scene) -> bool:
        return is_absent(scene, self.target)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.target):
            return {}
        return {"colour-confusion": CONFUSED_WITH[find(scene, self.target).colour]}

    def traits(self, scene: Scene) -> dict[str, str]:
        return _traits(self.target, scene)


class Relates(BaseProgram, frozen=True, tag="relates"):
    """Whether `first` is to the left of, to the right of, above or below `second`, by their centres."""

    first: Description
    relation: Relation
    second: Description

    def answer(self, scene: Scene) -> str:
        absent = is_absent(scene, self.first, self.second)
        return yes_no(not absent and _offset(scene, self.first, self.relation, self.second) > 0)

    def wordings(self) -> tuple[str, ...]:
        said = f"{SIDE_WORDS[self.relation]} {self.second.definite}"
        first = self.first.definite
        return (f"Is {first} {said}?", f"Looking at the picture, is {first} {said}?", f"Does {first} lie {said}?")

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return _is_one_of(shape, scene, self.first, self.second)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return agreed(True)
        return {"left-right": yes_no(self.answer(scene) == "no")} if self.relation in ("left", "right") else {}

    def traits(self, scene: Scene) -> dict[str, str]:
        return _traits(self.first, scene) | side_asked(self.relation)


class Further(OpenProgram, frozen=True, tag="further"):
    """Which of two shapes is further to the left, to the right, up or down."""

    answer_type = "colour-shape"
    first: Description
    relation: Relation
    second: Description

    def answer(self, scene: Scene) -> str:
        ahead = _offset(scene, self.first, self.relation, self.second) > 0
        return _unique_name(scene, find(scene, self.first if ahead else self.second))

    def wordings(self) -> tuple[str, ...]:
        first, more, second = self.first.definite, _MORE[self.relation], self.second.definite
        return (f"Which shape is {more}, {first} or {second}?", f"Of {first} and {second}, which shape is {more}?")

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        first, more, second = self.first.definite, _MORE[self.relation], self.second.definite
        return (
            f"Of {first} and {second}, is the {value} the one that is {more}?",
            f"Between {first} and {second}, is it the {value} that is {more}?",
        )

    def labels(self, scene: Scene) -> dict[str, str]:
        return {d.letter: find(scene, d).name for d in (self.first, self.second) if d.letter is not None}

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return _is_one_of(shape, scene, self.first, self.second)

    def lacks(self, value: str, scene: Scene) -> bool:
        return is_absent(scene, self.first, self.second)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return {}
        first, second = (find(scene, d).name for d in (self.first, self.second))
        swapped = {"left-right": second if self.answer(scene) == first else first}
        return {"first-mentioned": first} | (swapped if self.relation in ("left", "right") else {})

    def traits(self, scene: Scene) -> dict[str, str]:
        found = _traits(self.first, scene) | side_asked(self.relation)
        if is_absent(scene, self.first, self.second):
            return found
        mentioned = "first" if self.answer(scene) == find(scene, self.first).name else "second"
        return found | {"mentioned": mentioned}


class Count(OpenProgram, frozen=True, tag="count"):
    """How many visible shapes have this kind and colour (None: any)."""

    answer_type = "integer"
    kind: ShapeKind | None = None
    colour: Colour | None = None

    def answer(self, scene: Scene) -> str:
        return str(sum(is_visible(scene, shape) for shape in scene.shapes if self.asks_about(shape, scene)))

    def wordings(self) -> tuple[str, ...]:
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

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        number, (are, s) = _spelt(value), ("is", "") if value == "1" else ("are", "s")
        if self.kind is None and self.colour is None:
            return (
                f"{are.capitalize()} exactly {number} shape{s} visible?",
                f"Can exactly {number} shape{s} be seen in the picture?",
            )
        things = f"{self._thing}{s}"
        return (
            f"{are.capitalize()} there exactly {number} {things}?",
            f"{are.capitalize()} there exactly {number} {things} in the picture?",
            f"Does the picture show exactly {number} {things}?",
        )

    @property
    def _thing(self) -> str:
        return " ".join(part for part in (self.colour, self.kind or "shape") if part)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return self.kind in (None, shape.kind) and self.colour in (None, shape.colour)

    def lacks(self, value: str, scene: Scene) -> bool:
        return value != "0" and self.answer(scene) == "0"

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return miscounted(int(self.answer(scene)))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.answer(scene)} | ({"colour": self.colour} if self.colour else {})


class Exists(BaseProgram, frozen=True, tag="exists"):
    """Whether there is a shape of this kind and colour; with `none`: whether there is none."""

    kind: ShapeKind
    colour: Colour
    none: bool = False

    def answer(self, scene: Scene) -> str:
        return yes_no(self._absent(scene) == self.none)

    def wordings(self) -> tuple[str, ...]:
        thing = f"{self.colour} {self.kind}"
        if self.none:  # "no" alone is not asked for: "No, there is none" would be read both ways
            return (
                f"Is it true that there is no {thing} in the picture?",
                f"Is it true that the picture shows no {thing}?",
                f"Is the picture without {_a(thing)}?",
            )
        return (
            f"Is there {_a(thing)}?",
            f"Is there {_a(thing)} in the picture?",
            f"Does the picture show {_a(thing)}?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return (self.kind, self.colour) == (shape.kind, shape.colour)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return agreed(self._absent(scene))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"colour": self.colour}

    def _absent(self, scene: Scene) -> bool:
        return is_absent(scene, Description(self.kind, self.colour))


class IsInside(BaseProgram, frozen=True, tag="is-inside"):
    """Whether the described shape is inside the container."""

    target: Description

    def answer(self, scene: Scene) -> str:
        return yes_no(not is_absent(scene, self.target) and _inside(scene, find(scene, self.target)))

    def wordings(self) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} inside the container?",
            f"Is the {target} inside the rectangular container?",
            f"Does the {target} lie inside the container?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return _is_one_of(shape, scene, self.target)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return agreed(is_absent(scene, self.target))

    def traits(self, scene: Scene) -> dict[str, str]:
        return _traits(self.target, scene)


class CountInside(OpenProgram, frozen=True, tag="count-inside"):
    """How many shapes are inside the container."""

    answer_type = "integer"

    def answer(self, scene: Scene) -> str:
        return str(sum(_inside(scene, shape) for shape in visible_shapes(scene)))

    def wordings(self) -> tuple[str, ...]:
        return (
            "How many shapes are inside the container?",
            "How many shapes does the container hold?",
            "Count the shapes inside the rectangular container. How many are there?",
        )

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        number, (are, s) = _spelt(value), ("Is", "") if value == "1" else ("Are", "s")
        return (
            f"{are} exactly {number} shape{s} inside the container?",
            f"Does the container hold exactly {number} shape{s}?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return False  # where a shape is matters, its colour does not

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return miscounted(int(self.answer(scene)))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.answer(scene)}


class ArrowTarget(OpenProgram, frozen=True, tag="arrow-target"):
    """Which shape the arrow points to."""

    answer_type = "colour-shape"

    def answer(self, scene: Scene) -> str:
        return _unique_name(scene, arrow_target(scene, _only(scene, Arrow)))

    def wordings(self) -> tuple[str, ...]:
        return (
            "Which shape does the arrow point to?",
            "What shape is the arrow pointing at?",
            "To which shape does the arrow point?",
        )

    def closed_wordings(self, value: str) -> tuple[str, ...]:
        return (
            f"Does the arrow point to the {value}?",
            f"Is the arrow pointing at the {value}?",
            f"Is the {value} the shape that the arrow points to?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return arrow_target(scene, _only(scene, Arrow)).id == shape.id

    def lacks(self, value: str, scene: Scene) -> bool:
        return self.answer(scene) != value and all(shape.name != value for shape in visible_shapes(scene))

    def misreadings(self, scene: Scene) -> dict[str, str]:
        arrow = _only(scene, Arrow)
        if not scene.shapes:
            raise AmbiguousError("the arrow has nothing to point to")
        middle = (scene.width // 2, scene.height // 2)
        return {
            "nearest-tail": min(scene.shapes, key=lambda s: (distance_to(s, arrow.tail), s.id)).name,
            "most-central": min(scene.shapes, key=lambda s: (squared(s.centre, middle), s.id)).name,
            "largest": min(scene.shapes, key=lambda s: (-s.size, s.id)).name,
        }

    def traits(self, scene: Scene) -> dict[str, str]:
        return traits_of(arrow_target(scene, _only(scene, Arrow)), scene)


class Equals(BaseProgram, frozen=True, tag="equals"):
    """Whether another program's answer is `value`: the yes/no form of an open question."""

    program: ColourOf | Further | Count | CountInside | ArrowTarget
    value: str

    def answer(self, scene: Scene) -> str:
        return yes_no(not self._lacks(scene) and self.program.answer(scene) == self.value)

    def wordings(self) -> tuple[str, ...]:
        return self.program.closed_wordings(self.value)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return shape.name == self.value or self.program.asks_about(shape, scene)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        said = self.program.misreadings(scene).items()
        return agreed(self._lacks(scene)) | {name: yes_no(value == self.value) for name, value in said}

    def traits(self, scene: Scene) -> dict[str, str]:
        return self.program.traits(scene)

    def _lacks(self, scene: Scene) -> bool:
        return self.program.lacks(self.value, scene)


ShapeProgram = ColourOf | Relates | Further | Count | Exists | IsInside | CountInside | ArrowTarget | Equals


def _traits(description: Description, scene: Scene) -> dict[str, str]:
    """The traits of what is described; none of what is not there."""
    return {} if is_absent(scene, description) else traits_of(find(scene, description), scene)


def _is_one_of(shape: Shape, scene: Scene, *descriptions: Description) -> bool:
    """Whether the shape is one of those described; what is not there is none."""
    return any(not is_absent(scene, d) and find(scene, d).id == shape.id for d in descriptions)


def _a(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _offset(scene: Scene, first: Description, relation: Relation, second: Description) -> int:
    """How far `first` is beyond `second` in the direction asked, in pixels (negative: the other way round)."""
    a, b = find(scene, first), find(scene, second)
    if a.box.touches(b.box):
        raise AmbiguousError(f"the {a.name} and the {b.name} overlap")
    offset = {"left": b.x - a.x, "right": a.x - b.x, "above": b.y - a.y, "below": a.y - b.y}[relation]
    if 100 * abs(offset) < CLEAR_OFFSET_PERCENT * scene.side:
        raise AmbiguousError(f"the {a.name} and the {b.name} are only {abs(offset)} px apart along that axis")
    return offset


def _inside(scene: Scene, shape: Shape) -> bool:
    return is_inside(shape, _only(scene, Container), max(2, CLEAR_WALL_PERCENT * scene.side // 100))


def _unique_name(scene: Scene, shape: Shape) -> str:
    if sum(s.name == shape.name for s in scene.shapes) > 1:
        raise AmbiguousError(f"more than one shape is a {shape.name}")
    return shape.name


def _only(scene: Scene, kind: type[E]) -> E:
    found = [e for e in scene.elements if isinstance(e, kind)]
    if len(found) != 1:
        raise AmbiguousError(f"the scene has {len(found)} elements of type {kind.__name__.lower()}, not one")
    return found[0]


def _spelt(value: str) -> str:
    """A number as a word, as far as words go."""
    number = int(value) if value.isascii() and value.isdecimal() else len(NUMBER_WORDS)
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else value
