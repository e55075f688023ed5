"""Whether what has a colour is the thing that it is called: by the glyph of its noun, drawn anew and laid over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterbench.drawing.render import render
from counterbench.judges.pixels.ink import pack, packed_rgb
from counterbench.judges.pixels.rects import Rect
from counterbench.judges.pixels.things.clauses import Thing
from counterbench.judges.pixels.things.view import View, things_of
from counterbench.palette import ANCHOR_RGB, COLOUR_RGB, GLASS_RGB, OUTLINE_RGB, PALE_RGB, RGB, SHAPES
from counterbench.scene.figures import FACINGS, MIN_HALF, MOST_QUARTERS, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import MIN_SIDE, Scene

# Glyphs are compared in so many points a side, by the ink of each; the same one differs in at most such a share.
_POINTS, _ALIKE = 24, 0.25
# Half the side of the box in which a glyph is drawn first, and of the largest; how often, to find the one as large.
_HALF, _MOST_HALF, _TRIES = 48, 400, 6
_INKS: tuple[RGB, ...] = (OUTLINE_RGB, ANCHOR_RGB, GLASS_RGB, PALE_RGB)

# Pixels around a glyph that is drawn.
_AROUND = 2

Pattern = NDArray[np.uint8]
State = tuple[str, bool, int, str]  # facing, lit, quarters, form


class Glyph(NamedTuple):
    """A noun as it is drawn: the inks in the box of what has its own colour, and how that box lies in the figure's.

    `size`: the part's width and height. `left`, `top`, `right`, `bottom`: how far the figure reaches beyond it, in
    shares of that.
    """

    pattern: Pattern
    size: tuple[int, int]
    left: float
    top: float
    right: float
    bottom: float


def is_one(view: View, thing: Thing) -> bool:
    """Whether what has the thing's colour is of its noun. A shadow is what is shaded."""
    if not thing.colour or _singular(thing.noun) not in NOUNS:
        return True
    return min((off for off, _ in _compared(view, thing)), default=1.0) <= _ALIKE


def whole(view: View, thing: Thing) -> Rect:
    """The box of the whole thing, whatever part of it has its colour."""
    _, box = view.things(thing.colour)[0]
    found = _compared(view, thing) if thing.colour and _singular(thing.noun) in NOUNS else []
    if not found:
        return box
    _, glyph = min(found, key=lambda each: each[0])
    width, height = box.right - box.left + 1, box.bottom - box.top + 1
    return Rect(
        box.left - round(glyph.left * width),
        box.top - round(glyph.top * height),
        box.right + round(glyph.right * width),
        box.bottom + round(glyph.bottom * height),
    )


def _compared(view: View, thing: Thing) -> list[tuple[float, Glyph]]:
    """The thing's noun in each state, drawn about as large, and in what share of the points what is there differs."""
    _, box = view.things(thing.colour)[0]
    width, height = box.right - box.left + 1, box.bottom - box.top + 1
    seen, noun = _pattern(view.inks(box), COLOUR_RGB[thing.colour]), _singular(thing.noun)  # type: ignore[index]
    drawn = (glyph for state in _states(noun) for glyph in _as_large(noun, state, width, height))
    return [(float((seen != glyph.pattern).mean()), glyph) for glyph in drawn]


@lru_cache(maxsize=1)
def _plurals() -> dict[str, str]:
    return {what.plural or f"{noun}s": noun for noun, what in NOUNS.items()}


def _singular(noun: str) -> str:
    return noun if noun in NOUNS else _plurals().get(noun, noun)


def _states(noun: str) -> Iterator[State]:
    what = NOUNS[noun]
    yield from product(
        FACINGS if what.faces else ("",),
        (False, True) if what.lights else (False,),
        range(MOST_QUARTERS + 1) if what.fills else (0,),
        SHAPES if what.forms else ("",),
    )


@lru_cache(maxsize=512)
def _as_large(noun: str, state: State, width: int, height: int) -> tuple[Glyph, ...]:
    """The noun in a state, drawn ever nearer to where what has its colour is so many pixels wide and high."""
    tried: dict[tuple[int, int], Glyph] = {}
    first = _drawn(noun, state, _HALF, _HALF)
    if first is None:
        return ()
    half_width, half_height = width * _HALF // first.size[0], height * _HALF // first.size[1]
    for _ in range(_TRIES):  # lines are as thick as they are, so that a part grows less or more than the whole
        halves = (max(MIN_HALF, half_width), max(MIN_HALF, half_height))
        if halves in tried or max(halves) > _MOST_HALF or (found := _drawn(noun, state, *halves)) is None:
            break
        tried[halves] = found
        half_width = halves[0] + _step(width - found.size[0])
        half_height = halves[1] + _step(height - found.size[1])
    return tuple(tried.values())


def _step(off: int) -> int:
    """Half of what is missing, at least a pixel."""
    return off // 2 if off > 1 else -(-off // 2) if off < -1 else off


@lru_cache(maxsize=512)
def _drawn(noun: str, state: State, half_width: int, half_height: int) -> Glyph | None:
    facing, lit, quarters, form = state
    figure = Figure(
        id="f",
        noun=noun,
        colour="red",
        x=half_width + _AROUND,
        y=half_height + _AROUND,
        half_width=half_width,
        half_height=half_height,
        facing=facing,
        lit=lit,
        quarters=quarters,
        form=form,
    )
    across, down = (max(MIN_SIDE, 2 * (half + _AROUND) + 1) for half in (half_width, half_height))
    packed, rgb, box = pack(render(Scene(across, down, elements=(figure,)))), COLOUR_RGB["red"], figure.box
    mask = packed == packed_rgb(rgb)
    held = (packed == packed_rgb(OUTLINE_RGB)) | (packed == packed_rgb(GLASS_RGB))
    found = things_of(mask, held) if mask.any() else []
    if not found:
        return None
    _, part = found[0]
    width, height = part.right - part.left + 1, part.bottom - part.top + 1
    return Glyph(
        _pattern(packed[part.slices], rgb),
        (width, height),
        (part.left - box.left) / width,
        (part.top - box.top) / height,
        (box.right - part.right) / width,
        (box.bottom - part.bottom) / height,
    )


def _pattern(packed: NDArray[np.uint32], main: RGB) -> Pattern:
    """The ink at each of the points: 1 for the thing's own, further numbers for the others, 0 for what is none."""
    rows, columns = (
        np.arange(_POINTS) * (2 * n) // (2 * _POINTS) + n // (2 * _POINTS) for n in (packed.shape[0], packed.shape[1])
    )
    points = packed[np.minimum(rows, packed.shape[0] - 1)][:, np.minimum(columns, packed.shape[1] - 1)]
    found = np.zeros(points.shape, np.uint8)
    for number, rgb in enumerate((main, *_INKS), 1):
        found[points == packed_rgb(rgb)] = number
    return found
