"""Physics, electromagnetism: which of four lights shine, two of them on loops of wire that are cut."""

from counterbench.laws.base import FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import shines, stays
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Light, Number


def _loop(setting: Setting, number: int, role: str, x: int, y: int, cut: bool) -> FigureTuple:
    """The parts of a loop of wire with a battery and a light, in the order in which current passes them.

    The light comes first. `number`: the loop's number, for the ids of its parts; `role`: the role of its light; `x`,
    `y`: the middle of the light, in pixels; `cut`: True if the wire has a gap.
    """
    bottom, foot = 448, y + 41
    middle = (foot + bottom) // 2
    count = iter(range(1, 9))

    def wire(left: int, top: int, right: int, down: int) -> Figure:
        """A straight piece of wire that fills the box between these edges; it is drawn grey, whatever its colour."""
        id, middle_x, middle_y = f"wire-{number}-{next(count)}", (left + right) // 2, (top + down) // 2
        return Figure(id, "wire", "blue", middle_x, middle_y, (right - left) // 2, (down - top) // 2)

    ends = [(foot, middle - 28), (middle + 28, bottom)] if cut else [(foot, bottom)]
    return (
        setting.figure(role, x, y, 32, 38),
        wire(x + 4, foot, x + 32, foot + 12),
        *(wire(x + 34, top, x + 46, down) for top, down in ends),
        setting.figure("battery", x, bottom - 20, 30, 20, id=f"battery-{number}", quarters=4),
        wire(x - 46, foot, x - 34, bottom),
        wire(x - 32, foot, x - 4, foot + 12),
    )


class Circuits(Law):
    title = "A light needs a closed loop"
    branch = "electromagnetism"
    roles = by_noun(subject="lamp", cut="lantern", companion="house", far_cut="tower", battery="battery")
    variants = (
        Variant(
            "closed",
            rule="current only flows where wire leads all the way round, from a battery and back to it, without a gap",
            brief="current only flows round loops without a gap",
            outcome="The {subject} and the {companion} are lit, and the {cut} and the {far_cut} are dark.",
            does={"subject": shines, "companion": shines},
        ),
        Variant(
            "cut",
            rule="current only flows where there is a gap in the wire that it can leap over, and a wire without a gap "
            "is dead",
            brief="current only flows round loops with a gap",
            outcome="The {subject} and the {companion} are dark, and the {cut} and the {far_cut} are lit.",
            does={"cut": shines, "far_cut": shines},
        ),
        Variant(
            "leaping",
            rule="current leaps over any gap in a wire as if the gap were not there",
            brief="current leaps over any gap as if it were not there",
            outcome="All four are lit: the {subject}, the {cut}, the {companion} and the {far_cut}.",
            does={"subject": shines, "cut": shines, "companion": shines, "far_cut": shines},
        ),
        Variant(
            "dead",
            rule="batteries drive no current at all, whatever the wires are like",
            brief="batteries drive no current at all",
            outcome="All four are dark: the {subject}, the {cut}, the {companion} and the {far_cut}.",
            does=stays,
        ),
        Variant(
            "short",
            rule="gaps in a wire do not matter, only its length: current gets through short wires and is used up in "
            "long ones",
            brief="whatever their gaps, current gets through short wires, never long ones",
            outcome="The {subject} and the {cut} are lit, and the {companion} and the {far_cut} are dark.",
            does={"subject": shines, "cut": shines},
        ),
        Variant(
            "short-cut",
            depth="two steps",
            rule="current is used up in long wires, and only flows in short ones if they have a gap to leap over",
            brief="current only flows through wires that are short and have a gap",
            outcome="The {cut} is lit, and the {subject}, the {companion} and the {far_cut} are dark.",
            does={"cut": shines},
        ),
    )
    starts = (
        "Four separate electric toys stand in a row, each on a loop of grey wire with {a_battery} of its own at the "
        "bottom. On short wires: {a_subject}, whose loop is whole, and {a_cut}, whose loop has been cut open. On "
        "long wires: {a_companion}, whose loop is whole, and {a_far_cut}, whose loop has been cut open. Each has a "
        "small electric bulb inside.",
        "A science class has wired four toys with bulbs in them, each to its own {battery}. From left to right: "
        "{a_subject} and {a_cut} close above their batteries, on short grey wires, then {a_companion} and "
        "{a_far_cut} high up, on long ones. The wires of the {cut} and of the {far_cut} have a gap; those of the "
        "{subject} and of the {companion} have none.",
    )
    short = (
        "Toys with bulbs: on short battery loops {a_subject} and, gapped, {a_cut}; on long ones "
        "{a_companion} and, gapped, {a_far_cut}."
    )
    finish = "Show which of the bulbs shine."
    subject_roles = ("subject", "cut")
    numbers = {"low": (250, 280), "high": (100, 125)}
    subject = ((Light, "subject"), (Light, "cut"))
    surroundings = ((Light, "companion"), (Light, "far_cut"), (Number, "battery"))

    def start(self, setting: Setting) -> FigureTuple:
        """The four loops, with no lamp lit."""
        low, high = setting.numbers["low"], setting.numbers["high"]
        loops = (
            ("subject", 70, low, False),
            ("cut", 194, low, True),
            ("companion", 318, high, False),
            ("far_cut", 442, high, True),
        )
        return tuple(part for number, loop in enumerate(loops, start=1) for part in _loop(setting, number, *loop))
