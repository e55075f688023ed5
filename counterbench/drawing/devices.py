"""Drawings of made things: lamps, vessels, buildings, clothes; one function for each noun.

Each public function but `case`, which draws a vessel's walls, draws the noun of its name with a `Pen`; `things` finds
it by that name. Places are in hundredths of the thing's box: (0, 0) is its top left corner, (100, 100) its bottom right
one. The pen's `polygon`, `oval` and `box` fill a part with the thing's own colour and outline it in dark, unless `fill`
gives another colour or `line` is False; `stroke` draws a line.

A thing that can be lit has its light in an ink of its own (`_light`). A vessel must show its colour when it is empty,
too: a tank or a cup has coloured walls, a basket a coloured handle and foot. Liquid in a tank or a cup is pale as
water, so that "green cup" does not mean it; the paint in a jar or a bottle has the colour of the thing.
"""

from collections.abc import Sequence

from counterbench.drawing.pen import Pen, PenPoint, curve
from counterbench.palette import GLASS_RGB, GLOW_RGB, LIQUID_RGB, OUTLINE_RGB, PALE_RGB, RGB, SHADE_RGB, UNLIT_RGB


def _light(pen: Pen) -> RGB:
    """The colour of the light of a thing: bright if it is lit, else dark."""
    return GLOW_RGB if pen.figure.lit else UNLIT_RGB


def lamp(pen: Pen) -> None:
    """A coloured shade on a stand; the bulb looks out below it and, lit, throws a cone of light."""
    if pen.figure.lit:
        pen.polygon((24, 50), (76, 50), (98, 92), (2, 92), fill=GLOW_RGB, line=False)
    pen.oval(34, 38, 66, 64, fill=_light(pen))
    pen.stroke((50, 62), (50, 92), fill=OUTLINE_RGB, width=2)
    pen.polygon((28, 92), (72, 92), (76, 100), (24, 100), fill=OUTLINE_RGB, line=False)
    pen.polygon((32, 0), (68, 0), (98, 50), (2, 50))


def candle(pen: Pen) -> None:
    """A stick of wax on a saucer, with a wick and drips; lit, it has a flame."""
    if pen.figure.lit:
        pen.polygon((50, 0), (66, 20), (62, 34), (50, 42), (38, 34), (34, 20), fill=GLOW_RGB)
    pen.polygon((8, 90), (92, 90), (78, 100), (22, 100), fill=OUTLINE_RGB, line=False)
    pen.box(28, 38, 72, 92)
    pen.stroke((50, 40), (50, 26), width=1.2)
    pen.stroke((40, 40), (40, 58))
    pen.stroke((58, 40), (58, 50))


def lantern(pen: Pen) -> None:
    """A glazed case between a coloured roof and a coloured foot, hung by a ring; lit, it has a halo."""
    if pen.figure.lit:
        pen.oval(2, 18, 98, 98, fill=GLOW_RGB, line=False)
    pen.stroke(*curve(50, 12, 14, 10, 180, 360), width=1.6)
    pen.box(24, 34, 76, 80, fill=_light(pen))
    for x in (41, 59):
        pen.stroke((x, 34), (x, 80))
    pen.polygon((14, 36), (38, 12), (62, 12), (86, 36))
    pen.polygon((18, 80), (82, 80), (90, 100), (10, 100))


def case(pen: Pen, filling: RGB | None = None, walls: RGB = GLASS_RGB) -> tuple[float, float, float, float]:
    """Draw a vessel's walls and floor, open at the top, and fill it as many quarters high as the figure says.

    `filling`: the colour of the content; None for the figure's. Returns the space inside the walls: left, top, right,
    bottom, in hundredths of the box.
    """
    left, top, right, bottom = pen.walls
    across, down = pen.wall
    inner = left + across, top, right - across, bottom - down  # the space inside
    if pen.figure.quarters:
        level = bottom - down - (bottom - down - top) * pen.figure.quarters / 4
        pen.box(inner[0], level, inner[2], inner[3], fill=filling, line=False)
    pen.box(left, top, inner[0], bottom, fill=walls, line=False)
    pen.box(inner[2], top, right, bottom, fill=walls, line=False)
    pen.box(left, inner[3], right, bottom, fill=walls, line=False)
    return inner


def tank(pen: Pen) -> None:
    """Coloured walls on two coloured feet."""
    _, _, _, bottom = pen.walls
    case(pen, LIQUID_RGB, pen.main)
    for left in (2, 72):
        pen.polygon((left, bottom), (left + 26, bottom), (left + 20, 100), (left + 6, 100), line=False)


def cup(pen: Pen) -> None:
    """A mug with coloured walls, and a coloured handle on the right."""
    _, _, right, _ = pen.walls
    _rod(pen, curve(right, 48, 94 - right, 28, -90, 90), 2.4)
    case(pen, LIQUID_RGB, pen.main)


def jar(pen: Pen) -> None:
    """A wide glass pot with a rim and shoulders, three quarters full of paint."""
    _glass_of_paint(pen, 10, 12, 26)


def bottle(pen: Pen) -> None:
    """A glass with a long thin neck, three quarters full of paint."""
    _glass_of_paint(pen, 36, 24, 46)


def _glass_of_paint(pen: Pen, aside: float, neck: float, shoulder: float) -> None:
    """Draw a glass with paint: first the glass, then the space in it, then the paint.

    The neck is `aside` from both sides and ends at `neck`; the shoulders end at `shoulder`, both measured from the top.
    """
    for wall, fill, top in ((0, GLASS_RGB, 0), (7, PALE_RGB, 0), (7, pen.main, shoulder + 4)):
        x, edge = 100 - aside - wall, 100 - wall
        right = [(x, top), (x, max(neck, top)), (edge, max(shoulder, top)), (edge, edge)]
        pen.polygon(*right, *((100 - x, y) for x, y in reversed(right)), fill=fill, line=False)
    pen.box(aside - 4, 0, 104 - aside, 7, fill=GLASS_RGB, line=False)


def thermometer(pen: Pen) -> None:
    """A glass tube with a bulb below and a coloured cap above, with its column, and marks beside it at each quarter."""
    across, down = pen.wall
    _, top, _, bottom = pen.walls
    tube_wall = min(across, 6.0)
    inner = bottom - down - top  # the height of the column when it is full
    bulb, half = inner / 4, min(50 - across, inner / 8 * pen.height / pen.width)  # its height, and half its width
    tube = half * 0.55  # half the width
    pen.oval(50 - half - across, bottom - bulb - 2 * down, 50 + half + across, bottom, fill=GLASS_RGB, line=False)
    pen.box(50 - tube - tube_wall, top, 50 + tube + tube_wall, bottom - bulb, fill=GLASS_RGB, line=False)
    level = bottom - down - inner * pen.figure.quarters / 4
    filled = None if pen.figure.quarters else PALE_RGB
    pen.oval(50 - half, bottom - bulb - down, 50 + half, bottom - down, fill=filled, line=False)
    pen.box(50 - tube, top, 50 + tube, bottom - bulb * 0.9 - down, fill=PALE_RGB, line=False)
    if pen.figure.quarters:
        pen.box(50 - tube, min(level, bottom - bulb - down), 50 + tube, bottom - bulb * 0.9 - down, line=False)
    for part in range(1, 5):
        y = bottom - down - inner * part / 4 + (1 if part == 4 else 0)
        pen.stroke((54 + tube + tube_wall, y), (96, y), width=1.2)
    pen.box(16, 0, 84, top, line=False)


def battery(pen: Pen) -> None:
    """A clear case with a coloured lid and two poles, marked with a plus and a minus."""
    _, top, _, _ = pen.walls
    inner = case(pen)
    for x in (22, 78):
        pen.box(x - 10, 0, x + 10, 12, fill=OUTLINE_RGB, line=False)
    pen.box(0, 10, 100, top, line=False)
    y, arm = (top + inner[3]) / 2, min(14, 8 * pen.height / pen.width)  # of the plus and the minus
    pen.stroke((22 - arm, y), (22 + arm, y), width=1.4)
    pen.stroke((22, y - 8), (22, y + 8), width=1.4)
    pen.stroke((78 - arm, y), (78 + arm, y), width=1.4)


def basket(pen: Pen) -> None:
    """Sides of crossed wires, a coloured handle over them and a coloured foot."""
    left, top, right, bottom = pen.walls
    for i in range(-6, 12):  # wires in a field that is 11 wide and 6 high, at whose sides they end
        near, far = max(0, i), min(11, i + 6)
        for line in (((near, near - i), (far, far - i)), ((far, i + 6 - far), (near, i + 6 - near))):
            places = [(left + (right - left) * x / 11, top + (bottom - top) * y / 6) for x, y in line]
            pen.stroke(*places, fill=GLASS_RGB, width=0.7)
    case(pen)
    _rod(pen, curve(50, top + 2, 44, top - 8, 180, 360), 2)
    pen.polygon((0, bottom), (100, bottom), (94, 100), (6, 100), line=False)


def _rod(pen: Pen, places: Sequence[PenPoint], width: float) -> None:
    """Draw a bent coloured rod with dark edges."""
    pen.stroke(*places, fill=OUTLINE_RGB, width=width + 2)
    pen.stroke(*places, fill=pen.main, width=width)


def reflector(pen: Pen) -> None:
    """A mirror that slants from the lower left to the upper right: a glass with gleams in a frame, on a stand."""
    pen.stroke((56, 56), (80, 96), width=2)
    pen.polygon((62, 100), (68, 92), (92, 92), (98, 100), fill=OUTLINE_RGB, line=False)
    pen.polygon((0, 70), (70, 0), (94, 24), (24, 94))
    pen.polygon((12, 71), (71, 12), (82, 23), (23, 82), fill=GLASS_RGB, line=False)
    for x, y in ((28, 66), (42, 52), (64, 30)):
        pen.stroke((x - 3, y + 6), (x + 5, y - 7), fill=PALE_RGB, width=1.4)


def lens(pen: Pen) -> None:
    """A round glass in a coloured rim, on a handle."""
    _, _, _, bottom = pen.walls
    across, down = pen.wall
    pen.round_box(42, bottom - down, 58, 100, 6)
    pen.oval(0, 0, 100, bottom)
    pen.oval(1.5 * across, 1.5 * down, 100 - 1.5 * across, bottom - 1.5 * down, fill=PALE_RGB)
    pen.stroke(*curve(50, bottom / 2, 50 - 3 * across, bottom / 2 - 3 * down, 190, 250), fill=GLASS_RGB)


def house(pen: Pen) -> None:
    """Walls, roof and chimney of one colour, a door, and windows that may be lit."""
    pen.box(70, 6, 84, 40)
    pen.box(8, 44, 92, 100)
    pen.polygon((0, 46), (50, 0), (100, 46))
    for x in (18, 62):
        pen.box(x, 56, x + 20, 78, fill=_light(pen))
        pen.stroke((x + 10, 56), (x + 10, 78), width=0.7)
    pen.box(42, 64, 58, 99, fill=OUTLINE_RGB, line=False)


def tower(pen: Pen) -> None:
    """A high wall with battlements and, one above the other, windows that may be lit."""
    merlons = [(x, y) for left in (22, 44, 64) for x, y in ((left, 12), (left, 0), (left + 14, 0), (left + 14, 12))]
    pen.polygon((28, 100), (28, 22), (22, 22), *merlons, (78, 22), (72, 22), (72, 100))
    for y in (28, 47, 66):
        pen.box(41, y, 59, y + 13, fill=_light(pen))
    pen.box(43, 84, 57, 99, fill=OUTLINE_RGB, line=False)


def tent(pen: Pen) -> None:
    """Two slopes of cloth with crossed poles above, and an opening that may be lit."""
    pen.stroke((42, 0), (54, 16), width=1.4)
    pen.stroke((58, 0), (46, 16), width=1.4)
    pen.polygon((0, 100), (50, 10), (100, 100))
    pen.polygon((30, 99), (50, 34), (70, 99), fill=_light(pen))
    pen.polygon((30, 99), (50, 34), (40, 99))


def wire(pen: Pen) -> None:
    """A piece of grey wire between the dark edges of its sheath."""
    pen.box(0, 0, 100, 100, fill=SHADE_RGB, line=False)
    for at in (6, 94):
        pen.stroke(*(((0, at), (100, at)) if pen.width > pen.height else ((at, 0), (at, 100))), width=0.8)


def signal(pen: Pen) -> None:
    """A traffic light: a dark case on a post with three lamps, of which the one of its colour shines."""
    shining = {"red": 0, "orange": 1, "yellow": 1}.get(pen.figure.colour, 2)
    pen.box(44, 80, 56, 100, fill=OUTLINE_RGB, line=False)
    pen.round_box(22, 0, 78, 86, 12, fill=OUTLINE_RGB)
    for place, y in enumerate((4, 31, 58)):
        pen.oval(36, y + 2, 64, y + 22, fill=UNLIT_RGB, line=False)
        if place == shining:
            pen.oval(30, y - 1, 70, y + 25, line=False)


def door(pen: Pen) -> None:
    """A door with two panels, a knob and a window above."""
    pen.box(0, 0, 100, 100)
    for top, bottom in ((10, 44), (56, 90)):
        for left, right in ((14, 44), (56, 86)):
            pen.stroke((left, top), (right, top), (right, bottom), (left, bottom), (left, top), width=0.9)
    pen.oval(84, 46, 96, 54, fill=OUTLINE_RGB, line=False)


def shirt(pen: Pen) -> None:
    """A body with two sleeves, a collar and buttons."""
    pen.polygon((30, 0), (70, 0), (100, 26), (86, 48), (76, 40), (76, 100), (24, 100), (24, 40), (14, 48), (0, 26))
    pen.polygon((34, 0), (66, 0), (50, 20), fill=PALE_RGB)
    pen.stroke((50, 20), (50, 98), width=0.7)
    for y in (36, 56, 76):
        pen.oval(53, y - 3, 59, y + 3, fill=OUTLINE_RGB, line=False)


def umbrella(pen: Pen) -> None:
    """A scalloped canopy with ribs, over a hooked handle."""
    pen.stroke((50, 40), (50, 88), *curve(60, 88, 10, 10, 180, 0), width=1.6)
    pen.stroke((50, 0), (50, 8), width=1.4)
    scallops = [place for x in (83.5, 50.0, 16.5) for place in curve(x, 56, 16.5, 9, 0, -180)]
    pen.polygon(*curve(50, 56, 50, 52, 180, 360), *scallops)
    for x in (33, 67):
        pen.stroke((50, 4), (50 + (x - 50) * 0.8, 26), (x, 54), width=0.8)


def cap(pen: Pen) -> None:
    """A round crown with seams, and a peak to the right."""
    pen.polygon((40, 78), (60, 68), (86, 78), (100, 90), (96, 100), (66, 94), (40, 92))
    pen.polygon((0, 100), (0, 52), (8, 22), (22, 4), (30, 0), (46, 0), (54, 4), (68, 22), (76, 52), (76, 92))
    for end in (20, 56):
        pen.stroke((38, 6), ((38 + end) / 2, 22), (end, 92), width=0.8)


def chair(pen: Pen) -> None:
    """A back, a seat and legs, from the side."""
    pen.polygon((0, 0), (16, 0), (16, 50), (100, 50), (100, 100), (84, 100), (84, 66), (16, 66), (16, 100), (0, 100))
