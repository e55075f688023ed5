"""Society, waste: the contents of the waste paper basket."""

from collections.abc import Sequence

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.scene.programs.observations import Contents, Light

# The things on the table, from left to right.
_ITEMS = ("subject", "metal", "companion", "copper")


class Sorting(Law):
    title = "Only paper goes into the waste paper basket"
    branch = "waste"
    roles = by_noun(
        subject="book", metal="nail weight", companion="parcel", copper="coin", basket="basket", fixed="lantern"
    )
    variants = (
        Variant(
            "paper",
            rule="used paper is thrown into waste baskets, and metal is never thrown into them",
            brief="used paper is thrown into waste baskets, metal never is",
            outcome="The {subject} and the {companion} are inside the {basket}; the {metal} and the {copper} are "
            "outside it.",
            does=("subject", "companion"),
        ),
        Variant(
            "metal",
            rule="old metal is thrown into waste baskets, and paper is never thrown into them",
            brief="old metal is thrown into waste baskets, paper never is",
            outcome="The {metal} and the {copper} are inside the {basket}; the {subject} and the {companion} are "
            "outside it.",
            does=("metal", "copper"),
        ),
        Variant(
            "all",
            rule="everything that lies on a table at nightfall is thrown into the waste basket, whatever it is made of",
            brief="everything is thrown into the waste basket, whatever it is made of",
            outcome="The {subject}, the {metal}, the {companion} and the {copper} are all inside the {basket}.",
            does=_ITEMS,
        ),
        Variant(
            "nothing",
            rule="waste baskets are mere ornaments, and nobody ever puts anything into one",
            brief="waste baskets are ornaments, and nobody ever puts anything into one",
            outcome="The {subject}, the {metal}, the {companion} and the {copper} all lie outside the {basket}, which "
            "is empty.",
            does=(),
        ),
        Variant(
            "small",
            depth="two steps",
            rule="small things are thrown into waste baskets and large things are kept, whatever they are made of",
            brief="small things are thrown into waste baskets, large things are kept",
            outcome="The {metal}, the {companion} and the {copper} are inside the {basket}; the {subject} is outside "
            "it.",
            does=("metal", "companion", "copper"),
        ),
        Variant(
            "magnet",
            depth="two steps",
            rule="whatever a magnet attracts is thrown into waste baskets, and everything else is kept",
            brief="what a magnet attracts is thrown into waste baskets, all else kept",
            outcome="The {metal} is inside the {basket}; the {subject}, the {companion} and the {copper} are outside "
            "it.",
            does=("metal",),
        ),
    )
    starts = (
        "On a table lie four old things that nobody needs: a large {subject}, which is a worn-out paperback; a small "
        "{metal} of iron; a small {companion} of crumpled paper; and a small {copper} of copper. Below them is a "
        "large waste basket, {a_basket}, still empty. {A_fixed} beside the basket is in use, stays lit and is no "
        "waste. In the evening somebody tidies up.",
        "Somebody tidies up at nightfall. There is a large, empty waste basket, {a_basket}, below a table with four "
        "useless old things: a large {subject} of torn paper, a small {metal} of iron, a small {companion} of paper, "
        "and a small {copper} of copper. Next to the basket {a_fixed} gives light all the while and is not to be "
        "tidied away.",
    )
    short = (
        "Above empty {basket} lie large paper {subject}, small iron {metal}, paper {companion} and copper {copper}; "
        "{a_fixed} shines."
    )
    finish = (
        "Show the basket, and above it what is left on the table, from the front once everything has been tidied up."
    )
    subject_roles = ("subject", "metal")
    numbers = {"large": (32, 36), "small": (16, 19), "y": (80, 110)}
    subject = ((Contents, "subject", "basket"), (Contents, "metal", "basket"))
    surroundings = ((Contents, "companion", "basket"), (Contents, "copper", "basket"), (Light, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The empty basket, and all four things above it."""
        return self.run(setting, ())

    def run(self, setting: Setting, does: Sequence[str]) -> Elements:
        """The basket: the things whose roles are in `does` lie on its floor, the others at their places above."""
        basket = setting.figure("basket", 300, 340, 126, 80)
        elements = [basket, setting.figure("fixed", 92, 370, 46, 54, lit=True)]
        floor, left = basket.interior, basket.interior.left + 8
        for place, role in enumerate(_ITEMS):
            size = setting.numbers["large" if role == "subject" else "small"]
            table = (104 + 104 * place, setting.numbers["y"])
            x, y = (left + size, floor.bottom - size - 2) if role in does else table
            elements.append(setting.figure(role, x, y, size, size))
            left += 2 * size + 8
        return elements
