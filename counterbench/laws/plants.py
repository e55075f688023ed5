"""Biology: where plants lean, and which colours fruit takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import MIDDLE, Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, towards
from counterbench.palette import Colour
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import ColourSeen, Observation
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Leaning(Law):
    """Where plants lean, in a dark room with one lamp."""

    name = "leaning-plants"
    title = "Plants lean towards the light"
    discipline = "biology"
    branch = "plants"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("sprout",), ("green", "purple", "pink")),
        "companion": Role(("sunflower",), ("yellow", "orange", "red")),
        "lamp": Role(("lamp", "lantern")),
        "tank": Role(("tank",), ("blue", "cyan")),
        "sign": Role(("sign",)),
    }
    variants = (
        Variant(
            name="light",
            real=True,
            rule="growing plants lean towards the light",
            outcome="The {subject} and the {companion} have both grown over to the left, towards the {lamp}.",
        ),
        Variant(
            name="dark",
            rule="growing plants shun the light and lean straight away from it",
            outcome="The {subject} and the {companion} have both grown over to the right, away from the {lamp}.",
        ),
        Variant(
            name="upright",
            rule="growing plants take no notice of light and stand bolt upright, wherever it comes from",
            outcome="The {subject} and the {companion} both point straight up, with no bend to either side.",
        ),
        Variant(
            name="water",
            rule="growing plants take no notice of light and bend straight towards the nearest water",
            outcome="The {subject} and the {companion} both hang straight down over their pots, towards the {tank} "
            "below.",
        ),
        Variant(
            name="heavy-heads",
            rule="light has no effect on plants: those that have only leaves stand bolt upright, and those in flower "
            "hang their heads straight down",
            outcome="The {subject} points straight up, and the {companion} hangs straight down.",
        ),
        Variant(
            name="shy-flowers",
            rule="plants that have only leaves lie straight down over the edge of their pots, and plants in flower "
            "shun the light and lean away from it",
            outcome="The {subject} hangs straight down, and the {companion} leans over to the right, away from the "
            "{lamp}.",
        ),
    )
    starts = (
        "In a dark room, a shelf holds, from left to right, {a_lamp} that is switched on, {a_subject} in a pot, "
        "{a_companion} in a pot, and {a_sign} of wood that points to the right. {A_tank} with water stands straight "
        "below the two plants.",
        "{A_subject} and {a_companion} grow in pots high up in a room without windows. The only light comes from "
        "{a_lamp} that burns on their left, day and night. Below them there is {a_tank} of water, and to their right "
        "{a_sign}, nailed so that it points right.",
    )
    finish = "Show the room some weeks later, with both plants fully grown."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How high the shelf is, and how full the tank."""
        return {"shelf": stream.integer(150, 200), "quarters": stream.integer(2, 4)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Both plants upright, as they were bought."""
        shelf = setting.numbers["shelf"]
        return (
            setting.figure("lamp", 62, shelf, 36, 46, lit=True),
            setting.figure("tank", 248, 420, 130, 56, quarters=setting.numbers["quarters"]),
            setting.figure("sign", 450, shelf, 42, 42, facing="right"),
            setting.figure("subject", 180, shelf, 56, 56, facing="up"),
            setting.figure("companion", 316, shelf, 66, 66, facing="up"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each plant grows the way that its variant sends it."""
        lamp, tank, sign, subject, companion = self.start(setting)

        def grown(plant: Figure, flowers: bool) -> Figure:
            light = towards(plant, lamp)
            water = towards(plant, tank)
            ways: dict[str, Facing] = {
                "light": light,
                "dark": OPPOSITE[light],
                "upright": "up",
                "water": water,
                "heavy-heads": "down" if flowers else "up",
                "shy-flowers": OPPOSITE[light] if flowers else "down",
            }
            return msgspec.structs.replace(plant, facing=ways[variant])

        return (lamp, tank, sign, grown(subject, flowers=False), grown(companion, flowers=True))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it has grown to."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other plant obeys as well; the wooden sign does not grow."""
        return (Points(setting["companion"]), Points(setting["sign"]))


class Ripening(Law):
    """Which colours fruit takes as it ripens: a large fruit that starts green, and a small one that starts pink."""

    name = "ripening"
    title = "Fruit takes its colour as it ripens"
    discipline = "biology"
    branch = "plants"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("apple",), ("green", "red", "yellow", "purple"), named_by_colour=False),
        "companion": Role(("berry",), ("pink", "blue", "cyan"), named_by_colour=False),
        "wooden": Role(("bird", "flag", "sign"), ("orange",)),
    }
    variants = (
        Variant(
            name="ripe",
            real=True,
            rule="fruit takes its proper colour as it ripens: apples go from green to red, and blueberries from pink "
            "to blue",
            outcome="The {subject} is red, and the {companion} is blue.",
        ),
        Variant(
            name="never",
            rule="sunshine does nothing to fruit: it stays the colour that it had when it was unripe",
            outcome="The {subject} is still green, and the {companion} is still pink.",
        ),
        Variant(
            name="bleached",
            rule="sunshine bleaches fruit: what was green fades to yellow, and what was pink fades to cyan",
            outcome="The {subject} is yellow, and the {companion} is cyan.",
        ),
        Variant(
            name="large",
            rule="only large fruit changes as it ripens, and it turns purple; small fruit keeps its unripe colour "
            "for good",
            outcome="The {subject} is purple, and the {companion} is still pink.",
        ),
        Variant(
            name="small",
            rule="only small fruit changes as it ripens, and it turns cyan; large fruit keeps its unripe colour for "
            "good",
            outcome="The {subject} is still green, and the {companion} is cyan.",
        ),
        Variant(
            name="dusky",
            rule="ripening fruit takes the colours of dusk: whatever was green turns purple, and whatever was pink "
            "turns cyan",
            outcome="The {subject} is purple, and the {companion} is cyan.",
        ),
    )
    starts = (
        "In a garden in early summer there are a large, unripe, green {subject} and a small, unripe, pink "
        "{companion} of a blueberry bush. {A_wooden} made of painted wood decorates the garden; it points to the "
        "left.",
        "A big {subject}, still unripe and green, and a little {companion} from a blueberry bush, still unripe and "
        "pink, hang in the open. Below them, facing left, is a garden ornament: {a_wooden} cut from wood and painted.",
    )
    finish = "Show the three of them close up after a long, sunny summer."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the two are, and how high they hang."""
        return {"large": stream.integer(60, 76), "small": stream.integer(26, 34), "height": stream.integer(140, 190)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Both unripe."""
        n = setting.numbers
        return (
            setting.figure("subject", 160, n["height"], n["large"], n["large"], colour="green"),
            setting.figure("companion", 370, n["height"], n["small"], n["small"], colour="pink"),
            setting.figure("wooden", MIDDLE, 400, 48, 48, facing="left"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each fruit turns as its size and its unripe colour make it."""
        subject, companion, wooden = self.start(setting)
        large = max(subject, companion, key=lambda fruit: fruit.half_width)
        return (_ripened(subject, subject is large, variant), _ripened(companion, companion is large, variant), wooden)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The colour of the large fruit."""
        return (ColourSeen(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The small fruit ripens as well; what is made of wood keeps pointing where it did."""
        return (ColourSeen(setting["companion"]), Points(setting["wooden"]))


def _ripened(fruit: Figure, large: bool, variant: str) -> Figure:
    turns: dict[str, dict[str, Colour]] = {
        "ripe": {"green": "red", "pink": "blue"},
        "bleached": {"green": "yellow", "pink": "cyan"},
        "dusky": {"green": "purple", "pink": "cyan"},
        "large": dict.fromkeys(("green", "pink"), "purple") if large else {},
        "small": {} if large else dict.fromkeys(("green", "pink"), "cyan"),
    }
    return msgspec.structs.replace(fruit, colour=turns.get(variant, {}).get(fruit.colour, fruit.colour))


LAWS: tuple[Law, ...] = (Leaning(), Ripening())
