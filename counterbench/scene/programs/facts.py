"""Facts about the outcome of a law: that an observation has a value, that several have, that nothing is damaged.

Yes/no programs, decided by the scene alone.
"""

from __future__ import annotations

from counterbench.scene.figures import Damage, Writing
from counterbench.scene.programs.base import BaseProgram, yes_no
from counterbench.scene.programs.observations import Observation, Skill
from counterbench.scene.programs.traits import place_of, side_asked
from counterbench.scene.scene import Scene

_OPENINGS: tuple[str, ...] = ("", "Looking at the picture, ", "In this picture, ")


class BaseFact(BaseProgram, frozen=True):
    """Base of the facts."""

    def holds(self, scene: Scene) -> bool:
        """Whether it is true of `scene`; AmbiguousError if that is not clear."""
        raise NotImplementedError

    @property
    def skill(self) -> Skill:
        """What a judge needs to see, to tell whether it is so."""
        raise NotImplementedError

    def answer(self, scene: Scene) -> str:
        return yes_no(self.holds(scene))

    def misreadings(self, scene: Scene) -> dict[str, str]:
        painted = next((e for e in scene.elements if isinstance(e, Writing)), None)
        return {} if painted is None else {"text-led": painted.says}


class Fact(BaseFact, frozen=True, tag="fact"):
    """That an observation has this value."""

    of: Observation
    value: str

    def holds(self, scene: Scene) -> bool:
        return self.of.value(scene) == self.value

    @property
    def skill(self) -> Skill:
        return self.of.skill

    @property
    def statement(self) -> str:
        """As a clause without a capital or a full stop: "the red ball rests on the floor"."""
        return self.of.clause(self.value).statement

    def wordings(self) -> tuple[str, ...]:
        return _opened(self.of.clause(self.value).question)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return BaseFact.misreadings(self, scene) | _misread((self,), scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        return self.of.traits(scene) | side_asked(self.value)


class Together(BaseFact, frozen=True, tag="together"):
    """That all these facts hold; with `rule`, asked as whether everything obeys that rule."""

    facts: tuple[Fact, ...]
    rule: str = ""

    def holds(self, scene: Scene) -> bool:
        found = [fact.holds(scene) for fact in self.facts]  # each one must be clear, also after a false one
        return all(found)

    @property
    def skill(self) -> Skill:
        return "obeys-everything" if self.rule else self.facts[0].skill

    def wordings(self) -> tuple[str, ...]:
        statements = [fact.statement for fact in self.facts]
        if not self.rule:
            return _opened(f"is it so that {' and '.join(statements)}")
        rule, listed = self.rule, "; ".join(statements)
        return (
            f"In this picture's world, {rule}. Does everything in the picture obey this, so that: {listed}?",
            f"The rule of this picture's world: {rule}. Is everything in the picture as it then must be: {listed}?",
        )

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return BaseFact.misreadings(self, scene) | _misread(self.facts, scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        each = [trait for fact in self.facts for trait in fact.traits(scene).items()]
        agreed = {name: value for name, value in each if {v for n, v in each if n == name} == {value}}
        counts = [int(value) for name, value in each if name == "count"]
        largest = {"count": str(max(counts))} if counts else {}
        return agreed | largest | side_asked(*(fact.value for fact in self.facts))


class Whole(BaseFact, frozen=True, tag="whole"):
    """That no part of the picture is damaged."""

    def holds(self, scene: Scene) -> bool:
        return not any(isinstance(e, Damage) for e in scene.elements)

    def traits(self, scene: Scene) -> dict[str, str]:
        damage = next((e for e in scene.elements if isinstance(e, Damage)), None)
        return {} if damage is None else place_of(damage.box, scene)

    @property
    def skill(self) -> Skill:
        return "integrity"

    def wordings(self) -> tuple[str, ...]:
        return (
            "Is the whole picture clear, with no part of it garbled or blacked out?",
            "Is every part of the picture drawn cleanly, with nothing garbled or blacked out?",
        )


FactProgram = Fact | Together | Whole


def observed(of: Observation, scene: Scene) -> Fact:
    """The fact about `of` that is true of `scene`; AmbiguousError if none clearly is."""
    return Fact(of, of.value(scene))


def _opened(asked: str) -> tuple[str, ...]:
    questions = (f"{opening}{asked}?" for opening in _OPENINGS)
    return tuple(question[0].upper() + question[1:] for question in questions)


def _misread(facts: tuple[Fact, ...], scene: Scene) -> dict[str, str]:
    """Whether all facts seem to hold, to a judge that misreads whatever it can."""
    seen = [(fact, fact.of.value(scene)) for fact in facts]
    misread = [(fact, value, fact.of.misread(value)) for fact, value in seen]
    names = {name: None for _, _, found in misread for name in found}
    return {name: yes_no(all(found.get(name, value) == fact.value for fact, value, found in misread)) for name in names}
