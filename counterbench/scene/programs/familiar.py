"""Questions about the parts of a familiar thing, such as the legs of a dog. The scene is the truth.

Such a thing may be altered: the dog has five legs. A question names the thing ("this dog"), does not name it ("the
thing in the picture"), or begins with a lie ("Like every dog, this one has four legs").
"""

import re
from typing import Literal, get_args

from counterbench.errors import AmbiguousError
from counterbench.palette import CONFUSED_WITH, Colour
from counterbench.scene.familiar_things import Familiar, FamiliarKind
from counterbench.scene.programs.base import OpenProgram, counting_misreadings, place_of, spelt
from counterbench.scene.programs.clauses import Clause
from counterbench.scene.scene import Scene, Shape

# The thing is named; it is not; or the question begins by stating what is usual, which is a lie about altered things.
Naming = Literal["named", "unnamed", "lied to"]
NAMINGS: tuple[Naming, ...] = get_args(Naming)

CountedThing = Literal["die", "dog", "flag", "hand", "clock"]
LightPlace = Literal["top", "bottom"]
# By thing its parts, and the verb that goes with them: "How many legs does this dog have?"
_PARTS: dict[CountedThing, tuple[str, str]] = {
    "die": ("pips", "show"),
    "dog": ("legs", "have"),
    "flag": ("stripes", "have"),
    "hand": ("fingers, thumb included", "have"),
    "clock": ("numbers", "show"),
}
# Words for a thing after "Like every" where its own name would be too wide: not every die shows the same pips.
_KINDS: dict[FamiliarKind, str] = {"die": "die with this face", "flag": "flag of its kind"}
# By letter in `Familiar.parts` of a traffic light, from top to bottom.
_LIGHTS: dict[str, Colour] = {"r": "red", "y": "yellow", "g": "green"}


def shown(scene: Scene, thing: FamiliarKind) -> Familiar:
    """The thing of this kind; AmbiguousError if the scene has none, or several."""
    found = [e for e in scene.elements if isinstance(e, Familiar) and e.thing == thing]
    if len(found) != 1:
        raise AmbiguousError(f"the scene has {len(found)} things of the kind {thing}, not one")
    return found[0]


class _OfThing(OpenProgram, frozen=True):
    """Base of the questions about a familiar thing. `usual`: the answer about the usual thing, which a lie states."""

    naming: Naming
    usual: str

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return False

    def lacks(self, value: str, scene: Scene) -> bool:
        return False

    def traits(self, scene: Scene) -> dict[str, str]:
        places = [place_of(e.box, scene) for e in scene.elements if isinstance(e, Familiar)]
        return {"naming": self.naming, **(places[0] if len(places) == 1 else {})}

    def _worded(self, noun: FamiliarKind, question: str, of_it: str, lie: str) -> tuple[str, ...]:
        """The phrasings of a question in this question's way to name the thing.

        `question`: with {} in the place of the thing. `of_it`: the same question about "it". `lie`: the words after
        "this one" of a lie, "has four legs".
        """
        if self.naming == "lied to":
            return (f"Like every {_KINDS.get(noun, noun)}, this one {lie}. {of_it.removesuffix('?')} in this picture?",)
        thing = f"this {noun}" if self.naming == "named" else "the thing in the picture"
        return (question.format(thing), f"Look at {thing}. {of_it}")


class PartsOf(_OfThing, frozen=True, tag="parts-of"):
    """The number of parts of a familiar thing: of pips, legs, stripes, fingers, numbers."""

    answer_type = "integer"
    thing: CountedThing

    def answer(self, scene: Scene) -> str:
        return str(shown(scene, self.thing).count)

    def phrasings(self) -> tuple[str, ...]:
        parts, verb = _PARTS[self.thing]
        comma = "," if "," in parts else ""  # closes what the comma in `parts` opens
        return self._phrasings_of(f"How many {parts}{comma} does {{}} {verb}?")

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        parts, verb = _PARTS[self.thing]
        return self._phrasings_of(f"Does {{}} {verb} exactly {spelt(value)} {parts}?")

    def clause(self, value: str) -> Clause:
        """ "the hand has exactly five fingers, thumb included"; of one part, the singular."""
        parts, verb = _PARTS[self.thing]
        if value == "1":
            parts = re.sub(r"s\b", "", parts, count=1)  # the "s" of the noun, which is the first word
        third = "has" if verb == "have" else "shows"
        return Clause(f"the {self.thing}", verb, third, f"exactly {spelt(value)} {parts}")

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return counting_misreadings(shown(scene, self.thing).count)

    def _phrasings_of(self, question: str) -> tuple[str, ...]:
        parts, verb = _PARTS[self.thing]
        lie = f"{'has' if verb == 'have' else 'shows'} {spelt(self.usual)} {parts}"
        return self._worded(self.thing, question, question.format("it"), lie)


class LightOf(_OfThing, frozen=True, tag="light-of"):
    """The colour of a traffic light's light at the top or at the bottom."""

    answer_type = "colour"
    place: LightPlace

    def answer(self, scene: Scene) -> str:
        return self._colour(scene)

    def phrasings(self) -> tuple[str, ...]:
        return self._phrasings_of("What color is", "")

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        return self._phrasings_of("Is", f" {value}")

    def clause(self, value: str) -> Clause:
        return Clause(f"the {self.place} light of the traffic light", "is", "is", value)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return {"colour-confusion": CONFUSED_WITH[self._colour(scene)]}

    def _colour(self, scene: Scene) -> Colour:
        return _LIGHTS[shown(scene, "traffic light").parts[0 if self.place == "top" else -1]]

    def _phrasings_of(self, start: str, end: str) -> tuple[str, ...]:
        question, of_it = f"{start} the {self.place} light of {{}}{end}?", f"{start} its {self.place} light{end}?"
        return self._worded("traffic light", question, of_it, f"has {self.usual} at the {self.place}")


FamiliarProgram = PartsOf | LightOf
