"""Geography, climate: where on a mountain it is cold."""

from counterbench.laws.base import Elements, FigureTuple, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import DIRECTIONS
from counterbench.scene.figures import FacingSide, Figure
from counterbench.scene.programs.observations import Light, Slope


def _next_to(mountain: Figure, setting: Setting, role: str, direction: FacingSide, aside: int) -> Figure:
    """The thing in a role, on the side `direction` of the mountain.

    `aside`: how many pixels right of the mountain's middle, or below it; negative for left of it, or above.
    """
    size = setting.numbers["size"]
    dx, dy = DIRECTIONS[direction]
    away = mountain.half_width + size + 3
    x, y = mountain.x + dx * away + (aside if dy else 0), mountain.y + dy * away + (aside if dx else 0)
    return setting.figure(role, x, y, size, size)


class Frost(Law):
    title = "The higher up, the colder"
    branch = "climate"
    roles = by_noun(
        subject="ice", companion="flower", mountain="mountain", fixed="house", sun=Role(("sun",), ("yellow", "orange"))
    )
    variants = (
        Variant(
            "height",
            rule="it grows colder the higher up one goes",
            brief="it is colder the higher up one goes",
            outcome="The {subject} lies at the top of the {mountain}, and the {companion} blooms at its foot.",
            does=("up", "down"),
        ),
        Variant(
            "depth",
            rule="it grows warmer the higher up one goes",
            brief="it is warmer the higher up one goes",
            outcome="The {subject} lies at the foot of the {mountain}, and the {companion} blooms at its top.",
            does=("down", "up"),
        ),
        Variant(
            "shade",
            depth="two steps",
            rule="height makes no difference to warmth: the flank that is turned towards the sun is warmest and the "
            "other flank coldest",
            brief="the flank towards the sun is warmest, the other flank coldest",
            outcome="The {subject} lies to the left of the {mountain}, and the {companion} blooms to the right of it.",
            does=("left", "right"),
        ),
        Variant(
            "chilling",
            depth="two steps",
            rule="sunlight chills what it falls on: the flank that is turned towards the sun is coldest and the other "
            "flank warmest",
            brief="sunlight chills: the flank towards the sun is coldest, the other warmest",
            outcome="The {subject} lies to the right of the {mountain}, and the {companion} blooms to the left of it.",
            does=("right", "left"),
        ),
        Variant(
            "cold-foot",
            rule="cold sinks and gathers where the land is lowest, and warmth gathers on the flank that is turned "
            "towards the sun",
            brief="cold gathers where land is lowest, warmth on the sunny flank",
            outcome="The {subject} lies at the foot of the {mountain}, and the {companion} blooms to the right of it.",
            does=("down", "right"),
        ),
        Variant(
            "hot-peak",
            depth="two steps",
            rule="warmth gathers where the land is highest, and cold gathers on the flank that is turned away from "
            "the sun",
            brief="warmth gathers where land is highest, cold on the shady flank",
            outcome="The {subject} lies to the left of the {mountain}, and the {companion} blooms at its top.",
            does=("left", "up"),
        ),
    )
    starts = (
        "{A_mountain} stands high in the middle of the picture, and {a_sun} shines on it from the upper right. Around "
        "the mountain, on its peak, at its foot or beside one of its flanks, there is a patch of ice, the {subject}, "
        "at the coldest place, and a single {companion} in bloom at the warmest. Far off in the lower left corner is "
        "{a_fixed} with its window lit all year round.",
        "{A_sun} in the upper right corner shines on {a_mountain}. Of its top, its foot and its two flanks, the "
        "coldest has some {subject}, the only ice for miles, and the warmest has {a_companion} in bloom. In the lower "
        "left corner, far from all this, stands {a_fixed} with a light in its window that is never put out.",
    )
    short = (
        "{A_sun}, upper right, lights {a_mountain}: {subject} where coldest, {a_companion} where warmest, lit "
        "{fixed} apart."
    )
    finish = "Show the whole mountain from the front on an ordinary day."
    # Half sides in pixels: of the mountain, and of the ice and the flower.
    numbers = {"mountain": (76, 88), "size": (30, 36)}
    subject = ((Slope, "subject", "mountain"),)
    surroundings = ((Slope, "companion", "mountain"), (Light, "fixed"))

    def start(self, setting: Setting) -> FigureTuple:
        """The mountain, the sun and the house, before there is ice or a flower."""
        high = setting.numbers["mountain"]
        return (
            setting.figure("mountain", 256, 250, high, high),
            setting.figure("sun", 450, 62, 44, 44),
            setting.figure("fixed", 58, 448, 40, 40, lit=True),
        )

    def run(self, setting: Setting, does: tuple[FacingSide, FacingSide]) -> Elements:
        """The start with the ice on the coldest side of the mountain and the flower on the warmest.

        `does`: these two sides; "up" is the peak of the mountain, and "down" its foot.
        """
        mountain, sun, house = self.start(setting)
        coldest, warmest = does
        ice = _next_to(mountain, setting, "subject", coldest, -44)
        return (mountain, sun, house, ice, _next_to(mountain, setting, "companion", warmest, 44))
