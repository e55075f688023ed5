"""The visible content of a picture of things: the place of each colour, the walls, glass, light."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.ink import pack, packed_rgb
from counterbench.judges.pixels.rects import Rect, box_at, box_of
from counterbench.judges.pixels.things.account import find_damage
from counterbench.palette import COLOUR_RGB, GLASS_RGB, OUTLINE_RGB, RGB, ROOM_RGB, SHADE_RGB

Mask = NDArray[np.bool_]

# The least number of pixels of a colour that is visible.
_LEAST = 12


class View:
    """One picture with every pixel explained, else CannotRead. `spoilt`: the damaged place, if there is one."""

    def __init__(self, image: Image.Image) -> None:
        self._packed = pack(image)
        self.spoilt = find_damage(self._packed)
        self.height, self.width = self._packed.shape
        self.side = min(self.width, self.height)

    def ink(self, rgb: RGB) -> Mask:
        """The mask of the pixels with exactly this colour."""
        mask: Mask = self._packed == packed_rgb(rgb)
        return mask

    def colour(self, name: str) -> Mask:
        """The box of the thing in a colour ("" for the grey of a shadow); CannotRead if there is none."""
        mask = self.ink(COLOUR_RGB[name] if name else SHADE_RGB)  # type: ignore[index]
        if mask.sum() < _LEAST:
            raise CannotRead(f"nothing {name or 'shaded'} is to be seen", "match")
        return mask

    @cached_property
    def colours(self) -> list[str]:
        """The colours that things have."""
        return [name for name, rgb in COLOUR_RGB.items() if self.ink(rgb).sum() >= _LEAST]

    def has(self, name: str) -> bool:
        """True if anything in a colour, or in the grey of a shadow, is visible.

        CannotRead if nothing is and a part of the picture is damaged: it may have been there.
        """
        rgb: RGB = COLOUR_RGB[name] if name else SHADE_RGB  # type: ignore[index]
        visible = bool(self.ink(rgb).sum() >= _LEAST)
        if not visible and self.spoilt is not None:
            raise CannotRead(f"nothing {name or 'shaded'} is to be seen, and a part is damaged", "match")
        return visible

    def things(self, name: str) -> list[tuple[int, Rect]]:
        """The number of pixels and the box of each thing in a colour; largest first."""
        return things_of(self.colour(name), self.ink(OUTLINE_RGB) | self.ink(GLASS_RGB))

    def kinds_of_ink(self, *inks: RGB) -> NDArray[np.uint8]:
        """The result of the function of that name for the whole picture."""
        return kinds_of_ink(self._packed, *inks)

    @cached_property
    def room(self) -> Rect:
        """The space inside floor, ceiling and walls."""
        mask = self.ink(ROOM_RGB)
        if mask.sum() < self.side:
            raise CannotRead("there is no room")
        rows, columns = mask.mean(axis=1) > 0.5, mask.mean(axis=0) > 0.5
        top, bottom = _inner(rows)
        left, right = _inner(columns)
        return Rect(left, top, right, bottom)


def kinds_of_ink(packed: NDArray[np.uint32], *inks: RGB) -> NDArray[np.uint8]:
    """The number of each pixel's ink among these, from 1; 0 if it has none."""
    kinds = np.zeros(packed.shape, np.uint8)
    for number, rgb in enumerate(inks, 1):
        kinds[packed == packed_rgb(rgb)] = number
    return kinds


def _inner(lines: Mask) -> tuple[int, int]:
    """The first and last index between the first and the last run of lines."""
    at = np.flatnonzero(lines)
    gaps = np.flatnonzero(np.diff(at) > 1)
    if not len(gaps):
        raise CannotRead("the room has no two opposite walls")
    widest = gaps[np.argmax(np.diff(at)[gaps])]
    return int(at[widest]) + 1, int(at[widest + 1]) - 1


def parts(mask: Mask) -> list[Rect]:
    """The boxes of the connected parts of a mask that are not specks, largest first."""
    if not mask.any():
        return []
    whole = box_of(mask)
    labels, _ = ndimage.label(mask[whole.slices], np.ones((3, 3), int))
    return [box for _, box in _found(labels, whole.left, whole.top)]


def things_of(mask: Mask, outlines: Mask) -> list[tuple[int, Rect]]:
    """The number of pixels of a mask and their box, for each thing connected by outlines and glass; largest first."""
    whole = box_of(mask)
    # Outlines also connect parts of a colour: a planet's two halves by its ring.
    near = whole.spread(2 + max(whole.right - whole.left, whole.bottom - whole.top) // 2).slices
    labels, _ = ndimage.label(ndimage.binary_dilation((mask | outlines)[near], np.ones((3, 3), bool)))
    return _found(labels * mask[near], near[1].start, near[0].start)


def _found(labels: NDArray[np.int32], left: int, top: int) -> list[tuple[int, Rect]]:
    """Area and box of each label that is not a speck, largest first; the array begins at (left, top)."""
    sizes = np.bincount(labels.ravel())
    things = []
    for label, slices in enumerate(ndimage.find_objects(labels), 1):
        if slices is not None and sizes[label] >= _LEAST:
            things.append((int(sizes[label]), box_at(slices).moved(left, top)))
    return sorted(things, key=lambda each: -each[0])
