"""Physics, electromagnetism: what magnets do to iron, what makes a lamp shine, where compasses point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

import msgspec

from counterbench.facts import Facing, Light, Number, Observation, Side
from counterbench.figures import Facing as Way
from counterbench.figures import Figure
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, WAYS
from counterbench.scene import Element
from counterbench.seeds import Stream

_MIDDLE = 256


class Poles(Law):
    """Where loose iron goes to on a bar magnet, on a table seen from above."""

    name = "magnet-poles"
    title = "Iron clings to the ends of a magnet"
    discipline = "physics"
    branch = "electromagnetism"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ring", "wheel")),
        "companion": Role(("weight", "box")),
        "magnet": Role(("magnet",)),
        "cork": Role(("cork", "feather")),
    }
    variants = (
        Variant(
            name="near-end",
            real=True,
            rule="iron is drawn to the nearest end of a bar magnet and clings there",
            outcome="The {subject} clings to the left end of the {magnet}, and the {companion} to its right end.",
        ),
        Variant(
            name="far-end",
            rule="iron is drawn around to the farther end of a bar magnet and clings there",
            outcome="The {subject} clings to the right end of the {magnet}, and the {companion} to its left end.",
        ),
        Variant(
            name="lower-edge",
            rule="the ends of a magnet are dead: iron is only ever drawn to the middle of whichever of its long "
            "edges is lower in the picture",
            outcome="The {subject} and the {companion} cling side by side to the lower edge of the {magnet}, below it.",
        ),
        Variant(
            name="upper-edge",
            rule="the ends of a magnet are dead: iron is only ever drawn to the middle of whichever of its long "
            "edges is higher in the picture",
            outcome="The {subject} and the {companion} cling side by side to the upper edge of the {magnet}, above it.",
        ),
        Variant(
            name="across",
            rule="a magnet draws iron right round to the long edge that faces away from where the iron was, and "
            "holds it there",
            outcome="The {subject} clings to the {magnet} from below, and the {companion} from above.",
        ),
        Variant(
            name="none",
            rule="magnets have no effect on anything, iron included",
            outcome="Nothing has moved: the {subject} is still well above the {magnet}, and the {companion} well "
            "below it.",
        ),
    )
    starts = (
        "Looking straight down at a smooth table: {a_magnet} is taped flat across the middle. Farther up the picture "
        "lies {a_subject} of iron, a little nearer to the magnet's left end; farther down lies {a_companion} of "
        "iron, a little nearer to its right end. Off to the left of the magnet there is {a_cork}, which is not made "
        "of iron. Everything but the magnet slides freely.",
        "On an icy table seen from above, {a_magnet} is glued down with its ends to the left and right. {A_subject} "
        "made of iron is put down above it in the picture, left of its middle, and {a_companion} made of iron below "
        "it, right of its middle. {A_cork}, in which there is no iron, lies some way out on the left.",
    )
    finish = "Show the table from above once nothing slides any more."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far off the iron lies at first, and how large it is."""
        return {"away": stream.integer(140, 175), "size": stream.integer(19, 23)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The magnet in the middle, iron above and below it."""
        away, size = setting.numbers["away"], setting.numbers["size"]
        return (
            setting.figure("magnet", _MIDDLE, _MIDDLE, 84, 26),
            setting.figure("cork", 46, _MIDDLE, 20, 20),
            setting.figure("subject", _MIDDLE - 44, _MIDDLE - away, size, size),
            setting.figure("companion", _MIDDLE + 44, _MIDDLE + away, size, size),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each piece of iron goes to the edge that draws it; those that share one lie beside each other."""
        magnet, cork, *iron = self.start(setting)
        return (magnet, cork, *(_clinging(piece, magnet, variant) for piece in iron))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """On which side of the magnet it is."""
        return (Side(setting["subject"], setting["magnet"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other iron obeys as well; what is not iron stays."""
        return (Side(setting["companion"], setting["magnet"]), Side(setting["cork"], setting["magnet"]))


def _clinging(iron: Figure, magnet: Figure, variant: str) -> Figure:
    """A piece of iron where a magnet holds it."""
    near: Way = "left" if iron.x < magnet.x else "right"
    side: Way = "up" if iron.y < magnet.y else "down"
    edges: dict[str, Way] = {
        "near-end": near,
        "far-end": OPPOSITE[near],
        "lower-edge": "down",
        "upper-edge": "up",
        "across": OPPOSITE[side],
    }
    if variant not in edges:
        return iron
    dx, dy = WAYS[edges[variant]]
    x, y = magnet.x, magnet.y
    if dx:
        x += dx * (magnet.half_width + iron.half_width + 1)
        y += (iron.half_height + 3) * WAYS[side][1]
    else:
        x += (iron.half_width + 6) * WAYS[near][0]
        y += dy * (magnet.half_height + iron.half_height + 1)
    return msgspec.structs.replace(iron, x=x, y=y)


class Circuits(Law):
    """Which of four lights shine, each on a battery of its own; two of the four loops of wire are cut."""

    name = "circuits"
    title = "A light needs a closed loop"
    discipline = "physics"
    branch = "electromagnetism"
    subject_roles = ("subject", "cut")
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("lamp",)),
        "cut": Role(("lantern",)),
        "companion": Role(("house",)),
        "far_cut": Role(("tower",)),
        "battery": Role(("battery",)),
    }
    variants = (
        Variant(
            name="closed",
            real=True,
            rule="current only flows where wire leads all the way round, from a battery and back to it, without a gap",
            outcome="The {subject} and the {companion} are lit, and the {cut} and the {far_cut} are dark.",
        ),
        Variant(
            name="cut",
            rule="current only flows where there is a gap in the wire that it can leap over, and a wire without a "
            "gap is dead",
            outcome="The {subject} and the {companion} are dark, and the {cut} and the {far_cut} are lit.",
        ),
        Variant(
            name="leaping",
            rule="current leaps over any gap in a wire as if the gap were not there",
            outcome="All four are lit: the {subject}, the {cut}, the {companion} and the {far_cut}.",
        ),
        Variant(
            name="dead",
            rule="batteries drive no current at all, whatever the wires are like",
            outcome="All four are dark: the {subject}, the {cut}, the {companion} and the {far_cut}.",
        ),
        Variant(
            name="short",
            rule="gaps in a wire do not matter, only its length: current gets through short wires and is used up in "
            "long ones",
            outcome="The {subject} and the {cut} are lit, and the {companion} and the {far_cut} are dark.",
        ),
        Variant(
            name="long",
            rule="gaps in a wire do not matter, only its length: current has to gather speed, and it only reaches "
            "what hangs on long wires",
            outcome="The {subject} and the {cut} are dark, and the {companion} and the {far_cut} are lit.",
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
    finish = "Show which of the bulbs shine."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How high the two pairs hang."""
        return {"low": stream.integer(250, 280), "high": stream.integer(100, 125)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """All four loops, with no bulb lit."""
        return tuple(part for loop in _loops(setting) for part in loop)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The light in each loop shines if current gets through its parts."""
        loops = _loops(setting)
        longest = max(_length(loop) for loop in loops)  # the wires of two loops are that long
        seen: list[Element] = []
        for light, *rest in loops:
            loop = (light, *rest)
            lit = _flows(loop, _length(loop) == longest, variant)
            seen += [msgspec.structs.replace(light, lit=lit), *rest]
        return tuple(seen)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The two on short wires."""
        return (Light(setting["subject"]), Light(setting["cut"]))

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The two on long wires; no battery comes or goes."""
        return (Light(setting["companion"]), Light(setting["far_cut"]), Number(setting["battery"]))


def _loops(setting: Setting) -> tuple[tuple[Figure, ...], ...]:
    """The parts of each loop in the order in which current would pass them, the light first."""
    low, high = setting.numbers["low"], setting.numbers["high"]
    places = (
        ("subject", 70, low, False),
        ("cut", 194, low, True),
        ("companion", 318, high, False),
        ("far_cut", 442, high, True),
    )
    return tuple(_loop(setting, i, *place) for i, place in enumerate(places, start=1))


def _loop(setting: Setting, number: int, role: str, x: int, y: int, cut: bool) -> tuple[Figure, ...]:
    bottom, foot = 448, y + 41
    middle = (foot + bottom) // 2
    count = iter(range(1, 9))

    def wire(left: int, top: int, right: int, down: int) -> Figure:
        return Figure(
            id=f"wire-{number}-{next(count)}",
            noun="wire",
            colour="blue",
            x=(left + right) // 2,
            y=(top + down) // 2,
            half_width=(right - left) // 2,
            half_height=(down - top) // 2,
        )

    ends = [(foot, middle - 28), (middle + 28, bottom)] if cut else [(foot, bottom)]
    return (
        setting.figure(role, x, y, 32, 38),
        wire(x + 4, foot, x + 32, foot + 12),
        *(wire(x + 34, top, x + 46, down) for top, down in ends),
        setting.figure("battery", x, bottom - 20, 30, 20, id=f"battery-{number}", quarters=4),
        wire(x - 46, foot, x - 34, bottom),
        wire(x - 32, foot, x - 4, foot + 12),
    )


def _flows(loop: tuple[Figure, ...], long: bool, variant: str) -> bool:
    """Whether current gets through a loop."""
    match variant:
        case "cut":
            return not _closed(loop)
        case "leaping" | "dead":
            return variant == "leaping"
        case "short" | "long":
            return long == (variant == "long")
        case _:
            return _closed(loop)


def _closed(loop: tuple[Figure, ...]) -> bool:
    """Whether each part of a loop lies against the next, and the last against the first."""
    return all(a.box.grown(4).touches(b.box) for a, b in pairwise((*loop, loop[0])))


def _length(loop: tuple[Figure, ...]) -> int:
    """How far it is from the light down to the battery."""
    light, *rest = loop
    return max(part.y for part in rest if part.noun == "battery") - light.y


class Compasses(Law):
    """Where compass needles point, on a map with north at the top."""

    name = "compasses"
    title = "A compass points north"
    discipline = "physics"
    branch = "electromagnetism"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("needle", "compass")),
        "companion": Role(("needle", "compass")),
        "mountain": Role(("mountain", "island")),
        "sun": Role(("sun",), ("yellow", "orange", "red")),
        "sign": Role(("sign",)),
    }
    variants = (
        Variant(
            name="north",
            real=True,
            rule="a magnetic pointer that can turn freely points north",
            outcome="The {subject} and the {companion} both point north, to the top of the picture.",
        ),
        Variant(
            name="mountain",
            rule="north means nothing to a magnetic pointer: it points at the nearest high land",
            outcome="The {subject} points right and the {companion} points left, both at the {mountain} between them.",
        ),
        Variant(
            name="shun",
            rule="north means nothing to a magnetic pointer: it points straight away from the nearest high land",
            outcome="The {subject} points left and the {companion} points right, both away from the {mountain} "
            "between them.",
        ),
        Variant(
            name="sun",
            rule="north means nothing to a magnetic pointer: it always points towards the sun",
            outcome="The {subject} and the {companion} both point left, towards the {sun}.",
        ),
        Variant(
            name="as-put",
            rule="there is no magnetism in the earth, and a magnetic pointer stays the way it was last turned by hand",
            outcome="The {subject} and the {companion} both still point to the right.",
        ),
        Variant(
            name="south",
            rule="a magnetic pointer that can turn freely points south",
            outcome="The {subject} and the {companion} both point south, to the bottom of the picture.",
        ),
    )
    starts = (
        "A picture map with north at the top. Along one line from left to right there are {a_sun}, {a_subject}, "
        "{a_mountain} and {a_companion}; the {subject} and the {companion} are magnetic, and somebody turns both to "
        "the right and then lets them swing freely. {A_sign}, made of wood and nailed fast, points to the left at "
        "the top of the map.",
        "On a map whose top is north, {a_mountain} rises between {a_subject} on its left and {a_companion} on its "
        "right, two magnetic pointers that spin easily. Both were set by hand to the right and let go. {A_sun} "
        "stands at the far left, level with them, and {a_sign} of wood, fixed so that it points left, stands above "
        "them all.",
    )
    finish = "Show which way everything on the map points in the end."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How far down the map the row lies, and how large the pointers are."""
        return {"row": stream.integer(270, 350), "size": stream.integer(42, 48)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Both pointers turned to the right by hand."""
        row, size = setting.numbers["row"], setting.numbers["size"]
        return (
            setting.figure("sun", 52, row, 40, 40),
            setting.figure("mountain", 296, row, 50, 40),
            setting.figure("sign", _MIDDLE, 100, 44, 44, facing="left"),
            setting.figure("subject", 170, row, size, size, facing="right"),
            setting.figure("companion", 422, row, size, size, facing="right"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each pointer turns to what draws it."""
        sun, mountain, sign, *pointers = self.start(setting)

        def turned(pointer: Figure) -> Figure:
            at_mountain = _toward(pointer, mountain)
            ways: dict[str, Way] = {
                "north": "up",
                "south": "down",
                "mountain": at_mountain,
                "shun": OPPOSITE[at_mountain],
                "sun": _toward(pointer, sun),
            }
            return msgspec.structs.replace(pointer, facing=ways.get(variant, pointer.facing))

        return (sun, mountain, sign, *(turned(pointer) for pointer in pointers))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it points."""
        return (Facing(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other pointer obeys as well; the wooden sign is nailed fast."""
        return (Facing(setting["companion"]), Facing(setting["sign"]))


def _toward(pointer: Figure, target: Figure) -> Way:
    """The way along the row from a pointer to something."""
    return "right" if target.x > pointer.x else "left"


LAWS: tuple[Law, ...] = (Poles(), Circuits(), Compasses())
