"""Physics, optics: what pinholes and lenses make of what is seen through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.world import CLOCKWISE, OPPOSITE, resized
from counterbench.scene.figures import Facing, Figure, Room
from counterbench.scene.programs.observations import Facing as Points
from counterbench.scene.programs.observations import Observation, Size
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
        "twin": Role(("weight", "cork")),
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
            rule="round things appear smaller through a magnifying glass, and things with straight sides appear as "
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
        seen, other = resized(size, first), resized(size, second)
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


LAWS: tuple[Law, ...] = (Pinhole(), Lenses())
