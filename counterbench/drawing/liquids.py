"""Liquids: a flat expanse that fills its box, with a picture on it that says which it is.

Each public function draws the noun of its name, in hundredths of its box from the top left corner (see `pen`).
"""

from counterbench.drawing.pen import Pen, PenPoint, curve, frame, oval_in, word
from counterbench.palette import OUTLINE_RGB, PALE_RGB


def _waves(pen: Pen, *heights: float) -> None:
    """Draw rows of waves at these heights, about equally long in any box."""
    short = min(pen.width, pen.height)
    count = max(2, round(pen.width / short * 2))
    rise = 9 * short / pen.height
    wave = (0.5, 0.15, 0, 0.15, 0.5, 0.85, 1, 0.85)
    for y in heights:
        row = [(8 + 84 * i / (8 * count), y + rise * wave[i % 8]) for i in range(8 * count + 1)]
        pen.stroke(*row, width=1.2)


def water(pen: Pen) -> None:
    """Rows of waves."""
    pen.box(0, 0, 100, 100)
    _waves(pen, 16, 38, 60, 82)


def lake(pen: Pen) -> None:
    """A sailing boat on the water."""
    pen.box(0, 0, 100, 100)
    at = frame(pen, 50, 42, 80)
    pen.polygon(at(-2, -42), at(-2, 14), at(-34, 14), fill=PALE_RGB)
    pen.polygon(at(4, -30), at(4, 14), at(28, 14), fill=PALE_RGB)
    pen.polygon(at(-42, 20), at(42, 20), at(28, 36), at(-28, 36), fill=OUTLINE_RGB, line=False)
    _waves(pen, 82)
    if pen.height > 2 * pen.width:
        _waves(pen, 10, 66, 92)


def oil(pen: Pen) -> None:
    """A bottle with a handle, OIL on its label, beside a large drop."""
    pen.box(0, 0, 100, 100)
    at = frame(pen, 50, 50, 92)
    bottle = ((-10, -42), (10, -42), (10, -24), (34, -6), (34, 48), (-34, 48), (-34, -6), (-10, -24))
    pen.polygon(*(at(u, v) for u, v in bottle), fill=PALE_RGB)
    pen.box(*at(-13, -50), *at(13, -40), fill=OUTLINE_RGB, line=False)
    pen.box(*at(-30, 2), *at(30, 40), line=False)
    word(pen, lambda u, v: at(u, v + 21), "OIL", 22, width=1.3)


def syrup(pen: Pen) -> None:
    """A pile of pancakes, over which it runs down, with butter on top."""
    pen.box(0, 0, 100, 100)
    at = frame(pen, 50, 50, 92)
    for v in (34, 20, 6, -8):
        oval_in(pen, at, 0, v, 46, 15, PALE_RGB, line=True)
    pen.polygon(*(at(u, v) for u, v in (*curve(0, -8, 36, 11, 180, 360, 24), *_RUNNING)))
    pen.polygon(*(at(u, v) for u, v in ((-12, -18), (6, -22), (14, -14), (-4, -9))), fill=PALE_RGB)


# The lower edge of the syrup that runs down, from right to left.
_RUNNING: tuple[PenPoint, ...] = (
    *((36, 16), (32, 22), (28, 16), (26, 4), (18, 4), (16, 30), (10, 36), (4, 30), (2, 6), (-8, 6), (-10, 16)),
    *((-15, 21), (-20, 16), (-22, 2), (-26, 2), (-28, 8), (-32, 10), (-36, 4)),
)


def tea(pen: Pen) -> None:
    """A teapot with a leaf on it, steaming."""
    pen.box(0, 0, 100, 100)
    at = frame(pen, 50, 54, 84)
    for u in (-16, 0, 16):
        steam = ((u, -28), (u - 4, -34), (u + 3, -40), (u, -47))
        pen.stroke(*(at(a, b) for a, b in steam), fill=PALE_RGB, width=1.2)
    pen.stroke(*(at(u, v) for u, v in curve(28, 14, 18, 16, -90, 90, 9)), width=3.4)
    pen.stroke(*(at(u, v) for u, v in curve(28, 14, 18, 16, -90, 90, 9)), fill=PALE_RGB, width=1.6)
    pen.polygon(*(at(u, v) for u, v in ((-22, 6), (-36, -12), (-48, -12), (-40, 12), (-22, 30))), fill=PALE_RGB)
    oval_in(pen, at, 0, -18, 5, 5, OUTLINE_RGB)
    oval_in(pen, at, 0, 14, 32, 28, PALE_RGB, line=True)
    pen.stroke(*(at(u, v) for u, v in curve(0, 14, 30, 22, 215, 325, 9)), width=0.9)
    pen.box(*at(-20, 40), *at(20, 46), fill=OUTLINE_RGB, line=False)
    leaf = ((-14, 28), (-14, 14), (-4, 6), (16, 4), (14, 20), (4, 28))
    pen.polygon(*(at(u, v) for u, v in leaf), line=False)
    pen.stroke(at(-18, 32), at(8, 12), width=0.9)
