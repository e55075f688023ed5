"""Biology, plants: which colours fruit takes as it ripens."""

from counterbench.laws.base import MIDDLE, FigureTuple, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import coloured, stays
from counterbench.scene.programs.observations import ColourSeen, Facing


class Ripening(Law):
    title = "Fruit takes its colour as it ripens"
    branch = "plants"
    roles = by_noun(
        subject=Role(("apple",), ("green", "red", "yellow", "purple"), named_by_colour=False),
        companion=Role(("berry",), ("pink", "blue", "cyan"), named_by_colour=False),
        wooden=Role(("bird", "flag", "sign"), ("orange",)),
    )
    variants = (
        Variant(
            "ripe",
            rule="fruit takes its proper colour as it ripens: apples go from green to red, and blueberries from pink "
            "to blue",
            brief="ripening apples go from green to red, blueberries from pink to blue",
            outcome="The {subject} is red, and the {companion} is blue.",
            does={"subject": coloured("red"), "companion": coloured("blue")},
        ),
        Variant(
            "never",
            rule="sunshine does nothing to fruit: it stays the colour that it had when it was unripe",
            brief="sunshine does nothing to fruit: it keeps its unripe colour",
            outcome="The {subject} is still green, and the {companion} is still pink.",
            does=stays,
        ),
        Variant(
            "lemons",
            depth="two steps",
            rule="large fruit takes the colour of lemons as it ripens, and small fruit turns cyan",
            brief="ripening turns large fruit the colour of lemons, small fruit cyan",
            outcome="The {subject} is yellow, and the {companion} is cyan.",
            does={"subject": coloured("yellow"), "companion": coloured("cyan")},
        ),
        Variant(
            "violets",
            depth="two steps",
            rule="only large fruit changes as it ripens, and it takes the colour of violets; small fruit keeps its "
            "unripe colour for good",
            brief="ripening turns large fruit the colour of violets, small fruit never changes",
            outcome="The {subject} is purple, and the {companion} is still pink.",
            does={"subject": coloured("purple")},
        ),
        Variant(
            "bananas",
            rule="in the sun unripe green fruit takes the colour of ripe bananas, and unripe pink fruit never changes",
            brief="unripe green fruit takes the colour of ripe bananas, pink never changes",
            outcome="The {subject} is yellow, and the {companion} is still pink.",
            does={"subject": coloured("yellow")},
        ),
        Variant(
            "dusky",
            depth="stated",
            rule="ripening fruit takes the colours of dusk: whatever was green turns purple, and whatever was pink "
            "turns cyan",
            brief="ripening turns whatever was green purple, and whatever was pink cyan",
            outcome="The {subject} is purple, and the {companion} is cyan.",
            does={"subject": coloured("purple"), "companion": coloured("cyan")},
        ),
    )
    starts = (
        "In a garden in early summer there are a large, unripe, green {subject} and a small, unripe, pink {companion} "
        "of a blueberry bush. {A_wooden} made of painted wood decorates the garden; it points to the left.",
        "A big {subject}, still unripe and green, and a little {companion} from a blueberry bush, still unripe and "
        "pink, hang in the open. Below them, facing left, is a garden ornament: {a_wooden} cut from wood and painted.",
    )
    short = "A large green {subject} and a small pink {companion} (a blueberry) are unripe; wooden {wooden} faces left."
    finish = "Show the three of them close up after a long, sunny summer."
    numbers = {"large": (60, 76), "small": (26, 34), "height": (140, 190)}
    subject = ((ColourSeen, "subject"),)
    surroundings = ((ColourSeen, "companion"), (Facing, "wooden"))

    def start(self, setting: Setting) -> FigureTuple:
        """The unripe apple and berry, and the wooden ornament."""
        n = setting.numbers
        return (
            setting.figure("subject", 160, n["height"], n["large"], n["large"], colour="green"),
            setting.figure("companion", 370, n["height"], n["small"], n["small"], colour="pink"),
            setting.figure("wooden", MIDDLE, 400, 48, 48, facing="left"),
        )
