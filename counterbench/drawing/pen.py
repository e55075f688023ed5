"""A pen for one figure: draws in hundredths of the figure's box, `FINE` times as large as the picture, antialiased."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw

from counterbench.drawing.scale import FINE, Scale
from counterbench.palette import COLOUR_RGB, OUTLINE_RGB, RGB
from counterbench.scene.figures import Figure, vessel_wall

Place = tuple[float, float]  # x and y in hundredths of the box, (0, 0) is its top left corner


class Pen:
    """Draws the parts of a figure on a transparent tile. `main` is the figure's colour; parts are outlined in dark.

    `turned` figures are drawn facing right; the tile is turned afterwards.
    """

    def __init__(self, figure: Figure, scale: Scale, turned: bool = False) -> None:
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

    def polygon(self, *corners: Place, fill: RGB | None = None, line: bool = True) -> None:
        """A filled polygon; `fill` is the main colour unless given."""
        outline, width = self._line(line)
        self._draw.polygon([self._at(c) for c in corners], fill or self.main, outline, width)

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: RGB | None = None, line: bool = True
    ) -> None:
        """A filled rectangle."""
        self._draw.rectangle(self._corners(left, top, right, bottom), fill or self.main, *self._line(line))

    def oval(
        self, left: float, top: float, right: float, bottom: float, fill: RGB | None = None, line: bool = True
    ) -> None:
        """A filled ellipse."""
        self._draw.ellipse(self._corners(left, top, right, bottom), fill or self.main, *self._line(line))

    def round_box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: RGB | None = None
    ) -> None:
        """A filled rectangle with rounded corners; `radius` in hundredths of the shorter side of the box."""
        r = radius * min(self._tile.size) / 100
        self._draw.rounded_rectangle(self._corners(left, top, right, bottom), r, fill or self.main, *self._line(True))

    def stroke(self, *points: Place, fill: RGB = OUTLINE_RGB, width: float = 1.0) -> None:
        """A line through points, `width` times as wide as an outline."""
        pixels = self._thick(width)
        self._draw.line([self._at(p) for p in points], fill=fill, width=pixels, joint="curve")

    def arc(
        self, left: float, top: float, right: float, bottom: float, start: int, end: int, width: float = 1.0
    ) -> None:
        """A part of an ellipse's line, from `start` to `end` degrees, clockwise from three o'clock, in dark."""
        pixels = self._thick(width)
        self._draw.arc(self._corners(left, top, right, bottom), start, end, fill=OUTLINE_RGB, width=pixels)

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

    def _at(self, place: Place) -> tuple[int, int]:
        width, height = self._tile.size
        return round(place[0] * (width - 1) / 100), round(place[1] * (height - 1) / 100)

    def _corners(self, left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
        """The corners in pixels. In a thin figure, a part without room between its lines shrinks to a point."""
        (x, y), (to_x, to_y) = self._at((left, top)), self._at((right, bottom))
        if x > to_x:
            x = to_x = (x + to_x) // 2
        if y > to_y:
            y = to_y = (y + to_y) // 2
        return x, y, to_x, to_y

    def _line(self, line: bool) -> tuple[RGB | None, int]:
        """Colour and width of an outline, or none."""
        return (OUTLINE_RGB, self._thick(1)) if line else (None, 1)

    def _thick(self, width: float) -> int:
        """The width of a line in the tile's pixels, `width` times that of an outline."""
        return max(1, round(width * self.line_width * FINE * self._scale.by))


def circle_of(points: int, x: float, y: float, radius: float) -> Sequence[Place]:
    """`points` places around (x, y), the first at the top."""
    turn = [2 * math.pi * i / points - math.pi / 2 for i in range(points)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turn]
