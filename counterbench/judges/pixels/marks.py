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
from counterbench.palette import ARROW_RGB, COLOUR_RGB, LABEL_DARK_RGB, LABEL_LIGHT_RGB

# By topology alone: connected pieces less holes. Only A and B occur; other letters share these numbers.
_LETTERS = {0: "A", -1: "B"}
_LETTER_HOLES_NEED = 8  # pixels across below which holes drown in blends
# A letter's shape is this many times nearer to it than any other.
_NEARER = 1.25
_LEAST_ARROW = 20
# What may lie beside where an arrow has ink, as a share of its head's area (small heads have ragged edges), and how
# much more it must be for an arrow the other way round.
_MOST_STRAY, _CLEARER_BY = 0.22, 0.1


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
    ranked = sorted((r.distance(*box), i) for i, r in enumerate(regions))
    near = [d for d, _ in ranked[:2]]
    if on or not near or near[0] > box.bottom - box.top or (len(near) > 1 and near[1] < _NEARER * near[0]):
        raise CannotRead("it is unclear which shape a letter belongs to")
    return ranked[0][1], False


def _letter(ink: Ink, box: Rect, ground: NDArray[np.float64]) -> str:
    light = bool((ink.kinds[box.slices] == LIGHT).any())
    if light and bool((ink.kinds[box.slices] == DARK).any()):
        raise CannotRead("a letter is drawn in two inks")
    towards = np.array(LABEL_LIGHT_RGB if light else LABEL_DARK_RGB, np.float64) - ground
    share = (ink.rgb[box.spread(2).slices] - ground) @ towards / (towards @ towards)
    # The box may reach over the outline of a shape that the letter is on: only what holds pure ink is the letter.
    pieces, _ = ndimage.label(share > 0.5, np.ones((3, 3)))
    pure = np.unique(pieces[ink.kinds[box.spread(2).slices] >= LIGHT])
    topology = int(euler_number(np.isin(pieces, pure[pure > 0]), connectivity=2))
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
    """The arrow: its tip, and the direction it points in (a unit vector)."""

    tip: tuple[float, float]
    way: tuple[float, float]


def read_arrow(ink: Ink, letters: list[Rect]) -> Pointer:
    """The arrow; CannotRead unless the picture shows exactly one. Blends beside black letters are not taken for it."""
    mask = ink.kinds == ARROW
    for box in letters:
        mask[box.spread(2).slices] = False
    if int(mask.sum()) < _LEAST_ARROW:
        raise CannotRead("the picture shows no arrow", "match")
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = Rect(int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])).spread(1)
    ys, xs = np.nonzero(_half_covered(ink, mask, box))
    points = np.stack((xs + box.left, ys + box.top), axis=1).astype(np.float64)
    middle = points.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((points - middle).T))
    axis = axes[:, 1]
    along = (points - middle) @ axis
    beside = np.abs((points - middle) @ np.array([-axis[1], axis[0]]))
    strays = {way: _stray(way * along, beside) for way in (1, -1)}
    way, other = sorted(strays, key=lambda w: strays[w])
    if strays[way] > _MOST_STRAY or strays[other] - strays[way] < _CLEARER_BY or np.ptp(along) < 2 * beside.max():
        raise CannotRead("the dark strokes are not one arrow with one head")
    ahead = way * axis
    tip = middle + ahead * (float((way * along).max()) + 0.5)
    return Pointer((float(tip[0]), float(tip[1])), (float(ahead[0]), float(ahead[1])))


def _half_covered(ink: Ink, mask: NDArray[np.bool_], box: Rect) -> NDArray[np.bool_]:
    """In a box: pure ink and the blends beside it that are at least half ink: where the strokes really end."""
    dark = ink.rgb[box.slices].max(axis=2) < (ink.background + ARROW_RGB[0]) / 2
    beside: NDArray[np.bool_] = ndimage.binary_dilation(mask[box.slices], np.ones((3, 3))) & dark
    return beside


def _stray(along: NDArray[np.float64], beside: NDArray[np.float64]) -> float:
    """How many points lie where an arrow that ends at the greatest `along` has no ink, as a share of its head's area.

    The head is as long as wide and tapers to the tip; the shaft is a quarter as wide.
    """
    half = float(beside.max()) + 0.25
    behind = along.max() + 1 - along
    room = np.where(behind <= 2 * half + 1, behind / 2, half / 4) + 1
    return float((beside > room).sum()) / (2 * half**2)
