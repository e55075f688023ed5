"""Lines that glyphs share: curves as points, drawings that stay as wide as high in any box, a few capital letters."""

from __future__ import annotations

import math
from collections.abc import Callable

from counterbench.drawing.pen import Pen, Place
from counterbench.palette import OUTLINE_RGB, RGB

# Capitals as lines in a field four wide and six high.
_LETTERS: dict[str, tuple[tuple[Place, ...], ...]] = {
    "A": (((0, 6), (2, 0), (4, 6)), ((0.9, 4), (3.1, 4))),
    "D": (((0, 0), (0, 6), (2.4, 6), (4, 4.4), (4, 1.6), (2.4, 0), (0, 0)),),
    "G": (((4, 1), (2.8, 0), (1.2, 0), (0, 1.4), (0, 4.6), (1.2, 6), (4, 6), (4, 3.4), (2.4, 3.4)),),
    "I": (((2, 0), (2, 6)), ((1, 0), (3, 0)), ((1, 6), (3, 6))),
    "K": (((0, 0), (0, 6)), ((4, 0), (0, 3.4)), ((1.2, 2.6), (4, 6))),
    "L": (((0, 0), (0, 6), (4, 6)),),
    "M": (((0, 6), (0, 0), (2, 3.4), (4, 0), (4, 6)),),
    "N": (((0, 6), (0, 0), (4, 6), (4, 0)),),
    "O": (((1.2, 0), (0, 1.4), (0, 4.6), (1.2, 6), (2.8, 6), (4, 4.6), (4, 1.4), (2.8, 0), (1.2, 0)),),
    "S": (((4, 0.8), (3, 0), (1, 0), (0, 1), (0, 2.2), (4, 3.8), (4, 5), (3, 6), (1, 6), (0, 5.2)),),
    "T": (((0, 0), (4, 0)), ((2, 0), (2, 6))),
    "U": (((0, 0), (0, 4.8), (1.2, 6), (2.8, 6), (4, 4.8), (4, 0)),),
}

Frame = Callable[[float, float], Place]


def curve(x: float, y: float, across: float, down: float, start: float, end: float, points: int = 25) -> list[Place]:
    """A part of an ellipse around (x, y) as points, from `start` to `end` degrees, clockwise from three o'clock."""
    turns = [math.radians(start + (end - start) * i / (points - 1)) for i in range(points)]
    return [(x + across * math.cos(t), y + down * math.sin(t)) for t in turns]


def frame(pen: Pen, x: float, y: float, size: float) -> Frame:
    """Places around (x, y), from -50 to 50, in a square that is `size` hundredths of the box's shorter side."""
    side = size * min(pen.width, pen.height) / 100
    return lambda u, v: (x + u * side / pen.width, y + v * side / pen.height)


def oval_in(pen: Pen, at: Frame, u: float, v: float, across: float, down: float, fill: RGB, line: bool = False) -> None:
    """An ellipse around (u, v) of a frame."""
    pen.oval(*at(u - across, v - down), *at(u + across, v + down), fill=fill, line=line)


def word(pen: Pen, at: Frame, letters: str, height: float, v: float = 0.0, width: float = 0.9) -> None:
    """Capital letters in dark, `height` hundredths of a frame high, in the middle of its width, around `v`."""
    unit = height / 6
    left = -(len(letters) * 4 + (len(letters) - 1) * 2) / 2 * unit
    for letter in letters:
        for line in _LETTERS[letter]:
            points = [at(left + a * unit, v - height / 2 + b * unit) for a, b in line]
            pen.stroke(*points, fill=OUTLINE_RGB, width=width)
        left += 6 * unit
