"""Questions about how many shapes there are."""

from __future__ import annotations

from counterbench.palette import Colour, ShapeKind
from counterbench.scene.programs.base import miscounted
from counterbench.scene.programs.shape_program import OpenProgram, inside, spelt
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import is_visible, visible_shapes


class Count(OpenProgram, frozen=True, tag="count"):
    """The number of visible shapes of this kind and colour (None: any)."""

    answer_type = "integer"
    kind: ShapeKind | None = None
    colour: Colour | None = None

    def answer(self, scene: Scene) -> str:
        return str(sum(is_visible(scene, shape) for shape in scene.shapes if self.asks_about(shape, scene)))

    def phrasings(self) -> tuple[str, ...]:
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

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        number, (are, s) = spelt(value), ("is", "") if value == "1" else ("are", "s")
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


class CountInside(OpenProgram, frozen=True, tag="count-inside"):
    """The number of shapes inside the container."""

    answer_type = "integer"

    def answer(self, scene: Scene) -> str:
        return str(sum(inside(scene, shape) for shape in visible_shapes(scene)))

    def phrasings(self) -> tuple[str, ...]:
        return (
            "How many shapes are inside the container?",
            "How many shapes does the container hold?",
            "Count the shapes inside the rectangular container. How many are there?",
        )

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        number, (are, s) = spelt(value), ("Is", "") if value == "1" else ("Are", "s")
        return (
            f"{are} exactly {number} shape{s} inside the container?",
            f"Does the container hold exactly {number} shape{s}?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return False  # its place matters, its colour does not

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return miscounted(int(self.answer(scene)))

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"count": self.answer(scene)}
