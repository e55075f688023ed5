"""Made things that do not point: lamps, vessels, buildings, clothes. What is lit is drawn in the ink of light."""

from __future__ import annotations

from collections.abc import Callable

from counterbench.drawing.pen import Pen
from counterbench.palette import GLASS_RGB, GLOW_RGB, OUTLINE_RGB, PALE_RGB, RGB, SHADE_RGB, UNLIT_RGB


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


RECIPES: dict[str, Callable[[Pen], None]] = {
    "lamp": lamp,
    "candle": candle,
    "lantern": lantern,
    "tank": vessel,
    "cup": vessel,
    "thermometer": vessel,
    "battery": vessel,
    "basket": basket,
    "reflector": reflector,
    "lens": lens,
    "house": house,
    "tower": tower,
    "tent": tent,
    "wire": wire,
    "signal": signal,
    "door": door,
    "shirt": shirt,
    "umbrella": umbrella,
    "cap": cap,
    "chair": chair,
}
