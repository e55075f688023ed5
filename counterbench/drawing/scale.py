"""From a scene's pixels to those of its picture, which may be drawn larger or smaller: exact, in rational numbers."""

import math
from fractions import Fraction
from typing import NamedTuple

from counterbench.scene.geometry import Box

FINE = 4  # supersampling along each axis
HALF = Fraction(1, 2)


class Scale(NamedTuple):
    """Output pixels per scene pixel along each axis, an exact fraction. At 1, everything is as it is."""

    factor: Fraction | int = 1

    def at(self, place: Fraction | int) -> int:
        """The pixel of the picture in which a place of the scene lies; a scene's pixel begins at its whole number."""
        return math.floor(place * self.factor)

    def length(self, pixels: int) -> int:
        """A length in pixels of the picture, at least one."""
        return max(1, round(pixels * self.factor))

    def fine(self, pixels: Fraction | int) -> int:
        """A length in supersampled pixels."""
        return math.floor(pixels * self.factor * FINE)

    def box(self, box: Box) -> Box:
        """A box of the scene in the picture, equally large wherever it lies."""
        left, top = self.at(box.left), self.at(box.top)
        width, height = self.length(box.right - box.left + 1), self.length(box.bottom - box.top + 1)
        return Box(left, top, left + width - 1, top + height - 1)


def scale_of(side: int, own: int) -> Scale:
    """The scale at which `own` pixels become `side`: an integer if it is whole, since that counts faster."""
    return Scale(Fraction(side, own) if side % own else side // own)
