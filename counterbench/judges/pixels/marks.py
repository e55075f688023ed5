"""From ink to marks: letters and the shapes that they belong to, the container's frame, and the arrow with its tip."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.measure import euler_number

from counterbench.judges.pixels.ink import ARROW, CONTAINER, DARK, LIGHT, CannotRead, Ink, Rect, box_at, box_of, grown
from counterbench.judges.pixels.regions import Region
from counterbench.palette import ARROW_RGB, COLOUR_RGB, LABEL_DARK_RGB, LABEL_LIGHT_RGB, RGB

_LETTER_HOLES_NEED = 8  # pixels across below which holes drown in blends
# A letter's shape is this many times nearer to it than any other.
_NEARER = 1.25
_MIN_ARROW = 20  # pixels of an arrow's ink, at least
# The reach of blends around pure ink in pixels.
_BLENDS = 3
# The ink that may lie outside the outline of an ideal arrow, as a share of its head's area (small heads have ragged
# edges), and by how much that share must be larger if the arrow is taken to point the opposite way.
_MAX_STRAY, _CLEARER_BY = 0.22, 0.1


def letter_boxes(ink: Ink) -> list[Rect]:
    """The boxes of all letters, around their pure ink; pieces that lie close together are one letter."""
    mask = ink.kinds >= LIGHT
    if not mask.any():
        return []
    labels, _ = ndimage.label(grown(mask, 2), np.ones((3, 3)))
    return [box_at(place).spread(-2) for place in ndimage.find_objects(labels)]


@dataclass(frozen=True)
class Letter:
    """A letter: its text, the box of its pure ink, the ink, and the colour under it."""

    text: str
    box: Rect
    ink: RGB
    ground: RGB


def read_letters(ink: Ink, boxes: list[Rect], regions: list[Region]) -> dict[int, Letter]:
    """The letter of each lettered region, by the region's index; CannotRead if a letter or its owner is unclear."""
    letters: dict[int, Letter] = {}
    for box in boxes:
        owner, within = _owner_of_letter(box, regions)
        if owner in letters:
            raise CannotRead("a shape has more than one letter")
        ground = COLOUR_RGB[regions[owner].colour] if within else (ink.background,) * 3
        letters[owner] = _read_letter(ink, box, ground)
    return letters


def _owner_of_letter(box: Rect, regions: list[Region]) -> tuple[int, bool]:
    """The index of the region that the letter in a box belongs to, and True if the letter lies on it.

    CannotRead if no region, or more than one, may be meant.
    """
    x, y = box.middle
    under = [i for i, r in enumerate(regions) if r.box.holds(Rect(int(x), int(y), math.ceil(x), math.ceil(y)))]
    if len(under) == 1:
        return under[0], True
    ranked = sorted((r.distance(*box), i) for i, r in enumerate(regions))
    gaps = [d for d, _ in ranked[:2]]
    if under or not gaps or gaps[0] > box.bottom - box.top or (len(gaps) > 1 and gaps[1] < _NEARER * gaps[0]):
        raise CannotRead("it is unclear which shape a letter belongs to")
    return ranked[0][1], False


def _read_letter(ink: Ink, box: Rect, ground: RGB) -> Letter:
    """The letter in a box on a shape of colour `ground`; CannotRead if it is neither A nor B."""
    is_light = bool((ink.kinds[box.slices] == LIGHT).any())
    if is_light and bool((ink.kinds[box.slices] == DARK).any()):
        raise CannotRead("a letter is drawn in two inks")
    rgb = LABEL_LIGHT_RGB if is_light else LABEL_DARK_RGB
    towards = np.array(rgb, np.float64) - ground
    share = (ink.rgb[box.slices] - ground) @ towards / (towards @ towards)
    # Its box may also reach over the outline of its shape: only the part with pure ink is the letter.
    pieces, _ = ndimage.label(share > 0.5, np.ones((3, 3)))
    pure = np.unique(pieces[ink.kinds[box.slices] >= LIGHT])
    pure = pure[pure > 0]
    text = _glyph_text(pieces == pure[0]) if len(pure) == 1 and box.bottom - box.top >= _LETTER_HOLES_NEED else None
    if text is None:
        raise CannotRead("a letter is neither A nor B")
    return Letter(text, box, rgb, ground)


def _glyph_text(glyph: NDArray[np.bool_]) -> str | None:
    """The letter, "A" or "B", that a glyph (height, width) is in any font, by its holes and silhouette; else None."""
    glyph = glyph[glyph.any(axis=1)][:, glyph.any(axis=0)]
    height, width = glyph.shape
    if not 0.6 < width / height < 1.4:
        return None
    first, last = glyph.argmax(axis=1) / width, 1 - glyph[:, ::-1].argmax(axis=1) / width
    holes, pixel = 1 - int(euler_number(glyph, connectivity=2)), 1.5 / width
    if holes == 1:  # A: from a narrow top to two feet, one at each side
        foot = glyph[-1 - height // 8]
        widens = (np.diff(first) <= pixel).all() and (np.diff(last) >= -pixel).all()
        alike = (np.abs(first + last - 1) <= 0.12 + pixel).all()
        feet = np.count_nonzero(np.diff(foot.astype(np.int8), prepend=0) == 1) == 2
        return "A" if widens and alike and feet and last[0] - first[0] < 0.5 else None
    # B: straight on the left, two bows on the right, between them a waist.
    bows, waist = (last[: height // 2].max(), last[height // 2 :].max()), last[height // 3 : -height // 3].min()
    straight = (first <= 0.06 + pixel).all() and last.min() > 0.55
    bowed = max(last[0], last[-1]) < 1 - 1 / width and waist < min(bows)
    return "B" if holes == 2 and straight and bowed else None


@dataclass(frozen=True)
class Frame:
    """The container: the box of its outer edge, and of the space inside its walls."""

    outer: Rect
    inner: Rect


def read_frame(ink: Ink) -> Frame | None:
    """The container, None without one; CannotRead unless it is whole, hollow and rectangular."""
    mask = ink.kinds == CONTAINER
    if not mask.any():
        return None
    outer = box_of(mask)
    frame = mask[outer.slices]
    wall = int(frame[frame.shape[0] // 2].argmin())
    inner = outer.spread(-wall)
    hollow = math.prod(inner.size)
    if wall == 0 or mask[inner.slices].any() or int(frame.sum()) != frame.size - hollow:
        raise CannotRead("the container is not one whole frame")
    return Frame(outer, inner)


@dataclass(frozen=True)
class Pointer:
    """The arrow: its tip (x, y in pixels of the crop), its direction (a unit vector), and its pixels.

    `mask`, the size of `box`: True for the pixels of the arrow and for its blends.
    """

    box: Rect
    mask: NDArray[np.bool_]
    tip: tuple[float, float]
    direction: tuple[float, float]


def read_arrow(ink: Ink, letters: list[Rect]) -> Pointer | None:
    """The arrow, None without one; CannotRead if its ink is not one arrow. Blends of black letters do not count."""
    mask = ink.kinds == ARROW
    for box in letters:
        mask[box.spread(2).slices] = False
    if not mask.any():
        return None
    if int(mask.sum()) < _MIN_ARROW:
        raise CannotRead("a few dark pixels are too little for an arrow")
    box = box_of(mask).spread(_BLENDS)
    box = Rect(max(0, box.left), max(0, box.top), box.right, box.bottom)
    mask = mask[box.slices]
    near = grown(mask, 1)
    # Pure ink, and the blends beside it that are at least half ink: the true ends of the strokes.
    dark = ink.rgb[box.slices].max(axis=2) < (ink.background + ARROW_RGB[0]) / 2
    ys, xs = np.nonzero(near & dark)
    points = np.stack((xs + box.left, ys + box.top), axis=1).astype(np.float64)
    middle = points.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((points - middle).T))
    axis = axes[:, 1]
    along = (points - middle) @ axis
    across = np.abs((points - middle) @ np.array([-axis[1], axis[0]]))
    strays = {sign: _stray_share(sign * along, across) for sign in (1, -1)}
    sign, other = sorted(strays, key=lambda w: strays[w])
    if strays[sign] > _MAX_STRAY or strays[other] - strays[sign] < _CLEARER_BY or np.ptp(along) < 2 * across.max():
        raise CannotRead("the dark strokes are not one arrow with one head")
    ahead = sign * axis
    tip = middle + ahead * (float((sign * along).max()) + 0.5)
    near = grown(near, _BLENDS - 1)
    return Pointer(box, near, (float(tip[0]), float(tip[1])), (float(ahead[0]), float(ahead[1])))


def _stray_share(along: NDArray[np.float64], across: NDArray[np.float64]) -> float:
    """The number of points outside the outline of an arrow that ends at the greatest `along`, over its head's area.

    `along`, `across` (N,): each point's place on the arrow's axis, and its distance from the axis, in pixels.
    """
    # The head is as long as wide and tapers to the tip; the shaft is a quarter as wide.
    half = float(across.max()) + 0.25
    behind = along.max() + 1 - along
    room = np.where(behind <= 2 * half + 1, behind / 2, half / 4) + 1
    return float((across > room).sum()) / (2 * half**2)
