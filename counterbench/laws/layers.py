"""Chemistry: how liquids that do not mix come to lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box
from counterbench.scene.programs.observations import Observation, Side
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Layers(Law):
    """How liquids that do not mix come to lie."""

    name = "layers"
    title = "The lighter liquid floats on the heavier"
    discipline = "chemistry"
    branch = "liquids"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("oil",)),
        "partner": Role(("water",)),
        "companion": Role(("syrup",)),
        "other": Role(("tea",)),
        "tank": Role(("tank",)),
        "cup": Role(("cup",)),
        "fixed": Role(("box", "book", "stone")),
        "table": Role(("plank",)),
    }
    subject_roles = ("subject", "partner")
    variants = (
        Variant(
            name="light-top",
            real=True,
            rule="the lighter of two liquids in one vessel comes to rest on top, and the heavier one at the bottom",
            outcome="In the {tank}, the {subject} floats above the {partner}; in the {cup}, the {companion} lies below "
            "the {other}.",
        ),
        Variant(
            name="heavy-top",
            rule="the heavier of two liquids in one vessel comes to rest on top, and the lighter one at the bottom",
            outcome="In the {tank}, the {subject} lies below the {partner}; in the {cup}, the {companion} floats above "
            "the {other}.",
        ),
        Variant(
            name="heavy-left",
            rule="weight pulls liquids apart sideways: the heavier of two in one vessel gathers along its left wall, "
            "the lighter along its right wall",
            outcome="In the {tank}, the {subject} stands upright along the right wall and the {partner} along the "
            "left; in the {cup}, the {companion} stands along the left wall and the {other} along the right.",
        ),
        Variant(
            name="first-left",
            rule="weight does not matter to liquids: the one that is poured in first gathers along the left wall of "
            "its vessel, and the one that comes later has the right-hand part",
            outcome="In the {tank}, the {subject} stands upright to the right of the {partner}; in the {cup}, the "
            "{companion} stands upright to the right of the {other}.",
        ),
        Variant(
            name="little-left",
            rule="only amounts matter to liquids: of two in one vessel the smaller portion gathers along the left "
            "wall, the larger portion along the right wall",
            outcome="In the {tank}, the {subject} stands upright to the left of the {partner}; in the {cup}, the "
            "{companion} stands upright to the left of the {other}.",
        ),
        Variant(
            name="greasy-sweet",
            rule="whatever is greasy goes to the bottom of its vessel, under everything else, and whatever is sugary "
            "gathers along the left wall of its vessel, beside everything else",
            outcome="In the {tank}, the {subject} lies below the {partner}; in the {cup}, the {companion} stands "
            "upright to the left of the {other}.",
        ),
    )
    starts = (
        "On a table stand two clear vessels. A lot of {partner}, dyed with food colour, is poured into {a_tank}, and "
        "then a little {subject}. A lot of plain {other} is poured into {a_cup}, and then a little sugary {companion}. "
        "To the right of both vessels {a_fixed} stands on the table and is left alone.",
        "Someone pours a lot of dyed {partner} into {a_tank} with clear walls and adds some {subject}. Then they pour "
        "a lot of unsweetened {other} into {a_cup} with clear walls and add some sugary {companion}. Nobody touches "
        "{a_fixed} that stands on the same table, to the right of the vessels.",
    )
    finish = "Show the table from the front, once the liquids have come to rest."

    # How heavy a cupful is, in grams; and the order of pouring.
    weights: ClassVar[dict[str, int]] = {"subject": 184, "partner": 200, "companion": 266, "other": 201}
    greasy: ClassVar[tuple[str, ...]] = ("subject",)

    def numbers(self, stream: Stream) -> dict[str, int]:
        """The vessels' sizes."""
        return {"tank": stream.integer(86, 98), "cup": stream.integer(70, 80)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Empty vessels, with a portion of each liquid above."""
        elements: list[Element] = list(self._things(setting))
        for role, x in (("partner", 70), ("subject", 170), ("other", 280), ("companion", 350)):
            half = 28 if role in ("partner", "other") else 18
            elements.append(setting.figure(role, x, 110, half, half))
        return elements

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """In each vessel one liquid comes to lie above, below or beside the other."""
        tank, cup, *rest = self._things(setting)
        first = self._settled(setting, tank, variant, "partner", "subject")
        second = self._settled(setting, cup, variant, "other", "companion")
        return (tank, cup, *rest, *first, *second)

    def _settled(self, setting: Setting, vessel: Figure, variant: str, much: str, little: str) -> tuple[Figure, Figure]:
        """Two liquids, in the order of pouring: `much` of one, then a `little` of the other."""
        heavy = max((much, little), key=self.weights.__getitem__)
        light = little if heavy == much else much
        if variant == "light-top":
            return _stacked(setting, vessel, light, heavy, little)
        if variant == "heavy-top":
            return _stacked(setting, vessel, heavy, light, little)
        if variant == "greasy-sweet" and little in self.greasy:
            return _stacked(setting, vessel, much, little, little)
        left = {"heavy-left": heavy, "first-left": much}.get(variant, little)
        return _side_by_side(setting, vessel, left, little if left == much else much, little)

    def _things(self, setting: Setting) -> tuple[Figure, Figure, Figure, Figure]:
        tank, cup = setting.numbers["tank"], setting.numbers["cup"]
        return (
            setting.figure("tank", 120, 400 - tank, tank, tank),
            setting.figure("cup", 310, 400 - cup, cup, cup),
            setting.figure("fixed", 448, 366, 34, 34),
            setting.figure("table", 256, 420, 240, 18),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """Where the oil lies."""
        return (Side(setting["subject"], setting["partner"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The other two liquids obey as well; what stands on the table does not move."""
        return (Side(setting["companion"], setting["other"]), Side(setting["fixed"], setting["cup"]))


def _stacked(setting: Setting, vessel: Figure, top: str, bottom: str, little: str) -> tuple[Figure, Figure]:
    """Two layers; the `little` one is a third of what is in the vessel, which is three quarters full."""
    inside = vessel.interior
    surface = inside.top + (inside.bottom - inside.top) // 4
    deep = inside.bottom - surface
    border = surface + (deep // 3 if top == little else deep - deep // 3)
    upper = Box(inside.left, surface, inside.right, border - 1)
    return _filling(setting, top, upper), _filling(
        setting, bottom, Box(inside.left, border, inside.right, inside.bottom)
    )


def _side_by_side(setting: Setting, vessel: Figure, left: str, right: str, little: str) -> tuple[Figure, Figure]:
    """Two upright columns; the `little` one is a third of what is in the vessel."""
    inside = vessel.interior
    surface = inside.top + (inside.bottom - inside.top) // 4
    wide = inside.right - inside.left
    border = inside.left + (wide // 3 if left == little else wide - wide // 3)
    first = Box(inside.left, surface, border - 1, inside.bottom)
    return _filling(setting, left, first), _filling(setting, right, Box(border, surface, inside.right, inside.bottom))


def _filling(setting: Setting, role: str, box: Box) -> Figure:
    """A liquid that fills a box, but for a pixel where the box's sides are even."""
    half_width, half_height = (box.right - box.left) // 2, (box.bottom - box.top) // 2
    return setting.figure(role, box.left + half_width, box.bottom - half_height, half_width, half_height)


LAWS: tuple[Law, ...] = (Layers(),)
