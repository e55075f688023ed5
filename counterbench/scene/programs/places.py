"""Questions about where shapes are: beside one another, inside the container, before the arrow."""

from typing import Literal

from counterbench.errors import AmbiguousError
from counterbench.scene.geometry import squared
from counterbench.scene.programs.base import (
    SIDE_WORDS,
    BaseProgram,
    OpenProgram,
    agreed,
    inside,
    only,
    side_asked,
    traits_of,
    unique_name,
    yes_no,
)
from counterbench.scene.programs.descriptions import CLEAR_OFFSET_PERCENT, Description, find, is_absent
from counterbench.scene.scene import Arrow, Scene, Shape
from counterbench.scene.visibility import arrow_target, distance_to, visible_shapes

Relation = Literal["left", "right", "above", "below"]

_COMPARATIVE: dict[Relation, str] = {
    "left": "further to the left",
    "right": "further to the right",
    "above": "higher up",
    "below": "lower down",
}


class Relates(BaseProgram, frozen=True, tag="relates"):
    """Is `first` to the left of, to the right of, above or below `second`, by their centres?"""

    first: Description
    relation: Relation
    second: Description

    def answer(self, scene: Scene) -> str:
        absent = is_absent(scene, self.first, self.second)
        return yes_no(not absent and offset(scene, self.first, self.relation, self.second) > 0)

    def phrasings(self) -> tuple[str, ...]:
        place = f"{SIDE_WORDS[self.relation]} {self.second.definite}"
        first = self.first.definite
        return (f"Is {first} {place}?", f"Looking at the picture, is {first} {place}?", f"Does {first} lie {place}?")

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return agreed(True)
        return {"left-right": yes_no(self.answer(scene) == "no")} if self.relation in ("left", "right") else {}

    def traits(self, scene: Scene) -> dict[str, str]:
        return super().traits(scene) | side_asked(self.relation)


class Further(OpenProgram, frozen=True, tag="further"):
    """The one of two shapes that is further to the left, to the right, up or down."""

    answer_type = "colour-shape"
    first: Description
    relation: Relation
    second: Description

    def answer(self, scene: Scene) -> str:
        ahead = offset(scene, self.first, self.relation, self.second) > 0
        return unique_name(scene, find(scene, self.first if ahead else self.second))

    def phrasings(self) -> tuple[str, ...]:
        first, comparative, second = self.first.definite, _COMPARATIVE[self.relation], self.second.definite
        return (
            f"Which shape is {comparative}, {first} or {second}?",
            f"Of {first} and {second}, which shape is {comparative}?",
        )

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        first, comparative, second = self.first.definite, _COMPARATIVE[self.relation], self.second.definite
        return (
            f"Of {first} and {second}, is the {value} the one that is {comparative}?",
            f"Between {first} and {second}, is it the {value} that is {comparative}?",
        )

    def labels(self, scene: Scene) -> dict[str, str]:
        return {d.letter: find(scene, d).name for d in (self.first, self.second) if d.letter is not None}

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.first, self.second):
            return {}
        first, second = (find(scene, d).name for d in (self.first, self.second))
        swapped = {"left-right": second if self.answer(scene) == first else first}
        return {"first-mentioned": first} | (swapped if self.relation in ("left", "right") else {})

    def traits(self, scene: Scene) -> dict[str, str]:
        traits = super().traits(scene) | side_asked(self.relation)
        if is_absent(scene, self.first, self.second):
            return traits
        mentioned = "first" if self.answer(scene) == find(scene, self.first).name else "second"
        return traits | {"mentioned": mentioned}


class IsInside(BaseProgram, frozen=True, tag="is-inside"):
    """Is the described shape inside the container?"""

    target: Description

    def answer(self, scene: Scene) -> str:
        return yes_no(not is_absent(scene, self.target) and inside(scene, find(scene, self.target)))

    def phrasings(self) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} inside the container?",
            f"Is the {target} inside the rectangular container?",
            f"Does the {target} lie inside the container?",
        )

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return agreed(is_absent(scene, self.target))


class ArrowTarget(OpenProgram, frozen=True, tag="arrow-target"):
    """The shape that the arrow points to."""

    answer_type = "colour-shape"

    def answer(self, scene: Scene) -> str:
        return unique_name(scene, arrow_target(scene, only(scene, Arrow)))

    def phrasings(self) -> tuple[str, ...]:
        return (
            "Which shape does the arrow point to?",
            "What shape is the arrow pointing at?",
            "To which shape does the arrow point?",
        )

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        return (
            f"Does the arrow point to the {value}?",
            f"Is the arrow pointing at the {value}?",
            f"Is the {value} the shape that the arrow points to?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return arrow_target(scene, only(scene, Arrow)).id == shape.id

    def lacks(self, value: str, scene: Scene) -> bool:
        return self.answer(scene) != value and all(shape.name != value for shape in visible_shapes(scene))

    def misreadings(self, scene: Scene) -> dict[str, str]:
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


def offset(scene: Scene, first: Description, relation: Relation, second: Description) -> int:
    """Pixels by which `first` is beyond `second` in the direction asked; negative if it is behind."""
    a, b = find(scene, first), find(scene, second)
    if a.box.touches(b.box):
        raise AmbiguousError(f"the {a.name} and the {b.name} overlap")
    offset = {"left": b.x - a.x, "right": a.x - b.x, "above": b.y - a.y, "below": a.y - b.y}[relation]
    if 100 * abs(offset) < CLEAR_OFFSET_PERCENT * scene.side:
        raise AmbiguousError(f"the {a.name} and the {b.name} are only {abs(offset)} px apart along that axis")
    return offset
