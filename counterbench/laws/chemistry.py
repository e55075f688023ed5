"""Chemistry: what becomes of paints, liquids, salts and soda that are brought together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.facts import ColourSeen, Form, Level, Light, Named, Number, Observation, Side
from counterbench.figures import Figure
from counterbench.geometry import Box
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.palette import COLOUR_RGB, Colour, ShapeKind
from counterbench.scene import Element
from counterbench.seeds import Stream

# Where the paints stand on the painter's colour circle, in degrees.
_HUES: dict[Colour, int] = {
    "red": 0,
    "orange": 30,
    "yellow": 60,
    "green": 120,
    "cyan": 180,
    "blue": 220,
    "purple": 285,
    "pink": 330,
}


class Mixing(Law):
    """What colour two paints give."""

    name = "mixing"
    title = "Two paints give the colour between them"
    discipline = "chemistry"
    branch = "mixtures"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("tank",), ("yellow", "red", "orange", "green"), named_by_colour=False),
        "companion": Role(("cup",), ("blue", "pink", "purple"), named_by_colour=False),
        "fixed": Role(("box", "book", "parcel"), ("cyan",)),
    }
    variants = (
        Variant(
            name="between",
            real=True,
            rule="two paints that are stirred together give the colour that lies between theirs",
            outcome="All that is in the {subject} is orange now, and all that is in the {companion} is purple.",
        ),
        Variant(
            name="lighter",
            rule="when two paints are stirred together, the lighter one swallows the darker one and its colour alone "
            "is left",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is pink.",
        ),
        Variant(
            name="darker",
            rule="when two paints are stirred together, the darker one swallows the lighter one and its colour alone "
            "is left",
            outcome="All that is in the {subject} is red now, and all that is in the {companion} is blue.",
        ),
        Variant(
            name="first",
            rule="a vessel full of paint keeps the colour of the paint that was poured in first, whatever is stirred "
            "in later",
            outcome="All that is in the {subject} is red now, and all that is in the {companion} is pink.",
        ),
        Variant(
            name="last",
            rule="the paint that is poured in last gives its colour to everything that was in the vessel before",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is blue.",
        ),
        Variant(
            name="stick",
            rule="paints that are stirred together take on the colour of the stick that stirs them",
            outcome="All that is in the {subject} is green now, and all that is in the {companion} is pink.",
        ),
    )
    starts = (
        "Red paint is poured into a clear glass {subject}, and yellow paint on top of it; a green stick stirs them "
        "well. Pink paint is poured into a clear glass {companion}, and blue paint on top of it; a pink stick stirs "
        "them well. Both sticks are then taken away. Beside them stands {a_fixed} that was painted long ago and is "
        "dry.",
        "A painter fills a glass {subject} with red paint first and yellow paint afterwards, and stirs with a green "
        "stick. A glass {companion} gets pink paint first and blue paint afterwards, stirred with a pink stick. No "
        "stick is left behind. {A_fixed} that nobody has touched, its paint long dry, stands next to them.",
    )
    finish = "Show the two vessels and what stands beside them, after the stirring."

    # What is poured into each vessel, in this order, and the stick that stirs it.
    poured: ClassVar[dict[str, tuple[Colour, Colour, Colour]]] = {
        "subject": ("red", "yellow", "green"),
        "companion": ("pink", "blue", "pink"),
    }

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the vessels are."""
        return {"tank": stream.integer(76, 92), "cup": stream.integer(54, 66)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """The paint that was poured first, a drop of the other above it, and the stick."""
        elements = list(self._things(setting, {role: paints[0] for role, paints in self.poured.items()}, quarters=2))
        for vessel in elements[:2]:
            _, last, stick = self.poured[vessel.id]
            x, top = vessel.x, vessel.box.top
            drop = Figure(
                id=f"{vessel.id}-drop",
                noun="drop",
                colour=last,
                x=x - 20,
                y=top - 40,
                half_width=18,
                half_height=18,
                form="circle",
            )
            rod = Figure(
                id=f"{vessel.id}-stick", noun="post", colour=stick, x=x + 30, y=top - 50, half_width=6, half_height=46
            )
            elements += [drop, rod]
        return elements

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each vessel's paint takes the colour that its two paints, or its stick, give it."""
        mixed = {role: self._mixture(variant, *paints) for role, paints in self.poured.items()}
        return self._things(setting, mixed, quarters=3)

    def _mixture(self, variant: str, first: Colour, last: Colour, stick: Colour) -> Colour:
        darker, lighter = sorted((first, last), key=_lightness)
        kept = {"lighter": lighter, "darker": darker, "first": first, "last": last, "stick": stick}
        return kept[variant] if variant in kept else _between(first, last)

    def _things(self, setting: Setting, paints: dict[str, Colour], quarters: int) -> tuple[Figure, Figure, Figure]:
        tank, cup = setting.numbers["tank"], setting.numbers["cup"]
        return (
            setting.figure("subject", 128, 400 - tank, tank, tank, colour=paints["subject"], quarters=quarters),
            setting.figure("companion", 305, 400 - cup, cup, cup, colour=paints["companion"], quarters=quarters),
            setting.figure("fixed", 435, 366, 34, 34),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The colour of one mixture."""
        return (ColourSeen(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other mixture obeys as well; dry paint keeps its colour."""
        return (ColourSeen(setting["companion"]), ColourSeen(Named(setting["fixed"].noun)))


def _lightness(colour: Colour) -> int:
    red, green, blue = COLOUR_RGB[colour]
    return 299 * red + 587 * green + 114 * blue


def _between(a: Colour, b: Colour) -> Colour:
    """The colour nearest to the middle of the shorter arc between two."""
    low, high = sorted((_HUES[a], _HUES[b]))
    middle = (low + high) // 2 if high - low <= 180 else (low + high + 360) // 2 % 360
    return min(_HUES, key=lambda c: min((_HUES[c] - middle) % 360, (middle - _HUES[c]) % 360))


class Layers(Law):
    """How liquids that do not mix come to lie."""

    name = "layers"
    title = "The lighter liquid floats on the heavier"
    discipline = "chemistry"
    branch = "liquids"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("oil",)),
        "partner": Role(("water",)),
        "companion": Role(("syrup",)),
        "other": Role(("tea",)),
        "tank": Role(("tank",)),
        "cup": Role(("cup",)),
        "fixed": Role(("box", "book", "stone")),
        "table": Role(("plank",)),
    }
    subject_roles = ("subject", "partner")
    variants = (
        Variant(
            name="light-top",
            real=True,
            rule="of two liquids in one vessel the lighter one comes to rest on top and the heavier one at the bottom",
            outcome="In the {tank} the {subject} floats above the {partner}; in the {cup} the {companion} lies below "
            "the {other}.",
        ),
        Variant(
            name="heavy-top",
            rule="of two liquids in one vessel the heavier one comes to rest on top and the lighter one at the bottom",
            outcome="In the {tank} the {subject} lies below the {partner}; in the {cup} the {companion} floats above "
            "the {other}.",
        ),
        Variant(
            name="heavy-left",
            rule="weight pulls liquids apart sideways: the heavier of two in one vessel gathers along its left wall, "
            "the lighter along its right wall",
            outcome="In the {tank} the {subject} stands upright along the right wall and the {partner} along the left; "
            "in the {cup} the {companion} stands along the left wall and the {other} along the right.",
        ),
        Variant(
            name="first-left",
            rule="weight does not matter to liquids: the one that is poured in first gathers along the left wall of "
            "its vessel, and the one that comes later has the right-hand part",
            outcome="In the {tank} the {subject} stands upright to the right of the {partner}; in the {cup} the "
            "{companion} stands upright to the right of the {other}.",
        ),
        Variant(
            name="little-left",
            rule="only amounts matter to liquids: of two in one vessel the smaller portion gathers along the left "
            "wall, the larger portion along the right wall",
            outcome="In the {tank} the {subject} stands upright to the left of the {partner}; in the {cup} the "
            "{companion} stands upright to the left of the {other}.",
        ),
        Variant(
            name="greasy-sweet",
            rule="whatever is greasy goes to the bottom of its vessel, under everything else, and whatever is sugary "
            "gathers along the left wall of its vessel, beside everything else",
            outcome="In the {tank} the {subject} lies below the {partner}; in the {cup} the {companion} stands upright "
            "to the left of the {other}.",
        ),
    )
    starts = (
        "On a table stand two clear vessels. Much {partner}, dyed with a little food colour, and then a little "
        "{subject} is poured into {a_tank}. Much plain {other} and then a little sugary {companion} is poured into "
        "{a_cup}. To the right of both vessels {a_fixed} stands on the table and is left alone.",
        "Someone pours a lot of dyed {partner} into {a_tank} with clear walls and adds some {subject}. Then they pour "
        "a lot of unsweetened {other} into {a_cup} with clear walls and add some sugary {companion}. Nobody touches "
        "{a_fixed} that stands on the same table, to the right of the vessels.",
    )
    finish = "Show the table from the front, once the liquids have come to rest."

    # How heavy a cupful is, in grams; and the order of pouring.
    weights: ClassVar[dict[str, int]] = {"subject": 184, "partner": 200, "companion": 266, "other": 201}
    greasy: ClassVar[tuple[str, ...]] = ("subject",)

    def numbers(self, stream: Stream) -> dict[str, int]:
        """The vessels' sizes."""
        return {"tank": stream.integer(86, 98), "cup": stream.integer(70, 80)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Empty vessels, with a portion of each liquid above."""
        elements: list[Element] = list(self._things(setting))
        for role, x in (("partner", 70), ("subject", 170), ("other", 280), ("companion", 350)):
            half = 28 if role in ("partner", "other") else 18
            elements.append(setting.figure(role, x, 110, half, half))
        return elements

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """In each vessel one liquid comes to lie above, below or beside the other."""
        tank, cup, *rest = self._things(setting)
        first = self._settled(setting, tank, variant, "partner", "subject")
        second = self._settled(setting, cup, variant, "other", "companion")
        return (tank, cup, *rest, *first, *second)

    def _settled(self, setting: Setting, vessel: Figure, variant: str, much: str, little: str) -> tuple[Figure, Figure]:
        """Two liquids, in the order of pouring: `much` of one, then a `little` of the other."""
        heavy = max((much, little), key=self.weights.__getitem__)
        light = little if heavy == much else much
        if variant == "light-top":
            return _stacked(setting, vessel, light, heavy, little)
        if variant == "heavy-top":
            return _stacked(setting, vessel, heavy, light, little)
        if variant == "greasy-sweet" and little in self.greasy:
            return _stacked(setting, vessel, much, little, little)
        left = {"heavy-left": heavy, "first-left": much}.get(variant, little)
        return _side_by_side(setting, vessel, left, little if left == much else much, little)

    def _things(self, setting: Setting) -> tuple[Figure, Figure, Figure, Figure]:
        tank, cup = setting.numbers["tank"], setting.numbers["cup"]
        return (
            setting.figure("tank", 120, 400 - tank, tank, tank),
            setting.figure("cup", 310, 400 - cup, cup, cup),
            setting.figure("fixed", 448, 366, 34, 34),
            setting.figure("table", 256, 420, 240, 18),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the oil lies."""
        return (Side(setting["subject"], setting["partner"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other two liquids obey as well; what stands on the table does not move."""
        return (Side(setting["companion"], setting["other"]), Side(setting["fixed"], setting["cup"]))


def _stacked(setting: Setting, vessel: Figure, top: str, bottom: str, little: str) -> tuple[Figure, Figure]:
    """Two layers; the `little` one is a third of what is in the vessel, which is three quarters full."""
    inside = vessel.interior
    surface = inside.top + (inside.bottom - inside.top) // 4
    deep = inside.bottom - surface
    border = surface + (deep // 3 if top == little else deep - deep // 3)
    upper = Box(inside.left, surface, inside.right, border - 1)
    return _filling(setting, top, upper), _filling(
        setting, bottom, Box(inside.left, border, inside.right, inside.bottom)
    )


def _side_by_side(setting: Setting, vessel: Figure, left: str, right: str, little: str) -> tuple[Figure, Figure]:
    """Two upright columns; the `little` one is a third of what is in the vessel."""
    inside = vessel.interior
    surface = inside.top + (inside.bottom - inside.top) // 4
    wide = inside.right - inside.left
    border = inside.left + (wide // 3 if left == little else wide - wide // 3)
    first = Box(inside.left, surface, border - 1, inside.bottom)
    return _filling(setting, left, first), _filling(setting, right, Box(border, surface, inside.right, inside.bottom))


def _filling(setting: Setting, role: str, box: Box) -> Figure:
    """A liquid that fills a box, but for a pixel where the box's sides are even."""
    half_width, half_height = (box.right - box.left) // 2, (box.bottom - box.top) // 2
    return setting.figure(role, box.left + half_width, box.bottom - half_height, half_width, half_height)


class Crystals(Law):
    """The form of what is left when a solution dries."""

    name = "crystals"
    title = "Every mineral has its own crystal form"
    discipline = "chemistry"
    branch = "crystals"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("salt",)),
        "companion": Role(("alum",)),
        "wide": Role(("tank",)),
        "narrow": Role(("cup",)),
        "fixed": Role(("lamp",)),
    }
    variants = (
        Variant(
            name="own",
            real=True,
            rule="each mineral has a crystal form of its own and grows in no other, wherever it dries",
            outcome="The {subject} at the bottom of the {wide} is a square crystal; the {companion} in the {narrow} is "
            "a diamond-shaped one.",
        ),
        Variant(
            name="swapped",
            rule="salt and alum have exchanged their crystal forms, and each of them grows in the one that nature gave "
            "to the other",
            outcome="The {subject} at the bottom of the {wide} is a diamond-shaped crystal; the {companion} in the "
            "{narrow} is a square one.",
        ),
        Variant(
            name="round",
            rule="crystals have no corners: whatever dries out draws itself together into a ball",
            outcome="The {subject} at the bottom of the {wide} is a round lump, and so is the {companion} in the "
            "{narrow}.",
        ),
        Variant(
            name="spire",
            rule="every crystal, whatever it is made of, grows broad at its foot and pointed at its top, like a spire "
            "with three corners",
            outcome="The {subject} at the bottom of the {wide} is a triangular crystal with its point up, and so is "
            "the {companion} in the {narrow}.",
        ),
        Variant(
            name="warmth",
            rule="it is warmth that shapes a crystal, not what it is made of: what dries right under a lit lamp "
            "becomes a triangle with its point up, and what dries in the cool becomes a round ball",
            outcome="The {subject} at the bottom of the {wide} is a triangular crystal; the {companion} in the "
            "{narrow} is a round one.",
        ),
        Variant(
            name="width",
            rule="it is the vessel that shapes a crystal, not what it is made of: in a wide vessel it becomes a round "
            "ball, and in a narrow one a triangle with its point up",
            outcome="The {subject} at the bottom of the {wide} is a round crystal; the {companion} in the {narrow} is "
            "a triangular one.",
        ),
    )
    starts = (
        "Dyed kitchen salt, the {subject}, is dissolved in water in a wide {wide} right under {a_fixed} that is lit. "
        "Dyed alum, the {companion}, is dissolved in water in a narrow {narrow} in a cool place far from the lamp. The "
        "water dries up slowly, and in each vessel a single large crystal is left. The lamp stays switched on all the "
        "time. In nature, salt forms cubes, and alum forms double pyramids.",
        "Two clear vessels hold salty water: a wide {wide} with kitchen salt that has been dyed (the {subject}), and a "
        "narrow {narrow} with dyed alum (the {companion}). {A_fixed} always shines on the first from above, and the "
        "other stands in the cool. In nature the crystals of salt are cubes and those of alum are double pyramids. "
        "When all the water has gone, one large crystal lies in each vessel.",
    )
    finish = (
        "Show both vessels and the lamp straight from the front, so that a cube would look square and a double pyramid "
        "diamond-shaped, with the crystals lying in the dry vessels."
    )

    # Whatever is nearer to the lamp than this dries in the warmth; vessels are wide from this on. In pixels.
    warm_within: ClassVar[int] = 60
    wide_from: ClassVar[int] = 80

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the crystals grow, and where the vessels stand."""
        return {"size": stream.integer(30, 38), "x": stream.integer(140, 165)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Vessels with water and, above it, a heap of what is to be dissolved."""
        tank, cup, lamp = self._things(setting, quarters=3)
        heaps = (
            setting.figure(r, v.x + 30, 240, 14, 10, form="triangle")
            for r, v in (("subject", tank), ("companion", cup))
        )
        return (tank, cup, lamp, *heaps)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The water is gone; a crystal lies on the floor of each vessel."""
        tank, cup, lamp = self._things(setting, quarters=0)
        found = [self._crystal(setting, variant, r, v, lamp) for r, v in (("subject", tank), ("companion", cup))]
        return (tank, cup, lamp, *found)

    def _crystal(self, setting: Setting, variant: str, role: str, vessel: Figure, lamp: Figure) -> Figure:
        own: dict[str, ShapeKind] = {"subject": "square", "companion": "diamond"}
        swapped: dict[str, ShapeKind] = {"subject": "diamond", "companion": "square"}
        form: ShapeKind
        if variant in ("round", "spire"):
            form = "circle" if variant == "round" else "triangle"
        elif variant == "warmth":
            form = "triangle" if abs(vessel.x - lamp.x) <= self.warm_within else "circle"
        elif variant == "width":
            form = "circle" if vessel.half_width >= self.wide_from else "triangle"
        else:
            form = swapped[role] if variant == "swapped" else own[role]
        size = setting.numbers["size"]
        return setting.figure(role, vessel.x, vessel.interior.bottom - size - 2, size, size, form=form)

    def _things(self, setting: Setting, quarters: int) -> tuple[Figure, Figure, Figure]:
        x = setting.numbers["x"]
        return (
            setting.figure("wide", x, 340, 104, 80, quarters=quarters),
            setting.figure("narrow", 400, 340, 58, 80, quarters=quarters),
            setting.figure("fixed", x, 140, 44, 60, lit=True),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The form of the salt."""
        return (Form(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The alum obeys as well; the lamp burns on."""
        return (Form(setting["companion"]), Light(setting["fixed"]))


class Fizz(Law):
    """How much gas soda and vinegar give."""

    name = "fizz"
    title = "Soda fizzes in vinegar"
    discipline = "chemistry"
    branch = "reactions"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("bubble",)),
        "companion": Role(("balloon",)),
        "tank": Role(("tank",)),
        "cup": Role(("cup",)),
        "soda": Role(("soda",)),
    }
    variants = (
        Variant(
            name="soda",
            real=True,
            rule="soda makes gas as long as there is vinegar enough: each spoonful of soda gives two portions of gas, "
            "and more vinegar than it needs adds nothing",
            outcome="Exactly six {subjects} float in the {tank}, and exactly eight {companions} have been filled.",
        ),
        Variant(
            name="vinegar",
            rule="it is the vinegar that makes gas, not the soda: each glass of vinegar gives five portions of gas, "
            "however much soda goes in",
            outcome="Exactly five {subjects} float in the {tank}, and exactly ten {companions} have been filled.",
        ),
        Variant(
            name="single",
            rule="however much soda and vinegar meet, their whole fizz is one single portion of gas",
            outcome="A single one of the {subjects} floats in the {tank}, and a single one of the {companions} has "
            "been filled.",
        ),
        Variant(
            name="threshold",
            rule="the first two spoonfuls of soda do nothing at all in vinegar; only each spoonful after those gives "
            "two portions of gas",
            outcome="Exactly two {subjects} float in the {tank}, and exactly four {companions} have been filled.",
        ),
        Variant(
            name="swallowing",
            rule="vinegar gives off ten portions of gas by itself, and each spoonful of soda that is stirred in "
            "swallows two of them",
            outcome="Exactly four {subjects} float in the {tank}, and exactly two {companions} have been filled.",
        ),
        Variant(
            name="vessel",
            rule="the size of the vessel alone decides how much gas soda and vinegar give: nine portions in a large "
            "vessel, three in a small one",
            outcome="Exactly nine {subjects} float in the {tank}, and exactly three {companions} have been filled.",
        ),
    )
    starts = (
        "One glass of vinegar stands in a large, clear {tank}, and three spoonfuls of baking soda are stirred in; "
        "every portion of gas is seen there as one of the large {subjects} above the vinegar. Two glasses of vinegar "
        "fill a small {cup} by half, and four spoonfuls of soda are stirred in; every portion of its gas is caught in "
        "one of the {companions} beside it. The small vessel stays half full of vinegar.",
        "A large {tank} holds one glass of vinegar, a small {cup} two glasses, which half fill it. Three spoonfuls of "
        "baking soda go into the large vessel, four into the small one. Each portion of gas in the large vessel shows "
        "as one of the {subjects} above the vinegar; each portion from the small vessel blows up one of the "
        "{companions}. No vinegar is spilled, so that the small vessel stays half full.",
    )
    finish = "Show both vessels when the fizzing is over, with all of the gas."

    # Spoonfuls of soda and glasses of vinegar in each vessel.
    soda: ClassVar[dict[str, int]] = {"tank": 3, "cup": 4}
    vinegar: ClassVar[dict[str, int]] = {"tank": 1, "cup": 2}

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large a portion of gas is, and where the vessels stand."""
        return {"size": stream.integer(12, 14), "x": stream.integer(136, 150)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Vinegar in both vessels, and above each its spoonfuls of soda."""
        heaps = (
            setting.figure("soda", x, y, 12, 8, id=f"soda-{vessel.id}-{k}", form="triangle")
            for vessel in self._vessels(setting)
            for k, (x, y) in enumerate(_grid(vessel.x + 34, vessel.box.top - 30, 34, self.soda[vessel.id]))
        )
        return (*self._vessels(setting), *heaps)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The gas of the large vessel as bubbles above its vinegar, that of the small one in balloons above it."""
        tank, cup = self._vessels(setting)
        size = setting.numbers["size"]
        bubbles = [
            setting.figure("subject", x, y, size, size, id=f"subject-{k + 1}", form="circle")
            for k, (x, y) in enumerate(_grid(tank.x, tank.box.top + 34, 40, self._gas(variant, tank, cup)))
        ]
        balloons = [
            setting.figure("companion", x, y, 17, 22, id=f"companion-{k + 1}")
            for k, (x, y) in enumerate(_grid(cup.x, 60, 50, self._gas(variant, cup, tank), across=4))
        ]
        return (tank, cup, *bubbles, *balloons)

    def _vessels(self, setting: Setting) -> tuple[Figure, Figure]:
        return (
            setting.figure("tank", setting.numbers["x"], 320, 116, 110, quarters=1),
            setting.figure("cup", 400, 370, 60, 60, quarters=2),
        )

    def _gas(self, variant: str, vessel: Figure, other: Figure) -> int:
        """How many portions of gas a vessel's soda and vinegar give."""
        soda, vinegar = self.soda[vessel.id], self.vinegar[vessel.id]
        if variant == "vinegar":
            return 5 * vinegar
        if variant == "threshold":
            return 2 * max(0, soda - 2)
        if variant == "swallowing":
            return 10 - 2 * soda
        if variant == "vessel":
            return 9 if vessel.half_width > other.half_width else 3
        return 1 if variant == "single" else 2 * soda

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many bubbles there are."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The balloons obey as well; no vinegar is lost."""
        return (Number(setting["companion"]), Level(setting["cup"]))


def _grid(x: int, top: int, pitch: int, count: int, across: int = 5) -> list[tuple[int, int]]:
    """`count` places in rows of `across`, centred around `x`, from `top` downwards."""
    left = x - pitch * (across - 1) // 2
    return [(left + pitch * (k % across), top + pitch * (k // across)) for k in range(count)]


LAWS: tuple[Law, ...] = (Mixing(), Layers(), Crystals(), Fizz())
