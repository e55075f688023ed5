"""Ink to patches: connected pieces of one fill colour, joined if they are one shape.

A letter leaves holes and specks in a fill; a shape in front may split it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import FIRST_COLOUR, LAST_COLOUR, LIGHT, Ink, Rect, box_at, box_of
from counterbench.palette import COLOURS

Mask = NDArray[np.bool_]

# Far more than the pieces of any of our pictures; every piece is compared with every other.
_MOST_PATCHES = 500
# The smallest ratio of height to width, or of width to height, of all kinds: a slim diamond has two thirds.
_LEAST_HIGH, _LEAST_WIDE = 0.9, 0.6


@dataclass(frozen=True)
class Patch:
    """A connected piece of one fill colour."""

    number: int
    fill: Rect
    own: Mask
    area: int


def read_patches(ink: Ink) -> list[Patch]:
    """One patch for each visible shape; CannotRead if two pieces may be one shape or two."""
    fills = (ink.kinds - np.uint8(FIRST_COLOUR)) < LAST_COLOUR  # 0 wraps round to 255
    labels, count = ndimage.label(fills, np.ones((3, 3)))
    if count > _MOST_PATCHES:
        raise CannotRead(f"{count} patches of colour: too many to be shapes")
    patches: dict[int, list[Patch]] = {}
    for i, place in enumerate(ndimage.find_objects(labels), 1):
        own = labels[place] == i
        inks = ink.kinds[place][own]
        number = int(inks[0])
        if (inks != number).any():
            raise CannotRead("two colours meet without an outline between them")
        patches.setdefault(number, []).append(Patch(number, box_at(place), own, len(inks)))
    lettered = bool((ink.kinds >= LIGHT).any())
    whole: list[Patch] = []
    for pieces in patches.values():
        bare = _without_counters(ink, pieces) if lettered and len(pieces) > 1 else pieces
        whole += _joined(ink, bare)
    return whole


def _without_counters(ink: Ink, pieces: list[Patch]) -> list[Patch]:
    """The pieces without the counters of an A or B, which a letter on a larger piece encloses."""
    letters = []
    for piece in pieces:
        mask = ink.kinds[piece.fill.slices] >= LIGHT
        if mask.any():
            letters.append(box_of(mask).moved(piece.fill.left, piece.fill.top))
    return [p for p in pieces if not any(letter.holds(p.fill) for letter in letters)]


def _joined(ink: Ink, pieces: list[Patch]) -> list[Patch]:
    """Pieces of one colour, with those joined that a shape in front has split.

    All kinds are convex: two pieces belong to one shape only if the convex hull of both shows no background, and if
    both border on a fill of another colour, which is in front. Otherwise one may lie on the other: CannotRead.
    """
    groups: list[list[Patch]] = []
    for piece in sorted(pieces, key=lambda p: -p.area):
        home = [g for g in groups if any(_one_shape(ink, piece, other) for other in g)]
        groups = [g for g in groups if g not in home] + [[piece, *(p for g in home for p in g)]]
    return [g[0] if len(g) == 1 else _merged(g) for g in groups]


def _merged(group: list[Patch]) -> Patch:
    box = Rect(
        min(p.fill.left for p in group),
        min(p.fill.top for p in group),
        max(p.fill.right for p in group),
        max(p.fill.bottom for p in group),
    )
    own = np.zeros(box.size[::-1], np.bool_)
    for p in group:
        y, x = p.fill.top - box.top, p.fill.left - box.left
        own[y : y + p.own.shape[0], x : x + p.own.shape[1]] |= p.own
    return Patch(group[0].number, box, own, sum(p.area for p in group))


def _one_shape(ink: Ink, a: Patch, b: Patch) -> bool:
    """True if two pieces of one colour are one shape behind another; CannotRead if that is unclear."""
    if not _crowded(ink, a, b):
        return False
    both = _merged([a, b])
    shown = ink.drawn[both.fill.slices][hull(both.own)]
    if not shown.all() or not _as_high_as_wide(ink, both.fill):
        return False
    # A shape that splits another borders on both pieces, at most its own outline away.
    if all(_borders_on_another(ink, piece, reach=4 + ink.side // 40) for piece in (a, b)):
        return True
    raise CannotRead(f"two {COLOURS[both.number - FIRST_COLOUR]} patches touch: one shape or two?")


def _borders_on_another(ink: Ink, patch: Patch, reach: int) -> bool:
    """True if a fill of another colour lies within reach of a patch."""
    kinds = ink.kinds[patch.fill.spread(reach).slices]
    return bool(((kinds != patch.number) & (kinds >= FIRST_COLOUR) & (kinds <= LAST_COLOUR)).any())


def _as_high_as_wide(ink: Ink, fill: Rect) -> bool:
    """True if a fill is clearly not too slender for any kind, or may be partly behind a drawing next to it."""
    width, height = fill.size
    rows, columns = fill.slices
    if width > height:
        across, first, last = ink.drawn[:, columns], fill.top, fill.bottom
    else:
        across, first, last = ink.drawn[rows].T, fill.left, fill.right
    line = np.asarray(across.any(axis=1))
    before, after = line[:first][::-1], line[last + 1 :]  # the crop's rim is background: both end with False
    shorter = last - first + 1 + int(before.argmin()) + int(after.argmin())
    return shorter >= (_LEAST_HIGH * width if width > height else _LEAST_WIDE * height)


def _crowded(ink: Ink, a: Patch, b: Patch) -> bool:
    """True if the straight line between the middles of the two pieces meets no background: a cheap first test."""
    points = []
    for p in (a, b):
        ys, xs = np.nonzero(p.own)
        nearest = np.argmin((ys - ys.mean()) ** 2 + (xs - xs.mean()) ** 2)
        points.append((p.fill.left + xs[nearest], p.fill.top + ys[nearest]))
    (x0, y0), (x1, y1) = points
    steps = int(max(abs(x1 - x0), abs(y1 - y0))) + 1
    xs, ys = np.linspace(x0, x1, steps).round().astype(int), np.linspace(y0, y1, steps).round().astype(int)
    return bool(ink.drawn[ys, xs].all())


def hull(mask: Mask) -> Mask:
    """The pixels whose middles lie in the convex hull of the middles of a mask's pixels."""
    rows = np.flatnonzero(mask.any(axis=1))
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    every = np.arange(mask.shape[0])
    left = np.interp(every, *_chain(rows, first))
    right = -np.interp(every, *_chain(rows, -last))
    columns = np.arange(mask.shape[1])
    # Slightly wider, so that rounding never drops a pixel on the edge itself.
    inside: Mask = (columns >= left[:, None] - 1e-9) & (columns <= right[:, None] + 1e-9)
    return inside


def _chain(rows: NDArray[np.int64], values: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """The lower convex chain of `values` over `rows`."""
    chain: list[tuple[int, int]] = []
    for p in zip(rows.tolist(), values.tolist(), strict=True):
        while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
            chain.pop()
        chain.append(p)
    return [p[0] for p in chain], [p[1] for p in chain]


def _turn(o: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
