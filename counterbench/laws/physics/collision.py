"""Physics, mechanics: the motion after one thing strikes another."""

from counterbench.laws.base import ROOM, Elements, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import slide
from counterbench.scene.figures import FacingSide
from counterbench.scene.programs.observations import Contact, Light


class Collision(Law):
    title = "What is struck moves on"
    branch = "mechanics"
    roles = by_noun(
        subject="ball",
        struck="wheel",
        other="coin",
        other_struck="ring",
        left_end="post",
        right_end="block",
        shelf="plank",
        fixed="lantern",
    )
    variants = (
        Variant(
            "handed-on",
            rule="a moving thing that strikes an equally heavy one at rest hands all its motion on to it and stops "
            "there",
            brief="what strikes a thing at rest hands it all its motion",
            outcome="The {struck} and the {other_struck} have slid on to the {right_end}; the {subject} and the "
            "{other} lie in the middle, touching nothing beside them.",
            does=(None, "right"),
        ),
        Variant(
            "bounce",
            rule="a moving thing that strikes one at rest turns straight back, and what it struck does not move at all",
            brief="what strikes a thing at rest turns back; the other never moves",
            outcome="The {subject} and the {other} have slid back to the {left_end}; the {struck} and the "
            "{other_struck} still lie in the middle.",
            does=("left", None),
        ),
        Variant(
            "dead-stop",
            rule="all motion is lost for good as soon as one thing strikes another",
            brief="all motion is lost when things strike each other",
            outcome="The {subject} lies against the {struck} in the middle of the upper shelf, and the {other} lies "
            "against the {other_struck} in the middle of the lower one.",
            does=(None, None),
        ),
        Variant(
            "together",
            rule="a moving thing that strikes one at rest sticks to it, and both go on together as fast as before",
            brief="what strikes a thing at rest sticks, and both go on",
            outcome="The {subject} lies against the {struck} and the {other} against the {other_struck}, each pair at "
            "the right end of its shelf, at the {right_end}.",
            does=("right", "right"),
        ),
        Variant(
            "burst",
            rule="two things that meet drive each other away, each back to its own side, even if one was at rest",
            brief="two things that meet drive each other back to their own sides",
            outcome="The {subject} and the {other} have slid back to the {left_end}, and the {struck} and the "
            "{other_struck} have slid on to the {right_end}.",
            does=("left", "right"),
        ),
        Variant(
            "driven-back",
            depth="two steps",
            rule="a thing at rest that is struck sets off against the blow, and pushes whatever struck it along before "
            "it",
            brief="what is struck sets off against the blow, pushing the striker along",
            outcome="The {subject} lies at the {left_end} with the {struck} against it, and the {other} lies there too "
            "with the {other_struck} against it.",
            does=("left", "left"),
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
    short = (
        "Under a lit {fixed}, {a_subject} slides from {a_left_end} into {a_struck} halfway to {a_right_end}; "
        "below, {a_other} into {a_other_struck}."
    )
    finish = "Show both shelves from the front when everything has come to rest at last."
    subject_roles = ("subject", "struck")
    numbers = {"size": (22, 28), "x": (100, 130)}
    subject = ((Contact, "subject", "struck"), (Contact, "subject", "left_end"), (Contact, "struck", "right_end"))
    surroundings = ((Contact, "other", "other_struck"), (Contact, "other", "left_end"), (Light, "fixed"))

    def start(self, setting: Setting) -> FigureTuple:
        """The end walls, the shelves, the light; then for each shelf the moving thing and the one that it strikes."""
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

    def run(self, setting: Setting, does: tuple[FacingSide | None, FacingSide | None]) -> Elements:
        """The scene after the collisions, which are the same on both shelves.

        `does`: the direction in which the striking thing goes on, and that of the struck thing; None if it rests.
        """
        striker_goes, struck_goes = does
        *elements, first, second, third, fourth = self.start(setting)
        left, right, *_ = elements
        for moving, struck in ((first, second), (third, fourth)):
            moving = slide(moving, "right", ROOM, (struck,))
            if struck_goes == "right":
                struck = slide(struck, struck_goes, ROOM, (right,))
            if striker_goes:
                moving = slide(moving, striker_goes, ROOM, (left, struck))
            if struck_goes == "left":
                struck = slide(struck, struck_goes, ROOM, (moving,))
            elements += (moving, struck)
        return elements
