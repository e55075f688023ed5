"""Physics, mechanics: what loads do to what they hang from, and what becomes of motion in a collision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import MIDDLE, ROOM, Law, Role, Setting, Variant
from counterbench.laws.world import resized, slide
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Contact, Height, Light, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


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
            rule="a load stretches what it hangs from, and the heavier the load, the more",
            outcome="The {subject} has become longer than the {fixed}, and the {companion} has become longer still.",
        ),
        Variant(
            name="shrink",
            rule="a load shortens what it hangs from, and the heavier the load, the more",
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
            rule="a load shortens what it hangs from, and the lighter the load, the more",
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
        beam = setting.figure("beam", MIDDLE, 50, 200, 12)
        top = beam.box.bottom + 1
        spring, rope = resized(half, first), resized(half, second)
        small, large = 18, 32
        return (
            beam,
            setting.figure("fixed", MIDDLE - apart, top + half, 10, half),
            setting.figure("subject", MIDDLE, top + spring, 22, spring),
            setting.figure("companion", MIDDLE + apart, top + rope, 10, rope),
            setting.figure("load", MIDDLE, top + 2 * spring + 1 + small, small, small, id="load-1"),
            setting.figure("load", MIDDLE + apart, top + 2 * rope + 1 + large, large, large, id="load-2"),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Whether the spring is longer than it was: the post is still as long."""
        return (Height(setting["subject"], setting["fixed"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The rope obeys as well, by its own load; the post stays at the beam."""
        rope, fixed = setting["companion"], setting["fixed"]
        return (Height(rope, fixed), Height(rope, setting["subject"]), Contact(fixed, setting["beam"]))


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


LAWS: tuple[Law, ...] = (Stretching(), Collision())
