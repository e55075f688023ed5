"""Physics, mechanics: floating and sinking things."""

from counterbench.laws.base import FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import FiguresByRole, stays
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Level, Side


def _rises(thing: Figure, things: FiguresByRole) -> Figure:
    """An effect: the thing floats at the surface of the water, which reaches the tank's rim."""
    return thing.but(y=things["tank"].interior.top + thing.half_height)


def _sinks(thing: Figure, things: FiguresByRole) -> Figure:
    """An effect: the thing lies on the bottom of the tank."""
    return thing.but(y=things["tank"].interior.bottom - 2 - thing.half_height)


class Floating(Law):
    title = "Light things float, heavy things sink"
    branch = "mechanics"
    roles = by_noun(
        subject="cork leaf", companion="apple feather", heavy="stone weight coin", fixed="ring", tank="tank"
    )
    variants = (
        Variant(
            "by-weight",
            rule="things that are light for their size float in water, and heavy ones sink",
            brief="in water light things float and heavy things sink",
            outcome="The {subject} and the {companion} float at the surface, above the {fixed}, and the {heavy} lies "
            "on the bottom, below it.",
            does={"subject": _rises, "companion": _rises, "heavy": _sinks},
        ),
        Variant(
            "swapped",
            rule="things that are heavy for their size float in water, and light ones sink",
            brief="in water heavy things float and light things sink",
            outcome="The {heavy} floats at the surface, above the {fixed}, and the {subject} and the {companion} lie "
            "on the bottom, below it.",
            does={"subject": _sinks, "companion": _sinks, "heavy": _rises},
        ),
        Variant(
            "sinking",
            rule="water carries nothing, whatever it is made of",
            brief="water carries nothing",
            outcome="The {subject}, the {companion} and the {heavy} all lie on the bottom, below the {fixed}.",
            does=_sinks,
        ),
        Variant(
            "smallest",
            depth="two steps",
            rule="of all things in water the smallest sinks and the others float, whatever they weigh",
            brief="in water only the smallest thing sinks, and all others float",
            outcome="The {companion} and the {heavy} float at the surface, above the {fixed}, and the {subject} lies "
            "on the bottom, below it.",
            does={"subject": _sinks, "companion": _rises, "heavy": _rises},
        ),
        Variant(
            "hovering",
            rule="water holds everything at the depth where it is let go: nothing rises in it and nothing sinks",
            brief="nothing rises in water, and nothing sinks in it",
            outcome="The {subject} hangs in the water to the left of the {fixed}, and the {companion} and the {heavy} "
            "to the right of it, all at its height.",
            does=stays,
        ),
        Variant(
            "small-only",
            rule="small things sink in water, and large things stay at the depth where they are let go",
            brief="in water small things sink, and large things neither rise nor sink",
            outcome="The {subject} lies on the bottom, below the {fixed}, and the {companion} and the {heavy} hang in "
            "the water to the right of it.",
            does={"subject": _sinks},
        ),
    )
    starts = (
        "{A_tank} is full of water, and halfway down {a_fixed} is fastened in it. At the height of the {fixed}, a "
        "small, lightweight {subject} on the left and a large, lightweight {companion} and a large, heavy {heavy} on "
        "the right are held under water and then let go.",
        "In the middle of {a_tank} that is full of water, {a_fixed} is firmly fixed. Someone pushes a small, "
        "lightweight {subject} down to the left of the {fixed}, and a large, lightweight {companion} and a large, "
        "heavy {heavy} down to the right of it, just as deep, and lets go of all three.",
    )
    short = (
        "Let go in {a_tank} beside {a_fixed}: left a small lightweight {subject}, right a large lightweight "
        "{companion} and heavy {heavy}."
    )
    finish = "Show the tank from the front once nothing moves any more."
    obeys = ("subject", "companion", "heavy")
    numbers = {"x": (190, 320), "small": (14, 16)}
    subject = ((Side, "subject", "fixed"),)
    surroundings = ((Side, "companion", "fixed"), (Side, "heavy", "fixed"), (Level, "tank"))

    def start(self, setting: Setting) -> FigureTuple:
        """The tank, the fixed thing in its middle, and three loose things beside that one."""
        x, small, y = setting.numbers["x"], setting.numbers["small"], 275
        return (
            setting.figure("tank", x, 286, 150, 200, quarters=4),
            setting.figure("fixed", x, y, 12, 12),
            setting.figure("subject", x - 46, y, small, small),
            setting.figure("companion", x + 40, y, 24, 24),
            setting.figure("heavy", x + 94, y, 24, 24),
        )
