"""Signs (light plates with a dark edge and a word in black) are read letter by letter, and taken off their picture.

A letter is the capital of the bundled font whose shape is nearest to it by far.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from counterbench.judges.pixels.ink import CannotRead, Rect, box_at, pack, packed_rgb
from counterbench.palette import LABEL_DARK_RGB, OUTLINE_RGB, SIGN_RGB, SignColour

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PIECES = range(2, 43)  # connected pieces of pure black in a word: a small letter may fall into up to seven
_MIN_ASPECT = 1.4  # a sign is at least so many times as wide as high
# The greatest mean difference of a letter's pixels from its shape (of the shape's own ink), and how much nearer it is
# to that shape than to any other.
_MAX_OFF, _NEARER = 0.1, 1.5
_OFF_LINE = 2.5  # the most, in a channel (0 … 255), that rounding moves a blend off the line between its inks
_BLACK = 0.5  # the least coverage of a pixel that counts as black


@dataclass(frozen=True)
class ReadSign:
    """A sign: its colour, the box of its plate in pixels of the picture, and its word in lower case."""

    colour: SignColour
    box: Rect
    word: str


def read_signs(picture: Image.Image) -> tuple[list[ReadSign], Image.Image]:
    """The signs of a picture, and the picture without them; CannotRead if a word or a plate is unclear."""
    codes, rgb = pack(picture), np.array(picture.convert("RGB"))
    signs = []
    for colour, ink in SIGN_RGB.items():
        plate_coloured = codes == packed_rgb(ink)
        if not plate_coloured.any():
            continue
        pieces, _ = ndimage.label(plate_coloured)
        for number, place in enumerate(ndimage.find_objects(pieces), 1):
            high, wide = pieces[place].shape
            if wide < _MIN_ASPECT * high or high < 8:
                continue
            plate = ndimage.binary_fill_holes(pieces[place] == number)
            black = plate & (codes[place] == packed_rgb(LABEL_DARK_RGB))
            if ndimage.label(black, np.ones((3, 3)))[1] in _PIECES and plate.mean() > 0.9:
                signs.append(_read_sign(rgb, colour, box_at(place), plate))
    for sign in signs:
        rgb[sign.box.slices] = rgb[0, 0]  # the background
    return signs, Image.fromarray(rgb)


def _read_sign(rgb: NDArray[np.uint8], colour: SignColour, fill: Rect, plate: NDArray[np.bool_]) -> ReadSign:
    """The sign whose plate has this fill.

    `rgb`: the whole picture, (height, width, 3), each 0 … 255. `plate`: the mask of the fill, (height, width) of its
    box, edge excluded.
    """
    ground = rgb[0, 0]
    line = (rgb[(fill.top + fill.bottom) // 2, fill.right + 1 :] == ground).all(axis=1)
    box = fill.spread(int(line.argmax()))
    pixels = rgb[box.slices].astype(np.float32)
    inside = np.zeros(pixels.shape[:2], bool)
    edge = fill.left - box.left
    if not line.any() or edge < 1 or pixels.shape[:2] != box.size[::-1]:
        raise CannotRead("a sign's edge is not whole")
    inside[edge:-edge, edge:-edge] = plate
    colour_rgb, edge_rgb = np.array(SIGN_RGB[colour]), np.array(OUTLINE_RGB)
    explained = inside & is_blend(pixels, colour_rgb, np.array(LABEL_DARK_RGB))
    explained |= ~inside & (is_blend(pixels, colour_rgb, edge_rgb) | is_blend(pixels, ground, edge_rgb))
    if not explained.all():
        raise CannotRead(f"{int((~explained).sum())} pixels on a sign are no part of it")
    ink = np.where(inside, np.clip(1 - pixels.sum(axis=2) / colour_rgb.sum(), 0, 1), 0)
    return ReadSign(colour, box, _read_word(ink))


def is_blend(pixels: NDArray[Any], start: NDArray[Any], end: NDArray[Any]) -> NDArray[np.bool_]:
    """A mask (…) of the pixels (…, 3) whose colour is a blend of two colours, `start` and `end`, both (3,)."""
    step = end.astype(np.float32) - start
    difference = pixels - start
    share = np.clip(difference @ step / (step @ step), 0, 1)
    near: NDArray[np.bool_] = (np.abs(difference - share[..., None] * step) <= _OFF_LINE).all(axis=2)
    return near


def _read_word(ink: NDArray[Any]) -> str:
    """The word on a plate, letter by letter. `ink`: (height, width), 0 … 1; columns without ink part the letters."""
    columns, _ = ndimage.label((ink > _BLACK).any(axis=0))
    return "".join(_read_letter(ink[:, part[0]]) for part in ndimage.find_objects(columns)).lower()


def _read_letter(ink: NDArray[Any]) -> str:
    """The capital nearest to some ink (2-D, from 0, the plate, to 1), among those of about its height and width.

    CannotRead if none is near, or two are.
    """
    rows = np.flatnonzero((ink > _BLACK).any(axis=1))
    cropped = ink[rows[0] : rows[-1] + 1]
    high, wide = cropped.shape
    distances: dict[str, float] = {}
    for size in range(high, high * 7 // 5 + 4):  # of the font: a capital is about .7 as high
        for letter in _ALPHABET:
            shape = _letter_shape(letter, size)
            if abs(shape.shape[0] - high) <= 1 and abs(shape.shape[1] - wide) <= 2:
                distances[letter] = min(distances.get(letter, 1.0), _difference(shape, cropped))
    ranked = sorted(distances, key=lambda letter: distances[letter])
    nearest = [distances[letter] for letter in ranked[:2]]
    if not nearest or nearest[0] > _MAX_OFF or (len(nearest) > 1 and nearest[1] < _NEARER * nearest[0]):
        raise CannotRead("a letter on a sign is like none, or like two")
    return ranked[0]


def _difference(shape: NDArray[Any], ink: NDArray[Any]) -> float:
    """The least difference of two letters' ink over all ways to lay one over the other, as a share of the first's.

    Both are (height, width), each of its own size, from 0, the plate, to 1.
    """
    high, wide = (max(sides) for sides in zip(shape.shape, ink.shape, strict=True))
    others = list(_placings(shape, high, wide))
    difference = min(float(np.abs(framed - other).sum()) for framed in _placings(ink, high, wide) for other in others)
    return difference / float(shape.sum())


def _placings(ink: NDArray[Any], high: int, wide: int) -> Iterator[NDArray[Any]]:
    """Arrays of (high, wide) with `ink` at each place where it fits, one after the other."""
    for down in range(high - ink.shape[0] + 1):
        for right in range(wide - ink.shape[1] + 1):
            frame = np.zeros((high, wide), ink.dtype)
            frame[down : down + ink.shape[0], right : right + ink.shape[1]] = ink
            yield frame


@lru_cache(maxsize=4096)
def _letter_shape(letter: str, size: int) -> NDArray[Any]:
    """The coverage, 0 … 1, of a capital of the bundled font at a size: (height, width), cropped to its ink."""
    with resources.as_file(resources.files("counterbench") / "drawing" / "fonts" / "letters.ttf") as path:
        font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    page = Image.new("L", (3 * size, 3 * size))
    ImageDraw.Draw(page).text((size, size // 2), letter, fill=255, font=font)
    shape = np.asarray(page, np.float32) / 255
    rows, columns = (np.flatnonzero((shape > _BLACK).any(axis=axis)) for axis in (1, 0))
    return shape[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()  # a view would keep the whole page
