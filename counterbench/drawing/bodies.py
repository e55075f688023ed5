"""Loose bodies: their colour reaches all four sides of their box, so that what they touch can be seen."""

from __future__ import annotations

from collections.abc import Callable

from counterbench.drawing.pen import Pen
from counterbench.palette import GLASS_RGB, OUTLINE_RGB, PALE_RGB


def ball(pen: Pen) -> None:
    """A disc with a gleam."""
    pen.oval(0, 0, 100, 100)
    pen.oval(24, 18, 42, 36, fill=PALE_RGB, line=False)


def box(pen: Pen) -> None:
    """A crate: a square with a plank across."""
    pen.box(0, 0, 100, 100)
    pen.stroke((12, 12), (88, 88))
    pen.stroke((88, 12), (12, 88))


def balloon(pen: Pen) -> None:
    """An egg-shaped skin that narrows to its knot."""
    pen.polygon((40, 100), (50, 82), (60, 100))
    pen.oval(0, 0, 100, 92)
    pen.oval(22, 16, 38, 36, fill=PALE_RGB, line=False)


def stone(pen: Pen) -> None:
    """An uneven lump."""
    pen.polygon((20, 0), (70, 0), (100, 35), (100, 75), (78, 100), (22, 100), (0, 70), (0, 30))
    pen.stroke((30, 30), (52, 40), (60, 60))


def block(pen: Pen) -> None:
    """A plain rectangle."""
    pen.box(0, 0, 100, 100)


def plank(pen: Pen) -> None:
    """A board with its grain."""
    pen.box(0, 0, 100, 100)
    pen.stroke((12, 50), (40, 50), width=0.7)
    pen.stroke((58, 50), (88, 50), width=0.7)


def coin(pen: Pen) -> None:
    """A disc with a rim."""
    pen.oval(0, 0, 100, 100)
    pen.arc(16, 16, 84, 84, 0, 360, width=0.8)


def ice(pen: Pen) -> None:
    """A cube with a gleam."""
    pen.round_box(0, 0, 100, 100, 14)
    pen.stroke((22, 46), (46, 22), fill=PALE_RGB)
    pen.stroke((22, 66), (34, 54), fill=PALE_RGB)


def cork(pen: Pen) -> None:
    """A stopper, wider at the top."""
    pen.polygon((0, 0), (100, 0), (86, 100), (14, 100))


def feather(pen: Pen) -> None:
    """A slanting vane with its quill."""
    pen.polygon((0, 100), (8, 48), (48, 8), (100, 0), (92, 52), (52, 92))
    pen.stroke((4, 96), (88, 12), width=0.8)


def ring(pen: Pen) -> None:
    """A hoop."""
    pen.oval(0, 0, 100, 100)
    pen.oval(30, 30, 70, 70, fill=PALE_RGB)


def rope(pen: Pen) -> None:
    """A cord with its twist."""
    pen.box(0, 0, 100, 100)
    upright = pen.height > pen.width
    for i in range(1, 8):
        at = 100 * i / 8
        ends = ((0, at - 4), (100, at + 4)) if upright else ((at - 4, 0), (at + 4, 100))
        pen.stroke(*ends, width=0.6)


def wheel(pen: Pen) -> None:
    """A disc with spokes and a hub."""
    pen.oval(0, 0, 100, 100)
    pen.stroke((50, 8), (50, 92))
    pen.stroke((8, 50), (92, 50))


def weight(pen: Pen) -> None:
    """A weight with its handle."""
    pen.polygon((16, 22), (84, 22), (100, 100), (0, 100))
    pen.box(36, 0, 64, 24)


def nail(pen: Pen) -> None:
    """A pin with a head, point down; lying if it is wider than high."""
    if pen.width > pen.height:
        pen.polygon((0, 0), (14, 0), (14, 30), (80, 30), (100, 50), (80, 70), (14, 70), (14, 100), (0, 100))
    else:
        pen.polygon((0, 0), (100, 0), (100, 14), (70, 14), (70, 80), (50, 100), (30, 80), (30, 14), (0, 14))


def magnet(pen: Pen) -> None:
    """A bar whose ends are marked."""
    pen.box(0, 0, 100, 100)
    if pen.width > pen.height:
        pen.stroke((50, 4), (50, 96))
        pen.stroke((10, 50), (30, 50))
        pen.stroke((70, 50), (90, 50))
        pen.stroke((80, 30), (80, 70))
    else:
        pen.stroke((4, 50), (96, 50))
        pen.stroke((30, 20), (70, 20))
        pen.stroke((50, 10), (50, 30))
        pen.stroke((30, 80), (70, 80))


def spring(pen: Pen) -> None:
    """A zigzag between two plates."""
    pen.box(0, 0, 100, 8)
    pen.box(0, 92, 100, 100)
    points = [(10 if i % 2 else 90, 8 + 84 * i / 8) for i in range(9)]
    pen.stroke(*points, fill=pen.main, width=3)


def book(pen: Pen) -> None:
    """A cover with its pages' edge."""
    pen.box(0, 0, 100, 100)
    pen.box(84, 8, 94, 92, fill=PALE_RGB)
    pen.stroke((20, 26), (64, 26))


def parcel(pen: Pen) -> None:
    """A box with a string around it."""
    pen.box(0, 0, 100, 100)
    pen.stroke((50, 2), (50, 98), fill=PALE_RGB, width=1.4)
    pen.stroke((2, 50), (98, 50), fill=PALE_RGB, width=1.4)


def mirror(pen: Pen) -> None:
    """A framed pane with gleams."""
    pen.box(0, 0, 100, 100)
    pen.box(16, 10, 84, 90, fill=GLASS_RGB, line=False)
    pen.stroke((30, 50), (60, 20), fill=PALE_RGB)
    pen.stroke((36, 72), (70, 38), fill=PALE_RGB)


def person(pen: Pen) -> None:
    """A round head on a coloured body with arms and legs."""
    pen.oval(28, 0, 72, 30, fill=PALE_RGB)
    pen.polygon((22, 32), (78, 32), (100, 66), (86, 72), (76, 56), (76, 100), (24, 100), (24, 56), (14, 72), (0, 66))
    pen.stroke((50, 70), (50, 98), fill=OUTLINE_RGB)


RECIPES: dict[str, Callable[[Pen], None]] = {
    "ball": ball,
    "box": box,
    "balloon": balloon,
    "stone": stone,
    "block": block,
    "plank": plank,
    "post": block,
    "coin": coin,
    "ice": ice,
    "cork": cork,
    "feather": feather,
    "ring": ring,
    "rope": rope,
    "wheel": wheel,
    "weight": weight,
    "nail": nail,
    "magnet": magnet,
    "spring": spring,
    "book": book,
    "parcel": parcel,
    "mirror": mirror,
    "person": person,
}
