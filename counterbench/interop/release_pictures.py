"""Measurements on the original release's pictures: flat colours, no antialiasing, shapes that never touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from counterbench.drawing import reading
from counterbench.palette import COLOUR_RGB, COLOURS

_LEAST_AREA = 150  # pixels; the release's shapes have at least 800
_LEAST_CHROMA = 60  # largest less smallest channel: its colours have more, its greys and outlines less
# Greys (minimum, maximum): an arrow's line; letters and their blurred edges. The outlines of shapes are darker.
_ARROW, _LETTER = (50, 120), (35, 200)
_LEAST_TOUCHED = 5  # pixels: a line that a shape only grazes touches fewer

Pixels = npt.NDArray[np.integer[Any]]


def shapes_of_kind(path: Path, kind: str) -> int:
    """The number of shapes of a kind in a picture of the release; InputError if it cannot be read."""
    from skimage.measure import label, regionprops

    rgb = _pixels(path)
    coloured = _chroma(rgb) > _LEAST_CHROMA
    packed = np.where(coloured, (rgb[..., 0] << 16) + (rgb[..., 1] << 8) + rgb[..., 2], 0)
    regions = [r for r in regionprops(label(packed, background=0, connectivity=1)) if r.area >= _LEAST_AREA]
    return sum(_kind(region.extent, region.centroid_local[0] / region.image.shape[0]) == kind for region in regions)


def crosses_another(path: Path, target: str) -> bool:
    """True if the arrow of a picture lies over a shape of another colour than its target's; InputError as above."""
    rgb = _pixels(path)
    arrow = _greys(rgb, *_ARROW)
    beside = np.zeros_like(arrow)
    for axis in (0, 1):
        for step in (-1, 1):
            beside |= np.roll(arrow, step, axis)
    touched = rgb[beside & (_chroma(rgb) > _LEAST_CHROMA)]
    known = np.array([COLOUR_RGB[colour] for colour in COLOURS])
    nearest = ((touched[:, None] - known) ** 2).sum(axis=2).argmin(axis=1)
    return any((nearest == i).sum() >= _LEAST_TOUCHED for i, colour in enumerate(COLOURS) if colour != target)


def label_height(path: Path) -> int:
    """The height of the highest letter in a picture, in pixels; 0 without letters. InputError as above."""
    from skimage.measure import label, regionprops

    letters = regionprops(label(_greys(_pixels(path), *_LETTER), connectivity=2))
    return max((letter.image.shape[0] for letter in letters), default=0)


def _pixels(path: Path) -> Pixels:
    return np.asarray(reading.read(path), dtype=np.int32)


def _chroma(rgb: Pixels) -> Pixels:
    chroma: Pixels = rgb.max(axis=2) - rgb.min(axis=2)
    return chroma


def _greys(rgb: Pixels, least: int, most: int) -> npt.NDArray[np.bool_]:
    greys: npt.NDArray[np.bool_] = (_chroma(rgb) == 0) & (rgb[..., 0] >= least) & (rgb[..., 0] <= most)
    return greys


def _kind(extent: float, centre: float) -> str:
    """The kind of a region by the share of its box that it fills, and how far down its centre of mass lies (0 to 1)."""
    if extent > 0.9:
        return "square"
    if extent > 0.65:
        return "circle"
    return "triangle" if centre > 0.58 else "diamond"
