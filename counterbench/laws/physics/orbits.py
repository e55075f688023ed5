"""Physics, astronomy: which way bodies circle the sun; the picture looks down on its north pole."""

from counterbench.laws.base import MIDDLE, SUN, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import Effect, FiguresByRole, stays
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Side, Size


def _circled(quarter_turns: int) -> Effect:
    """The effect that moves a body so many quarters of its way round the sun, clockwise in the picture."""

    def effect(body: Figure, things: FiguresByRole) -> Figure:
        """The body after so many quarter turns around the sun."""
        sun = things["sun"]
        dx, dy = body.x - sun.x, body.y - sun.y
        for _ in range(quarter_turns):
            dx, dy = -dy, dx
        return body.but(x=sun.x + dx, y=sun.y + dy)

    return effect


class Orbits(Law):
    title = "Bodies circle the sun one way round"
    branch = "astronomy"
    roles = by_noun(subject="planet", companion="asteroid", sun=SUN)
    variants = (
        Variant(
            "anticlockwise",
            rule="planets and asteroids circle the sun anticlockwise, as seen from above its north pole",
            brief="planets and asteroids circle the sun anticlockwise",
            outcome="The {subject} and the {companion} have each gone a quarter of their way round the {sun}, "
            "anticlockwise.",
            does=_circled(3),
        ),
        Variant(
            "clockwise",
            rule="planets and asteroids circle the sun clockwise, as seen from above its north pole",
            brief="planets and asteroids circle the sun clockwise",
            outcome="The {subject} and the {companion} have each gone a quarter of their way round the {sun}, "
            "clockwise.",
            does=_circled(1),
        ),
        Variant(
            "still",
            rule="nothing circles the sun: planets and asteroids hang still in space for ever",
            brief="nothing moves around the sun",
            outcome="The {subject} and the {companion} are still exactly where they were, on opposite sides of the "
            "{sun}.",
            does=stays,
        ),
        Variant(
            "swing",
            rule="nothing circles the sun: in a quarter of a year, planets and asteroids swing straight through its "
            "middle and out to the same distance on the other side",
            brief="in a quarter year, bodies swing straight across through the sun",
            outcome="The {subject} and the {companion} have changed sides: each is now exactly across the {sun} from "
            "where it was.",
            does=_circled(2),
        ),
        Variant(
            "near",
            depth="two steps",
            rule="the body nearest to the sun circles it clockwise, as seen from above its north pole, and those "
            "farther out stand still",
            brief="the body nearest the sun circles it clockwise; others stand still",
            outcome="The {subject} has gone a quarter of its way round the {sun}, clockwise; the {companion} is where "
            "it was.",
            does={"subject": _circled(1)},
        ),
        Variant(
            "by-size",
            depth="two steps",
            rule="in a quarter of a year, small bodies go a quarter of the way round the sun, clockwise as seen from "
            "above its north pole, and big ones swing straight through its middle to the other side",
            brief="small bodies circle the sun clockwise, big ones swing straight through it",
            outcome="The {subject} is now exactly across the {sun} from where it was, and the {companion} has gone a "
            "quarter of its way round the {sun}, clockwise.",
            does={"subject": _circled(2), "companion": _circled(1)},
        ),
    )
    starts = (
        "We look down on the north pole of {a_sun}. Close to it, straight to its right, is a big {subject}; farther "
        "out, straight to its left, is a small {companion}.",
        "{A_sun} is in the middle of the picture, seen from above its north pole. A large {subject} starts near it, "
        "exactly on its right, and a little {companion} starts farther away, exactly on its left.",
    )
    short = "A quarter year passes around {a_sun}: near, big {subject} starts right of it, far, small {companion} left."
    finish = "Show the {sun}, and each of the other two where it is after a quarter of its own year."
    numbers = {"near": (100, 120), "far": (190, 215)}
    subject = ((Side, "subject", "sun"),)
    surroundings = ((Side, "companion", "sun"), (Size, "companion", "subject"))

    def start(self, setting: Setting) -> FigureTuple:
        """The sun, and the two bodies on opposite sides of it."""
        n = setting.numbers
        return (
            setting.figure("sun", MIDDLE, MIDDLE, 48, 48),
            setting.figure("subject", MIDDLE + n["near"], MIDDLE, 30, 30, form="circle"),
            setting.figure("companion", MIDDLE - n["far"], MIDDLE, 20, 20),
        )
