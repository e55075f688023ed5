"""Drawings of loose bodies (balls, boxes, books, …): one function for each noun.

Each public function draws the noun of its name with a `Pen`; `things` finds it by that name. The thing's own colour
reaches all four sides of its box, so that contact with other things can be seen. No detail splits that colour into
pieces of about the same size, so that things can be counted by their pieces.

Places are in hundredths of the thing's box: (0, 0) is its top left corner, (100, 100) its bottom right one. The pen's
`polygon`, `oval` and `box` fill a part with the thing's own colour and outline it in dark, unless `fill` gives another
colour or `line` is False; `stroke` draws a line. `at = frame(pen, x, y, size)` makes a function: `at(u, v)`, with u and
v from -50 to 50, is a place in a square around (x, y) that stays as wide as high in every box.
"""

import math
from collections.abc import Callable

from counterbench.drawing.pen import Pen, PenPoint, curve, frame, oval_in, word
from counterbench.palette import GLASS_RGB, OUTLINE_RGB, PALE_RGB


def ball(pen: Pen) -> None:
    """A football: a dark patch in the middle, five at the rim."""
    pen.oval(0, 0, 100, 100)
    turns = [math.radians(9 + 72 * i) for i in range(5)]
    pen.polygon(*((50 + 19 * math.cos(t), 50 + 19 * math.sin(t)) for t in turns), fill=OUTLINE_RGB, line=False)
    for turn in turns:
        pen.stroke(_on_circle(turn, 18), _on_circle(turn, 27))
        corners = [_on_circle(turn, 33), _on_circle(turn - 0.24, 38), _on_circle(turn - 0.32, 50), _on_circle(turn, 51)]
        corners += [_on_circle(turn + 0.32, 50), _on_circle(turn + 0.24, 38)]
        pen.polygon(*corners, fill=OUTLINE_RGB, line=False)


def _on_circle(turn: float, radius: float) -> PenPoint:
    """The place at an angle (`turn`, in radians) and a radius around the middle of the box."""
    return 50 + radius * math.cos(turn), 50 + radius * math.sin(turn)


def box(pen: Pen) -> None:
    """A crate: a frame of boards, one board aslant behind it, a nail in every corner."""
    pen.box(0, 0, 100, 100)
    pen.box(18, 18, 82, 82)
    pen.polygon((18, 68), (68, 18), (82, 18), (82, 32), (32, 82), (18, 82))
    for x in (9, 91):
        for y in (9, 91):
            pen.oval(x - 3, y - 3, x + 3, y + 3, fill=OUTLINE_RGB, line=False)


def balloon(pen: Pen) -> None:
    """A skin that narrows to its knot, with a gleam."""
    pen.polygon((36, 100), (50, 82), (64, 100))
    sides = [*curve(50, 40, 50, 40, 160, 380, 40), (70, 76), (57, 88), (43, 88), (30, 76)]
    pen.polygon(*sides)
    pen.polygon(*curve(50, 40, 36, 28, 185, 250, 24), *curve(50, 40, 26, 18, 250, 185, 24), fill=PALE_RGB, line=False)


def stone(pen: Pen) -> None:
    """A boulder with a flat foot, and its edges."""
    pen.polygon((28, 4), (62, 0), (90, 22), (100, 66), (88, 100), (12, 100), (0, 68), (8, 28))
    pen.stroke((33, 16), (42, 32), (76, 26))
    pen.stroke((42, 32), (32, 62), (16, 66))
    pen.stroke((32, 62), (40, 84))
    pen.stroke((74, 54), (82, 70))
    pen.stroke((60, 76), (70, 84))


def block(pen: Pen) -> None:
    """A solid block, seen a little from the right and from above."""
    depth = 0.16 * min(pen.width, pen.height)
    x, y = 100 * depth / pen.width, 100 * depth / pen.height
    pen.polygon((0, y), (x, 0), (100, 0), (100, 100 - y), (100 - x, 100), (0, 100))
    pen.stroke((1, y), (100 - x, y), (100 - x, 99))
    pen.stroke((100 - x, y), (99, 1))


def plank(pen: Pen) -> None:
    """A board with its grain around a knot, and a nail at each end."""
    at = _lengthwise(pen)
    pen.box(0, 0, 100, 100)
    for side in (-1, 1):
        pen.stroke(at(14, 50 + 28 * side), at(86, 50 + 28 * side), width=0.7)
        pen.stroke(at(26, 50 + 8 * side), at(40, 50 + 8 * side), at(47, 50 + 16 * side), width=0.7)
        pen.stroke(at(47, 50 + 16 * side), at(53, 50 + 16 * side), at(60, 50 + 8 * side), at(80, 50 + 8 * side))
    knot, nails = frame(pen, 50, 50, 16), (frame(pen, *at(6, 50), 16), frame(pen, *at(94, 50), 16))
    for spot in (knot, *nails):
        oval_in(pen, spot, 0, 0, 50, 50, OUTLINE_RGB)


def post(pen: Pen) -> None:
    """A fence post: flat at the top, the stubs of two rails nailed across it, a broad foot."""
    half_rail = min(10, 30 * pen.width / pen.height)
    pen.box(18, 0, 82, 100)
    pen.stroke((38, half_rail), (38, 100 - half_rail), width=0.7)
    pen.stroke((62, 2 * half_rail), (62, 100 - 2 * half_rail), width=0.7)
    for middle in (24, 62):
        pen.box(0, middle - half_rail, 100, middle + half_rail)
        oval_in(pen, frame(pen, 50, middle, 20), 0, 0, 50, 50, OUTLINE_RGB)
    pen.box(0, 100 - half_rail, 100, 100)


def coin(pen: Pen) -> None:
    """A disc with a milled edge and a sign of money."""
    pen.oval(0, 0, 100, 100)
    for i in range(24):
        turn = 2 * math.pi * i / 24
        pen.stroke(_on_circle(turn, 40), _on_circle(turn, 46), width=0.7)
    at = frame(pen, 50, 50, 100)
    word(pen, at, "S", 40, width=1.4)
    pen.stroke(at(0, -28), at(0, 28), width=1.2)


def ice(pen: Pen) -> None:
    """A cube with rounded corners, a snowflake on it, and a gleam."""
    pen.round_box(0, 0, 100, 100, 16)
    at = frame(pen, 50, 52, 62)
    for i in range(6):
        turn = math.pi * i / 3 + math.pi / 2
        dx, dy = math.cos(turn), math.sin(turn)
        pen.stroke(at(0, 0), at(50 * dx, 50 * dy), fill=PALE_RGB, width=1.5)
        for side in (-1, 1):
            aside = turn + side * math.pi / 3
            end = at(28 * dx + 20 * math.cos(aside), 28 * dy + 20 * math.sin(aside))
            pen.stroke(at(28 * dx, 28 * dy), end, fill=PALE_RGB, width=1.2)
    pen.stroke((8, 28), (8, 14), (14, 8), (28, 8), fill=PALE_RGB, width=1.2)


def cork(pen: Pen) -> None:
    """A bottle's cork on a corkscrew: the handle, the screw, and a stopper with specks."""
    pen.round_box(0, 0, 100, 18, 8)
    pen.stroke((50, 18), (50, 42), width=2.2)
    for y in (25, 33):
        pen.stroke((38, y + 3), (62, y - 3), width=1.6)
    pen.polygon((24, 44), *curve(50, 44, 26, 6, 180, 360, 9), (76, 44), (73, 100), (27, 100))
    pen.stroke(*curve(50, 44, 26, 6, 0, 180, 9))
    pen.stroke((50, 36), (50, 45), width=2.2)
    for x, y in ((36, 62), (52, 58), (65, 64), (42, 74), (58, 78), (34, 88), (48, 91), (64, 90)):
        oval_in(pen, frame(pen, x, y, 7), 0, 0, 50, 36, OUTLINE_RGB)


def feather(pen: Pen) -> None:
    """A slender quill aslant: its shaft bare at the lower left, then a vane of fine barbs, slit in two places."""

    def at(along: float, aside: float) -> PenPoint:
        """The place so far `along` the quill (0 … 1) and `aside` from it."""
        aside += 7 * math.sin(math.pi * along)
        return 100 * along - aside * 0.7, 100 - 100 * along - aside * 0.7

    pen.polygon(at(0, -6), at(0, 6), at(0.3, 4), at(0.3, -4))
    left = ((0.24, 3), (0.28, 13), (0.42, 20), (0.54, 22), (0.55, 10), (0.62, 22), (0.8, 18), (0.92, 12), (0.99, 4))
    right = ((0.99, -3), (0.9, -14), (0.74, -20), (0.56, -22), (0.4, -20), (0.38, -9), (0.32, -18), (0.24, -10))
    pen.polygon(*(at(*place) for place in (*left, *right)))
    pen.stroke(*(at(0.1 * i, 0) for i in range(1, 10)), width=1.1)
    for i in range(7):
        start = 0.3 + 0.085 * i
        for side in (-1, 1):
            pen.stroke(at(start, 0), at(start + 0.08, 13 * side), width=0.5)


def ring(pen: Pen) -> None:
    """A ring for a finger: a hoop with a cut stone on it."""
    pen.oval(0, 20, 100, 100)
    pen.oval(18, 34, 82, 86, fill=PALE_RGB)
    pen.polygon((32, 0), (68, 0), (80, 14), (50, 40), (20, 14))
    pen.stroke((22, 14), (78, 14), width=0.8)
    pen.stroke((38, 14), (50, 38), (62, 14), width=0.8)


def rope(pen: Pen) -> None:
    """A cord of slanting strands, one over the other."""
    at = _lengthwise(pen)
    count = max(4, round(1.7 * max(pen.width, pen.height) / min(pen.width, pen.height)))
    pitch = 100 / (count + 1)  # from one strand to the next
    for i in range(count):
        middle = pitch * (i + 1)
        across = [100 * step / 12 for step in range(13)]
        # At each place across, the strand's middle along the rope, and half its length there.
        slant = [(middle + pitch * (c - 50) / 80, pitch * (1 - 0.8 * ((c - 50) / 50) ** 2) ** 0.5) for c in across]
        right = [at(min(100, along + half), c) for (along, half), c in zip(slant, across, strict=True)]
        left = [at(max(0, along - half), c) for (along, half), c in zip(slant, across, strict=True)]
        pen.polygon(*right, *reversed(left))


def wheel(pen: Pen) -> None:
    """A cartwheel: a rim, eight spokes, a hub."""
    pen.oval(0, 0, 100, 100)
    pen.oval(16, 16, 84, 84, fill=PALE_RGB)
    for i in range(4):
        turn = math.pi * i / 4
        across, along = (-4 * math.sin(turn), 4 * math.cos(turn)), (35 * math.cos(turn), 35 * math.sin(turn))
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = [(50 + a * along[0] + b * across[0], 50 + a * along[1] + b * across[1]) for a, b in ends]
        pen.polygon(*corners, line=False)
    pen.oval(36, 36, 64, 64)
    pen.oval(45, 45, 55, 55, fill=OUTLINE_RGB, line=False)


def weight(pen: Pen) -> None:
    """A weight with a ring to lift it by, marked KG."""
    pen.oval(30, 0, 70, 40)
    pen.oval(42, 12, 58, 28, fill=PALE_RGB)
    pen.polygon((20, 30), (80, 30), (100, 100), (0, 100))
    word(pen, frame(pen, 50, 68, 100), "KG", 28, width=1.4)


def nail(pen: Pen) -> None:
    """A nail aslant: its flat head at the upper left, its point at the lower right."""
    pen.polygon((22, 8), (84, 70), (98, 84), (100, 100), (84, 98), (70, 84), (8, 22))
    pen.polygon((0, 26), (26, 0), (35, 9), (9, 35))
    pen.stroke((38, 26), (26, 38), width=0.8)


def magnet(pen: Pen) -> None:
    """A bar of two halves, N and S."""
    pen.box(0, 0, 100, 100)
    at = _lengthwise(pen)
    pen.stroke(at(50, 0), at(50, 100), width=1.2)
    for x, letter in ((22, "N"), (78, "S")):
        word(pen, frame(pen, *at(x, 50), 100), letter, 44, width=1.3)


def spring(pen: Pen) -> None:
    """A coil between two plates."""
    pen.box(0, 0, 100, 12)
    pen.box(0, 88, 100, 100)
    points = [(14 if i % 2 else 86, 13 + 74 * i / 8) for i in range(9)]
    for front in (0, 1):
        for i in range(front, 8, 2):
            pen.stroke(points[i], points[i + 1], width=4.6)
            pen.stroke(points[i], points[i + 1], fill=pen.main, width=2.8)


def book(pen: Pen) -> None:
    """A closed book: a spine on the left, a title, its pages' edge below."""
    pen.box(0, 0, 100, 100)
    pen.box(14, 80, 100, 100, fill=PALE_RGB)
    pen.stroke((14, 0), (14, 100))
    pen.box(30, 16, 84, 48, fill=PALE_RGB, line=False)
    pen.stroke((38, 27), (76, 27))
    pen.stroke((44, 38), (70, 38), width=0.7)


def parcel(pen: Pen) -> None:
    """A parcel: a string around it both ways, tied in a bow, and a stamp."""
    pen.box(0, 0, 100, 100)
    pen.stroke((36, 2), (36, 98), width=1.3)
    pen.stroke((2, 40), (98, 40), width=1.3)
    for side in (-1, 1):
        pen.polygon((36, 40), (36 + 22 * side, 24), (36 + 26 * side, 44), fill=PALE_RGB)
        pen.stroke((36, 40), (36 + 14 * side, 62), width=1.3)
    pen.oval(30, 34, 42, 46, fill=OUTLINE_RGB, line=False)
    pen.box(60, 60, 92, 90, fill=PALE_RGB)
    pen.stroke((67, 75), (85, 75))


def mirror(pen: Pen) -> None:
    """An oval glass with gleams, in a frame on a foot."""
    pen.polygon((18, 100), (28, 90), (42, 90), (42, 80), (58, 80), (58, 90), (72, 90), (82, 100))
    pen.oval(0, 0, 100, 90)
    pen.oval(14, 12, 86, 78, fill=GLASS_RGB)
    pen.stroke((34, 54), (64, 24), fill=PALE_RGB, width=2)
    pen.stroke((50, 60), (72, 38), fill=PALE_RGB, width=1.2)


def person(pen: Pen) -> None:
    """A face over a coloured suit with arms and legs."""
    sleeves = ((24, 30), (76, 30), (90, 38), (100, 70), (86, 74), (76, 50))
    pen.polygon(*sleeves, (78, 100), (56, 100), (50, 70), (44, 100), (22, 100), (24, 50), (14, 74), (0, 70), (10, 38))
    pen.oval(30, 0, 70, 29, fill=PALE_RGB)
    pen.polygon(*curve(50, 14, 20, 14, 180, 360, 24), (64, 9), (36, 9), fill=OUTLINE_RGB, line=False)
    at = frame(pen, 50, 17, 100)
    for side in (-1, 1):
        oval_in(pen, at, 7 * side, -2, 2.4, 2.8, OUTLINE_RGB)
    pen.stroke(*(at(u, v) for u, v in curve(0, 2, 8, 7, 20, 160, 7)), width=0.7)


def _lengthwise(pen: Pen) -> Callable[[float, float], PenPoint]:
    """The function from (along, across) to a place of a long thing, which lies, or stands if it is higher than wide."""
    return (lambda a, c: (c, a)) if pen.height > pen.width else (lambda a, c: (a, c))
