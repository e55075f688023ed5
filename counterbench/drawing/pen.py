"""A pen for one figure: draws in hundredths of the figure's box, `FINE` times as large as the picture, antialiased.

Below it are lines that glyphs share: curves as points, drawings that stay as wide as high in any box, a few letters.
"""

import math
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from counterbench.drawing.scale import FINE, Scale
from counterbench.palette import COLOUR_RGB, OUTLINE_RGB, RGB
from counterbench.scene.figures import Figure, vessel_wall

PenPoint = tuple[float, float]  # x and y in hundredths of the box, (0, 0) is its top left corner
PenFrame = Callable[[float, float], PenPoint]  # from (u, v) in a square, see `frame`, to the place in the box

# Capitals as lines in a field four wide and six high.
_LETTERS: dict[str, tuple[tuple[PenPoint, ...], ...]] = {
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


class Pen:
    """Draws the parts of a figure on a transparent tile. `main` is the figure's colour; parts are outlined in dark.

    `turned` figures are drawn facing right; the tile is turned afterwards.
    """

    def __init__(self, figure: Figure, scale: Scale, turned: bool = False) -> None:
        """Begin with an empty tile, `FINE` times as large as the figure in pixels of the picture.

        `width`, `height` and `line_width` are in pixels of the scene. `turned`: a figure that faces up or down has its
        width and height exchanged.
        """
        self.figure = figure
        self.main: RGB = COLOUR_RGB[figure.colour]
        self._turned = turned
        width, height = 2 * figure.half_width + 1, 2 * figure.half_height + 1
        if turned and figure.facing in ("up", "down"):
            width, height = height, width
        self.width, self.height = width, height
        self._scale = scale
        self._tile = Image.new("RGBA", (scale.length(width) * FINE, scale.length(height) * FINE))
        self._draw = ImageDraw.Draw(self._tile)
        self.line_width = max(2, min(width, height) // 24)

    @property
    def walls(self) -> tuple[float, float, float, float]:
        """The outer edge of a vessel's walls, left, top, right and bottom, in hundredths of the box."""
        box, walls = self.figure.box, self.figure.walls
        across, down = 100 / self.width, 100 / self.height
        return (
            (walls.left - box.left) * across,
            (walls.top - box.top) * down,
            100 - (box.right - walls.right) * across,
            100 - (box.bottom - walls.bottom) * down,
        )

    @property
    def wall(self) -> tuple[float, float]:
        """The thickness of a vessel's walls, in hundredths of the box's width and of its height."""
        return 100 * vessel_wall(self.figure) / self.width, 100 * vessel_wall(self.figure) / self.height

    def polygon(self, *corners: PenPoint, fill: RGB | None = None, line: bool = True) -> None:
        """Draw a filled polygon; corners are in hundredths of the box. `fill` is the main colour unless given."""
        outline, width = self._line(line)
        self._draw.polygon([self._pixel_at(c) for c in corners], fill or self.main, outline, width)

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: RGB | None = None, line: bool = True
    ) -> None:
        """Draw a filled rectangle; the edges are in hundredths of the figure's box."""
        self._draw.rectangle(self._corners(left, top, right, bottom), fill or self.main, *self._line(line))

    def oval(
        self, left: float, top: float, right: float, bottom: float, fill: RGB | None = None, line: bool = True
    ) -> None:
        """Draw a filled ellipse; the edges are in hundredths of the figure's box."""
        self._draw.ellipse(self._corners(left, top, right, bottom), fill or self.main, *self._line(line))

    def round_box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: RGB | None = None
    ) -> None:
        """Draw a filled rectangle with rounded corners; `radius` in hundredths of the shorter side of the box."""
        r = radius * min(self._tile.size) / 100
        self._draw.rounded_rectangle(self._corners(left, top, right, bottom), r, fill or self.main, *self._line(True))

    def stroke(self, *points: PenPoint, fill: RGB = OUTLINE_RGB, width: float = 1.0) -> None:
        """Draw a line through points, `width` times as wide as an outline."""
        pixels = self._line_pixels(width)
        self._draw.line([self._pixel_at(p) for p in points], fill=fill, width=pixels, joint="curve")

    def tile(self) -> Image.Image:
        """The drawing at the picture's scale, RGBA."""
        tile = self._tile.reduce(FINE)
        if self._turned:
            turns = {
                "left": Image.Transpose.FLIP_LEFT_RIGHT,
                "up": Image.Transpose.ROTATE_90,
                "down": Image.Transpose.ROTATE_270,
            }
            if self.figure.facing in turns:
                tile = tile.transpose(turns[self.figure.facing])
        return tile

    def _pixel_at(self, place: PenPoint) -> tuple[int, int]:
        """The pixel of the tile for a place in hundredths of the box."""
        width, height = self._tile.size
        return round(place[0] * (width - 1) / 100), round(place[1] * (height - 1) / 100)

    def _corners(self, left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
        """Two opposite corners in pixels of the tile; a part that is too thin for its lines shrinks to a point."""
        (x, y), (to_x, to_y) = self._pixel_at((left, top)), self._pixel_at((right, bottom))
        if x > to_x:
            x = to_x = (x + to_x) // 2
        if y > to_y:
            y = to_y = (y + to_y) // 2
        return x, y, to_x, to_y

    def _line(self, line: bool) -> tuple[RGB | None, int]:
        """The colour and the width of an outline; no colour without a line."""
        return (OUTLINE_RGB, self._line_pixels(1)) if line else (None, 1)

    def _line_pixels(self, width: float) -> int:
        """The width in pixels of the tile of a line that is `width` times as wide as an outline."""
        return max(1, round(width * self.line_width * FINE * self._scale.factor))


def circle_of(points: int, x: float, y: float, radius: float) -> Sequence[PenPoint]:
    """`points` places on a circle around (x, y), evenly spread, the first at the top."""
    turn = [2 * math.pi * i / points - math.pi / 2 for i in range(points)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turn]


def curve(x: float, y: float, across: float, down: float, start: float, end: float, points: int = 25) -> list[PenPoint]:
    """A part of an ellipse around (x, y) as points, from `start` to `end` degrees, clockwise from three o'clock.

    `across`, `down`: half its width and half its height.
    """
    turns = [math.radians(start + (end - start) * i / (points - 1)) for i in range(points)]
    return [(x + across * math.cos(t), y + down * math.sin(t)) for t in turns]


def frame(pen: Pen, x: float, y: float, size: float) -> PenFrame:
    """The function from (u, v), both -50 … 50, to places in a square around (x, y), `size` % of the shorter side."""
    side = size * min(pen.width, pen.height) / 100
    return lambda u, v: (x + u * side / pen.width, y + v * side / pen.height)


def oval_in(
    pen: Pen, at: PenFrame, u: float, v: float, across: float, down: float, fill: RGB, line: bool = False
) -> None:
    """Draw an ellipse around (u, v) of the frame `at`; `across`, `down`: half its width and half its height."""
    pen.oval(*at(u - across, v - down), *at(u + across, v + down), fill=fill, line=line)


def word(pen: Pen, at: PenFrame, letters: str, height: float, width: float = 0.9) -> None:
    """Draw dark capital letters in the middle of a frame, `height` hundredths of it high; `width`: see `stroke`."""
    unit = height / 6
    left = -(len(letters) * 4 + (len(letters) - 1) * 2) / 2 * unit
    for letter in letters:
        for line in _LETTERS[letter]:
            points = [at(left + a * unit, b * unit - height / 2) for a, b in line]
            pen.stroke(*points, fill=OUTLINE_RGB, width=width)
        left += 6 * unit
