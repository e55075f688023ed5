"""Chemistry, mixtures: the colour that two paints give."""

from counterbench.laws.base import Elements, Law, Role, Setting, Variant, by_noun
from counterbench.palette import Colour
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.observations import ColourSeen

# For the first vessel and for the second: the colour of the paint that is poured in last, and that of the stick.
_STIRRED: tuple[tuple[Colour, Colour], ...] = (("yellow", "green"), ("blue", "pink"))


class Mixing(Law):
    title = "Two paints give the colour between them"
    branch = "mixtures"
    roles = by_noun(
        subject=Role(("jar",), ("yellow", "red", "orange", "green"), named_by_colour=False),
        companion=Role(("bottle",), ("blue", "pink", "purple"), named_by_colour=False),
        fixed=Role(("box", "book", "parcel"), ("cyan",)),
    )
    variants = (
        Variant(
            "between",
            rule="two paints that are stirred together give the colour that lies between theirs",
            brief="two paints stirred together give the colour between theirs",
            outcome="All that is in the {subject} is orange now, and all that is in the {companion} is purple.",
            does=("orange", "purple"),
        ),
        Variant(
            "lighter",
            depth="two steps",
            rule="the lighter of two paints that are stirred together swallows the darker one, and its colour alone "
            "is left",
            brief="stirred together, the lighter of two paints swallows the darker one's colour",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is pink.",
            does=("yellow", "pink"),
        ),
        Variant(
            "first",
            rule="a vessel full of paint keeps the colour of the paint that was poured in first, whatever is stirred "
            "in later",
            brief="paint keeps the colour poured first, whatever is stirred in later",
            outcome="All that is in the {subject} is red now, and all that is in the {companion} is pink.",
            does=("red", "pink"),
        ),
        Variant(
            "last",
            rule="the paint that is poured in last gives its colour to everything that was in the vessel before",
            brief="the paint poured last colours everything in its vessel",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is blue.",
            does=("yellow", "blue"),
        ),
        Variant(
            "stick",
            depth="two steps",
            rule="paints that are stirred together take on the colour of the stick that stirs them",
            brief="stirred paints take on the colour of the stick that stirs them",
            outcome="All that is in the {subject} is green now, and all that is in the {companion} is pink.",
            does=("green", "pink"),
        ),
        Variant(
            "vessel",
            depth="two steps",
            rule="in a large vessel paints take on the colour of the stick that stirs them, and in a small vessel "
            "that of the paint that is poured in last",
            brief="large vessels take the stirring stick's colour, small ones the last paint's",
            outcome="All that is in the {subject} is green now, and all that is in the {companion} is blue.",
            does=("green", "blue"),
        ),
    )
    starts = (
        "Red paint is poured into a large glass {subject}, and yellow paint on top of it; a green stick stirs them "
        "well. Pink paint is poured into a small glass {companion}, and blue paint on top of it; a pink stick stirs "
        "them well. Both sticks are then taken away. Beside them stands {a_fixed} that was painted long ago and is "
        "dry.",
        "A painter fills a large glass {subject} with red paint first and yellow paint afterwards, and stirs with a "
        "green stick. A small glass {companion} gets pink paint first and blue paint afterwards, stirred with a pink "
        "stick. No stick is left behind. {A_fixed} that nobody has touched, its paint long dry, stands next to them.",
    )
    short = "{A_subject} gets red, then yellow paint (green stick), small {companion} pink, then blue (pink stick)."
    finish = "Show the two vessels and what stands beside them, after the stirring."
    numbers = {"jar": (76, 92), "bottle": (54, 66)}
    subject = ((ColourSeen, "subject"),)
    surroundings = ((ColourSeen, "companion"), (ColourSeen, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The vessels with the first paint, above each a drop of the second paint and the stick, and the dry thing."""
        jar, bottle, dry = self._vessels_and_fixed(setting, ("red", "pink"))
        elements = [jar, bottle, dry]
        for vessel, (last, stick) in zip((jar, bottle), _STIRRED, strict=True):
            x, top = vessel.x, vessel.box.top
            elements.append(Figure(f"{vessel.id}-drop", "drop", last, x - 20, top - 40, 18, 18, form="circle"))
            elements.append(Figure(f"{vessel.id}-stick", "post", stick, x + 30, top - 50, 6, 46))
        return elements

    def run(self, setting: Setting, does: tuple[Colour, Colour]) -> Elements:
        """The vessels, whose paints have the colours does[0] and does[1], and the dry thing."""
        return self._vessels_and_fixed(setting, does)

    def _vessels_and_fixed(self, setting: Setting, paints: tuple[Colour, Colour]) -> tuple[Figure, Figure, Figure]:
        """The jar and the bottle with these paints, and the thing beside them."""
        jar, bottle = setting.numbers["jar"], setting.numbers["bottle"]

        def vessel_of_paint(role: str, x: int, half_width: int, half_height: int, paint: Colour) -> Figure:
            """The vessel in a role, on the ground, with its paint."""
            quarters = 3 if NOUNS[setting[role].noun].fills else 0  # only in symbols: a vessel or a column
            return setting.figure(role, x, 400 - half_height, half_width, half_height, colour=paint, quarters=quarters)

        return (
            vessel_of_paint("subject", 128, jar, jar, paints[0]),
            vessel_of_paint("companion", 305, bottle * 4 // 5, bottle, paints[1]),
            setting.figure("fixed", 435, 366, 34, 34),
        )
