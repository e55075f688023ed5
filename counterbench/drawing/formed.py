"""Drawings of nouns that come as circle, square, triangle or diamond: one function for each noun.

Each public function draws the noun of its name with a `Pen`; `things` finds it by that name. The form
(`pen.figure.form`) says nothing about the noun: the drawing on the form, or beside it (ears, a ring), shows what it is.
In each row of the form's pixels the first and the last have the thing's own colour, whatever is drawn between, so that
a reader of pixels can tell the form. `_body` draws the form; `_middle` and `_head` give a square in it to draw in.

Places are in hundredths of the thing's box: (0, 0) is its top left corner, (100, 100) its bottom right one. The pen's
`polygon`, `oval` and `box` fill a part with the thing's own colour and outline it in dark, unless `fill` gives another
colour or `line` is False; `stroke` draws a line. `at = frame(pen, x, y, size)` makes a function: `at(u, v)`, with u and
v from -50 to 50, is a place in a square around (x, y) that stays as wide as high in every box.
"""

import math
from collections.abc import Sequence

from counterbench.drawing.pen import Pen, PenFrame, PenPoint, curve, frame, oval_in, word
from counterbench.palette import OUTLINE_RGB, PALE_RGB

_WHOLE = (0, 0, 100, 100)  # the whole box: left, top, right, bottom
# By form, the corners of the left ear, which stands out behind the form: of cats (pointed), and of dogs (floppy).
_POINTED: dict[str, Sequence[PenPoint]] = {
    "circle": ((13, 44), (8, 2), (46, 18)),
    "square": ((8, 30), (10, 0), (40, 22)),
    "triangle": ((25, 68), (18, 28), (44, 42)),
    "diamond": ((28, 54), (18, 14), (48, 28)),
}
_FLOPPY: dict[str, Sequence[PenPoint]] = {
    "circle": ((40, 12), (16, 12), (2, 34), (0, 66), (8, 76), (18, 70), (24, 40)),
    "square": ((34, 10), (8, 10), (1, 30), (0, 62), (6, 72), (16, 68), (20, 34)),
    "triangle": ((50, 18), (30, 22), (14, 40), (6, 66), (12, 76), (22, 72), (40, 40)),
    "diamond": ((48, 14), (28, 18), (12, 38), (6, 66), (12, 76), (22, 72), (36, 44)),
}


def _body(pen: Pen, left: float, top: float, right: float, bottom: float) -> None:
    """Draw the plain form within these bounds."""
    match pen.figure.form:
        case "square":
            pen.box(left, top, right, bottom)
        case "triangle" | "diamond":
            pen.polygon(*_corners(pen, left, top, right, bottom))
        case _:
            pen.oval(left, top, right, bottom)


def _corners(pen: Pen, left: float, top: float, right: float, bottom: float) -> Sequence[PenPoint]:
    """The corners of the form within these bounds; none for a circle. A diamond is two thirds as wide as high."""
    x, y = (left + right) / 2, (top + bottom) / 2
    match pen.figure.form:
        case "square":
            return (left, top), (right, top), (right, bottom), (left, bottom)
        case "triangle":
            return (x, top), (right, bottom), (left, bottom)
        case "diamond":
            half = min((right - left) / 2, (bottom - top) * pen.height / pen.width / 3)
            return (x, top), (x + half, y), (x, bottom), (x - half, y)
        case _:
            return ()


def _middle(pen: Pen) -> PenFrame:
    """A frame (see the top) in the widest part of the form, small enough to keep drawings within the form."""
    middle, size = {"triangle": (69, 62), "diamond": (50, 54)}.get(pen.figure.form, (50, 84))
    return frame(pen, 50, middle, size)


def planet(pen: Pen) -> None:
    """A body with a ring around it, as Saturn's."""
    turn = math.radians(-16)

    def ring(start: float, end: float) -> list[PenPoint]:
        """The slanting arc of the ring from `start` to `end` degrees."""
        flat = curve(0, 0, 47, 13, start, end, 24)
        return [
            (50 + x * math.cos(turn) - y * math.sin(turn), 50 + x * math.sin(turn) + y * math.cos(turn))
            for x, y in flat
        ]

    for part in (ring(170, 370), ring(-10, 190)):
        pen.stroke(*part, width=3.2)
        pen.stroke(*part, fill=PALE_RGB, width=1.4)
        if part[0][0] < 50:  # the far half of the ring is drawn; the body covers it
            _body(pen, 7, 7, 93, 93)


def crystal(pen: Pen) -> None:
    """A cut gem: facets around its flat top, a part of which gleams."""
    _body(pen, *_WHOLE)
    corners = _corners(pen, *_WHOLE) or curve(50, 50, 50, 50, -112.5, 202.5, 8)  # a circle has an octagon
    middle = (50.0, 66.0 if len(corners) == 3 else 50.0)  # in a triangle a third of its height above the base
    top_size = {3: 0.42, 4: 0.5, 8: 0.55}[len(corners)]
    top = [(middle[0] + top_size * (x - middle[0]), middle[1] + top_size * (y - middle[1])) for x, y in corners]
    for (x, y), (u, v) in zip(corners, top, strict=True):
        pen.stroke((x + 0.15 * (u - x), y + 0.15 * (v - y)), (u, v), width=0.7)
    pen.polygon(*top)
    pen.polygon(top[0], top[1], middle, fill=PALE_RGB, line=False)
    pen.stroke(top[0], top[1])


def bubble(pen: Pen) -> None:
    """A film with nothing in it but the window that it mirrors."""
    _body(pen, *_WHOLE)
    at = _middle(pen)
    oval_in(pen, at, 0, 0, 38, 38, PALE_RGB)
    for start, end in ((180, 250), (20, 60)):
        pen.stroke(*(at(u, v) for u, v in curve(0, 0, 24, 24, start, end, 9)), fill=pen.main, width=1.6)


def drop(pen: Pen) -> None:
    """A falling drop with a gleam, round below its tip; in the other forms, that drop in white."""
    if pen.figure.form in ("square", "triangle", "diamond"):
        _body(pen, *_WHOLE)
        at = _middle(pen)
        pen.polygon(at(0, -46), *(at(u, v) for u, v in curve(0, 14, 29, 28, -32, 212, 24)), fill=PALE_RGB)
        ink = pen.main
    else:
        pen.polygon((50, 0), *curve(50, 60, 42, 40, -42, 222, 24))
        ink, at = PALE_RGB, frame(pen, 50, 48, 96)
    gleam = [*curve(0, 14, 21, 20, 180, 90, 24), *curve(3, 11, 17, 16, 90, 180, 24)]
    pen.polygon(*(at(u, v) for u, v in gleam), fill=ink, line=False)


def puddle(pen: Pen) -> None:
    """Water with an uneven rim, rings in it, and the splash of a drop that fell in."""
    rim = _splashed(pen)
    pen.polygon(*rim, line=False)
    pen.stroke(*rim, *rim[:2])
    at = _middle(pen)
    for size in (17, 36):
        pen.stroke(*(at(u, v) for u, v in curve(0, 12, size, size / 2.4, 0, 360, 24)), fill=PALE_RGB, width=1.2)
    for u, v, size in ((0, -20, 7), (-17, -10, 5), (17, -10, 5)):
        tip = (u * 1.5, v - 2.2 * size)
        pen.polygon(at(*tip), *(at(x, y) for x, y in curve(u, v, size, size, -20, 200, 9)), fill=PALE_RGB, line=False)


def _splashed(pen: Pen) -> list[PenPoint]:
    """The rim of the form in waves of different depths; its corners stay where they were."""
    corners = _corners(pen, *_WHOLE) or curve(50, 50, 50, 50, -90, 270, 29)[:-1]
    waves = 2 if len(corners) < 5 else 0.25  # on each edge
    depths = (0.06, 0.16, 0.11)  # of three waves in a row, as shares of the way to the middle
    places = []
    for i, (a, b) in enumerate(zip(corners, (*corners[1:], corners[0]), strict=True)):
        for step in range(round(16 * waves)):
            share = step / (16 * waves)
            wave = (i + share) * waves
            shrunk = 0.98 - depths[int(wave) % 3] * math.sin(math.pi * wave) ** 2
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            places.append((50 + (x - 50) * shrunk, 50 + (y - 50) * shrunk))
    return places


def cell(pen: Pen) -> None:
    """A cell under the microscope: a dark nucleus with its core, and pale bodies around it."""
    _body(pen, *_WHOLE)
    at = _middle(pen)
    oval_in(pen, at, -6, -2, 20, 18, OUTLINE_RGB)
    oval_in(pen, at, -11, -5, 7, 6, pen.main)
    for u, v, across, down in ((28, -22, 11, 6), (30, 14, 6, 11), (-10, 33, 12, 6), (-24, -28, 6, 6)):
        oval_in(pen, at, u, v, across, down, PALE_RGB)
        along = (across, 0) if across > down else (0, down)
        pen.stroke(at(u - 0.5 * along[0], v - 0.5 * along[1]), at(u + 0.5 * along[0], v + 0.5 * along[1]), width=0.6)
    for u, v in ((12, 32), (36, -4), (-36, 10), (4, -34)):
        oval_in(pen, at, u, v, 3, 3, OUTLINE_RGB)


def _sample(pen: Pen, name: str) -> PenFrame:
    """Draw a grain of salt or the like, with its name on a label; returns a frame around the label."""
    _body(pen, *_WHOLE)
    place, size = {"triangle": (72, 58), "diamond": (50, 50)}.get(pen.figure.form, (50, 80))
    at = frame(pen, 50, place, size)
    pen.box(*at(-50, -16), *at(50, 16), fill=PALE_RGB, line=False)
    word(pen, at, name, 21, width=0.6)
    return at


def salt(pen: Pen) -> None:
    """A grain with the label SALT, sprinkled with smaller ones."""
    at = _sample(pen, "SALT")
    for u, v in ((-16, -26), (2, -34), (18, -24), (-18, 26), (0, 34), (16, 25)):
        pen.box(*at(u - 4, v - 4), *at(u + 4, v + 4), fill=OUTLINE_RGB, line=False)


def soda(pen: Pen) -> None:
    """A grain with the label SODA, fizzing."""
    at = _sample(pen, "SODA")
    for u, v, size in ((-12, -28, 8), (10, -30, 6), (-8, 28, 6), (14, 29, 8)):
        oval_in(pen, at, u, v, size, size, PALE_RGB)


def alum(pen: Pen) -> None:
    """A grain with the label ALUM, with the edges of a crystal."""
    at = _sample(pen, "ALUM")
    for side in (-1, 1):
        pen.stroke(at(-24, 16 * side), at(0, 42 * side), at(24, 16 * side), width=0.8)
        pen.stroke(at(0, 16 * side), at(0, 42 * side), width=0.8)


def _head(pen: Pen, ears: dict[str, Sequence[PenPoint]], left: float) -> PenFrame:
    """Draw a head in the figure's form between two dark ears; returns a frame (see the top) for its face.

    `ears`: by form, the corners of the left ear. `left`: the free space on each side of the head.
    """
    form, top = pen.figure.form or "circle", 14
    for mirrored in (False, True):
        ear = [(100 - x if mirrored else x, y) for x, y in ears[form]]
        pen.polygon(*ear, fill=OUTLINE_RGB, line=False)
    bottom = top + 100 - 2 * left
    _body(pen, left, top, 100 - left, bottom)
    height = bottom - top
    middle, size = {"triangle": (0.7, 0.62), "diamond": (0.5, 0.56)}.get(form, (0.52, 0.9))  # shares of the height
    return frame(pen, 50, top + middle * height, size * height)


def _dummy(pen: Pen, at: PenFrame) -> None:
    """Draw a baby's dummy: a pale shield, and a ring to hold it by."""
    pen.stroke(*(at(u, v) for u, v in curve(0, 31, 10, 9, 0, 360, 24)), width=1.1)
    oval_in(pen, at, 0, 19, 22, 9, PALE_RGB)
    oval_in(pen, at, 0, 21, 6, 5, OUTLINE_RGB)


def _whiskers(pen: Pen, at: PenFrame) -> None:
    """Draw three whiskers on both sides of a face."""
    for side in (-1, 1):
        for v in (4, 13, 22):
            pen.stroke(at(16 * side, 11 + (v - 13) / 3), at(42 * side, v), width=0.6)


def _cat_nose(pen: Pen, at: PenFrame) -> None:
    """Draw the dark nose of a cat in a face."""
    pen.polygon(at(-7, 2), at(7, 2), at(0, 10), fill=OUTLINE_RGB, line=False)


def cat(pen: Pen) -> None:
    """A cat's head: pointed ears, slit eyes, whiskers."""
    at = _head(pen, _POINTED, 7)
    for side in (-1, 1):
        almond = ((8, -12), (14, -18), (22, -20), (32, -18), (24, -8), (16, -7))
        pen.polygon(*(at(u * side, v) for u, v in almond), fill=PALE_RGB, line=False)
        oval_in(pen, at, 20 * side, -13, 3, 7, OUTLINE_RGB)
    _cat_nose(pen, at)
    _whiskers(pen, at)
    pen.stroke(at(-14, 20), at(-7, 24), at(0, 18), at(7, 24), at(14, 20), width=0.8)


def kitten(pen: Pen) -> None:
    """A cat's head with large round eyes and a baby's dummy."""
    at = _head(pen, _POINTED, 7)
    _round_eyes(pen, at)
    _cat_nose(pen, at)
    _whiskers(pen, at)
    _dummy(pen, at)


def _round_eyes(pen: Pen, at: PenFrame) -> None:
    """Draw two large round eyes with a gleam in a face."""
    for side in (-1, 1):
        oval_in(pen, at, 20 * side, -14, 12, 14, OUTLINE_RGB)
        oval_in(pen, at, 20 * side - 3, -19, 4, 5, PALE_RGB)


def dog(pen: Pen) -> None:
    """A dog's head: hanging ears, a pale snout with a large nose, its tongue out."""
    at = _head(pen, _FLOPPY, 10)
    for side in (-1, 1):
        oval_in(pen, at, 18 * side, -18, 5, 7, OUTLINE_RGB)
        oval_in(pen, at, 10 * side, 16, 15, 13, PALE_RGB)
    oval_in(pen, at, 0, 30, 9, 15, OUTLINE_RGB)
    oval_in(pen, at, 0, 31, 5, 11, PALE_RGB)
    oval_in(pen, at, 0, 14, 12, 12, PALE_RGB)
    oval_in(pen, at, 0, 5, 12, 8, OUTLINE_RGB)
    pen.stroke(at(0, 8), at(0, 20), width=0.7)
    for side in (-1, 1):
        pen.stroke(*(at(8 * side + u, v) for u, v in curve(0, 18, 8, 7, 0, 180, 9)), width=0.7)


def puppy(pen: Pen) -> None:
    """A dog's head with large round eyes, a patch around one of them, and a baby's dummy."""
    at = _head(pen, _FLOPPY, 10)
    oval_in(pen, at, 20, -14, 21, 22, PALE_RGB)
    _round_eyes(pen, at)
    oval_in(pen, at, 0, 5, 11, 7, OUTLINE_RGB)
    _dummy(pen, at)


def token(pen: Pen) -> None:
    """The plain form with a pale spot."""
    _body(pen, *_WHOLE)
    oval_in(pen, _middle(pen), 0, 0, 30, 30, PALE_RGB)


def badge(pen: Pen) -> None:
    """The plain form with a dark square."""
    _body(pen, *_WHOLE)
    at = _middle(pen)
    pen.box(*at(-26, -26), *at(26, 26), fill=OUTLINE_RGB, line=False)
