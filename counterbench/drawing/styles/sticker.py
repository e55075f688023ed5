"""Stickers: a scene's things on a given picture, each with a white die-cut edge and a soft shadow.

The edge says that a thing is put onto the picture and is no part of it. It is wide enough for the pixel reader to take
the things off again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageFilter

from counterbench.drawing.styles.sheet import Sheet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WHITE = (255, 255, 255)
_MIN_EDGE, _OF_SIDE = 8, 64  # the edge in pixels, at least; and as a part of the picture's shorter side
# The shadow: its darkness in levels of 255, and how far it falls, in edges.
_SHADE, _FALLS = 100, 0.5
_COVERED = 128  # levels of coverage from which a pixel belongs to a thing


def stuck(sheet: Sheet, ground: Image.Image) -> Image.Image:
    """The scene's things as stickers on `ground`, RGB and of the sheet's size."""
    import numpy as np

    edge = edge_of(ground.size)
    uncovered = ImageChops.subtract(sheet.shown_on(255), sheet.shown_on(0)).convert("L")
    cut = _grown(np.asarray(uncovered) < 256 - _COVERED, edge)
    fall = max(1, round(edge * _FALLS))
    shadow = Image.new("L", ground.size)
    shadow.paste(cut, (fall, fall))
    shade = shadow.filter(ImageFilter.GaussianBlur(fall)).point([v * _SHADE // 255 for v in range(256)])
    under = Image.composite(Image.new("RGB", ground.size), ground, shade)
    return sheet.on(Image.composite(Image.new("RGB", ground.size, WHITE), under, cut))


def edge_of(size: tuple[int, int]) -> int:
    """The width of the die-cut edge on a picture of this size, in pixels."""
    return max(_MIN_EDGE, min(size) // _OF_SIDE)


def _grown(mask: NDArray[np.bool_], by: int) -> Image.Image:
    """The coverage, 0 … 255, of a mask (height, width) and of all within `by` pixels of it; antialiased at its end."""
    import numpy as np
    from scipy import ndimage

    if not mask.any():
        return Image.new("L", mask.shape[::-1])
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    top, left = max(0, rows[0] - by - 2), max(0, columns[0] - by - 2)
    part = mask[top : rows[-1] + by + 3, left : columns[-1] + by + 3]
    distance = ndimage.distance_transform_edt(~part)
    grown = np.zeros(mask.shape, np.uint8)
    grown[top : top + part.shape[0], left : left + part.shape[1]] = np.clip(256 * (by + 1 - distance), 0, 255)
    return Image.fromarray(grown)
