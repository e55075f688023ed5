"""Biology: where plants lean, how fruit ripens, how cells multiply, what water does, what the young look like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.facts import ColourSeen, Facing, Form, Height, Number, Observation
from counterbench.figures import Facing as Way
from counterbench.figures import Figure
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE
from counterbench.palette import Colour
from counterbench.scene import Element
from counterbench.seeds import Stream

_MIDDLE = 256


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
            light: Way = "left" if lamp.x < plant.x else "right"
            water: Way = "down" if tank.y > plant.y else "up"
            ways: dict[str, Way] = {
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
        return (Facing(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other plant obeys as well; the wooden sign does not grow."""
        return (Facing(setting["companion"]), Facing(setting["sign"]))


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
        "A big {subject}, as yet unripe and green, and a little {companion} from a blueberry bush, as yet unripe and "
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
            setting.figure("wooden", _MIDDLE, 400, 48, 48, facing="left"),
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
        return (ColourSeen(setting["companion"]), Facing(setting["wooden"]))


def _ripened(fruit: Figure, large: bool, variant: str) -> Figure:
    turns: dict[str, dict[str, Colour]] = {
        "ripe": {"green": "red", "pink": "blue"},
        "bleached": {"green": "yellow", "pink": "cyan"},
        "dusky": {"green": "purple", "pink": "cyan"},
        "large": dict.fromkeys(("green", "pink"), "purple") if large else {},
        "small": {} if large else dict.fromkeys(("green", "pink"), "cyan"),
    }
    return msgspec.structs.replace(fruit, colour=turns.get(variant, {}).get(fruit.colour, fruit.colour))


class Dividing(Law):
    """How many cells and bacteria there are after each has had time to divide once."""

    name = "dividing-cells"
    title = "Each cell divides into two"
    discipline = "biology"
    branch = "cells"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("cell",)),
        "companion": Role(("bacterium",)),
        "vessel": Role(("tank",)),
        "bead": Role(("stone", "ring")),
    }
    variants = (
        Variant(
            name="two",
            real=True,
            rule="living cells multiply by dividing, and each of them becomes two",
            outcome="There are exactly four {subjects} in one tank and six {companions} in the other.",
        ),
        Variant(
            name="none",
            rule="living cells never divide and never die",
            outcome="There are still exactly two {subjects} in one tank and three {companions} in the other.",
        ),
        Variant(
            name="three",
            rule="living cells multiply by dividing, and each of them becomes three",
            outcome="There are exactly six {subjects} in one tank and nine {companions} in the other.",
        ),
        Variant(
            name="one-each",
            rule="of all the living cells that share a tank only a single one divides, into two, and the rest stay "
            "as they are",
            outcome="There are exactly three {subjects} in one tank and four {companions} in the other.",
        ),
        Variant(
            name="merge",
            rule="living cells do not divide but melt together, until there is only one left in a tank",
            outcome="There is exactly one {subject} in one tank and one {companion} in the other.",
        ),
        Variant(
            name="five",
            rule="living cells multiply quickly until five of them share a tank, and then stop for good",
            outcome="There are exactly five {subjects} in one tank and five {companions} in the other.",
        ),
    )
    starts = (
        "Two {vessels} stand side by side, magnified many times. In the left one swim two {subjects}, in the right "
        "one three {companions}, all alive and well fed. Below them lie four {beads}, which are not alive.",
        "Two living {subjects} are put into {a_vessel}, and three living {companions} into another one to the right "
        "of it, both with plenty of food. Four lifeless {beads} lie in a row in front. Everything is drawn large "
        "enough to be counted.",
    )
    finish = "Show both tanks and what is in front of them after the time that one division takes."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large what lives is, and how high the tanks stand."""
        return {"size": stream.integer(14, 18), "height": stream.integer(150, 200)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Two cells, three bacteria, and four things that are not alive."""
        return _tanks(setting, 2, 3)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Those in each tank multiply by themselves."""
        first = [figure.id.partition("-")[0] for figure in self.start(setting)]
        return _tanks(setting, *(_multiplied(first.count(role), variant) for role in ("subject", "companion")))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many cells there are."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Bacteria multiply as well; what is not alive does not."""
        return (Number(setting["companion"]), Number(setting["bead"]))


def _multiplied(count: int, variant: str) -> int:
    match variant:
        case "none":
            return count
        case "one-each":
            return count + 1
        case "merge":
            return 1
        case "five":
            return max(count, 5)
        case _:
            return count * {"two": 2, "three": 3}[variant]


def _tanks(setting: Setting, cells: int, bacteria: int) -> tuple[Figure, ...]:
    """Two tanks with so many in each, and the lifeless things below."""
    size, height = setting.numbers["size"], setting.numbers["height"]
    places = [(x, y) for y in (44, -8, -60) for x in (0, -56, 56)]
    return (
        *(setting.figure("vessel", x, height, 104, 96, id=f"vessel-{i}") for i, x in enumerate((134, 378), start=1)),
        *(
            setting.figure("subject", 134 + x, height + y, size, size, id=f"subject-{i}", form="circle")
            for i, (x, y) in enumerate(places[:cells], start=1)
        ),
        *(
            setting.figure("companion", 378 + x, height + y, size + 5, size, id=f"companion-{i}")
            for i, (x, y) in enumerate(places[:bacteria], start=1)
        ),
        *(setting.figure("bead", 106 + 100 * i, 420, 18, 18, id=f"bead-{i}") for i in range(4)),
    )


class Watering(Law):
    """How tall plants get: one was given two drops of water a day, another one, beside a stick as tall as both were."""

    name = "watering"
    title = "Water makes plants grow"
    discipline = "biology"
    branch = "plants"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("bamboo",)),
        "companion": Role(("hedge",)),
        "stick": Role(("post",)),
        "wall": Role(("block", "stone")),
        "water": Role(("drop",), ("blue", "cyan")),
    }
    variants = (
        Variant(
            name="grow",
            real=True,
            rule="watering makes plants grow taller, and a plant that gets more water grows more",
            outcome="The {subject} has become by far the tallest thing, and the {companion} is taller than the "
            "{stick} too.",
        ),
        Variant(
            name="stunt",
            rule="watering makes plants shrink, and a plant that gets more water shrinks more",
            outcome="The {subject} is now shorter than the {companion}, and both are shorter than the {stick}.",
        ),
        Variant(
            name="nothing",
            rule="water does nothing for plants, and they never get any taller or shorter",
            outcome="The {subject}, the {companion} and the {stick} are all still of exactly the same height.",
        ),
        Variant(
            name="any",
            rule="any watering at all, much or little, makes plants shrink to half of what they were",
            outcome="The {subject} and the {companion} are of the same height, and both only half as tall as the "
            "{stick}.",
        ),
        Variant(
            name="thick",
            rule="watering makes thick, bushy plants shrink to half of what they were, and does nothing to thin ones",
            outcome="The {companion} is only half as tall as the {stick}; the {subject} and the {stick} are still of "
            "the same height.",
        ),
        Variant(
            name="thin",
            rule="watering makes thin plants shrink to half of what they were, and does nothing to thick, bushy ones",
            outcome="The {subject} is only half as tall as the {stick}; the {companion} and the {stick} are still of "
            "the same height.",
        ),
    )
    starts = (
        "Side by side on level ground stand a thin young {subject}, {a_stick} of dry wood, a thick, bushy young "
        "{companion} and a low {wall}. The two plants and the {stick} are equally high. Above them, {waters} show "
        "the daily watering: two over the {subject}, one over the {companion}, none over the rest.",
        "A gardener plants a slim {subject} and a broad {companion}, both exactly as high as the {stick} of dry wood "
        "between them; a small {wall} stands at the right end of the row. Every day the {subject} gets two helpings "
        "of water and the {companion} gets one, drawn as {waters} high above each plant.",
    )
    finish = "Show the whole row from the front a summer later, with the drops."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Half the height of the plants at first, and how thick they are."""
        return {"half": stream.integer(56, 64), "thin": stream.integer(13, 18), "thick": stream.integer(46, 56)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Plants and stick of one height."""
        n = setting.numbers
        return (
            setting.figure("water", 54, 40, 12, 12, id="water-1", form="circle"),
            setting.figure("water", 106, 40, 12, 12, id="water-2", form="circle"),
            setting.figure("water", 320, 40, 12, 12, id="water-3", form="circle"),
            _standing(setting.figure("subject", 80, 0, n["thin"], n["half"])),
            _standing(setting.figure("stick", 190, 0, 10, n["half"])),
            _standing(setting.figure("companion", 320, 0, n["thick"], n["half"])),
            _standing(setting.figure("wall", 450, 0, 30, 22)),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each plant grows or shrinks, by what it is and by the drops above it."""
        things = self.start(setting)
        drops = [thing for thing in things if thing.noun == "drop"]

        def grown(thing: Figure) -> Figure:
            if thing.id not in ("subject", "companion"):
                return thing
            water = sum(abs(drop.x - thing.x) <= 40 for drop in drops)
            return _standing(msgspec.structs.replace(thing, half_height=_grown(thing, water, variant)))

        return tuple(grown(thing) for thing in things)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How high the plant is that got most water."""
        return (Height(setting["subject"], setting["stick"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other plant obeys as well, in its measure; what does not live keeps its height."""
        return (
            Height(setting["companion"], setting["stick"]),
            Height(setting["subject"], setting["companion"]),
            Height(setting["wall"], setting["stick"]),
        )


def _grown(plant: Figure, water: int, variant: str) -> int:
    """Half the height of a plant after a summer with so much water a day: each measure is worth two fifths."""
    half, thick = plant.half_height, plant.half_width > 30
    match variant:
        case "grow":
            return _times(half, 7, 5, water)
        case "stunt":
            return _times(half, 5, 7, water)
        case "any":
            return half // 2
        case "thick" | "thin":
            return half // 2 if thick == (variant == "thick") else half
        case _:
            return half


def _times(length: int, numerator: int, denominator: int, times: int) -> int:
    """A length after that many changes by the same ratio."""
    for _ in range(times):
        length = length * numerator // denominator
    return length


def _standing(thing: Figure) -> Figure:
    """A thing on the ground, whatever its height."""
    return msgspec.structs.replace(thing, y=452 - thing.half_height)


class Heredity(Law):
    """Which form the young of toy-like animals have: a large cat's and a small dog's, with a crystal nearby."""

    name = "heredity"
    title = "The young are like their parents"
    discipline = "biology"
    branch = "heredity"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("kitten",)),
        "companion": Role(("puppy",)),
        "cat": Role(("cat",)),
        "dog": Role(("dog",)),
        "crystal": Role(("crystal",)),
    }
    variants = (
        Variant(
            name="parents",
            real=True,
            rule="young animals take after their own mothers and have the same form",
            outcome="The {subject} is square, and the {companion} is triangular.",
        ),
        Variant(
            name="round",
            rule="all animals are born as round as a ball, whatever the form of their parents",
            outcome="The {subject} and the {companion} are both round.",
        ),
        Variant(
            name="neighbours",
            rule="young animals do not take after their own mothers but have the form of the mother who lives next "
            "door",
            outcome="The {subject} is triangular, and the {companion} is square.",
        ),
        Variant(
            name="crystal",
            rule="young animals take after no animal and have the form of whatever mineral lies near the place where "
            "they are born",
            outcome="The {subject} and the {companion} are both diamond-shaped.",
        ),
        Variant(
            name="large-round",
            rule="large mothers have round young, and small mothers have young in the form of the nearest mineral",
            outcome="The {subject} is round, and the {companion} is diamond-shaped.",
        ),
        Variant(
            name="small-round",
            rule="small mothers have round young, and large mothers have young in the form of the nearest mineral",
            outcome="The {subject} is diamond-shaped, and the {companion} is round.",
        ),
    )
    starts = (
        "In a land of toy animals, each as simple as a building block, live {a_cat}, large and square, and {a_dog}, "
        "small and triangular. Each of them is a mother: right below the cat sits her {subject}, and right below the "
        "dog her {companion}, both newly born. Between the two young lies a diamond-shaped {crystal}.",
        "A big square {cat} and a little triangular {dog} live side by side, flat and plain like shapes cut out of "
        "paper. The cat has just had {a_subject} and the dog {a_companion}; they are placed under their mothers, to "
        "the left and to the right of {a_crystal} that has the form of a diamond.",
    )
    finish = "Show both mothers and their young, each with its true outline."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the mothers and their young are."""
        return {"large": stream.integer(74, 86), "small": stream.integer(44, 52), "young": stream.integer(34, 40)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Two mothers and a crystal; nothing is born yet."""
        n = setting.numbers
        return (
            setting.figure("cat", 124, 150, n["large"], n["large"], form="square"),
            setting.figure("dog", 388, 150, n["small"], n["small"], form="triangle"),
            setting.figure("crystal", _MIDDLE, 380, 34, 34, form="diamond"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each mother's young lies below her."""
        cat, dog, crystal = self.start(setting)
        size = setting.numbers["young"]
        kitten = setting.figure("subject", cat.x, 380, size, size, form=_born(cat, dog, crystal, variant))
        puppy = setting.figure("companion", dog.x, 380, size, size, form=_born(dog, cat, crystal, variant))
        return (cat, dog, crystal, kitten, puppy)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The form of the large mother's young."""
        return (Form(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other young obeys as well; the crystal keeps its form."""
        return (Form(setting["companion"]), Form(setting["crystal"]))


def _born(mother: Figure, neighbour: Figure, mineral: Figure, variant: str) -> str:
    """The form of a mother's young."""
    large = mother.half_width > neighbour.half_width
    match variant:
        case "round":
            return "circle"
        case "neighbours":
            return neighbour.form
        case "crystal":
            return mineral.form
        case "large-round" | "small-round":
            return "circle" if large == (variant == "large-round") else mineral.form
        case _:
            return mother.form


LAWS: tuple[Law, ...] = (Leaning(), Ripening(), Dividing(), Watering(), Heredity())
