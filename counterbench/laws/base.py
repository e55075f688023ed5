"""The base class of laws, and the data that laws are made of: variants, roles and settings.

A law is a rule of a small world that runs, such as "loose things fall". A variant is one form of the rule: the real one
("downwards"), or an altered one ("upwards"). The law has roles ("subject", "companion"); a setting says which things
play them ("red ball", "blue box"). `Law.setting(seed, index)` draws a setting, `Law.start` gives the elements of the
scene before anything happens, and `Law.run` those after, under a variant. `stage` makes a scene of elements.

A law never says what is true of an outcome. It names the observations to make (`subject`, `surroundings`), and the
facts are read from the scene that `run` gives. Each law is a class in a module of its own; docs/extending/law.md shows
one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeVar, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.laws.effects import stays
from counterbench.palette import COLOURS, Colour
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.geometry import Box
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
# Pixels between figures and things added beside them.
_GAP = 4


T = TypeVar("T")
# The number of steps of thought from an altered rule to the state of the subject; see `Variant.depth`.
Depth = Literal["stated", "one step", "two steps"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
# The name in reports for variants whose subject ends as it began, in place of a depth: who draws the start is right.
NO_CHANGE = "no-change"
Elements = Sequence[Element]  # of a law's scene: figures, the room, …
FigureTuple = tuple[Figure, ...]  # elements of a scene that has figures only
# The class of an observation, and the roles of the things that it is made about.
ObservedRoles = tuple[Callable[..., Observation], *tuple[str, ...]]


class Variant(msgspec.Struct, frozen=True):
    """A form of a law: the real one, or an altered one. Its texts name things by role: "{subject}" (`Setting.fill`)."""

    name: str
    # A clause without capital and full stop that gives no outcome away: "loose things fall towards the left wall".
    rule: str
    outcome: str  # the sentence that tells the outcome
    does: Any  # what becomes of things: one effect, or effects by role (see `Law.run`)
    brief: str = ""  # the same rule in at most 12 words
    real: bool = False  # set by the law: its first variant is that of our world
    # "stated": the rule names the state of the subject; "one step": it only has to be applied to the subject;
    # "two steps": it needs a fact of the start or of a second clause first.
    depth: Depth = "one step"


class Role(msgspec.Struct, frozen=True):
    """A part in a law: the nouns and colours of the things that may play it."""

    nouns: tuple[str, ...]
    colours: tuple[Colour, ...] = COLOURS
    named_by_colour: bool = True  # false if the law is about the colour: then `colours` belong to this role alone


# A sun, in its colours.
SUN = Role(("sun",), ("yellow", "orange", "red"))


def by_noun(**roles: str | Role) -> dict[str, Role]:
    """Roles by name. A text lists the nouns that may play the part, separated by spaces, in any colour: "box book"."""
    return {name: Role(tuple(role.split())) if isinstance(role, str) else role for name, role in roles.items()}


class Known(dict[str, T]):
    """A dictionary of values by name that raises InputError, with the valid names, for an unknown one.

    For the error: `kind` says what the values are ("role"), `where` the place ("law 'falling'").
    """

    def __init__(self, kind: str, where: str, values: Mapping[str, T]) -> None:
        super().__init__(values)
        self.kind, self.where = kind, where

    def __missing__(self, key: str) -> T:
        raise unknown(self.kind, key, self, self.where)


class Setting(msgspec.Struct, frozen=True):
    """The things in the roles of a law and their colours, by role, and its numbers, by name; see `Law.setting`."""

    law: str
    things: dict[str, Named]
    colours: dict[str, Colour]
    numbers: dict[str, int]

    def __hash__(self) -> int:
        return hash((self.law, *self.things.values(), *self.numbers.values()))

    def __getitem__(self, role: str) -> Named:
        """The name of the thing in a role."""
        return self.things[role]

    def figure(self, role: str, x: int, y: int, half_width: int, half_height: int, **looks: Any) -> Figure:
        """The thing in a role as a figure with its middle at (x, y), in pixels of a picture of `SIDE`.

        `looks`: its facing, lit, quarters and form, if not as usual, and its colour if that is not the role's. Its id
        is the role; for several things in one role, give `id="role-1"`.
        """
        fields = {"id": role, "colour": self.colours[role], **looks}
        return Figure(noun=self.things[role].noun, x=x, y=y, half_width=half_width, half_height=half_height, **fields)

    def fill(self, text: str, described: bool = False) -> str:
        """`text` with its things: {role} is "red ball", {a_role} "a red ball", {A_role} "A red ball".

        {roles} is the plural, "red balls". With `described`, the words describe the things without their nouns.
        """
        words: dict[str, str] = {}
        for role, named in self.things.items():
            noun = NOUNS[named.noun]
            if described:
                colour = f"{named.colour} " if named.colour and not noun.plain else ""
                single, many = colour + noun.described, colour + (noun.described_many or noun.described)
            else:
                single = named.name
                many = single.removesuffix(named.noun) + (noun.plural or f"{named.noun}s")
            article = "an" if single[0] in "aeiou" else "a"
            words[role], words[f"{role}s"] = single, many
            words[f"a_{role}"], words[f"A_{role}"] = f"{article} {single}", f"{article.capitalize()} {single}"
        where = f"law {self.law!r}, the text {text!r}"
        try:
            return text.format_map(Known("thing", where, words))
        except (ValueError, IndexError, AttributeError) as error:
            raise InputError(f"{where} cannot be filled: {error}") from None


class Law(ABC):
    """A rule of a small world. A subclass states the attributes, and gives `start`; docs/extending/law.md shows one."""

    title: ClassVar[str]  # "Loose things fall"
    branch: ClassVar[str]  # of the discipline: "mechanics"
    roles: ClassVar[dict[str, Role]]
    variants: ClassVar[tuple[Variant, ...]]  # first the real one, then the altered ones
    starts: ClassVar[tuple[str, ...]]  # phrasings of the start, each a whole paragraph
    # The start in one sentence of at most 14 words: enough to draw it and, with a variant's `brief`, the outcome.
    short: ClassVar[str] = ""
    finish: ClassVar[str]  # the sentence that tells what to show
    # Numbers that differ between settings (pixels, …), by name: the least and the greatest value.
    numbers: ClassVar[dict[str, tuple[int, int]]] = {}
    subject: ClassVar[tuple[ObservedRoles, ...]]  # the observations that tell the variants apart, all of one skill
    # Observations of other things: of those that obey as well, often the companion, and of those that nothing changes.
    surroundings: ClassVar[tuple[ObservedRoles, ...]]
    obeys: ClassVar[tuple[str, ...]] = ("subject", "companion")  # roles that a variant's effect applies to
    # Roles of the subject's figures: in a fractured outcome they alone obey the altered law.
    subject_roles: ClassVar[tuple[str, ...]] = ("subject",)
    # The role of the thing that questions of presence ask for; "": the first observed one that can be asked for.
    present: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if "variants" in vars(cls):
            cls.variants = tuple(msgspec.structs.replace(v, real=number == 0) for number, v in enumerate(cls.variants))

    @property
    def name(self) -> str:
        """The name of the law's file, with "-" for "_": "comet-tails"."""
        return type(self).__module__.rpartition(".")[2].replace("_", "-")

    @property
    def discipline(self) -> str:
        """The name of the folder of the law's file: "physics"."""
        return type(self).__module__.split(".")[-2]

    @abstractmethod
    def start(self, setting: Setting) -> Elements:
        """The elements of the scene before anything happens."""

    def run(self, setting: Setting, does: Any) -> Elements:
        """The elements after everything has come to rest, under the variant whose `Variant.does` is `does`.

        `does` is one effect (see `effects`), which all roles in `obeys` undergo, or a mapping of effects by role. All
        other things stay as they were. A law whose outcome is worked out in another way overrides this.
        """
        start = self.start(setting)
        where = f"law {self.name!r}"
        things = Known("thing", where, {e.id: e for e in start if isinstance(e, Figure)})
        effects = does if isinstance(does, Mapping) else dict.fromkeys(self.obeys, does)
        for role, effect in effects.items():
            if not callable(effect):
                raise InputError(
                    f"{where}: {effect!r} is no effect; take one of laws/effects.py, or give the law a run()"
                )
            if role not in {role_of(id) for id in things}:
                raise unknown("role", role, {role_of(id) for id in things}, f"{where}, an effect")
        changed = [effects.get(role_of(e.id), stays)(e, things) if isinstance(e, Figure) else e for e in start]
        return tuple(e for e in changed if e is not None)

    def setting(self, seed: int, index: int) -> Setting:
        """The setting number `index` under `seed`: a noun and a colour for each role, and numbers."""
        stream = Stream(seed, "law", self.name, index)
        free_colours = [c for c in stream.shuffled(COLOURS) if c not in self.reserved]
        things: dict[str, Named] = {}
        colours: dict[str, Colour] = {}
        for role in sorted(self.roles, key=lambda r: len(self.roles[r].colours)):
            part = self.roles[role]
            unused = [n for n in part.nouns if all(n != thing.noun for thing in things.values())]
            noun = stream.choice(unused or part.nouns)  # if all are taken, colours keep the names apart
            choices = [c for c in free_colours if c in part.colours] if part.named_by_colour else part.colours
            if not choices:
                raise InputError(
                    f"law {self.name!r}: no colour is left for role {role!r}; let fewer of its {len(self.roles)} "
                    f"roles be named by colour, or give the role more colours than {', '.join(part.colours)}"
                )
            colours[role] = choices[0]
            free_colours = [c for c in free_colours if c != choices[0]]
            things[role] = Named(noun, choices[0] if part.named_by_colour else None)
        where, number_stream = f"law {self.name!r}", stream.child("numbers")
        return Setting(
            self.name,
            Known("role", where, things),
            Known("role", where, colours),
            Known("number", where, {key: number_stream.integer(*bounds) for key, bounds in self.numbers.items()}),
        )

    def observations(self, setting: Setting) -> tuple[tuple[Observation, ...], tuple[Observation, ...]]:
        """The observations of the subject, and those of its surroundings."""

        def observation(class_and_roles: ObservedRoles) -> Observation:
            """The observation of that class about the things in those roles."""
            kind, *roles = class_and_roles
            things = [setting[role] for role in roles]
            if kind is ColourSeen:  # the question does not name the colour
                things = [Named(thing.noun) for thing in things]
            return kind(*things)

        return tuple(map(observation, self.subject)), tuple(map(observation, self.surroundings))

    def variant(self, name: str) -> Variant:
        """The variant of that name; InputError with the valid names if there is none."""
        return Known(f"variant of law {self.name!r}", "", {v.name: v for v in self.variants})[name]

    @property
    def reserved(self) -> list[Colour]:
        """The colours that the law is about; no other thing is named by one of them."""
        return [c for role in self.roles.values() if not role.named_by_colour for c in role.colours]

    @property
    def real(self) -> Variant:
        """The first variant, which is the rule of our world."""
        return self.variants[0]

    @property
    def altered(self) -> tuple[Variant, ...]:
        """The counterfactual variants, which are all but the first."""
        return self.variants[1:]


def role_of(id: str) -> str:
    """The role of a figure by its id: "load" for "load-1"."""
    return id.partition("-")[0]


def stage(elements: Elements) -> Scene:
    """The scene of these elements, on the canvas of all laws; damage is in front of everything."""
    ordered = sorted(elements, key=lambda e: isinstance(e, Damage))
    return Scene(SIDE, SIDE, elements=tuple(ordered))


def overlaps(scene: Scene) -> Iterator[str]:
    """Messages, in words, about the figures of a scene that overlap, or that share a colour but not a noun."""
    for (a, box), (b, other) in combinations([(figure, figure.box) for figure in scene.figures], 2):
        if box.touches(other) and not (a.holds(b) or b.holds(a)):
            yield f"{a.id} and {b.id} overlap"
    colours: dict[str, str] = {}
    for figure in scene.figures:
        if NOUNS[figure.noun].plain:
            continue
        if colours.setdefault(figure.colour, figure.noun) != figure.noun:
            yield f"{figure.noun} and {colours[figure.colour]} are both {figure.colour}"


def clash(a: Figure, b: Figure) -> bool:
    """True if two figures overlap, or share a colour but not a noun: the faults that `overlaps` tells in words."""
    if a.box.touches(b.box) and not (a.holds(b) or b.holds(a)):
        return True
    return a.colour == b.colour and a.noun != b.noun and not (NOUNS[a.noun].plain or NOUNS[b.noun].plain)


def taken_boxes(scene: Scene) -> list[Box]:
    """The boxes of all figures and damaged parts of the scene."""
    return [e.box for e in scene.elements if isinstance(e, Figure | Damage)]


def is_free(box: Box, taken: Sequence[Box]) -> bool:
    """True if a box keeps a gap of some pixels from every box of `taken`."""
    with_gap = box.grown(_GAP)
    return not any(map(with_gap.touches, taken))
