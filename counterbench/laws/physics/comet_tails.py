"""Physics, astronomy: where the tail of a comet points."""

from counterbench.laws.base import MIDDLE, SUN, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import CLOCKWISE, FiguresByRole, towards, turned, turned_from, turned_to
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Facing, Side


def _swept(stream: Figure, things: FiguresByRole) -> Figure:
    """An effect: the stream points along a circle around the sun, clockwise."""
    return stream.but(facing=CLOCKWISE[towards(things["sun"], stream)])


class Comets(Law):
    title = "Comets' tails point away from the sun"
    branch = "astronomy"
    roles = by_noun(subject="tail", companion="plume", sun=SUN, planet="planet")
    variants = (
        Variant(
            "away",
            rule="whatever streams off a body in space is blown straight away from the sun",
            brief="streams in space are blown straight away from the sun",
            outcome="The {subject} and the {companion} both point directly away from the {sun}.",
            does=turned_from("sun"),
        ),
        Variant(
            "toward",
            depth="two steps",
            rule="whatever streams off a body in space is sucked straight towards the sun",
            brief="streams in space are sucked straight towards the sun",
            outcome="The {subject} and the {companion} both point directly at the {sun}.",
            does=turned_to("sun"),
        ),
        Variant(
            "planet",
            depth="two steps",
            rule="whatever streams off a body in space is drawn straight to the nearest planet, and the sun does "
            "nothing to it",
            brief="streams in space are drawn straight to the planet",
            outcome="The {subject} and the {companion} both point directly at the {planet}.",
            does=turned_to("planet"),
        ),
        Variant(
            "by-kind",
            depth="two steps",
            rule="the sun draws in whatever streams off comets, and the nearest planet draws in whatever streams off "
            "rocks",
            brief="the sun draws in comets' tails, and the planet draws in plumes",
            outcome="The {subject} points directly at the {sun}, and the {companion} points directly at the {planet}.",
            does={"subject": turned_to("sun"), "companion": turned_to("planet")},
        ),
        Variant(
            "around",
            depth="two steps",
            rule="whatever streams off a body in space is swept around the sun, the way the hands of a clock go",
            brief="streams in space are swept clockwise around the sun",
            outcome="Seen from the {sun}, both point sideways: the {subject} downwards, and the {companion} to the "
            "left.",
            does=_swept,
        ),
        Variant(
            "by-weight",
            rule="whatever streams off a comet is heavy and sinks to the bottom of the picture, and whatever streams "
            "off a rock is light and rises",
            brief="comets' tails are heavy and sink, and plumes are light and rise",
            outcome="The {subject} points straight down, and the {companion} straight up.",
            does={"subject": turned("down"), "companion": turned("up")},
        ),
    )
    starts = (
        "{A_sun} shines in space. Straight to its right there is a dark comet with {a_subject}, and straight below "
        "it a lump of dark rock that gives off {a_companion}. {A_planet} hangs straight below the comet, level with "
        "the rock.",
        "Four bodies in space, at the corners of a square: {a_sun} at the upper left, a dark comet with {a_subject} "
        "at the upper right, a dark lump of rock that gives off {a_companion} at the lower left, and {a_planet} at "
        "the lower right.",
    )
    short = (
        "At a square's corners: {a_sun}, right a comet with {a_subject}, below a rock with {a_companion}, "
        "{a_planet} opposite."
    )
    finish = "Show which way each of the two streams."
    numbers = {"reach": (104, 140)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Side, "planet", "subject"))

    def start(self, setting: Setting) -> FigureTuple:
        """The sun, the planet and two streams at the corners of a square; both streams still point up."""
        first, last = MIDDLE - setting.numbers["reach"], MIDDLE + setting.numbers["reach"]
        return (
            setting.figure("sun", first, first, 48, 48),
            setting.figure("planet", last, last, 38, 38, form="circle"),
            setting.figure("subject", last, first, 50, 50, facing="up"),
            setting.figure("companion", first, last, 50, 50, facing="up"),
        )
