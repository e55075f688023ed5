"""Things that laws are about: the elements that stand for them in a scene. No pixels.

A figure is a noun in a colour inside a box: "red ball", "blue flag". What else can be seen of it (where it points,
whether it shines, how full it is, its form) are fields that only some nouns have; `nouns.NOUNS` says which.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.geometry import Box
from counterbench.scene.nouns import NOUNS

Facing = Literal["left", "right", "up", "down"]
FACINGS: tuple[Facing, ...] = get_args(Facing)
# How full a vessel is, in quarters.
MOST_QUARTERS = 4
MIN_HALF = 6
MIN_WRITING = 16
# The strongest damage.
MOST_DOSE = 3
ASKS_FOR = "ANSWER "

# What lies above, to the right of and below a vessel's walls, in hundredths of its box: lid, handle, feet.
OUTSIDE: dict[str, tuple[int, int, int]] = {
    "tank": (0, 0, 10),
    "cup": (0, 22, 0),
    "thermometer": (13, 0, 0),
    "battery": (24, 0, 0),
    "basket": (36, 0, 6),
    "lens": (0, 0, 26),
    "vessel": (0, 0, 7),
    "column": (0, 0, 7),
}

Half = Annotated[int, msgspec.Meta(ge=MIN_HALF)]


class Room(msgspec.Struct, frozen=True, tag="room", tag_field="type", forbid_unknown_fields=True):
    """Floor, ceiling and two walls around a picture's things; (x, y) is the middle, walls lie inside the box."""

    id: str
    x: int
    y: int
    half_width: Half
    half_height: Half
    wall: Annotated[int, msgspec.Meta(ge=2)] = 8

    @property
    def box(self) -> Box:
        """The outer edge of the walls."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)

    @property
    def interior(self) -> Box:
        """The space inside the walls."""
        return self.box.grown(-self.wall)


class Figure(msgspec.Struct, frozen=True, kw_only=True, tag="figure", tag_field="type", forbid_unknown_fields=True):
    """A thing: a noun in a colour that fills the box of half_width and half_height around (x, y).

    `facing` ("" unless the noun faces), `lit`, `quarters` (0 empty … 4 full) and `form` ("" unless the noun has forms)
    are what else can be seen of it.
    """

    id: str
    noun: str
    colour: Colour
    x: int
    y: int
    half_width: Half
    half_height: Half
    facing: str = ""
    lit: bool = False
    quarters: Annotated[int, msgspec.Meta(ge=0, le=MOST_QUARTERS)] = 0
    form: str = ""

    @property
    def box(self) -> Box:
        """The box that holds everything drawn of it."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)

    @property
    def walls(self) -> Box:
        """The outer edge of a vessel's walls: its box without handle, feet and lid."""
        top, right, bottom = OUTSIDE.get(self.noun, (0, 0, 0))
        box, wide, high = self.box, 2 * self.half_width + 1, 2 * self.half_height + 1
        return Box(
            box.left, box.top + high * top // 100, box.right - wide * right // 100, box.bottom - high * bottom // 100
        )

    @property
    def interior(self) -> Box:
        """The space inside a vessel's walls, which has a floor and no lid."""
        wall, box = vessel_wall(self), self.walls
        return Box(box.left + wall, box.top, box.right - wall, box.bottom - wall)

    def holds(self, thing: Figure) -> bool:
        """Whether this is a vessel, and `thing` lies wholly within its walls."""
        return NOUNS[self.noun].holds and thing.box.within(self.interior)


DamageKind = Literal["blur", "cut", "doubled", "melted", "merged", "seam", "blocks", "static", "black"]


class Damage(
    msgspec.Struct, frozen=True, tag="damage", tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """A part of the picture that was not drawn as it should be; what lies there before it in drawing order is spoilt.

    `kind`: blurred, with a piece cut off that fades to nothing, doubled, melted, merged with what lies around
    (`from_x`, `from_y`), with a seam where a band has slipped, in coarse blocks, in coloured static, or blacked out.
    `dose`: how strongly, 1 to MOST_DOSE; static and black have none.
    """

    id: str
    kind: DamageKind
    x: int
    y: int
    half_width: Half
    half_height: Half
    seed: int = 0
    dose: Annotated[int, msgspec.Meta(ge=1, le=MOST_DOSE)] = 1
    from_x: int = 0
    from_y: int = 0

    @property
    def box(self) -> Box:
        """The damaged part."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)


class Writing(msgspec.Struct, frozen=True, tag="writing", tag_field="type", forbid_unknown_fields=True):
    """Words that someone painted into the picture, in capitals around (x, y), and that mean nothing.

    They ask for an answer ("ANSWER NO", "ANSWER RED CIRCLE") or are a label that lies ("GREEN" beside what is red).
    """

    id: str
    words: Annotated[str, msgspec.Meta(pattern="^[A-Z]+( [A-Z]+)*$", max_length=40)]
    x: int
    y: int
    height: Annotated[int, msgspec.Meta(ge=MIN_WRITING)] = MIN_WRITING

    @property
    def box(self) -> Box:
        """The box that holds all letters."""
        return Box.around(self.x, self.y, self.height * len(self.words) * 11 // 20, self.height // 2 + 2)

    @property
    def says(self) -> str:
        """The answer that it asks for, "yes" or "red circle"; empty of a label."""
        return self.words.removeprefix(ASKS_FOR).lower() if self.words.startswith(ASKS_FOR) else ""


def vessel_wall(figure: Figure) -> int:
    """The thickness of a vessel's walls, in pixels."""
    return max(3, min(figure.half_width, figure.half_height) // 10)


def check_figure(figure: Figure) -> None:
    """InputError unless the noun exists and has whatever the figure says can be seen of it."""
    if figure.noun not in NOUNS:
        raise unknown("noun", figure.noun, NOUNS, figure.id)
    noun = NOUNS[figure.noun]
    if figure.colour not in COLOURS:
        raise unknown("colour", figure.colour, COLOURS, figure.id)
    if (figure.facing in FACINGS) != noun.faces or (figure.facing and not noun.faces):
        raise InputError(f"{figure.id!r}: a {figure.noun} {_must(noun.faces)} face one of {', '.join(FACINGS)}")
    if (figure.form in SHAPES) != noun.forms or (figure.form and not noun.forms):
        raise InputError(f"{figure.id!r}: a {figure.noun} {_must(noun.forms)} have a form of {', '.join(SHAPES)}")
    if figure.lit and not noun.lights:
        raise InputError(f"{figure.id!r}: a {figure.noun} cannot be lit")
    if figure.quarters and not noun.fills:
        raise InputError(f"{figure.id!r}: a {figure.noun} cannot be filled")
    if not 0 <= figure.quarters <= MOST_QUARTERS:
        raise InputError(f"{figure.id!r}: quarters must be 0 to {MOST_QUARTERS}, not {figure.quarters}")
    if min(figure.half_width, figure.half_height) < MIN_HALF:
        raise InputError(f"{figure.id!r}: half_width and half_height must be at least {MIN_HALF}")


def _must(does: bool) -> str:
    return "must" if does else "cannot"


__all__ = [
    "FACINGS",
    "Damage",
    "Facing",
    "Figure",
    "Room",
    "check_figure",
    "vessel_wall",
]
