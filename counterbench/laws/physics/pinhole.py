"""Physics, optics: how the image in a pinhole camera lies."""

from counterbench.laws.base import ROOM, Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import ANTICLOCKWISE, CLOCKWISE, OPPOSITE, SLASH, stays, turned_by
from counterbench.scene.programs.observations import Facing


class Pinhole(Law):
    title = "A small hole turns images upside down"
    branch = "optics"
    roles = by_noun(subject="needle", companion="fountain", other="beam", fixed="sign")
    variants = (
        Variant(
            "turned",
            rule="light through a tiny hole paints everything upside down, and with left and right swapped",
            brief="a tiny hole turns images upside down and swaps left and right",
            outcome="On the screen the {subject} points downwards, the {companion} sprays downwards and the {other} "
            "shines to the left.",
            does=turned_by(OPPOSITE),
        ),
        Variant(
            "upright",
            rule="light through a tiny hole paints everything exactly the way it stands outside",
            brief="a tiny hole paints everything the way it stands outside",
            outcome="On the screen the {subject} points upwards, the {companion} sprays upwards and the {other} shines "
            "to the right.",
            does=stays,
        ),
        Variant(
            "quarter",
            rule="light through a tiny hole paints everything turned clockwise by a quarter of a full turn",
            brief="a tiny hole turns images clockwise by a quarter turn",
            outcome="On the screen the {subject} points to the right, the {companion} sprays to the right and the "
            "{other} shines downwards.",
            does=turned_by(CLOCKWISE),
        ),
        Variant(
            "turned-on",
            depth="two steps",
            rule="light through a tiny hole paints everything as it does in our world, and then turned clockwise by a "
            "further quarter of a full turn",
            brief="pinhole images are as in our world, then turned a quarter clockwise",
            outcome="On the screen the {subject} points to the left, the {companion} sprays to the left and the "
            "{other} shines upwards.",
            does=turned_by(ANTICLOCKWISE),
        ),
        Variant(
            "slanted",
            rule="light through a tiny hole paints everything mirrored in a line that slants like a slash, '/'",
            brief="a tiny hole mirrors images in a line that slants like '/'",
            outcome="On the screen the {subject} points to the right, the {companion} sprays to the right and the "
            "{other} shines upwards.",
            does=turned_by(SLASH),
        ),
        Variant(
            "by-kind",
            rule="light through a tiny hole paints what flows or shines exactly as it is outside, and solid things "
            "turned clockwise by a quarter of a full turn",
            brief="a tiny hole turns solid things a quarter clockwise, and nothing else",
            outcome="On the screen the {subject} points to the right, the {companion} sprays upwards and the {other} "
            "shines to the right.",
            does={"subject": turned_by(CLOCKWISE)},
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
    short = (
        "Before a pinhole: {a_subject} up, {a_companion} up, {a_other} right; on its screen, {a_fixed} "
        "painted pointing right."
    )
    finish = "Show only the paper screen, with the images of all three and what is painted on it."
    obeys = ("subject", "companion", "other")
    numbers = {"dial": (50, 60), "jet": (44, 54), "beam": (44, 54)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "other"), (Facing, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The camera's screen, with everything as it stands outside."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", 150, 150, n["dial"], n["dial"], facing="up"),
            setting.figure("companion", 360, 150, n["jet"], n["jet"], facing="up"),
            setting.figure("other", 150, 360, n["beam"], n["beam"], facing="right"),
            setting.figure("fixed", 360, 360, 44, 44, facing="right"),
        )
