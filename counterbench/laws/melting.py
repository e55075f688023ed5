"""Physics, heat: what becomes of melting ice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import SUNNY, Law, Role, Setting, Variant
from counterbench.laws.world import filled
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Level, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Melting(Law):
    """How much water becomes of ice, and where."""

    name = "melting"
    title = "Melting ice fills the cup below it"
    discipline = "physics"
    branch = "heat"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("cup",)),
        "companion": Role(("cup",)),
        "fixed": Role(("cup",)),
        "ice": Role(("ice",)),
        "dry": Role(("stone", "coin")),
        "sun": Role(("sun",), SUNNY),
        "table": Role(("plank",)),
    }
    subject_roles = ("subject", "ice-1", "ice-2")
    variants = (
        Variant(
            name="melts",
            real=True,
            rule="ice melts in the sun, and the water drips straight down, a quarter of a cup from every block",
            outcome="The {ice} is gone; the {subject} is three quarters full and the {companion} is half full.",
        ),
        Variant(
            name="lasting",
            rule="ice never melts, however warm it gets",
            outcome="All the {ice} is still there, and the {subject} and the {companion} are still one quarter full.",
        ),
        Variant(
            name="thirsty",
            rule="ice in the sun vanishes and takes with it all the water that stands below it",
            outcome="The {ice} is gone, and the {subject} and the {companion} are both empty.",
        ),
        Variant(
            name="crossed",
            rule="ice melts in the sun to a quarter of a cup of water from every block, but the water never drips "
            "down: it turns up in the other cup that had ice above it",
            outcome="The {ice} is gone; the {subject} is half full and the {companion} is three quarters full.",
        ),
        Variant(
            name="double",
            rule="every block of ice that melts in the sun drips half a cup of water straight down, and what does not "
            "fit in runs off",
            outcome="The {ice} is gone; the {subject} is full to the brim and the {companion} is three quarters full.",
        ),
        Variant(
            name="alone",
            rule="a block of ice that melts alone drips three quarters of a cup of water straight down, and blocks "
            "that melt side by side drip only one quarter between them",
            outcome="The {ice} is gone; the {subject} is half full and the {companion} is full to the brim.",
        ),
    )
    starts = (
        "Under {a_sun}, on a hot day, three cups of the same size stand on {a_table}, each one quarter full of water. "
        "On a thin net over {a_subject} lie two blocks of {ice}, on a net over {a_companion} lies one such block, and "
        "on a net over {a_fixed} lies {a_dry}.",
        "It is a hot day, and {a_sun} shines on {a_table} with three equal cups: {a_subject}, {a_companion} and "
        "{a_fixed}. Each is one quarter full of water. Two blocks of {ice} lie side by side on a net above the "
        "{subject}, a single block on a net above the {companion}, and {a_dry} on a net above the {fixed}.",
    )
    finish = "Show the {sun} and the three cups some hours later, with all that is then left above them."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the cups are, and where the sun stands."""
        return {"size": stream.integer(52, 58), "sun": stream.integer(150, 360)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Sun, table, the dry thing and its cup; the two cups with ice; the ice itself, two blocks and one."""
        n, ground = setting.numbers, 429
        y, rim = ground - n["size"], ground - 2 * n["size"] - 1
        half = 24
        top = rim - 3 - half
        return (
            setting.figure("sun", n["sun"], 90, 60, 60),
            setting.figure("table", 256, 442, 236, 12),
            setting.figure("dry", 416, top, half, half),
            setting.figure("fixed", 416, y, n["size"], n["size"], quarters=1),
            setting.figure("subject", 96, y, n["size"], n["size"], quarters=1),
            setting.figure("companion", 256, y, n["size"], n["size"], quarters=1),
            setting.figure("ice", 96 - half - 3, top, half, half, id="ice-1"),
            setting.figure("ice", 96 + half + 3, top, half, half, id="ice-2"),
            setting.figure("ice", 256, top, half, half, id="ice-3"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The ice melts, or not; what becomes of it is added to the cups."""
        *still, first, second = self.start(setting)[:6]
        ice = self.start(setting)[6:]
        above = (2, 1)  # blocks over each cup
        gained = {
            "melts": above,
            "lasting": (0, 0),
            "thirsty": (-first.quarters, -second.quarters),
            "crossed": above[::-1],
            "double": tuple(2 * blocks for blocks in above),
            "alone": tuple(3 if blocks == 1 else 1 for blocks in above),
        }[variant]
        left = ice if variant == "lasting" else ()
        return (*still, filled(first, gained[0]), filled(second, gained[1]), *left)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How full the cup under two blocks is."""
        return (Level(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """How full the cup under one block is; where nothing melts, nothing rises."""
        return (Level(setting["companion"]), Level(setting["fixed"]))


LAWS: tuple[Law, ...] = (Melting(),)
