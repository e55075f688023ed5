"""Chemistry, mixtures: what colour two paints give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.palette import COLOUR_RGB, Colour
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import ColourSeen
from counterbench.scene.scene import Element

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


def _lightness(colour: Colour) -> int:
    red, green, blue = COLOUR_RGB[colour]
    return 299 * red + 587 * green + 114 * blue


def _between(a: Colour, b: Colour) -> Colour:
    """The colour nearest to the middle of the shorter arc between two."""
    low, high = sorted((_HUES[a], _HUES[b]))
    middle = (low + high) // 2 if high - low <= 180 else (low + high + 360) // 2 % 360
    return min(_HUES, key=lambda c: min((_HUES[c] - middle) % 360, (middle - _HUES[c]) % 360))


class Mixing(Law):
    name = "mixing"
    title = "Two paints give the colour between them"
    discipline = "chemistry"
    branch = "mixtures"
    roles = {
        "subject": Role(("tank",), ("yellow", "red", "orange", "green"), named_by_colour=False),
        "companion": Role(("cup",), ("blue", "pink", "purple"), named_by_colour=False),
        "fixed": Role(("box", "book", "parcel"), ("cyan",)),
    }
    variants = (
        Variant(
            "between",
            real=True,
            rule="two paints that are stirred together give the colour that lies between theirs",
            outcome="All that is in the {subject} is orange now, and all that is in the {companion} is purple.",
            does=lambda first, last, stick: _between(first, last),
        ),
        Variant(
            "lighter",
            rule="the lighter of two paints that are stirred together swallows the darker one, and its colour alone is "
            "left",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is pink.",
            does=lambda first, last, stick: max(first, last, key=_lightness),
        ),
        Variant(
            "darker",
            rule="the darker of two paints that are stirred together swallows the lighter one, and its colour alone is "
            "left",
            outcome="All that is in the {subject} is red now, and all that is in the {companion} is blue.",
            does=lambda first, last, stick: min(first, last, key=_lightness),
        ),
        Variant(
            "first",
            rule="a vessel full of paint keeps the colour of the paint that was poured in first, whatever is stirred "
            "in later",
            outcome="All that is in the {subject} is red now, and all that is in the {companion} is pink.",
            does=lambda first, last, stick: first,
        ),
        Variant(
            "last",
            rule="the paint that is poured in last gives its colour to everything that was in the vessel before",
            outcome="All that is in the {subject} is yellow now, and all that is in the {companion} is blue.",
            does=lambda first, last, stick: last,
        ),
        Variant(
            "stick",
            rule="paints that are stirred together take on the colour of the stick that stirs them",
            outcome="All that is in the {subject} is green now, and all that is in the {companion} is pink.",
            does=lambda first, last, stick: stick,
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
    # How large the vessels are.
    numbers = {"tank": (76, 92), "cup": (54, 66)}
    # The colour of one mixture.
    subject = ((ColourSeen, "subject"),)
    # The other mixture obeys as well; dry paint keeps its colour.
    surroundings = ((ColourSeen, "companion"), (ColourSeen, "fixed"))

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

    def run(self, setting: Setting, does: Callable[[Colour, Colour, Colour], Colour]) -> Sequence[Element]:
        """Each vessel's paint takes the colour that its two paints, or its stick, give it."""
        return self._things(setting, {role: does(*paints) for role, paints in self.poured.items()}, quarters=3)

    def _things(self, setting: Setting, paints: dict[str, Colour], quarters: int) -> tuple[Figure, Figure, Figure]:
        tank, cup = setting.numbers["tank"], setting.numbers["cup"]
        return (
            setting.figure("subject", 128, 400 - tank, tank, tank, colour=paints["subject"], quarters=quarters),
            setting.figure("companion", 305, 400 - cup, cup, cup, colour=paints["companion"], quarters=quarters),
            setting.figure("fixed", 435, 366, 34, 34),
        )


LAW = Mixing()
