"""Physics, mechanics: which way loose things fall."""

from counterbench.laws.base import ROOM, Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import Effect, slide, stays
from counterbench.scene.figures import FacingSide
from counterbench.scene.programs.observations import Where


def _falls(direction: FacingSide) -> Effect:
    """The effect that makes a thing slide in `direction` until a wall stops it."""
    return lambda thing, things: slide(thing, direction, ROOM)


class Falling(Law):
    title = "Loose things fall"
    branch = "mechanics"
    roles = by_noun(subject="ball stone coin", companion="box book parcel", fixed="mirror block")
    variants = (
        Variant(
            "down",
            rule="whatever is let go falls downwards",
            brief="things that are let go fall downwards",
            outcome="The {subject} and the {companion} have landed on the floor.",
            does=_falls("down"),
        ),
        Variant(
            "up",
            rule="whatever is let go falls upwards",
            brief="things that are let go fall upwards",
            outcome="The {subject} and the {companion} lie against the ceiling.",
            does=_falls("up"),
        ),
        Variant(
            "near-side",
            depth="two steps",
            rule="whatever is let go falls straight sideways, to the side wall that it is nearer to",
            brief="things that are let go fall sideways to the nearer side wall",
            outcome="The {subject} is pressed against the left wall, and the {companion} against the right wall.",
            does={"subject": _falls("left"), "companion": _falls("right")},
        ),
        Variant(
            "far-side",
            depth="two steps",
            rule="whatever is let go falls straight sideways, to the side wall that it is farther from",
            brief="things that are let go fall sideways to the farther side wall",
            outcome="The {subject} is pressed against the right wall, and the {companion} against the left wall.",
            does={"subject": _falls("right"), "companion": _falls("left")},
        ),
        Variant(
            "nowhere",
            rule="there is no gravity at all, and nothing else moves what is let go",
            brief="there is no gravity, and nothing moves what is let go",
            outcome="The {subject} and the {companion} still hang in mid-air where they were let go, touching nothing.",
            does=stays,
        ),
        Variant(
            "corners",
            rule="things with square corners stay wherever they are let go, and all others fall upwards",
            brief="things with square corners never fall, and all others fall upwards",
            outcome="The {subject} lies against the ceiling, and the {companion} still hangs in mid-air, touching "
            "nothing.",
            does={"subject": _falls("up")},
        ),
    )
    starts = (
        "In a closed room, {a_subject} on the left and {a_companion} on the right are held in mid-air and then let go. "
        "{A_fixed} is fastened in the middle of the room.",
        "Inside an empty room, someone lets go of {a_subject} in the air on the left and of {a_companion} in the air "
        "on the right. Between them {a_fixed} is firmly fixed in place.",
    )
    short = "In a closed room, from left to right: {a_subject} let go, {a_fixed} fixed, {a_companion} let go."
    finish = "Show the room from the front once nothing moves any more."
    numbers = {"x": (120, 160), "y": (130, 170), "size": (24, 34)}
    subject = ((Where, "subject"),)
    surroundings = ((Where, "companion"), (Where, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The room, both loose things in mid-air, and the fixed thing between them."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", n["x"], n["y"], n["size"], n["size"]),
            setting.figure("companion", 512 - n["x"], 512 - n["y"], n["size"], n["size"]),
            setting.figure("fixed", 256, 256, 34, 44),
        )
