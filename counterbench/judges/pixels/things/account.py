"""The account of a picture of things: every pixel is in a known ink, a blend of those around it, or recognised damage.

A picture that is not ours, or not any more (recompressed, resized, with a sticker on it), has pixels that are neither:
then nothing that its inks seem to say counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import packed_rgb
from counterbench.judges.pixels.rects import Rect
from counterbench.palette import (
    ANCHOR_RGB,
    COLOUR_RGB,
    GLASS_RGB,
    GLOW_RGB,
    LABEL_DARK_RGB,
    OUTLINE_RGB,
    PALE_RGB,
    RGB,
    ROOM_RGB,
    SHADE_RGB,
    UNLIT_RGB,
)

_KNOWN: tuple[RGB, ...] = (
    *COLOUR_RGB.values(),
    *(ANCHOR_RGB, GLASS_RGB, GLOW_RGB, LABEL_DARK_RGB, OUTLINE_RGB, PALE_RGB, ROOM_RGB, SHADE_RGB, UNLIT_RGB),
)
_INKS = np.array(_KNOWN, np.int16)
# The inks that a blend is made of lie within so many pixels; where lines run close together, within the second number.
_EDGE, _CROWDED = 2, 12
# How far rounding may take a channel, or the difference of two, off that of a blend.
_ROUNDING = 4
# A larger share of the pixels than edges and damage can have: not worth a closer look.
_MOST_UNKNOWN = 0.25
# Damage is a block of static, in squares that are such a share of the picture's shorter side, or of a black that
# nothing else is drawn in.
_GRAIN, _BLACK = 1 / 128, packed_rgb((6, 6, 6))

Points = NDArray[np.intp]


def find_damage(packed: NDArray[np.uint32]) -> list[Rect]:
    """The blocks of a picture that are garbled or blacked out; CannotRead if anything else is not accounted for.

    `packed` are its pixels, (height, width), as `pack` gives them.
    """
    flat = packed.ravel()
    drawn = np.flatnonzero(flat != _background(packed))
    values = flat[drawn]
    own = np.zeros(len(drawn), np.uint32)
    for number, rgb in enumerate(_KNOWN, 1):
        own[values == packed_rgb(rgb)] = 1 << number
    inks = np.ones(packed.shape, np.uint32)  # of each pixel the bit of its ink; the first is the background's
    inks.ravel()[drawn] = own
    open_ = drawn[own == 0]
    if len(open_) > _MOST_UNKNOWN * packed.size:
        raise CannotRead("much of the picture has no known ink")
    near = _near(inks, open_, _EDGE)
    blocks = _blocks(packed, open_[near == 0])
    for block in blocks:
        outside = ~_within(open_, block, packed)
        open_, near = open_[outside], near[outside]
    left = int((near == 0).sum())
    if not left:
        open_ = open_[~_blended(flat[open_], near)]
    if not left and len(open_):
        left = int((~_blended(flat[open_], _near(inks, open_, _CROWDED))).sum())
    if left:
        raise CannotRead(f"{left} pixels have no known ink, and are no blend of those beside them")
    return blocks


def _background(packed: NDArray[np.uint32]) -> np.uint32:
    """The commonest colour along the picture's edges: damage may lie in a corner."""
    edges = np.concatenate((packed[0], packed[-1], packed[:, 0], packed[:, -1]))
    colours, counts = np.unique(edges, return_counts=True)
    return colours[counts.argmax()]  # type: ignore[no-any-return]


def _near(inks: NDArray[np.uint32], points: Points, reach: int) -> NDArray[np.uint32]:
    """The inks within so many pixels of each point, as bits."""
    near = np.zeros(len(points), np.uint32)
    for down in range(-reach, reach + 1):
        row = points + (down * inks.shape[1] + np.arange(-reach, reach + 1))[:, None]
        near |= np.bitwise_or.reduce(np.take(inks, row, mode="clip"), axis=0)
    return near


def _blended(values: NDArray[np.uint32], near: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether each colour may be a blend of two inks near it or more, or of a thing's with that of a thin dark line.

    Background, black and transparency are grey: differences of a blend's channels lie between 0 and those of its inks.
    """
    kinds, kind = np.unique(near, return_inverse=True)
    has = (kinds[:, None] >> np.arange(1, len(_KNOWN) + 1, dtype=np.uint32) & 1).astype(np.int16)[..., None]
    tints = has * _tint(_INKS)
    colours = values.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int16)
    low, high = tints.min(axis=1).T - _ROUNDING, tints.max(axis=1).T + _ROUNDING
    fits = np.ones(len(values), np.bool_)
    for tint, least, most in zip(_tint(colours).T, low, high, strict=True):
        fits &= (tint >= least[kind]) & (tint <= most[kind])
    alone = np.flatnonzero(near & (near - np.uint32(1)) == 0)
    line = (has * (_INKS - np.array(OUTLINE_RGB))).sum(axis=1)[kind[alone]]  # of the only ink; nothing for background
    off = colours[alone] - np.array(OUTLINE_RGB)
    share = (off * line).sum(axis=1) / np.maximum(1, (line**2).sum(axis=1))
    fits[alone] &= (near[alone] > 1) & (np.abs(off - share[:, None] * line) <= _ROUNDING).all(axis=1)
    return fits


def _tint(rgb: NDArray[np.int16]) -> NDArray[np.int16]:
    """The differences of the channels: nothing for greys."""
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return np.stack((red - green, green - blue, red - blue), axis=-1)


def _blocks(packed: NDArray[np.uint32], wide: Points) -> list[Rect]:
    """The blocks of damage around points that have no known ink near; what is no such block is left out."""
    if not len(wide):
        return []
    mask = np.zeros(packed.shape, np.bool_)
    mask.ravel()[wide] = True
    labels, _ = ndimage.label(mask)
    found = []
    for rows, columns in ndimage.find_objects(labels):
        box = Rect(columns.start, rows.start, columns.stop - 1, rows.stop - 1).spread(_EDGE)
        block = packed[box.slices]
        grain = _GRAIN * min(packed.shape)
        if (block == _BLACK).all() or (_in_squares(block, grain) and _in_squares(block.T, grain)):
            found.append(box)
    return found


def _in_squares(block: NDArray[np.uint32], side: float) -> bool:
    """Whether the rows change every `side` pixels, which need not be whole, and not between; the last may be cut."""
    starts = np.flatnonzero(np.concatenate(([True], (block[1:] != block[:-1]).any(axis=1))))
    return bool((np.abs(np.diff(starts) - side) < 1).all() and len(block) - starts[-1] < side + 1)


def _within(points: Points, box: Rect, packed: NDArray[np.uint32]) -> NDArray[np.bool_]:
    ys, xs = np.divmod(points, packed.shape[1])
    inside: NDArray[np.bool_] = (ys >= box.top) & (ys <= box.bottom) & (xs >= box.left) & (xs <= box.right)
    return inside
