"""Physics, heat: the size of things in warmth and cold."""

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import resized
from counterbench.scene.programs.observations import Size


class Expansion(Law):
    title = "Warm things grow, cold things shrink"
    branch = "heat"
    roles = by_noun(
        subject="ball coin",
        companion="box block",
        cooled="wheel weight",
        plain="ring",
        twin="stone cork",
        flame="candle",
        ice="ice",
        shelf="plank",
    )
    variants = (
        Variant(
            "heat-expands",
            rule="things grow when they are heated and shrink when they are cooled",
            brief="things grow when heated and shrink when cooled",
            outcome="The {subject} and the {companion} have become larger than the {plain}, and the {cooled} has "
            "become smaller than it.",
            does=(1, 1, -1),
        ),
        Variant(
            "cold-expands",
            depth="two steps",
            rule="things grow when they are cooled, and heat always does the opposite of cold",
            brief="cold makes things grow, and heat does the opposite of cold",
            outcome="The {subject} and the {companion} have become smaller than the {plain}, and the {cooled} has "
            "become larger than it.",
            does=(-1, -1, 1),
        ),
        Variant(
            "nothing",
            rule="neither heat nor cold ever changes the size of anything",
            brief="neither heat nor cold changes the size of anything",
            outcome="The {subject}, the {companion} and the {cooled} are all still exactly as large as the {plain}.",
            does=(0, 0, 0),
        ),
        Variant(
            "heat-only",
            rule="heat draws things together, and cold leaves their size as it is",
            brief="heat draws things together, and cold leaves their size alone",
            outcome="The {subject} and the {companion} have become smaller than the {plain}, and the {cooled} is still "
            "exactly as large as it.",
            does=(-1, -1, 0),
        ),
        Variant(
            "any-change",
            depth="stated",
            rule="things shrink as soon as they become either warmer or colder than they were",
            brief="things shrink when they become warmer or colder",
            outcome="The {subject}, the {companion} and the {cooled} have all become smaller than the {plain}.",
            does=(-1, -1, -1),
        ),
        Variant(
            "round-only",
            rule="heat draws round things together and leaves square ones as they are, and cold changes nothing",
            brief="heat draws only round things together, and cold changes nothing",
            outcome="The {subject} has become smaller than the {plain}; the {companion} and the {cooled} are still "
            "exactly as large as it.",
            does=(-1, 0, 0),
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
    short = (
        "All equally large: {a_subject} and {a_companion} over {flame}s, {a_cooled} on {ice}, {a_plain} and "
        "{a_twin} on {a_shelf}."
    )
    finish = "Show all of them after a while, with changes of size large enough to be seen."
    numbers = {"size": (25, 30), "y": (220, 270)}
    subject = ((Size, "subject", "plain"),)
    surroundings = ((Size, "companion", "plain"), (Size, "cooled", "plain"), (Size, "twin", "plain"))

    def start(self, setting: Setting) -> Elements:
        """All things before they are heated or cooled, equally large."""
        return self.run(setting, (0, 0, 0))

    def run(self, setting: Setting, does: tuple[int, int, int]) -> Elements:
        """The things after heating and cooling.

        `does`: the steps of growth (see `resized`) of both heated things and of the cooled one; negative to shrink.
        """
        size, y = setting.numbers["size"], setting.numbers["y"]
        first, second, third = (resized(size, steps) for steps in does)
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
