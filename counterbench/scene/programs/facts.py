"""Facts about the outcome of a law: that an observation has a value, that several have, that nothing is damaged.

Yes/no programs, decided by the scene alone.
"""

from __future__ import annotations

from counterbench.errors import AmbiguousError
from counterbench.scene.figures import Damage
from counterbench.scene.programs.base import BaseProgram, yes_no
from counterbench.scene.programs.named import matching, rebound
from counterbench.scene.programs.observations import Number, Observation, Skill
from counterbench.scene.programs.traits import place_of, side_asked
from counterbench.scene.scene import Scene

# Three plain ways to ask whether a statement is true; in files of earlier versions there are three others.
_PHRASINGS: tuple[str, ...] = (
    "{question}?",
    "Is it true that {statement}?",
    "Does the picture show that {statement}?",
)
# Said after them: what counts where a thing is missing, also in a frame that denies the question.
_MISSING = " Nothing is true of a thing that cannot be seen."


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


class Fact(BaseFact, frozen=True, tag="fact"):
    """That an observation has this value."""

    of: Observation
    value: str

    def holds(self, scene: Scene) -> bool:
        """As of every fact; of a thing that is not there, nothing is true."""
        return not self.of.lacking(scene) and self.of.value(scene) == self.value

    def plain(self, scene: Scene) -> bool:
        """Whether nobody would dispute the answer: what is above and a little to the left is not asked to be left."""
        return self.of.lacking(scene) or self.of.value(scene) == self.value or self.of.refuses(scene, self.value)

    @property
    def skill(self) -> Skill:
        return self.of.skill

    @property
    def statement(self) -> str:
        """As a clause without a capital or a full stop: "the red ball rests on the floor"."""
        return self.of.clause(self.value).statement

    def wordings(self) -> tuple[str, ...]:
        clause = self.of.clause(self.value)
        said = "" if isinstance(self.of, Number) else _MISSING
        return tuple(text + said for text in _phrased(clause.question, clause.statement))

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return _misread((self,), scene)

    def traits(self, scene: Scene) -> dict[str, str]:
        return ({} if self.of.lacking(scene) else self.of.traits(scene)) | side_asked(self.value)

    def imagined(self, scene: Scene) -> bool:
        """Whether what it is about is not there at all, or not as it says: in another colour, say."""
        return any(not matching(scene, thing) for thing in self.of.named) and not self.holds(scene)


class Together(BaseFact, frozen=True, tag="together"):
    """That all these facts hold; with `rule`, asked as whether everything obeys that rule.

    In files of earlier versions: a fact is asked for by itself now.
    """

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
            return (f"Is it so that {' and '.join(statements)}?",)
        return (f"In this picture's world, {self.rule}. Does everything obey this, so that: {'; '.join(statements)}?",)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        return _misread(self.facts, scene)

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
            "Is everything in the picture whole and clean, with nothing blurred, cut, doubled, melted or garbled?",
            "Is the picture free of flaws, such as broken, smeared, doubled or garbled parts?",
            "Is every part of the picture drawn cleanly, with no thing cut off, smeared, doubled or garbled?",
        )


FactProgram = Fact | Together | Whole


def observed(of: Observation, scene: Scene) -> Fact:
    """The fact about `of` that is true of `scene`; AmbiguousError if none clearly is."""
    return Fact(of, of.value(scene))


def _phrased(question: str, statement: str) -> tuple[str, ...]:
    """The question in each of the phrasings."""
    filled = (phrasing.format(question=question, statement=statement) for phrasing in _PHRASINGS)
    return tuple(text[0].upper() + text[1:] for text in filled)


def _misread(facts: tuple[Fact, ...], scene: Scene) -> dict[str, str]:
    """Whether all facts seem to hold, to a judge that misreads whatever it can; or sees what is not there."""
    if any(fact.imagined(scene) for fact in facts):
        agreeing = {"agreeable": yes_no(all(fact.imagined(scene) or fact.holds(scene) for fact in facts))}
        bound = rebound(scene, *(thing for fact in facts for thing in fact.of.named))
        try:
            return agreeing | ({"bag-of-words": yes_no(all(fact.holds(bound) for fact in facts))} if bound else {})
        except AmbiguousError:
            return agreeing
    seen = [(fact, fact.of.value(scene)) for fact in facts]
    misread = [(fact, value, fact.of.misread(value)) for fact, value in seen]
    names = {name: None for _, _, found in misread for name in found}
    return {name: yes_no(all(found.get(name, value) == fact.value for fact, value, found in misread)) for name in names}
