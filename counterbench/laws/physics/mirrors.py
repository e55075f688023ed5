"""Physics, optics: where light goes on from a mirror."""

from counterbench.laws.base import Elements, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import DIRECTIONS
from counterbench.scene.figures import FacingSide, Figure
from counterbench.scene.programs.observations import Facing, Light


def _leaving(setting: Setting, role: str, mirror: Figure, direction: FacingSide) -> Figure:
    """The figure of a line of light that starts at the mirror's edge and goes in `direction`."""
    dx, dy = DIRECTIONS[direction]
    off, length, width = mirror.half_width + 6 + 32, 32, 18
    half = (length, width) if dx else (width, length)
    return setting.figure(role, mirror.x + off * dx, mirror.y + off * dy, *half, facing=direction)


class Mirrors(Law):
    title = "Mirrors throw light off"
    branch = "optics"
    roles = by_noun(subject="ray", companion="gleam", first_light="lamp", second_light="lantern", mirror="reflector")
    variants = (
        Variant(
            "reflected",
            rule="a mirror throws light off at the same angle at which it came",
            brief="mirrors throw light off at the angle at which it came",
            outcome="From the left mirror the {subject} travels upwards, and from the right one the {companion} "
            "travels to the left.",
            does=("up", "left"),
        ),
        Variant(
            "through",
            rule="light goes straight on through mirrors, as if they were clear air",
            brief="light goes straight on through mirrors",
            outcome="Behind the left mirror the {subject} travels on to the right, and behind the right one the "
            "{companion} travels on downwards.",
            does=("right", "down"),
        ),
        Variant(
            "back",
            rule="a mirror sends light straight back to where it came from, however the mirror is turned",
            brief="mirrors send light straight back to where it came from",
            outcome="From the left mirror the {subject} travels back to the left, and from the right one the "
            "{companion} travels back upwards.",
            does=("left", "up"),
        ),
        Variant(
            "wrong-side",
            depth="two steps",
            rule="light leaves a mirror in exactly the opposite direction to the one in which a mirror of our world "
            "would throw it",
            brief="light leaves mirrors opposite to the way that real mirrors throw it",
            outcome="From the left mirror the {subject} travels downwards, and from the right one the {companion} "
            "travels to the right.",
            does=("down", "right"),
        ),
        Variant(
            "heavy",
            rule="light that has met a mirror has become as heavy as a stone, and falls like one",
            brief="light that has met a mirror falls like a stone",
            outcome="From the left mirror the {subject} travels downwards, and from the right one the {companion} "
            "travels downwards too.",
            does=("down", "down"),
        ),
        Variant(
            "one-way",
            depth="stated",
            rule="mirrors send all light off to the right, wherever it came from",
            brief="mirrors send all light off to the right",
            outcome="From the left mirror the {subject} travels to the right, and from the right one the {companion} "
            "travels to the right too.",
            does=("right", "right"),
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
    short = (
        "A lit {first_light} shines right, a lit {second_light} down, on {mirror}s like '/', leaving as "
        "{a_subject} and {a_companion}."
    )
    finish = "Show which way the light goes on from each of the two mirrors."
    numbers = {"first": (146, 160), "second": (325, 345), "x": (365, 376)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Light, "first_light"), (Light, "second_light"))

    def start(self, setting: Setting) -> FigureTuple:
        """The first mirror and its light, then the second mirror and its light."""
        n = setting.numbers
        return (
            setting.figure("mirror", 190, n["first"], 36, 36, id="mirror-1"),
            setting.figure("first_light", 44, n["first"], 32, 46, lit=True),
            setting.figure("mirror", n["x"], n["second"], 36, 36, id="mirror-2"),
            setting.figure("second_light", n["x"], n["second"] - 220, 34, 46, lit=True),
        )

    def run(self, setting: Setting, does: tuple[FacingSide, FacingSide]) -> Elements:
        """The mirrors and lights, and the two lines of light that leave the mirrors in the directions of `does`."""
        first, lamp, second, lantern = self.start(setting)
        ray = _leaving(setting, "subject", first, does[0])
        gleam = _leaving(setting, "companion", second, does[1])
        return (first, lamp, ray, second, lantern, gleam)
