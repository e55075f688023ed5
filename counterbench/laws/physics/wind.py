"""Physics, mechanics: the direction in which the wind carries things."""

from counterbench.laws.base import FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import OPPOSITE, stays, turned, turned_by
from counterbench.scene.programs.observations import Facing


class Wind(Law):
    title = "The wind carries things along"
    branch = "mechanics"
    roles = by_noun(subject="flag", companion="smoke", fan="fan", fixed="sign bird")
    variants = (
        Variant(
            "along",
            rule="whatever the wind catches streams away with the wind",
            brief="whatever the wind catches streams away with it",
            outcome="The {subject} flies out to the right and the {companion} drifts off to the right.",
            does=turned("right"),
        ),
        Variant(
            "against",
            depth="two steps",
            rule="whatever the wind catches streams towards the place that the wind comes from",
            brief="whatever the wind catches streams towards where the wind comes from",
            outcome="The {subject} flies out to the left and the {companion} drifts off to the left, both towards the "
            "{fan}.",
            does=turned("left"),
        ),
        Variant(
            "across",
            depth="two steps",
            rule="whatever the wind catches streams at a right angle to it, a quarter turn anticlockwise from the way "
            "that the wind blows",
            brief="things stream a quarter turn anticlockwise from the way the wind blows",
            outcome="The {subject} flies straight upwards and the {companion} drifts straight upwards.",
            does=turned("up"),
        ),
        Variant(
            "upended",
            depth="two steps",
            rule="the wind turns whatever it catches upside down: it points the opposite way to how it would in still "
            "air",
            brief="in wind, things point opposite to how they would in still air",
            outcome="The {subject} flies straight upwards and the {companion} drifts straight downwards.",
            does=turned_by(OPPOSITE),
        ),
        Variant(
            "nothing",
            rule="the wind moves nothing at all: everything is as it would be in still air",
            brief="in wind, everything is as it would be in still air",
            outcome="The {subject} hangs straight downwards on its pole and the {companion} drifts straight upwards.",
            does=stays,
        ),
        Variant(
            "by-kind",
            depth="two steps",
            rule="the wind drives cloth back towards the place that it comes from, and does nothing to smoke",
            brief="cloth streams towards where the wind comes from; smoke feels no wind",
            outcome="The {subject} flies out to the left, towards the {fan}, and the {companion} drifts straight "
            "upwards.",
            does={"subject": turned("left")},
        ),
    )
    starts = (
        "On the left {a_fan} blows a strong wind to the right. In its wind are {a_subject} on a pole and a chimney "
        "with {companion}. {A_fixed}, carved from heavy wood and nailed to a post, is turned to the left.",
        "A strong wind comes from {a_fan} on the left and blows to the right, over {a_subject} on its pole and over a "
        "chimney with {companion}. Nearby {a_fixed} of heavy wood, firmly nailed in place, is turned to the left.",
    )
    short = (
        "{A_fan} on the left blows rightwards over {a_subject}, {companion} and a nailed wooden {fixed} facing left."
    )
    finish = "Show what it looks like while the wind is blowing."
    numbers = {"fan": (180, 300), "flag": (110, 150), "smoke": (200, 260)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "fan"), (Facing, "fixed"))

    def start(self, setting: Setting) -> FigureTuple:
        """The fan on the left before it is switched on; everything hangs or rises as in still air."""
        n = setting.numbers
        return (
            setting.figure("fan", 80, n["fan"], 50, 60, facing="right"),
            setting.figure("subject", 240, n["flag"], 60, 60, facing="down"),
            setting.figure("companion", 400, n["smoke"], 60, 60, facing="up"),
            setting.figure("fixed", 250, 390, 46, 46, facing="left"),
        )
