"""Things that point somewhere: flags, dials, signs, streams of smoke and light, vehicles.

Each has a dark anchor in the middle of its box (or at the back of it, for what is drawn facing right and turned), and
its colour on the side that it points to.
"""

from __future__ import annotations

from collections.abc import Callable

from counterbench.drawing.pen import Pen, Place, circle_of
from counterbench.palette import ANCHOR_RGB, GLASS_RGB, OUTLINE_RGB, PALE_RGB


def flag(pen: Pen) -> None:
    """A pole up to the middle of the box, and a cloth from there to the side that the wind blows to."""
    pen.stroke((50, 50), (50, 100), fill=OUTLINE_RGB, width=1.6)
    wide = 22
    pen.polygon(*_toward(pen, ((2, -wide), (50, -wide), (40, 0), (50, wide), (2, wide))))
    pen.oval(44, 44, 56, 56, fill=ANCHOR_RGB, line=False)


def needle(pen: Pen) -> None:
    """A dial's face, and a pointer from its hub."""
    pen.oval(0, 0, 100, 100, fill=PALE_RGB)
    pen.polygon(*_toward(pen, ((-2, -9), (28, -9), (42, 0), (28, 9), (-2, 9))))
    pen.oval(42, 42, 58, 58, fill=ANCHOR_RGB, line=False)


def sprout(pen: Pen) -> None:
    """A pot in the middle of the box, a stem with leaves on the side that it grows to."""
    pen.polygon(*_toward(pen, ((0, -3), (34, -3), (34, 3), (0, 3))), line=False)
    pen.polygon(*_toward(pen, ((26, 0), (34, -24), (50, -20), (42, 0), (50, 20), (34, 24))))
    pen.polygon((34, 40), (66, 40), (60, 64), (40, 64), fill=ANCHOR_RGB, line=False)


def sunflower(pen: Pen) -> None:
    """A pot in the middle of the box, a stalk with a round head on the side that it leans to."""
    pen.polygon(*_toward(pen, ((0, -3), (20, -3), (20, 3), (0, 3))), line=False)
    ((x, y),) = _toward(pen, ((33, 0),))
    for px, py in circle_of(10, x, y, 11):
        pen.oval(px - 6, py - 6, px + 6, py + 6)
    pen.oval(x - 11, y - 11, x + 11, y + 11, line=False)
    pen.oval(x - 6, y - 6, x + 6, y + 6, fill=PALE_RGB)
    pen.polygon((36, 42), (64, 42), (60, 60), (40, 60), fill=ANCHOR_RGB, line=False)


def sign(pen: Pen) -> None:
    """A board that ends in a point, on a post."""
    pen.stroke((50, 50), (50, 100), fill=OUTLINE_RGB, width=1.6)
    pen.polygon(*_toward(pen, ((2, -14), (34, -14), (34, -22), (50, 0), (34, 22), (34, 14), (2, 14))))
    pen.oval(44, 44, 56, 56, fill=ANCHOR_RGB, line=False)


def sundial(pen: Pen) -> None:
    """A square plate with marks, and the wedge that its rod shades."""
    pen.box(0, 0, 100, 100, fill=PALE_RGB)
    for mark in (((50, 4), (50, 12)), ((50, 88), (50, 96)), ((4, 50), (12, 50)), ((88, 50), (96, 50))):
        pen.stroke(*mark)
    pen.polygon(*_toward(pen, ((0, -4), (36, -13), (36, 13), (0, 4))))
    pen.oval(43, 43, 57, 57, fill=ANCHOR_RGB, line=False)


def compass(pen: Pen) -> None:
    """A square case, and an arrow from its hub."""
    pen.box(0, 0, 100, 100, fill=PALE_RGB)
    pen.polygon(*_toward(pen, ((-2, -6), (22, -6), (22, -16), (44, 0), (22, 16), (22, 6), (-2, 6))))
    pen.oval(42, 42, 58, 58, fill=ANCHOR_RGB, line=False)


def smoke(pen: Pen) -> None:
    """A chimney's top and puffs that grow with the distance; drawn drifting right."""
    pen.box(0, 34, 18, 66, fill=ANCHOR_RGB, line=False)
    pen.oval(16, 36, 44, 64)
    pen.oval(36, 26, 72, 74)
    pen.oval(58, 16, 100, 84)
    pen.box(26, 44, 80, 56, line=False)


def beam(pen: Pen) -> None:
    """A torch and the light that widens from it; drawn shining right."""
    pen.box(0, 38, 24, 62, fill=ANCHOR_RGB, line=False)
    pen.polygon((26, 42), (100, 4), (100, 96), (26, 58))


def fountain(pen: Pen) -> None:
    """A nozzle and its jet; drawn spraying right."""
    pen.box(0, 36, 20, 64, fill=ANCHOR_RGB, line=False)
    pen.polygon((20, 44), (80, 36), (100, 10), (92, 50), (100, 90), (80, 64), (20, 56))


def fan(pen: Pen) -> None:
    """A long motor, blades from the side, and the wind that they make; drawn blowing right."""
    pen.box(0, 40, 46, 60, fill=ANCHOR_RGB, line=False)
    pen.oval(42, 6, 78, 94)
    pen.stroke((60, 10), (60, 90))
    for y in (24, 50, 76):
        pen.stroke((84, y), (99, y), fill=GLASS_RGB)


def ray(pen: Pen) -> None:
    """A broad line with a head, from a dark spot; drawn travelling right."""
    pen.oval(0, 30, 18, 70, fill=ANCHOR_RGB, line=False)
    pen.polygon((16, 34), (66, 34), (66, 6), (100, 50), (66, 94), (66, 66), (16, 66))


def gleam(pen: Pen) -> None:
    """A thin line with a head, from a dark spot; drawn travelling right."""
    pen.oval(0, 30, 18, 70, fill=ANCHOR_RGB, line=False)
    pen.polygon((16, 42), (60, 42), (60, 6), (100, 50), (60, 94), (60, 58), (16, 58))


def car(pen: Pen) -> None:
    """A bonnet in front, a dark boot behind; drawn facing right."""
    pen.box(0, 40, 20, 80, fill=ANCHOR_RGB, line=False)
    pen.polygon((20, 40), (28, 12), (62, 12), (72, 40), (100, 46), (100, 80), (20, 80))
    pen.polygon((50, 18), (60, 18), (67, 38), (50, 38), fill=PALE_RGB)
    for x in (16, 72):
        pen.oval(x, 68, x + 18, 100, fill=OUTLINE_RGB, line=False)


def bus(pen: Pen) -> None:
    """A long body with windows, a dark engine behind; drawn facing right."""
    pen.box(0, 10, 14, 82, fill=ANCHOR_RGB, line=False)
    pen.box(14, 10, 100, 82)
    for x in (24, 46, 70):
        pen.box(x, 22, x + 16, 46, fill=PALE_RGB)
    for x in (20, 72):
        pen.oval(x, 68, x + 14, 100, fill=OUTLINE_RGB, line=False)


def boat(pen: Pen) -> None:
    """A hull pointed in front, a dark rudder behind; drawn facing right."""
    pen.box(0, 40, 14, 84, fill=ANCHOR_RGB, line=False)
    pen.polygon((14, 40), (36, 40), (36, 6), (66, 34), (66, 40), (100, 40), (80, 92), (22, 92))


def _toward(pen: Pen, shape: tuple[Place, ...]) -> list[Place]:
    """A shape given as (along, across) from the middle of the box, along the way that the figure faces."""
    ways: dict[str, tuple[int, int]] = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}
    dx, dy = ways[pen.figure.facing]
    return [(50 + along * dx - across * dy, 50 + along * dy + across * dx) for along, across in shape]


RECIPES: dict[str, Callable[[Pen], None]] = {
    "flag": flag,
    "needle": needle,
    "sprout": sprout,
    "sunflower": sunflower,
    "sign": sign,
    "sundial": sundial,
    "compass": compass,
    "smoke": smoke,
    "beam": beam,
    "fountain": fountain,
    "fan": fan,
    "ray": ray,
    "gleam": gleam,
    "car": car,
    "bus": bus,
    "boat": boat,
}
# Drawn facing right, and turned.
TURNED: frozenset[str] = frozenset({"smoke", "beam", "fountain", "fan", "ray", "gleam", "car", "bus", "boat"})
