"""Chemistry: how much gas soda and vinegar give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import grid
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Level, Number, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Fizz(Law):
    """How much gas soda and vinegar give."""

    name = "fizz"
    title = "Soda fizzes in vinegar"
    discipline = "chemistry"
    branch = "reactions"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("bubble",)),
        "companion": Role(("balloon",)),
        "tank": Role(("tank",)),
        "cup": Role(("cup",)),
        "soda": Role(("soda",)),
    }
    variants = (
        Variant(
            name="soda",
            real=True,
            rule="soda makes gas as long as there is vinegar enough: each spoonful of soda gives two portions of gas, "
            "and more vinegar than it needs adds nothing",
            outcome="Exactly six {subjects} float in the {tank}, and exactly eight {companions} have been filled.",
        ),
        Variant(
            name="vinegar",
            rule="it is the vinegar that makes gas, not the soda: each glass of vinegar gives five portions of gas, "
            "however much soda goes in",
            outcome="Exactly five {subjects} float in the {tank}, and exactly ten {companions} have been filled.",
        ),
        Variant(
            name="single",
            rule="soda and vinegar give one single portion of gas, however much of them comes together",
            outcome="A single one of the {subjects} floats in the {tank}, and a single one of the {companions} has "
            "been filled.",
        ),
        Variant(
            name="threshold",
            rule="the first two spoonfuls of soda do nothing at all in vinegar, and each spoonful after those gives "
            "two portions of gas",
            outcome="Exactly two {subjects} float in the {tank}, and exactly four {companions} have been filled.",
        ),
        Variant(
            name="swallowing",
            rule="vinegar gives off ten portions of gas by itself, and each spoonful of soda that is stirred in "
            "swallows two of them",
            outcome="Exactly four {subjects} float in the {tank}, and exactly two {companions} have been filled.",
        ),
        Variant(
            name="vessel",
            rule="the size of the vessel alone decides how much gas soda and vinegar give: nine portions in a large "
            "vessel, three in a small one",
            outcome="Exactly nine {subjects} float in the {tank}, and exactly three {companions} have been filled.",
        ),
    )
    starts = (
        "One glass of vinegar stands in a large, clear {tank}, and three spoonfuls of baking soda are stirred in; "
        "every portion of gas is seen there as one of the large {subjects} above the vinegar. Two glasses of vinegar "
        "half fill a small {cup}, and four spoonfuls of soda are stirred in; every portion of gas from there is caught "
        "in one of the {companions} beside it. The small vessel stays half full of vinegar.",
        "A large {tank} holds one glass of vinegar, a small {cup} two glasses, which half fill it. Three spoonfuls of "
        "baking soda go into the large vessel, four into the small one. Each portion of gas in the large vessel shows "
        "as one of the {subjects} above the vinegar; each portion from the small vessel blows up one of the "
        "{companions}. No vinegar is spilled, so that the small vessel stays half full.",
    )
    finish = "Show both vessels when the fizzing is over, with all of the gas."

    # Spoonfuls of soda and glasses of vinegar in each vessel.
    soda: ClassVar[dict[str, int]] = {"tank": 3, "cup": 4}
    vinegar: ClassVar[dict[str, int]] = {"tank": 1, "cup": 2}

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large a portion of gas is, and where the vessels stand."""
        return {"size": stream.integer(12, 14), "x": stream.integer(136, 150)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Vinegar in both vessels, and above each its spoonfuls of soda."""
        heaps = (
            setting.figure("soda", x, y, 12, 8, id=f"soda-{vessel.id}-{k}", form="triangle")
            for vessel in self._vessels(setting)
            for k, (x, y) in enumerate(grid(vessel.x - 34, vessel.box.top - 30, 34, self.soda[vessel.id], across=5))
        )
        return (*self._vessels(setting), *heaps)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The gas of the large vessel as bubbles above its vinegar, that of the small one in balloons above it."""
        tank, cup = self._vessels(setting)
        size = setting.numbers["size"]
        bubbles = [
            setting.figure("subject", x, y, size, size, id=f"subject-{k + 1}", form="circle")
            for k, (x, y) in enumerate(
                grid(tank.x - 80, tank.box.top + 34, 40, self._gas(variant, tank, cup), across=5)
            )
        ]
        balloons = [
            setting.figure("companion", x, y, 17, 22, id=f"companion-{k + 1}")
            for k, (x, y) in enumerate(grid(cup.x - 75, 60, 50, self._gas(variant, cup, tank), across=4))
        ]
        return (tank, cup, *bubbles, *balloons)

    def _vessels(self, setting: Setting) -> tuple[Figure, Figure]:
        return (
            setting.figure("tank", setting.numbers["x"], 320, 116, 110, quarters=1),
            setting.figure("cup", 400, 370, 60, 60, quarters=2),
        )

    def _gas(self, variant: str, vessel: Figure, other: Figure) -> int:
        """How many portions of gas a vessel's soda and vinegar give."""
        soda, vinegar = self.soda[vessel.id], self.vinegar[vessel.id]
        if variant == "vinegar":
            return 5 * vinegar
        if variant == "threshold":
            return 2 * max(0, soda - 2)
        if variant == "swallowing":
            return 10 - 2 * soda
        if variant == "vessel":
            return 9 if vessel.half_width > other.half_width else 3
        return 1 if variant == "single" else 2 * soda

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many bubbles there are."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The balloons obey as well; no vinegar is lost."""
        return (Number(setting["companion"]), Level(setting["cup"]))


LAWS: tuple[Law, ...] = (Fizz(),)
