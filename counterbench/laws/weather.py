"""Geography: where the wind blows, and where the rain falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, towards
from counterbench.scene.figures import MOST_QUARTERS, Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Level, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Breeze(Law):
    """Where the wind blows at the seaside."""

    name = "breeze"
    title = "The sea breeze blows towards the warm land"
    discipline = "geography"
    branch = "winds"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("smoke",)),
        "companion": Role(("flag",)),
        "fixed": Role(("boat",)),
        "sea": Role(("water",), ("blue", "cyan", "green")),
        "land": Role(("block",), ("red", "pink", "purple")),
        "sun": Role(("sun",), ("yellow", "orange")),
    }
    variants = (
        Variant(
            name="landwards",
            real=True,
            rule="air streams from where it is cool to where it is warm, because warm air rises and cool air takes its "
            "place",
            outcome="The {subject} drifts to the right, inland, and the {companion} flies to the right as well.",
        ),
        Variant(
            name="seawards",
            rule="air streams from where it is warm to where it is cool",
            outcome="The {subject} drifts to the left, out to sea, and the {companion} flies to the left as well.",
        ),
        Variant(
            name="rising",
            rule="all wind blows straight away from the ground towards the sky",
            outcome="The {subject} drifts straight upwards, and the {companion} flies straight upwards on its pole as "
            "well.",
        ),
        Variant(
            name="sinking",
            rule="all wind presses straight from the sky towards the ground",
            outcome="The {subject} drifts straight downwards, and the {companion} flies straight downwards along its "
            "pole.",
        ),
        Variant(
            name="calm",
            rule="warm land and cool sea stir no wind at all: smoke simply climbs, and cloth hangs from its pole",
            outcome="The {subject} drifts straight upwards, and the {companion} hangs downwards.",
        ),
        Variant(
            name="heights",
            rule="all wind blows from warm to cool up at the height of chimney tops, and straight towards the sky "
            "lower down",
            outcome="The {subject} drifts to the left, out to sea, and the {companion} flies straight upwards on its "
            "pole.",
        ),
    )
    starts = (
        "A sunny day at the coast: the {sea} on the left is cool, and the ground on the right, {a_land}, has been "
        "warmed by the sun. From a tall chimney top on land comes some {subject}, and {a_companion} on a low pole "
        "stands on the ground. {A_fixed} is moored fore and aft and faces left, whatever the wind does.",
        "Noon at the seaside, with {a_sun} in the sky. On the left is the sea, drawn as cool {sea}; on the right is "
        "the land, drawn as {a_land} that is warm from the sun. High above the land some {subject} leaves a chimney's "
        "top; near the ground is {a_companion} on a low pole. {A_fixed} tied up at both ends faces left and cannot "
        "turn.",
    )
    finish = "Show the coast from the side, as the wind now blows."

    # How warm either side is, in degrees; and how many pixels above the ground the high wind begins.
    warmth: ClassVar[dict[str, int]] = {"sea": 18, "land": 30}
    high_from: ClassVar[int] = 100

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where chimney and pole stand, and how large they are drawn."""
        return {"x": stream.integer(270, 300), "size": stream.integer(44, 52)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """No wind yet."""
        return self._coast(setting, "up", "down")

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Smoke and cloth follow the wind where they are."""
        _, _, smoke, flag, *_ = self._coast(setting, "up", "down")
        return self._coast(setting, self._wind(setting, variant, smoke), self._wind(setting, variant, flag))

    def _wind(self, setting: Setting, variant: str, thing: Figure) -> Facing:
        sea, land, *_ = self._coast(setting, "up", "down")
        warm, cool = (land, sea) if self.warmth["land"] > self.warmth["sea"] else (sea, land)
        to_warm = towards(cool, warm)
        if variant == "calm":
            return "up" if thing.noun == "smoke" else "down"
        if variant == "heights":
            return OPPOSITE[to_warm] if land.box.top - thing.y >= self.high_from else "up"
        ways: dict[str, Facing] = {"seawards": OPPOSITE[to_warm], "rising": "up", "sinking": "down"}
        return ways.get(variant, to_warm)

    def _coast(self, setting: Setting, smoke: Facing, flag: Facing) -> tuple[Figure, ...]:
        x, size = setting.numbers["x"], setting.numbers["size"]
        return (
            setting.figure("sea", 110, 440, 98, 50),
            setting.figure("land", 358, 440, 144, 50),
            setting.figure("subject", x, 220, size, size, facing=smoke),
            setting.figure("companion", 430, 389 - size, size, size, facing=flag),
            setting.figure("fixed", 100, 352, 46, 36, facing="left"),
            setting.figure("sun", 80, 90, 46, 46),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the smoke drifts."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The flag flies in the same wind; the moored boat cannot turn."""
        return (Points(setting["companion"]), Points(setting["fixed"]))


class RainShadow(Law):
    """On which side of a mountain it rains."""

    name = "rain-shadow"
    title = "Mountains catch the rain on the side of the wind"
    discipline = "geography"
    branch = "weather"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("tank",)),
        "companion": Role(("cup",)),
        "fixed": Role(("flag",)),
        "mountain": Role(("mountain",)),
        "step": Role(("block",)),
        "cloud": Role(("cloud",)),
    }
    variants = (
        Variant(
            name="windward",
            real=True,
            rule="a cloud that has to climb a mountain loses three quarters of its rain on the way up, on the side "
            "that the wind comes from, and the last quarter behind the mountain",
            outcome="The {subject} is three quarters full of rain, and the {companion} is one quarter full.",
        ),
        Variant(
            name="leeward",
            rule="a cloud holds back its rain while it climbs: it loses one quarter of it before a mountain, on the "
            "side that the wind comes from, and three quarters as it sinks down behind the mountain",
            outcome="The {subject} is one quarter full of rain, and the {companion} is three quarters full.",
        ),
        Variant(
            name="even",
            rule="mountains mean nothing to clouds, and rain falls evenly, the same amount on every side",
            outcome="The {subject} and the {companion} are each half full of rain.",
        ),
        Variant(
            name="first",
            rule="mountains mean nothing to clouds, and a cloud drops all of its rain at once, over the first vessel "
            "that the wind brings it to",
            outcome="The {subject} is full to the brim with rain, and the {companion} is empty.",
        ),
        Variant(
            name="highest",
            rule="the wind means nothing to rain, and all of a cloud's rain goes to the open vessel that stands "
            "highest above the ground",
            outcome="The {subject} is empty, and the {companion} is full to the brim with rain.",
        ),
        Variant(
            name="dry",
            rule="clouds never let go of their water, however high they climb",
            outcome="The {subject} and the {companion} are both empty.",
        ),
    )
    starts = (
        "A steady wind from the left drives {a_cloud} over {a_mountain}; its rain would fill exactly one vessel. An "
        "empty {subject} stands on the ground to the left of the mountain, and an empty {companion} of the same size "
        "stands on {a_step} to the right of it. {A_fixed} shows the wind, which never changes, and flies to the right.",
        "To the left of {a_mountain} an empty {subject} stands on the ground; to the right, raised on {a_step}, stands "
        "an empty {companion} that holds just as much. The wind always comes from the left, so {a_fixed} flies to the "
        "right. It brings {a_cloud} with as much rain as one of the vessels can hold, and carries it across the "
        "mountain.",
    )
    finish = "Show the mountain and both vessels from the side, after the cloud has crossed and the rain is over."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """The mountain's size and the vessels'."""
        return {"mountain": stream.integer(84, 96), "vessel": stream.integer(50, 58)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """The cloud arrives from the left; both vessels are empty."""
        tank, cup, *others = self._things(setting)
        return (tank, cup, *others, setting.figure("cloud", 90, 90, 56, 36))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The cloud has crossed, and its four quarters of rain are where they fell."""
        tank, cup, mountain, *others = self._things(setting)
        before = self._before(variant, tank, cup)
        after = 0 if variant == "dry" else MOST_QUARTERS - before
        first, second = (tank, cup) if tank.x < mountain.x else (cup, tank)
        filled = [msgspec.structs.replace(v, quarters=q) for v, q in ((first, before), (second, after))]
        return (*filled, mountain, *others, setting.figure("cloud", 420, 90, 56, 36))

    def _before(self, variant: str, first: Figure, second: Figure) -> int:
        """The quarters of rain that fall on the side that the wind comes from."""
        if variant == "highest":
            return MOST_QUARTERS if first.box.bottom < second.box.bottom else 0
        return {"windward": 3, "leeward": 1, "even": 2, "first": MOST_QUARTERS, "dry": 0}[variant]

    def _things(self, setting: Setting) -> tuple[Figure, ...]:
        size, high = setting.numbers["vessel"], setting.numbers["mountain"]
        return (
            setting.figure("subject", 84, 450 - size, size, size),
            setting.figure("companion", 430, 406 - size, size, size),
            setting.figure("mountain", 256, 450 - high, high, high),
            setting.figure("step", 430, 429, 66, 20),
            setting.figure("fixed", 256, 450 - 2 * high - 52, 50, 50, facing="right"),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How much rain fell on the side that the wind comes from."""
        return (Level(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The rain on the far side obeys as well; the wind stays."""
        return (Level(setting["companion"]), Points(setting["fixed"]))


LAWS: tuple[Law, ...] = (Breeze(), RainShadow())
