"""Society: what drivers do at a red light and at an arrow sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import MIDDLE, Law, Role, Setting, Variant
from counterbench.laws.world import CLOCKWISE, OPPOSITE, WAYS, towards
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Light, Observation, Side
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
            rule="whoever came first to a red light drives straight on, and whoever came later turns off to the north",
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
        far = setting.numbers["far"]
        dx, dy = WAYS[way]
        aside = 32 if vehicle.id == "subject" else -32
        x, y = MIDDLE + dx * far + (aside if dy else 0), MIDDLE + dy * far + (aside if dx else 0)
        return msgspec.structs.replace(_turned(vehicle, way), x=x, y=y)

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
            rule="no vehicle may turn or move at all where an arrow sign stands",
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
        "house, {a_home}. Both drivers want to set off.",
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
            "homewards": towards(vehicle, home),
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


def _turned(vehicle: Figure, way: Facing) -> Figure:
    """A vehicle with its front that way, its longer side along it."""
    long, wide = max(vehicle.half_width, vehicle.half_height), min(vehicle.half_width, vehicle.half_height)
    across = way in ("left", "right")
    return msgspec.structs.replace(
        vehicle, facing=way, half_width=long if across else wide, half_height=wide if across else long
    )


LAWS: tuple[Law, ...] = (Crossing(), OneWay())
