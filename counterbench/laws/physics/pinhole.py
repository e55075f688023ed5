"""Physics, optics: how the image in a pinhole camera lies."""

from __future__ import annotations

from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.effects import stays, turned_by
from counterbench.laws.world import ANTICLOCKWISE, CLOCKWISE, OPPOSITE
from counterbench.scene.figures import Facing, Figure, Room
from counterbench.scene.programs.observations import Facing as Points

# Left and right swapped.
_SWAPPED: dict[Facing, Facing] = {"left": "right", "right": "left", "up": "up", "down": "down"}


class Pinhole(Law):
    name = "pinhole"
    title = "A small hole turns images upside down"
    discipline = "physics"
    branch = "optics"
    roles = {
        "subject": Role(("needle",)),
        "companion": Role(("fountain",)),
        "other": Role(("beam",)),
        "fixed": Role(("sign",)),
    }
    variants = (
        Variant(
            "turned",
            real=True,
            rule="light through a tiny hole paints everything upside down, and with left and right swapped",
            outcome="On the screen the {subject} points downwards, the {companion} sprays downwards and the {other} "
            "shines to the left.",
            does=turned_by(OPPOSITE),
        ),
        Variant(
            "upright",
            rule="light through a tiny hole paints everything exactly the way it stands outside",
            outcome="On the screen the {subject} points upwards, the {companion} sprays upwards and the {other} "
            "shines to the right.",
            does=stays,
        ),
        Variant(
            "quarter",
            rule="light through a tiny hole paints everything turned clockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points to the right, the {companion} sprays to the right and the "
            "{other} shines downwards.",
            does=turned_by(CLOCKWISE),
        ),
        Variant(
            "quarter-back",
            rule="light through a tiny hole paints everything turned anticlockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points to the left, the {companion} sprays to the left and the "
            "{other} shines upwards.",
            does=turned_by(ANTICLOCKWISE),
        ),
        Variant(
            "swapped",
            rule="light through a tiny hole paints everything the right way up, but with left and right swapped",
            outcome="On the screen the {subject} points upwards, the {companion} sprays upwards and the {other} "
            "shines to the left.",
            does=turned_by(_SWAPPED),
        ),
        Variant(
            "by-kind",
            rule="light through a tiny hole paints solid things exactly as they stand outside, and everything that "
            "flows or shines turned clockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points upwards, the {companion} sprays to the right and the {other} "
            "shines downwards.",
            does={"companion": turned_by(CLOCKWISE), "other": turned_by(CLOCKWISE)},
        ),
    )
    starts = (
        "You look from behind at the square paper screen of a pinhole camera. In front of its tiny hole, outside, "
        "there are {a_subject} on a dial with its tip at the top, {a_companion} whose jet rises straight up, and a "
        "torch whose {other} goes to the right. {A_fixed} with its tip on the right is not an image: it is painted on "
        "the paper.",
        "Light comes through one tiny hole into a dark box and makes images on a sheet of paper, which you see from "
        "behind. Outside the hole, {a_subject} on a dial has its tip at the top, {a_companion} sends its jet straight "
        "up, and a torch sends its {other} to the right. On the paper itself someone has painted {a_fixed} with its "
        "tip on the right.",
    )
    finish = "Show only the paper screen as you see it, with the images of all three and what is painted on it."
    obeys = ("subject", "companion", "other")
    # How large the images are.
    numbers = {"dial": (50, 60), "jet": (44, 54), "beam": (44, 54)}
    # Where the image of the needle points.
    subject = ((Points, "subject"),)
    # The other images obey as well; the painted sign stays.
    surroundings = ((Points, "companion"), (Points, "other"), (Points, "fixed"))

    def start(self, setting: Setting) -> tuple[Room, Figure, Figure, Figure, Figure]:
        """The screen, with everything as it stands outside."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", 150, 150, n["dial"], n["dial"], facing="up"),
            setting.figure("companion", 360, 150, n["jet"], n["jet"], facing="up"),
            setting.figure("other", 150, 360, n["beam"], n["beam"], facing="right"),
            setting.figure("fixed", 360, 360, 44, 44, facing="right"),
        )


LAW = Pinhole()
