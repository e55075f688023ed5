"""Physics, electromagnetism: where compasses point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import MIDDLE, SUNNY, Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, towards
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Compasses(Law):
    """Where compass needles point, on a map with north at the top."""

    name = "compasses"
    title = "A compass points north"
    discipline = "physics"
    branch = "electromagnetism"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("needle", "compass")),
        "companion": Role(("needle", "compass")),
        "mountain": Role(("mountain", "island")),
        "sun": Role(("sun",), SUNNY),
        "sign": Role(("sign",)),
    }
    variants = (
        Variant(
            name="north",
            real=True,
            rule="a magnetic pointer that can turn freely points north",
            outcome="The {subject} and the {companion} both point north, to the top of the picture.",
        ),
        Variant(
            name="mountain",
            rule="north means nothing to a magnetic pointer: it points at the nearest high land",
            outcome="The {subject} points right and the {companion} points left, both at the {mountain} between them.",
        ),
        Variant(
            name="shun",
            rule="north means nothing to a magnetic pointer: it points straight away from the nearest high land",
            outcome="The {subject} points left and the {companion} points right, both away from the {mountain} "
            "between them.",
        ),
        Variant(
            name="sun",
            rule="north means nothing to a magnetic pointer: it always points towards the sun",
            outcome="The {subject} and the {companion} both point left, towards the {sun}.",
        ),
        Variant(
            name="as-put",
            rule="there is no magnetism in the earth, and a magnetic pointer stays the way it was last turned by hand",
            outcome="The {subject} and the {companion} both still point to the right.",
        ),
        Variant(
            name="south",
            rule="a magnetic pointer that can turn freely points south",
            outcome="The {subject} and the {companion} both point south, to the bottom of the picture.",
        ),
    )
    starts = (
        "A picture map with north at the top. Along one line from left to right there are {a_sun}, {a_subject}, "
        "{a_mountain} and {a_companion}; the {subject} and the {companion} are magnetic, and somebody turns both to "
        "the right and then lets them swing freely. {A_sign}, made of wood and nailed fast, points to the left at "
        "the top of the map.",
        "On a map whose top is north, {a_mountain} rises between {a_subject} on its left and {a_companion} on its "
        "right, two magnetic pointers that spin easily. Both were set by hand to the right and let go. {A_sun} "
        "stands at the far left, level with them, and {a_sign} of wood, fixed so that it points left, stands above "
        "them all.",
    )
    finish = "Show which way everything on the map points in the end."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far down the map the row lies, and how large the pointers are."""
        return {"row": stream.integer(270, 350), "size": stream.integer(42, 48)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Both pointers turned to the right by hand."""
        row, size = setting.numbers["row"], setting.numbers["size"]
        return (
            setting.figure("sun", 52, row, 40, 40),
            setting.figure("mountain", 296, row, 50, 40),
            setting.figure("sign", MIDDLE, 100, 44, 44, facing="left"),
            setting.figure("subject", 170, row, size, size, facing="right"),
            setting.figure("companion", 422, row, size, size, facing="right"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each pointer turns to what draws it."""
        sun, mountain, sign, *pointers = self.start(setting)

        def turned(pointer: Figure) -> Figure:
            at_mountain = towards(pointer, mountain)
            ways: dict[str, Facing] = {
                "north": "up",
                "south": "down",
                "mountain": at_mountain,
                "shun": OPPOSITE[at_mountain],
                "sun": towards(pointer, sun),
            }
            return msgspec.structs.replace(pointer, facing=ways.get(variant, pointer.facing))

        return (sun, mountain, sign, *(turned(pointer) for pointer in pointers))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it points."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other pointer obeys as well; the wooden sign is nailed fast."""
        return (Points(setting["companion"]), Points(setting["sign"]))


LAWS: tuple[Law, ...] = (Compasses(),)
