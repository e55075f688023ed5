"""Made things: lamps, vessels, pointers, vehicles, buildings.

What lights up is drawn in the ink of light when it is lit. What points has a dark anchor in the middle of its box (or
behind it, for what is drawn facing right and turned), and its colour on the side that it points to.
"""

from __future__ import annotations

from collections.abc import Callable

from counterbench.drawing.pen import Pen, Place, circle_of
from counterbench.palette import ANCHOR_RGB, GLASS_RGB, GLOW_RGB, OUTLINE_RGB, PALE_RGB, RGB, SHADE_RGB, UNLIT_RGB


def _light(pen: Pen) -> RGB:
    return GLOW_RGB if pen.figure.lit else UNLIT_RGB


def lamp(pen: Pen) -> None:
    """A bulb on a coloured stand; lit, it has rays."""
    if pen.figure.lit:
        pen.rays(50, 34, 26, 46, 12, GLOW_RGB)
    pen.oval(26, 10, 74, 58, fill=_light(pen))
    pen.polygon((38, 56), (62, 56), (62, 80), (84, 100), (16, 100), (38, 80))


def candle(pen: Pen) -> None:
    """A stick with a wick; lit, it has a flame."""
    pen.box(28, 40, 72, 100)
    pen.stroke((50, 40), (50, 30))
    if pen.figure.lit:
        pen.polygon((50, 0), (70, 22), (50, 36), (30, 22), fill=GLOW_RGB)


def lantern(pen: Pen) -> None:
    """A glazed case between a coloured lid and a coloured foot."""
    if pen.figure.lit:
        pen.rays(50, 50, 34, 49, 12, GLOW_RGB)
    pen.box(24, 30, 76, 74, fill=_light(pen))
    pen.polygon((20, 30), (50, 4), (80, 30))
    pen.box(18, 72, 82, 96)


def vessel(pen: Pen) -> None:
    """Clear walls, open at the top, on a coloured foot; the same colour fills it so many quarters."""
    across, down = pen.wall
    bottom = 100 - pen.foot
    pen.box(0, bottom, 100, 100, line=False)
    pen.box(0, 0, across, bottom - 0.5, fill=GLASS_RGB, line=False)
    pen.box(100 - across, 0, 100, bottom - 0.5, fill=GLASS_RGB, line=False)
    pen.box(0, bottom - down, 100, bottom - 0.5, fill=GLASS_RGB, line=False)
    if pen.figure.quarters:
        top = (bottom - down) * (1 - pen.figure.quarters / 4 * 0.94)
        pen.box(across, top, 100 - across, bottom - down, line=False)


def basket(pen: Pen) -> None:
    """An open frame on a coloured foot."""
    vessel(pen)


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
    """A motor, blades from the side, and the wind that they make; drawn blowing right."""
    pen.box(0, 40, 22, 60, fill=ANCHOR_RGB, line=False)
    pen.oval(20, 6, 56, 94)
    pen.stroke((38, 10), (38, 90))
    for y in (24, 50, 76):
        pen.stroke((66, y), (98, y), fill=GLASS_RGB)


def ray(pen: Pen) -> None:
    """A broad line with a head, from a dark spot; drawn travelling right."""
    pen.oval(0, 30, 18, 70, fill=ANCHOR_RGB, line=False)
    pen.polygon((16, 34), (66, 34), (66, 6), (100, 50), (66, 94), (66, 66), (16, 66))


def gleam(pen: Pen) -> None:
    """A thin line with a head, from a dark spot; drawn travelling right."""
    pen.oval(0, 30, 18, 70, fill=ANCHOR_RGB, line=False)
    pen.polygon((16, 42), (60, 42), (60, 6), (100, 50), (60, 94), (60, 58), (16, 58))


def sundial(pen: Pen) -> None:
    """A square plate with marks, and the wedge that its rod shades."""
    pen.box(0, 0, 100, 100, fill=PALE_RGB)
    for mark in (((50, 4), (50, 12)), ((50, 88), (50, 96)), ((4, 50), (12, 50)), ((88, 50), (96, 50))):
        pen.stroke(*mark)
    pen.polygon(*_toward(pen, ((0, -4), (36, -13), (36, 13), (0, 4))))
    pen.oval(43, 43, 57, 57, fill=ANCHOR_RGB, line=False)


def reflector(pen: Pen) -> None:
    """A plate that slants from the lower left to the upper right."""
    pen.polygon((0, 82), (82, 0), (100, 18), (18, 100))
    pen.stroke((24, 78), (78, 24), fill=PALE_RGB)


def lens(pen: Pen) -> None:
    """A round glass in a coloured rim, on a short handle."""
    bottom = 100 - pen.foot
    across, down = pen.wall
    pen.box(40, bottom - 2 * down, 60, 100)
    pen.oval(0, 0, 100, bottom)
    pen.oval(2 * across, 2 * down, 100 - 2 * across, bottom - 2 * down, fill=PALE_RGB)


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


def house(pen: Pen) -> None:
    """Walls and roof of one colour, and a window that may be lit."""
    pen.polygon((0, 46), (50, 0), (100, 46), (90, 46), (90, 100), (10, 100), (10, 46))
    pen.box(34, 54, 66, 84, fill=_light(pen))


def tower(pen: Pen) -> None:
    """A high wall with battlements, and a window that may be lit."""
    merlons = [(x, y) for left in (22, 44, 64) for x, y in ((left, 12), (left, 0), (left + 14, 0), (left + 14, 12))]
    pen.polygon((28, 100), (28, 20), (22, 20), *merlons, (78, 20), (72, 20), (72, 100))
    pen.box(38, 34, 62, 64, fill=_light(pen))


def tent(pen: Pen) -> None:
    """Two slopes of cloth, and an opening that may be lit."""
    pen.polygon((0, 100), (50, 8), (100, 100))
    pen.polygon((34, 99), (50, 46), (66, 99), fill=_light(pen))


def compass(pen: Pen) -> None:
    """A square case, and an arrow from its hub."""
    pen.box(0, 0, 100, 100, fill=PALE_RGB)
    pen.polygon(*_toward(pen, ((-2, -6), (22, -6), (22, -16), (44, 0), (22, 16), (22, 6), (-2, 6))))
    pen.oval(42, 42, 58, 58, fill=ANCHOR_RGB, line=False)


def wire(pen: Pen) -> None:
    """A piece of grey wire."""
    pen.box(0, 0, 100, 100, fill=SHADE_RGB, line=False)


def signal(pen: Pen) -> None:
    """A round light on a dark post."""
    pen.stroke((50, 50), (50, 100), fill=OUTLINE_RGB, width=1.6)
    pen.oval(10, 0, 90, 64)


def door(pen: Pen) -> None:
    """A panel with a knob."""
    pen.box(0, 0, 100, 100)
    pen.oval(74, 46, 86, 56, fill=OUTLINE_RGB, line=False)


def shirt(pen: Pen) -> None:
    """A body with two sleeves."""
    pen.polygon((30, 0), (70, 0), (100, 26), (86, 48), (76, 40), (76, 100), (24, 100), (24, 40), (14, 48), (0, 26))


def umbrella(pen: Pen) -> None:
    """A canopy over a handle."""
    pen.stroke((50, 40), (50, 92), (62, 98), fill=OUTLINE_RGB, width=1.4)
    pen.polygon((0, 56), (6, 32), (26, 10), (50, 2), (74, 10), (94, 32), (100, 56))


def cap(pen: Pen) -> None:
    """A dome with a peak."""
    pen.polygon((0, 100), (6, 50), (26, 14), (50, 0), (74, 14), (94, 50), (100, 100))


def chair(pen: Pen) -> None:
    """A back, a seat and legs, from the side."""
    pen.polygon((0, 0), (16, 0), (16, 50), (100, 50), (100, 100), (84, 100), (84, 66), (16, 66), (16, 100), (0, 100))


def _toward(pen: Pen, shape: tuple[Place, ...]) -> list[Place]:
    """A shape given as (along, across) from the middle of the box, along the way that the figure faces."""
    ways: dict[str, tuple[int, int]] = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}
    dx, dy = ways[pen.figure.facing]
    return [(50 + along * dx - across * dy, 50 + along * dy + across * dx) for along, across in shape]


RECIPES: dict[str, Callable[[Pen], None]] = {
    "lamp": lamp,
    "candle": candle,
    "lantern": lantern,
    "tank": vessel,
    "cup": vessel,
    "thermometer": vessel,
    "battery": vessel,
    "basket": basket,
    "flag": flag,
    "needle": needle,
    "sprout": sprout,
    "sunflower": sunflower,
    "sign": sign,
    "smoke": smoke,
    "beam": beam,
    "fountain": fountain,
    "fan": fan,
    "ray": ray,
    "gleam": gleam,
    "sundial": sundial,
    "reflector": reflector,
    "lens": lens,
    "car": car,
    "bus": bus,
    "boat": boat,
    "house": house,
    "tower": tower,
    "tent": tent,
    "compass": compass,
    "wire": wire,
    "signal": signal,
    "door": door,
    "shirt": shirt,
    "umbrella": umbrella,
    "cap": cap,
    "chair": chair,
}
# Drawn facing right, and turned.
TURNED: frozenset[str] = frozenset({"smoke", "beam", "fountain", "fan", "ray", "gleam", "car", "bus", "boat"})
