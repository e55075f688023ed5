"""Society: what belongs into the waste basket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Contents, Light, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Sorting(Law):
    """What belongs into the waste paper basket."""

    name = "sorting"
    title = "Only paper goes into the waste paper basket"
    discipline = "society"
    branch = "waste"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("book",)),
        "metal": Role(("nail", "weight")),
        "companion": Role(("parcel",)),
        "round": Role(("coin",)),
        "basket": Role(("basket",)),
        "fixed": Role(("lantern",)),
    }
    subject_roles = ("subject", "metal")
    variants = (
        Variant(
            name="paper",
            real=True,
            rule="used paper is thrown into waste baskets, and metal is never thrown into them",
            outcome="The {subject} and the {companion} are inside the {basket}; the {metal} and the {round} are "
            "outside it.",
        ),
        Variant(
            name="metal",
            rule="old metal is thrown into waste baskets, and paper is never thrown into them",
            outcome="The {metal} and the {round} are inside the {basket}; the {subject} and the {companion} are "
            "outside it.",
        ),
        Variant(
            name="all",
            rule="everything that lies on a table at nightfall is thrown into the waste basket, whatever it is made of",
            outcome="The {subject}, the {metal}, the {companion} and the {round} are all inside the {basket}.",
        ),
        Variant(
            name="nothing",
            rule="waste baskets are mere ornaments, and nobody ever puts anything into one",
            outcome="The {subject}, the {metal}, the {companion} and the {round} all lie outside the {basket}, which "
            "is empty.",
        ),
        Variant(
            name="small",
            rule="small things are thrown into waste baskets and large things are kept, whatever they are made of",
            outcome="The {metal}, the {companion} and the {round} are inside the {basket}; the {subject} is outside "
            "it.",
        ),
        Variant(
            name="round",
            rule="round things are thrown into waste baskets and everything with straight sides is kept, whatever it "
            "is made of",
            outcome="The {round} is inside the {basket}; the {subject}, the {metal} and the {companion} are outside "
            "it.",
        ),
    )
    starts = (
        "On a table lie four old things that nobody needs: a large {subject}, which is a worn-out paperback; a small "
        "{metal} of iron; a small {companion} of crumpled paper; and a small {round} of metal. Below them is a large "
        "waste basket, {a_basket}, still empty. {A_fixed} beside the basket is in use, stays lit and is no waste. In "
        "the evening somebody tidies up.",
        "Somebody tidies up at nightfall. There is a large, empty waste basket, {a_basket}, below a table with four "
        "useless old things: a large {subject} of torn paper, a small {metal} of iron, a small {companion} of paper, "
        "and a small {round} of metal. Next to the basket {a_fixed} gives light all the while and is not to be tidied "
        "away.",
    )
    finish = (
        "Show the basket, and above it what is left on the table, from the front once everything has been tidied up."
    )

    paper: ClassVar[tuple[str, ...]] = ("subject", "companion")
    items: ClassVar[tuple[str, ...]] = ("subject", "metal", "companion", "round")

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large things are, and where the table's things lie."""
        return {"large": stream.integer(32, 36), "small": stream.integer(16, 19), "y": stream.integer(80, 110)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """All four things lie above the empty basket."""
        return (*self._room(setting), *(self._item(setting, role, inside=False) for role in self.items))

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Every thing that the rule throws away has gone into the basket."""
        return (
            *self._room(setting),
            *(self._item(setting, role, inside=self._thrown(setting, variant, role)) for role in self.items),
        )

    def _thrown(self, setting: Setting, variant: str, role: str) -> bool:
        return {
            "paper": role in self.paper,
            "metal": role not in self.paper,
            "all": True,
            "nothing": False,
            "small": self._size(setting, role) < setting.numbers["large"],
            "round": setting[role].noun == "coin",
        }[variant]

    def _size(self, setting: Setting, role: str) -> int:
        return setting.numbers["large" if role == "subject" else "small"]

    def _item(self, setting: Setting, role: str, inside: bool) -> Figure:
        """A thing at its place on the table, or at its place on the basket's floor."""
        place, size = self.items.index(role), self._size(setting, role)
        if not inside:
            return setting.figure(role, 104 + 104 * place, setting.numbers["y"], size, size)
        basket, *_ = self._room(setting)
        floor = basket.interior
        left = floor.left + 8 + sum(2 * self._size(setting, r) + 8 for r in self.items[:place])
        return setting.figure(role, left + size, floor.bottom - size - 2, size, size)

    def _room(self, setting: Setting) -> tuple[Figure, Figure]:
        return (
            setting.figure("basket", 300, 340, 126, 80),
            setting.figure("fixed", 92, 370, 46, 54, lit=True),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the large paper thing and the first metal thing are."""
        basket = setting["basket"]
        return (Contents(setting["subject"], basket), Contents(setting["metal"], basket))

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """Another paper thing and another metal thing obey as well; the lantern stays lit."""
        basket = setting["basket"]
        return (Contents(setting["companion"], basket), Contents(setting["round"], basket), Light(setting["fixed"]))


LAWS: tuple[Law, ...] = (Sorting(),)
