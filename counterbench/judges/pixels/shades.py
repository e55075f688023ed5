"""Fills of any shade: the kind and the colour of every shape of a picture in which no two touch."""

from collections.abc import Iterator

import numpy as np
from PIL import Image
from scipy import ndimage

from counterbench.judges.pixels.ink import CannotRead, box_at, box_of, pack
from counterbench.judges.pixels.regions import whole_kind
from counterbench.judges.pixels.signs import is_blend
from counterbench.palette import OUTLINE_RGB, RGB, ShapeKind

_MIN_SHARE = 0.5  # the least share of a shape's pixels, outline included, that has its fill's colour


def read_fills(picture: Image.Image) -> Iterator[tuple[ShapeKind, RGB]]:
    """Every shape's kind and fill; CannotRead if anything is no plain shape with an outline."""
    codes, rgb = pack(picture), np.asarray(picture.convert("RGB"), np.float32)
    pieces, _ = ndimage.label(codes != codes[0, 0], np.ones((3, 3)))
    for number, place in enumerate(ndimage.find_objects(pieces), 1):
        piece_mask, colours = pieces[place] == number, rgb[place]
        values, counts = np.unique(codes[place][piece_mask], return_counts=True)
        mask = piece_mask & (codes[place] == values[counts.argmax()])
        fill = colours[mask][0]
        outline = np.array(OUTLINE_RGB)
        explained = mask | is_blend(colours, fill, outline) | is_blend(colours, rgb[0, 0], outline)
        kind = whole_kind(mask[box_of(mask).slices])
        if kind is None or not explained[piece_mask].all() or counts.max() < _MIN_SHARE * piece_mask.sum():
            raise CannotRead(f"a patch at {tuple(box_at(place))} is no plain shape")
        red, green, blue = map(int, fill)
        yield kind, (red, green, blue)
