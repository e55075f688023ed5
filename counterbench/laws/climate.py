"""Geography: where on a mountain it is cold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, WAYS
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Light, Observation, Side
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
        "{A_sun} in the upper right corner shines on {a_mountain}. Of its top, its foot and its two flanks, the "
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


LAWS: tuple[Law, ...] = (Frost(),)
