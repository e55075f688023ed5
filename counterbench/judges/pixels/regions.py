"""Patches to shapes: their kind from their outline, their place and size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import FIRST_COLOUR, Ink
from counterbench.judges.pixels.patches import Patch, read_patches
from counterbench.judges.pixels.profiles import profile_kind
from counterbench.judges.pixels.rects import Rect
from counterbench.palette import COLOURS, Colour, ShapeKind

# A smaller patch of a colour that belongs to nothing larger is not called a shape, nor passed over.
_LEAST_AREA = 5


@dataclass(frozen=True)
class Region:
    """A shape as seen. `kind` is None where it is covered so that its outline does not tell; `box` has the outline.

    `edge` is the fill's first and last pixels of every row, as points.
    """

    colour: Colour
    kind: ShapeKind | None
    box: Rect
    fill: Rect
    edge: NDArray[np.int64]

    @property
    def size(self) -> int:
        """The longer side of the box."""
        return max(self.box.right - self.box.left, self.box.bottom - self.box.top)


def read_regions(ink: Ink) -> list[Region]:
    """Every shape that can be seen; CannotRead where that is unclear."""
    return [_region(ink, patch) for patch in read_patches(ink)]


def _region(ink: Ink, patch: Patch) -> Region:
    colour = COLOURS[patch.number - FIRST_COLOUR]
    if patch.area < _LEAST_AREA:
        raise CannotRead(f"a {colour} speck of {patch.area} pixels: too little to call it a shape, or to pass over")
    rows = np.flatnonzero(patch.own.any(axis=1))
    first = patch.own[rows].argmax(axis=1)
    last = patch.own.shape[1] - 1 - patch.own[rows, ::-1].argmax(axis=1)
    kind = profile_kind(first, last) if len(rows) == patch.own.shape[0] else None
    ys = np.concatenate((rows, rows)) + patch.fill.top
    xs = np.concatenate((first, last)) + patch.fill.left
    box = _outlined(ink, patch.fill, xs, ys)
    if kind is not None:  # all four are as wide as high; of a triangle's foot the walk sees a little less
        wider = (box.bottom - box.top) - (box.right - box.left)
        across, down = max(0, wider) // 2, max(0, -wider) // 2
        box = Rect(box.left - across, box.top - down, box.right + across, box.bottom + down)
    return Region(colour, kind, box, patch.fill, np.stack((xs, ys), axis=1))


def _outlined(ink: Ink, fill: Rect, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> Rect:
    """The fill's box and the outline around it, measured outwards from the middle of each extreme of the fill."""
    x_top = int(np.median(xs[ys == fill.top]))
    x_bottom = int(np.median(xs[ys == fill.bottom]))
    y_left = int(np.median(ys[xs == fill.left]))
    y_right = int(np.median(ys[xs == fill.right]))
    return Rect(
        fill.left - _run(ink, (y_left, slice(0, fill.left)), -1),
        fill.top - _run(ink, (slice(0, fill.top), x_top), -1),
        fill.right + _run(ink, (y_right, slice(fill.right + 1, None)), 1),
        fill.bottom + _run(ink, (slice(fill.bottom + 1, None), x_bottom), 1),
    )


def _run(ink: Ink, line: tuple[int | slice, int | slice], step: int) -> int:
    """How many pixels of a line, from its near end, are drawn but in no ink: the outline's."""
    outline = (ink.drawn[line] & (ink.kinds[line] == 0))[::step]
    return int(outline.argmin()) if not outline.all() else len(outline)
