"""Drawings of familiar things (a die, a dog, a clock, …) with as many parts as a scene says, be they usual or not.

`draw_familiar` pastes a thing into a picture. The function for its kind (`_die`, `_dog`, …, found in `_RECIPES`) draws
it on a `_Board`, a transparent tile. Places and lengths are in hundredths of the board's width along both axes. Any
number of parts is drawn in the same manner, so that the drawing of an altered thing looks no different. The letters of
its `parts` (such as "hhff", hind and front legs) are explained in `scene.familiar_things`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import msgspec
from PIL import Image, ImageDraw

from counterbench.drawing.pen import curve
from counterbench.drawing.scale import FINE, Scale
from counterbench.palette import (
    CASE_RGB,
    COAT_RGB,
    COLOUR_RGB,
    DIE_RGB,
    FLAG_RGB,
    OUTLINE_RGB,
    PALE_RGB,
    RGB,
    RIM_RGB,
    SHADE_RGB,
    SKIN_RGB,
)
from counterbench.scene.familiar_things import Familiar

BoardPoint = tuple[float, float]  # x and y in hundredths of the width of a `_Board`
Ball = tuple[float, float, float]  # x, y and radius

# Rises whenever a drawing changes; part of the digest of every suite that draws familiar things.
FAMILIAR_VERSION = 1
_LINE = 1.3  # the width of an outline, in hundredths of the board's width
_STEPS = 24  # limbs are drawn as rows of balls: the number from one given ball to the next
# Digits as lines in a field four wide and six high.
_DIGITS: dict[str, tuple[Sequence[BoardPoint], ...]] = {
    "0": (curve(2, 3, 1.8, 3, 0, 360),),
    "1": (((0.2, 1.2), (1.8, 0), (1.8, 6)),),
    "2": ((*curve(2, 1.8, 1.8, 1.8, 190, 390, 15), (0.2, 6), (4, 6)),),
    "3": ((*curve(1.9, 1.6, 1.7, 1.6, 200, 440, 15), *curve(1.9, 4.4, 1.9, 1.6, 280, 520, 15)),),
    "4": (((3, 6), (3, 0), (0, 4.2), (4, 4.2)),),
    "5": (((3.7, 0), (0.7, 0), (0.4, 2.6), *curve(1.9, 4, 1.9, 2, 230, 510, 15)),),
    "6": (((3.2, 0), (0.5, 3.2)), curve(2, 4.2, 1.8, 1.8, 0, 360)),
    "7": (((0.2, 0), (3.9, 0), (1.5, 6)),),
    "8": (curve(2, 1.5, 1.5, 1.5, 0, 360), curve(2, 4.4, 1.8, 1.6, 0, 360)),
    "9": (curve(2, 1.8, 1.8, 1.8, 0, 360), ((3.5, 2.8), (0.8, 6))),
}


def draw_familiar(image: Image.Image, thing: Familiar, scale: Scale) -> None:
    """Draw a familiar thing into its box; its `parts` are letters, see `scene.familiar_things`."""
    tile = _tile(msgspec.structs.replace(thing, id="", x=0, y=0), scale)
    image.paste(tile, scale.box(thing.box)[:2], tile)


@lru_cache(maxsize=16)
def _tile(thing: Familiar, scale: Scale) -> Image.Image:
    """The drawing of a familiar thing, wherever it stands, with a transparent background."""
    board = _Board(scale.length(2 * thing.half_width + 1), scale.length(2 * thing.half_height + 1))
    _RECIPES[thing.thing](board, thing)
    tile = board.tile.reduce(FINE)
    return tile.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if thing.flipped else tile


class _Board:
    """A transparent tile to draw on, in hundredths of its width along both axes.

    `height`: of the board, in these units. `tile`: the image, `FINE` times as large as in the picture, to be reduced.
    """

    def __init__(self, width: int, height: int) -> None:
        """Begin with an empty tile; `width`, `height`: in pixels of the picture."""
        self.tile = Image.new("RGBA", (width * FINE, height * FINE))
        self._draw = ImageDraw.Draw(self.tile)
        self._unit = (width * FINE - 1) / 100
        self.height = (height * FINE - 1) / self._unit

    def polygon(self, corners: Iterable[BoardPoint], fill: RGB) -> None:
        """Draw a filled polygon."""
        self._draw.polygon([(round(x * self._unit), round(y * self._unit)) for x, y in corners], fill)

    def oval(self, x: float, y: float, across: float, down: float, fill: RGB) -> None:
        """Draw an ellipse around (x, y); `across`, `down`: half its width and half its height."""
        places = (x - across, y - down, x + across, y + down)
        self._draw.ellipse([round(place * self._unit) for place in places], fill)

    def plate(self, left: float, top: float, right: float, bottom: float, radius: float, fill: RGB) -> None:
        """Draw a rectangle with rounded corners, outlined."""
        for inset, rgb in ((0.0, OUTLINE_RGB), (_LINE, fill)):
            places = (left + inset, top + inset, right - inset, bottom - inset)
            corner = max(0.0, radius - inset) * self._unit
            self._draw.rounded_rectangle([round(place * self._unit) for place in places], corner, rgb)

    def disc(self, x: float, y: float, radius: float, fill: RGB) -> None:
        """Draw a circle around (x, y), with its outline within."""
        self.oval(x, y, radius, radius, OUTLINE_RGB)
        self.oval(x, y, radius - _LINE, radius - _LINE, fill)

    def stroke(self, places: Iterable[BoardPoint], width: float, fill: RGB = OUTLINE_RGB) -> None:
        """Draw a line with round ends and corners."""
        dots = [(round(x * self._unit), round(y * self._unit)) for x, y in places]
        pixels = max(FINE, round(width * self._unit))
        self._draw.line(dots, fill, pixels, joint="curve")
        for x, y in (dots[0], dots[-1]):
            self._draw.ellipse((x - pixels // 2, y - pixels // 2, x + pixels // 2, y + pixels // 2), fill)

    def limbs(self, fill: RGB, *limbs: Sequence[Ball]) -> None:
        """Draw limbs as one patch with an outline; each swells and shrinks from one of its balls to the next."""
        for growth, rgb in ((0.0, OUTLINE_RGB), (-_LINE, fill)):  # first all outlines, then the insides over them
            for limb in limbs:
                for (x, y, r), (to_x, to_y, to_r) in zip(limb, limb[1:] or limb, strict=False):
                    for i in range(_STEPS + 1):
                        share = i / _STEPS
                        radius = r + (to_r - r) * share + growth
                        self.oval(x + (to_x - x) * share, y + (to_y - y) * share, radius, radius, rgb)


def _die(board: _Board, die: Familiar) -> None:
    """A face with rounded corners, and its pips on a grid of three by three."""
    body, pips = DIE_RGB[die.look]
    board.plate(0, 0, 100, board.height, 16, body)
    for place, part in enumerate(die.parts):
        if part == "x":
            board.oval(24 + 26 * (place % 3), 24 + 26 * (place // 3), 9, 9, pips)


def _traffic_light(board: _Board, light: Familiar) -> None:
    """A case on a pole, with three lights under visors."""
    case, foot = CASE_RGB[light.look], board.height
    board.plate(40, foot - 60, 60, foot, 0, SHADE_RGB)
    board.plate(6, 0, 94, foot - 34, 22, case)
    step = (foot - 34) / 3
    for i, part in enumerate(light.parts):
        y = step * (i + 0.5) + (1 - i) * 3
        board.oval(50, y, 33, 33, OUTLINE_RGB)
        board.oval(50, y + 1.5, 29, 29, COLOUR_RGB[{"r": "red", "y": "yellow", "g": "green"}[part]])  # type: ignore[index]
        board.polygon([*curve(50, y, 35, 35, 180, 360), *curve(50, y + 2, 35, 25, 360, 180)], OUTLINE_RGB)


def _dog(board: _Board, dog: Familiar) -> None:
    """A dog from the side, facing right: every leg stands free, near ones before far ones."""
    coat, dark = COAT_RGB[dog.look]
    foot = board.height
    hind, front = dog.parts.count("h"), dog.parts.count("f")
    # Each leg's x, and its number among those behind, in the middle or in front: even ones are near, odd ones far.
    places = [(18 + 12 * i, i) for i in range(hind)] + [(44.5, 0)] * dog.parts.count("m")
    places += [(71 - 12 * i, i) for i in range(front)]
    legs: tuple[list[Sequence[Ball]], list[Sequence[Ball]]] = ([], [])  # near and far
    for x, number in places:
        shin, paw = (x - 0.5, foot - 14, 3.6), (x, foot - 4.4, 3.6)
        legs[number % 2].append(((x, foot - 36, 7), (x, foot - 26, 5), shin, paw, (x + 1.8, foot - 3.6, 3.6)))
    board.limbs(dark, *legs[1])
    board.limbs(coat, ((12, 38, 3.6), (6, 30, 3), (3.6, 20, 2.6), (5, 12, 2.2)))  # tail
    body = ((20, 44, 11), (40, 44, 11.5), (60, 43, 13), (67, 42, 13))
    neck = ((67, 38, 11), (76, 22, 9))
    head = ((78, 16, 11), (82, 17, 10))
    snout = ((82, 20, 8), (93, 22, 5.6))
    board.limbs(coat, body, neck, head, snout, *legs[0])
    board.limbs(dark, ((73, 9, 4.6), (69, 18, 5.4), (69, 27, 4.4)))  # ear
    board.stroke(curve(71, 31, 10, 8, 20, 120, 9), 3.4, COLOUR_RGB["red"])  # collar
    board.oval(86, 13, 2, 2.2, OUTLINE_RGB)
    board.oval(97, 19.4, 3, 2.6, OUTLINE_RGB)
    board.stroke(((97, 24), (92, 26), (87, 25)), 1)


def _flag(board: _Board, flag: Familiar) -> None:
    """A flag with stripes, and stars on blue in its corner, that waves from a pole."""
    red, blue = FLAG_RGB[flag.look]
    left, right, top, height, swell = 5.0, 100.0, 4.0, 50.0, 2.6  # of the cloth, and how far its waves go up and down
    board.plate(1.5, 3, 6.5, board.height, 0, SHADE_RGB)
    board.disc(4, 4, 4, SHADE_RGB)

    def at(across: float, down: float) -> BoardPoint:
        """A place on the cloth, from 0 to 1 along both of its sides."""
        return left + (right - left) * across, top + height * down + swell * (1 - math.cos(5.6 * across))

    def cloth(across: BoardPoint, down: BoardPoint, fill: RGB) -> None:
        """Draw the part of the cloth between two bounds across and two bounds down."""
        steps = [across[0] + (across[1] - across[0]) * i / 40 for i in range(41)]
        board.polygon([*(at(a, down[0]) for a in steps), *(at(a, down[1]) for a in reversed(steps))], fill)

    line = _LINE / height
    cloth((0, 1), (-line, 1 + line), OUTLINE_RGB)
    count = len(flag.parts)
    for i, part in enumerate(flag.parts):
        cloth((0.008, 0.986), (i / count, (i + 1) / count), red if part == "r" else PALE_RGB)
    corner = round(count * 7 / 13) / count  # the height of the blue corner, which ends between two stripes
    cloth((0.008, 0.4), (0, corner), blue)
    for row in range(9):
        for column in range(6 - row % 2):
            x, y = at(0.036 + 0.0664 * (column + row % 2 / 2), corner * (row + 1) / 10)
            points = [(r, math.pi * (i / 5 - 0.5)) for i, r in enumerate([1.7, 0.7] * 5)]
            board.polygon([(x + r * math.cos(t), y + r * math.sin(t)) for r, t in points], PALE_RGB)


def _hand(board: _Board, hand: Familiar) -> None:
    """An open hand, its palm in front and its fingers spread, out of a sleeve."""
    skin, sleeve = SKIN_RGB[hand.look]
    fingers = hand.parts.count("f")
    lengths = {3: (32, 37, 29), 4: (32, 37, 34, 26), 5: (31, 36, 37, 33, 26)}[fingers]
    half = 13.5 + 1.8 * (fingers - 4)  # half the width of the palm
    limbs: list[Sequence[Ball]] = []
    for i, length in enumerate(lengths):
        place = i / (fingers - 1) * 2 - 1
        turn = math.radians(23 * place + 3)
        x, y = 54 + place * half, 58 + 3.5 * place * place + 2 * place
        tip = (x + length * math.sin(turn), y - length * math.cos(turn))
        limbs.append(((x, y, 5.2), (x, y - 4, 5), (*tip, 4.2)))
    limbs.append(((48, 84, 10), (30, 72, 6.4), (21, 62, 5.6), (14, 50, 4.6)))
    palm: list[Sequence[Ball]] = [
        ((54 - half + 2, 64, 7.6), (54 + half - 2, 66, 7.6), (64, 86, 8), (48, 86, 8), (54 - half + 2, 64, 7.6))
    ]
    palm += [((54, 76, 15), (55, 84, 13)), ((55, 90, 11), (55, board.height, 10.4))]
    board.limbs(skin, *limbs, *palm)
    board.plate(41, board.height - 10, 69, board.height, 2, sleeve)
    crease = tuple(channel * 3 // 4 for channel in skin)
    for places in (
        curve(44, 88, 14, 18, 270, 350, 9),
        curve(58, 60, 18, 10, 150, 60, 9),
        curve(50, 66, 20, 9, 140, 60, 9),
    ):
        board.stroke(places, 1, crease)  # type: ignore[arg-type]


def _clock(board: _Board, clock: Familiar) -> None:
    """A round clock: numbers all around, the last one at the top, and two hands."""
    board.disc(50, 50, 50, RIM_RGB[clock.look])
    board.oval(50, 50, 43, 43, OUTLINE_RGB)
    board.oval(50, 50, 42, 42, PALE_RGB)
    count = clock.count
    for number in range(1, count + 1):
        turn = 2 * math.pi * number / count
        x, y = 50 + 33.4 * math.sin(turn), 50 - 33.4 * math.cos(turn)
        _number(board, str(number), x, y, 7.8)
    for share, length, width in ((clock.pose / 720, 15, 2.8), (clock.pose % 60 / 60, 24, 1.8)):
        turn = 2 * math.pi * share
        board.stroke(((50, 50), (50 + length * math.sin(turn), 50 - length * math.cos(turn))), width)
    board.oval(50, 50, 2.6, 2.6, OUTLINE_RGB)


def _number(board: _Board, digits: str, x: float, y: float, height: float) -> None:
    """Draw a number around (x, y)."""
    unit = height / 6
    widths = {"1": 2.4}  # other digits are 4 wide
    left = x - (sum(widths.get(digit, 4) for digit in digits) + 1.3 * (len(digits) - 1)) / 2 * unit
    for digit in digits:
        for line in _DIGITS[digit]:
            board.stroke([(left + u * unit, y - height / 2 + v * unit) for u, v in line], 1.3)
        left += (widths.get(digit, 4) + 1.3) * unit


# By kind of thing, the function that draws it.
_RECIPES: dict[str, Callable[[_Board, Familiar], None]] = {
    "die": _die,
    "traffic light": _traffic_light,
    "dog": _dog,
    "flag": _flag,
    "hand": _hand,
    "clock": _clock,
}
