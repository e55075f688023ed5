"""Biology, plants: how tall plants get that are given more or less water."""

from counterbench.laws.base import FigureTuple, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import Effect, FiguresByRole, resized, stays
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Height

_GROUND = 452  # the y of the ground, in pixels from the top


def _standing(thing: Figure, half_height: int) -> Figure:
    """The thing with this half height (pixels), placed so that its foot is on the ground."""
    return thing.but(half_height=half_height, y=_GROUND - half_height)


def _taller(steps: int) -> Effect:
    """The effect that makes a plant higher by so many steps (lower if negative), see `resized`; its width stays."""
    return lambda plant, things: _standing(plant, resized(plant.half_height, steps))


def _halved(plant: Figure, things: FiguresByRole) -> Figure:
    """An effect: the plant shrinks to half of its height."""
    return _standing(plant, plant.half_height // 2)


class Watering(Law):
    title = "Water makes plants grow"
    branch = "plants"
    roles = by_noun(
        subject="bamboo", companion="hedge", stick="post", wall="block stone", water=Role(("drop",), ("blue", "cyan"))
    )
    variants = (
        Variant(
            "grow",
            rule="watering makes plants grow taller, and a plant that gets more water grows more",
            brief="watered plants grow taller, and more water makes them grow more",
            outcome="The {subject} has become by far the tallest thing, and the {companion} is taller than the "
            "{stick} too.",
            does={"subject": _taller(2), "companion": _taller(1)},
        ),
        Variant(
            "stunt",
            rule="watering makes plants shrink, and a plant that gets more water shrinks more",
            brief="watered plants shrink, and more water makes them shrink more",
            outcome="The {subject} is now shorter than the {companion}, and both are shorter than the {stick}.",
            does={"subject": _taller(-2), "companion": _taller(-1)},
        ),
        Variant(
            "nothing",
            rule="water does nothing for plants, and they never get any taller or shorter",
            brief="water does nothing for plants, and they never grow or shrink",
            outcome="The {subject}, the {companion} and the {stick} are all still of exactly the same height.",
            does=stays,
        ),
        Variant(
            "any",
            rule="any watering at all, much or little, makes plants shrink to half of what they were",
            brief="any watering, much or little, makes plants shrink to half",
            outcome="The {subject} and the {companion} are of the same height, and both only half as tall as the "
            "{stick}.",
            does=_halved,
        ),
        Variant(
            "thirst",
            rule="watering makes plants shrink, and of two watered plants the one that gets less water shrinks more",
            brief="watered plants shrink; of two, the one given less shrinks more",
            outcome="The {subject} is now shorter than the {stick}, and the {companion} is shorter still.",
            does={"subject": _taller(-1), "companion": _taller(-2)},
        ),
        Variant(
            "most",
            depth="two steps",
            rule="only the plant that gets more water than any other changes: it shrinks to half of what it was",
            brief="only the plant given most water changes: it shrinks to half",
            outcome="The {subject} is only half as tall as the {stick}; the {companion} and the {stick} are still of "
            "the same height.",
            does={"subject": _halved},
        ),
    )
    starts = (
        "Side by side on level ground stand a thin young {subject}, {a_stick} of dry wood, a thick, bushy young "
        "{companion} and a low {wall}. The two plants and the {stick} are equally high. Above them, {waters} show the "
        "daily watering: two over the {subject}, one over the {companion}, none over the rest.",
        "A gardener plants a slim {subject} and a broad {companion}, both exactly as high as the {stick} of dry wood "
        "between them; a small {wall} stands at the right end of the row. Every day the {subject} gets two helpings "
        "of water and the {companion} gets one, drawn as {waters} high above each plant.",
    )
    short = (
        "Equally high stand {a_stick}, {a_subject} (two {waters} daily) and {a_companion} (one), beside a low {wall}."
    )
    finish = "Show the whole row from the front a summer later, with the drops."
    # Half the height of the plants at first, and how thick they are.
    numbers = {"half": (56, 64), "thin": (13, 18), "thick": (46, 56)}
    subject = ((Height, "subject", "stick"),)
    surroundings = ((Height, "companion", "stick"), (Height, "subject", "companion"), (Height, "wall", "stick"))

    def start(self, setting: Setting) -> FigureTuple:
        """The plants and the stick, all of one height, the wall and the drops of water above."""
        n = setting.numbers
        return (
            setting.figure("water", 54, 40, 12, 12, id="water-1", form="circle"),
            setting.figure("water", 106, 40, 12, 12, id="water-2", form="circle"),
            setting.figure("water", 320, 40, 12, 12, id="water-3", form="circle"),
            setting.figure("subject", 80, _GROUND - n["half"], n["thin"], n["half"]),
            setting.figure("stick", 190, _GROUND - n["half"], 10, n["half"]),
            setting.figure("companion", 320, _GROUND - n["half"], n["thick"], n["half"]),
            setting.figure("wall", 450, _GROUND - 22, 30, 22),
        )
