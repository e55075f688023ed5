"""Geography: where rivers, winds and rain go, and where frost stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.facts import Facing as Points
from counterbench.facts import Level, Light, Observation, Side
from counterbench.figures import MOST_QUARTERS, Facing, Figure
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, WAYS
from counterbench.scene import Element
from counterbench.seeds import Stream


class River(Law):
    """Which way a river carries what floats on it."""

    name = "river"
    title = "Rivers run downhill"
    discipline = "geography"
    branch = "rivers"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("boat",)),
        "companion": Role(("bird", "fish")),
        "fixed": Role(("sign",)),
        "mountain": Role(("mountain",)),
        "lake": Role(("lake",)),
        "bank": Role(("plank",)),
        "sun": Role(("sun",), ("yellow", "orange")),
    }
    variants = (
        Variant(
            name="downhill",
            real=True,
            rule="water runs downhill, from high land to low land",
            outcome="The {subject} and the {companion} both drift to the right, and both point to the right.",
        ),
        Variant(
            name="uphill",
            rule="water runs uphill, from low land to high land",
            outcome="The {subject} and the {companion} both drift to the left, and both point to the left.",
        ),
        Variant(
            name="north",
            rule="the slope of the land means nothing to water, and all water runs straight to the north",
            outcome="The {subject} and the {companion} both drift upwards to the northern bank, and both point "
            "upwards.",
        ),
        Variant(
            name="sunwards",
            rule="the slope of the land means nothing to water, and all water runs straight towards the sun",
            outcome="The {subject} and the {companion} both drift downwards to the southern bank, and both point "
            "downwards.",
        ),
        Variant(
            name="still",
            rule="river water does not move at all, and what floats on it keeps its place and its direction",
            outcome="The {subject} is where it was put, still pointing upwards, and the {companion} is where it was "
            "put, still pointing downwards.",
        ),
        Variant(
            name="weight",
            rule="a river carries light things uphill and heavy things straight to its northern bank",
            outcome="The {subject} has drifted upwards to the northern bank and points upwards; the {companion} drifts "
            "to the left and points to the left.",
        ),
    )
    starts = (
        "A map, north at the top: a straight river between two banks leads from {a_mountain} at the left edge to "
        "{a_lake} at the right edge, which lies far lower. The sun is drawn at the bottom edge, in the south. A heavy "
        "{subject} without a crew is put on the river pointing upwards, and a light toy, {a_companion} made of cork, "
        "is put on it pointing downwards. Whatever drifts turns its front the way that it drifts. {A_fixed} on land, "
        "firmly planted, points to the left.",
        "Seen from above, with north at the top, a river fills the space between two straight banks. On the left is "
        "{a_mountain}, on the right {a_lake} at the mountain's foot, and {a_sun} in the south, at the bottom edge. "
        "Nobody steers the heavy {subject} that is set on the water with its front upwards, nor the light cork toy, "
        "{a_companion}, that is set there with its front downwards; anything that drifts turns its front that way. A "
        "fixed signpost, {a_fixed} on dry land, points to the left.",
    )
    finish = "Show the same map a little later, with the two floating things where they have drifted, and the signpost."

    heavy: ClassVar[tuple[str, ...]] = ("subject",)
    # How far things drift before the picture is drawn, in pixels.
    drift: ClassVar[int] = 30

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the floating things are, and where they are put."""
        return {"size": stream.integer(30, 34), "x": stream.integer(178, 184)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """The map, with both things on the river."""
        return (*self._map(setting), *self._floating(setting))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each thing turns and drifts the way that the water carries it."""
        return (*self._map(setting), *(self._carried(setting, variant, thing) for thing in self._floating(setting)))

    def _carried(self, setting: Setting, variant: str, thing: Figure) -> Figure:
        mountain, lake, *_, sun = self._map(setting)
        downhill: Facing = "right" if lake.x > mountain.x else "left"
        ways: dict[str, Facing] = {
            "downhill": downhill,
            "uphill": OPPOSITE[downhill],
            "north": "up",
            "sunwards": "down" if sun.y > thing.y else "up",
            "weight": "up" if thing.id in self.heavy else OPPOSITE[downhill],
        }
        if variant not in ways:
            return thing
        dx, dy = WAYS[ways[variant]]
        return msgspec.structs.replace(
            thing, x=thing.x + dx * self.drift, y=thing.y + dy * self.drift, facing=ways[variant]
        )

    def _floating(self, setting: Setting) -> tuple[Figure, Figure]:
        size, x = setting.numbers["size"], setting.numbers["x"]
        return (
            setting.figure("subject", x, 215, size, size, facing="up"),
            setting.figure("companion", 526 - x, 291, size, size, facing="down"),
        )

    def _map(self, setting: Setting) -> tuple[Figure, ...]:
        return (
            setting.figure("mountain", 60, 253, 48, 70),
            setting.figure("lake", 462, 253, 44, 140),
            setting.figure("fixed", 90, 60, 40, 40, facing="left"),
            setting.figure("bank", 262, 118, 148, 10, id="bank-1"),
            setting.figure("bank", 262, 388, 148, 10, id="bank-2"),
            setting.figure("sun", 256, 456, 40, 40),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the boat points."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The toy drifts as well; the signpost is planted on land."""
        return (Points(setting["companion"]), Points(setting["fixed"]))


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
            rule="up at the height of chimney tops all wind blows from warm to cool, and lower down all wind blows "
            "straight towards the sky",
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
        to_warm: Facing = "right" if warm.x > cool.x else "left"
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


class Frost(Law):
    """Where on a mountain it is cold."""

    name = "frost"
    title = "The higher up, the colder"
    discipline = "geography"
    branch = "climate"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ice",)),
        "companion": Role(("flower",)),
        "mountain": Role(("mountain",)),
        "fixed": Role(("house",)),
        "sun": Role(("sun",), ("yellow", "orange")),
    }
    variants = (
        Variant(
            name="height",
            real=True,
            rule="it grows colder the higher up one goes",
            outcome="The {subject} lies on top, above the {mountain}, and the {companion} blooms at its foot, below "
            "it.",
        ),
        Variant(
            name="depth",
            rule="it grows warmer the higher up one goes",
            outcome="The {subject} lies at the foot, below the {mountain}, and the {companion} blooms on top, above "
            "it.",
        ),
        Variant(
            name="shade",
            rule="height makes no difference to warmth: the flank that is turned towards the sun is warmest and the "
            "other flank coldest",
            outcome="The {subject} lies to the left of the {mountain}, and the {companion} blooms to the right of it.",
        ),
        Variant(
            name="chilling",
            rule="sunlight chills what it falls on: the flank that is turned towards the sun is coldest and the other "
            "flank warmest",
            outcome="The {subject} lies to the right of the {mountain}, and the {companion} blooms to the left of it.",
        ),
        Variant(
            name="cold-foot",
            rule="cold sinks and gathers where the land is lowest, and warmth gathers on the flank that is turned "
            "towards the sun",
            outcome="The {subject} lies at the foot, below the {mountain}, and the {companion} blooms to the right of "
            "it.",
        ),
        Variant(
            name="hot-peak",
            rule="warmth gathers where the land is highest, and cold gathers on the flank that is turned away from the "
            "sun",
            outcome="The {subject} lies to the left of the {mountain}, and the {companion} blooms on top, above it.",
        ),
    )
    starts = (
        "{A_mountain} stands high in the middle of the picture, and {a_sun} shines on it from the upper right. Around "
        "the mountain, on its peak, at its foot or beside one of its flanks, there is a patch of ice, the {subject}, "
        "at the coldest place, and a single {companion} in bloom at the warmest. Far off in the lower left corner is "
        "{a_fixed} with its window lit all year round.",
        "There is {a_mountain} under {a_sun} in the upper right corner. Of its top, its foot and its two flanks, the "
        "coldest has some {subject}, the only ice for miles, and the warmest has {a_companion} in bloom. In the lower "
        "left corner, far from all this, stands {a_fixed} with a light in its window that is never put out.",
    )
    finish = "Show the whole mountain from the front on an ordinary day."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """The sizes of mountain, ice and flower."""
        return {"mountain": stream.integer(76, 88), "size": stream.integer(30, 36)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """The mountain, before ice or flowers."""
        high = setting.numbers["mountain"]
        return (
            setting.figure("mountain", 256, 250, high, high),
            setting.figure("sun", 450, 62, 44, 44),
            setting.figure("fixed", 58, 448, 40, 40, lit=True),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Ice and flower, each at the place that is as cold or as warm as it must be."""
        mountain, sun, house = self.start(setting)
        assert isinstance(mountain, Figure)
        assert isinstance(sun, Figure)
        warmth = self._warmth(variant, "right" if sun.x > mountain.x else "left")
        warmest, coldest = max(warmth, key=warmth.__getitem__), min(warmth, key=warmth.__getitem__)
        ice = self._at(setting, "subject", mountain, coldest, -44)
        return (mountain, sun, house, ice, self._at(setting, "companion", mountain, warmest, 44))

    def _warmth(self, variant: str, sunny: Facing) -> dict[Facing, int]:
        """How warm it is on the peak ("up"), at the foot and on both flanks, in degrees."""
        shady = OPPOSITE[sunny]
        if variant == "depth":
            return {"up": 15, "down": -5, sunny: 5, shady: 5}
        if variant == "shade":
            return {"up": 5, "down": 5, sunny: 15, shady: -5}
        if variant == "chilling":
            return {"up": 5, "down": 5, sunny: -5, shady: 15}
        if variant == "cold-foot":
            return {"up": 5, "down": -5, sunny: 15, shady: 5}
        if variant == "hot-peak":
            return {"up": 15, "down": 5, sunny: 5, shady: -5}
        return {"up": -5, "down": 15, sunny: 5, shady: 5}

    def _at(self, setting: Setting, role: str, mountain: Figure, way: Facing, aside: int) -> Figure:
        """A thing beside the mountain, a little to one side of its middle."""
        size = setting.numbers["size"]
        dx, dy = WAYS[way]
        away = mountain.half_width + size + 8
        return setting.figure(
            role,
            mountain.x + dx * away + (aside if dy else 0),
            mountain.y + dy * away + (aside if dx else 0),
            size,
            size,
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the ice is."""
        return (Side(setting["subject"], setting["mountain"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The flower seeks the warmth as well; the house's light is nobody's business."""
        return (Side(setting["companion"], setting["mountain"]), Light(setting["fixed"]))


LAWS: tuple[Law, ...] = (River(), Breeze(), RainShadow(), Frost())
