"""Finds the shapes in a picture: turns the ink of each pixel into a list of `Region`, with kind, colour and place.

Ink (`Ink`) is the picture as numbers, with one for each exact colour of our pictures. A fill is the coloured inside of
a shape, and a patch (`_Patch`) a connected piece of one fill colour. `read_regions` is the main function: `_patches`
finds the pieces and joins those of one shape, which a letter or a shape in front may have split; `_region` measures
each.

The kind (circle, square, …) is found from the left and the right edge of each row. CannotRead is raised where a piece
may be one shape or two, or of no kind that we draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from counterbench.judges.pixels.ink import FIRST_COLOUR, LAST_COLOUR, LIGHT, CannotRead, Ink, Mask, Rect, box_at, box_of
from counterbench.palette import COLOURS, Colour, ShapeKind

# The most pieces that are read, far more than in any of our pictures: every piece is compared with every other.
_MAX_PATCHES = 500
# The smallest ratio of height to width, or of width to height, of all kinds: a slim diamond has two thirds.
_MIN_HIGH, _MIN_WIDE = 0.9, 0.6
# A smaller patch that belongs to nothing larger is neither taken for a shape nor ignored: the picture is refused.
_MIN_AREA = 5
_NO_EDGE = 1 << 20  # stands for an edge in a row without pixels: farther to the right than any
# A shape is of a kind if its edges are, on average, no further from the kind's than this share of the width and this
# part of a pixel together. The kinds differ from one another by 0.1 of the width or more.
_STRAY_SHARE, _STRAY_PIXEL = 0.03, 0.2
_CLEARER_BY = 2  # the edges of the second best kind must be so many times as far away as those of the best
# The largest mean distance, in pixels, of the edges of a shape that nothing covers.
_EXACT_PIXELS = 0.6
_KINDS: tuple[ShapeKind, ...] = ("circle", "square", "triangle", "diamond")


@dataclass(frozen=True)
class Region:
    """A visible shape. All places are in pixels of the crop, the part of the picture that is read (see `Ink`).

    `kind` is None if so much of it is covered that the outline is unclear. `exact`: True if its outline is the kind's
    in every row, as it is if nothing covers it. `fill` is the box of its colour, `box` the same with the outline.
    `rows`, (n + 2, 3), has the y, first x and last x of each of the fill's n rows, then of the shape's top and bottom
    end.
    """

    colour: Colour
    kind: ShapeKind | None
    exact: bool
    box: Rect
    fill: Rect
    rows: NDArray[np.int64]

    @property
    def size(self) -> int:
        """The longer side of the box."""
        return max(self.box.right - self.box.left, self.box.bottom - self.box.top)

    def distance(self, left: float, top: float, right: float, bottom: float) -> float:
        """The distance of this shape from a box, or from a point given as a box."""
        y, first, last = self.rows.T
        across = np.maximum(0, np.maximum(left - last, first - right))
        return float(np.hypot(across, np.maximum(0, np.maximum(top - y, y - bottom))).min())

    @cached_property
    def outline(self) -> int:
        """The width of the outline around the fill, blends included."""
        return 1 + max(abs(a - b) for a, b in zip(self.box, self.fill, strict=True))

    def meets(self, other: Region, drawn: NDArray[np.bool_]) -> bool:
        """True if the two share an outline: no background lies between them where their fills are nearest.

        `drawn`: a mask of the crop, (height, width), see `Ink`.
        """
        reach = self.outline + other.outline
        if self.fill.gap(other.fill) > reach:
            return False
        (y, first, last), (v, start, end) = self.rows[:-2].T, other.rows[:-2].T
        # The two rows that are nearest to each other: number i of this shape, number j of the other.
        across = np.maximum(first[:, None] - end, start - last[:, None])
        i, j = np.unravel_index(np.maximum(across, np.abs(y[:, None] - v)).argmin(), across.shape)
        near = min(max(start[j], first[i]), last[i])
        opposite = min(max(near, start[j]), end[j])
        line = _on_line(drawn, (y[i], near), (v[j], opposite))
        return len(line) <= reach and bool(line.all())

    def surrounds(self, xs: NDArray[np.intp], ys: NDArray[np.intp], reach: int) -> NDArray[np.bool_]:
        """A mask (N,) of the points beside the fill, no further away than `reach`; none may be further above or below.

        `xs`, `ys` (N,): the columns and rows of the points in the crop.
        """
        y, first, last = self.rows[:-2].T
        # For each row the left edge and, with its sign changed, the right one; `outer` is `reach` pixels further out.
        edges = np.full((2, self.fill.bottom - self.fill.top + 1 + 4 * reach), _NO_EDGE)
        edges[:, y - self.fill.top + 2 * reach] = first, -last
        inner = edges[:, reach:-reach]
        outer = ndimage.minimum_filter1d(edges, 2 * reach + 1, axis=1)[:, reach:-reach] - reach
        rows, sides = ys - self.fill.top + reach, np.stack((xs, -xs))
        within: NDArray[np.bool_] = (sides >= outer[:, rows]).all(axis=0) & (sides <= inner[:, rows]).any(axis=0)
        return within


def read_regions(ink: Ink) -> list[Region]:
    """Every visible shape of a picture; CannotRead if a patch of colour may be no shape, or part of another."""
    return [_region(ink, patch) for patch in _patches(ink)]


def _region(ink: Ink, patch: _Patch) -> Region:
    """Measure a patch of one colour: its kind, boxes and rows; CannotRead if it is no shape of a known kind."""
    colour = COLOURS[patch.number - FIRST_COLOUR]
    if patch.area < _MIN_AREA:
        raise CannotRead(f"a {colour} speck of {patch.area} pixels: too little to call it a shape, or to pass over")
    rows, first, last = _row_ends(patch.mask)  # in pixels from the patch's corner
    kind, exact = _kind_of(first, last) if len(rows) == patch.mask.shape[0] else (None, False)
    holed = not exact or int((last - first + 1).sum()) > patch.area
    # Whole shapes of all kinds are convex: holes must be covered by something that is drawn, as by a letter.
    if holed and not ink.drawn[patch.fill.slices][_convex_hull(patch.mask)].all():
        raise CannotRead(f"background shows through a {colour} patch: it is no shape of a known kind")
    spans = np.stack((rows + patch.fill.top, first + patch.fill.left, last + patch.fill.left), axis=1)
    box = _box_with_outline(ink, patch.fill, spans)
    width, height = patch.fill.size
    # All but slim shapes are as wide as high; `_box_with_outline` measures a little less of a triangle's foot.
    if kind is not None and not _is_slim(width, height):
        missing_width = (box.bottom - box.top) - (box.right - box.left)
        across, down = max(0, missing_width) // 2, max(0, -missing_width) // 2
        box = Rect(box.left - across, box.top - down, box.right + across, box.bottom + down)
    outline_rows = [(box.top, *spans[0, 1:]), (box.bottom, *spans[-1, 1:])]
    return Region(colour, kind, exact, box, patch.fill, np.concatenate((spans, outline_rows)))


def _box_with_outline(ink: Ink, fill: Rect, spans: NDArray[np.int64]) -> Rect:
    """The fill's box and the outline around it, measured outwards from the middle of each extreme of its rows.

    `spans` (n, 3): the y, first x and last x of each of the fill's rows, in pixels of the crop.
    """
    y, first, last = spans.T
    x_top, x_bottom = int(first[0] + last[0]) // 2, int(first[-1] + last[-1]) // 2
    y_left, y_right = _middle(y[first == fill.left]), _middle(y[last == fill.right])
    return Rect(
        fill.left - _outline_width(ink, (y_left, slice(0, fill.left)), -1),
        fill.top - _outline_width(ink, (slice(0, fill.top), x_top), -1),
        fill.right + _outline_width(ink, (y_right, slice(fill.right + 1, None)), 1),
        fill.bottom + _outline_width(ink, (slice(fill.bottom + 1, None), x_bottom), 1),
    )


def _middle(rising: NDArray[np.int64]) -> int:
    """The median of numbers (n,) in rising order, rounded down."""
    return int(rising[(len(rising) - 1) // 2] + rising[len(rising) // 2]) // 2


def _outline_width(ink: Ink, line: tuple[int | slice, int | slice], step: int) -> int:
    """The width of the outline along a line of pixels, an index (y, x) with one slice: drawn pixels without an ink.

    `step`: 1 if the fill lies before the line's first pixel, -1 if it lies after its last.
    """
    outline = (ink.drawn[line] & (ink.kinds[line] == 0))[::step]
    return int(outline.argmin()) if not outline.all() else len(outline)


def _kind_of(first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[ShapeKind | None, bool]:
    """The kind of a fill, and True if its outline is exact; None and False if it is of no kind.

    `first`, `last` (height,): the first and last pixel of each row of the fill, in columns of its own box.
    """
    height, width = len(first), int(last.max()) + 1
    if _is_slim(width, height):
        # Its points are so sharp that a few rows have no pixel that is wholly covered: the first that has is one or two
        # pixels wide.
        tip, rows = (2 - width % 2) / width, np.arange(height)
        spans = tip + (1 - tip) * np.minimum(rows, rows[::-1]) / max(1, (height - 1) // 2)
        stray = float(_mean_stray(first, last, spans))
        fits = stray <= _STRAY_SHARE + _STRAY_PIXEL / width
        return ("diamond", stray * width <= _EXACT_PIXELS) if fits else (None, False)
    if abs(height - width) > 2 + max(height, width) // 16:
        return None, False
    strays = dict(zip(_KINDS, _mean_stray(first, last, _lengths(height, width)).tolist(), strict=True))
    best, second = sorted(strays, key=lambda kind: strays[kind])[:2]
    clear = strays[best] <= _STRAY_SHARE + _STRAY_PIXEL / width and strays[second] >= _CLEARER_BY * strays[best]
    return (best, strays[best] * width <= _EXACT_PIXELS) if clear else (None, False)


def whole_kind(mask: Mask) -> ShapeKind | None:
    """The kind of a fill without holes that has the outline of a kind in every row; None of any other.

    `mask`: the fill in its own box, (height, width).
    """
    rows, first, last = _row_ends(mask)
    kind, exact = _kind_of(first, last) if len(rows) == mask.shape[0] else (None, False)
    return kind if exact and int((last - first + 1).sum()) == int(mask.sum()) else None


def _is_slim(width: int, height: int) -> bool:
    """True if a shape's sides are those of a diamond that is two thirds as wide as high."""
    return abs(2 * height - 3 * width) <= 3 + 3 * max(height, width) // 16


@lru_cache(maxsize=256)
def _lengths(height: int, width: int) -> NDArray[np.float64]:
    """The lengths of the rows of each of `_KINDS` in a box of that size, (4, height), as shares of its width."""
    top, middle, bottom = ((np.arange(height) + part) / height for part in (0.125, 0.5, 0.875))
    pixel = 1 / width
    # Only pixels that are wholly covered count. A circle has fewer of them than by its width; a triangle has lost its
    # point, and is wider in every row than by its height.
    around = 2 * np.sqrt(np.minimum(top - top**2, bottom - bottom**2))
    circle, triangle = (2 * np.floor((around * width + 1) / 2) - 1) * pixel, np.minimum(1, middle + pixel / 2)
    return np.stack((circle, np.ones(height), triangle, 1 - np.abs(2 * middle - 1)))


def _mean_stray(first: NDArray[np.int64], last: NDArray[np.int64], spans: NDArray[np.float64]) -> Any:
    """The mean distance of a fill's edges from those of rows of given lengths (the stray), as a share of the width.

    `first`, `last` (height,): as in `_kind_of`. `spans` (height,) or (K, height): the lengths of the rows as shares of
    the width, for K kinds; the result is a number or (K,).
    """
    width = int(last.max()) + 1
    left, right = first / width, (last + 1) / width
    return (np.abs(left - (1 - spans) / 2) + np.abs(right - (1 + spans) / 2)).mean(axis=-1) / 2


@dataclass(frozen=True)
class _Patch:
    """A connected piece of one fill colour."""

    number: int  # of its ink (see `Ink.kinds`)
    fill: Rect  # its box
    mask: Mask  # its pixels in that box
    area: int  # their number

    @cached_property
    def is_whole(self) -> bool:
        """True if the patch has the outline of a kind in every row."""
        return whole_kind(self.mask) is not None


def _patches(ink: Ink) -> list[_Patch]:
    """One patch for each visible shape; CannotRead if two pieces may be one shape or two."""
    labels, count = ndimage.label(ink.fills, np.ones((3, 3)))
    if count > _MAX_PATCHES:
        raise CannotRead(f"{count} patches of colour: too many to be shapes")
    patches: dict[int, list[_Patch]] = {}
    for i, place in enumerate(ndimage.find_objects(labels), 1):
        piece_mask = labels[place] == i
        inks = ink.kinds[place][piece_mask]
        number = int(inks[0])
        if (inks != number).any():
            raise CannotRead("two colours meet without an outline between them")
        patches.setdefault(number, []).append(_Patch(number, box_at(place), piece_mask, len(inks)))
    lettered = bool((ink.kinds >= LIGHT).any())
    shape_patches: list[_Patch] = []
    for pieces in patches.values():
        shape_pieces = _without_counters(ink, pieces) if lettered and len(pieces) > 1 else pieces
        shape_patches += _joined_pieces(ink, shape_pieces)
    return shape_patches


def _without_counters(ink: Ink, pieces: list[_Patch]) -> list[_Patch]:
    """The pieces without the counters (the spaces that an A or B encloses) of a letter on a larger piece."""
    letters = []
    for piece in pieces:
        mask = ink.kinds[piece.fill.slices] >= LIGHT
        if mask.any():
            letters.append(box_of(mask).moved(piece.fill.left, piece.fill.top))
    return [p for p in pieces if not any(letter.holds(p.fill) for letter in letters)]


def _joined_pieces(ink: Ink, pieces: list[_Patch]) -> list[_Patch]:
    """The pieces of one colour, as one patch for each shape: a shape in front may have split it."""
    groups: list[list[_Patch]] = []
    for piece in sorted(pieces, key=lambda p: -p.area):
        touching = [g for g in groups if any(_are_one_shape(ink, piece, other) for other in g)]
        groups = [g for g in groups if g not in touching] + [[piece, *(p for g in touching for p in g)]]
    return [g[0] if len(g) == 1 else _merged(g) for g in groups]


def _merged(group: list[_Patch]) -> _Patch:
    """Several patches of one colour as one, in the box around them."""
    lefts, tops, rights, bottoms = zip(*(p.fill for p in group), strict=True)
    box = Rect(min(lefts), min(tops), max(rights), max(bottoms))
    mask = np.zeros(box.size[::-1], np.bool_)
    for patch in group:
        y, x = patch.fill.top - box.top, patch.fill.left - box.left
        mask[y : y + patch.mask.shape[0], x : x + patch.mask.shape[1]] |= patch.mask
    return _Patch(group[0].number, box, mask, sum(patch.area for patch in group))


def _are_one_shape(ink: Ink, a: _Patch, b: _Patch) -> bool:
    """True if two pieces of one colour are one shape behind another; CannotRead if one may lie on the other."""
    if a.is_whole and b.is_whole:  # no covering leaves two pieces that each have the outline of a kind
        return False
    # All kinds are convex, so the convex hull of both shows no background.
    if not _has_no_gap(ink, a, b):
        return False
    merged = _merged([a, b])
    is_drawn = ink.drawn[merged.fill.slices][_convex_hull(merged.mask)]
    if not is_drawn.all() or not _may_be_whole_kind(ink, merged.fill):
        return False
    # A shape that splits another borders on both pieces, at most its own outline away.
    if all(_borders_on_another(ink, piece, reach=4 + ink.side // 40) for piece in (a, b)):
        return True
    raise CannotRead(f"two {COLOURS[merged.number - FIRST_COLOUR]} patches touch: one shape or two?")


def _borders_on_another(ink: Ink, patch: _Patch, reach: int) -> bool:
    """True if a fill of another colour lies within reach of a patch."""
    kinds = ink.kinds[patch.fill.spread(reach).slices]
    return bool(((kinds != patch.number) & (kinds >= FIRST_COLOUR) & (kinds <= LAST_COLOUR)).any())


def _may_be_whole_kind(ink: Ink, fill: Rect) -> bool:
    """True if a fill is not too low or too narrow for any kind, when what is drawn beside it may cover more of it."""
    width, height = fill.size
    rows, columns = fill.slices
    if width > height:
        across, first, last = ink.drawn[:, columns], fill.top, fill.bottom
    else:
        across, first, last = ink.drawn[rows].T, fill.left, fill.right
    line = np.asarray(across.any(axis=1))
    before, after = line[:first][::-1], line[last + 1 :]  # the crop's rim is background: both end with False
    shorter = last - first + 1 + int(before.argmin()) + int(after.argmin())
    return shorter >= (_MIN_HIGH * width if width > height else _MIN_WIDE * height)


def _has_no_gap(ink: Ink, a: _Patch, b: _Patch) -> bool:
    """True if no background lies between the middles of two pieces, on a straight line: a cheap first test."""
    points = []
    for patch in (a, b):
        ys, xs = np.nonzero(patch.mask)
        nearest = np.argmin((ys - ys.mean()) ** 2 + (xs - xs.mean()) ** 2)  # the pixel nearest to the middle
        points.append((patch.fill.top + ys[nearest], patch.fill.left + xs[nearest]))
    return bool(_on_line(ink.drawn, *points).all())


def _on_line(mask: Mask, start: tuple[int, int], end: tuple[int, int]) -> Mask:
    """The values (N,) of a mask (height, width) on the straight line between two pixels (y, x), both included."""
    steps = int(np.abs(np.subtract(start, end)).max()) + 1
    values: Mask = mask[tuple(np.linspace(start, end, steps).round().astype(int).T)]
    return values


def _convex_hull(mask: Mask) -> Mask:
    """The pixels whose middles lie in the convex hull of the middles of a mask's pixels.

    The mask, which must not be empty, and the result are (height, width).
    """
    rows, first, last = _row_ends(mask)
    every = np.arange(mask.shape[0])
    left = np.interp(every, *_lower_chain(rows, first))
    right = -np.interp(every, *_lower_chain(rows, -last))
    columns = np.arange(mask.shape[1])
    # Slightly wider, so that rounding never drops a pixel on the edge itself.
    inside: Mask = (columns >= left[:, None] - 1e-9) & (columns <= right[:, None] + 1e-9)
    return inside


def _row_ends(mask: Mask) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The rows (R,) of a mask (height, width) that have pixels, and the first and last column (R,) of each."""
    rows = np.flatnonzero(mask.any(axis=1))
    return rows, mask[rows].argmax(axis=1), mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)


def _lower_chain(rows: NDArray[np.int64], values: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """The lower half of the convex hull of the points (row, value): the rows and the values of its corners.

    `rows`, `values` (R,); the rows rise.
    """
    chain: list[tuple[int, int]] = []
    for p in zip(rows.tolist(), values.tolist(), strict=True):
        while len(chain) > 1 and _cross_product(chain[-2], chain[-1], p) <= 0:
            chain.pop()
        chain.append(p)
    return [p[0] for p in chain], [p[1] for p in chain]


def _cross_product(o: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> int:
    """The cross product of the vectors from `o` to `a` and to `b`: positive for a turn to the left."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
