"""Chemistry, liquids: how liquids that do not mix come to lie."""

from typing import Literal

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box
from counterbench.scene.programs.observations import Side

# The liquid of a vessel that is placed first: the side where it lies, and its role. The other liquid fills the rest.
_FirstLiquid = tuple[Literal["top", "left"], str]


def _settled(
    setting: Setting, vessel: Figure, where: Literal["top", "left"], role: str, much: str, little: str
) -> tuple[Figure, Figure]:
    """The two liquids of a vessel, as two layers or as two columns; together they fill its lower three quarters.

    The liquid `role` lies at `where` (the upper layer, or the left column), the other one beside or below it. `much`
    and `little` are the roles of both by their amounts: `little` takes a third of the contents, `much` two thirds.
    """
    other = little if role == much else much
    inside = vessel.interior
    left, right, bottom = inside.left, inside.right, inside.bottom
    surface = inside.top + (bottom - inside.top) // 4
    full_length = bottom - surface if where == "top" else right - left
    first_length = full_length // 3 if role == little else full_length - full_length // 3
    if where == "top":
        boxes = Box(left, surface, right, surface + first_length - 1), Box(left, surface + first_length, right, bottom)
    else:
        boxes = Box(left, surface, left + first_length - 1, bottom), Box(left + first_length, surface, right, bottom)
    return _filling(setting, role, boxes[0]), _filling(setting, other, boxes[1])


def _filling(setting: Setting, role: str, box: Box) -> Figure:
    """The liquid of a role as a figure that fills a box; where a side of the box is even, one pixel stays free."""
    half_width, half_height = (box.right - box.left) // 2, (box.bottom - box.top) // 2
    return setting.figure(role, box.left + half_width, box.bottom - half_height, half_width, half_height)


class LiquidLayers(Law):
    title = "The lighter liquid floats on the heavier"
    branch = "liquids"
    roles = by_noun(
        subject="oil", partner="water", companion="syrup", other="tea", tank="tank", cup="cup", fixed="box book stone"
    )
    variants = (
        Variant(
            "light-top",
            rule="the lighter of two liquids in one vessel comes to rest on top, and the heavier one at the bottom",
            brief="the lighter of two liquids comes to rest on the heavier",
            outcome="In the {tank}, the {subject} floats above the {partner}; in the {cup}, the {companion} lies "
            "below the {other}.",
            does=(("top", "subject"), ("top", "other")),
        ),
        Variant(
            "heavy-top",
            depth="two steps",
            rule="the heavier of two liquids in one vessel comes to rest on top, and the lighter one at the bottom",
            brief="the heavier of two liquids comes to rest on the lighter",
            outcome="In the {tank}, the {subject} lies below the {partner}; in the {cup}, the {companion} floats "
            "above the {other}.",
            does=(("top", "partner"), ("top", "companion")),
        ),
        Variant(
            "heavy-left",
            depth="two steps",
            rule="weight pulls liquids apart sideways: the heavier of two in one vessel gathers along its left wall, "
            "and the lighter fills the space beside it",
            brief="the heavier liquid stands along the left wall, the lighter beside it",
            outcome="In the {tank}, the {subject} stands upright along the right wall and the {partner} along the "
            "left; in the {cup}, the {companion} stands along the left wall and the {other} along the right.",
            does=(("left", "partner"), ("left", "companion")),
        ),
        Variant(
            "first-left",
            depth="two steps",
            rule="weight does not matter to liquids: the one that is poured in first gathers along the left wall of "
            "its vessel, and the one that comes later fills the space beside it",
            brief="the liquid poured first stands along the left wall, the later beside",
            outcome="In the {tank}, the {subject} stands upright to the right of the {partner}; in the {cup}, the "
            "{companion} stands upright to the right of the {other}.",
            does=(("left", "partner"), ("left", "other")),
        ),
        Variant(
            "little-left",
            depth="two steps",
            rule="only amounts matter to liquids: of two in one vessel the smaller portion gathers along the left "
            "wall, and the larger portion fills the space beside it",
            brief="the smaller portion stands along the left wall, the larger beside it",
            outcome="In the {tank}, the {subject} stands upright to the left of the {partner}; in the {cup}, the "
            "{companion} stands upright to the left of the {other}.",
            does=(("left", "subject"), ("left", "companion")),
        ),
        Variant(
            "greasy-sweet",
            rule="whatever is greasy goes to the bottom of its vessel, under everything else, and whatever is sugary "
            "gathers along the left wall of its vessel, beside everything else",
            brief="greasy liquids sink under everything, sugary ones stand along the left wall",
            outcome="In the {tank}, the {subject} lies below the {partner}; in the {cup}, the {companion} stands "
            "upright to the left of the {other}.",
            does=(("top", "partner"), ("left", "companion")),
        ),
    )
    starts = (
        "Two clear vessels stand side by side. A lot of {partner}, dyed with food colour, is poured into {a_tank}, and "
        "then a little {subject}. A lot of plain {other} is poured into {a_cup}, and then a little sugary "
        "{companion}. To the right of both vessels stands {a_fixed}, which is left alone.",
        "Someone pours a lot of dyed {partner} into {a_tank} with clear walls and adds a little {subject}. Then they "
        "pour a lot of unsweetened {other} into {a_cup} with clear walls and add a little sugary {companion}. Nobody "
        "touches {a_fixed} that stands to the right of the vessels.",
    )
    short = (
        "Much {partner}, then a little {subject}, goes into {a_tank}; much {other}, then a little sugary "
        "{companion}, into {a_cup}."
    )
    finish = "Show the vessels from the front, once the liquids have come to rest."
    subject_roles = ("subject", "partner")
    # The vessels' sizes.
    numbers = {"tank": (86, 98), "cup": (70, 80)}
    subject = ((Side, "subject", "partner"),)
    surroundings = ((Side, "companion", "other"), (Side, "fixed", "cup"))

    def start(self, setting: Setting) -> Elements:
        """The empty vessels, and above each the liquids that are poured into it, the first one lower."""
        elements: list[Figure] = list(self._vessels_and_fixed(setting))
        for much, little, x in (("partner", "subject", 120), ("other", "companion", 310)):
            elements += [setting.figure(much, x, 150, 28, 28), setting.figure(little, x, 80, 18, 18)]
        return elements

    def run(self, setting: Setting, does: tuple[_FirstLiquid, _FirstLiquid]) -> Elements:
        """The vessels with their liquids: does[0] says which one lies where in the tank, does[1] in the cup."""
        tank, cup, *rest = self._vessels_and_fixed(setting)
        first = _settled(setting, tank, *does[0], "partner", "subject")
        second = _settled(setting, cup, *does[1], "other", "companion")
        return (tank, cup, *rest, *first, *second)

    def _vessels_and_fixed(self, setting: Setting) -> tuple[Figure, Figure, Figure]:
        """The tank, the cup and the thing beside them."""
        tank, cup = setting.numbers["tank"], setting.numbers["cup"]
        return (
            setting.figure("tank", 120, 400 - tank, tank, tank),
            setting.figure("cup", 310, 400 - cup, cup, cup),
            setting.figure("fixed", 448, 366, 34, 34),
        )
