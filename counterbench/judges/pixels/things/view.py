"""The visible content of a picture of things: where each colour is, the walls of the room, glass, light, and damage.

A `View` is made from an image; `thing_reader` and `likeness` ask it for masks (height, width) of an ink, and for the
boxes of things in a colour. An ink is one of the exact colours of our pictures. Damage is a part that a picture was
given on purpose: blurred, cut off, covered, … (`Damage` in `scene/figures`). `find_damage` finds it: outside damage
every pixel is a known ink or a blend of inks near it. A picture that is not ours, or was changed (recompressed,
resized), has other pixels in many places. Then its inks mean nothing, and it is refused with CannotRead.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from counterbench.judges.pixels.ink import CannotRead, Mask, Rect, box_at, box_of, grown, pack, packed_rgb
from counterbench.palette import (
    ANCHOR_RGB,
    COLOUR_RGB,
    GLASS_RGB,
    GLOW_RGB,
    LABEL_DARK_RGB,
    LIQUID_RGB,
    OUTLINE_RGB,
    PALE_RGB,
    RGB,
    ROOM_RGB,
    SHADE_RGB,
    UNLIT_RGB,
)

PixelPlaces = NDArray[np.intp]  # (N,): indices into the pixels of a picture, row by row

# All inks.
_KNOWN: tuple[RGB, ...] = (
    *(*COLOUR_RGB.values(), ANCHOR_RGB, GLASS_RGB, GLOW_RGB, LABEL_DARK_RGB, LIQUID_RGB),
    *(OUTLINE_RGB, PALE_RGB, ROOM_RGB, SHADE_RGB, UNLIT_RGB),
)
_INKS = np.array(_KNOWN, np.int16)
# The two inks of a blend lie within this many pixels of it; where lines are close together, within the second number.
_EDGE, _CROWDED = 2, 12
# The largest error by rounding of a channel, or of the difference of two, of a blend.
_ROUNDING = 4
# If more than this share of the pixels is no ink (at edges, and in damage), the picture is refused at once.
_MAX_UNKNOWN = 0.25
# Damage is in one place, whose width and height are at most this share of the picture's shorter side.
_MAX_DAMAGE_SIDE = 0.32
# Damage spoils at least this share of the picture: fewer pixels are a line that was drawn in another way.
_MIN_DAMAGE = 12 / 512**2
# A place with this share of one colour is no damage but an unknown thing, unless that is halfway between two inks.
_MIN_FLAT = 0.6
_BLACK = packed_rgb((6, 6, 6))  # of damage that covers the picture
# The least number of pixels of a colour that is visible.
_MIN_PIXELS = 12


class View:
    """One picture, in which every pixel is an ink, a blend or damage; CannotRead for any other picture.

    `packed`: its pixels, (height, width), each a number from `pack`. `spoilt`: the box of the damaged place, None if
    there is none.
    """

    def __init__(self, image: Image.Image) -> None:
        self.packed = pack(image)
        self.spoilt = find_damage(self.packed)
        self.height, self.width = self.packed.shape
        self.side = min(self.width, self.height)

    def ink(self, rgb: RGB) -> Mask:
        """The mask (height, width) of the pixels with exactly this colour."""
        mask: Mask = self.packed == packed_rgb(rgb)
        return mask

    def colour(self, name: str) -> Mask:
        """The mask (height, width) of the thing in a colour; CannotRead if there is none.

        `name`: the colour's, or "" for the grey of a shadow.
        """
        mask = self.ink(_rgb_of(name))
        if mask.sum() < _MIN_PIXELS:
            raise CannotRead(f"nothing {name or 'shaded'} is to be seen", "match")
        return mask

    @cached_property
    def colours(self) -> list[str]:
        """The names of the colours that are visible in the picture."""
        return [name for name, rgb in COLOUR_RGB.items() if self.ink(rgb).sum() >= _MIN_PIXELS]

    def has(self, name: str) -> bool:
        """True if anything in a colour, or in the grey of a shadow, is visible.

        CannotRead if nothing is and a part of the picture is damaged: it may have been there.
        """
        visible = bool(self.ink(_rgb_of(name)).sum() >= _MIN_PIXELS)
        if not visible and self.spoilt is not None:
            raise CannotRead(f"nothing {name or 'shaded'} is to be seen, and a part is damaged", "match")
        return visible

    def things(self, name: str) -> list[tuple[int, Rect]]:
        """The things in a colour, the largest first: of each its number of pixels and its box."""
        return things_of(self.colour(name), self.ink(OUTLINE_RGB) | self.ink(GLASS_RGB))

    @cached_property
    def room(self) -> Rect:
        """The space inside floor, ceiling and walls."""
        mask = self.ink(ROOM_RGB)
        if mask.sum() < self.side:
            raise CannotRead("there is no room")
        rows, columns = mask.mean(axis=1) > 0.5, mask.mean(axis=0) > 0.5
        top, bottom = _gap_between_walls(rows)
        left, right = _gap_between_walls(columns)
        return Rect(left, top, right, bottom)


def _rgb_of(colour: str) -> RGB:
    """The RGB values of a colour's name; of "", the grey of a shadow."""
    return COLOUR_RGB[colour] if colour else SHADE_RGB  # type: ignore[index]


def _gap_between_walls(lines: Mask) -> tuple[int, int]:
    """The first and last index between the two walls; CannotRead if there are not two.

    `lines` (N,): of the rows or the columns of a picture, True along walls, floor and ceiling.
    """
    walls = np.flatnonzero(lines)
    gaps = np.flatnonzero(np.diff(walls) > 1)
    if not len(gaps):
        raise CannotRead("the room has no two opposite walls")
    widest = gaps[np.argmax(np.diff(walls)[gaps])]
    return int(walls[widest]) + 1, int(walls[widest + 1]) - 1


def parts(mask: Mask) -> list[Rect]:
    """The boxes of the connected parts of a mask (height, width) that are not specks, largest first."""
    if not mask.any():
        return []
    around = box_of(mask)
    labels, _ = ndimage.label(mask[around.slices], np.ones((3, 3), int))
    return [box for _, box in _boxes_of_labels(labels, around.left, around.top)]


def things_of(mask: Mask, outlines: Mask) -> list[tuple[int, Rect]]:
    """The number of pixels and the box of each thing in a mask, largest first.

    `outlines`: the mask of outlines and glass, which connect the parts of a thing. Both masks are (height, width).
    """
    box = box_of(mask)
    # Outlines join parts of one thing, such as a planet's two halves by its ring; so pixels around the box count, too.
    near = box.spread(2 + max(box.right - box.left, box.bottom - box.top) // 2).slices
    labels, _ = ndimage.label(grown((mask | outlines)[near], 1))
    return _boxes_of_labels(labels * mask[near], near[1].start, near[0].start)


def _boxes_of_labels(labels: NDArray[np.int32], left: int, top: int) -> list[tuple[int, Rect]]:
    """The number of pixels and the box, in the picture, of each label that is not a speck; largest first.

    `labels`: (height, width), 0 for none; its corner is the pixel (left, top) of the picture.
    """
    sizes = np.bincount(labels.ravel())
    things = []
    for label, slices in enumerate(ndimage.find_objects(labels), 1):
        if slices is not None and sizes[label] >= _MIN_PIXELS:
            things.append((int(sizes[label]), box_at(slices).moved(left, top)))
    return sorted(things, key=lambda item: -item[0])


def find_damage(packed: NDArray[np.uint32]) -> Rect | None:
    """The damaged place, with pixels that are neither a known ink nor a blend; None if there is none.

    `packed`: (height, width), from `pack`. CannotRead if there are several, or if it does not look like our damage.
    """
    flat = packed.ravel()
    drawn = np.flatnonzero(flat != _background(packed))
    values = flat[drawn]
    ink_bits = np.zeros(len(drawn), np.uint32)
    for number, rgb in enumerate(_KNOWN, 1):
        ink_bits[values == packed_rgb(rgb)] = 1 << number
    inks = np.ones(packed.shape, np.uint32)  # the bit of each pixel's ink, 0 for none; bit 0 is the background's
    inks.ravel()[drawn] = ink_bits
    unknown = drawn[ink_bits == 0]
    if len(unknown) > _MAX_UNKNOWN * packed.size:
        raise CannotRead("much of the picture has no known ink")
    # A pixel is explained by a blend of the inks close to it, or else of those in a wider reach.
    nearby = _inks_nearby(inks, unknown, _EDGE)
    unexplained = nearby == 0
    edges = np.flatnonzero(~unexplained)
    edges = edges[~_may_be_blend(flat[unknown[edges]], nearby[edges])]
    if len(edges):
        unexplained[edges] = ~_may_be_blend(flat[unknown[edges]], _inks_nearby(inks, unknown[edges], _CROWDED))
    return _damage_box(packed, unknown[unexplained]) if unexplained.any() else None


def _damage_box(packed: NDArray[np.uint32], unexplained: PixelPlaces) -> Rect:
    """The box of the unexplained points; CannotRead if it cannot be damage.

    `packed`: (height, width). `unexplained` (N,): indices into its pixels, row by row.
    """
    ys, xs = np.divmod(unexplained, packed.shape[1])
    box = Rect(int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max()))
    values, counts = np.unique(packed.ravel()[unexplained], return_counts=True)
    flat_colours = values[(counts > _MIN_FLAT * len(unexplained)) & (values != _BLACK)]
    is_wide = max(box.right - box.left, box.bottom - box.top) > _MAX_DAMAGE_SIDE * min(packed.shape)
    if is_wide or len(unexplained) < _MIN_DAMAGE * packed.size or not _is_halfway(flat_colours, packed).all():
        raise CannotRead(f"{len(unexplained)} pixels have no known ink, and are no blend of those beside them")
    return box


def _is_halfway(values: NDArray[np.uint32], packed: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """A mask (K,) of the colours that lie halfway between two known ones, of which one may be the background.

    `values` (K,): the colours, as numbers from `pack`. `packed`: the picture, (height, width).
    """
    background = np.array([_background(packed)]).view(np.uint8)[:3].astype(np.int16)
    inks = np.vstack((_INKS, background))
    halves = ((inks[:, None] + inks[None]) // 2).reshape(-1, 3)
    colours = values.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int16)
    near: NDArray[np.bool_] = (np.abs(colours[:, None] - halves).max(axis=2) <= 1).any(axis=1)
    return near


def _background(packed: NDArray[np.uint32]) -> np.uint32:
    """The commonest colour along the edges of a picture (height, width): damage may lie in a corner."""
    edges = np.concatenate((packed[0], packed[-1], packed[:, 0], packed[:, -1]))
    colours, counts = np.unique(edges, return_counts=True)
    return colours[counts.argmax()]  # type: ignore[no-any-return]


def _inks_nearby(inks: NDArray[np.uint32], points: PixelPlaces, reach: int) -> NDArray[np.uint32]:
    """The inks within a number of pixels of each point, as bits (N,).

    `inks`: the bit of each pixel's ink, (height, width). `points` (N,): indices into it, row by row.
    """
    near = np.zeros(len(points), np.uint32)
    for down in range(-reach, reach + 1):
        row = points + (down * inks.shape[1] + np.arange(-reach, reach + 1))[:, None]
        near |= np.bitwise_or.reduce(np.take(inks, row, mode="clip"), axis=0)
    return near


def _may_be_blend(values: NDArray[np.uint32], near: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """A mask (N,) of the colours that may be a blend of inks near them, or of a thing's only ink and a dark line's.

    `values` (N,): the colours, as numbers from `pack`. `near` (N,): the inks near each of them, as bits.
    """
    # Background, black and transparency are grey, with no difference between channels (red - green, …). So those of a
    # blend lie between 0 and those of its inks. `kinds`: each combination of near inks, which many pixels share.
    kinds, kind = np.unique(near, return_inverse=True)
    has = (kinds[:, None] >> np.arange(1, len(_KNOWN) + 1, dtype=np.uint32) & 1).astype(np.int16)[..., None]
    tints = has * _channel_differences(_INKS)
    colours = values.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int16)
    low, high = tints.min(axis=1).T - _ROUNDING, tints.max(axis=1).T + _ROUNDING
    fits = np.ones(len(values), np.bool_)
    for tint, least, most in zip(_channel_differences(colours).T, low, high, strict=True):
        fits &= (tint >= least[kind]) & (tint <= most[kind])
    alone = np.flatnonzero(near & (near - np.uint32(1)) == 0)  # one bit or none: a single ink is near, and maybe a line
    line = (has * (_INKS - np.array(OUTLINE_RGB))).sum(axis=1)[kind[alone]]  # of the only ink; 0 for background
    off = colours[alone] - np.array(OUTLINE_RGB)
    share = (off * line).sum(axis=1) / np.maximum(1, (line**2).sum(axis=1))
    fits[alone] &= (near[alone] > 1) & (np.abs(off - share[:, None] * line) <= _ROUNDING).all(axis=1)
    return fits


def _channel_differences(rgb: NDArray[np.int16]) -> NDArray[np.int16]:
    """The differences red - green, green - blue and red - blue, (…, 3) of colours (…, 3): 0 for greys."""
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return np.stack((red - green, green - blue, red - blue), axis=-1)
