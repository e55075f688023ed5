"""Physics, astronomy: how bodies circle the sun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import MIDDLE, SUNNY, Law, Role, Setting, Variant
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Observation, Side, Size
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Orbits(Law):
    """Which way bodies circle the sun; the picture looks down on its north pole."""

    name = "orbits"
    title = "Bodies circle the sun one way round"
    discipline = "physics"
    branch = "astronomy"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("planet",)),
        "companion": Role(("asteroid",)),
        "sun": Role(("sun",), SUNNY),
    }
    variants = (
        Variant(
            name="anticlockwise",
            real=True,
            rule="planets and asteroids circle the sun anticlockwise, as seen from above its north pole",
            outcome="The {subject} and the {companion} have each gone a quarter of their way round the {sun}, "
            "anticlockwise.",
        ),
        Variant(
            name="clockwise",
            rule="planets and asteroids circle the sun clockwise, as seen from above its north pole",
            outcome="The {subject} and the {companion} have each gone a quarter of their way round the {sun}, "
            "clockwise.",
        ),
        Variant(
            name="still",
            rule="nothing circles the sun: planets and asteroids hang still in space for ever",
            outcome="The {subject} and the {companion} are still exactly where they were, on opposite sides of the "
            "{sun}.",
        ),
        Variant(
            name="swing",
            rule="nothing circles the sun: in a quarter of a year, planets and asteroids swing straight through its "
            "middle and out to the same distance on the other side",
            outcome="The {subject} and the {companion} have changed sides: each is now exactly across the {sun} from "
            "where it was.",
        ),
        Variant(
            name="near",
            rule="the body nearest to the sun circles it clockwise, as seen from above its north pole, and those "
            "farther out stand still",
            outcome="The {subject} has gone a quarter of its way round the {sun}, clockwise; the {companion} is "
            "where it was.",
        ),
        Variant(
            name="small",
            rule="small bodies circle the sun clockwise, as seen from above its north pole, and big ones stand still",
            outcome="The {companion} has gone a quarter of its way round the {sun}, clockwise; the {subject} is "
            "where it was.",
        ),
    )
    starts = (
        "We look down on the north pole of {a_sun}. Close to it, straight to its right, is a big {subject}; farther "
        "out, straight to its left, is a small {companion}.",
        "{A_sun} is in the middle of the picture, seen from above its north pole. A large {subject} starts near it, "
        "exactly on its right, and a little {companion} starts farther away, exactly on its left.",
    )
    finish = "Show the {sun}, and each of the other two where it is after a quarter of its own year."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far from the sun the two are."""
        return {"near": stream.integer(100, 120), "far": stream.integer(190, 215)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The two on opposite sides of the sun."""
        n = setting.numbers
        return (
            setting.figure("sun", MIDDLE, MIDDLE, 48, 48),
            setting.figure("subject", MIDDLE + n["near"], MIDDLE, 30, 30, form="circle"),
            setting.figure("companion", MIDDLE - n["far"], MIDDLE, 20, 20),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each goes as far as its variant takes it, in quarters of the way round."""
        sun, subject, companion = self.start(setting)
        near = min((subject, companion), key=lambda body: _reach(body, sun))
        small = min((subject, companion), key=lambda body: body.half_width)
        turns = {"anticlockwise": 3, "clockwise": 1, "still": 0, "swing": 2}

        def moved(body: Figure) -> Figure:
            chosen = {"near": near, "small": small}.get(variant)
            return _turned(body, sun, turns[variant] if chosen is None else int(body is chosen))

        return (sun, moved(subject), moved(companion))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """On which side of the sun the planet is."""
        return (Side(setting["subject"], setting["sun"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The asteroid circles as well; neither grows nor shrinks."""
        return (Side(setting["companion"], setting["sun"]), Size(setting["companion"], setting["subject"]))


def _reach(body: Figure, sun: Figure) -> int:
    """How far from the sun a body is that lies straight to one side of it."""
    return abs(body.x - sun.x) + abs(body.y - sun.y)


def _turned(body: Figure, sun: Figure, quarters: int) -> Figure:
    """A body after so many quarters of a circle round the sun, clockwise as we see it."""
    dx, dy = body.x - sun.x, body.y - sun.y
    for _ in range(quarters):
        dx, dy = -dy, dx
    return msgspec.structs.replace(body, x=sun.x + dx, y=sun.y + dy)


LAWS: tuple[Law, ...] = (Orbits(),)
