"""Questions about the presence of shapes, and their colours."""

from __future__ import annotations

from counterbench.palette import CONFUSED_WITH, Colour, ShapeKind
from counterbench.scene.programs.base import BaseProgram, agreed, yes_no
from counterbench.scene.programs.descriptions import Description, find, is_absent
from counterbench.scene.programs.shape_program import OpenProgram
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import visible_shapes


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
            f"Which color does the {target} have?",
        )

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        target = self.target.noun
        return (
            f"Is the {target} {value}?",
            f"Is the color of the {target} {value}?",
            f"Does the {target} have the color {value}?",
        )

    def misreadings(self, scene: Scene) -> dict[str, str]:
        if is_absent(scene, self.target):
            return {}
        return {"colour-confusion": CONFUSED_WITH[find(scene, self.target).colour]}

    def misread_as(self, value: str, scene: Scene) -> dict[str, str]:
        """See `OpenProgram`: a judge may see the colour on another shape."""
        scattered = self.answer(scene) != value and any(shape.colour == value for shape in visible_shapes(scene))
        return {"bag-of-words": "yes"} if scattered else {}


class Exists(BaseProgram, frozen=True, tag="exists"):
    """Is there a shape of this kind and colour; with `none`: is there none?"""

    kind: ShapeKind
    colour: Colour
    none: bool = False

    def answer(self, scene: Scene) -> str:
        return yes_no(self._absent(scene) == self.none)

    def phrasings(self) -> tuple[str, ...]:
        thing = f"{self.colour} {self.kind}"
        if self.none:  # the questions avoid "No, there is none", which could be read both ways
            return (
                f"Is it true that there is no {thing} in the picture?",
                f"Is it true that the picture shows no {thing}?",
                f"Is the picture without {with_article(thing)}?",
            )
        return (
            f"Is there {with_article(thing)}?",
            f"Is there {with_article(thing)} in the picture?",
            f"Does the picture show {with_article(thing)}?",
        )

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return (self.kind, self.colour) == (shape.kind, shape.colour)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        bound = {"bag-of-words": yes_no(not self.none)} if self._scattered(scene) else {}
        return agreed(self._absent(scene)) | bound

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"colour": self.colour}

    def _absent(self, scene: Scene) -> bool:
        return is_absent(scene, Description(self.kind, self.colour))

    def _scattered(self, scene: Scene) -> bool:
        """True if its kind and its colour are there, but on different shapes."""
        apart = Description(kind=self.kind), Description(colour=self.colour)
        return self._absent(scene) and not any(is_absent(scene, part) for part in apart)


def with_article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
