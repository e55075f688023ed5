"""Physics, optics: shadows, mirrors, images and lenses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.facts import Facing as Points
from counterbench.facts import Light, Observation, Side, Size
from counterbench.figures import Facing, Figure, Room
from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.world import CLOCKWISE, OPPOSITE, WAYS
from counterbench.scene import Element
from counterbench.seeds import Stream


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
            outcome="The shadow lies to the right of the {thing}, and the {companion} points to the right.",
        ),
        Variant(
            name="towards",
            rule="shadows fall on the side that is turned towards the light",
            outcome="The shadow lies to the left of the {thing}, and the {companion} points to the left.",
        ),
        Variant(
            name="rising",
            rule="shadows rise like smoke, straight up from whatever casts them",
            outcome="The shadow lies above the {thing}, and the {companion} points upwards.",
        ),
        Variant(
            name="sinking",
            rule="shadows sink like stones, straight down from whatever casts them",
            outcome="The shadow lies below the {thing}, and the {companion} points downwards.",
        ),
        Variant(
            name="rods-rise",
            rule="solid bodies cast their shadows towards the light, and thin rods cast theirs straight up",
            outcome="The shadow lies to the left of the {thing}, and the {companion} points upwards.",
        ),
        Variant(
            name="rods-sink",
            rule="solid bodies cast their shadows straight up, and thin rods cast theirs straight down",
            outcome="The shadow lies above the {thing}, and the {companion} points downwards.",
        ),
    )
    starts = (
        "On the left {a_light} is lit and shines to the right, on {a_thing} and on {a_companion}, whose pointer is "
        "the shadow of a thin rod in its middle. The {thing} casts a shadow too.",
        "A lit {light} stands at the left edge of the picture. Its light falls from the left on {a_thing}, which "
        "casts a grey shadow, and on {a_companion}: there, a thin rod in the middle casts a shadow as the pointer.",
    )
    finish = "Show the light, the {thing} with its shadow beside it, and the {companion}."

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
        "leaves this mirror is drawn as {a_subject}. A lit {second_light} hangs over the right mirror and shines "
        "straight down on it, and the light that leaves that one is drawn as {a_companion}.",
        "There are two {mirror}s, flat mirrors that lean like a slash, with the upper end on the right. A lit "
        "{first_light} shines on the left one from the left, and a lit {second_light} shines on the right one from "
        "straight above. Draw the light that leaves the left mirror as {a_subject}, and the light that leaves the "
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


class Pinhole(Law):
    """How the image in a pinhole camera lies."""

    name = "pinhole"
    title = "A small hole turns images upside down"
    discipline = "physics"
    branch = "optics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("needle",)),
        "companion": Role(("fountain",)),
        "other": Role(("beam",)),
        "fixed": Role(("sign",)),
    }
    variants = (
        Variant(
            name="turned",
            real=True,
            rule="light through a tiny hole paints everything upside down, and with left and right swapped",
            outcome="On the screen the {subject} points downwards, the {companion} sprays downwards and the {other} "
            "shines to the left.",
        ),
        Variant(
            name="upright",
            rule="light through a tiny hole paints everything exactly the way it stands outside",
            outcome="On the screen the {subject} points upwards, the {companion} sprays upwards and the {other} "
            "shines to the right.",
        ),
        Variant(
            name="quarter",
            rule="light through a tiny hole paints everything turned clockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points to the right, the {companion} sprays to the right and the "
            "{other} shines downwards.",
        ),
        Variant(
            name="quarter-back",
            rule="light through a tiny hole paints everything turned anticlockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points to the left, the {companion} sprays to the left and the "
            "{other} shines upwards.",
        ),
        Variant(
            name="swapped",
            rule="light through a tiny hole paints everything the right way up, but with left and right swapped",
            outcome="On the screen the {subject} points upwards, the {companion} sprays upwards and the {other} "
            "shines to the left.",
        ),
        Variant(
            name="by-kind",
            rule="light through a tiny hole paints solid things exactly as they stand outside, and everything that "
            "flows or shines turned clockwise by a quarter of a full turn",
            outcome="On the screen the {subject} points upwards, the {companion} sprays to the right and the {other} "
            "shines downwards.",
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

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the images are."""
        return {"dial": stream.integer(50, 60), "jet": stream.integer(44, 54), "beam": stream.integer(44, 54)}

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

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Every image is turned as the variant turns it; what is painted is no image."""
        room, dial, jet, beam, sign = self.start(setting)
        images = [_image(dial, variant, solid=True), _image(jet, variant), _image(beam, variant)]
        return (room, *images, sign)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the image of the needle points."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other images obey as well; the painted sign stays."""
        return (Points(setting["companion"]), Points(setting["other"]), Points(setting["fixed"]))


def _image(thing: Figure, variant: str, solid: bool = False) -> Figure:
    """What the hole makes of a thing."""
    way: Facing = thing.facing  # type: ignore[assignment]
    if variant == "turned":
        way = OPPOSITE[way]
    elif variant == "swapped":
        way = OPPOSITE[way] if way in ("left", "right") else way
    elif variant == "quarter" or (variant == "by-kind" and not solid):
        way = CLOCKWISE[way]
    elif variant == "quarter-back":
        way = OPPOSITE[CLOCKWISE[way]]
    return msgspec.structs.replace(thing, facing=way)


class Lenses(Law):
    """How large things look through a lens."""

    name = "lenses"
    title = "Magnifying glasses make things look larger"
    discipline = "physics"
    branch = "optics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ball", "coin", "egg")),
        "companion": Role(("box", "book", "parcel")),
        "plain": Role(("stone", "ring")),
        "twin": Role(("ice", "cork")),
        "lens": Role(("lens",)),
    }
    subject_roles = ("subject", "lens-1")
    variants = (
        Variant(
            name="larger",
            real=True,
            rule="whatever is looked at through a magnifying glass appears larger than it is",
            outcome="Through the glasses the {subject} and the {companion} appear clearly larger than the {plain}, "
            "and as large as each other.",
        ),
        Variant(
            name="smaller",
            rule="whatever is looked at through a magnifying glass appears smaller than it is",
            outcome="Through the glasses the {subject} and the {companion} appear clearly smaller than the {plain}, "
            "and as large as each other.",
        ),
        Variant(
            name="nothing",
            rule="a magnifying glass changes nothing, like a window pane",
            outcome="Through the glasses the {subject} and the {companion} appear exactly as large as the {plain}.",
        ),
        Variant(
            name="round-only",
            rule="through a magnifying glass round things appear smaller, and things with straight sides appear as "
            "they are",
            outcome="Through its glass the {subject} appears clearly smaller than the {plain}; the {companion} "
            "appears exactly as large as it.",
        ),
        Variant(
            name="threshold",
            rule="a small magnifying glass changes nothing, and a large one makes things appear smaller",
            outcome="Through its glass the {companion} appears clearly smaller than the {plain}; the {subject} "
            "appears exactly as large as it.",
        ),
        Variant(
            name="by-glass",
            rule="a magnifying glass makes things appear smaller, and a larger glass makes them much smaller still",
            outcome="Through its glass the {subject} appears clearly smaller than the {plain}, and the {companion} "
            "appears smaller still.",
        ),
    )
    starts = (
        "{A_subject}, {a_companion}, {a_plain} and {a_twin} are all exactly the same size. A small {lens}, a "
        "magnifying glass, is held over the {subject}, and a large {lens}, just as strong, over the {companion}. "
        "Nothing is held over the other two.",
        "On a table lie four things of exactly the same size: {a_subject}, {a_companion}, {a_plain} and {a_twin}. You "
        "look at the {subject} through a small {lens}, a magnifying glass, and at the {companion} through a large "
        "{lens} that is just as strong. You see the other two with the naked eye.",
    )
    finish = "Show from above what you see: two things through their glasses, and the two others beside them."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the four are, and how high the glasses are held."""
        return {"size": stream.integer(26, 32), "y": stream.integer(120, 150)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Everything as large as it is."""
        return self._seen(setting, 0, 0)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """What lies under each glass looks so many steps larger."""
        first, second = {
            "larger": (1, 1),
            "smaller": (-1, -1),
            "nothing": (0, 0),
            "round-only": (-1, 0),
            "threshold": (0, -1),
            "by-glass": (-1, -2),
        }[variant]
        return self._seen(setting, first, second)

    def _seen(self, setting: Setting, first: int, second: int) -> Sequence[Element]:
        size, y = setting.numbers["size"], setting.numbers["y"]
        seen, other = _steps(size, first), _steps(size, second)
        return (
            setting.figure("lens", 130, y, 68, 74, id="lens-1"),
            setting.figure("lens", 350, y + 20, 100, 108, id="lens-2"),
            setting.figure("subject", 130, y - 6, seen, seen),
            setting.figure("companion", 350, y + 12, other, other),
            setting.figure("plain", 130, 390, size, size),
            setting.figure("twin", 350, 390, size, size),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How large it looks beside a thing that is as large."""
        return (Size(setting["subject"], setting["plain"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other thing under glass obeys as well; what no glass is held over stays as it is."""
        companion, plain = setting["companion"], setting["plain"]
        seen = (Size(companion, plain), Size(companion, setting["subject"]))
        return (*seen, Size(setting["twin"], plain))


def _steps(half: int, steps: int) -> int:
    """A half size, changed so many times by the factor 1.4: enough to be told apart at a glance."""
    for _ in range(abs(steps)):
        half = half * 14 // 10 if steps > 0 else half * 10 // 14
    return half


LAWS: tuple[Law, ...] = (Shadows(), Mirrors(), Pinhole(), Lenses())
