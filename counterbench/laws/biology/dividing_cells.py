"""Biology, cells: how many cells and bacteria there are after each has had time to divide once."""

from counterbench.laws.base import FigureTuple, Law, Setting, Variant, by_noun
from counterbench.scene.programs.observations import Number

_BEADS = 4  # lifeless things in front of the tanks; no variant changes their number


class Dividing(Law):
    title = "Each cell divides into two"
    branch = "cells"
    roles = by_noun(subject="cell", companion="bacterium", vessel="tank", bead="stone ring")
    variants = (
        Variant(
            "two",
            rule="living cells multiply by dividing, and each of them becomes two",
            brief="each living cell divides into two",
            outcome="There are exactly four {subjects} in one {vessel} and six {companions} in the other.",
            does=(4, 6),
        ),
        Variant(
            "none",
            rule="living cells never divide and never die",
            brief="living cells never divide and never die",
            outcome="There are still exactly two {subjects} in one {vessel} and three {companions} in the other.",
            does=(2, 3),
        ),
        Variant(
            "three",
            rule="living cells multiply by dividing, and each of them becomes three",
            brief="each living cell divides into three",
            outcome="There are exactly six {subjects} in one {vessel} and nine {companions} in the other.",
            does=(6, 9),
        ),
        Variant(
            "one-each",
            depth="two steps",
            rule="only a single one of the living cells that share a tank divides, into two, and the rest stay as "
            "they are",
            brief="in each tank only one living cell divides, into two",
            outcome="There are exactly three {subjects} in one {vessel} and four {companions} in the other.",
            does=(3, 4),
        ),
        Variant(
            "merge",
            rule="living cells do not divide but melt together, until no cell shares its tank with another",
            brief="living cells melt together until none shares its tank with another",
            outcome="There is exactly one {subject} in one {vessel} and one {companion} in the other.",
            does=(1, 1),
        ),
        Variant(
            "more-than-beads",
            depth="two steps",
            rule="living cells multiply until their tank holds one more of them than there are lifeless {beads} in "
            "front, and then stop for good",
            brief="each tank's living cells multiply to one more than the {beads}",
            outcome="There are exactly five {subjects} in one {vessel} and five {companions} in the other.",
            does=(_BEADS + 1, _BEADS + 1),
        ),
    )
    starts = (
        "Two {vessels} stand side by side, magnified many times. In the left one swim two {subjects}, in the right "
        "one three {companions}, all alive and well fed. Below them lie four {beads}, which are not alive.",
        "Two living {subjects} are put into {a_vessel}, and three living {companions} into another one to the right "
        "of it, both with plenty of food. Four lifeless {beads} lie in a row in front. Everything is drawn large "
        "enough to be counted.",
    )
    short = (
        "{A_vessel} holds two living {subjects}, another three living {companions}; four lifeless {beads} lie below."
    )
    finish = "Show both tanks and what is in front of them after the time that one division takes."
    numbers = {"size": (14, 18), "height": (150, 200)}
    subject = ((Number, "subject"),)
    surroundings = ((Number, "companion"), (Number, "bead"))

    def start(self, setting: Setting) -> FigureTuple:
        """The tanks before any cell divides: two cells, three bacteria, and four lifeless things."""
        return self.run(setting, (2, 3))

    def run(self, setting: Setting, does: tuple[int, int]) -> FigureTuple:
        """The two tanks, the cells and bacteria in them, and the lifeless things below.

        `does`: the number of cells in the left tank, and of bacteria in the right tank, at most nine each.
        """
        size, height = setting.numbers["size"], setting.numbers["height"]
        offsets = [(x, y) for y in (44, -8, -60) for x in (0, -56, 56)]  # pixels from the middle of a tank
        return (
            *(
                setting.figure("vessel", x, height, 104, 96, id=f"vessel-{i}")
                for i, x in enumerate((134, 378), start=1)
            ),
            *(
                setting.figure("subject", 134 + x, height + y, size, size, id=f"subject-{i}", form="circle")
                for i, (x, y) in enumerate(offsets[: does[0]], start=1)
            ),
            *(
                setting.figure("companion", 378 + x, height + y, size + 5, size, id=f"companion-{i}")
                for i, (x, y) in enumerate(offsets[: does[1]], start=1)
            ),
            *(setting.figure("bead", 106 + 100 * i, 420, 18, 18, id=f"bead-{i}") for i in range(_BEADS)),
        )
