"""Geography, weather: on which side of a mountain it rains."""

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import Effect, filled
from counterbench.scene.programs.observations import Facing, Level


def _rained(before: int, after: int) -> dict[str, Effect]:
    """The effects of rain, by role: the vessels fill, and the cloud has crossed the mountain.

    `before`: quarters of water for the vessel on the side where the cloud comes from; `after`: for that on the other.
    """
    return {"subject": filled(before), "companion": filled(after), "cloud": lambda cloud, things: cloud.but(x=420)}


class RainShadow(Law):
    title = "Mountains catch the rain on the side of the wind"
    branch = "weather"
    roles = by_noun(subject="tank", companion="cup", fixed="flag", mountain="mountain", step="block", cloud="cloud")
    variants = (
        Variant(
            "windward",
            rule="a cloud that has to climb a mountain loses three quarters of its rain on the way up, on the side "
            "that the wind comes from, and the last quarter behind the mountain",
            brief="clouds lose three quarters of their rain before mountains, a quarter behind",
            outcome="The {subject} is three quarters full of rain, and the {companion} is one quarter full.",
            does=_rained(3, 1),
        ),
        Variant(
            "leeward",
            depth="two steps",
            rule="a cloud that has to climb a mountain keeps three quarters of its rain for the far side, and loses "
            "all the rest on the way up, on the side that the wind comes from",
            brief="clouds rain before mountains but keep three quarters for the far side",
            outcome="The {subject} is one quarter full of rain, and the {companion} is three quarters full.",
            does=_rained(1, 3),
        ),
        Variant(
            "even",
            depth="two steps",
            rule="mountains mean nothing to clouds, and rain falls evenly, the same amount on every side",
            brief="mountains mean nothing to clouds: rain falls evenly on every side",
            outcome="The {subject} and the {companion} are each half full of rain.",
            does=_rained(2, 2),
        ),
        Variant(
            "lowest",
            depth="two steps",
            rule="the wind means nothing to rain, and all of a cloud's rain goes to the open vessel that stands lowest",
            brief="all of a cloud's rain goes to the vessel that stands lowest",
            outcome="The {subject} is full to the brim with rain, and the {companion} is empty.",
            does=_rained(4, 0),
        ),
        Variant(
            "endless",
            rule="a cloud never runs dry: it rains on each vessel that it passes until that vessel runs over",
            brief="clouds never run dry and rain until each vessel runs over",
            outcome="The {subject} and the {companion} are both full to the brim with rain.",
            does=_rained(4, 4),
        ),
        Variant(
            "dry",
            rule="clouds never let go of their water, however high they climb",
            brief="clouds never let go of their water",
            outcome="The {subject} and the {companion} are both empty.",
            does=_rained(0, 0),
        ),
    )
    starts = (
        "A steady wind from the left drives {a_cloud} over {a_mountain}; its rain would fill exactly one vessel. An "
        "empty {subject} stands on the ground to the left of the mountain, and an empty {companion} of the same size "
        "stands on {a_step} to the right of it. {A_fixed} shows the wind, which never changes, and flies to the right.",
        "To the left of {a_mountain} an empty {subject} stands on the ground; to the right, raised on {a_step}, "
        "stands an empty {companion} that holds just as much. The wind always comes from the left, so {a_fixed} flies "
        "to the right. It brings {a_cloud} with as much rain as one of the vessels can hold, and carries it across "
        "the mountain.",
    )
    short = (
        "From the left, {a_cloud} with one vesselful of rain crosses {a_mountain} between empty {subject} and "
        "raised, empty {companion}."
    )
    finish = "Show the mountain and both vessels from the side, after the cloud has crossed and the rain is over."
    # Half sides in pixels, of the mountain and of the vessels.
    numbers = {"mountain": (84, 96), "vessel": (50, 58)}
    subject = ((Level, "subject"),)
    surroundings = ((Level, "companion"), (Facing, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The mountain, the cloud that arrives from the left, and the empty vessels."""
        size, high = setting.numbers["vessel"], setting.numbers["mountain"]
        return (
            setting.figure("subject", 84, 450 - size, size, size),
            setting.figure("companion", 430, 406 - size, size, size),
            setting.figure("mountain", 256, 450 - high, high, high),
            setting.figure("step", 430, 429, 66, 20),
            setting.figure("fixed", 256, 450 - 2 * high - 52, 50, 50, facing="right"),
            setting.figure("cloud", 90, 90, 56, 36),
        )
