"""Kinds of questions that may be as hard as one likes: a part that shows behind a shape, and two nearly equal colours.

Their margins are far below what is clear at a glance, and still leave no doubt about the truth.
"""

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.programs.base import BaseProgram, agreeable_misreading, traits_of, yes_no
from counterbench.scene.programs.clauses import Clause
from counterbench.scene.programs.shapes import with_article
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.shades import difference
from counterbench.scene.visibility import covers_of, shown_part, visible_percent, visible_shapes

# A part shows if it is at least so much of a shape's coloured inside, and so many pixels.
SHOWN_PERMILLE, SHOWN_PIXELS = 20, 300
# Shades that differ do so by at least this ΔE00; 1 is just noticeable.
MIN_DIFFERENCE = 1.5


class Shows(BaseProgram, frozen=True, tag="shows"):
    """Is any part of a shape of this colour to be seen? A shape that is wholly covered does not count."""

    colour: Colour

    def answer(self, scene: Scene) -> str:
        shown = [self._shown(scene, shape) for shape in scene.shapes if self.asks_about(shape, scene)]  # each is clear
        return yes_no(any(shown))

    def phrasings(self) -> tuple[str, ...]:
        thing = with_article(f"{self.colour} shape")
        return (
            f"Is any part of {thing} visible?",
            f"Can any part of {thing} be seen in the picture?",
            f"Does the picture show any part of {thing}?",
        )

    def clause(self, value: str) -> Clause:
        part = f"part of {with_article(f'{self.colour} shape')}"
        return Clause(part if value == "yes" else f"no {part}", "is", "is", "visible")

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return shape.colour == self.colour

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return agreeable_misreading(self.answer(scene) == "no")

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"colour": self.colour}

    def _shown(self, scene: Scene, shape: Shape) -> bool:
        """True if enough of a shape shows, false if nothing does; AmbiguousError if only a little does."""
        permille, pixels = shown_part(shape, covers_of(scene, shape))
        if permille >= SHOWN_PERMILLE and pixels >= SHOWN_PIXELS:
            return True
        if visible_percent(scene, shape):
            raise AmbiguousError(f"only {pixels} pixels, {permille / 10} %, of the {shape.name} {shape.id!r} show")
        return False


class Alike(BaseProgram, frozen=True, tag="alike"):
    """Are the two shapes of this kind of exactly the same colour; with `differ`: of different ones?"""

    kind: ShapeKind
    differ: bool = False

    def answer(self, scene: Scene) -> str:
        """See `BaseProgram`; AmbiguousError where the colours differ by less than MIN_DIFFERENCE (ΔE00)."""
        fills = [shape.fill for shape in visible_shapes(scene) if shape.kind == self.kind]
        if len(fills) != 2:
            raise AmbiguousError(f"{len(fills)} visible shapes are {self.kind}s, not two")
        apart = difference(*fills)
        if fills[0] != fills[1] and apart < MIN_DIFFERENCE:
            raise AmbiguousError(f"the two {self.kind}s differ by only {apart:.1f} in colour")
        return yes_no((fills[0] == fills[1]) != self.differ)

    def phrasings(self) -> tuple[str, ...]:
        """Three ways to ask if the colours are exactly the same; with `differ`, if they differ even slightly."""
        if self.differ:
            return (
                f"Do the two {self.kind}s differ in color, even slightly?",
                f"Is there any difference in color between the two {self.kind}s?",
                f"Are the colors of the two {self.kind}s even slightly different?",
            )
        return (
            f"Are the two {self.kind}s of exactly the same color?",
            f"Do the two {self.kind}s have exactly the same color?",
            f"Are the colors of the two {self.kind}s exactly the same?",
        )

    def clause(self, value: str) -> Clause:
        both = f"the two {self.kind}s"
        if (value == "yes") != self.differ:
            return Clause(both, "are", "are", "of exactly the same color")
        return Clause(both, "differ", "differ", "in color")

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return shape.kind == self.kind

    def traits(self, scene: Scene) -> dict[str, str]:
        shapes = [shape for shape in scene.shapes if shape.kind == self.kind]
        return traits_of(shapes[0], scene) if shapes else {}


FineProgram = Shows | Alike
