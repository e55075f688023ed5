"""Counts shapes in the original release's pictures: flat colours without antialiasing, shapes that never touch."""

from __future__ import annotations

from pathlib import Path

from counterbench.drawing import reading

_LEAST_AREA = 150  # pixels; the release's shapes have at least 800
_LEAST_CHROMA = 60  # largest less smallest channel: its colours have more, its greys and outlines less


def shapes_of_kind(path: Path, kind: str) -> int:
    """How many shapes of a kind a picture of the release shows; InputError if it cannot be read."""
    import numpy as np
    from skimage.measure import label, regionprops

    rgb = np.asarray(reading.read(path), dtype=np.int32)
    coloured = rgb.max(axis=2) - rgb.min(axis=2) > _LEAST_CHROMA
    packed = np.where(coloured, (rgb[..., 0] << 16) + (rgb[..., 1] << 8) + rgb[..., 2], 0)
    regions = [r for r in regionprops(label(packed, background=0, connectivity=1)) if r.area >= _LEAST_AREA]
    return sum(_kind(region.extent, region.centroid_local[0] / region.image.shape[0]) == kind for region in regions)


def _kind(extent: float, centre: float) -> str:
    """The kind of a region by the share of its box that it fills, and how far down its centre of mass lies (0 to 1)."""
    if extent > 0.9:
        return "square"
    if extent > 0.65:
        return "circle"
    return "triangle" if centre > 0.58 else "diamond"
