"""Boxes in pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Rect(NamedTuple):
    """A box in pixels of the crop, all edges included."""

    left: int
    top: int
    right: int
    bottom: int

    def spread(self, by: int) -> Rect:
        """This box with every edge moved outwards."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, right: int, down: int) -> Rect:
        """This box at another place."""
        return Rect(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def holds(self, other: Rect) -> bool:
        """True if `other` lies wholly in this box."""
        left_top = self.left <= other.left and self.top <= other.top
        return left_top and other.right <= self.right and other.bottom <= self.bottom

    def apart(self, other: Rect) -> int:
        """The distance between the two boxes, along the axis where it is larger; negative if they overlap."""
        across = max(self.left - other.right, other.left - self.right)
        return max(across, max(self.top - other.bottom, other.top - self.bottom)) - 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.right - self.left + 1, self.bottom - self.top + 1

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the box, for indexing."""
        return slice(max(0, self.top), self.bottom + 1), slice(max(0, self.left), self.right + 1)


def box_at(place: tuple[slice, slice]) -> Rect:
    """The box of rows and columns, as `ndimage.find_objects` gives them."""
    rows, columns = place
    return Rect(columns.start, rows.start, columns.stop - 1, rows.stop - 1)


def box_of(mask: NDArray[np.bool_]) -> Rect:
    """The box around everything in a mask."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return Rect(int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1]))
