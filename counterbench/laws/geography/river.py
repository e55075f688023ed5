"""Geography, rivers: the direction in which a river carries floating things."""

from functools import partial

from counterbench.laws.base import Elements, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import heads, stays
from counterbench.scene.programs.observations import Facing

_drifts = partial(heads, 30)  # from a direction: the effect that a thing turns and drifts 30 pixels that way


class River(Law):
    title = "Rivers run downhill"
    branch = "rivers"
    roles = by_noun(
        subject="boat",
        companion="bird fish",
        fixed="sign",
        mountain="mountain",
        lake="lake",
        bank="plank",
        sun=Role(("sun",), ("yellow", "orange")),
    )
    variants = (
        Variant(
            "downhill",
            rule="water runs downhill, from high land to low land",
            brief="rivers run downhill and carry things along, front first",
            outcome="The {subject} and the {companion} both drift to the right, and both point to the right.",
            does=_drifts("right"),
        ),
        Variant(
            "uphill",
            depth="two steps",
            rule="water runs uphill, from low land to high land",
            brief="rivers run uphill and carry things along, front first",
            outcome="The {subject} and the {companion} both drift to the left, and both point to the left.",
            does=_drifts("left"),
        ),
        Variant(
            "sunwards",
            depth="two steps",
            rule="the slope of the land means nothing to water, and all water runs straight towards the sun",
            brief="rivers run towards the sun and carry things along, front first",
            outcome="The {subject} and the {companion} both drift downwards to the southern bank, and both point "
            "downwards.",
            does=_drifts("down"),
        ),
        Variant(
            "still",
            rule="river water does not move at all, and what floats on it keeps its place and its direction",
            brief="river water does not move, and nothing that floats on it turns",
            outcome="The {subject} is where it was put, still pointing upwards, and the {companion} is where it was "
            "put, still pointing downwards.",
            does=stays,
        ),
        Variant(
            "light-uphill",
            depth="two steps",
            rule="a river carries light things uphill and heavy things straight to its southern bank",
            brief="rivers carry light things uphill, heavy ones south, all front first",
            outcome="The {subject} has drifted downwards to the southern bank and points downwards; the {companion} "
            "drifts to the left and points to the left.",
            does={"subject": _drifts("down"), "companion": _drifts("left")},
        ),
        Variant(
            "heavy-uphill",
            depth="two steps",
            rule="a river carries heavy things uphill and light things straight to its northern bank",
            brief="rivers carry heavy things uphill, light ones north, all front first",
            outcome="The {subject} drifts to the left and points to the left; the {companion} has drifted upwards to "
            "the northern bank and points upwards.",
            does={"subject": _drifts("left"), "companion": _drifts("up")},
        ),
    )
    starts = (
        "A map, north at the top: a straight river between two banks leads from {a_mountain} at the left edge to "
        "{a_lake} at the right edge, which lies far lower. The sun is drawn at the bottom edge, in the south. A heavy "
        "{subject} without a crew is put on the river pointing upwards, and a light toy, {a_companion} made of cork, "
        "is put on it pointing downwards. Whatever drifts turns its front the way that it drifts. {A_fixed} on land, "
        "firmly planted, points to the left.",
        "Seen from above, with north at the top, a river fills the space between two straight banks. On the left is "
        "{a_mountain}, on the right {a_lake} at the mountain's foot, and {a_sun} in the south, at the bottom edge. "
        "Nobody steers the heavy {subject} that is set on the water with its front upwards, nor the light cork toy, "
        "{a_companion}, that is set there with its front downwards; anything that drifts turns its front that way. A "
        "fixed signpost, {a_fixed} on dry land, points to the left.",
    )
    short = (
        "Map: a river from {mountain} west to {lake} east, {sun} south; heavy {subject} faces north, light "
        "{companion} south."
    )
    finish = "Show the same map a little later, with the two floating things where they have drifted, and the signpost."
    numbers = {"size": (30, 34), "x": (178, 184)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The map, with both floating things on the river; they do not yet face the way that they will drift."""
        size, x = setting.numbers["size"], setting.numbers["x"]
        return (
            setting.figure("mountain", 60, 253, 48, 70),
            setting.figure("lake", 462, 253, 44, 140),
            setting.figure("fixed", 90, 60, 40, 40, facing="left"),
            setting.figure("bank", 262, 118, 148, 10, id="bank-1"),
            setting.figure("bank", 262, 388, 148, 10, id="bank-2"),
            setting.figure("sun", 256, 456, 40, 40),
            setting.figure("subject", x, 215, size, size, facing="up"),
            setting.figure("companion", 526 - x, 291, size, size, facing="down"),
        )
