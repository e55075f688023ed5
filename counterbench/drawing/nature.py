"""Plants, animals, the sky: recognisable outlines, one patch of colour each."""

from __future__ import annotations

from collections.abc import Callable

from counterbench.drawing.pen import Pen, circle_of
from counterbench.palette import ANCHOR_RGB, OUTLINE_RGB, PALE_RGB, ROOM_RGB, SHADE_RGB


def apple(pen: Pen) -> None:
    """A round fruit with a stalk."""
    pen.oval(0, 8, 62, 100)
    pen.oval(38, 8, 100, 100)
    pen.box(20, 24, 80, 84, line=False)
    pen.oval(22, 12, 78, 96, line=False)
    pen.stroke((50, 18), (54, 0))


def leaf(pen: Pen) -> None:
    """A pointed blade with its veins."""
    pen.polygon((0, 50), (18, 22), (50, 6), (80, 20), (100, 50), (80, 80), (50, 94), (18, 78))
    pen.stroke((6, 50), (90, 50))
    for x in (30, 52, 72):
        pen.stroke((x, 50), (x + 10, 28), width=0.7)
        pen.stroke((x, 50), (x + 10, 72), width=0.7)


def tree(pen: Pen) -> None:
    """A trunk with a round crown."""
    pen.box(42, 56, 58, 100, fill=ROOM_RGB)
    pen.oval(6, 0, 94, 68)


def flower(pen: Pen) -> None:
    """Petals around a heart, on a stalk."""
    pen.stroke((50, 40), (50, 100), fill=ANCHOR_RGB, width=1.4)
    for x, y in circle_of(6, 50, 30, 20):
        pen.oval(x - 15, y - 15, x + 15, y + 15)
    pen.oval(36, 16, 64, 44, line=False)
    pen.oval(42, 22, 58, 38, fill=PALE_RGB)


def egg(pen: Pen) -> None:
    """An oval."""
    pen.oval(0, 0, 100, 100)


def fish(pen: Pen) -> None:
    """A body with a dark tail behind; drawn facing right."""
    pen.polygon((34, 50), (0, 10), (0, 90), fill=ANCHOR_RGB)
    pen.oval(22, 8, 100, 92)
    pen.oval(80, 34, 88, 48, fill=OUTLINE_RGB, line=False)


def bird(pen: Pen) -> None:
    """A body, a wing, a beak, and a dark tail behind; drawn facing right."""
    pen.polygon((30, 55), (0, 35), (0, 75), fill=ANCHOR_RGB)
    pen.oval(18, 30, 80, 92)
    pen.oval(58, 8, 92, 56)
    pen.box(50, 40, 70, 60, line=False)
    pen.polygon((90, 26), (100, 34), (90, 42), fill=OUTLINE_RGB)
    pen.oval(76, 22, 82, 32, fill=OUTLINE_RGB, line=False)


def cloud(pen: Pen) -> None:
    """Three puffs in one."""
    pen.oval(0, 36, 46, 100)
    pen.oval(54, 36, 100, 100)
    pen.oval(20, 0, 80, 84)
    pen.box(20, 50, 80, 94, line=False)
    pen.oval(26, 8, 74, 92, line=False)


def sun(pen: Pen) -> None:
    """A disc with rays of its own colour."""
    pen.rays(50, 50, 30, 49, 12, pen.main)
    pen.oval(18, 18, 82, 82)


def moon(pen: Pen) -> None:
    """A disc with craters."""
    pen.oval(0, 0, 100, 100)
    pen.arc(24, 24, 46, 46, 0, 360, width=0.8)
    pen.arc(58, 56, 76, 74, 0, 360, width=0.8)


def mountain(pen: Pen) -> None:
    """A peak with snow."""
    pen.polygon((0, 100), (50, 0), (100, 100))
    pen.polygon((50, 6), (61, 26), (50, 20), (39, 26), fill=PALE_RGB, line=False)


def island(pen: Pen) -> None:
    """A flat hump of land."""
    pen.polygon((0, 100), (14, 50), (36, 16), (60, 0), (84, 40), (100, 100))


def seed(pen: Pen) -> None:
    """A small pointed grain."""
    pen.polygon((50, 0), (84, 34), (100, 70), (70, 100), (30, 100), (0, 70), (16, 34))


def mushroom(pen: Pen) -> None:
    """A cap on a pale stalk."""
    pen.box(36, 44, 64, 100, fill=PALE_RGB)
    pen.polygon((0, 58), (10, 26), (34, 4), (66, 4), (90, 26), (100, 58))


def butterfly(pen: Pen) -> None:
    """Four wings on one dark body."""
    pen.polygon((50, 40), (8, 0), (0, 40), (24, 54), (8, 72), (24, 100), (50, 64))
    pen.polygon((50, 40), (92, 0), (100, 40), (76, 54), (92, 72), (76, 100), (50, 64))
    pen.box(42, 40, 58, 64, line=False)
    pen.stroke((50, 20), (50, 86), width=1.2)


def sheep(pen: Pen) -> None:
    """A woolly body with a dark face and legs."""
    for x in (26, 38, 58, 70):
        pen.box(x, 66, x + 7, 100, fill=OUTLINE_RGB, line=False)
    pen.round_box(6, 14, 84, 80, 30)
    pen.oval(74, 10, 100, 50, fill=OUTLINE_RGB, line=False)


def asteroid(pen: Pen) -> None:
    """A lump of rock with craters."""
    pen.polygon((24, 0), (66, 6), (100, 30), (92, 78), (60, 100), (18, 90), (0, 52))
    pen.arc(28, 26, 48, 46, 0, 360, width=0.8)
    pen.arc(56, 54, 74, 72, 0, 360, width=0.8)


def tail(pen: Pen) -> None:
    """A comet's dark head and the streak behind it; drawn pointing right."""
    pen.polygon((20, 34), (100, 6), (82, 34), (96, 50), (82, 66), (100, 94), (20, 66))
    pen.oval(0, 28, 36, 72, fill=ANCHOR_RGB, line=False)


def plume(pen: Pen) -> None:
    """A dark lump of rock and the dust that streams off it; drawn pointing right."""
    pen.polygon((20, 40), (44, 26), (66, 34), (100, 12), (92, 50), (100, 88), (66, 66), (44, 74), (20, 60))
    pen.polygon((0, 50), (8, 34), (24, 30), (34, 46), (28, 66), (12, 70), fill=ANCHOR_RGB, line=False)


def bamboo(pen: Pen) -> None:
    """A stem with its joints."""
    pen.box(0, 0, 100, 100)
    for y in (20, 40, 60, 80):
        pen.stroke((0, y), (100, y))


def hedge(pen: Pen) -> None:
    """A clipped row of bushes."""
    pen.round_box(0, 0, 100, 100, 10)
    for x, y in ((14, 20), (50, 14), (78, 28), (30, 46), (62, 54), (16, 74), (44, 82), (76, 78)):
        pen.arc(x - 6, y - 6, x + 10, y + 8, 180, 350, width=0.7)


def berry(pen: Pen) -> None:
    """A round fruit with a small crown."""
    pen.oval(0, 0, 100, 100)
    pen.stroke((36, 16), (44, 26), (50, 14), (56, 26), (64, 16))


def bacterium(pen: Pen) -> None:
    """A short rod."""
    pen.round_box(0, 16, 100, 84, 32)


def cat(pen: Pen) -> None:
    """A body of one of the forms, with eyes and whiskers."""
    by_form(pen)
    _eyes(pen)
    pen.oval(47, 66, 53, 71, fill=OUTLINE_RGB, line=False)
    for y in (68, 75, 82):
        pen.stroke((34, y), (45, 74), width=0.5)
        pen.stroke((66, y), (55, 74), width=0.5)


def dog(pen: Pen) -> None:
    """A body of one of the forms, with eyes, a snout and a mouth."""
    by_form(pen)
    _eyes(pen)
    pen.oval(45, 68, 55, 75, fill=OUTLINE_RGB, line=False)
    pen.stroke((50, 74), (50, 82), (42, 84))
    pen.stroke((50, 82), (58, 84))


def _eyes(pen: Pen) -> None:
    for x in (42, 58):
        pen.oval(x - 3, 52, x + 3, 60, fill=OUTLINE_RGB, line=False)


def by_form(pen: Pen) -> None:
    """The plain circle, square, triangle or diamond."""
    match pen.figure.form:
        case "square":
            pen.box(0, 0, 100, 100)
        case "triangle":
            pen.polygon((50, 0), (100, 100), (0, 100))
        case "diamond":
            pen.polygon((50, 0), (100, 50), (50, 100), (0, 50))
        case _:
            pen.oval(0, 0, 100, 100)


def liquid(pen: Pen) -> None:
    """A flat expanse of liquid with a few ripples."""
    pen.box(0, 0, 100, 100)
    for x, y in ((20, 30), (55, 50), (25, 72)):
        pen.stroke((x, y), (x + 10, y - 5), (x + 20, y), width=0.6)


def shadow(pen: Pen) -> None:
    """A flat grey patch."""
    pen.box(0, 0, 100, 100, fill=SHADE_RGB, line=False)


RECIPES: dict[str, Callable[[Pen], None]] = {
    "apple": apple,
    "leaf": leaf,
    "tree": tree,
    "flower": flower,
    "egg": egg,
    "fish": fish,
    "bird": bird,
    "cloud": cloud,
    "sun": sun,
    "moon": moon,
    "planet": by_form,
    "mountain": mountain,
    "island": island,
    "seed": seed,
    "mushroom": mushroom,
    "butterfly": butterfly,
    "sheep": sheep,
    "crystal": by_form,
    "bubble": by_form,
    "drop": by_form,
    "puddle": by_form,
    "cell": by_form,
    "salt": by_form,
    "alum": by_form,
    "soda": by_form,
    "lake": liquid,
    "water": liquid,
    "oil": liquid,
    "syrup": liquid,
    "tea": liquid,
    "asteroid": asteroid,
    "tail": tail,
    "plume": plume,
    "bamboo": bamboo,
    "hedge": hedge,
    "berry": berry,
    "bacterium": bacterium,
    "cat": cat,
    "kitten": cat,
    "dog": dog,
    "puppy": dog,
    "shadow": shadow,
}
# Drawn facing right, and turned.
TURNED: frozenset[str] = frozenset({"fish", "bird", "tail", "plume"})
