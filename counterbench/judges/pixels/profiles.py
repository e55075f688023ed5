"""The kind of a filled outline: its left and right edge, row by row, compared with those of the four kinds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from counterbench.palette import ShapeKind

# The largest mean distance of an edge from that of a kind: a share of the width, and a part of a pixel. The kinds
# differ from one another by 0.1 or more.
_STRAY_SHARE, _STRAY_PIXEL = 0.03, 0.2
_CLEARER_BY = 2
# The largest mean distance in pixels of a shape that nothing covers.
_EXACT_PIXELS = 0.6


def profile_kind(first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[ShapeKind | None, bool]:
    """The kind of a fill whose rows run from `first` to `last` (columns, the leftmost is 0), and True if it is exact.

    None if it is none of the kinds, not even with a covered part.
    """
    height, width = len(first), int(last.max()) + 1
    if is_slim(width, height):
        # Its points are so sharp that a few rows have no pixel that is wholly covered: the first that has is one or two
        # pixels wide.
        tip, rows = (2 - width % 2) / width, np.arange(height)
        spans = tip + (1 - tip) * np.minimum(rows, rows[::-1]) / max(1, (height - 1) // 2)
        stray = _stray(first, last, spans)
        fits = stray <= _STRAY_SHARE + _STRAY_PIXEL / width
        return ("diamond", stray * width <= _EXACT_PIXELS) if fits else (None, False)
    if abs(height - width) > 2 + max(height, width) // 16:
        return None, False
    strays = _strays(first, last)
    best, second = sorted(strays, key=lambda kind: strays[kind])[:2]
    clear = strays[best] <= _STRAY_SHARE + _STRAY_PIXEL / width and strays[second] >= _CLEARER_BY * strays[best]
    return (best, strays[best] * width <= _EXACT_PIXELS) if clear else (None, False)


def is_slim(width: int, height: int) -> bool:
    """True if a shape's sides are those of a diamond that is two thirds as wide as high."""
    return abs(2 * height - 3 * width) <= 3 + 3 * max(height, width) // 16


def _strays(first: NDArray[np.int64], last: NDArray[np.int64]) -> dict[ShapeKind, float]:
    """The distance of the rows from those of each kind."""
    height, width = len(first), int(last.max()) + 1
    top, middle, bottom = ((np.arange(height) + part) / height for part in (0.125, 0.5, 0.875))
    pixel = 1 / width
    # Only pixels that are wholly covered count. A circle has fewer of them than by its width; a triangle has lost its
    # point, and is wider in every row than by its height.
    around = 2 * np.sqrt(np.minimum(top - top**2, bottom - bottom**2))
    spans: dict[ShapeKind, NDArray[np.float64]] = {
        "circle": (2 * np.floor((around * width + 1) / 2) - 1) * pixel,
        "square": np.ones(height),
        "triangle": np.minimum(1, middle + pixel / 2),
        "diamond": 1 - np.abs(2 * middle - 1),
    }
    return {kind: _stray(first, last, span) for kind, span in spans.items()}


def _stray(first: NDArray[np.int64], last: NDArray[np.int64], spans: NDArray[np.float64]) -> float:
    """The mean distance of both edges from rows of given widths, as a share of the width."""
    width = int(last.max()) + 1
    left, right = first / width, (last + 1) / width
    return float((np.abs(left - (1 - spans) / 2) + np.abs(right - (1 + spans) / 2)).mean()) / 2
