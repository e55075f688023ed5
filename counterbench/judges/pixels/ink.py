"""From a picture to its ink: the pixels with exactly one of the palette's inks, and those that are not background.

Everything is cropped to the drawn part. Blends at antialiased edges and the outlines of shapes have no ink. Boxes of
pixels (`Rect`) are here too, and `CannotRead`, the one error of all readers of pictures: they do not guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from counterbench.errors import CounterbenchError
from counterbench.palette import (
    ARROW_RGB,
    BACKGROUND_SHADES,
    COLOUR_RGB,
    COLOURS,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    RGB,
)

Mask = NDArray[np.bool_]
Unreadable = Literal["words", "picture", "match"]

# The texts of replies, without colours, kinds, numbers, "yes" and "no", so that no parser finds an answer in them.
_PLAIN: dict[Unreadable, str] = {
    "words": "these words are unknown to this reader",
    "picture": "this picture is unclear to this reader",
    "match": "words and picture fail to match",
}


class CannotRead(CounterbenchError):
    """The reader has no answer. `reason` is for people; `plain` is its gist for a reply and names no answer.

    `kind` is the cause: the words, the picture, or that the picture does not decide the question.
    """

    def __init__(self, reason: str, what: Unreadable = "picture") -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind: Unreadable = what

    @property
    def plain(self) -> str:
        """The text of a reply: "I cannot tell: …"."""
        return f"I cannot tell: {_PLAIN[self.kind]}"


U = TypeVar("U", np.bool_, np.uint16)

# The numbers in `Ink.kinds`: 0 is none, 1 … 8 the colours in the palette's order, then the other inks.
FIRST_COLOUR, LAST_COLOUR = 1, len(COLOURS)
CONTAINER, ARROW, LIGHT, DARK = range(LAST_COLOUR + 1, LAST_COLOUR + 5)
_INKS: tuple[RGB, ...] = (
    *(COLOUR_RGB[c] for c in COLOURS),
    CONTAINER_RGB,
    ARROW_RGB,
    LABEL_LIGHT_RGB,
    LABEL_DARK_RGB,
)
# A background is a light grey; anything darker could not be told from outlines and letters by its pixels.
_DARKEST_BACKGROUND = min(BACKGROUND_SHADES) - 25


@dataclass(frozen=True)
class Ink:
    """The drawn part of a picture: arrays of (height, width), indexed [y, x] from the crop's top left corner.

    `kinds`: an ink's number (above). `drawn`: True if the pixel differs from the background. `rgb`: (height, width, 3),
    each 0 … 255. `background`: its grey, 0 … 255. `side`: the shorter side of the whole picture in pixels, the unit for
    distances that are clear at a glance.
    """

    kinds: NDArray[np.uint8]
    drawn: NDArray[np.bool_]
    rgb: NDArray[np.uint8]
    background: int
    side: int

    @cached_property
    def fills(self) -> NDArray[np.bool_]:
        """A mask, (height, width), of the pixels with one of the colours of shapes."""
        return (self.kinds - np.uint8(FIRST_COLOUR)) < LAST_COLOUR  # 0 wraps round to 255

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the crop."""
        return self.kinds.shape[1], self.kinds.shape[0]


def read_ink(image: Image.Image) -> Ink:
    """The ink of a picture; CannotRead if it has no plain light background. An empty picture gives an empty `Ink`."""
    packed = pack(image)
    red, green, blue = (int(v) for v in packed[:1, :1].view(np.uint8)[0, :3])
    edges = (packed[0], packed[-1], packed[:, 0], packed[:, -1])
    if not red == green == blue or red < _DARKEST_BACKGROUND or any((e != packed[0, 0]).any() for e in edges):
        raise CannotRead("the picture has no plain light background up to its edges")
    drawn = packed != packed[0, 0]
    box = box_of(drawn) if drawn.any() else Rect(0, 0, 0, 0)  # a corner of the background is left
    crop = box.spread(2).slices  # so that a walk outwards from anything ends on background
    packed, drawn = np.ascontiguousarray(packed[crop]), drawn[crop]
    channels = packed.view(np.uint8).reshape(*packed.shape, 4)[..., :3]
    return Ink(kinds_of_ink(packed, *_INKS), drawn, channels, red, min(image.size))


def pack(image: Image.Image) -> NDArray[np.uint32]:
    """The pixels of a picture as one number each, (height, width), of the bytes of `packed_rgb`: quick to compare."""
    rgb = image if image.mode == "RGB" else image.convert("RGB")
    return np.frombuffer(rgb.tobytes("raw", "RGBX"), np.uint32).reshape(rgb.height, rgb.width) | packed_rgb((0,) * 3)


def kinds_of_ink(packed: NDArray[np.uint32], *inks: RGB) -> NDArray[np.uint8]:
    """The number of each pixel's ink among `inks`, from 1, in the shape of `packed`; 0 if it has none of them."""
    kinds = np.zeros(packed.shape, np.uint8)
    for number, rgb in enumerate(inks, 1):
        kinds[packed == packed_rgb(rgb)] = number
    return kinds


@cache
def packed_rgb(rgb: RGB) -> np.uint32:
    """A colour as one number, whose four bytes are in this machine's order."""
    return np.array([*rgb, 255], np.uint8).view(np.uint32)[0]  # type: ignore[no-any-return]


class Rect(NamedTuple):
    """A box in pixels of a picture or of its crop; the pixels of all four edges belong to it."""

    left: int
    top: int
    right: int
    bottom: int

    def spread(self, pixels: int) -> Rect:
        """This box with every edge moved outwards by some pixels."""
        return Rect(self.left - pixels, self.top - pixels, self.right + pixels, self.bottom + pixels)

    def moved(self, right: int, down: int) -> Rect:
        """This box, moved by some pixels to the right and down."""
        return Rect(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def holds(self, other: Rect) -> bool:
        """True if `other` lies wholly in this box."""
        left_top = self.left <= other.left and self.top <= other.top
        return left_top and other.right <= self.right and other.bottom <= self.bottom

    def gap(self, other: Rect) -> int:
        """The pixels between the two boxes along the axis where they are more; negative if the boxes overlap."""
        across = max(self.left - other.right, other.left - self.right)
        return max(across, max(self.top - other.bottom, other.top - self.bottom)) - 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.right - self.left + 1, self.bottom - self.top + 1

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the box, for indexing."""
        return slice(max(0, self.top), self.bottom + 1), slice(max(0, self.left), self.right + 1)


def box_at(place: tuple[slice, slice]) -> Rect:
    """The box of rows and columns, as `ndimage.find_objects` gives them."""
    rows, columns = place
    return Rect(columns.start, rows.start, columns.stop - 1, rows.stop - 1)


def box_of(mask: NDArray[np.bool_]) -> Rect:
    """The box around all that is True in a mask (height, width), which must not be empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return Rect(int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1]))


def yes_no(value: bool) -> str:
    """The answer "yes" or "no"."""
    return "yes" if value else "no"


def grown(mask: NDArray[U], pixels: int) -> NDArray[U]:
    """A mask, or an array of bits, grown by some pixels to all sides (many times as fast as a dilation).

    Both are (height, width).
    """
    high = mask.copy()
    for step in range(1, pixels + 1):
        high[step:] |= mask[:-step]
        high[:-step] |= mask[step:]
    wide = high.copy()
    for step in range(1, pixels + 1):
        wide[:, step:] |= high[:, :-step]
        wide[:, :-step] |= high[:, step:]
    return wide
