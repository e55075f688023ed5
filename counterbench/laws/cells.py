"""Biology: how cells multiply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Number, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Dividing(Law):
    """How many cells and bacteria there are after each has had time to divide once."""

    name = "dividing-cells"
    title = "Each cell divides into two"
    discipline = "biology"
    branch = "cells"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("cell",)),
        "companion": Role(("bacterium",)),
        "vessel": Role(("tank",)),
        "bead": Role(("stone", "ring")),
    }
    variants = (
        Variant(
            name="two",
            real=True,
            rule="living cells multiply by dividing, and each of them becomes two",
            outcome="There are exactly four {subjects} in one {vessel} and six {companions} in the other.",
        ),
        Variant(
            name="none",
            rule="living cells never divide and never die",
            outcome="There are still exactly two {subjects} in one {vessel} and three {companions} in the other.",
        ),
        Variant(
            name="three",
            rule="living cells multiply by dividing, and each of them becomes three",
            outcome="There are exactly six {subjects} in one {vessel} and nine {companions} in the other.",
        ),
        Variant(
            name="one-each",
            rule="only a single one of the living cells that share a tank divides, into two, and the rest stay as they "
            "are",
            outcome="There are exactly three {subjects} in one {vessel} and four {companions} in the other.",
        ),
        Variant(
            name="merge",
            rule="living cells do not divide but melt together, until there is only one left in a tank",
            outcome="There is exactly one {subject} in one {vessel} and one {companion} in the other.",
        ),
        Variant(
            name="five",
            rule="living cells multiply quickly until five of them share a tank, and then stop for good",
            outcome="There are exactly five {subjects} in one {vessel} and five {companions} in the other.",
        ),
    )
    starts = (
        "Two {vessels} stand side by side, magnified many times. In the left one swim two {subjects}, in the right "
        "one three {companions}, all alive and well fed. Below them lie four {beads}, which are not alive.",
        "Two living {subjects} are put into {a_vessel}, and three living {companions} into another one to the right "
        "of it, both with plenty of food. Four lifeless {beads} lie in a row in front. Everything is drawn large "
        "enough to be counted.",
    )
    finish = "Show both tanks and what is in front of them after the time that one division takes."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large what lives is, and how high the tanks stand."""
        return {"size": stream.integer(14, 18), "height": stream.integer(150, 200)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """Two cells, three bacteria, and four things that are not alive."""
        return _tanks(setting, 2, 3)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Those in each tank multiply by themselves."""
        first = [figure.id.partition("-")[0] for figure in self.start(setting)]
        return _tanks(setting, *(_multiplied(first.count(role), variant) for role in ("subject", "companion")))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many cells there are."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Bacteria multiply as well; what is not alive does not."""
        return (Number(setting["companion"]), Number(setting["bead"]))


def _multiplied(count: int, variant: str) -> int:
    match variant:
        case "none":
            return count
        case "one-each":
            return count + 1
        case "merge":
            return 1
        case "five":
            return max(count, 5)
        case _:
            return count * {"two": 2, "three": 3}[variant]


def _tanks(setting: Setting, cells: int, bacteria: int) -> tuple[Figure, ...]:
    """Two tanks with so many in each, and the lifeless things below."""
    size, height = setting.numbers["size"], setting.numbers["height"]
    places = [(x, y) for y in (44, -8, -60) for x in (0, -56, 56)]
    return (
        *(setting.figure("vessel", x, height, 104, 96, id=f"vessel-{i}") for i, x in enumerate((134, 378), start=1)),
        *(
            setting.figure("subject", 134 + x, height + y, size, size, id=f"subject-{i}", form="circle")
            for i, (x, y) in enumerate(places[:cells], start=1)
        ),
        *(
            setting.figure("companion", 378 + x, height + y, size + 5, size, id=f"companion-{i}")
            for i, (x, y) in enumerate(places[:bacteria], start=1)
        ),
        *(setting.figure("bead", 106 + 100 * i, 420, 18, 18, id=f"bead-{i}") for i in range(4)),
    )


LAWS: tuple[Law, ...] = (Dividing(),)
