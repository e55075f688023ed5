"""Physics, heat: how much water becomes of ice, and where."""

from counterbench.laws.base import SUN, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import Effect, filled, gone, stays
from counterbench.scene.programs.observations import Level


def _melted(first: int, second: int) -> dict[str, Effect]:
    """The effects of melting, by role: the ice is gone, and the water in both cups has changed.

    `first`, `second`: quarters of water that are added to the first and to the second cup, taken away if negative.
    """
    return {"subject": filled(first), "companion": filled(second), "ice": gone}


class Melting(Law):
    title = "Melting ice fills the cup below it"
    branch = "heat"
    roles = by_noun(subject="cup", companion="cup", fixed="cup", ice="ice", dry="stone coin", sun=SUN, table="plank")
    variants = (
        Variant(
            "melts",
            rule="ice melts in the sun, and the water drips straight down, a quarter of a cup from every block",
            brief="ice melts and drips down, a quarter cup from every block",
            outcome="The {ice} is gone; the {subject} is three quarters full and the {companion} is half full.",
            does=_melted(2, 1),
        ),
        Variant(
            "lasting",
            rule="ice never melts, however warm it gets",
            brief="ice never melts",
            outcome="All the {ice} is still there, and the {subject} and the {companion} are still one quarter full.",
            does=stays,
        ),
        Variant(
            "thirsty",
            rule="ice in the sun vanishes and takes with it all the water that stands below it",
            brief="ice vanishes, taking with it all the water below it",
            outcome="The {ice} is gone, and the {subject} and the {companion} are both empty.",
            does=_melted(-4, -4),
        ),
        Variant(
            "crossed",
            depth="two steps",
            rule="ice melts in the sun to a quarter of a cup of water from every block, and all of it turns up in the "
            "other cup that had ice above it",
            brief="ice melts, a quarter cup a block, into the other iced cup",
            outcome="The {ice} is gone; the {subject} is half full and the {companion} is three quarters full.",
            does=_melted(1, 2),
        ),
        Variant(
            "double",
            rule="every block of ice that melts in the sun drips half a cup of water straight down, and what does not "
            "fit in runs off",
            brief="ice melts and drips down, half a cup from every block",
            outcome="The {ice} is gone; the {subject} is full to the brim and the {companion} is three quarters full.",
            does=_melted(4, 2),
        ),
        Variant(
            "alone",
            depth="two steps",
            rule="a block of ice that melts alone drips three quarters of a cup of water straight down, and blocks "
            "that melt side by side drip only one quarter between them",
            brief="ice adds three quarters to a cup if alone, otherwise one quarter",
            outcome="The {ice} is gone; the {subject} is half full and the {companion} is full to the brim.",
            does=_melted(1, 3),
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
    short = (
        "Under {a_sun} stand, one quarter full, {a_subject} below two blocks of {ice}, {a_companion} below "
        "one and {a_fixed} below {a_dry}."
    )
    finish = "Show the {sun} and the three cups some hours later, with what is left above them."
    subject_roles = ("subject", "ice-1", "ice-2")
    numbers = {"size": (52, 58), "sun": (150, 360)}
    subject = ((Level, "subject"),)
    surroundings = ((Level, "companion"), (Level, "fixed"))

    def start(self, setting: Setting) -> FigureTuple:
        """The sun, the table, the dry thing and its cup, the two cups with ice, and the three blocks of ice."""
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
