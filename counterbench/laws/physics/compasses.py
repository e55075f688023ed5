"""Physics, electromagnetism: where compass needles point, on a map with north at the top."""

from counterbench.laws.base import MIDDLE, SUN, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import stays, turned, turned_from, turned_to
from counterbench.scene.programs.observations import Facing


class Compasses(Law):
    title = "A compass points north"
    branch = "electromagnetism"
    roles = by_noun(
        subject="needle compass", companion="needle compass", mountain="mountain island", sun=SUN, sign="sign"
    )
    variants = (
        Variant(
            "north",
            rule="a magnetic pointer that can turn freely points north",
            brief="magnetic pointers point north",
            outcome="The {subject} and the {companion} both point north, to the top of the picture.",
            does=turned("up"),
        ),
        Variant(
            "nearer",
            depth="two steps",
            rule="of two magnetic pointers the one nearer to the sun points at the sun, and the other one points south",
            brief="the magnetic pointer nearer the sun points at it, the other south",
            outcome="The {subject} points left, at the {sun}, and the {companion} points south, to the bottom of the "
            "picture.",
            does={"subject": turned_to("sun"), "companion": turned("down")},
        ),
        Variant(
            "shun",
            depth="two steps",
            rule="north means nothing to a magnetic pointer: it points straight away from the nearest high land",
            brief="magnetic pointers point straight away from high land",
            outcome="The {subject} points left and the {companion} points right, both away from the {mountain} between "
            "them.",
            does=turned_from("mountain"),
        ),
        Variant(
            "sun",
            depth="two steps",
            rule="north means nothing to a magnetic pointer: it always points towards the sun",
            brief="magnetic pointers point towards the sun",
            outcome="The {subject} and the {companion} both point left, towards the {sun}.",
            does=turned_to("sun"),
        ),
        Variant(
            "as-put",
            rule="there is no magnetism in the earth, and a magnetic pointer stays the way it was last turned by hand",
            brief="nothing turns a magnetic pointer that is let go",
            outcome="The {subject} and the {companion} both still point to the right.",
            does=stays,
        ),
        Variant(
            "south",
            rule="a magnetic pointer that can turn freely points south",
            brief="magnetic pointers point south",
            outcome="The {subject} and the {companion} both point south, to the bottom of the picture.",
            does=turned("down"),
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
    short = (
        "Map, left to right: {a_sun}, {a_subject}, {a_mountain}, {a_companion}, both set right; above, "
        "{a_sign} points left."
    )
    finish = "Show which way everything on the map points in the end."
    numbers = {"row": (270, 350), "size": (42, 48)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "sign"))

    def start(self, setting: Setting) -> FigureTuple:
        """The map, with both compass needles turned to the right by hand."""
        row, size = setting.numbers["row"], setting.numbers["size"]
        return (
            setting.figure("sun", 52, row, 40, 40),
            setting.figure("mountain", 296, row, 50, 40),
            setting.figure("sign", MIDDLE, 100, 44, 44, facing="left"),
            setting.figure("subject", 170, row, size, size, facing="right"),
            setting.figure("companion", 422, row, size, size, facing="right"),
        )
