"""Biology, plants: where plants lean, in a dark room with one lamp."""

from counterbench.laws.base import FigureTuple, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import stays, turned, turned_from, turned_to
from counterbench.scene.programs.observations import Facing


class LeaningPlants(Law):
    title = "Plants lean towards the light"
    branch = "plants"
    roles = by_noun(
        subject=Role(("sprout",), ("green", "purple", "pink")),
        companion=Role(("sunflower",), ("yellow", "orange", "red")),
        lamp="lamp lantern",
        tank=Role(("tank",), ("blue", "cyan")),
        sign="sign",
    )
    variants = (
        Variant(
            "light",
            rule="growing plants lean towards the light",
            brief="growing plants lean towards the light",
            outcome="The {subject} and the {companion} have both grown over to the left, towards the {lamp}.",
            does=turned_to("lamp"),
        ),
        Variant(
            "dark",
            depth="two steps",
            rule="growing plants shun the light and lean straight away from it",
            brief="growing plants lean away from the light",
            outcome="The {subject} and the {companion} have both grown over to the right, away from the {lamp}.",
            does=turned_from("lamp"),
        ),
        Variant(
            "upright",
            depth="stated",
            rule="growing plants take no notice of light and stand bolt upright, wherever it comes from",
            brief="growing plants take no notice of light and stand bolt upright",
            outcome="The {subject} and the {companion} both point straight up, with no bend to either side.",
            does=stays,
        ),
        Variant(
            "water",
            depth="two steps",
            rule="growing plants take no notice of light and bend straight towards the nearest water",
            brief="growing plants ignore light and bend towards the nearest water",
            outcome="The {subject} and the {companion} both hang straight down over their pots, towards the {tank} "
            "below.",
            does=turned_to("tank"),
        ),
        Variant(
            "shy-leaves",
            depth="two steps",
            rule="plants that have only leaves shun the light and lean away from it, and plants in flower bend "
            "straight towards the nearest water",
            brief="leafy plants lean away from light, flowering ones bend towards water",
            outcome="The {subject} leans over to the right, away from the {lamp}, and the {companion} hangs straight "
            "down, towards the {tank}.",
            does={"subject": turned_from("lamp"), "companion": turned_to("tank")},
        ),
        Variant(
            "shy-flowers",
            rule="plants that have only leaves hang limp over the edge of their pots, and plants in flower shun the "
            "light and lean away from it",
            brief="leafy plants hang limp over their pots, flowering ones shun the light",
            outcome="The {subject} hangs straight down, and the {companion} leans over to the right, away from the "
            "{lamp}.",
            does={"subject": turned("down"), "companion": turned_from("lamp")},
        ),
    )
    starts = (
        "In a dark room, a shelf holds, from left to right, {a_lamp} that is switched on, {a_subject} in a pot, "
        "{a_companion} in a pot, and {a_sign} of wood that points to the right. {A_tank} with water stands straight "
        "below the two plants.",
        "{A_subject} and {a_companion} grow in pots high up in a room without windows. The only light comes from "
        "{a_lamp} that burns on their left, day and night. Below them there is {a_tank} of water, and to their right "
        "{a_sign}, nailed so that it points right.",
    )
    short = (
        "From left stand lit {lamp}, potted {subject}, {companion}, and {sign} pointing right; below, {a_tank} of "
        "water."
    )
    finish = "Show the room some weeks later, with both plants fully grown."
    numbers = {"shelf": (150, 200), "quarters": (2, 4)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "sign"))

    def start(self, setting: Setting) -> FigureTuple:
        """The lamp, the water, the sign and both plants, which still stand upright."""
        shelf = setting.numbers["shelf"]
        return (
            setting.figure("lamp", 62, shelf, 36, 46, lit=True),
            setting.figure("tank", 248, 420, 130, 56, quarters=setting.numbers["quarters"]),
            setting.figure("sign", 450, shelf, 42, 42, facing="right"),
            setting.figure("subject", 180, shelf, 56, 56, facing="up"),
            setting.figure("companion", 316, shelf, 66, 66, facing="up"),
        )
