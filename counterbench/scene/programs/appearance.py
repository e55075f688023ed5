"""Questions about the presence of shapes, their colours and their number."""

from counterbench.palette import CONFUSED_WITH, Colour, ShapeKind
from counterbench.scene.programs.base import BaseProgram, OpenProgram, agreed, inside, miscounted, spelt, yes_no
from counterbench.scene.programs.descriptions import Description, find, is_absent
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import is_visible, visible_shapes


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


def with_article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
