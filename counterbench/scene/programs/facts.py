"""Facts about the outcome of a law, as yes/no programs: an observation has a value, or nothing is damaged.

A law says what becomes of things, as gravity does; its outcome is a scene (see `observations`).
"""

from typing import ClassVar

from counterbench.errors import AmbiguousError
from counterbench.scene.figures import Damage
from counterbench.scene.programs.base import BaseProgram, place_of, side_trait, stated, yes_no
from counterbench.scene.programs.clauses import Clause, missing
from counterbench.scene.programs.named import matching, rebound
from counterbench.scene.programs.observations import Number, Observation, Skill
from counterbench.scene.scene import Scene

# Three plain ways to ask if a statement is true.
_PHRASINGS: tuple[str, ...] = (
    "{question}?",
    "Is it true that {statement}?",
    "In the picture, {question}?",
)
_DENYING: tuple[str, ...] = ("Is it true that {statement}?", "In the picture, is it true that {statement}?")
# Said after them: the answer about a missing thing.
_MISSING = " If it cannot be seen, answer no."


class Fact(BaseProgram, frozen=True, tag="fact"):
    """The fact that an observation has this value."""

    of: Observation
    value: str

    def answer(self, scene: Scene) -> str:
        return yes_no(self.holds(scene))

    def holds(self, scene: Scene) -> bool:
        """True if the fact is true of `scene`; AmbiguousError if that is unclear.

        A fact about a thing that is not there is false.
        """
        return not self.of.lacking(scene) and self.of.value(scene) == self.value

    def plain(self, scene: Scene) -> bool:
        """True if nobody would dispute the answer.

        "left" may be disputed of a thing that is above another and, less far, to its left.
        """
        return self.of.lacking(scene) or self.of.value(scene) == self.value or self.of.clearly_false(scene, self.value)

    @property
    def skill(self) -> Skill:
        """The skill that a judge needs to answer."""
        return self.of.skill

    @property
    def statement(self) -> str:
        """As a clause without a capital or a full stop: "the red ball rests on the floor"."""
        return self.of.clause(self.value).statement

    def phrasings(self) -> tuple[str, ...]:
        clause = self.of.clause(self.value)
        note = "" if isinstance(self.of, Number) else _MISSING
        # To "is there no ball" the answer "no, there is none" could be read both ways.
        texts = _DENYING if isinstance(self.of, Number) and self.value == "0" else _PHRASINGS
        filled = (text.format(question=clause.question, statement=clause.statement) for text in texts)
        return tuple(text[0].upper() + text[1:] + note for text in filled)

    def clause(self, value: str) -> Clause:
        return stated(self.of.clause(self.value), value)

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; the value that is seen instead of "not"."""
        absent = [thing for thing in self.of.named if not matching(scene, thing)]
        return missing(absent[0].name) if absent and self.of.lacking(scene) else self.of.clause(self.of.value(scene))

    def misreadings(self, scene: Scene) -> dict[str, str]:
        """See `BaseProgram`; a thing that is missing may be there in another colour."""
        lacks_thing = any(not matching(scene, thing) for thing in self.of.named)
        if not lacks_thing or self.holds(scene):  # otherwise a thing that it names may be there in another colour
            misread = self.of.misread(self.of.value(scene))
            return {name: yes_no(value == self.value) for name, value in misread.items()}
        agreeable = {"agreeable": "yes"}
        bound = rebound(scene, *self.of.named)
        try:
            return agreeable | ({"bag-of-words": yes_no(self.holds(bound))} if bound else {})
        except AmbiguousError:
            return agreeable

    def traits(self, scene: Scene) -> dict[str, str]:
        return ({} if self.of.lacking(scene) else self.of.traits(scene)) | side_trait(self.value)


class Whole(BaseProgram, frozen=True, tag="whole"):
    """The fact that no part of the picture is damaged."""

    skill: ClassVar[Skill] = "integrity"

    def answer(self, scene: Scene) -> str:
        return yes_no(self.holds(scene))

    def holds(self, scene: Scene) -> bool:
        return not any(isinstance(e, Damage) for e in scene.elements)

    def traits(self, scene: Scene) -> dict[str, str]:
        damage = next((e for e in scene.elements if isinstance(e, Damage)), None)
        return {} if damage is None else place_of(damage.box, scene)

    def phrasings(self) -> tuple[str, ...]:
        return (
            "Is everything in the picture whole and clean, with nothing blurred, cut, doubled, melted or garbled?",
            "Is the picture free of flaws, such as broken, smeared, doubled or garbled parts?",
            "Is every part of the picture drawn cleanly, with nothing cut off, smeared, doubled or garbled?",
        )

    def clause(self, value: str) -> Clause:
        yes = Clause("everything", "is", "is", "whole and clean")
        return yes if value == "yes" else Clause("something", "is", "is", "damaged")


FactProgram = Fact | Whole


def observed(observation: Observation, scene: Scene) -> Fact:
    """The fact about `observation` that is true of `scene`; AmbiguousError if none clearly is."""
    return Fact(observation, observation.value(scene))
