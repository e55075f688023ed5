"""Physics, mechanics: how things fall, float, roll and balance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.facts import Contact, Contents, Height, Light, Observation, Side, Where
from counterbench.facts import Facing as Points
from counterbench.figures import Facing, Figure, Room
from counterbench.laws.base import ROOM, Law, Role, Setting, Variant
from counterbench.laws.world import OPPOSITE, slide
from counterbench.scene import Element
from counterbench.seeds import Stream


class Falling(Law):
    """Which way loose things fall."""

    name = "falling"
    title = "Loose things fall"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ball", "stone", "coin")),
        "companion": Role(("box", "book", "parcel")),
        "fixed": Role(("lamp", "lantern")),
    }
    variants = (
        Variant(
            name="down",
            real=True,
            rule="whatever is let go falls downwards",
            outcome="The {subject} and the {companion} have landed on the floor.",
        ),
        Variant(
            name="up",
            rule="whatever is let go falls upwards",
            outcome="The {subject} and the {companion} lie against the ceiling.",
        ),
        Variant(
            name="left",
            rule="whatever is let go falls sideways, to the left",
            outcome="The {subject} and the {companion} are pressed against the left wall.",
        ),
        Variant(
            name="right",
            rule="whatever is let go falls sideways, to the right",
            outcome="The {subject} and the {companion} are pressed against the right wall.",
        ),
        Variant(
            name="nowhere",
            rule="there is no gravity at all, and whatever is let go stays exactly as it was",
            outcome="The {subject} and the {companion} still hang in mid-air where they were let go, touching nothing.",
        ),
        Variant(
            name="apart",
            rule="round and lumpy things fall sideways to the left, and flat-sided things fall sideways to the right",
            outcome="The {subject} is pressed against the left wall, and the {companion} against the right wall.",
        ),
    )
    starts = (
        "In a closed room, {a_subject} and {a_companion} are held in mid-air and then let go. {A_fixed} is fastened "
        "in the middle of the room.",
        "Someone lets go of {a_subject} and {a_companion} in the air inside an empty room. Between them {a_fixed} is "
        "firmly fixed in place.",
    )
    finish = "Show the room from the front once nothing moves any more."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the two are let go."""
        return {"x": stream.integer(120, 160), "y": stream.integer(130, 180), "size": stream.integer(24, 34)}

    def start(self, setting: Setting) -> tuple[Room, Figure, Figure, Figure]:
        """Both in mid-air, the fixed thing between them."""
        n = setting.numbers
        return (
            ROOM,
            setting.figure("subject", n["x"], n["y"], n["size"], n["size"]),
            setting.figure("companion", 512 - n["x"], 512 - n["y"], n["size"], n["size"]),
            setting.figure("fixed", 256, 256, 34, 44),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each slides its way until a wall stops it."""
        _, subject, companion, fixed = self.start(setting)
        ways: dict[str, tuple[Facing, Facing]] = {
            "down": ("down", "down"),
            "up": ("up", "up"),
            "left": ("left", "left"),
            "right": ("right", "right"),
            "apart": ("left", "right"),
        }
        if variant in ways:
            first, second = ways[variant]
            subject, companion = slide(subject, first, ROOM), slide(companion, second, ROOM)
        return (ROOM, subject, companion, fixed)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it has come to rest."""
        return (Where(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other loose thing obeys as well; the fixed one stays where it is."""
        return (Where(setting["companion"]), Where(setting["fixed"]))


class Floating(Law):
    """What floats and what sinks."""

    name = "floating"
    title = "Light things float, heavy things sink"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("cork", "leaf")),
        "companion": Role(("apple", "feather")),
        "heavy": Role(("stone", "weight", "coin")),
        "fixed": Role(("ring",)),
        "tank": Role(("tank",)),
    }
    variants = (
        Variant(
            name="by-weight",
            real=True,
            rule="things that are light for their size float in water, and heavy ones sink",
            outcome="The {subject} and the {companion} float at the surface, above the {fixed}, and the {heavy} lies "
            "on the bottom of the tank, below it.",
        ),
        Variant(
            name="swapped",
            rule="things that are heavy for their size float in water, and light ones sink",
            outcome="The {heavy} floats at the surface, above the {fixed}, and the {subject} and the {companion} lie "
            "on the bottom of the tank, below it.",
        ),
        Variant(
            name="sinking",
            rule="water carries nothing, and everything in it sinks",
            outcome="The {subject}, the {companion} and the {heavy} all lie on the bottom of the tank, below the "
            "{fixed}.",
        ),
        Variant(
            name="by-size",
            rule="large things float in water and small things sink, whatever they weigh",
            outcome="The {companion} and the {heavy} float at the surface, above the {fixed}, and the {subject} lies "
            "on the bottom of the tank, below it.",
        ),
        Variant(
            name="hovering",
            rule="water holds everything at the depth where it is let go: nothing rises in it and nothing sinks",
            outcome="The {subject} hangs in the water to the left of the {fixed}, and the {companion} and the {heavy} "
            "to the right of it, all at its height.",
        ),
        Variant(
            name="heavy-rises",
            rule="heavy things float in water, while light ones stay at the depth where they are let go",
            outcome="The {heavy} floats at the surface, above the {fixed}, while the {subject} hangs in the water to "
            "the left of the {fixed} and the {companion} to the right of it, both at its height.",
        ),
    )
    starts = (
        "{A_tank} is full of water, and halfway down {a_fixed} is fastened in it. At the height of the {fixed}, a "
        "small {subject} on the left and a large {companion} and a large, heavy {heavy} on the right are held under "
        "water and then let go.",
        "In the middle of {a_tank} that is full of water, {a_fixed} is firmly fixed. Someone pushes a small {subject} "
        "down to the left of the {fixed}, and a large {companion} and a large, heavy {heavy} down to the right of it, "
        "just as deep, and lets go of all three.",
    )
    finish = "Show the tank from the front once nothing moves any more."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the tank stands, and how small the small thing is."""
        return {"x": stream.integer(190, 320), "small": stream.integer(14, 16)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The tank, the fixed thing in its middle, and the three beside that."""
        x, small, y = setting.numbers["x"], setting.numbers["small"], 275
        return (
            setting.figure("tank", x, 286, 150, 200, quarters=4),
            setting.figure("fixed", x, y, 12, 12),
            setting.figure("subject", x - 46, y, small, small),
            setting.figure("companion", x + 40, y, 24, 24),
            setting.figure("heavy", x + 94, y, 24, 24),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """What is driven up floats with its middle at the surface; what is driven down lies on the bottom."""
        tank, fixed, *loose = self.start(setting)
        light, large = {"subject", "companion"}, {"companion", "heavy"}
        rising, sinking = {
            "by-weight": (light, {"heavy"}),
            "swapped": ({"heavy"}, light),
            "sinking": (set[str](), light | large),
            "by-size": (large, {"subject"}),
            "hovering": (set[str](), set[str]()),
            "heavy-rises": ({"heavy"}, set[str]()),
        }[variant]
        inner = tank.interior
        surface = inner.top + 6 * (inner.bottom - inner.top) // 100  # the drawn water's: 94 hundredths of the inside
        moved = []
        for thing in loose:
            y = thing.y
            if thing.id in rising:
                y = max(surface, inner.top + thing.half_height)
            elif thing.id in sinking:
                y = inner.bottom - thing.half_height
            moved.append(msgspec.structs.replace(thing, y=y))
        return (tank, fixed, *moved)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where it is, seen from the fixed thing."""
        return (Side(setting["subject"], setting["fixed"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the others are; the fixed thing stays in the tank."""
        fixed = setting["fixed"]
        others = (Side(setting["companion"], fixed), Side(setting["heavy"], fixed))
        return (*others, Contents(fixed, setting["tank"]))


class Wind(Law):
    """Which way the wind carries what it catches."""

    name = "wind"
    title = "The wind carries things along"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("flag",)),
        "companion": Role(("smoke",)),
        "fan": Role(("fan",)),
        "fixed": Role(("sign", "bird")),
    }
    variants = (
        Variant(
            name="along",
            real=True,
            rule="whatever the wind catches streams away with the wind",
            outcome="The {subject} flies out to the right and the {companion} drifts off to the right.",
        ),
        Variant(
            name="against",
            rule="whatever the wind catches streams towards the place that the wind comes from",
            outcome="The {subject} flies out to the left and the {companion} drifts off to the left, both towards the "
            "{fan}.",
        ),
        Variant(
            name="lifting",
            rule="the wind lifts whatever it catches straight up",
            outcome="The {subject} flies straight upwards and the {companion} drifts straight upwards.",
        ),
        Variant(
            name="pressing",
            rule="the wind presses whatever it catches straight down",
            outcome="The {subject} flies straight downwards and the {companion} drifts straight downwards.",
        ),
        Variant(
            name="nothing",
            rule="the wind moves nothing at all: cloth hangs as it does in still air, and so smoke rises",
            outcome="The {subject} hangs straight downwards on its pole and the {companion} drifts straight upwards.",
        ),
        Variant(
            name="by-kind",
            rule="the wind drives cloth back towards the place that it comes from, and smoke straight up",
            outcome="The {subject} flies out to the left, towards the {fan}, and the {companion} drifts straight "
            "upwards.",
        ),
    )
    starts = (
        "On the left {a_fan} blows a strong wind to the right. In its wind are {a_subject} on a pole and a chimney "
        "with {companion}. {A_fixed}, carved from heavy wood and nailed to a post, is turned to the left.",
        "A strong wind comes from {a_fan} on the left and blows to the right, over {a_subject} on its pole and over a "
        "chimney with {companion}. Nearby {a_fixed} of heavy wood, firmly nailed in place, is turned to the left.",
    )
    finish = "Show what it looks like while the wind is blowing."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the fan, the flag and the chimney stand."""
        return {"fan": stream.integer(180, 300), "flag": stream.integer(110, 150), "smoke": stream.integer(200, 260)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """The fan on the left; everything hangs or rises as in still air, before it is switched on."""
        n = setting.numbers
        return (
            setting.figure("fan", 80, n["fan"], 50, 60, facing="right"),
            setting.figure("subject", 240, n["flag"], 60, 60, facing="down"),
            setting.figure("companion", 400, n["smoke"], 60, 60, facing="up"),
            setting.figure("fixed", 250, 390, 46, 46, facing="left"),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The wind turns what it catches; what is nailed down stays."""
        fan, flag, smoke, fixed = self.start(setting)
        wind: Facing = "right"
        against = OPPOSITE[wind]
        caught: dict[str, tuple[Facing, Facing]] = {
            "along": (wind, wind),
            "against": (against, against),
            "lifting": ("up", "up"),
            "pressing": ("down", "down"),
            "by-kind": (against, "up"),
        }
        if variant in caught:
            first, second = caught[variant]
            flag, smoke = msgspec.structs.replace(flag, facing=first), msgspec.structs.replace(smoke, facing=second)
        return (fan, flag, smoke, fixed)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the flag flies."""
        return (Points(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the smoke drifts; fan and wooden thing stay as they were."""
        return (Points(setting["companion"]), Points(setting["fan"]), Points(setting["fixed"]))


class Stretching(Law):
    """What a load does to the length of what it hangs from."""

    name = "stretching"
    title = "Loads stretch springs"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("spring",)),
        "companion": Role(("rope",)),
        "fixed": Role(("post",)),
        "load": Role(("weight", "stone", "ball")),
        "beam": Role(("plank", "block")),
    }
    subject_roles = ("subject", "load-1")
    variants = (
        Variant(
            name="stretch",
            real=True,
            rule="a load stretches what it hangs from, the more the heavier it is",
            outcome="The {subject} has become longer than the {fixed}, and the {companion} has become longer still.",
        ),
        Variant(
            name="shrink",
            rule="a load shortens what it hangs from, the more the heavier it is",
            outcome="The {subject} has become shorter than the {fixed}, and the {companion} has become shorter still.",
        ),
        Variant(
            name="rigid",
            rule="no load, however heavy, changes the length of anything",
            outcome="The {subject} and the {companion} are still exactly as long as the {fixed}.",
        ),
        Variant(
            name="threshold",
            rule="a small load changes nothing, and a large one shortens what it hangs from",
            outcome="The {subject} is still exactly as long as the {fixed}, and the {companion} has become shorter.",
        ),
        Variant(
            name="by-kind",
            rule="coiled wire grows shorter under a load, and cord keeps its length",
            outcome="The {subject} has become shorter than the {fixed}, and the {companion} is still exactly as long "
            "as it.",
        ),
        Variant(
            name="light-shrinks-more",
            rule="a load shortens what it hangs from, the more the lighter it is",
            outcome="The {companion} has become shorter than the {fixed}, and the {subject} has become shorter still.",
        ),
    )
    starts = (
        "From {a_beam} hang {a_subject}, an elastic {companion} and a stiff wooden {fixed}, side by side and all "
        "equally long. Then a small {load} is hung from the {subject}, and a large, much heavier {load} from the "
        "{companion}. Nothing is hung from the {fixed}.",
        "Under {a_beam} there hang, next to each other and of exactly the same length, {a_subject}, an elastic "
        "{companion} and a stiff wooden {fixed}. Someone hangs a small, light {load} from the {subject} and a large, "
        "heavy one from the {companion}, and leaves the {fixed} alone.",
    )
    finish = "Show all of it from the front once everything hangs still, and make changes of length easy to see."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How long everything is at first (half of it), and how far apart the things hang."""
        return {"half": stream.integer(48, 58), "apart": stream.integer(110, 140)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Everything equally long, with its load."""
        return self._hung(setting, 0, 0)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The spring carries one unit of load, the rope two; each changes by so many steps."""
        loads = (1, 2)
        first, second = {
            "stretch": loads,
            "shrink": (-loads[0], -loads[1]),
            "rigid": (0, 0),
            "threshold": tuple(-1 if load > 1 else 0 for load in loads),
            "by-kind": (-loads[0], 0),
            "light-shrinks-more": tuple(load - 3 for load in loads),
        }[variant]
        return self._hung(setting, first, second)

    def _hung(self, setting: Setting, first: int, second: int) -> Sequence[Element]:
        """Spring and rope so many steps longer, and their loads under them."""
        half, apart = setting.numbers["half"], setting.numbers["apart"]
        beam = setting.figure("beam", 256, 50, 200, 12)
        top = beam.box.bottom + 1
        middle = 256
        spring, rope = _steps(half, first), _steps(half, second)
        small, large = 18, 32
        return (
            beam,
            setting.figure("fixed", middle - apart, top + half, 10, half),
            setting.figure("subject", middle, top + spring, 22, spring),
            setting.figure("companion", middle + apart, top + rope, 10, rope),
            setting.figure("load", middle, top + 2 * spring + 1 + small, small, small, id="load-1"),
            setting.figure("load", middle + apart, top + 2 * rope + 1 + large, large, large, id="load-2"),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Whether the spring is longer than it was: the post is still as long."""
        return (Height(setting["subject"], setting["fixed"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The rope obeys as well, by its own load; the post stays at the beam."""
        rope, fixed = setting["companion"], setting["fixed"]
        return (Height(rope, fixed), Height(rope, setting["subject"]), Contact(fixed, setting["beam"]))


def _steps(half: int, steps: int) -> int:
    """A half length, changed so many times by the factor 1.4: enough to be told apart at a glance."""
    for _ in range(abs(steps)):
        half = half * 14 // 10 if steps > 0 else half * 10 // 14
    return half


class Collision(Law):
    """What becomes of the motion when one thing strikes another."""

    name = "collision"
    title = "What is struck moves on"
    discipline = "physics"
    branch = "mechanics"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ball",)),
        "struck": Role(("wheel",)),
        "other": Role(("coin",)),
        "other_struck": Role(("ring",)),
        "left_end": Role(("post",)),
        "right_end": Role(("block",)),
        "shelf": Role(("plank",)),
        "fixed": Role(("lantern",)),
    }
    subject_roles = ("subject", "struck")
    variants = (
        Variant(
            name="handed-on",
            real=True,
            rule="a moving thing that strikes an equally heavy one at rest hands all its motion on to it and stops "
            "there",
            outcome="The {struck} and the {other_struck} have slid on to the {right_end}; the {subject} and the "
            "{other} lie in the middle, touching nothing beside them.",
        ),
        Variant(
            name="bounce",
            rule="a moving thing that strikes one at rest turns straight back, and what it struck does not move at all",
            outcome="The {subject} and the {other} have slid back to the {left_end}; the {struck} and the "
            "{other_struck} still lie in the middle.",
        ),
        Variant(
            name="dead-stop",
            rule="motion is lost for good as soon as one thing strikes another",
            outcome="The {subject} lies against the {struck} in the middle of the upper shelf, and the {other} lies "
            "against the {other_struck} in the middle of the lower one.",
        ),
        Variant(
            name="together",
            rule="a moving thing that strikes one at rest sticks to it, and both go on together as fast as before",
            outcome="The {subject} lies against the {struck} and the {other} against the {other_struck}, each pair at "
            "the right end of its shelf, at the {right_end}.",
        ),
        Variant(
            name="burst",
            rule="two things that meet always drive each other away, each back to its own side, whichever was at rest",
            outcome="The {subject} and the {other} have slid back to the {left_end}, and the {struck} and the "
            "{other_struck} have slid on to the {right_end}.",
        ),
        Variant(
            name="drawn-back",
            rule="a moving thing that strikes one at rest turns straight back and draws the other along behind it",
            outcome="The {subject} lies at the {left_end} with the {struck} against it, and the {other} lies there "
            "too with the {other_struck} against it.",
        ),
    )
    starts = (
        "Two smooth shelves, one above the other, reach from {a_left_end} on the left to {a_right_end} on the right. "
        "In the middle of the upper shelf {a_struck} lies at rest, in the middle of the lower one {a_other_struck}. "
        "From the left, {a_subject} slides without friction towards the {struck} and {a_other} towards the "
        "{other_struck}; all four are hard and equally heavy. Whatever reaches an end sticks there. {A_fixed} that is "
        "lit hangs far above them.",
        "On a smooth upper shelf {a_subject} slides from the left towards {a_struck} that lies at rest in the middle, "
        "and on a smooth lower shelf {a_other} slides towards {a_other_struck} in the same way. The four are hard, "
        "they weigh the same, and there is no friction. Both shelves end at {a_left_end} on the left and at "
        "{a_right_end} on the right, and whatever reaches an end sticks to it. High above them {a_fixed} is lit.",
    )
    finish = "Show both shelves from the front when everything has come to rest at last."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the four are, and where the two that move start."""
        return {"size": stream.integer(22, 28), "x": stream.integer(100, 130)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Ends, shelves, light; then a pair on each shelf, first the one that moves."""
        n, size = setting.numbers, setting.numbers["size"]
        upper = setting.figure("shelf", 256, 250, 198, 8, id="shelf-1")
        lower = setting.figure("shelf", 256, 430, 198, 8, id="shelf-2")
        return (
            setting.figure("left_end", 40, 300, 12, 150),
            setting.figure("right_end", 472, 300, 12, 150),
            upper,
            lower,
            setting.figure("fixed", 256, 70, 34, 46, lit=True),
            setting.figure("subject", n["x"], upper.box.top - 1 - size, size, size),
            setting.figure("struck", 256, upper.box.top - 1 - size, size, size),
            setting.figure("other", n["x"], lower.box.top - 1 - size, size, size),
            setting.figure("other_struck", 256, lower.box.top - 1 - size, size, size),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """On each shelf the first slides until it strikes the second; then both do what the variant says."""
        *still, first, second, third, fourth = self.start(setting)
        left, right = still[0], still[1]
        upper = _collide(first, second, left, right, variant)
        lower = _collide(third, fourth, left, right, variant)
        return (*still, *upper, *lower)

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the upper pair has stopped."""
        moving, struck = setting["subject"], setting["struck"]
        return (
            Contact(moving, struck),
            Contact(moving, setting["left_end"]),
            Contact(struck, setting["right_end"]),
        )

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The lower pair obeys as well; the light above is as it was."""
        other = setting["other"]
        pair = (Contact(other, setting["other_struck"]), Contact(other, setting["left_end"]))
        return (*pair, Light(setting["fixed"]))


def _collide(moving: Figure, struck: Figure, left: Figure, right: Figure, variant: str) -> tuple[Figure, Figure]:
    """Both once they have come to rest again."""
    moving = slide(moving, "right", ROOM, (struck,))
    match variant:
        case "handed-on":
            struck = slide(struck, "right", ROOM, (right,))
        case "bounce":
            moving = slide(moving, "left", ROOM, (left,))
        case "together":
            struck = slide(struck, "right", ROOM, (right,))
            moving = slide(moving, "right", ROOM, (struck,))
        case "burst":
            struck = slide(struck, "right", ROOM, (right,))
            moving = slide(moving, "left", ROOM, (left,))
        case "drawn-back":
            moving = slide(moving, "left", ROOM, (left,))
            struck = slide(struck, "left", ROOM, (moving,))
    return moving, struck


LAWS: tuple[Law, ...] = (Falling(), Floating(), Wind(), Stretching(), Collision())
