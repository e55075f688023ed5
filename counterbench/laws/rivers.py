"""Geography: where rivers run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, WAYS, towards
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
        downhill = towards(mountain, lake)
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


LAWS: tuple[Law, ...] = (River(),)
