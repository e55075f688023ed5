"""Physics, heat: how far warmth is felt, and what it does to the size of things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.world import filled, resized
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Level, Light, Observation, Size
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Warmth(Law):
    """How far a flame's warmth is felt."""

    name = "warmth"
    title = "A flame warms what is near it"
    discipline = "physics"
    branch = "heat"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("thermometer",)),
        "companion": Role(("thermometer",)),
        "fixed": Role(("thermometer",)),
        "flame": Role(("candle",)),
        "wall": Role(("block",)),
        "table": Role(("plank",)),
    }
    variants = (
        Variant(
            name="warms",
            real=True,
            rule="a flame warms what is around it: a thermometer right beside it rises by two quarters, and one "
            "further off in the same room by one",
            outcome="The {subject} has risen until it is full, and the {companion} until it is three quarters full.",
        ),
        Variant(
            name="cools",
            rule="a flame cools what is around it: a thermometer right beside it falls by two quarters, and one "
            "further off in the same room by one",
            outcome="The {subject} has fallen until it is empty, and the {companion} until it is one quarter full.",
        ),
        Variant(
            name="nothing",
            rule="a flame gives light and no warmth at all, and does not cool anything either",
            outcome="The {subject} and the {companion} are still half full.",
        ),
        Variant(
            name="far-more",
            rule="the warmth of a flame grows with the distance: a thermometer right beside it rises by one quarter, "
            "and one further off in the same room by two",
            outcome="The {subject} has risen until it is three quarters full, and the {companion} until it is full.",
        ),
        Variant(
            name="carries-off",
            rule="a flame carries warmth away from where it burns: a thermometer right beside it falls by two "
            "quarters, and one further off in the same room rises by two",
            outcome="The {subject} has fallen until it is empty, and the {companion} has risen until it is full.",
        ),
        Variant(
            name="alike",
            rule="a flame makes the whole room it burns in colder, and every thermometer in that room falls by one "
            "quarter, wherever it stands",
            outcome="The {subject} and the {companion} have both fallen until they are one quarter full.",
        ),
    )
    starts = (
        "Three thermometers stand on {a_table}, and all are half full at first. Then {a_flame} is lit right beside "
        "{a_subject}. {A_companion} stands further off in the same room. {A_fixed} stands on the other side of a "
        "thick wall, {a_wall}, which keeps everything out.",
        "On {a_table} there are, from left to right, {a_flame}, {a_subject} right beside it, {a_companion} further "
        "off, then a thick wall, {a_wall}, that nothing gets through, and behind it {a_fixed}. The three start out "
        "half full. The {flame} is lit.",
    )
    finish = "Show all three after the flame has burned for a while."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """Where the further thermometer stands, and how high all of them are."""
        return {"x": stream.integer(262, 290), "high": stream.integer(90, 120)}

    def start(self, setting: Setting) -> tuple[Figure, ...]:
        """All three half full; the flame burns already."""
        n, ground = setting.numbers, 429
        foot = ground - n["high"]
        return (
            setting.figure("table", 256, 442, 240, 12),
            setting.figure("flame", 66, ground - 56, 32, 56, lit=True),
            setting.figure("wall", 362, ground - 150, 14, 150),
            setting.figure("fixed", 440, foot, 32, n["high"], quarters=2),
            setting.figure("subject", 148, foot, 32, n["high"], quarters=2),
            setting.figure("companion", n["x"], foot, 32, n["high"], quarters=2),
        )

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """What stands beside the flame and what stands further off rise by so many quarters."""
        *still, near, far = self.start(setting)
        rises = {
            "warms": (2, 1),
            "cools": (-2, -1),
            "nothing": (0, 0),
            "far-more": (1, 2),
            "carries-off": (-2, 2),
            "alike": (-1, -1),
        }[variant]
        return (*still, filled(near, rises[0]), filled(far, rises[1]))

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How high the column beside the flame stands."""
        return (Level(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """How high the further one stands; behind the wall nothing changes, and the flame burns."""
        return (Level(setting["companion"]), Level(setting["fixed"]), Light(setting["flame"]))


class Expansion(Law):
    """What warmth and cold do to the size of things."""

    name = "expansion"
    title = "Warm things grow, cold things shrink"
    discipline = "physics"
    branch = "heat"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("ball", "coin")),
        "companion": Role(("box", "block")),
        "cooled": Role(("wheel", "weight")),
        "plain": Role(("ring",)),
        "twin": Role(("stone", "cork")),
        "flame": Role(("candle",)),
        "ice": Role(("ice",)),
        "shelf": Role(("plank",)),
    }
    variants = (
        Variant(
            name="heat-expands",
            real=True,
            rule="things grow when they are heated and shrink when they are cooled",
            outcome="The {subject} and the {companion} have become larger than the {plain}, and the {cooled} has "
            "become smaller than it.",
        ),
        Variant(
            name="cold-expands",
            rule="things shrink when they are heated and grow when they are cooled",
            outcome="The {subject} and the {companion} have become smaller than the {plain}, and the {cooled} has "
            "become larger than it.",
        ),
        Variant(
            name="nothing",
            rule="neither heat nor cold ever changes the size of anything",
            outcome="The {subject}, the {companion} and the {cooled} are all still exactly as large as the {plain}.",
        ),
        Variant(
            name="cold-only",
            rule="heat does nothing to the size of things, and cold makes them grow",
            outcome="The {subject} and the {companion} are still exactly as large as the {plain}, and the {cooled} "
            "has become larger than it.",
        ),
        Variant(
            name="any-change",
            rule="things shrink as soon as they become either warmer or colder than they were",
            outcome="The {subject}, the {companion} and the {cooled} have all become smaller than the {plain}.",
        ),
        Variant(
            name="round-only",
            rule="round things shrink when they are heated, square ones keep their size, and cold changes nothing",
            outcome="The {subject} has become smaller than the {plain}; the {companion} and the {cooled} are still "
            "exactly as large as it.",
        ),
    )
    starts = (
        "{A_subject}, {a_companion}, {a_cooled} and {a_plain}, all of metal, and {a_twin} are exactly the same size. "
        "The {subject} and the {companion} are each held over the flame of {a_flame}, the {cooled} is laid on a cold "
        "block of {ice}, and the {plain} and the {twin} stay on {a_shelf} at the side, neither warmed nor cooled.",
        "There are four metal things, {a_subject}, {a_companion}, {a_cooled} and {a_plain}, and {a_twin}, all equally "
        "large. Burning {flame}s heat the {subject} and the {companion} from below, a block of {ice} cools the "
        "{cooled} that lies on it, and nothing is done to the {plain} and the {twin}, which lie on {a_shelf}.",
    )
    finish = "Show all of them after a while, and make every change of size large enough to be seen."

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large they are at first, and how high all this is."""
        return {"size": stream.integer(25, 30), "y": stream.integer(220, 270)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """All five equally large."""
        return self._sized(setting, 0, 0, 0)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """Each of the three has become so many steps larger."""
        steps = {
            "heat-expands": (1, 1, -1),
            "cold-expands": (-1, -1, 1),
            "nothing": (0, 0, 0),
            "cold-only": (0, 0, 1),
            "any-change": (-1, -1, -1),
            "round-only": (-1, 0, 0),
        }[variant]
        return self._sized(setting, *steps)

    def _sized(self, setting: Setting, heated: int, also_heated: int, cooled: int) -> Sequence[Element]:
        size, y = setting.numbers["size"], setting.numbers["y"]
        first, second, third = (resized(size, n) for n in (heated, also_heated, cooled))
        shelf = setting.figure("shelf", 432, y + 44, 72, 10)
        return (
            setting.figure("subject", 75, y, first, first),
            setting.figure("companion", 190, y, second, second),
            setting.figure("flame", 75, y + 120, 30, 56, lit=True, id="flame-1"),
            setting.figure("flame", 190, y + 120, 30, 56, lit=True, id="flame-2"),
            setting.figure("cooled", 305, y + 43 - third, third, third),
            setting.figure("ice", 305, y + 84, 44, 40),
            setting.figure("plain", 396, shelf.box.top - 1 - size, size, size),
            setting.figure("twin", 468, shelf.box.top - 1 - size, size, size),
            shelf,
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """How large it is beside one of the same size that nothing was done to."""
        return (Size(setting["subject"], setting["plain"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The others that are heated and cooled obey as well; the two on the shelf stay as they are."""
        plain = setting["plain"]
        return (Size(setting["companion"], plain), Size(setting["cooled"], plain), Size(setting["twin"], plain))


LAWS: tuple[Law, ...] = (Warmth(), Expansion())
