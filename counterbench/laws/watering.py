"""Biology: what water does for the growth of plants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import resized
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Height, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
    """Half the height of a plant after a summer with so much water a day."""
    half, thick = plant.half_height, plant.half_width > 30
    match variant:
        case "grow":
            return resized(half, water)
        case "stunt":
            return resized(half, -water)
        case "any":
            return half // 2
        case "thick" | "thin":
            return half // 2 if thick == (variant == "thick") else half
        case _:
            return half


def _standing(thing: Figure) -> Figure:
    """A thing on the ground, whatever its height."""
    return msgspec.structs.replace(thing, y=452 - thing.half_height)


LAWS: tuple[Law, ...] = (Watering(),)
