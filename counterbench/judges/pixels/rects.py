"""Boxes in pixels."""

from __future__ import annotations

from typing import NamedTuple


class Rect(NamedTuple):
    """A box in pixels of the crop, all edges included."""

    left: int
    top: int
    right: int
    bottom: int

    def spread(self, by: int) -> Rect:
        """This box with every edge moved outwards."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: Rect) -> bool:
        """True if `other` lies wholly in this box."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def apart(self, other: Rect) -> int:
        """The distance between the two boxes, along the axis where it is larger; negative if they overlap."""
        across = max(self.left - other.right, other.left - self.right)
        return max(across, max(self.top - other.bottom, other.top - self.bottom)) - 1

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the box, for indexing."""
        return slice(max(0, self.top), self.bottom + 1), slice(max(0, self.left), self.right + 1)
