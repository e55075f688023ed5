"""The account of a picture of shapes: every drawn pixel must belong to something that was recognised.

A picture that is not ours may use our inks for other things (black outlines look like letters, a star like a covered
square), or show things that this reader does not know. If one pixel is not explained, the picture cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import CONTAINER, FIRST_COLOUR, LAST_COLOUR, Ink
from counterbench.judges.pixels.marks import Letter, Pointer
from counterbench.judges.pixels.rects import Rect
from counterbench.judges.pixels.regions import Region
from counterbench.palette import ARROW_RGB, COLOUR_RGB, OUTLINE_RGB, RGB

# The largest distance by rounding, in a channel, of a blend of two inks from the straight line between them.
_ROUNDING = 2.0
# The reach of an ink's blends in pixels.
_BLENDS = 2


def account(ink: Ink, regions: list[Region], letters: Iterable[Letter], arrow: Pointer | None) -> None:
    """CannotRead if a drawn pixel belongs to none of these.

    Fills belong to regions and the container's ink to its frame, if those could be read at all. The other pixels are
    outlines, letters, the arrow, and the blends of each with one of the grounds under it.
    """
    drawn = _Drawn(ink)
    background = (ink.background,) * 3
    for region in regions:
        others = [other for other in regions if other is not region and region.meets(other, ink.drawn)]
        if not region.exact and not others:
            raise CannotRead(f"the {region.colour} patch is of no known kind, and nothing covers it")
        # If one shape covers another, an outline lies on a fill, or is visible although its own fill is covered.
        around = drawn.around(region, region.outline + max((other.outline for other in others), default=0))
        for ground in (background, *{COLOUR_RGB[r.colour] for r in (region, *others)}):
            drawn.explain(around, OUTLINE_RGB, ground)
    for letter in letters:
        drawn.explain(drawn.within(letter.box.spread(_BLENDS)), letter.ink, letter.ground)
    if arrow is not None:
        near = drawn.within(arrow.box)
        drawn.explain(
            near[arrow.near[drawn.ys[near] - arrow.box.top, drawn.xs[near] - arrow.box.left]], ARROW_RGB, background
        )
    if left := int(drawn.open.sum()):
        raise CannotRead(f"{left} pixels belong to no shape, letter, container or arrow")


class _Drawn:
    """The drawn pixels without fills and container: places in the crop, colours, and those still unexplained."""

    def __init__(self, ink: Ink) -> None:
        fill = (ink.kinds - np.uint8(FIRST_COLOUR)) < LAST_COLOUR  # 0 wraps round to 255
        self.ys, self.xs = np.nonzero(ink.drawn & ~fill & (ink.kinds != CONTAINER))
        self._rgb = ink.rgb[self.ys, self.xs].astype(np.float32)
        self.open = np.ones(len(self.ys), np.bool_)

    def within(self, box: Rect) -> NDArray[np.intp]:
        """The unexplained pixels in a box."""
        start, stop = np.searchsorted(self.ys, (box.top, box.bottom + 1))
        xs = self.xs[start:stop]
        places: NDArray[np.intp] = np.flatnonzero(self.open[start:stop] & (xs >= box.left) & (xs <= box.right)) + start
        return places

    def around(self, region: Region, reach: int) -> NDArray[np.intp]:
        """The unexplained pixels beside a region's fill, no further away than `reach`."""
        near = self.within(region.fill.spread(reach))
        return near[region.surrounds(self.xs[near], self.ys[near], reach)]

    def explain(self, which: NDArray[np.intp], ink: RGB, ground: RGB) -> None:
        """Mark pixels as explained that are the ink, or a blend of it with the ground."""
        start, step = np.array(ink, np.float32), np.array(ground, np.float32) - np.array(ink, np.float32)
        off = self._rgb[which] - start
        share = np.clip(off @ step / (step @ step), 0, 1)
        self.open[which[(np.abs(off - share[:, None] * step) <= _ROUNDING).all(axis=1)]] = False
