"""Physics, astronomy: where on a planet it is day, told by the lights that people burn at night."""

from counterbench.laws.base import MIDDLE, SUN, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import shines, stays
from counterbench.scene.programs.observations import Light, Side


class Daylight(Law):
    title = "The side that faces the sun has day"
    branch = "astronomy"
    roles = by_noun(
        subject="house", opposite="lamp lantern", companion="tower", distant="tent", planet="planet", sun=SUN
    )
    variants = (
        Variant(
            "facing",
            rule="it is day on the side of a planet that faces the sun and night on the side that faces away",
            brief="planets have day where they face the sun, and night elsewhere",
            outcome="The {subject} and the {companion} are dark, and the {opposite} and the {distant} are lit.",
            does={"opposite": shines, "distant": shines},
        ),
        Variant(
            "averted",
            depth="two steps",
            rule="it is night on the side of a planet that faces the sun and day on the side that faces away",
            brief="planets have night where they face the sun, and day elsewhere",
            outcome="The {subject} and the {companion} are lit, and the {opposite} and the {distant} are dark.",
            does={"subject": shines, "companion": shines},
        ),
        Variant(
            "everywhere",
            rule="sunlight bends all the way around a planet, and it is day everywhere on it at once",
            brief="sunlight bends around planets: it is day everywhere",
            outcome="All four are dark: the {subject}, the {companion}, the {opposite} and the {distant}.",
            does=stays,
        ),
        Variant(
            "nowhere",
            rule="the light of a sun never gets as far as its planets, and it is always night all over them",
            brief="sunlight never reaches planets: it is night everywhere",
            outcome="All four are lit: the {subject}, the {companion}, the {opposite} and the {distant}.",
            does={"subject": shines, "companion": shines, "opposite": shines, "distant": shines},
        ),
        Variant(
            "bottom",
            depth="two steps",
            rule="it is day on the whole lower half of a planet and night on its whole upper half, wherever the sun "
            "stands",
            brief="planets have day on their lower half, and night on their upper",
            outcome="The {subject} and the {opposite} are lit, and the {companion} and the {distant} are dark.",
            does={"subject": shines, "opposite": shines},
        ),
        Variant(
            "top-swapped",
            depth="two steps",
            rule="it is always day on the lower half of a planet, and on its upper half day and night are swapped",
            brief="planets have day below, and day and night swapped above",
            outcome="The {subject} is lit, and the {opposite}, the {companion} and the {distant} are dark.",
            does={"subject": shines},
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
    short = (
        "On {a_planet}'s left, {a_subject} above {a_companion} faces {a_sun}; on its right, {a_opposite} "
        "above {a_distant}; lights burn at night."
    )
    finish = "Show at which of the four a light is on."
    subject_roles = ("subject", "opposite")
    numbers = {"radius": (70, 88), "height": (66, 90)}
    subject = ((Light, "subject"), (Light, "opposite"))
    surroundings = ((Light, "companion"), (Light, "distant"), (Side, "sun", "planet"))

    def start(self, setting: Setting) -> FigureTuple:
        """The sun, the planet, and around it the four things that can give light, none of them lit."""
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
