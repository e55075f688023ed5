"""Plain symbols for rules about abstract objects: flat figures, a dart, a panel, two vessels; the pen runs 0 to 100.

Each public function draws the noun of its name (`things.DRAW_BY_NOUN`).
"""

import math

from counterbench.drawing.devices import case
from counterbench.drawing.pen import Pen
from counterbench.palette import ANCHOR_RGB, GLOW_RGB, OUTLINE_RGB, PALE_RGB, SHADE_RGB, UNLIT_RGB

TURNED = frozenset({"dart"})


def disc(pen: Pen) -> None:
    """A circle."""
    pen.oval(0, 0, 100, 100)


def tile(pen: Pen) -> None:
    """A square with a smaller one in it."""
    pen.box(0, 0, 100, 100)
    pen.box(16, 16, 84, 84)


def cross(pen: Pen) -> None:
    """A plus sign."""
    near, far = 32, 68
    pen.polygon(
        *((near, 0), (far, 0), (far, near), (100, near), (100, far), (far, far)),
        *((far, 100), (near, 100), (near, far), (0, far), (0, near), (near, near)),
    )


def star(pen: Pen) -> None:
    """A star with five points, which reaches every side of its box."""
    turns = [math.pi * i / 5 - math.pi / 2 for i in range(10)]
    places = [(r * math.cos(t), r * math.sin(t)) for t, r in zip(turns, (1, 0.42) * 5, strict=True)]
    across, low = places[2][0], places[4][1]
    pen.polygon(*((50 + 50 * x / across, 100 * (y + 1) / (low + 1)) for x, y in places))


def hoop(pen: Pen) -> None:
    """A broad ring."""
    pen.oval(0, 0, 100, 100)
    pen.oval(24, 24, 76, 76, fill=PALE_RGB)


def slash(pen: Pen) -> None:
    """A stroke that slants from the lower left to the upper right."""
    pen.polygon((0, 88), (88, 0), (100, 12), (12, 100))


def wedge(pen: Pen) -> None:
    """A triangle on its base, with a smaller one in it."""
    pen.polygon((50, 0), (100, 100), (0, 100))
    pen.polygon((50, 36), (76, 86), (24, 86))


def kite(pen: Pen) -> None:
    """A quadrilateral with one long, pointed end."""
    pen.polygon((50, 0), (100, 32), (50, 100), (0, 32))


def bar(pen: Pen) -> None:
    """A beam with a dark band along its middle."""
    pen.box(0, 0, 100, 100)
    if pen.width >= pen.height:
        pen.box(0, 44, 100, 56, fill=OUTLINE_RGB, line=False)
    else:
        pen.box(44, 0, 56, 100, fill=OUTLINE_RGB, line=False)


def patch(pen: Pen) -> None:
    """A grey square."""
    pen.box(0, 0, 100, 100, fill=SHADE_RGB)


def dart(pen: Pen) -> None:
    """An arrow that starts at a black dot."""
    pen.polygon((6, 38), (52, 38), (52, 8), (100, 50), (52, 92), (52, 62), (6, 62))
    size = 24 * min(pen.width, pen.height)
    pen.oval(0, 50 - size / 2 / pen.height, size / pen.width, 50 + size / 2 / pen.height, fill=ANCHOR_RGB, line=False)


def panel(pen: Pen) -> None:
    """A square with a large round spot, bright when it is lit."""
    pen.box(0, 0, 100, 100)
    pen.oval(18, 18, 82, 82, fill=GLOW_RGB if pen.figure.lit else UNLIT_RGB)


def vessel(pen: Pen) -> None:
    """Three dark walls, open at the top, on two coloured feet; the same colour fills it so many quarters."""
    _, _, _, bottom = pen.walls
    across, down = pen.wall
    case(pen)
    for left, top in ((0, 0), (100 - across / 2, 0), (0, bottom - down / 2)):
        right = 100 if left or top else across / 2
        pen.box(left, top, right, bottom, fill=OUTLINE_RGB, line=False)
    for left in (0, 78):
        pen.box(left, bottom, left + 22, 100, line=False)


def column(pen: Pen) -> None:
    """A vessel with marks on both sides at each quarter of its height."""
    vessel(pen)
    _, _, _, bottom = pen.walls
    across, down = pen.wall
    for quarter in (1, 2, 3):
        y = (bottom - down) * (1 - quarter / 4)
        for start, end in ((across, 36), (64, 100 - across)):
            pen.stroke((start, y), (end, y))
