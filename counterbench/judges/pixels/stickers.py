"""Takes stickers off a picture, onto a plain one, and turns questions about stickers into questions about that one.

A sticker is a thing of one of our inks with a white edge around it, wherever it lies.
"""

import re

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from counterbench.judges.pixels.ink import grown, pack, packed_rgb
from counterbench.palette import COLOUR_RGB, CONTAINER_RGB, LABEL_DARK_RGB, LABEL_LIGHT_RGB, SHAPES, SIGN_RGB

# The white edge around a thing is so many pixels wide: at least 6, or the picture's shorter side divided by 64, less 2.
_MIN_REACH, _OF_SIDE = 6, 64
_SPECK = 12  # pixels of one ink: fewer are an accident of the picture below
# Least shares of pixels around a piece of ink: of those at the far end of its edge that are white, and of those right
# beside a shape that are dark. A pixel is dark if no channel is above `_DARK`.
_CLEAR_SHARE, _DARK_SHARE, _DARK = 0.75, 0.1, 100
_ALL = 0.97  # the least share of the edge around a letter that is white, or another sticker's
_ASKS = re.compile(r"\bstickers?\b")
_ANY = "Is there a sticker in this picture"


def asks_of_stickers(question: str) -> bool:
    """True if a question is about stickers."""
    return _ASKS.search(question) is not None


def asks_for_any(question: str) -> bool:
    """True if a question asks if there is any sticker."""
    return question.startswith(_ANY)


def without_stickers(question: str) -> str:
    """A question about stickers in the words of one about shapes, a container and signs."""
    bare = question.replace("sticker frame", "container").replace("text sticker", "sign")
    bare = re.sub(rf"\b({'|'.join(SHAPES)}) sticker(s?)\b", r"\1\2", bare)
    return re.sub(r"\bsticker(s?)\b", r"shape\1", bare)


def lifted(picture: Image.Image) -> Image.Image:
    """The stickers of a picture on plain white, as a flat picture shows them.

    A piece of one ink is a sticker's if a white edge lies around it and, of a shape, a dark outline. Everything within
    its edge is kept: there the picture is the thing on white.
    """
    pixels = np.asarray(picture)
    reach = max(_MIN_REACH, min(picture.size) // _OF_SIDE - 2)
    codes = pack(picture)
    white, dark = codes == packed_rgb((255, 255, 255)), pixels.max(axis=2) <= _DARK
    in_sticker = np.zeros(white.shape, bool)
    letters = (codes == packed_rgb(LABEL_DARK_RGB)) | (codes == packed_rgb(LABEL_LIGHT_RGB))
    filled = (*COLOUR_RGB.values(), SIGN_RGB["white"])
    for ink in (*filled, CONTAINER_RGB, LABEL_DARK_RGB):
        is_shape = ink in filled
        of_ink = codes == packed_rgb(ink)
        if np.count_nonzero(of_ink) < _SPECK:
            continue
        # A letter may part a shape: its pieces are one, and the letter's blends a pixel beside them.
        pieces, count = ndimage.label(grown(of_ink | letters, 1) if is_shape else of_ink)
        pieces[~of_ink] = 0
        sizes = np.bincount(pieces.ravel(), minlength=count + 1)
        for number, place in enumerate(ndimage.find_objects(pieces), 1):
            if place is None or sizes[number] < _SPECK:
                continue
            area = tuple(slice(max(0, side.start - reach - 1), side.stop + reach + 1) for side in place)
            piece = pieces[area] == number
            if is_shape:
                piece = ndimage.binary_fill_holes(piece)  # letters lie in it
            distance = ndimage.distance_transform_edt(~piece)
            around, beside = (distance > reach - 1) & (distance <= reach), (distance > 0) & (distance <= 3)
            has_edge = around.any() and (white[area] | in_sticker[area])[around].mean() >= _CLEAR_SHARE
            if ink == LABEL_DARK_RGB:
                is_all_white = (white[area] | in_sticker[area])[(distance > 2) & (distance <= reach)].mean() >= _ALL
                if not (is_all_white and in_sticker[area].any() and _is_thin(piece)):
                    continue  # words, or a black part of the ground, perhaps between stickers: no shape's label
            if has_edge and (not is_shape or dark[area][beside].mean() >= _DARK_SHARE):
                in_sticker[area] |= distance <= reach
    return Image.fromarray(np.where(in_sticker[:, :, None], pixels, 255).astype(np.uint8))


def _is_thin(piece: NDArray[np.bool_]) -> bool:
    """True if a piece has the strokes of a letter, no more than a sixth of its height wide to either side.

    `piece`: a mask, (height, width).
    """
    high = int(piece.any(axis=1).sum())
    return bool(ndimage.distance_transform_edt(piece).max() <= high / 6 + 1)
