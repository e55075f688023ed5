"""Nouns drawn anew for comparison with pictures: in each state, with a coloured part of about the same size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from counterbench.drawing.scale import Scale
from counterbench.drawing.things import draw_figure
from counterbench.judges.pixels.ink import pack, packed_rgb
from counterbench.judges.pixels.rects import Rect
from counterbench.judges.pixels.things.view import kinds_of_ink, things_of
from counterbench.palette import (
    ANCHOR_RGB,
    BACKGROUND,
    COLOUR_RGB,
    GLASS_RGB,
    GLOW_RGB,
    OUTLINE_RGB,
    PALE_RGB,
    RGB,
    SHAPES,
    UNLIT_RGB,
)
from counterbench.scene.figures import FACINGS, MIN_HALF, MOST_QUARTERS, Figure
from counterbench.scene.nouns import NOUNS

# Half the side of a glyph's first box, and of its largest; the number of tries to find the right size; the factors by
# which a glyph may be wider and higher: only the feet of an empty vessel have its colour, and they are as high at
# several heights.
_HALF, _MOST_HALF, _TRIES, _WIDER, _HIGHER = 48, 400, 6, 3, 6
# The inks of glyphs besides their own colour.
INKS: tuple[RGB, ...] = (OUTLINE_RGB, ANCHOR_RGB, GLASS_RGB, PALE_RGB, GLOW_RGB, UNLIT_RGB)

# Pictures of things are designed for this side in pixels, and scaled from it.
_SIDE = 512
# Pixels around a glyph that is drawn.
_AROUND = 2

Inks = NDArray[np.uint8]
State = tuple[str, bool, int, str]  # facing, lit, quarters, form


class Glyph(NamedTuple):
    """A drawn noun: the ink of each pixel of its box, and in it the box of the part that has its own colour."""

    inks: Inks
    part: Rect


def first_drawn(noun: str, state: State, colour: str, side: int) -> Glyph | None:
    """The noun in a state, at a middle size, in a picture with this side in pixels; None if it has no colour."""
    return _drawn(noun, state, colour, side, _HALF, _HALF)


def states(noun: str) -> Iterator[State]:
    """Every state in which a noun can be drawn."""
    what = NOUNS[noun]
    yield from product(
        FACINGS if what.faces else ("",),
        (False, True) if what.lights else (False,),
        range(MOST_QUARTERS + 1) if what.fills else (0,),
        SHAPES if what.forms else ("",),
    )


@lru_cache(maxsize=2048)
def as_large(noun: str, state: State, colour: str, side: int, width: int, height: int) -> tuple[Glyph, ...]:
    """The noun in a state, drawn again until its coloured part has nearly the wanted width and height in pixels."""
    return tuple(_found(noun, state, colour, side, width, height).values())


@lru_cache(maxsize=2048)
def nearly_as_large(noun: str, state: State, colour: str, side: int, width: int, height: int) -> tuple[Glyph, ...]:
    """The noun a little larger or smaller than that."""
    tried = _found(noun, state, colour, side, width, height)
    if not tried:
        return ()
    half_width, half_height = min(tried, key=lambda halves: _off(tried[halves].part.size, (width, height)))
    steps = product(range(-_WIDER, _WIDER + 1), range(-_HIGHER, _HIGHER + 1))
    sizes = {(max(MIN_HALF, half_width + across), max(MIN_HALF, half_height + down)) for across, down in steps}
    drawn = (_drawn(noun, state, colour, side, *halves) for halves in sorted(sizes - tried.keys()))
    return tuple(glyph for glyph in drawn if glyph is not None)


@lru_cache(maxsize=2048)
def _found(noun: str, state: State, colour: str, side: int, width: int, height: int) -> dict[tuple[int, int], Glyph]:
    tried: dict[tuple[int, int], Glyph] = {}
    first = first_drawn(noun, state, colour, side)
    if first is None:
        return tried
    was = first.part.size
    half_width, half_height = width * _HALF // was[0], height * _HALF // was[1]
    for _ in range(_TRIES):  # the thickness of lines is fixed, so that a part grows less or more than the whole
        halves = (max(MIN_HALF, half_width), max(MIN_HALF, half_height))
        if halves in tried or max(halves) > _MOST_HALF or (glyph := _drawn(noun, state, colour, side, *halves)) is None:
            break
        tried[halves] = glyph
        across, down = glyph.part.size
        half_width = halves[0] + _step((width - across) * _SIDE // side)
        half_height = halves[1] + _step((height - down) * _SIDE // side)
    return tried


def _off(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _step(off: int) -> int:
    """Half of the missing size, at least a pixel."""
    return int(off / 2) or off


@lru_cache(maxsize=4096)
def _drawn(noun: str, state: State, colour: str, side: int, half_width: int, half_height: int) -> Glyph | None:
    """The noun in a state, of half a width and height as in a picture of `_SIDE` pixels, as one of `side` shows it."""
    facing, lit, quarters, form = state
    figure = Figure(
        id="f",
        noun=noun,
        colour=colour,  # type: ignore[arg-type]
        x=half_width + _AROUND,
        y=half_height + _AROUND,
        half_width=half_width,
        half_height=half_height,
        facing=facing,
        lit=lit,
        quarters=quarters,
        form=form,
    )
    scale = Scale(Fraction(side, _SIDE))
    box = scale.box(figure.box)
    image = Image.new("RGB", (box.right + _AROUND, box.bottom + _AROUND), (BACKGROUND,) * 3)
    draw_figure(image, figure, scale)
    rgb, packed = COLOUR_RGB[figure.colour], pack(image)[box.top : box.bottom + 1, box.left : box.right + 1]
    inks = kinds_of_ink(packed, rgb, *INKS)
    held = (packed == packed_rgb(OUTLINE_RGB)) | (packed == packed_rgb(GLASS_RGB))
    parts = things_of(inks == 1, held) if (inks == 1).any() else []
    return Glyph(inks, parts[0][1]) if parts else None
