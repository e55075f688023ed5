"""Familiar things: their parts, counted as patches of pixels, or as runs of them along a line or a circle.

The number is what the pixels show. What is usual is not known here, and a statement before the question is not read.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from counterbench.judges.pixels.ink import CannotRead, Mask, box_of, pack, packed_rgb, yes_no
from counterbench.judges.pixels.words import NUMBER_WORD, number_named
from counterbench.palette import COLOUR_RGB, COLOURS, PALE_RGB

_MIN_SIDE = 100  # pixels of the longer side of a thing: in smaller ones parts run into each other
# Degrees between two numbers of a dial, at least; digits of one number are nearer to each other.
_MIN_GAP = 5
# A number of fingers is believed if at least so many of the 20 circles give it.
_MIN_CIRCLES = 6
_MIN_FACE = 0.5  # the least share of the box around a die that has the colour of its face


class AskParts(NamedTuple):
    """A question about a familiar thing: for the number of its `parts` ("legs"), or the colour of a light.

    A light is `parts` "top" or "bottom". With `value`, the yes/no question for that number or colour. (The class
    `AskPart` is a question about shapes: if a part of one shows.)
    """

    parts: str
    value: str | None = None


_PARTS = r"(?P<parts>pips|legs|stripes|fingers|numbers)(?:, thumb included,?)?"
_IT = r"(?:it|(?:this|the) [a-z ]+)"
_LIGHT = rf"(?:its (?P<of_it>top|bottom) light|the (?P<place>top|bottom) light of {_IT}?)"
_HUES = "|".join(COLOURS)
_RULES = [
    re.compile(rule)
    for rule in (
        rf"how many {_PARTS} (?:does|do) {_IT} (?:have|show)",
        rf"(?:does|do) {_IT} (?:have|show) exactly {NUMBER_WORD} {_PARTS}",
        rf"what colou?r is {_LIGHT}",
        rf"is {_LIGHT} (?P<hue>{_HUES})",
    )
]
# A statement before the question, which is not read.
_FIRST = re.compile(r"^(?:like every [^.]*\. |look at (?:this|the) [^.]*\. )")


def parts_question(question: str) -> AskParts | None:
    """The question about the parts of a familiar thing; None if the text asks for something else."""
    sentence = _FIRST.sub("", " ".join(question.split()).partition("?")[0].lower()).removesuffix(" in this picture")
    for rule in _RULES:
        if match := rule.fullmatch(sentence):
            words = match.groupdict()
            number = words.get("number")
            value = str(number_named(number)) if number else words.get("hue")
            return AskParts(words.get("parts") or words.get("of_it") or words["place"] or "", value)
    return None


def read_parts(image: Image.Image, question: AskParts) -> str:
    """The number of parts, the colour of a light, or yes or no; CannotRead where they are unclear."""
    packed = pack(image)
    background = packed[0, 0]
    if any((edge != background).any() for edge in (packed[0], packed[-1], packed[:, 0], packed[:, -1])):
        raise CannotRead("the picture has no plain background up to its edges")
    drawn = packed != background
    count = ndimage.label(drawn, np.ones((3, 3)))[1]
    if count != 1:
        raise CannotRead(f"{count} things are to be seen, not one", "match")
    crop = box_of(drawn).slices
    packed, drawn = packed[crop], drawn[crop]
    if max(drawn.shape) < _MIN_SIDE:
        raise CannotRead(f"the thing is smaller than {_MIN_SIDE} pixels")
    answer = _READERS[question.parts](packed, drawn)
    return answer if question.value is None else yes_no(answer == question.value)


def _count_pips(packed: NDArray[Any], drawn: Mask) -> str:
    """The number of pips: the patches of another colour inside a die's face, which has most of its pixels.

    In all of these readers, `packed` has the pixels of the thing's box, (height, width), from `pack`, and `drawn` is
    True where they differ from the background.
    """
    codes, counts = np.unique(packed[drawn], return_counts=True)
    if counts.max() < _MIN_FACE * drawn.size:
        raise CannotRead("there is no face of a die", "match")
    pieces, _ = ndimage.label(packed != codes[counts.argmax()])
    rim = {*pieces[0], *pieces[-1], *pieces[:, 0], *pieces[:, -1]}
    sizes = np.bincount(pieces.ravel())
    inner = [int(sizes[i]) for i in range(1, len(sizes)) if i not in rim]
    if not inner or min(inner) < 0.8 * max(inner):
        raise CannotRead("the pips are not alike")
    return str(len(inner))


def _count_legs(packed: NDArray[Any], drawn: Mask) -> str:
    """The number of legs: the patches that reach the ground, below the part where they meet the body.

    See `_count_pips` for the arrays.
    """
    height = len(drawn)
    feet = drawn[height * 76 // 100 :]  # below the body, where legs are apart
    pieces, _ = ndimage.label(feet, np.ones((3, 3)))
    places = ndimage.find_objects(pieces)
    if any(rows.stop < len(feet) - max(2, height // 40) or rows.start > 0 for rows, _ in places):
        raise CannotRead("a leg ends above the ground")
    if len(places) < 2:
        raise CannotRead("there are no legs apart", "match")
    return str(len(places))


def _count_stripes(packed: NDArray[Any], drawn: Mask) -> str:
    """The number of stripes: the runs of two colours in turn, from top to bottom along lines far from the pole.

    See `_count_pips` for the arrays.
    """
    width = drawn.shape[1]
    numbers = set()
    for share in (0.6, 0.7, 0.8, 0.9):
        line = packed[:, int(share * width)]
        inside = np.flatnonzero(drawn[:, int(share * width)])
        codes, counts = np.unique(line[inside[0] : inside[-1] + 1], return_counts=True)
        two = codes[np.argsort(counts)[-2:]]
        if packed_rgb(PALE_RGB) not in two:
            raise CannotRead("there are no white stripes")
        colours = line[np.isin(line, two)]
        numbers.add(1 + int((colours[1:] != colours[:-1]).sum()))
    if len(numbers) != 1:
        raise CannotRead("the stripes do not run through")
    return str(numbers.pop())


def _count_fingers(packed: NDArray[Any], drawn: Mask) -> str:
    """The number of fingers: the runs of the hand along circles around its palm, without the arm below.

    On small circles two fingers are still one, and on large ones a short finger ends: the most on several is right. See
    `_count_pips` for the arrays.
    """
    drawn = drawn[:: 1 + len(drawn) // 400, :: 1 + len(drawn) // 400]
    depth = ndimage.distance_transform_edt(np.pad(drawn, 1))[1:-1, 1:-1]
    y, x = np.unravel_index(int(depth.argmax()), depth.shape)
    radius = float(depth[y, x])
    angles = np.arange(np.pi / 3, 2 * np.pi - np.pi / 3, 0.25 / radius)  # from straight below
    numbers = []
    for share in np.arange(1.6, 2.4, 0.04):  # 20 radii, as shares of the palm's
        ys = (y + share * radius * np.cos(angles)).round().astype(int)
        xs = (x + share * radius * np.sin(angles)).round().astype(int)
        in_picture = (ys >= 0) & (ys < drawn.shape[0]) & (xs >= 0) & (xs < drawn.shape[1])
        line = np.zeros(len(angles), np.bool_)
        line[in_picture] = drawn[ys[in_picture], xs[in_picture]]
        numbers.append(int(line[0]) + int((line[1:] & ~line[:-1]).sum()))
    stable = [number for number in set(numbers) if numbers.count(number) >= _MIN_CIRCLES]
    if not stable:
        raise CannotRead("the fingers are not clearly apart")
    return str(max(stable))


def _count_numbers(packed: NDArray[Any], drawn: Mask) -> str:
    """The number of numbers on a dial: the groups of dark pixels around its middle, a gap between any two.

    See `_count_pips` for the arrays.
    """
    dial = packed == packed_rgb(PALE_RGB)
    box = box_of(dial)
    (x, y), radius = box.middle, min(box.size) / 2
    ys, xs = np.nonzero(~dial[box.slices])
    ys, xs = ys + box.top, xs + box.left
    distance = np.hypot(xs - x, ys - y) / radius
    ring = (distance > 0.66) & (distance < 0.96)  # between the hands and the rim
    # From the middle a number is as wide as its angle; gaps are looked for in parts of a degree.
    angles = np.sort(np.degrees(np.arctan2(xs[ring] - x, y - ys[ring])))
    if not len(angles):
        raise CannotRead("there are no numbers")
    gaps = np.diff(angles, append=angles[0] + 360)
    return str(int((gaps > _MIN_GAP).sum()))


def _light_colour(packed: NDArray[Any], drawn: Mask, place: int) -> str:
    """The colour of one of three lights, large patches one over the other; `place`: 0 for the upper, 2 for the lower.

    See `_count_pips` for the arrays.
    """
    lights = []  # the top row and the colour of each
    for colour in COLOURS:
        pieces, _ = ndimage.label(packed == packed_rgb(COLOUR_RGB[colour]))
        for number, (rows, _) in enumerate(ndimage.find_objects(pieces), 1):
            if int((pieces == number).sum()) > packed.size // 50:
                lights.append((rows.start, colour))
    if len(lights) != 3:
        raise CannotRead(f"{len(lights)} lights are to be seen, not three")
    return sorted(lights)[place][1]


_READERS: dict[str, Callable[[NDArray[Any], Mask], str]] = {
    "pips": _count_pips,
    "legs": _count_legs,
    "stripes": _count_stripes,
    "fingers": _count_fingers,
    "numbers": _count_numbers,
    "top": partial(_light_colour, place=0),
    "bottom": partial(_light_colour, place=2),
}
