"""What a law is: a setting, a start, and a small simulation that takes it to its outcome, under each of its variants.

A law never writes a fact down. It says what to look at (`subject`, `surroundings`); the facts of an outcome are what
is observed on the scene that its simulation gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.laws.effects import stays
from counterbench.palette import COLOURS, Colour
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import ColourSeen, Observation
from counterbench.scene.scene import Element, Scene
from counterbench.scene.seeds import Stream

# Pictures of laws are squares of so many pixels.
SIDE = 512
MIDDLE = SIDE // 2
# The room in which things fall, roll and drift; its interior reaches from 28 to 484 both ways.
ROOM = Room("room", MIDDLE, MIDDLE, 236, 236, 8)
# The colours that a sun may have.
SUNNY: tuple[Colour, ...] = ("yellow", "orange", "red")


T = TypeVar("T")
# How far it is from an altered rule to what is then to be seen of the subject.
Depth = Literal["stated", "one step", "two steps"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
# What is said instead of a variant whose subject ends as it began: a model that draws the start passes.
STILL = "still"
# What is looked at: an observation, and the roles of the things that it is of.
Look = tuple[Callable[..., Observation], *tuple[str, ...]]


class Variant(msgspec.Struct, frozen=True):
    """One form of a law: the real one, or an altered one.

    `rule` states it as a clause without capital and full stop, and gives no outcome away: "loose things fall towards
    the left wall". `brief` is the same rule, no more and no less, in at most 12 words. `outcome` is the sentence that
    tells what is then to be seen. All three may name things by their role (see `Setting.fill`). `does` is its effect,
    which the law runs (see `Law.run`).

    `depth`: whether the rule already names what is to be seen of the subject ("stated"), only has to be applied to it
    ("one step"), or needs something found out first, from the start or from a second clause ("two steps"). `still`:
    the subject ends as it began, so that a model which draws the start passes; such variants are reported apart.
    """

    name: str
    rule: str
    outcome: str
    does: Any
    brief: str = ""
    real: bool = False
    depth: Depth = "one step"
    still: bool = False


class Role(msgspec.Struct, frozen=True):
    """What may play a part: one of these nouns, in one of these colours.

    `named_by_colour`: false where the colour is what the law is about; then all of `colours` belong to this role alone.
    """

    nouns: tuple[str, ...]
    colours: tuple[Colour, ...] = COLOURS
    named_by_colour: bool = True


class Known(dict[str, T]):
    """Values by name; InputError with the valid names for one that there is not."""

    def __init__(self, kind: str, where: str, values: Mapping[str, T]) -> None:
        super().__init__(values)
        self.kind, self.where = kind, where

    def __missing__(self, key: str) -> T:
        raise unknown(self.kind, key, self, self.where)


class Setting(msgspec.Struct, frozen=True):
    """Who plays which part, and the law's own numbers: a pure function of law, seed and index."""

    law: str
    things: dict[str, Named]
    colours: dict[str, Colour]
    numbers: dict[str, int]

    def __hash__(self) -> int:
        return hash((self.law, *self.things.values(), *self.numbers.values()))

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
        where = f"law {self.law!r}, the text {text!r}"
        try:
            return text.format_map(Known("thing", where, words))
        except (ValueError, IndexError, AttributeError) as error:
            raise InputError(f"{where} cannot be filled: {error}") from None


class Law(ABC):
    """A rule of a small world; docs/extending/law.md shows how to add one.

    `discipline` is the folder of its file. `starts`: wordings of what there is at first, each a whole paragraph;
    `short`: the same in one sentence of at most 14 words, enough to draw it and, with a variant's `brief`, to work out
    what becomes of the subject; `finish`: what to show. `numbers`: what else differs between settings, such as places
    and sizes, each from a least to a most. `subject`: what to look at to tell which variant ruled, all of one skill;
    `surroundings`: what else, that the law moves too or must leave as it was. `obeys`: the roles whose things a
    variant's effect is on.
    `subject_roles`: whose figures are the subject's; in a fractured outcome they alone obey the altered law.
    `present`: the role of which pictures are asked whether it is there, where that is not the first that is looked at.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    discipline: ClassVar[str]
    branch: ClassVar[str]
    roles: ClassVar[dict[str, Role]]
    variants: ClassVar[tuple[Variant, ...]]
    starts: ClassVar[tuple[str, ...]]
    short: ClassVar[str] = ""
    finish: ClassVar[str]
    numbers: ClassVar[dict[str, tuple[int, int]]] = {}
    subject: ClassVar[tuple[Look, ...]]
    surroundings: ClassVar[tuple[Look, ...]]
    obeys: ClassVar[tuple[str, ...]] = ("subject", "companion")
    subject_roles: ClassVar[tuple[str, ...]] = ("subject",)
    present: ClassVar[str] = ""

    @abstractmethod
    def start(self, setting: Setting) -> Sequence[Element]:
        """What there is at first."""

    def run(self, setting: Setting, does: Any) -> Sequence[Element]:
        """What has become of the start, once everything has come to rest, under a variant that `does` this.

        Unless a law says otherwise, `does` is one effect on all things that obey, or a mapping of effects by role; what
        it does not name stays as it was (see `effects`).
        """
        start = self.start(setting)
        where = f"law {self.name!r}"
        there = Known("thing", where, {e.id: e for e in start if isinstance(e, Figure)})
        effects = does if isinstance(does, Mapping) else dict.fromkeys(self.obeys, does)
        for role, effect in effects.items():
            if not callable(effect):
                raise InputError(
                    f"{where}: {effect!r} is no effect; take one of laws/effects.py, or give the law a run()"
                )
            if role not in {role_of(id) for id in there}:
                raise unknown("role", role, {role_of(id) for id in there}, f"{where}, an effect")
        became = [effects.get(role_of(e.id), stays)(e, there) if isinstance(e, Figure) else e for e in start]
        return tuple(e for e in became if e is not None)

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
                left = [c for c in free if c in part.colours]
                if not left:
                    raise InputError(
                        f"law {self.name!r}: no colour is left for role {role!r}; let fewer of its {len(self.roles)} "
                        f"roles be named by colour, or give the role more colours than {', '.join(part.colours)}"
                    )
                colour = left[0]
                free.remove(colour)
            else:
                colour = part.colours[0]
            colours[role] = colour
            things[role] = Named(noun, colour if part.named_by_colour else None)
        where, draws = f"law {self.name!r}", stream.child("numbers")
        return Setting(
            self.name,
            Known("role", where, things),
            Known("role", where, colours),
            Known("number", where, {key: draws.integer(*ends) for key, ends in self.numbers.items()}),
        )

    def observations(self, setting: Setting) -> tuple[tuple[Observation, ...], tuple[Observation, ...]]:
        """What to look at of the subject, and of its surroundings."""

        def observation(look: Look) -> Observation:
            kind, *roles = look
            things = [setting[role] for role in roles]
            if kind is ColourSeen:  # what is asked is not told
                things = [Named(thing.noun) for thing in things]
            return kind(*things)

        return tuple(map(observation, self.subject)), tuple(map(observation, self.surroundings))

    def variant(self, name: str) -> Variant:
        """The variant of that name; InputError with the valid names if there is none."""
        for variant in self.variants:
            if variant.name == name:
                return variant
        raise unknown(f"variant of law {self.name!r}", name, [v.name for v in self.variants])

    @property
    def real(self) -> Variant:
        """The (first) real variant."""
        for variant in self.variants:
            if variant.real:
                return variant
        raise InputError(f"law {self.name!r} has no real variant; give the one of our world real=True")

    @property
    def altered(self) -> tuple[Variant, ...]:
        """The counterfactual variants."""
        return tuple(v for v in self.variants if not v.real)


def role_of(id: str) -> str:
    """The role of a figure: of "load-1" it is "load"."""
    return id.partition("-")[0]


def stage(elements: Sequence[Element]) -> Scene:
    """A law's scene: what is damaged lies in front of everything."""
    ordered = sorted(elements, key=lambda e: isinstance(e, Damage))
    return Scene(SIDE, SIDE, elements=tuple(ordered))
