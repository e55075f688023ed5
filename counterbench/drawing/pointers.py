"""Drawings of things that point somewhere: flags, dials, signs, smoke, light, vehicles; one function for each noun.

Each public function draws the noun of its name with a `Pen`; `things` finds it by that name. Every drawing has one dark
part, the anchor (a hub, a nozzle, the end of a stalk, a rear bumper), and a part in the thing's own colour, whose
middle lies clearly on the side of the anchor to which the thing points (`pen.figure.facing`): so the direction can be
read from the pixels. `TURNED`, at the end, names the nouns that are drawn pointing right and turned afterwards; the
others draw each direction themselves, most by `_toward`.

Places are in hundredths of the thing's box: (0, 0) is its top left corner, (100, 100) its bottom right one. The pen's
`polygon`, `oval` and `box` fill a part with the thing's own colour and outline it in dark, unless `fill` gives another
colour or `line` is False; `stroke` draws a line. `at = frame(pen, x, y, size)` makes a function: `at(u, v)`, with u and
v from -50 to 50, is a place in a square around (x, y) that stays as wide as high in every box.
"""

from collections.abc import Sequence

from counterbench.drawing.pen import Pen, PenPoint, circle_of, curve, frame, oval_in
from counterbench.palette import ANCHOR_RGB, GLASS_RGB, OUTLINE_RGB, PALE_RGB

# One step in each direction, to the right and down.
_DIRECTIONS: dict[str, tuple[int, int]] = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}


def flag(pen: Pen) -> None:
    """A pole and a cloth with a notch, which streams to the side or upwards, or hangs down."""
    match pen.figure.facing:
        case "up":
            _upright(pen, 50, 66, 72)
            pen.polygon((34, 64), (30, 44), (34, 24), (30, 0), (50, 12), (70, 0), (66, 24), (70, 44), (66, 64))
        case "down":
            _upright(pen, 28, 4, 18)
            pen.polygon((28, 20), (62, 24), (58, 50), (64, 74), (60, 96), (46, 82), (28, 94))
        case _:
            pole, cloth = 18.0, ((18, 4), (44, 10), (70, 2), (99, 8), (86, 32), (99, 56), (70, 50), (44, 58), (18, 52))
            _upright(pen, _mirrored(pen, pole), 4, 54)
            pen.polygon(*((_mirrored(pen, x), y) for x, y in cloth))


def _upright(pen: Pen, x: float, top: float, seam: float) -> None:
    """Draw a pole at `x` from `top` to the ground; its part from `top` to `seam`, where the cloth is, is the anchor."""
    pen.box(x - 4, seam, x + 4, 100, fill=OUTLINE_RGB, line=False)
    pen.box(x - 4, top, x + 4, seam, fill=ANCHOR_RGB, line=False)


def _mirrored(pen: Pen, x: float) -> float:
    """The place `x` as it is given for a thing that faces right; mirrored if the thing faces left."""
    return 100 - x if pen.figure.facing == "left" else x


def needle(pen: Pen) -> None:
    """A round dial with its scale, and a slim pointer from its hub."""
    pen.oval(0, 0, 100, 100, fill=PALE_RGB)
    for (x, y), (u, v) in zip(circle_of(12, 50, 50, 46), circle_of(12, 50, 50, 38), strict=True):
        pen.stroke((x, y), (u, v), width=0.8)
    pen.polygon(*_toward(pen, ((0, -13), (22, -10), (40, 0), (22, 10), (0, 13))))
    pen.oval(42, 42, 58, 58, fill=ANCHOR_RGB, line=False)


def compass(pen: Pen) -> None:
    """A square case with a round window, and an arrow with a coloured head and a dark tail."""
    pen.round_box(0, 0, 100, 100, 12, fill=OUTLINE_RGB)
    pen.oval(6, 6, 94, 94, fill=PALE_RGB, line=False)
    for mark in (((50, 8), (50, 15)), ((50, 85), (50, 92)), ((8, 50), (15, 50)), ((85, 50), (92, 50))):
        pen.stroke(*mark)
    pen.polygon(*_toward(pen, ((0, -5), (-36, -5), (-36, 5), (0, 5))), fill=ANCHOR_RGB, line=False)
    pen.polygon(*_toward(pen, ((0, -8), (10, -8), (10, -20), (40, 0), (10, 20), (10, 8), (0, 8))))


def sundial(pen: Pen) -> None:
    """A plate with rays like the sun's and Roman hours, a dark triangle that stands on it, and the shade of that."""
    points = zip(circle_of(16, 50, 50, 50), circle_of(32, 50, 50, 41)[1::2], strict=True)
    pen.polygon(*(place for pair in points for place in pair), fill=GLASS_RGB, line=False)
    pen.oval(9, 9, 91, 91, fill=PALE_RGB)
    for hour, (x, y) in zip(_HOURS, circle_of(4, 50, 50, 29), strict=True):
        for (u, v), (to_u, to_v) in hour:
            pen.stroke((x + u, y + v), (x + to_u, y + to_v), width=0.6)
    for (x, y), (u, v) in zip(circle_of(24, 50, 50, 40), circle_of(24, 50, 50, 36), strict=True):
        pen.stroke((x, y), (u, v), width=0.5)
    pen.polygon(*_toward(pen, ((0, -13), (39, -4), (39, 4), (0, 13))))
    pen.polygon((38, 58), (50, 32), (62, 58), fill=ANCHOR_RGB, line=False)


# The strokes of a Roman X, each as two ends, around the middle of the X.
_X: tuple[tuple[PenPoint, PenPoint], ...] = (((-3, -6), (3, 6)), ((3, -6), (-3, 6)))


def _bars(*places: float) -> list[tuple[PenPoint, PenPoint]]:
    """Upright strokes at these places, for Roman numbers."""
    return [((x, -6), (x, 6)) for x in places]


def _moved(strokes: Sequence[tuple[PenPoint, PenPoint]], x: float) -> list[tuple[PenPoint, PenPoint]]:
    """The strokes, moved to the right by `x`."""
    return [((a + x, b), (c + x, d)) for (a, b), (c, d) in strokes]


# The strokes of the Roman hours XII, III, VI and IX, clockwise from the top of a dial, each around its own middle.
_HOURS = (
    [*_moved(_X, -4), *_bars(3, 7)],
    _bars(-4, 0, 4),
    [((-7, -6), (-3, 6)), ((1, -6), (-3, 6)), *_bars(5)],
    [*_bars(-5), *_moved(_X, 2)],
)


def sprout(pen: Pen) -> None:
    """A pot, and a stalk with two leaves that grows upwards or to the side, or droops."""
    x, y = _stalk(pen)
    dx, dy = _DIRECTIONS[pen.figure.facing]
    leaf = ((-4, 0), (4, -18), (18, -26), (30, -22), (26, -8), (12, 0))
    for side in (1, -1):
        pen.polygon(*((x + a * dx - b * side * dy, y + a * dy + b * side * dx) for a, b in leaf))


def sunflower(pen: Pen) -> None:
    """A pot, and a stalk with a round head of petals at its end."""
    x, y = _stalk(pen)
    dx, dy = _DIRECTIONS[pen.figure.facing]
    x, y = x + 10 * dx, y + 10 * dy
    for px, py in circle_of(10, x, y, 16):
        pen.oval(px - 7, py - 7, px + 7, py + 7)
    pen.oval(x - 16, y - 16, x + 16, y + 16, line=False)
    pen.oval(x - 9, y - 9, x + 9, y + 9, fill=PALE_RGB)


def _stalk(pen: Pen) -> PenPoint:
    """Draw a pot on the ground and a stalk from it, whose last piece is the anchor; returns the end of the stalk."""
    pot, bends, end = {
        "up": (50, ((50, 78), (50, 66)), (50, 40)),
        "right": (24, ((24, 78), (24, 50), (28, 46), (36, 44)), (62, 44)),
        "left": (76, ((76, 78), (76, 50), (72, 46), (64, 44)), (38, 44)),
        "down": (24, ((24, 78), (24, 22), (32, 12), (46, 8), (62, 12), (70, 22)), (70, 48)),
    }[pen.figure.facing]
    pen.stroke(*bends, fill=OUTLINE_RGB, width=1.6)
    pen.stroke(bends[-1], end, fill=ANCHOR_RGB, width=1.8)
    pen.box(pot - 18, 74, pot + 18, 82, fill=OUTLINE_RGB, line=False)
    pen.polygon((pot - 15, 82), (pot + 15, 82), (pot + 10, 100), (pot - 10, 100), fill=OUTLINE_RGB, line=False)
    return end


def sign(pen: Pen) -> None:
    """A board that ends in a point, bolted to a post."""
    pen.stroke((50, 50), (50, 100), fill=OUTLINE_RGB, width=2)
    pen.polygon(*_toward(pen, ((-34, -20), (24, -20), (49, 0), (24, 20), (-34, 20))))
    ((x, y),) = _toward(pen, ((-22, 0),))
    pen.oval(x - 6, y - 6, x + 6, y + 6, fill=ANCHOR_RGB, line=False)


def smoke(pen: Pen) -> None:
    """A chimney and puffs that grow with the distance from it."""
    facing = pen.figure.facing
    if facing == "up":
        chimney, puffs = (50, 72), ((52, 58, 11), (44, 42, 15), (58, 20, 20))
    elif facing == "down":
        chimney, puffs = (38, 8), ((61, 18, 9), (65, 44, 14), (68, 78, 20))
    else:
        chimney, puffs = (14, 36), ((32, 32, 12), (52, 30, 17), (78, 28, 22))
    x, y = _mirrored(pen, chimney[0]), chimney[1]
    pen.box(x - 10, y + 12, x + 10, 100, fill=OUTLINE_RGB, line=False)
    pen.box(x - 13, y, x + 13, y + 12, fill=ANCHOR_RGB, line=False)
    for line in (True, False):  # all puffs with outlines, then their insides without: so they look like one cloud
        for across, down, size in puffs:
            x, radius = _mirrored(pen, across), size - (0 if line else 3.5)
            pen.oval(x - radius, down - radius, x + radius, down + radius, line=line)


def beam(pen: Pen) -> None:
    """A torch and the light that widens from it; drawn shining right."""
    pen.box(0, 42, 24, 58, fill=ANCHOR_RGB, line=False)
    pen.polygon((22, 42), (36, 32), (36, 68), (22, 58), fill=ANCHOR_RGB, line=False)
    pen.polygon((40, 34), (100, 2), (100, 98), (40, 66), line=False)


def fountain(pen: Pen) -> None:
    """A nozzle, three jets that part, and drops at their ends; drawn spraying right."""
    nozzle = ((0, 30), (10, 30), (10, 42), (24, 44), (24, 56), (10, 58), (10, 70), (0, 70))
    pen.polygon(*nozzle, fill=ANCHOR_RGB, line=False)
    for end in (12, 50, 88):
        bend = 50 + (end - 50) * 0.35
        pen.polygon((24, 45), (52, bend - 7), (78, end - 6), (78, end + 6), (52, bend + 7), (24, 55), line=False)
        pen.oval(86, end - 7, 100, end + 7, line=False)


def fan(pen: Pen) -> None:
    """A fan seen from the side: a dark motor, blades in a wire cage, and the wind; drawn blowing right."""
    if pen.figure.facing in ("left", "right"):
        pen.stroke((20, 50), (20, 92), fill=OUTLINE_RGB, width=2)
        pen.box(4, 92, 44, 100, fill=OUTLINE_RGB, line=False)
    pen.round_box(0, 40, 34, 60, 5, fill=ANCHOR_RGB)
    pen.oval(28, 2, 76, 98, fill=PALE_RGB)
    for start in (-90, 30, 150):
        pen.polygon((52, 50), *curve(52, 50, 21, 43, start - 28, start + 28))
    pen.oval(46, 42, 58, 58, fill=OUTLINE_RGB, line=False)
    for y in (26, 50, 74):
        pen.stroke((80, y), (86, y - 5), (92, y + 5), (99, y), fill=GLASS_RGB, width=1.4)


def ray(pen: Pen) -> None:
    """A thin arrow of light from a dark lamp that shines all around; drawn travelling right."""
    at = frame(pen, 28 * min(pen.width, pen.height) / pen.width, 50, 100)
    for u, v in circle_of(8, 0, 0, 1):
        pen.stroke(at(17 * u, 17 * v), at(25 * u, 25 * v), fill=ANCHOR_RGB, width=1.4)
    oval_in(pen, at, 0, 0, 13, 13, ANCHOR_RGB)
    start, _ = at(12, 0)
    pen.polygon((start, 43), (70, 43), (70, 20), (100, 50), (70, 80), (70, 57), (start, 57))


def gleam(pen: Pen) -> None:
    """A large sparkle and two small ones at the end of a streak that widens; drawn travelling right."""
    pen.oval(0, 42, 16, 58, fill=ANCHOR_RGB, line=False)
    shorter = min(pen.width, pen.height)
    length = min(100 * pen.width / shorter, 160)  # in hundredths of the shorter side
    at = frame(pen, 100 - 50 * length / 160 * shorter / pen.width, 50, length / 1.6)
    pen.polygon((12, 48), at(0, -14), at(0, 14), (12, 52), line=False)
    for u, v, size, fill in ((0, 0, 50, pen.main), (-38, -36, 14, OUTLINE_RGB), (-38, 36, 14, OUTLINE_RGB)):
        waist = circle_of(8, u, v, 0.3 * size)[1::2]
        star = [at(*place) for pair in zip(circle_of(4, u, v, size), waist, strict=True) for place in pair]
        pen.polygon(*star, fill=fill, line=False)


def car(pen: Pen) -> None:
    """A low bonnet in front, a cabin, a dark bumper behind; facing up or down it is seen from above."""
    if pen.figure.facing in ("up", "down"):
        _from_above(pen, wheels=(16, 68), windscreen=(52, 66), rear=(18, 26))
        return
    pen.polygon((8, 46), (18, 42), (28, 10), (62, 10), (74, 40), (94, 44), (100, 56), (100, 82), (8, 82))
    pen.polygon((32, 17), (41, 17), (41, 40), (25, 40), fill=PALE_RGB)
    pen.polygon((47, 17), (59, 17), (68, 40), (47, 40), fill=PALE_RGB)
    pen.oval(90, 52, 99, 62, fill=PALE_RGB, line=False)
    pen.box(2, 46, 11, 68, fill=ANCHOR_RGB, line=False)
    _wheels(pen, (18, 68), 20)


def bus(pen: Pen) -> None:
    """A long body with a row of windows and a windscreen in front, a dark bumper behind; or from above."""
    if pen.figure.facing in ("up", "down"):
        _from_above(pen, wheels=(14, 74), windscreen=(84, 92), rear=(15, 19))
        for x in (24, 50):
            pen.box(x, 30, x + 16, 70)
        return
    pen.polygon((8, 8), (94, 8), (100, 44), (100, 84), (8, 84))
    for x in (15, 31, 47, 63):
        pen.box(x, 18, x + 12, 42, fill=PALE_RGB, line=False)
    pen.polygon((80, 18), (88, 18), (92, 46), (80, 46), fill=PALE_RGB, line=False)
    pen.stroke((8, 58), (94, 58), width=0.7)
    pen.box(2, 36, 11, 66, fill=ANCHOR_RGB, line=False)
    _wheels(pen, (16, 70), 15)


def _wheels(pen: Pen, lefts: Sequence[float], width: float) -> None:
    """Draw wheels of that width, whose left edges are at these places."""
    for x in lefts:
        pen.oval(x, 66, x + width, 100, fill=OUTLINE_RGB, line=False)
        pen.oval(x + width * 0.3, 77, x + width * 0.7, 89, fill=PALE_RGB, line=False)


def _from_above(pen: Pen, wheels: Sequence[float], windscreen: tuple[float, float], rear: tuple[float, float]) -> None:
    """Draw a vehicle from above, its front on the right: wheels, body, two windows, and a dark bumper behind.

    `wheels`: the left edges of the rear and the front wheels. `windscreen`, `rear`: where each window begins and ends,
    from left to right.
    """
    for x in wheels:
        for top in (2, 84):
            pen.box(x, top, x + 16, top + 14, fill=OUTLINE_RGB, line=False)
    pen.box(2, 30, 11, 70, fill=ANCHOR_RGB, line=False)
    pen.polygon((8, 14), (12, 8), (90, 8), (98, 18), (100, 50), (98, 82), (90, 92), (12, 92), (8, 86))
    (near, far), (back, front) = windscreen, rear
    pen.polygon((near, 22), (far, 14), (far, 86), (near, 78), fill=PALE_RGB, line=False)
    pen.polygon((back, 16), (front, 24), (front, 76), (back, 84), fill=PALE_RGB, line=False)
    for top in (14, 74):
        pen.oval(93, top, 99, top + 12, fill=PALE_RGB, line=False)


def boat(pen: Pen) -> None:
    """A hull with a long pointed bow, a cabin and a dark motor behind; facing up or down it is seen from above."""
    if pen.figure.facing in ("up", "down"):
        pen.box(0, 40, 14, 60, fill=ANCHOR_RGB, line=False)
        pen.polygon((12, 14), (44, 8), (70, 22), (100, 50), (70, 78), (44, 92), (12, 86))
        pen.polygon((20, 26), (42, 22), (54, 34), (60, 50), (54, 66), (42, 78), (20, 74), fill=PALE_RGB)
        for x in (26, 42):
            pen.box(x, 28, x + 6, 72, fill=OUTLINE_RGB, line=False)
        return
    pen.box(0, 42, 10, 80, fill=ANCHOR_RGB, line=False)
    pen.polygon((18, 60), (18, 20), (44, 20), (58, 60), fill=PALE_RGB)
    pen.box(14, 14, 48, 22, fill=OUTLINE_RGB, line=False)
    pen.polygon((38, 30), (44, 30), (54, 54), (38, 54), fill=OUTLINE_RGB, line=False)
    pen.box(23, 32, 33, 44, fill=OUTLINE_RGB, line=False)
    pen.polygon((10, 64), (60, 64), (64, 52), (100, 44), (88, 80), (74, 98), (20, 98))
    pen.stroke((14, 78), (84, 78), fill=PALE_RGB, width=1.4)


def _toward(pen: Pen, corners: tuple[PenPoint, ...]) -> list[PenPoint]:
    """The corners of a corners, turned to the side that the figure faces.

    `corners`: its corners as they are for a figure that faces right, in hundredths from the middle of the box.
    """
    dx, dy = _DIRECTIONS[pen.figure.facing]
    return [(50 + along * dx - across * dy, 50 + along * dy + across * dx) for along, across in corners]


# The nouns that are drawn facing right, and turned afterwards.
TURNED: frozenset[str] = frozenset({"beam", "fountain", "fan", "ray", "gleam", "car", "bus", "boat"})
