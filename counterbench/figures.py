"""Things that laws are about: what each noun can show, and the elements that stand for them in a scene. No pixels.

A figure is a noun in a colour inside a box: "red ball", "blue flag". What else can be seen of it (where it points,
whether it shines, how full it is, its form) are fields that only some nouns have; `NOUNS` says which.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.geometry import Box
from counterbench.palette import COLOURS, SHAPES, Colour, ShapeKind

Facing = Literal["left", "right", "up", "down"]
FACINGS: tuple[Facing, ...] = get_args(Facing)
# How full a vessel is, in quarters.
MOST_QUARTERS = 4
MIN_HALF = 6

Half = Annotated[int, msgspec.Meta(ge=MIN_HALF)]


class Noun(msgspec.Struct, frozen=True):
    """What a noun can show, and the words for it.

    `faces`: it points somewhere, and `verb` (with its third person) says how. `lights`, `fills`, `holds`, `forms`: it
    is lit or dark, full or empty, has an inside, comes in the four forms. `described`: the thing in words that do not
    name it, for prompts that avoid its name (CF-World, section 5.3). `plain`: its colour is always the same, and not
    part of its name.
    """

    described: str
    plural: str = ""
    faces: bool = False
    verb: tuple[str, str] = ("point", "points")
    lights: bool = False
    fills: bool = False
    holds: bool = False
    forms: bool = False
    plain: bool = False


def _pointing(described: str, verb: str = "point", third: str = "") -> Noun:
    return Noun(described, faces=True, verb=(verb, third or f"{verb}s"))


NOUNS: dict[str, Noun] = {
    # Loose bodies. Their colour fills their box to all four sides, so that what they touch can be seen.
    "ball": Noun("small round object"),
    "box": Noun("small object with four equal sides and corners"),
    "balloon": Noun("light, rounded skin filled with gas"),
    "stone": Noun("small, heavy lump from the ground"),
    "block": Noun("solid piece with straight edges"),
    "plank": Noun("long flat piece cut from a trunk"),
    "post": Noun("upright pole"),
    "coin": Noun("flat round piece of money"),
    "ice": Noun("piece of frozen water"),
    "cork": Noun("light stopper from a bottle"),
    "feather": Noun("light piece of a bird's coat"),
    "ring": Noun("hoop"),
    "rope": Noun("long twisted cord"),
    "wheel": Noun("round part that rolls"),
    "weight": Noun("heavy piece of metal"),
    "nail": Noun("thin metal pin"),
    "magnet": Noun("bar that pulls iron"),
    "spring": Noun("coiled wire"),
    "book": Noun("bound pile of pages"),
    "parcel": Noun("wrapped thing for the post"),
    # Nature.
    "apple": Noun("round fruit that grows on a branch"),
    "leaf": Noun("flat part that a plant grows on its branches", plural="leaves"),
    "tree": Noun("tall plant with a trunk"),
    "flower": Noun("blossom on a stalk"),
    "egg": Noun("oval thing that a bird lays"),
    "fish": _pointing("animal with fins that lives in water", "face"),
    "bird": _pointing("animal with wings and a beak", "face"),
    "cloud": Noun("puffy patch of vapour in the sky"),
    "sun": Noun("star that gives us daylight"),
    "moon": Noun("round body that circles the earth"),
    "planet": Noun("round body that circles a star", forms=True),
    "mountain": Noun("high peak of rock"),
    "island": Noun("land with water all around"),
    "seed": Noun("small grain from which a plant grows"),
    "mushroom": Noun("cap on a stalk that grows in damp woods"),
    "butterfly": Noun("insect with four broad wings", plural="butterflies"),
    "sheep": Noun("woolly farm animal", plural="sheep"),
    "crystal": Noun("regular mineral with flat faces", forms=True),
    "bubble": Noun("thin film around a bit of air", forms=True),
    "drop": Noun("small portion of liquid", forms=True),
    "puddle": Noun("shallow patch of water", forms=True),
    "cell": Noun("smallest living unit", forms=True),
    "salt": Noun("mineral that seasons food", forms=True),
    "soda": Noun("white powder for baking", plural="soda", forms=True),
    "alum": Noun("mineral that is used for pickling", forms=True),
    "lake": Noun("large stretch of still water"),
    "water": Noun("clear liquid that we drink", plural="water"),
    "oil": Noun("greasy liquid for frying", plural="oil"),
    "syrup": Noun("thick, sugary liquid", plural="syrup"),
    "tea": Noun("brewed drink from leaves", plural="tea"),
    "asteroid": Noun("lump of rock in space"),
    "tail": _pointing("bright streak behind a comet's head"),
    "plume": _pointing("wavy streak of dust in space"),
    "sunflower": _pointing("tall plant with one big round head of seeds", "lean"),
    "bamboo": Noun("tall woody grass with a jointed stem", plural="bamboos"),
    "hedge": Noun("dense row of clipped bushes"),
    "berry": Noun("small juicy fruit", plural="berries"),
    "bacterium": Noun("rod-shaped microbe", plural="bacteria"),
    "cat": Noun("pet that purrs and has whiskers", forms=True),
    "kitten": Noun("young pet with whiskers", forms=True),
    "dog": Noun("pet that barks", forms=True),
    "puppy": Noun("young pet that barks", plural="puppies", forms=True),
    # Devices: the anchor is dark, the part that tells is coloured.
    "lamp": Noun("object on a stand that can give light", lights=True),
    "candle": Noun("stick of wax with a wick", lights=True),
    "lantern": Noun("glazed case that can give light", lights=True),
    "tank": Noun("vessel with clear walls", fills=True, holds=True),
    "cup": Noun("small vessel to drink from", fills=True, holds=True),
    "thermometer": Noun("glass tube that shows how warm it is", fills=True),
    "battery": Noun("cell that stores charge", plural="batteries", fills=True),
    "basket": Noun("open woven holder", holds=True),
    "flag": _pointing("piece of cloth on a pole", "fly", "flies"),
    "needle": _pointing("thin pivoting pointer on a dial"),
    "sprout": _pointing("young plant in a pot", "grow"),
    "smoke": _pointing("plume from a chimney", "drift"),
    "beam": _pointing("ray that a torch sends out", "shine"),
    "fountain": _pointing("jet of water from a nozzle", "spray"),
    "fan": _pointing("machine with blades that makes a wind", "blow"),
    "ray": _pointing("straight line of light", "travel"),
    "gleam": _pointing("thin line of light", "travel"),
    "sundial": _pointing("dial whose pointer is the shade of a rod"),
    "car": _pointing("small vehicle on four wheels", "face"),
    "boat": _pointing("small vessel with a hull", "face"),
    "compass": _pointing("arrow in a square case that sailors steer by"),
    "wire": Noun("metal thread that carries current", plain=True),
    "shadow": Noun("dark shape where light is blocked", plain=True),
    "mirror": Noun("polished surface that shows what stands before it"),
    "reflector": Noun("slanting polished plate that throws light back"),
    "lens": Noun("round glass with a handle, to look through", plural="lenses", holds=True),
    # People and their things.
    "house": Noun("building to live in", lights=True),
    "tower": Noun("high, narrow building", lights=True),
    "tent": Noun("shelter of cloth to camp in", lights=True),
    "door": Noun("panel that closes an entrance"),
    "sign": _pointing("board that shows the way"),
    "person": Noun("human being", plural="people"),
    "shirt": Noun("garment with two sleeves"),
    "umbrella": Noun("folding shelter against rain"),
    "bus": _pointing("long vehicle for many passengers", "face"),
    "cap": Noun("soft thing worn on the head"),
    "chair": Noun("seat with a back"),
    "signal": Noun("lamp on a post that tells traffic what to do"),
}


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
        return Box(
            self.x - self.half_width, self.y - self.half_height, self.x + self.half_width, self.y + self.half_height
        )

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
        return Box(
            self.x - self.half_width, self.y - self.half_height, self.x + self.half_width, self.y + self.half_height
        )

    @property
    def interior(self) -> Box:
        """The space inside a vessel's walls, above its foot."""
        wall, foot = vessel_wall(self), vessel_foot(self)
        box = self.box
        return Box(box.left + wall, box.top, box.right - wall, box.bottom - foot - wall)


class Damage(msgspec.Struct, frozen=True, tag="damage", tag_field="type", forbid_unknown_fields=True):
    """A part of the picture that was not drawn as it should be: garbled into coloured static, or blacked out."""

    id: str
    kind: Literal["static", "black"]
    x: int
    y: int
    half_width: Half
    half_height: Half
    seed: int = 0

    @property
    def box(self) -> Box:
        """The damaged part."""
        return Box(
            self.x - self.half_width, self.y - self.half_height, self.x + self.half_width, self.y + self.half_height
        )


def vessel_wall(figure: Figure) -> int:
    """The thickness of a vessel's walls, in pixels."""
    return max(3, min(figure.half_width, figure.half_height) // 10)


def vessel_foot(figure: Figure) -> int:
    """The height of the coloured foot that a vessel stands on, in pixels."""
    return max(6, figure.half_height // 8)


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
    "NOUNS",
    "Damage",
    "Facing",
    "Figure",
    "Noun",
    "Room",
    "ShapeKind",
    "check_figure",
    "vessel_foot",
    "vessel_wall",
]
