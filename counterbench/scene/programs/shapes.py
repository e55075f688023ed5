"""Kinds of questions about shapes, one class each: answer, words, shapes that matter, misreadings.

A yes/no question about a shape that is not there has the answer no, and a count of such shapes is 0; an open question
about one has no clear answer.

A new kind is a class in `appearance` or `places`, a name in one of the two unions here, and a rule in
`judges/pixels`: docs/extending/question-kind.md. The phrasing of an item is drawn from its stream, so the order of
phrasings is part of a suite.
"""

from counterbench.scene.programs.appearance import ColourOf, Count, CountInside, Exists
from counterbench.scene.programs.base import BaseProgram, OpenProgram, agreed, yes_no
from counterbench.scene.programs.places import ArrowTarget, Further, IsInside, Relates, Relation
from counterbench.scene.scene import Scene, Shape

__all__ = [
    "ArrowTarget",
    "ColourOf",
    "Count",
    "CountInside",
    "Equals",
    "Exists",
    "Further",
    "IsInside",
    "OpenProgram",
    "Relates",
    "Relation",
    "ShapeProgram",
]


# The kinds that have a yes/no form as well.
Open = ColourOf | Further | Count | CountInside | ArrowTarget


class Equals(BaseProgram, frozen=True, tag="equals"):
    """Is another program's answer `value`? The yes/no form of an open question."""

    program: Open
    value: str

    def answer(self, scene: Scene) -> str:
        return yes_no(not self._lacks(scene) and self.program.answer(scene) == self.value)

    def phrasings(self) -> tuple[str, ...]:
        return self.program.closed_phrasings(self.value)

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return shape.name == self.value or self.program.asks_about(shape, scene)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        misread = self.program.misreadings(scene).items()
        known = {name: yes_no(value == self.value) for name, value in misread}
        if self._lacks(scene):
            return agreed(True) | known
        return known | self.program.misread_as(self.value, scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        return self.program.traits(scene)

    def _lacks(self, scene: Scene) -> bool:
        return self.program.lacks(self.value, scene)


ShapeProgram = Open | Relates | Exists | IsInside | Equals
