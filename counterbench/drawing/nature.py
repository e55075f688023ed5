"""Drawings of plants, animals and the sky: one function for each noun, which draws it with one patch of its colour.

Each public function draws the noun of its name with a `Pen`; `things` finds it by that name. Places are in hundredths
of the thing's box: (0, 0) is its top left corner, (100, 100) its bottom right one. The pen's `polygon`, `oval` and
`box` fill a part with the thing's own colour and outline it in dark, unless `fill` gives another colour or `line` is
False; `stroke` draws a line. `at = frame(pen, x, y, size)` makes a function: `at(u, v)`, with u and v from -50 to 50,
is a place in a square around (x, y) that stays as wide as high in every box.

`TURNED`, at the end, names the nouns that are drawn facing right, and turned afterwards.
"""

import math

from counterbench.drawing.pen import Pen, circle_of, curve, frame, oval_in
from counterbench.palette import ANCHOR_RGB, OUTLINE_RGB, PALE_RGB, ROOM_RGB, SHADE_RGB, UNLIT_RGB


def apple(pen: Pen) -> None:
    """A round fruit, hollow above and below, with a stalk and a leaf."""
    right = [(50, 26), (62, 18), (78, 16), (92, 26), (100, 46), (96, 68), (84, 88), (70, 100), (58, 99), (50, 94)]
    pen.polygon(*right, *((100 - x, y) for x, y in reversed(right)))
    pen.stroke((50, 28), (52, 12), (46, 2), width=1.4)
    pen.polygon((53, 14), (62, 2), (82, 0), (74, 13), fill=OUTLINE_RGB, line=False)
    pen.stroke(*curve(50, 56, 36, 28, 165, 215, 9), fill=PALE_RGB, width=1.8)


def leaf(pen: Pen) -> None:
    """A broad blade with its veins, on a stalk."""
    upper = [(16, 50), (24, 28), (40, 12), (58, 8), (76, 18), (90, 36), (100, 50)]
    pen.stroke((0, 50), (18, 50), width=1.6)
    pen.polygon(*upper, *((x, 100 - y) for x, y in reversed(upper[1:-1])))
    pen.stroke((16, 50), (92, 50))
    for x in (30, 50, 70):
        for side in (-1, 1):
            pen.stroke((x, 50), (x + 12, 50 + side * (30 - abs(x - 46) / 2)), width=0.7)


def tree(pen: Pen) -> None:
    """A trunk under a crown of rounded tufts."""
    pen.polygon((42, 50), (58, 50), (58, 92), (68, 100), (32, 100), (42, 92), fill=ROOM_RGB)
    tufts = ((24, 46, 24, 20), (76, 46, 24, 20), (34, 26, 24, 24), (66, 26, 24, 24), (50, 22, 24, 22))
    _tufts(pen, (*tufts, (50, 50, 24, 18)))
    pen.oval(24, 22, 76, 58, line=False)
    for x, y in ((32, 36), (62, 24), (60, 48)):
        pen.stroke(*curve(x, y, 9, 7, 20, 160, 7), width=0.8)


def _tufts(pen: Pen, tufts: tuple[tuple[float, float, float, float], ...]) -> None:
    """Draw ovals as one patch: all with outlines first, then their insides without, over the outlines within the patch.

    Each of `tufts` is x and y of an oval's middle, and half its width and height.
    """
    for x, y, across, down in tufts:
        pen.oval(x - across, y - down, x + across, y + down)
    inset = 100 * pen.line_width / min(pen.width, pen.height)
    for x, y, across, down in tufts:
        pen.oval(x - across + inset, y - down + inset, x + across - inset, y + down - inset, line=False)


def flower(pen: Pen) -> None:
    """Petals around a heart, on a stalk with two leaves."""
    pen.stroke((50, 40), (50, 100), width=1.4)
    for side in (-1, 1):
        pen.polygon((50, 94), (50 + 10 * side, 76), (50 + 34 * side, 70), (50 + 24 * side, 88), fill=OUTLINE_RGB)
    for x, y in circle_of(6, 50, 32, 20):
        pen.oval(x - 13, y - 13, x + 13, y + 13)
    pen.oval(34, 16, 66, 48, line=False)
    pen.oval(40, 22, 60, 42, fill=PALE_RGB)


def egg(pen: Pen) -> None:
    """An egg, narrower above, that begins to crack."""
    side = [
        (50 + 50 * math.sin(t) * (1 - 0.16 * math.cos(t) ** 2 - 0.2 * math.cos(t)) / 1.015, 50 - 50 * math.cos(t))
        for t in (math.pi * i / 20 for i in range(21))
    ]
    pen.polygon(*side, *((100 - x, y) for x, y in reversed(side[1:-1])))
    pen.stroke((2, 50), (14, 40), (24, 56), (36, 40), (48, 56), (60, 42), (68, 52), width=1.2)
    pen.stroke((48, 56), (54, 70), width=0.8)
    for x, y in ((40, 20), (64, 26), (30, 76), (74, 70), (56, 86)):
        oval_in(pen, frame(pen, x, y, 6), 0, 0, 50, 50, OUTLINE_RGB)


def fish(pen: Pen) -> None:
    """A body with fins, gills and scales, and a dark tail behind; drawn facing right."""
    pen.polygon((34, 50), (2, 14), (10, 50), (2, 86), fill=ANCHOR_RGB)
    pen.polygon((44, 24), (54, 4), (76, 22))
    pen.polygon((50, 78), (52, 96), (70, 80))
    upper = [(22, 50), (36, 30), (58, 18), (78, 24), (92, 38), (100, 52)]
    pen.polygon(*upper, (94, 64), (78, 78), (58, 82), (36, 70))
    pen.stroke(*curve(66, 50, 10, 20, -70, 70, 9))
    for x, y in ((42, 44), (54, 38), (42, 58), (54, 52), (54, 66)):
        pen.stroke(*curve(x, y, 5, 6, -80, 80, 7), width=0.7)
    pen.oval(80, 32, 91, 45, fill=PALE_RGB)
    pen.oval(84, 36, 89, 42, fill=OUTLINE_RGB, line=False)
    pen.stroke((99, 56), (90, 58), width=0.8)


def bird(pen: Pen) -> None:
    """A body with a folded wing, a beak and an eye, and a dark tail behind; drawn facing right."""
    pen.polygon((34, 58), (2, 50), (0, 66), (6, 78), (34, 72), fill=ANCHOR_RGB)
    back = [(18, 62), (34, 48), (50, 42), (56, 22), (70, 10), (84, 14), (90, 26), (88, 42)]
    pen.polygon((86, 22), (100, 32), (87, 38), fill=OUTLINE_RGB, line=False)
    pen.polygon(*back, (82, 66), (66, 82), (46, 86), (28, 78))
    pen.polygon((38, 54), (62, 52), (66, 64), (48, 78), (20, 78), (30, 70))
    pen.stroke((40, 64), (54, 62), width=0.7)
    pen.oval(72, 20, 82, 31, fill=PALE_RGB)
    pen.oval(76, 23, 81, 29, fill=OUTLINE_RGB, line=False)
    for x in (48, 60):
        pen.stroke((x, 84), (x + 2, 97), (x + 10, 98))


def cloud(pen: Pen) -> None:
    """Three large puffs, and a small one at either end, over a flat foot."""
    puffs = ((16, 76, 16, 24), (30, 50, 20, 28), (54, 34, 24, 34), (76, 54, 19, 28), (86, 78, 14, 22))
    for x, y, across, down in puffs:
        pen.oval(x - across, y - down, x + across, y + down)
    pen.box(16, 70, 86, 100)
    x_inset, y_inset = (110 * pen.line_width / side for side in (pen.width, pen.height))
    for x, y, across, down in puffs:
        pen.oval(x - across + x_inset, y - down + y_inset, x + across - x_inset, y + down - y_inset, line=False)
    pen.box(16, 60, 86, 100 - y_inset, line=False)


def sun(pen: Pen) -> None:
    """A disc with pointed rays of its own colour."""
    tips, notches = circle_of(12, 50, 50, 50), circle_of(24, 50, 50, 34)[1::2]
    pen.polygon(*(point for pair in zip(tips, notches, strict=True) for point in pair))
    pen.oval(20, 20, 80, 80)


def moon(pen: Pen) -> None:
    """A crescent, its horns to the upper right."""
    pen.polygon(*curve(50, 50, 50, 50, -20, 290, 40), *curve(66, 34, 30, 30, 254, 16, 14))
    pen.stroke(*curve(66, 34, 30.5, 30.5, 240, 30, 40), width=1.2)


def mountain(pen: Pen) -> None:
    """A peak with snow on it, and its ridges."""
    pen.polygon((0, 100), (50, 0), (100, 100))
    pen.polygon((50, 4), (70, 44), (61, 38), (52, 50), (42, 38), (31, 43), fill=PALE_RGB, line=False)
    pen.stroke((70, 44), (61, 38), (52, 50), (42, 38), (31, 43), width=0.8)
    pen.stroke((52, 50), (46, 64), (53, 76), (48, 90), width=0.8)
    pen.stroke((72, 64), (66, 76), (72, 88), width=0.8)


def island(pen: Pen) -> None:
    """A hump of sand with a palm on it, and waves at its foot."""
    pen.stroke((47, 76), (49, 54), (53, 32), width=2.2)
    for side in (-1, 1):
        pen.polygon(*((53 + x * side, y) for x, y in ((0, 34), (10, 8), (28, 6), (46, 26), (26, 22), (14, 26))))
        pen.polygon(*((53 + x * side, y) for x, y in ((0, 30), (14, 24), (28, 34), (32, 54), (20, 42))))
    pen.polygon((53, 34), (40, 14), (52, 0), (66, 14))
    pen.polygon((0, 100), *curve(50, 98, 50, 34, 180, 360, 24), (100, 100))
    wave = [(16 + 4 * i, 90 - 4 * math.sin(math.pi * i / 2)) for i in range(18)]
    pen.stroke(*wave, width=0.8)


def seed(pen: Pen) -> None:
    """A sunflower seed: its point above, and pale stripes along it."""
    right = [(50, 0), (60, 8), (76, 28), (92, 54), (100, 76), (90, 92), (70, 100)]
    pen.polygon(*right, *((100 - x, y) for x, y in reversed(right[1:])))
    for side in (-1, 1):
        for x, top, bottom in ((14, 14, 93), (38, 44, 88)):
            middle = (top + bottom) / 2
            outer, inner = ((0.78 * x, middle - 4), (x, bottom - 14)), ((0.62 * x, bottom - 12), (0.5 * x, middle - 4))
            places = ((0.25 * x, top), *outer, (0.8 * x, bottom), *inner)
            pen.polygon(*((50 + side * u, v) for u, v in places), fill=PALE_RGB, line=False)


def mushroom(pen: Pen) -> None:
    """A cap with pale spots on a pale stalk."""
    pen.polygon((38, 50), (62, 50), (66, 92), (58, 100), (42, 100), (34, 92), fill=PALE_RGB)
    pen.polygon((0, 54), *curve(50, 52, 50, 50, 180, 360, 24), (100, 54), (86, 62), (14, 62))
    for x, y, size in ((50, 20, 9), (26, 40, 8), (74, 40, 8), (50, 48, 6)):
        oval_in(pen, frame(pen, x, y, 2 * size), 0, 0, 50, 50, PALE_RGB)


def butterfly(pen: Pen) -> None:
    """Four wings with pale spots on one dark body with feelers."""
    for side in (-1, 1):
        upper = ((0, 44), (14, 18), (34, 4), (48, 6), (50, 24), (44, 44), (26, 54))
        lower = ((0, 52), (26, 52), (40, 64), (38, 84), (26, 96), (12, 88))
        for wing in (upper, lower):
            pen.polygon(*((50 + side * x, y) for x, y in wing))
        oval_in(pen, frame(pen, 50 + side * 33, 24, 18), 0, 0, 50, 50, PALE_RGB)
        oval_in(pen, frame(pen, 50 + side * 24, 74, 14), 0, 0, 50, 50, PALE_RGB)
        pen.stroke((50, 28), (50 + side * 8, 12), (50 + side * 12, 4))
    pen.oval(45, 24, 55, 90, fill=OUTLINE_RGB, line=False)


def sheep(pen: Pen) -> None:
    """A woolly body with a dark face and legs."""
    for x in (24, 38, 56, 68):
        pen.box(x, 66, x + 7, 100, fill=OUTLINE_RGB, line=False)
    wool = ((20, 42, 16, 18), (20, 60, 16, 18), (38, 32, 18, 18), (58, 32, 18, 18), (72, 48, 14, 18))
    _tufts(pen, (*wool, (40, 66, 18, 16), (60, 66, 18, 16)))
    pen.oval(20, 32, 74, 70, line=False)
    pen.polygon((70, 20), (86, 18), (96, 30), (100, 46), (92, 54), (78, 46), fill=OUTLINE_RGB, line=False)
    pen.polygon((72, 22), (64, 32), (74, 34), fill=OUTLINE_RGB, line=False)
    pen.oval(83, 27, 88, 33, fill=PALE_RGB, line=False)


def asteroid(pen: Pen) -> None:
    """A lump of rock, dark craters all over it."""
    edge = ((24, 2), (46, 8), (66, 0), (92, 18), (90, 40), (100, 62), (84, 88), (60, 92), (44, 100), (14, 86))
    pen.polygon(*edge, (10, 62), (0, 44), (8, 18))
    for x, y, across, down in ((34, 30, 13, 10), (70, 38, 9, 8), (58, 70, 13, 11), (24, 62, 8, 8), (80, 68, 5, 5)):
        pen.oval(x - across, y - down, x + across, y + down, fill=OUTLINE_RGB, line=False)
        pen.stroke(*curve(x, y, across, down, 20, 130, 9), fill=PALE_RGB, width=0.9)


def tail(pen: Pen) -> None:
    """A comet: its dark head, and the streaks that spread straight from it; drawn pointing right."""
    pen.polygon((14, 30), (100, 2), (80, 24), (98, 36), (84, 50), (98, 64), (80, 76), (100, 98), (14, 70))
    for y, end in ((40, 30), (50, 50), (60, 70)):
        pen.stroke((38, y), (72, end), fill=PALE_RGB)
    pen.oval(0, 26, 44, 74, fill=ANCHOR_RGB, line=False)
    at = frame(pen, 22, 50, 34)
    turns = [(math.pi * i / 4, 44 - 28 * (i % 2)) for i in range(8)]
    pen.polygon(*(at(r * math.cos(t), r * math.sin(t)) for t, r in turns), fill=PALE_RGB, line=False)


def plume(pen: Pen) -> None:
    """A dark lump of rock, and the waves of dust that stream off it; drawn pointing right."""
    upper = [(20 + 4 * i, 40 - i + 7 * math.sin(i * 0.75)) for i in range(21)]
    lower = [(x, y + 20 + 2 * i) for i, (x, y) in enumerate(upper)]
    pen.polygon(*upper, *reversed(lower), line=False)
    pen.stroke(*upper, *reversed(lower))
    for share in (0.33, 0.67):
        line = [(x, y + share * (20 + 2 * i)) for i, (x, y) in enumerate(upper)]
        for start in (5, 11, 16):
            pen.stroke(*line[start : start + 4], width=0.8)
    pen.polygon((0, 54), (4, 34), (18, 26), (32, 32), (38, 50), (30, 70), (12, 74), fill=ANCHOR_RGB, line=False)
    for x, y, size in ((11, 58, 6), (16, 40, 11), (28, 54, 6)):
        oval_in(pen, frame(pen, x, y, size), 0, 0, 50, 50, PALE_RGB)


def bamboo(pen: Pen) -> None:
    """A stem of joints, with pointed dark leaves."""
    count = max(3, round(pen.height / pen.width * 1.2))
    joint = 100 / count  # the height of one
    for i in range(count):
        top, bottom = i * joint, (i + 1) * joint
        left = [(26, top), (34, top + 0.2 * joint), (34, bottom - 0.2 * joint), (26, bottom)]
        pen.polygon(*left, *((100 - x, y) for x, y in reversed(left)))
    for i in range(1, count):
        side, y = (1 if i % 2 else -1), i * joint
        leaf = ((20, 0), (30, -0.5), (50, -0.8), (46, -0.3))
        pen.polygon(*((50 + x * side, y + rise * joint) for x, rise in leaf), fill=OUTLINE_RGB, line=False)


def hedge(pen: Pen) -> None:
    """A clipped row of bushes: bumps along the top, leaves all over."""
    shorter = min(pen.width, pen.height)
    columns, rows = max(3, round(3 * pen.width / shorter)), max(3, round(3 * pen.height / shorter))
    half_width = 50 / columns  # of a bump
    half_height = half_width * pen.width / pen.height
    _tufts(pen, tuple((half_width * (2 * i + 1), half_height, half_width, half_height) for i in range(columns)))
    pen.box(0, half_height, 100, 100)
    inset = 100 * pen.line_width / pen.width
    pen.box(inset, half_height / 2, 100 - inset, 1.5 * half_height, line=False)
    x_size, y_size = 7 * shorter / pen.width, 7 * shorter / pen.height
    for row in range(rows):
        for column in range(columns):
            x = 100 * (column + (0.3 if row % 2 else 0.7)) / columns
            y = half_height * 0.4 + (100 - half_height * 0.4) * (row + 0.5) / rows
            for side in (-1, 1):
                blade = ((0, 1), (0.2, 0), (1, -1), (1, 0.2))
                pen.polygon(*((x + u * side * x_size, y + v * y_size) for u, v in blade), fill=OUTLINE_RGB, line=False)


def berry(pen: Pen) -> None:
    """A strawberry: a heart with pale seeds under dark leaves."""
    side = [(50, 20), (74, 12), (94, 20), (100, 38), (92, 60), (74, 84), (56, 100)]
    pen.polygon(*side, *((100 - x, y) for x, y in reversed(side[1:])))
    for x, y in ((24, 42), (42, 50), (60, 44), (78, 42), (32, 64), (50, 70), (68, 64), (50, 88)):
        oval_in(pen, frame(pen, x, y, 8), 0, 0, 34, 50, PALE_RGB)
    leaves = ((50, 16), (20, 6), (30, 20), (16, 30), (38, 26), (50, 38), (62, 26), (84, 30), (70, 20), (80, 6))
    pen.polygon(*leaves, fill=OUTLINE_RGB, line=False)
    pen.stroke((50, 18), (54, 0), width=1.6)


def bacterium(pen: Pen) -> None:
    """A rod with hairs all around and a whip behind."""
    for x in (30, 44, 58, 72, 84):
        pen.stroke((x - 2, 30), (x, 6))
        pen.stroke((x, 70), (x - 2, 94))
    pen.stroke((24, 50), (16, 40), (10, 58), (5, 46), (0, 54), width=1.2)
    pen.round_box(14, 18, 98, 82, 32)
    pen.stroke((32, 52), (40, 42), (48, 58), (56, 42), (64, 58), (72, 46), width=0.9)
    for x, y in ((30, 36), (78, 62), (76, 36), (36, 66)):
        oval_in(pen, frame(pen, x, y, 5), 0, 0, 50, 50, OUTLINE_RGB)


def shadow(pen: Pen) -> None:
    """A grey patch as things cast it, its edge fading."""
    pen.oval(0, 18, 100, 82, fill=UNLIT_RGB, line=False)
    pen.oval(6, 24, 94, 76, fill=SHADE_RGB, line=False)


# The nouns that are drawn facing right, and turned afterwards.
TURNED: frozenset[str] = frozenset({"fish", "bird", "tail", "plume"})
