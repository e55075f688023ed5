"""What a law is: a setting, a start, and a small simulation that takes it to its outcome, under each of its variants.

A law never writes an answer down. It says what to look at (`subject`, `surroundings`); the facts of an outcome are what
is observed on the scene that its simulation gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import msgspec

from counterbench.errors import unknown
from counterbench.palette import COLOURS, Colour
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.observations import Named, Observation
from counterbench.scene.scene import Element, Scene
from counterbench.scene.seeds import Stream

Discipline = Literal["physics", "biology", "chemistry", "geography", "society"]
# Pictures of laws are squares of so many pixels.
SIDE = 512
MIDDLE = SIDE // 2
# The room in which things fall, roll and drift; its interior reaches from 28 to 484 both ways.
ROOM = Room("room", MIDDLE, MIDDLE, 236, 236, 8)
# The colours that a sun may have.
SUNNY: tuple[Colour, ...] = ("yellow", "orange", "red")


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One form of a law: the real one, or an altered one.

    `rule` states it as a clause without capital and full stop, and gives no outcome away: "loose things fall towards
    the left wall". `outcome` is the sentence that tells what is then to be seen. Both may name things by their role
    (see `Setting.fill`).
    """

    name: str
    rule: str
    outcome: str
    real: bool = False


class Role(msgspec.Struct, frozen=True):
    """What may play a part: one of these nouns, in one of these colours.

    `named_by_colour`: false where the colour is what the law is about; then all of `colours` belong to this role alone.
    """

    nouns: tuple[str, ...]
    colours: tuple[Colour, ...] = COLOURS
    named_by_colour: bool = True


class Setting(msgspec.Struct, frozen=True):
    """Who plays which part, and the law's own numbers: a pure function of law, seed and index."""

    things: dict[str, Named]
    colours: dict[str, Colour]
    numbers: dict[str, int]

    def __getitem__(self, role: str) -> Named:
        """The name of the thing in a role."""
        return self.things[role]

    def figure(self, role: str, x: int, y: int, half_width: int, half_height: int, **seen: Any) -> Figure:
        """The thing in a role, at a place; `seen`: facing, lit, quarters, form, colour (of a thing not named by it).

        Its id is the role; of several things in one role, give `id="role-1"`.
        """
        fields = {"id": role, "colour": self.colours[role], **seen}
        return Figure(noun=self.things[role].noun, x=x, y=y, half_width=half_width, half_height=half_height, **fields)

    def fill(self, text: str, described: bool = False) -> str:
        """`text` with its things: {role} is "red ball", {a_role} "a red ball", {A_role} "A red ball".

        {roles} is the plural, "red balls". With `described`, things are told in words that do not name them.
        """
        words: dict[str, str] = {}
        for role, named in self.things.items():
            noun = NOUNS[named.noun]
            if described:
                colour = f"{named.colour} " if named.colour and not noun.plain else ""
                said, many = colour + noun.described, colour + (noun.described_many or noun.described)
            else:
                said = named.name
                many = said.removesuffix(named.noun) + (noun.plural or f"{named.noun}s")
            article = "an" if said[0] in "aeiou" else "a"
            words[role], words[f"{role}s"] = said, many
            words[f"a_{role}"], words[f"A_{role}"] = f"{article} {said}", f"{article.capitalize()} {said}"
        return text.format(**words)


class Law(ABC):
    """A rule of a small world. Subclasses are listed in `laws.LAWS`; docs/laws.md shows how to add one.

    `starts`: wordings of what there is at first, each a whole paragraph; `finish`: what to show. `subject_roles`: whose
    figures are the subject's; in a fractured outcome they alone obey the altered law.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    discipline: ClassVar[Discipline]
    branch: ClassVar[str]
    roles: ClassVar[dict[str, Role]]
    variants: ClassVar[tuple[Variant, ...]]
    starts: ClassVar[tuple[str, ...]]
    finish: ClassVar[str]
    subject_roles: ClassVar[tuple[str, ...]] = ("subject",)

    @abstractmethod
    def start(self, setting: Setting) -> Sequence[Element]:
        """What there is at first."""

    @abstractmethod
    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """What has become of the start under a variant, once everything has come to rest."""

    @abstractmethod
    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """What to look at to tell which variant ruled; all of one skill."""

    @abstractmethod
    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """What else to look at: what the law moves too, and what it must leave as it was."""

    def numbers(self, stream: Stream) -> dict[str, int]:
        """What else differs between settings, such as places and counts."""
        return {}

    def setting(self, seed: int, index: int) -> Setting:
        """Setting `index`, the same on every machine."""
        stream = Stream(seed, "law", self.name, index)
        reserved = [c for role in self.roles.values() if not role.named_by_colour for c in role.colours]
        free = [c for c in stream.shuffled(COLOURS) if c not in reserved]
        things: dict[str, Named] = {}
        colours: dict[str, Colour] = {}
        for role in sorted(self.roles, key=lambda r: len(self.roles[r].colours)):
            part = self.roles[role]
            unused = [n for n in part.nouns if all(n != t.noun for t in things.values())]
            noun = stream.choice(unused or part.nouns)  # where all are taken, colours keep the names apart
            if part.named_by_colour:
                colour = next(c for c in free if c in part.colours)
                free.remove(colour)
            else:
                colour = part.colours[0]
            colours[role] = colour
            things[role] = Named(noun, colour if part.named_by_colour else None)
        return Setting(things, colours, self.numbers(stream.child("numbers")))

    def variant(self, name: str) -> Variant:
        """The variant of that name; InputError with the valid names if there is none."""
        for variant in self.variants:
            if variant.name == name:
                return variant
        raise unknown(f"variant of law {self.name!r}", name, [v.name for v in self.variants])

    @property
    def real(self) -> Variant:
        """The (first) real variant."""
        return next(v for v in self.variants if v.real)

    @property
    def altered(self) -> tuple[Variant, ...]:
        """The counterfactual variants."""
        return tuple(v for v in self.variants if not v.real)


def stage(elements: Sequence[Element]) -> Scene:
    """A law's scene: what is damaged lies in front of everything."""
    ordered = sorted(elements, key=lambda e: isinstance(e, Damage))
    return Scene(SIDE, SIDE, elements=tuple(ordered))
