"""Society: rules of traffic, of sharing and of tidying up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.facts import Contents, Light, Number, Observation, Side
from counterbench.facts import Facing as Points
from counterbench.figures import Facing, Figure
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import CLOCKWISE, OPPOSITE, WAYS
from counterbench.scene import Element
from counterbench.seeds import Stream


class Crossing(Law):
    """What traffic does at a red light."""

    name = "crossing"
    title = "At a red light traffic waits"
    discipline = "society"
    branch = "traffic"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("car",)),
        "companion": Role(("bus",)),
        "signal": Role(("signal",), ("red",)),
        "fixed": Role(("lantern",)),
        "corner": Role(("block",)),
    }
    variants = (
        Variant(
            name="wait",
            real=True,
            rule="a red light means stop, and all traffic waits where it is until the light turns green",
            outcome="The {subject} still waits to the left of the {signal}, and the {companion} still waits to the "
            "right of it.",
        ),
        Variant(
            name="go",
            rule="a red light means go straight on, and a green one means stop",
            outcome="The {subject} has crossed and is now to the right of the {signal}; the {companion} has crossed "
            "and is now to the left of it.",
        ),
        Variant(
            name="own-left",
            rule="a red light means that every driver must turn off to the left-hand side, as the driver sees it",
            outcome="The {subject} has turned off into the upper road, above the {signal}, and the {companion} into "
            "the lower road, below it.",
        ),
        Variant(
            name="north",
            rule="a red light sends everybody off to the north, wherever they came from",
            outcome="The {subject} and the {companion} have both turned off into the upper road and are above the "
            "{signal}.",
        ),
        Variant(
            name="size",
            rule="a red light lets long vehicles drive straight on and sends short ones off to the south",
            outcome="The {companion} has crossed and is now to the left of the {signal}; the {subject} has turned off "
            "into the lower road, below it.",
        ),
        Variant(
            name="first-come",
            rule="at a red light whoever came first drives straight on, and whoever came later turns off to the north",
            outcome="The {subject} has crossed and is now to the right of the {signal}; the {companion} has turned off "
            "into the upper road, above it.",
        ),
    )
    starts = (
        "A crossing of two wide roads on a map, north at the top, with {a_signal} in the very middle that has shown "
        "red to everybody for a long time. First {a_subject} came from the left, then {a_companion} came from the "
        "right. At the corner on the lower right stands {a_fixed} that is lit day and night.",
        "Two wide roads cross, seen like a map with north at the top. In the centre hangs {a_signal}, and its red "
        "light shines on all four roads and does not change. {A_subject} reached the crossing first, from the left; "
        "{a_companion} reached it later, from the right. {A_fixed} on the lower right corner always shines.",
    )
    finish = "Show the crossing some time later, while the light is still red."

    first: ClassVar[str] = "subject"

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far from the middle everybody stops, and how large the vehicles are."""
        return {"far": stream.integer(150, 185), "car": stream.integer(32, 36), "bus": stream.integer(46, 52)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Car on the left, bus on the right, each at the red light."""
        return (*self._map(setting), *self._vehicles(setting))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each vehicle leaves by the road that the red light sends it to, or waits."""
        car, bus = self._vehicles(setting)
        moved = (self._driven(setting, variant, car, bus), self._driven(setting, variant, bus, car))
        return (*self._map(setting), *moved)

    def _driven(self, setting: Setting, variant: str, vehicle: Figure, other: Figure) -> Figure:
        if variant == "wait":
            return vehicle
        ahead: Facing = "right" if vehicle.facing == "right" else "left"
        longer = vehicle.half_width > other.half_width
        ways: dict[str, Facing] = {
            "own-left": OPPOSITE[CLOCKWISE[ahead]],
            "north": "up",
            "size": ahead if longer else "down",
            "first-come": ahead if vehicle.id == self.first else "up",
        }
        return self._on_road(setting, vehicle, ways.get(variant, ahead))

    def _on_road(self, setting: Setting, vehicle: Figure, way: Facing) -> Figure:
        """The vehicle on one of the four roads, leaving the crossing, each on its own half of the road."""
        far, half = setting.numbers["far"], (vehicle.half_width, vehicle.half_height)
        dx, dy = WAYS[way]
        aside = 32 if vehicle.id == "subject" else -32
        long, wide = max(half), min(half)
        return msgspec.structs.replace(
            vehicle,
            x=256 + dx * far + (aside if dy else 0),
            y=256 + dy * far + (aside if dx else 0),
            half_width=long if dx else wide,
            half_height=wide if dx else long,
            facing=way,
        )

    def _vehicles(self, setting: Setting) -> tuple[Figure, Figure]:
        car, bus = setting.numbers["car"], setting.numbers["bus"]
        coming = (
            setting.figure("subject", 256, 256, car, 26, facing="left"),
            setting.figure("companion", 256, 256, bus, 26, facing="right"),
        )
        car_waits, bus_waits = self._on_road(setting, coming[0], "left"), self._on_road(setting, coming[1], "right")
        return msgspec.structs.replace(car_waits, facing="right"), msgspec.structs.replace(bus_waits, facing="left")

    def _map(self, setting: Setting) -> tuple[Figure, ...]:
        corners = ((128, 128), (384, 128), (128, 384))
        return (
            setting.figure("signal", 256, 256, 30, 42),
            setting.figure("fixed", 384, 384, 44, 50, lit=True),
            *(setting.figure("corner", x, y, 50, 50, id=f"corner-{k}") for k, (x, y) in enumerate(corners)),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """On which road the car is."""
        return (Side(setting["subject"], setting["signal"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The bus obeys as well; the street lantern shines as always."""
        return (Side(setting["companion"], setting["signal"]), Light(setting["fixed"]))


class OneWay(Law):
    """Which way traffic goes in a street with an arrow sign."""

    name = "one-way"
    title = "Traffic goes the way that the arrow points"
    discipline = "society"
    branch = "signs"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("car",)),
        "companion": Role(("bus",)),
        "fixed": Role(("sign",)),
        "home": Role(("house",)),
    }
    variants = (
        Variant(
            name="along",
            real=True,
            rule="every vehicle must go the way that an arrow sign points",
            outcome="The {subject} and the {companion} both face to the right and go that way.",
        ),
        Variant(
            name="against",
            rule="an arrow sign shows where traffic comes from, and every vehicle must go against it",
            outcome="The {subject} and the {companion} both face to the left and go that way.",
        ),
        Variant(
            name="quarter",
            rule="every vehicle must go at a right angle to an arrow sign, a quarter turn clockwise from where it "
            "points",
            outcome="The {subject} and the {companion} both face downwards and go that way.",
        ),
        Variant(
            name="homewards",
            rule="arrow signs bind nobody, and every vehicle turns towards the nearest house and makes for it",
            outcome="The {subject} and the {companion} both face upwards and go that way.",
        ),
        Variant(
            name="parked",
            rule="where an arrow sign stands, no vehicle may turn or move at all",
            outcome="The {subject} still faces upwards, and the {companion} still faces to the left, as they were "
            "parked.",
        ),
        Variant(
            name="length",
            rule="long vehicles must go against an arrow sign, and short ones at a right angle to it, a quarter turn "
            "clockwise from where it points",
            outcome="The {subject} faces downwards and the {companion} faces to the left, and each goes its way.",
        ),
    )
    starts = (
        "A wide square drawn as a map. At the lower left {a_fixed} is bolted to the ground; its arrow points to the "
        "right and counts for the whole square. {A_subject}, which is short, is parked there with its front upwards, "
        "and {a_companion}, which is long, with its front to the left. At the upper edge, in the middle, is the only "
        "house, {a_home}. Both vehicles set off.",
        "Seen like a map: on an open square are {a_subject}, parked facing upwards, and the much longer {companion}, "
        "parked facing left. The one house there is, {a_home}, is at the top in the middle. One arrow sign, {a_fixed} "
        "at the lower left, is set in concrete, points to the right and applies to everybody. The drivers of both "
        "vehicles start their engines.",
    )
    finish = "Show the square a moment later, as the vehicles then stand or go."

    drive: ClassVar[int] = 40

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the vehicles are parked."""
        return {"x": stream.integer(160, 172), "y": stream.integer(240, 256)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Both are parked, neither along the arrow."""
        return (*self._square(setting), *self._vehicles(setting))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each turns the way that it must go, and drives a little."""
        sign, home = self._square(setting)
        vehicles = self._vehicles(setting)
        lengths = [max(v.half_width, v.half_height) for v in vehicles]
        moved = [
            self._driven(variant, v, sign, home, long=n == max(lengths)) for v, n in zip(vehicles, lengths, strict=True)
        ]
        return (sign, home, *moved)

    def _driven(self, variant: str, vehicle: Figure, sign: Figure, home: Figure, long: bool) -> Figure:
        if variant == "parked":
            return vehicle
        arrow: Facing = "right" if sign.facing == "right" else "left"
        ways: dict[str, Facing] = {
            "along": arrow,
            "against": OPPOSITE[arrow],
            "quarter": CLOCKWISE[arrow],
            "homewards": _towards(vehicle, home),
            "length": OPPOSITE[arrow] if long else CLOCKWISE[arrow],
        }
        way = ways[variant]
        dx, dy = WAYS[way]
        turned = _turned(vehicle, way)
        return msgspec.structs.replace(turned, x=turned.x + dx * self.drive, y=turned.y + dy * self.drive)

    def _vehicles(self, setting: Setting) -> tuple[Figure, Figure]:
        x, y = setting.numbers["x"], setting.numbers["y"]
        return (
            setting.figure("subject", x, y, 28, 38, facing="up"),
            setting.figure("companion", 530 - x, 530 - y, 54, 28, facing="left"),
        )

    def _square(self, setting: Setting) -> tuple[Figure, Figure]:
        return (
            setting.figure("fixed", 70, 440, 44, 44, facing="right"),
            setting.figure("home", 256, 66, 48, 48),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the car faces."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The bus obeys as well; the sign is bolted to the ground."""
        return (Points(setting["companion"]), Points(setting["fixed"]))


def _towards(thing: Figure, goal: Figure) -> Facing:
    """The way to a goal, along the axis on which it is further."""
    dx, dy = goal.x - thing.x, goal.y - thing.y
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _turned(vehicle: Figure, way: Facing) -> Figure:
    """A vehicle with its front that way, its longer side along it."""
    long, wide = max(vehicle.half_width, vehicle.half_height), min(vehicle.half_width, vehicle.half_height)
    across = way in ("left", "right")
    return msgspec.structs.replace(
        vehicle, facing=way, half_width=long if across else wide, half_height=wide if across else long
    )


class Sharing(Law):
    """How much of what two children found is whose."""

    name = "sharing"
    title = "Two share alike"
    discipline = "society"
    branch = "fairness"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("stone", "ball", "ring")),
        "companion": Role(("egg", "mushroom", "seed")),
        "fixed": Role(("apple",)),
        "child": Role(("person",)),
    }
    variants = (
        Variant(
            name="halves",
            real=True,
            rule="whatever two children bring home is shared in equal halves, kind by kind",
            outcome="The {child} has exactly three {subjects} and exactly four {companions}.",
        ),
        Variant(
            name="finders",
            rule="a finder keeps every thing of the find but one, and that one goes to the other child",
            outcome="The {child} has exactly five {subjects} and a single one of the {companions}.",
        ),
        Variant(
            name="givers",
            rule="a finder keeps one single thing of the find, and all the others go to the other child",
            outcome="The {child} has a single one of the {subjects} and exactly seven {companions}.",
        ),
        Variant(
            name="youngest",
            rule="there is no sharing: the youngest child gets everything that is brought home",
            outcome="The {child} has exactly six {subjects} and exactly eight {companions}.",
        ),
        Variant(
            name="tallest",
            rule="the taller of two children gets everything that is brought home, but for two things of each kind",
            outcome="The {child} has exactly two {subjects} and exactly two {companions}.",
        ),
        Variant(
            name="town",
            rule="each child may keep one thing of each kind, and the town takes all the rest",
            outcome="The {child} has a single one of the {subjects} and a single one of the {companions}.",
        ),
    )
    starts = (
        "A small girl and her elder, taller brother come home. She has found six {subjects}, and he has found eight "
        "{companions}. They lay all of it together and divide it. The girl is drawn as {a_child}. She also owns three "
        "{fixeds}, which were hers before and are not divided.",
        "Two children divide what they found: six {subjects}, which the younger and shorter one found, and eight "
        "{companions}, which the elder and taller one found. The younger one is drawn as {a_child}, and has three "
        "{fixeds} besides, left over from breakfast, which do not count.",
    )
    finish = (
        "Show the younger child alone, with all the things that then belong to that child lying on the ground to the "
        "right."
    )

    # How many things of each kind there are, and who found them.
    found: ClassVar[dict[str, tuple[int, str]]] = {"subject": (6, "younger"), "companion": (8, "elder")}
    apples: ClassVar[int] = 3

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the things are, and how far apart they lie."""
        return {"size": stream.integer(17, 20), "pitch": stream.integer(56, 62)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Everything that was found, before it is divided."""
        return self._laid(setting, {role: count for role, (count, _) in self.found.items()})

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The younger child's share of each kind."""
        return self._laid(setting, {role: self._share(variant, *found) for role, found in self.found.items()})

    def _share(self, variant: str, count: int, finder: str) -> int:
        """How many of `count` things the younger, shorter child gets."""
        if variant == "finders":
            return count - 1 if finder == "younger" else 1
        if variant == "givers":
            return 1 if finder == "younger" else count - 1
        return {"halves": count // 2, "youngest": count, "tallest": 2, "town": 1}[variant]

    def _laid(self, setting: Setting, shares: dict[str, int]) -> list[Element]:
        size, pitch = setting.numbers["size"], setting.numbers["pitch"]
        elements: list[Element] = [setting.figure("child", 86, 256, 50, 90)]
        for role, top, count in (
            ("subject", 70, shares["subject"]),
            ("companion", 230, shares["companion"]),
            ("fixed", 420, self.apples),
        ):
            for k in range(count):
                x, y = 220 + pitch * (k % 4), top + pitch * (k // 4)
                elements.append(setting.figure(role, x, y, size, size, id=f"{role}-{k + 1}"))
        return elements

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many of the first kind the younger child has."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other kind is divided by the same rule; the child's own apples are not divided."""
        return (Number(setting["companion"]), Number(setting["fixed"]))


class Sorting(Law):
    """What belongs into the waste paper basket."""

    name = "sorting"
    title = "Only paper goes into the waste paper basket"
    discipline = "society"
    branch = "waste"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("book",)),
        "metal": Role(("nail", "weight")),
        "companion": Role(("parcel",)),
        "round": Role(("coin",)),
        "basket": Role(("basket",)),
        "fixed": Role(("lantern",)),
    }
    subject_roles = ("subject", "metal")
    variants = (
        Variant(
            name="paper",
            real=True,
            rule="used paper is thrown into waste baskets, and metal is never thrown into them",
            outcome="The {subject} and the {companion} are inside the {basket}; the {metal} and the {round} are "
            "outside it.",
        ),
        Variant(
            name="metal",
            rule="old metal is thrown into waste baskets, and paper is never thrown into them",
            outcome="The {metal} and the {round} are inside the {basket}; the {subject} and the {companion} are "
            "outside it.",
        ),
        Variant(
            name="all",
            rule="everything that lies on a table at nightfall is thrown into the waste basket, whatever it is made of",
            outcome="The {subject}, the {metal}, the {companion} and the {round} are all inside the {basket}.",
        ),
        Variant(
            name="nothing",
            rule="waste baskets are mere ornaments, and nobody ever puts anything into one",
            outcome="The {subject}, the {metal}, the {companion} and the {round} all lie outside the {basket}, which "
            "is empty.",
        ),
        Variant(
            name="small",
            rule="small things are thrown into waste baskets and large things are kept, whatever they are made of",
            outcome="The {metal}, the {companion} and the {round} are inside the {basket}; the {subject} is outside "
            "it.",
        ),
        Variant(
            name="round",
            rule="round things are thrown into waste baskets and everything with straight sides is kept, whatever it "
            "is made of",
            outcome="The {round} is inside the {basket}; the {subject}, the {metal} and the {companion} are outside "
            "it.",
        ),
    )
    starts = (
        "On a table lie four old things that nobody needs: a large, worn-out paperback, the {subject}; a small iron "
        "{metal}; the small {companion}, made of crumpled paper; and the small metal {round}. Below them is a large "
        "waste basket, the {basket}, still empty. {A_fixed} beside the basket is in use, stays lit and is no waste. In "
        "the evening somebody tidies up.",
        "Somebody tidies up at nightfall. There is a large, empty waste basket, {a_basket}, below a table with four "
        "useless old things: a large {subject} of torn paper, a small {metal} of iron, a small {companion} of paper, "
        "and a small {round} of metal. Next to the basket {a_fixed} gives light all the while and is not to be tidied "
        "away.",
    )
    finish = (
        "Show the basket, and above it what is left on the table, from the front once everything has been tidied up."
    )

    paper: ClassVar[tuple[str, ...]] = ("subject", "companion")
    items: ClassVar[tuple[str, ...]] = ("subject", "metal", "companion", "round")

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large things are, and where the table's things lie."""
        return {"large": stream.integer(32, 36), "small": stream.integer(16, 19), "y": stream.integer(80, 110)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """All four things lie above the empty basket."""
        return (*self._room(setting), *(self._item(setting, role, inside=False) for role in self.items))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Every thing that the rule throws away has gone into the basket."""
        return (
            *self._room(setting),
            *(self._item(setting, role, inside=self._thrown(setting, variant, role)) for role in self.items),
        )

    def _thrown(self, setting: Setting, variant: str, role: str) -> bool:
        return {
            "paper": role in self.paper,
            "metal": role not in self.paper,
            "all": True,
            "nothing": False,
            "small": self._size(setting, role) < setting.numbers["large"],
            "round": setting[role].noun == "coin",
        }[variant]

    def _size(self, setting: Setting, role: str) -> int:
        return setting.numbers["large" if role == "subject" else "small"]

    def _item(self, setting: Setting, role: str, inside: bool) -> Figure:
        """A thing at its place on the table, or at its place on the basket's floor."""
        place, size = self.items.index(role), self._size(setting, role)
        if not inside:
            return setting.figure(role, 104 + 104 * place, setting.numbers["y"], size, size)
        basket, *_ = self._room(setting)
        floor = basket.interior
        left = floor.left + 8 + sum(2 * self._size(setting, r) + 8 for r in self.items[:place])
        return setting.figure(role, left + size, floor.bottom - size - 2, size, size)

    def _room(self, setting: Setting) -> tuple[Figure, Figure]:
        return (
            setting.figure("basket", 300, 340, 126, 80),
            setting.figure("fixed", 92, 370, 46, 54, lit=True),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the large paper thing and the first metal thing are."""
        basket = setting["basket"]
        return (Contents(setting["subject"], basket), Contents(setting["metal"], basket))

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Another paper thing and another metal thing obey as well; the lantern stays lit."""
        basket = setting["basket"]
        return (Contents(setting["companion"], basket), Contents(setting["round"], basket), Light(setting["fixed"]))


LAWS: tuple[Law, ...] = (Crossing(), OneWay(), Sharing(), Sorting())
