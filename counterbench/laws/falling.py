"""Physics, mechanics: which way loose things fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.world import slide
from counterbench.scene.figures import Facing, Figure, Room
from counterbench.scene.programs.observations import Observation, Where
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Falling(Law):
    """Which way loose things fall."""

    name = "falling"
    title = "Loose things fall"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ball", "stone", "coin")),
        "companion": Role(("box", "book", "parcel")),
        "fixed": Role(("mirror", "block")),
    }
    variants = (
        Variant(
            name="down",
            real=True,
            rule="whatever is let go falls downwards",
            outcome="The {subject} and the {companion} have landed on the floor.",
        ),
        Variant(
            name="up",
            rule="whatever is let go falls upwards",
            outcome="The {subject} and the {companion} lie against the ceiling.",
        ),
        Variant(
            name="left",
            rule="whatever is let go falls sideways, to the left",
            outcome="The {subject} and the {companion} are pressed against the left wall.",
        ),
        Variant(
            name="right",
            rule="whatever is let go falls sideways, to the right",
            outcome="The {subject} and the {companion} are pressed against the right wall.",
        ),
        Variant(
            name="nowhere",
            rule="there is no gravity at all, and whatever is let go stays exactly as it was",
            outcome="The {subject} and the {companion} still hang in mid-air where they were let go, touching nothing.",
        ),
        Variant(
            name="apart",
            rule="round and lumpy things fall sideways to the left, and flat-sided things fall sideways to the right",
            outcome="The {subject} is pressed against the left wall, and the {companion} against the right wall.",
        ),
    )
    starts = (
        "In a closed room, {a_subject} and {a_companion} are held in mid-air and then let go. {A_fixed} is fastened "
        "in the middle of the room.",
        "Someone lets go of {a_subject} and {a_companion} in the air inside an empty room. Between them {a_fixed} is "
        "firmly fixed in place.",
    )
    finish = "Show the room from the front once nothing moves any more."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the two are let go."""
        return {"x": stream.integer(120, 160), "y": stream.integer(130, 180), "size": stream.integer(24, 34)}

    def start(self, setting: Setting) -> tuple[Room, Figure, Figure, Figure]:
        """Both in mid-air, the fixed thing between them."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", n["x"], n["y"], n["size"], n["size"]),
            setting.figure("companion", 512 - n["x"], 512 - n["y"], n["size"], n["size"]),
            setting.figure("fixed", 256, 256, 34, 44),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each slides its way until a wall stops it."""
        _, subject, companion, fixed = self.start(setting)
        ways: dict[str, tuple[Facing, Facing]] = {
            "down": ("down", "down"),
            "up": ("up", "up"),
            "left": ("left", "left"),
            "right": ("right", "right"),
            "apart": ("left", "right"),
        }
        if variant in ways:
            first, second = ways[variant]
            subject, companion = slide(subject, first, ROOM), slide(companion, second, ROOM)
        return (ROOM, subject, companion, fixed)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it has come to rest."""
        return (Where(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other loose thing obeys as well; the fixed one stays where it is."""
        return (Where(setting["companion"]), Where(setting["fixed"]))


LAWS: tuple[Law, ...] = (Falling(),)
