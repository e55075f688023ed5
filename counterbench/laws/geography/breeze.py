"""Geography, winds: where the wind blows at the seaside."""

from counterbench.laws.base import Elements, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import stays, turned
from counterbench.scene.programs.observations import Facing


class Breeze(Law):
    title = "The sea breeze blows towards the warm land"
    branch = "winds"
    roles = by_noun(
        subject="smoke",
        companion="flag",
        fixed="boat",
        sea=Role(("water",), ("blue", "cyan", "green")),
        land=Role(("block",), ("red", "pink", "purple")),
        sun=Role(("sun",), ("yellow", "orange")),
    )
    variants = (
        Variant(
            "landwards",
            rule="air streams from where it is cool to where it is warm, because warm air rises and cool air takes "
            "its place",
            brief="air streams from where it is cool to where it is warm",
            outcome="The {subject} drifts to the right, inland, and the {companion} flies to the right as well.",
            does=turned("right"),
        ),
        Variant(
            "seawards",
            depth="two steps",
            rule="air streams from where it is warm to where it is cool",
            brief="air streams from where it is warm to where it is cool",
            outcome="The {subject} drifts to the left, out to sea, and the {companion} flies to the left as well.",
            does=turned("left"),
        ),
        Variant(
            "sinking",
            rule="all wind presses straight from the sky towards the ground",
            brief="all wind presses straight from the sky towards the ground",
            outcome="The {subject} drifts straight downwards, and the {companion} flies straight downwards along its "
            "pole.",
            does=turned("down"),
        ),
        Variant(
            "calm",
            rule="warm land and cool sea stir no wind at all, not even a breath",
            brief="no wind blows at all, not even a breath",
            outcome="The {subject} drifts straight upwards, and the {companion} hangs downwards.",
            does=stays,
        ),
        Variant(
            "heights",
            depth="two steps",
            rule="all wind blows from warm to cool up at the height of chimney tops, and straight towards the sky "
            "lower down",
            brief="high winds blow from warm to cool, low ones towards the sky",
            outcome="The {subject} drifts to the left, out to sea, and the {companion} flies straight upwards on its "
            "pole.",
            does={"subject": turned("left"), "companion": turned("up")},
        ),
        Variant(
            "lowlands",
            depth="two steps",
            rule="all wind presses straight from the sky towards the ground up at the height of chimney tops, and "
            "blows from warm to cool near the ground",
            brief="high winds press towards the ground, low ones blow warm to cool",
            outcome="The {subject} drifts straight downwards, and the {companion} flies to the left, out to sea.",
            does={"subject": turned("down"), "companion": turned("left")},
        ),
    )
    starts = (
        "A sunny day at the coast: the {sea} on the left is cool, and the ground on the right, {a_land}, has been "
        "warmed by the sun. From a tall chimney top on land comes some {subject}, and {a_companion} on a low pole "
        "stands on the ground. {A_fixed} is moored fore and aft and faces left, whatever the wind does.",
        "Noon at the seaside, with {a_sun} in the sky. On the left is the sea, drawn as cool {sea}; on the right is "
        "the land, drawn as {a_land} that is warm from the sun. High above the land some {subject} leaves a chimney's "
        "top; near the ground is {a_companion} on a low pole. {A_fixed} tied up at both ends faces left and cannot "
        "turn.",
    )
    short = (
        "Coast: cool {sea} left, warm {land} right, high chimney {subject}, low {companion}, moored {fixed} facing "
        "left."
    )
    finish = "Show the coast from the side, as the wind now blows."
    numbers = {"x": (270, 300), "size": (44, 52)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The coast before any wind: the smoke climbs, and the flag hangs."""
        x, size = setting.numbers["x"], setting.numbers["size"]
        return (
            setting.figure("sea", 110, 440, 98, 50),
            setting.figure("land", 358, 440, 144, 50),
            setting.figure("subject", x, 220, size, size, facing="up"),
            setting.figure("companion", 430, 389 - size, size, size, facing="down"),
            setting.figure("fixed", 100, 352, 46, 36, facing="left"),
            setting.figure("sun", 80, 90, 46, 46),
        )
