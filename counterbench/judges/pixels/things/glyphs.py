"""Whether what has a colour is the thing that it is called: by the glyph of its noun, drawn anew and laid over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterbench.drawing.render import render
from counterbench.judges.pixels.ink import pack, packed_rgb
from counterbench.judges.pixels.rects import Rect
from counterbench.judges.pixels.things.clauses import Thing
from counterbench.judges.pixels.things.view import View, largest
from counterbench.palette import ANCHOR_RGB, COLOUR_RGB, GLASS_RGB, OUTLINE_RGB, PALE_RGB, RGB, SHAPES
from counterbench.scene.figures import FACINGS, MOST_QUARTERS, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene

# Glyphs are compared in so many points a side, by the ink of each; the same one differs in at most such a share.
_POINTS, _ALIKE = 24, 0.3
# Half a width and a height that they are drawn with: whatever form a thing has, one of them is near.
_HALVES = ((48, 48), (24, 60), (60, 24), (36, 54), (54, 36), (14, 60), (60, 14))
_INKS: tuple[RGB, ...] = (OUTLINE_RGB, ANCHOR_RGB, GLASS_RGB, PALE_RGB)

Pattern = NDArray[np.uint8]


class Glyph(NamedTuple):
    """A noun as it is drawn: the inks around the largest part of its own colour, and that part's box in its figure's.

    `left`, `top`, `right`, `bottom`: how far the figure reaches beyond the part, in shares of the part's size.
    """

    pattern: Pattern
    left: float
    top: float
    right: float
    bottom: float


def is_one(view: View, thing: Thing) -> bool:
    """Whether what has the thing's colour is of its noun. A shadow is what is shaded."""
    found = _nearest(view, thing)
    return found is None or found[0] <= _ALIKE


def whole(view: View, thing: Thing) -> Rect:
    """The box of the whole thing, whatever part of it has its colour."""
    found, box = _nearest(view, thing), largest(view.colour(thing.colour))
    if found is None:
        return box
    glyph, width, height = found[1], box.right - box.left + 1, box.bottom - box.top + 1
    return Rect(
        box.left - round(glyph.left * width),
        box.top - round(glyph.top * height),
        box.right + round(glyph.right * width),
        box.bottom + round(glyph.bottom * height),
    )


def _nearest(view: View, thing: Thing) -> tuple[float, Glyph] | None:
    """The state of the thing's noun that it looks most like, and in what share of its points it differs."""
    noun = _singular(thing.noun)
    if not thing.colour or noun not in NOUNS:
        return None
    seen = _pattern(view.inks(largest(view.colour(thing.colour))), COLOUR_RGB[thing.colour])  # type: ignore[index]
    glyphs = _glyphs(noun)
    off = [float((seen != glyph.pattern).mean()) for glyph in glyphs]
    at = int(np.argmin(off))
    return off[at], glyphs[at]


@lru_cache(maxsize=1)
def _plurals() -> dict[str, str]:
    return {what.plural or f"{noun}s": noun for noun, what in NOUNS.items()}


def _singular(noun: str) -> str:
    return noun if noun in NOUNS else _plurals().get(noun, noun)


@lru_cache(maxsize=256)
def _glyphs(noun: str) -> tuple[Glyph, ...]:
    """The noun in every state, in several proportions."""
    return tuple(_drawn(noun, seen, halves) for seen in _states(noun) for halves in _HALVES)


def _states(noun: str) -> Iterator[dict[str, Any]]:
    what = NOUNS[noun]
    for facing, lit, quarters, form in product(
        FACINGS if what.faces else ("",),
        (False, True) if what.lights else (False,),
        range(MOST_QUARTERS + 1) if what.fills else (0,),
        SHAPES if what.forms else ("",),
    ):
        yield {"facing": facing, "lit": lit, "quarters": quarters, "form": form}


def _drawn(noun: str, seen: dict[str, Any], halves: tuple[int, int]) -> Glyph:
    half_width, half_height = halves
    figure = Figure(id="f", noun=noun, colour="red", x=65, y=65, half_width=half_width, half_height=half_height, **seen)
    packed, rgb = pack(render(Scene(131, 131, elements=(figure,)))), COLOUR_RGB["red"]
    part, box = largest(packed == packed_rgb(rgb)), figure.box
    width, height = part.right - part.left + 1, part.bottom - part.top + 1
    return Glyph(
        _pattern(packed[part.slices], rgb),
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
