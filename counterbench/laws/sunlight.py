"""Physics, astronomy: day and night, and the tails of comets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import MIDDLE, SUNNY, Law, Role, Setting, Variant
from counterbench.laws.world import CLOCKWISE, OPPOSITE, towards
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Light, Observation, Side
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Daylight(Law):
    """Where on a planet it is day, told by the lights that people burn at night."""

    name = "daylight"
    title = "The side that faces the sun has day"
    discipline = "physics"
    branch = "astronomy"
    subject_roles = ("subject", "opposite")
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("house",)),
        "opposite": Role(("lamp", "lantern")),
        "companion": Role(("tower",)),
        "distant": Role(("tent",)),
        "planet": Role(("planet",)),
        "sun": Role(("sun",), SUNNY),
    }
    variants = (
        Variant(
            name="facing",
            real=True,
            rule="it is day on the side of a planet that faces the sun and night on the side that faces away",
            outcome="The {subject} and the {companion} are dark, and the {opposite} and the {distant} are lit.",
        ),
        Variant(
            name="averted",
            rule="it is night on the side of a planet that faces the sun and day on the side that faces away",
            outcome="The {subject} and the {companion} are lit, and the {opposite} and the {distant} are dark.",
        ),
        Variant(
            name="everywhere",
            rule="sunlight bends all the way around a planet, and it is day everywhere on it at once",
            outcome="All four are dark: the {subject}, the {companion}, the {opposite} and the {distant}.",
        ),
        Variant(
            name="nowhere",
            rule="the light of a sun never gets as far as its planets, and it is always night all over them",
            outcome="All four are lit: the {subject}, the {companion}, the {opposite} and the {distant}.",
        ),
        Variant(
            name="top",
            rule="it is day on the whole upper half of a planet and night on its whole lower half, wherever the sun "
            "stands",
            outcome="The {subject} and the {opposite} are dark, and the {companion} and the {distant} are lit.",
        ),
        Variant(
            name="bottom",
            rule="it is day on the whole lower half of a planet and night on its whole upper half, wherever the sun "
            "stands",
            outcome="The {subject} and the {opposite} are lit, and the {companion} and the {distant} are dark.",
        ),
    )
    starts = (
        "{A_planet} floats in space with {a_sun} to its left. At the planet's left edge, which faces the sun, "
        "{a_subject} stands above {a_companion}; at its right edge, which faces away, {a_opposite} stands above "
        "{a_distant}. Each of the four has a light that goes on by itself at night and off by day.",
        "{A_sun} on the left shines towards {a_planet} in the middle. Four things, drawn far too big, stand beside "
        "the planet: on the near side {a_subject} at the upper left and {a_companion} at the lower left, on the far "
        "side {a_opposite} at the upper right and {a_distant} at the lower right. People burn a light in each when "
        "it is night there, never by day.",
    )
    finish = "Show at which of the four a light is on."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the planet is, and how far above and below its middle things stand."""
        return {"radius": stream.integer(70, 88), "height": stream.integer(66, 90)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Sun, planet and the four beside it, no light burning."""
        n = setting.numbers
        middle = MIDDLE + 34
        near, far = middle - n["radius"] - 42, middle + n["radius"] + 42
        above, below = MIDDLE - n["height"], MIDDLE + n["height"]
        return (
            setting.figure("sun", MIDDLE - 200, MIDDLE, 46, 46),
            setting.figure("planet", middle, MIDDLE, n["radius"], n["radius"], form="circle"),
            setting.figure("subject", near, above, 32, 36),
            setting.figure("companion", near, below, 32, 36),
            setting.figure("opposite", far, above, 32, 36),
            setting.figure("distant", far, below, 32, 36),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Where it is night, lights go on."""
        sun, planet, *dwellings = self.start(setting)
        return (sun, planet, *(_relit(d, not _is_day(d, planet, sun, variant)) for d in dwellings))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The two on the planet's upper half."""
        return (Light(setting["subject"]), Light(setting["opposite"]))

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The two on its lower half; the planet stays beside its sun."""
        return (Light(setting["companion"]), Light(setting["distant"]), Side(setting["sun"], setting["planet"]))


def _is_day(place: Figure, planet: Figure, sun: Figure, variant: str) -> bool:
    faces_sun = (place.x - planet.x) * (sun.x - planet.x) > 0
    match variant:
        case "averted":
            return not faces_sun
        case "everywhere" | "nowhere":
            return variant == "everywhere"
        case "top" | "bottom":
            return (place.y < planet.y) == (variant == "top")
        case _:
            return faces_sun


def _relit(figure: Figure, lit: bool) -> Figure:
    return msgspec.structs.replace(figure, lit=lit)


class Comets(Law):
    """Where the tail of a comet points."""

    name = "comet-tails"
    title = "Comets' tails point away from the sun"
    discipline = "physics"
    branch = "astronomy"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("tail",)),
        "companion": Role(("plume",)),
        "sun": Role(("sun",), SUNNY),
        "planet": Role(("planet",)),
    }
    variants = (
        Variant(
            name="away",
            real=True,
            rule="whatever streams off a body in space is blown straight away from the sun",
            outcome="The {subject} and the {companion} both point directly away from the {sun}.",
        ),
        Variant(
            name="toward",
            rule="whatever streams off a body in space is sucked straight towards the sun",
            outcome="The {subject} and the {companion} both point directly at the {sun}.",
        ),
        Variant(
            name="planet",
            rule="whatever streams off a body in space is drawn straight to the nearest planet, and the sun has no "
            "effect on it",
            outcome="The {subject} and the {companion} both point directly at the {planet}.",
        ),
        Variant(
            name="shun",
            rule="whatever streams off a body in space is blown straight away from the nearest planet, and the sun "
            "has no effect on it",
            outcome="The {subject} and the {companion} both point directly away from the {planet}.",
        ),
        Variant(
            name="around",
            rule="whatever streams off a body in space is swept around the sun, the way the hands of a clock go",
            outcome="Seen from the {sun}, both point sideways: the {subject} downwards, and the {companion} to the "
            "left.",
        ),
        Variant(
            name="up",
            rule="whatever streams off a body in space rises straight to the top of the picture, wherever the sun is",
            outcome="The {subject} and the {companion} both point straight up.",
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
    finish = "Show which way each of the two streams."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far from the middle they are."""
        return {"reach": stream.integer(104, 140)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Four at the corners of a square, the streams as they were before anything ruled them."""
        first, last = MIDDLE - setting.numbers["reach"], MIDDLE + setting.numbers["reach"]
        return (
            setting.figure("sun", first, first, 48, 48),
            setting.figure("planet", last, last, 38, 38, form="circle"),
            setting.figure("subject", last, first, 50, 50, facing="up"),
            setting.figure("companion", first, last, 50, 50, facing="up"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each is turned by what rules it."""
        sun, planet, *streams = self.start(setting)
        return (sun, planet, *(msgspec.structs.replace(s, facing=_blown(s, sun, planet, variant)) for s in streams))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the comet's tail points."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The plume obeys as well; the planet stays."""
        return (Points(setting["companion"]), Side(setting["planet"], setting["subject"]))


def _blown(streaming: Figure, sun: Figure, planet: Figure, variant: str) -> Facing:
    from_sun, from_planet = towards(sun, streaming), towards(planet, streaming)
    match variant:
        case "toward":
            return OPPOSITE[from_sun]
        case "planet":
            return OPPOSITE[from_planet]
        case "shun":
            return from_planet
        case "around":
            return CLOCKWISE[from_sun]
        case "up":
            return "up"
        case _:
            return from_sun


LAWS: tuple[Law, ...] = (Daylight(), Comets())
