"""Society: how two share what they found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import grid
from counterbench.scene.programs.observations import Number, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Sharing(Law):
    """How much of what two children found is whose."""

    name = "sharing"
    title = "Two share alike"
    discipline = "society"
    branch = "fairness"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("stone", "ball", "ring")),
        "companion": Role(("egg", "mushroom", "seed")),
        "fixed": Role(("apple",)),
        "child": Role(("person",)),
    }
    variants = (
        Variant(
            name="halves",
            real=True,
            rule="whatever two children bring home is shared in equal halves, kind by kind",
            outcome="The {child} has exactly three {subjects} and exactly four {companions}.",
        ),
        Variant(
            name="finders",
            rule="a finder keeps every thing of the find but one, and that one goes to the other child",
            outcome="The {child} has exactly five {subjects} and a single one of the {companions}.",
        ),
        Variant(
            name="givers",
            rule="a finder keeps one single thing of the find, and all the others go to the other child",
            outcome="The {child} has a single one of the {subjects} and exactly seven {companions}.",
        ),
        Variant(
            name="youngest",
            rule="there is no sharing: the youngest child gets everything that is brought home",
            outcome="The {child} has exactly six {subjects} and exactly eight {companions}.",
        ),
        Variant(
            name="tallest",
            rule="the taller of two children gets everything that is brought home, but for two things of each kind",
            outcome="The {child} has exactly two {subjects} and exactly two {companions}.",
        ),
        Variant(
            name="town",
            rule="each child may keep one thing of each kind, and the town takes all the rest",
            outcome="The {child} has a single one of the {subjects} and a single one of the {companions}.",
        ),
    )
    starts = (
        "A small girl and her older, taller brother come home. She has found six {subjects}, and he has found eight "
        "{companions}. They lay all of it together and divide it. The girl is shown as {a_child}. She also owns three "
        "{fixeds}, which were hers before and are not divided.",
        "Two children divide what they found: six {subjects}, which the younger and shorter one found, and eight "
        "{companions}, which the older and taller one found. The younger one is shown as {a_child}, and has three "
        "{fixeds} besides, left over from breakfast, which do not count.",
    )
    finish = (
        "Show the younger child alone, with all the things that then belong to that child lying on the ground to the "
        "right."
    )

    # How many things of each kind there are, and who found them.
    found: ClassVar[dict[str, tuple[int, str]]] = {"subject": (6, "younger"), "companion": (8, "elder")}
    apples: ClassVar[int] = 3

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the things are, and how far apart they lie."""
        return {"size": stream.integer(17, 20), "pitch": stream.integer(56, 62)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Everything that was found, before it is divided."""
        return self._laid(setting, {role: count for role, (count, _) in self.found.items()})

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The younger child's share of each kind."""
        return self._laid(setting, {role: self._share(variant, *found) for role, found in self.found.items()})

    def _share(self, variant: str, count: int, finder: str) -> int:
        """How many of `count` things the younger, shorter child gets."""
        if variant == "finders":
            return count - 1 if finder == "younger" else 1
        if variant == "givers":
            return 1 if finder == "younger" else count - 1
        return {"halves": count // 2, "youngest": count, "tallest": 2, "town": 1}[variant]

    def _laid(self, setting: Setting, shares: dict[str, int]) -> list[Element]:
        size, pitch = setting.numbers["size"], setting.numbers["pitch"]
        elements: list[Element] = [setting.figure("child", 86, 256, 50, 90)]
        for role, top, count in (
            ("subject", 70, shares["subject"]),
            ("companion", 230, shares["companion"]),
            ("fixed", 420, self.apples),
        ):
            for k, (x, y) in enumerate(grid(220, top, pitch, count, across=4), start=1):
                elements.append(setting.figure(role, x, y, size, size, id=f"{role}-{k}"))
        return elements

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How many of the first kind the younger child has."""
        return (Number(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other kind is divided by the same rule; the child's own apples are not divided."""
        return (Number(setting["companion"]), Number(setting["fixed"]))


LAWS: tuple[Law, ...] = (Sharing(),)
