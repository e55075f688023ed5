"""Ink to marks: letters and whose they are, the container's frame, the arrow with its tip."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.measure import euler_number

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import ARROW, CONTAINER, DARK, LIGHT, Ink
from counterbench.judges.pixels.rects import Rect
from counterbench.judges.pixels.regions import Region
from counterbench.palette import COLOUR_RGB, LABEL_DARK_RGB, LABEL_LIGHT_RGB

# By topology alone: connected pieces less holes. Only A and B occur; other letters share these numbers.
_LETTERS = {0: "A", -1: "B"}
_LETTER_HOLES_NEED = 8  # pixels across below which holes drown in blends
_LEAST_ARROW = 20
# Share of pixels that may lie beside where an arrow has them, and share of the head that must be there.
_STRAY, _HEAD_FULL = 0.02, 0.5


def letter_boxes(ink: Ink) -> list[Rect]:
    """The boxes of all letters, by their pure ink; pieces of one letter lie closer than letters do."""
    mask = ink.kinds >= LIGHT
    if not mask.any():
        return []
    grown = ndimage.binary_dilation(mask, np.ones((5, 5)))
    labels, _ = ndimage.label(grown, np.ones((3, 3)))
    return [
        Rect(columns.start + 2, rows.start + 2, columns.stop - 3, rows.stop - 3)
        for rows, columns in ndimage.find_objects(labels)
    ]


def read_letters(ink: Ink, boxes: list[Rect], regions: list[Region]) -> dict[int, str]:
    """The letter of each lettered region, by the region's index; CannotRead where a letter or its owner is unclear."""
    letters: dict[int, str] = {}
    for box in boxes:
        owner, within = _owner(box, regions)
        if owner in letters:
            raise CannotRead("a shape has more than one letter")
        ground = COLOUR_RGB[regions[owner].colour] if within else (ink.background,) * 3
        letters[owner] = _letter(ink, box, np.array(ground, np.float64))
    return letters


def _owner(box: Rect, regions: list[Region]) -> tuple[int, bool]:
    """Which region a letter belongs to, and whether it lies on it: the one it is on, or by far the nearest."""
    x, y = box.middle
    on = [i for i, r in enumerate(regions) if r.box.holds(Rect(int(x), int(y), math.ceil(x), math.ceil(y)))]
    if len(on) == 1:
        return on[0], True
    ranked = sorted((_distance(box, r.box), i) for i, r in enumerate(regions))
    near = [d for d, _ in ranked[:2]]
    if on or not near or near[0] > box.bottom - box.top or (len(near) > 1 and near[1] < 1.25 * near[0] + 1):
        raise CannotRead("it is unclear which shape a letter belongs to")
    return ranked[0][1], False


def _distance(a: Rect, b: Rect) -> float:
    across = max(0, a.left - b.right, b.left - a.right)
    return math.hypot(across, max(0, a.top - b.bottom, b.top - a.bottom))


def _letter(ink: Ink, box: Rect, ground: NDArray[np.float64]) -> str:
    light = bool((ink.kinds[box.slices] == LIGHT).any())
    if light and bool((ink.kinds[box.slices] == DARK).any()):
        raise CannotRead("a letter is drawn in two inks")
    towards = np.array(LABEL_LIGHT_RGB if light else LABEL_DARK_RGB, np.float64) - ground
    share = (ink.rgb[box.spread(2).slices] - ground) @ towards / (towards @ towards)
    topology = int(euler_number(share > 0.5, connectivity=2))
    if topology not in _LETTERS or box.bottom - box.top < _LETTER_HOLES_NEED:
        raise CannotRead("a letter is neither A nor B")
    return _LETTERS[topology]


@dataclass(frozen=True)
class Frame:
    """The container: the box of its outer edge, and of the space inside its walls."""

    outer: Rect
    inner: Rect


def read_frame(ink: Ink) -> Frame:
    """The container; CannotRead unless the picture shows exactly one, whole, hollow and rectangular."""
    mask = ink.kinds == CONTAINER
    if not mask.any():
        raise CannotRead("the picture shows no container", "match")
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    outer = Rect(int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1]))
    frame = mask[outer.slices]
    wall = int(frame[frame.shape[0] // 2].argmin())
    inner = Rect(outer.left + wall, outer.top + wall, outer.right - wall, outer.bottom - wall)
    hollow = (inner.right - inner.left + 1) * (inner.bottom - inner.top + 1)
    if wall == 0 or mask[inner.slices].any() or int(frame.sum()) != frame.size - hollow:
        raise CannotRead("the container is not one whole frame")
    return Frame(outer, inner)


@dataclass(frozen=True)
class Pointer:
    """The arrow: its tip, the direction it points in (a unit vector), and its box."""

    tip: tuple[float, float]
    way: tuple[float, float]
    box: Rect


def read_arrow(ink: Ink, letters: list[Rect]) -> Pointer:
    """The arrow; CannotRead unless the picture shows exactly one. Blends beside black letters are not taken for it."""
    mask = ink.kinds == ARROW
    for box in letters:
        mask[box.spread(2).slices] = False
    ys, xs = np.nonzero(mask)
    if len(xs) < _LEAST_ARROW:
        raise CannotRead("the picture shows no arrow", "match")
    points = np.stack((xs, ys), axis=1).astype(np.float64)
    middle = points.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((points - middle).T))
    axis = axes[:, 1]
    along = (points - middle) @ axis
    beside = np.abs((points - middle) @ np.array([-axis[1], axis[0]]))
    fits = [way for way in (1, -1) if _fits(way * along, beside)]
    if len(fits) != 1:
        raise CannotRead("the dark strokes are not one arrow with one head")
    way = axis * fits[0]
    tip = middle + way * (float((fits[0] * along).max()) + 1)
    box = Rect(int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max()))
    return Pointer((float(tip[0]), float(tip[1])), (float(way[0]), float(way[1])), box)


def _fits(along: NDArray[np.float64], beside: NDArray[np.float64]) -> bool:
    """Whether points are an arrow that ends where `along` is greatest.

    Its head is as long as wide and tapers to the tip, its shaft a quarter as wide; blends at the edge are lost.
    """
    half = float(beside.max()) + 0.5
    behind = along.max() + 1 - along
    head = behind <= 2 * half + 1
    room = np.where(head, behind / 2 + 1, half / 4 + 1)
    full = float(head.sum()) >= _HEAD_FULL * 2 * half**2
    return full and float((beside > room).mean()) <= _STRAY and float(along.max() - along.min()) >= 2 * half
