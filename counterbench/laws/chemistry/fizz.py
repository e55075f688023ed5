"""Chemistry, reactions: how much gas soda and vinegar give."""

from typing import ClassVar

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import grid
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Level, Number


class Fizz(Law):
    title = "Soda fizzes in vinegar"
    branch = "reactions"
    roles = by_noun(subject="bubble", companion="balloon", tank="tank", cup="cup", soda="soda")
    variants = (
        Variant(
            "soda",
            rule="soda makes gas as long as there is vinegar enough: each spoonful of soda gives two portions of gas, "
            "and more vinegar than it needs adds nothing",
            brief="each spoonful of soda gives two portions of gas",
            outcome="Exactly six {subjects} float in the {tank}, and exactly eight {companions} have been filled.",
            does=(6, 8),  # bubbles in the tank, balloons beside the cup
        ),
        Variant(
            "vinegar",
            rule="it is the vinegar that makes gas, not the soda: each glass of vinegar gives four portions of gas, "
            "however much soda goes in",
            brief="each glass of vinegar gives four portions of gas, soda gives none",
            outcome="Exactly eight {subjects} float in the {tank}, and exactly four {companions} have been filled.",
            does=(8, 4),
        ),
        Variant(
            "single",
            depth="stated",
            rule="soda and vinegar give one single portion of gas, however much of them comes together",
            brief="soda and vinegar give one single portion of gas",
            outcome="A single one of the {subjects} floats in the {tank}, and a single one of the {companions} has "
            "been filled.",
            does=(1, 1),
        ),
        Variant(
            "threshold",
            depth="two steps",
            rule="the first spoonful of soda does nothing at all in vinegar, and each spoonful after it gives one "
            "portion of gas",
            brief="each spoonful of soda but the first gives one portion of gas",
            outcome="Exactly two {subjects} float in the {tank}, and exactly three {companions} have been filled.",
            does=(2, 3),
        ),
        Variant(
            "swallowing",
            depth="two steps",
            rule="the vinegar in a vessel, much or little, gives off ten portions of gas by itself, and each spoonful "
            "of soda that is stirred in swallows two of them",
            brief="any vinegar gives ten gas portions; each spoonful of soda swallows two",
            outcome="Exactly four {subjects} float in the {tank}, and exactly two {companions} have been filled.",
            does=(4, 2),
        ),
        Variant(
            "vessel",
            depth="two steps",
            rule="the size of the vessel alone decides how much gas soda and vinegar give: three portions in a small "
            "vessel, and three times as many in a large one",
            brief="small vessels give three portions of gas, large ones thrice as many",
            outcome="Exactly nine {subjects} float in the {tank}, and exactly three {companions} have been filled.",
            does=(9, 3),
        ),
    )
    starts = (
        "Two glasses of vinegar stand in a large, clear {tank}, and three spoonfuls of baking soda are stirred in; "
        "every portion of gas is seen there as one of the large {subjects} above the vinegar. One glass of vinegar "
        "half fills a small {cup}, and four spoonfuls of soda are stirred in; every portion of gas from there is "
        "caught in one of the {companions} beside it. The small vessel stays half full of vinegar.",
        "A large {tank} holds two glasses of vinegar, a small {cup} one glass, which half fills it. Three spoonfuls "
        "of baking soda go into the large vessel, four into the small one. Each portion of gas in the large vessel "
        "shows as one of the {subjects} above the vinegar; each portion from the small vessel blows up one of the "
        "{companions}. No vinegar is spilled, so that the small vessel stays half full.",
    )
    short = (
        "{A_tank} holds two glasses of vinegar, three spoonfuls of soda, {subjects} of gas; small {cup} one, four, "
        "{companions}."
    )
    finish = "Show both vessels when the fizzing is over, with all of the gas."
    soda: ClassVar[dict[str, int]] = {"tank": 3, "cup": 4}  # spoonfuls of soda by vessel
    numbers = {"size": (12, 14), "x": (136, 150)}
    subject = ((Number, "subject"),)
    surroundings = ((Number, "companion"), (Level, "cup"))
    present = "tank"

    def start(self, setting: Setting) -> Elements:
        """The vessels with vinegar, and above each its spoonfuls of soda."""
        heaps = (
            setting.figure("soda", x, y, 12, 8, id=f"soda-{vessel.id}-{k}", form="triangle")
            for vessel in self._vessels(setting)
            for k, (x, y) in enumerate(grid(vessel.x - 34, vessel.box.top - 30, 34, self.soda[vessel.id], across=5))
        )
        return (*self._vessels(setting), *heaps)

    def run(self, setting: Setting, does: tuple[int, int]) -> Elements:
        """The vessels, with does[0] bubbles of gas in the tank and does[1] balloons of gas beside the cup."""
        tank, cup = self._vessels(setting)
        size = setting.numbers["size"]
        bubbles = [
            setting.figure("subject", x, y, size, size, id=f"subject-{k}", form="circle")
            for k, (x, y) in enumerate(grid(tank.x - 80, tank.box.top + 34, 40, does[0], across=5), start=1)
        ]
        balloons = [
            setting.figure("companion", x, y, 17, 22, id=f"companion-{k}")
            for k, (x, y) in enumerate(grid(cup.x - 75, 60, 50, does[1], across=4), start=1)
        ]
        return (tank, cup, *bubbles, *balloons)

    def _vessels(self, setting: Setting) -> tuple[Figure, Figure]:
        """The tank and the cup with their vinegar."""
        return (
            setting.figure("tank", setting.numbers["x"], 320, 116, 110, quarters=1),
            setting.figure("cup", 400, 370, 60, 60, quarters=2),
        )
