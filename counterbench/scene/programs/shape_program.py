"""Base of the open questions about shapes, and functions to find the shapes that questions name."""

from __future__ import annotations

from typing import TypeVar

from counterbench.errors import AmbiguousError
from counterbench.scene.programs.base import NUMBER_WORDS, BaseProgram
from counterbench.scene.programs.descriptions import is_absent
from counterbench.scene.scene import Arrow, Container, Scene, Shape
from counterbench.scene.visibility import is_inside

# A shape clearly inside or outside keeps this share of the shorter side between itself and the wall.
CLEAR_WALL_PERCENT = 1

E = TypeVar("E", Arrow, Container)


class OpenProgram(BaseProgram, frozen=True):
    """Base of the kinds that have a yes/no form as well, "is the answer this value?": see `shapes.Equals`."""

    def closed_phrasings(self, value: str) -> tuple[str, ...]:
        """Every phrasing of the yes/no form."""
        raise NotImplementedError

    def lacks(self, value: str, scene: Scene) -> bool:
        """True if something that the yes/no form is about is not there; by default, one that it describes."""
        return is_absent(scene, *self.described)

    def misread_as(self, value: str, scene: Scene) -> dict[str, str]:
        """Misreadings of the yes/no form that depend on `value`; see `misreadings`."""
        return {}


def inside(scene: Scene, shape: Shape) -> bool:
    """True if a shape is inside the container; AmbiguousError if it is close to its wall."""
    return is_inside(shape, only(scene, Container), max(2, CLEAR_WALL_PERCENT * scene.side // 100))


def unique_name(scene: Scene, shape: Shape) -> str:
    """The name of a shape; AmbiguousError if another shape has it too."""
    if sum(s.name == shape.name for s in scene.shapes) > 1:
        raise AmbiguousError(f"more than one shape is a {shape.name}")
    return shape.name


def only(scene: Scene, kind: type[E]) -> E:
    """The one element of a type; AmbiguousError if there is none or several."""
    elements = [e for e in scene.elements if isinstance(e, kind)]
    if len(elements) != 1:
        raise AmbiguousError(f"the scene has {len(elements)} elements of type {kind.__name__.lower()}, not one")
    return elements[0]


def spelt(value: str) -> str:
    """A number as a word, up to ten."""
    number = int(value) if value.isascii() and value.isdecimal() else len(NUMBER_WORDS)
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else value
