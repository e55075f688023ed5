"""Physics, heat: how far a flame's warmth is felt."""

from counterbench.laws.base import FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import filled, stays
from counterbench.scene.programs.observations import Level, Light


class Warmth(Law):
    title = "A flame warms what is near it"
    branch = "heat"
    roles = by_noun(
        subject="thermometer", companion="thermometer", fixed="thermometer", flame="candle", wall="block", table="plank"
    )
    variants = (
        Variant(
            "warms",
            rule="a flame warms what is around it: a thermometer right beside it rises by two quarters, and one "
            "further off in the same room by one",
            brief="thermometers beside a flame rise two quarters, ones further off one quarter",
            outcome="The {subject} has risen until it is full, and the {companion} until it is three quarters full.",
            does={"subject": filled(2), "companion": filled(1)},
        ),
        Variant(
            "cools",
            rule="a flame cools what is around it: a thermometer right beside it falls by two quarters, and one "
            "further off in the same room by one",
            brief="thermometers beside a flame fall two quarters, ones further off one quarter",
            outcome="The {subject} has fallen until it is empty, and the {companion} until it is one quarter full.",
            does={"subject": filled(-2), "companion": filled(-1)},
        ),
        Variant(
            "nothing",
            rule="a flame gives light and no warmth at all, and does not cool anything either",
            brief="a flame neither warms nor cools anything",
            outcome="The {subject} and the {companion} are still half full.",
            does=stays,
        ),
        Variant(
            "far-more",
            depth="two steps",
            rule="of two thermometers in the room of a flame the nearer one rises by one quarter and the one further "
            "off by two",
            brief="in a flame's room, nearer thermometers rise one quarter, further ones two",
            outcome="The {subject} has risen until it is three quarters full, and the {companion} until it is full.",
            does={"subject": filled(1), "companion": filled(2)},
        ),
        Variant(
            "carries-off",
            depth="two steps",
            rule="a flame moves warmth away from itself: of two thermometers in its room the one further off rises by "
            "two quarters, and the nearer one loses what the other gains",
            brief="flames move two quarters from the nearer thermometer to the further one",
            outcome="The {subject} has fallen until it is empty, and the {companion} has risen until it is full.",
            does={"subject": filled(-2), "companion": filled(2)},
        ),
        Variant(
            "alike",
            rule="a flame makes every thermometer in its room fall to half of the height at which it stood, near and "
            "far",
            brief="a flame halves the height of every thermometer's column in its room",
            outcome="The {subject} and the {companion} have both fallen until they are one quarter full.",
            does=filled(-1),
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
    short = (
        "Three thermometers stand half full: {a_subject} beside a lit {flame}, {a_companion} further off, "
        "{a_fixed} walled off by {a_wall}."
    )
    finish = "Show all three after the flame has burned for a while."
    numbers = {"x": (262, 290), "high": (90, 120)}
    subject = ((Level, "subject"),)
    surroundings = ((Level, "companion"), (Level, "fixed"), (Light, "flame"))

    def start(self, setting: Setting) -> FigureTuple:
        """The burning flame, the wall, and three thermometers that are half full."""
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
