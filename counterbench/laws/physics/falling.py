"""Physics, mechanics: which way loose things fall."""

from __future__ import annotations

from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.effects import Effect, stays
from counterbench.laws.world import slide
from counterbench.scene.figures import Facing, Figure, Room
from counterbench.scene.programs.observations import Where


def _falls(way: Facing) -> Effect:
    """Slides that way until a wall stops it."""
    return lambda thing, there: slide(thing, way, ROOM)


class Falling(Law):
    name = "falling"
    title = "Loose things fall"
    discipline = "physics"
    branch = "mechanics"
    roles = {
        "subject": Role(("ball", "stone", "coin")),
        "companion": Role(("box", "book", "parcel")),
        "fixed": Role(("mirror", "block")),
    }
    variants = (
        Variant(
            "down",
            real=True,
            rule="whatever is let go falls downwards",
            outcome="The {subject} and the {companion} have landed on the floor.",
            does=_falls("down"),
        ),
        Variant(
            "up",
            rule="whatever is let go falls upwards",
            outcome="The {subject} and the {companion} lie against the ceiling.",
            does=_falls("up"),
        ),
        Variant(
            "left",
            rule="whatever is let go falls sideways, to the left",
            outcome="The {subject} and the {companion} are pressed against the left wall.",
            does=_falls("left"),
        ),
        Variant(
            "right",
            rule="whatever is let go falls sideways, to the right",
            outcome="The {subject} and the {companion} are pressed against the right wall.",
            does=_falls("right"),
        ),
        Variant(
            "nowhere",
            rule="there is no gravity at all, and whatever is let go stays exactly as it was",
            outcome="The {subject} and the {companion} still hang in mid-air where they were let go, touching nothing.",
            does=stays,
        ),
        Variant(
            "apart",
            rule="round and lumpy things fall sideways to the left, and flat-sided things fall sideways to the right",
            outcome="The {subject} is pressed against the left wall, and the {companion} against the right wall.",
            does={"subject": _falls("left"), "companion": _falls("right")},
        ),
    )
    starts = (
        "In a closed room, {a_subject} and {a_companion} are held in mid-air and then let go. {A_fixed} is fastened "
        "in the middle of the room.",
        "Someone lets go of {a_subject} and {a_companion} in the air inside an empty room. Between them {a_fixed} is "
        "firmly fixed in place.",
    )
    finish = "Show the room from the front once nothing moves any more."
    # Where the two are let go.
    numbers = {"x": (120, 160), "y": (130, 180), "size": (24, 34)}
    # Where it has come to rest.
    subject = ((Where, "subject"),)
    # The other loose thing obeys as well; the fixed one stays where it is.
    surroundings = ((Where, "companion"), (Where, "fixed"))

    def start(self, setting: Setting) -> tuple[Room, Figure, Figure, Figure]:
        """Both in mid-air, the fixed thing between them."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", n["x"], n["y"], n["size"], n["size"]),
            setting.figure("companion", 512 - n["x"], 512 - n["y"], n["size"], n["size"]),
            setting.figure("fixed", 256, 256, 34, 44),
        )


LAW = Falling()
