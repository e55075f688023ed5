"""Names of the things in the outcome of a law ("the red ball"), and the figures of a scene that a name means."""

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.base import NUMBER_WORDS
from counterbench.scene.scene import Scene


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a figure: its noun and, unless the question asks for it, its colour."""

    noun: str
    colour: Colour | None = None

    @property
    def name(self) -> str:
        """ "red ball"; the noun alone where the colour is not given or no part of the name."""
        return f"{self.colour} {self.noun}" if self.colour and not NOUNS[self.noun].plain else self.noun

    @property
    def definite(self) -> str:
        """ "the red ball"."""
        return f"the {self.name}"

    @property
    def part(self) -> str:
        """Words for the part with the colour, "the liquid in the tank"; of most things the whole, "the red ball"."""
        part = NOUNS[self.noun].part
        return f"the {part} {self.definite}" if part else self.definite

    def counted(self, number: int) -> str:
        """ "three red apples", "one red apple"."""
        noun = self.noun if number == 1 else NOUNS[self.noun].plural or f"{self.noun}s"
        return " ".join(part for part in (NUMBER_WORDS[number], self.colour, noun) if part)


def find(scene: Scene, named: Named) -> Figure:
    """The one figure that a name means; AmbiguousError if there is none or several."""
    figures = matching(scene, named)
    if len(figures) != 1:
        raise AmbiguousError(f"{len(figures)} figures match {named}")
    return figures[0]


def matching(scene: Scene, named: Named) -> list[Figure]:
    """The figures that a name fits, in drawing order."""
    return [f for f in scene.figures if f.noun == named.noun and named.colour in (None, f.colour)]


def rebound(scene: Scene, *things: Named) -> Scene | None:
    """The scene as it is seen by a judge that does not bind colours to things: a ball is red if anything is red.

    So a thing of `things` that is missing is there, if a thing with its noun and another with its colour are. None if
    there is no such thing, so that the judge sees the scene as it is.
    """
    colours = {figure.colour for figure in scene.figures}
    new = {}
    for thing in things:
        figure = next((f for f in scene.figures if f.noun == thing.noun), None)
        if figure is not None and thing.colour in colours and not matching(scene, thing):
            new[figure.id] = msgspec.structs.replace(figure, colour=thing.colour)
    return scene.replaced(*new.values()) if new else None
