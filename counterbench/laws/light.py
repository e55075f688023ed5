"""Physics, optics: where shadows lie, and where light goes on from a mirror."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, WAYS
from counterbench.scene.figures import Facing, Figure
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Light, Observation, Side
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Shadows(Law):
    """On which side of a thing its shadow lies."""

    name = "shadows"
    title = "Shadows lie away from the light"
    discipline = "physics"
    branch = "optics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("shadow",)),
        "thing": Role(("box", "book", "parcel")),
        "companion": Role(("sundial",)),
        "light": Role(("lamp", "lantern")),
    }
    variants = (
        Variant(
            name="away",
            real=True,
            rule="shadows fall on the side that is turned away from the light",
            outcome="The {subject} lies to the right of the {thing}, and the {companion} points to the right.",
        ),
        Variant(
            name="towards",
            rule="shadows fall on the side that is turned towards the light",
            outcome="The {subject} lies to the left of the {thing}, and the {companion} points to the left.",
        ),
        Variant(
            name="rising",
            rule="shadows rise like smoke, straight up from whatever casts them",
            outcome="The {subject} lies above the {thing}, and the {companion} points upwards.",
        ),
        Variant(
            name="sinking",
            rule="shadows sink like stones, straight down from whatever casts them",
            outcome="The {subject} lies below the {thing}, and the {companion} points downwards.",
        ),
        Variant(
            name="rods-rise",
            rule="solid bodies cast their shadows towards the light, and thin rods cast theirs straight up",
            outcome="The {subject} lies to the left of the {thing}, and the {companion} points upwards.",
        ),
        Variant(
            name="rods-sink",
            rule="solid bodies cast their shadows straight up, and thin rods cast theirs straight down",
            outcome="The {subject} lies above the {thing}, and the {companion} points downwards.",
        ),
    )
    starts = (
        "On the left {a_light} is lit and shines to the right, on {a_thing} and on {a_companion}, whose pointer is "
        "the shadow of a thin rod in its middle. The {thing} casts a shadow too.",
        "A lit {light} stands at the left edge of the picture. Its light falls from the left on {a_thing}, which "
        "casts a grey shadow, and on {a_companion}: there, a thin rod in the middle casts a shadow as the pointer.",
    )
    finish = "Show the light, the {thing} with its whole shadow, and the {companion}."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the thing stands, and how large it is."""
        return {"x": stream.integer(270, 330), "size": stream.integer(30, 38), "lamp": stream.integer(150, 200)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The light, the thing before its shadow is drawn, and the sundial."""
        n = setting.numbers
        return (
            setting.figure("light", 80, n["lamp"], 50, 66, lit=True),
            setting.figure("thing", n["x"], 150, n["size"], n["size"]),
            setting.figure("companion", n["x"], 400, 56, 56, facing="right"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The shadow lies right beside what casts it, on the side that the variant gives; light goes to the right."""
        light, thing, dial = self.start(setting)
        shining: Facing = "right"
        back = OPPOSITE[shining]
        body, rod = {
            "away": (shining, shining),
            "towards": (back, back),
            "rising": ("up", "up"),
            "sinking": ("down", "down"),
            "rods-rise": (back, "up"),
            "rods-sink": ("up", "down"),
        }[variant]
        dx, dy = WAYS[body]
        off = 2 * thing.half_width + 9
        shadow = setting.figure("subject", thing.x + off * dx, thing.y + off * dy, thing.half_width, thing.half_height)
        return (light, thing, shadow, msgspec.structs.replace(dial, facing=rod))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """On which side of the thing its shadow lies."""
        return (Side(setting["subject"], setting["thing"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The sundial's shadow obeys as well; the light still shines from where it stood."""
        return (Points(setting["companion"]), Light(setting["light"]), Side(setting["light"], setting["thing"]))


class Mirrors(Law):
    """Where light goes on from a mirror."""

    name = "mirrors"
    title = "Mirrors throw light off"
    discipline = "physics"
    branch = "optics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ray",)),
        "companion": Role(("gleam",)),
        "first_light": Role(("lamp",)),
        "second_light": Role(("lantern",)),
        "mirror": Role(("reflector",)),
    }
    variants = (
        Variant(
            name="reflected",
            real=True,
            rule="a mirror throws light off at the same angle at which it came",
            outcome="From the left mirror the {subject} travels upwards, and from the right one the {companion} "
            "travels to the left.",
        ),
        Variant(
            name="through",
            rule="light goes straight on through mirrors, as if they were clear air",
            outcome="Behind the left mirror the {subject} travels on to the right, and behind the right one the "
            "{companion} travels on downwards.",
        ),
        Variant(
            name="back",
            rule="a mirror sends light straight back to where it came from, however it is turned",
            outcome="From the left mirror the {subject} travels back to the left, and from the right one the "
            "{companion} travels back upwards.",
        ),
        Variant(
            name="wrong-side",
            rule="light comes out behind a mirror, turned by a right angle, exactly opposite to where mirrors usually "
            "throw it",
            outcome="From the left mirror the {subject} travels downwards, and from the right one the {companion} "
            "travels to the right.",
        ),
        Variant(
            name="heavy",
            rule="light that has met a mirror has become heavy and drops straight down from it",
            outcome="From the left mirror the {subject} travels downwards, and from the right one the {companion} "
            "travels downwards too.",
        ),
        Variant(
            name="one-way",
            rule="mirrors send all light off to the right, wherever it came from",
            outcome="From the left mirror the {subject} travels to the right, and from the right one the {companion} "
            "travels to the right too.",
        ),
    )
    starts = (
        "Two {mirror}s, flat mirrors, one on the left and one on the right, both slant from the lower left to the "
        "upper right, like a slash. A lit {first_light} shines on the left mirror from the left, and the light that "
        "leaves this mirror is seen as {a_subject}. A lit {second_light} hangs over the right mirror and shines "
        "straight down on it, and the light that leaves that one is seen as {a_companion}.",
        "There are two {mirror}s, flat mirrors that lean like a slash, with the upper end on the right. A lit "
        "{first_light} shines on the left one from the left, and a lit {second_light} shines on the right one from "
        "straight above. Show the light that leaves the left mirror as {a_subject}, and the light that leaves the "
        "right mirror as {a_companion}.",
    )
    finish = "Show which way the light goes on from each of the two mirrors."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the two mirrors stand."""
        return {"first": stream.integer(146, 160), "second": stream.integer(325, 345), "x": stream.integer(365, 376)}

    def start(self, setting: Setting) -> tuple[Figure, Figure, Figure, Figure]:
        """First mirror and its light, second mirror and its light."""
        n = setting.numbers
        return (
            setting.figure("mirror", 190, n["first"], 36, 36, id="mirror-1"),
            setting.figure("first_light", 44, n["first"], 32, 46, lit=True),
            setting.figure("mirror", n["x"], n["second"], 36, 36, id="mirror-2"),
            setting.figure("second_light", n["x"], n["second"] - 220, 34, 46, lit=True),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each light meets its mirror and goes on as the variant says."""
        first, lamp, second, lantern = self.start(setting)
        ray = _leaving(setting, "subject", first, _onward("right", variant))
        gleam = _leaving(setting, "companion", second, _onward("down", variant))
        return (first, lamp, ray, second, lantern, gleam)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the light from the left mirror goes."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the light from the right mirror goes; the lights still shine."""
        lights = (Light(setting["first_light"]), Light(setting["second_light"]))
        return (Points(setting["companion"]), *lights)


# A mirror that leans like a slash turns light that goes right up, and so on.
_SLASH: dict[Facing, Facing] = {"right": "up", "up": "right", "left": "down", "down": "left"}


def _onward(coming: Facing, variant: str) -> Facing:
    """Which way light that goes `coming` goes on from a mirror that leans like a slash."""
    ways: dict[str, Facing] = {
        "reflected": _SLASH[coming],
        "through": coming,
        "back": OPPOSITE[coming],
        "wrong-side": OPPOSITE[_SLASH[coming]],
        "heavy": "down",
        "one-way": "right",
    }
    return ways[variant]


def _leaving(setting: Setting, role: str, mirror: Figure, way: Facing) -> Figure:
    """A line of light that starts at the mirror's edge and goes that way."""
    dx, dy = WAYS[way]
    off, length, width = mirror.half_width + 6 + 32, 32, 18
    half = (length, width) if dx else (width, length)
    return setting.figure(role, mirror.x + off * dx, mirror.y + off * dy, *half, facing=way)


LAWS: tuple[Law, ...] = (Shadows(), Mirrors())
