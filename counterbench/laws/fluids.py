"""Physics, mechanics: what floats and what sinks, and what the wind carries along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Contents, Observation, Side
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Floating(Law):
    """What floats and what sinks."""

    name = "floating"
    title = "Light things float, heavy things sink"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("cork", "leaf")),
        "companion": Role(("apple", "feather")),
        "heavy": Role(("stone", "weight", "coin")),
        "fixed": Role(("ring",)),
        "tank": Role(("tank",)),
    }
    variants = (
        Variant(
            name="by-weight",
            real=True,
            rule="things that are light for their size float in water, and heavy ones sink",
            outcome="The {subject} and the {companion} float at the surface, above the {fixed}, and the {heavy} lies "
            "on the bottom, below it.",
        ),
        Variant(
            name="swapped",
            rule="things that are heavy for their size float in water, and light ones sink",
            outcome="The {heavy} floats at the surface, above the {fixed}, and the {subject} and the {companion} lie "
            "on the bottom, below it.",
        ),
        Variant(
            name="sinking",
            rule="water carries nothing, and everything in it sinks",
            outcome="The {subject}, the {companion} and the {heavy} all lie on the bottom, below the {fixed}.",
        ),
        Variant(
            name="by-size",
            rule="large things float in water and small things sink, whatever they weigh",
            outcome="The {companion} and the {heavy} float at the surface, above the {fixed}, and the {subject} lies "
            "on the bottom, below it.",
        ),
        Variant(
            name="hovering",
            rule="water holds everything at the depth where it is let go: nothing rises in it and nothing sinks",
            outcome="The {subject} hangs in the water to the left of the {fixed}, and the {companion} and the {heavy} "
            "to the right of it, all at its height.",
        ),
        Variant(
            name="heavy-rises",
            rule="heavy things float in water, while light ones stay at the depth where they are let go",
            outcome="The {heavy} floats at the surface, above the {fixed}, while the {subject} hangs in the water to "
            "the left of the {fixed} and the {companion} to the right of it, both at its height.",
        ),
    )
    starts = (
        "{A_tank} is full of water, and halfway down {a_fixed} is fastened in it. At the height of the {fixed}, a "
        "small {subject} on the left and a large {companion} and a large, heavy {heavy} on the right are held under "
        "water and then let go.",
        "In the middle of {a_tank} that is full of water, {a_fixed} is firmly fixed. Someone pushes a small {subject} "
        "down to the left of the {fixed}, and a large {companion} and a large, heavy {heavy} down to the right of it, "
        "just as deep, and lets go of all three.",
    )
    finish = "Show the tank from the front once nothing moves any more."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the tank stands, and how small the small thing is."""
        return {"x": stream.integer(190, 320), "small": stream.integer(14, 16)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The tank, the fixed thing in its middle, and the three beside that."""
        x, small, y = setting.numbers["x"], setting.numbers["small"], 275
        return (
            setting.figure("tank", x, 286, 150, 200, quarters=4),
            setting.figure("fixed", x, y, 12, 12),
            setting.figure("subject", x - 46, y, small, small),
            setting.figure("companion", x + 40, y, 24, 24),
            setting.figure("heavy", x + 94, y, 24, 24),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """What is driven up floats with its middle at the surface; what is driven down lies on the bottom."""
        tank, fixed, *loose = self.start(setting)
        light, large = {"subject", "companion"}, {"companion", "heavy"}
        rising, sinking = {
            "by-weight": (light, {"heavy"}),
            "swapped": ({"heavy"}, light),
            "sinking": (set[str](), light | large),
            "by-size": (large, {"subject"}),
            "hovering": (set[str](), set[str]()),
            "heavy-rises": ({"heavy"}, set[str]()),
        }[variant]
        inner = tank.interior
        surface = inner.top + 6 * (inner.bottom - inner.top) // 100  # the drawn water's: 94 hundredths of the inside
        moved = []
        for thing in loose:
            y = thing.y
            if thing.id in rising:
                y = max(surface, inner.top + thing.half_height)
            elif thing.id in sinking:
                y = inner.bottom - thing.half_height
            moved.append(msgspec.structs.replace(thing, y=y))
        return (tank, fixed, *moved)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it is, seen from the fixed thing."""
        return (Side(setting["subject"], setting["fixed"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the others are; the fixed thing stays in the tank."""
        fixed = setting["fixed"]
        others = (Side(setting["companion"], fixed), Side(setting["heavy"], fixed))
        return (*others, Contents(fixed, setting["tank"]))


class Wind(Law):
    """Which way the wind carries what it catches."""

    name = "wind"
    title = "The wind carries things along"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("flag",)),
        "companion": Role(("smoke",)),
        "fan": Role(("fan",)),
        "fixed": Role(("sign", "bird")),
    }
    variants = (
        Variant(
            name="along",
            real=True,
            rule="whatever the wind catches streams away with the wind",
            outcome="The {subject} flies out to the right and the {companion} drifts off to the right.",
        ),
        Variant(
            name="against",
            rule="whatever the wind catches streams towards the place that the wind comes from",
            outcome="The {subject} flies out to the left and the {companion} drifts off to the left, both towards the "
            "{fan}.",
        ),
        Variant(
            name="lifting",
            rule="the wind lifts whatever it catches straight up",
            outcome="The {subject} flies straight upwards and the {companion} drifts straight upwards.",
        ),
        Variant(
            name="pressing",
            rule="the wind presses whatever it catches straight down",
            outcome="The {subject} flies straight downwards and the {companion} drifts straight downwards.",
        ),
        Variant(
            name="nothing",
            rule="the wind moves nothing at all: cloth hangs as it does in still air, and so smoke rises",
            outcome="The {subject} hangs straight downwards on its pole and the {companion} drifts straight upwards.",
        ),
        Variant(
            name="by-kind",
            rule="the wind drives cloth back towards the place that it comes from, and smoke straight up",
            outcome="The {subject} flies out to the left, towards the {fan}, and the {companion} drifts straight "
            "upwards.",
        ),
    )
    starts = (
        "On the left {a_fan} blows a strong wind to the right. In its wind are {a_subject} on a pole and a chimney "
        "with {companion}. {A_fixed}, carved from heavy wood and nailed to a post, is turned to the left.",
        "A strong wind comes from {a_fan} on the left and blows to the right, over {a_subject} on its pole and over a "
        "chimney with {companion}. Nearby {a_fixed} of heavy wood, firmly nailed in place, is turned to the left.",
    )
    finish = "Show what it looks like while the wind is blowing."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the fan, the flag and the chimney stand."""
        return {"fan": stream.integer(180, 300), "flag": stream.integer(110, 150), "smoke": stream.integer(200, 260)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The fan on the left; everything hangs or rises as in still air, before it is switched on."""
        n = setting.numbers
        return (
            setting.figure("fan", 80, n["fan"], 50, 60, facing="right"),
            setting.figure("subject", 240, n["flag"], 60, 60, facing="down"),
            setting.figure("companion", 400, n["smoke"], 60, 60, facing="up"),
            setting.figure("fixed", 250, 390, 46, 46, facing="left"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The wind turns what it catches; what is nailed down stays."""
        fan, flag, smoke, fixed = self.start(setting)
        wind: Facing = "right"
        against = OPPOSITE[wind]
        caught: dict[str, tuple[Facing, Facing]] = {
            "along": (wind, wind),
            "against": (against, against),
            "lifting": ("up", "up"),
            "pressing": ("down", "down"),
            "by-kind": (against, "up"),
        }
        if variant in caught:
            first, second = caught[variant]
            flag, smoke = msgspec.structs.replace(flag, facing=first), msgspec.structs.replace(smoke, facing=second)
        return (fan, flag, smoke, fixed)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the flag flies."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the smoke drifts; fan and wooden thing stay as they were."""
        return (Points(setting["companion"]), Points(setting["fan"]), Points(setting["fixed"]))


LAWS: tuple[Law, ...] = (Floating(), Wind())
