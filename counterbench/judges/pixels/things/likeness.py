"""Tests if a thing in a picture is what a question calls it, by drawing that noun anew and comparing the two.

A question names a thing by colour and noun ("the red ball"). The colour finds the thing in the picture; `fits_noun`
then says if it is a ball. A glyph (`_Glyph`) is the drawing of a noun. It is drawn in each state (facing left, lit,
half full, …) and at several sizes, so that its coloured part is about as large as that in the picture. It is laid over
the picture with the two parts on each other, and the difference of their pixels is a number: 0 if they are alike, about
1 if not. `thing_reader` calls the five public functions.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from counterbench.drawing.scale import scale_of
from counterbench.drawing.things import draw_figure
from counterbench.judges.pixels.ink import Rect, grown, kinds_of_ink, pack, packed_rgb
from counterbench.judges.pixels.things.view import View, things_of
from counterbench.judges.pixels.words import NamedThing
from counterbench.palette import (
    ANCHOR_RGB,
    BACKGROUND,
    COLOUR_RGB,
    COLOURS,
    GLASS_RGB,
    GLOW_RGB,
    OUTLINE_RGB,
    PALE_RGB,
    RGB,
    SHAPES,
    UNLIT_RGB,
)
from counterbench.scene.figures import FACINGS, MAX_QUARTERS, Figure
from counterbench.scene.geometry import MIN_HALF
from counterbench.scene.nouns import NOUNS

# The largest difference of a thing from the glyph of its noun: something may lie in it, or before it.
_MAX_ALIKE = 0.2
# A thing with at most this difference is of the noun, even if it is like other nouns too.
_MAX_SURE = 0.05
# A thing with at least this difference is not of the noun, at any size.
_MIN_NEVER = 0.5
# A vessel is empty if it is more than this many times as high as its coloured part: only its feet have its colour then.
_MAX_HEIGHT_RATIO = 5
# Thumbnails of all nouns are compared first. The side of one in pixels, and the number of nouns that are then drawn.
_THUMB, _RIVALS = 16, 5
# Nouns that are drawn otherwise in another colour: a signal lights another lamp. All others are drawn once for all.
_BY_COLOUR = frozenset({"signal"})
# Half the side of a glyph's first box, and of its largest; the number of tries to find the right size.
_HALF, _MAX_HALF, _TRIES = 48, 400, 6
# To find a better glyph, half the width and half the height of the best one are changed by at most so many pixels. The
# height more: only the feet of an empty vessel have its colour, and these are equally high at several heights.
_WIDER, _HIGHER = 3, 6
# The inks of glyphs besides their own colour.
_INKS: tuple[RGB, ...] = (OUTLINE_RGB, ANCHOR_RGB, GLASS_RGB, PALE_RGB, GLOW_RGB, UNLIT_RGB)

# The singular of each plural.
_SINGULARS = {traits.plural or f"{noun}s": noun for noun, traits in NOUNS.items()}
# Pictures of things are designed for this side in pixels, and scaled from it.
_SIDE = 512
# Pixels around a glyph that is drawn.
_AROUND = 2

Inks = NDArray[np.uint8]  # (height, width): the number of each pixel's ink, see `_inks_of`
ThingState = tuple[str, bool, int, str]  # facing, lit, quarters, form


class _Glyph(NamedTuple):
    """A drawn noun: the ink of each pixel of its box, and in it the box of the part that has its own colour."""

    inks: Inks
    part: Rect


Glyphs = dict[tuple[int, int], _Glyph]  # by half their width and height


def fits_noun(view: View, thing: NamedThing, more_sizes: bool = True) -> bool:
    """True if the thing in the colour of `thing` is what its noun says.

    True as well if `thing` has no colour (anything shaded counts as a shadow) or its noun is not in `NOUNS`: then
    nothing can be tested. `more_sizes`: if no glyph as large as the thing fits, larger and smaller ones are tried.
    """
    if not thing.colour or _singular(thing.noun) not in NOUNS:
        return True
    noun = _singular(thing.noun)
    difference, box = min(_fits(view, thing, more_sizes), default=(1.0, None))
    if box is None or difference > _MAX_ALIKE or difference <= _MAX_SURE:
        return difference <= _MAX_ALIKE
    if not NOUNS[noun].holds:  # nothing can lie in it: it is of the noun unless another noun surely fits
        rivals = [other for other in _likely_nouns(view, thing.colour) if other != noun][:_RIVALS]
        return all(_unlikeness(view, NamedThing(thing.colour, other), more_sizes=False) > _MAX_SURE for other in rivals)
    # A vessel: something in it may make the difference, or it is another vessel. An empty one is not tested for that.
    _, part = view.things(thing.colour)[0]
    if _MAX_HEIGHT_RATIO * part.size[1] < box.size[1]:
        return True
    other_things = (NamedThing(thing.colour, other) for other, what in NOUNS.items() if what.holds and other != noun)
    return all(_unlikeness(view, other, more_sizes) >= difference for other in other_things)


def is_likest(view: View, thing: NamedThing) -> bool:
    """True if the thing in this colour is at least as like its own noun as like any other."""
    difference = _unlikeness(view, thing)
    return all(_unlikeness(view, NamedThing(thing.colour, noun)) >= difference for noun in NOUNS)


def is_known(view: View, colour: str) -> bool:
    """True if the thing in this colour is like some known noun; only then can it be said to be another thing."""
    things = [NamedThing(colour, noun) for noun in _likely_nouns(view, colour)]
    return any(fits_noun(view, thing, more_sizes) for more_sizes in (False, True) for thing in things)


def is_grey(noun: str) -> bool:
    """True if a noun's things have no colour of their own: a shadow."""
    return _singular(noun) in NOUNS and NOUNS[_singular(noun)].plain


def _likely_nouns(view: View, colour: str) -> list[str]:
    """All nouns, sorted by how like their thumbnails are to the thing in a colour: the likest first."""
    _, part = view.things(colour)[0]
    thumb = _thumbnail(_inks_of(view, colour)[part.slices])
    names, thumbs = _thumbnails(view.side)
    differences = dict.fromkeys(NOUNS, 1.0)
    for noun, share in zip(names, (thumbs != thumb).mean(axis=(1, 2)), strict=True):
        differences[noun] = min(differences[noun], float(share))
    return sorted(differences, key=lambda noun: differences[noun])


@lru_cache(maxsize=8)
def _thumbnails(side: int) -> tuple[list[str], Inks]:
    """The thumbnail of every noun in each of its states: a list of T nouns, and an array (T, `_THUMB`, `_THUMB`)."""
    drawn = [(noun, _draw(noun, state, COLOURS[0], side, _HALF, _HALF)) for noun in NOUNS for state in _states(noun)]
    thumbs = [(noun, _thumbnail(glyph.inks[glyph.part.slices])) for noun, glyph in drawn if glyph is not None]
    return [noun for noun, _ in thumbs], np.stack([thumb for _, thumb in thumbs])


def _thumbnail(inks: Inks) -> Inks:
    """A box of inks, (height, width), reduced to a square of `_THUMB` pixels a side: evenly spaced pixels of it."""
    rows, columns = ((2 * np.arange(_THUMB) + 1) * n // (2 * _THUMB) for n in inks.shape)
    return inks[np.ix_(rows, columns)]


def whole_box(view: View, thing: NamedThing) -> Rect:
    """The box of the whole thing, also if only a part of it has its colour."""
    _, part = view.things(thing.colour)[0]
    fits = _fits(view, thing) if thing.colour and _singular(thing.noun) in NOUNS else []
    return min(fits, key=lambda fit: fit[0])[1] if fits else part


def _unlikeness(view: View, thing: NamedThing, more_sizes: bool = True) -> float:
    """The least difference of the thing in this colour from its noun's glyphs, from 0; 1.0 if none can be drawn.

    It is above 1 if the picture has much more in the colour than the glyph.
    """
    return min((difference for difference, _ in _fits(view, thing, more_sizes)), default=1.0)


def _fits(view: View, thing: NamedThing, more_sizes: bool = True) -> list[tuple[float, Rect]]:
    """Pairs of a difference and a box, one for each glyph of the thing's noun that was laid over the picture.

    The glyphs are of all states, with a coloured part about as large as that in the picture; the search ends at the
    first that surely fits. The box is the glyph's in the picture. `more_sizes`: see `fits_noun`.
    """
    _, part = view.things(thing.colour)[0]
    noun = _singular(thing.noun)
    colour = thing.colour if noun in _BY_COLOUR else COLOURS[0]
    inks = _inks_of(view, thing.colour)
    fits: list[tuple[float, Rect]] = []
    # Several sizes fit a coloured part that is much smaller than the thing.
    for draw_glyphs in (_glyphs_of_size, _glyphs_of_other_sizes) if more_sizes else (_glyphs_of_size,):
        for state in _states(noun):
            glyphs = draw_glyphs(noun, state, colour, view.side, *part.size)
            fits += [_fit_glyph(glyph, part, inks) for glyph in glyphs.values()]
            if fits and min(fits)[0] <= _MAX_SURE:
                return fits
        if not fits or min(fits)[0] >= _MIN_NEVER:
            break
    return fits


def _inks_of(view: View, colour: str) -> Inks:
    """The ink of each pixel, (height, width): 1 for a colour, then `_INKS`, then the other colours; 0 for none."""
    main = COLOUR_RGB[colour]  # type: ignore[index]
    return kinds_of_ink(view.packed, main, *_INKS, *(rgb for rgb in COLOUR_RGB.values() if rgb != main))


def _fit_glyph(glyph: _Glyph, part: Rect, inks: Inks) -> tuple[float, Rect]:
    """A glyph, laid with its coloured part over that in a picture: the difference of the two, and the glyph's box.

    `inks`: the picture's, (height, width), from `_inks_of`.
    """
    high, wide = glyph.inks.shape
    left, top = part.left - glyph.part.left, part.top - glyph.part.top
    box = Rect(left, top, left + wide - 1, top + high - 1)
    patch = np.zeros_like(glyph.inks)  # empty beyond the picture
    inside = inks[box.slices]
    down, across = max(0, -box.top), max(0, -box.left)
    patch[down : down + inside.shape[0], across : across + inside.shape[1]] = inside
    return _difference(glyph.inks, patch), box


def _difference(drawn: Inks, patch: Inks) -> float:
    """The difference of a picture from a glyph, from 0 (none): the larger of two shares of pixels that do not match.

    The one is of all pixels of the glyph, the other, halved, of those of its lines. `drawn`, `patch`: the inks of the
    glyph, and of the picture below it, both (height, width), from `_inks_of`.
    """
    coloured, patch_coloured = drawn == 1, patch == 1
    lines, visible = drawn > 1, patch <= len(_INKS) + 1  # pixels of things before it, in another colour, do not count
    patch_lines = (patch > 1) & visible
    near_glyph, near_patch = _inks_nearby(drawn), _inks_nearby(patch)
    lacking = (coloured | lines) & visible & (near_patch >> drawn & 1 == 0)
    plain = coloured & (near_glyph & ~_ink_bit(0) & ~_ink_bit(1) == 0)
    of_all = _count_true(lacking) + _count_true(patch_coloured & (near_glyph & _ink_bit(1) == 0))
    of_lines = _count_true(lacking & lines) + _count_true(patch_lines & plain)
    drawn_lines = _count_true(lines & visible)
    return max(of_all / max(1, _count_true(coloured & visible) + drawn_lines), of_lines / max(1, 2 * drawn_lines))


def _count_true(mask: NDArray[np.bool_]) -> int:
    """The number of pixels of a mask (height, width)."""
    return int(np.count_nonzero(mask))


def _ink_bit(ink: int) -> np.uint16:
    """The bit that stands for an ink in `_inks_nearby`."""
    return np.uint16(1 << ink)


def _inks_nearby(inks: Inks) -> NDArray[np.uint16]:
    """The inks within a pixel of each pixel, as bits: a glyph may have been drawn a little larger.

    `inks`: the number of each pixel's ink, (height, width), as is the result.
    """
    return grown(np.uint16(1) << inks.astype(np.uint16), 1)


def _singular(noun: str) -> str:
    """The singular of a noun; an unknown word unchanged."""
    return noun if noun in NOUNS else _SINGULARS.get(noun, noun)


def _states(noun: str) -> Iterator[ThingState]:
    """Every state in which a noun can be drawn; a trait that the noun does not have stays the same."""
    traits = NOUNS[noun]
    yield from product(
        FACINGS if traits.faces else ("",),
        (False, True) if traits.lights else (False,),
        range(MAX_QUARTERS + 1) if traits.fills else (0,),
        SHAPES if traits.forms else ("",),
    )


@lru_cache(maxsize=2048)
def _glyphs_of_other_sizes(noun: str, state: ThingState, colour: str, side: int, width: int, height: int) -> Glyphs:
    """The noun in a state, drawn a little larger and smaller than the best of `_glyphs_of_size`.

    The parameters are those of that function.
    """
    known = _glyphs_of_size(noun, state, colour, side, width, height)
    if not known:
        return {}
    wanted = (width, height)
    best = min(known, key=lambda halves: np.abs(np.subtract(known[halves].part.size, wanted)).sum())
    steps = product(range(-_WIDER, _WIDER + 1), range(-_HIGHER, _HIGHER + 1))
    sizes = {(max(MIN_HALF, best[0] + across), max(MIN_HALF, best[1] + down)) for across, down in steps}
    drawn = {halves: _draw(noun, state, colour, side, *halves) for halves in sorted(sizes - known.keys())}
    return {halves: glyph for halves, glyph in drawn.items() if glyph is not None}


@lru_cache(maxsize=2048)
def _glyphs_of_size(noun: str, state: ThingState, colour: str, side: int, width: int, height: int) -> Glyphs:
    """The noun in a state, drawn again until its coloured part has nearly the wanted size; all drawings are returned.

    `side`: the shorter side of the picture in pixels; `width`, `height`: the wanted size of the part in pixels.
    """
    glyphs: Glyphs = {}
    first = _draw(noun, state, colour, side, _HALF, _HALF)
    if first is None:
        return glyphs
    first_size = first.part.size
    half_width, half_height = width * _HALF // first_size[0], height * _HALF // first_size[1]
    for _ in range(_TRIES):  # the thickness of lines is fixed, so that a part grows less or more than the whole
        halves = (max(MIN_HALF, half_width), max(MIN_HALF, half_height))
        if halves in glyphs or max(halves) > _MAX_HALF or (glyph := _draw(noun, state, colour, side, *halves)) is None:
            break
        glyphs[halves] = glyph
        across, down = glyph.part.size
        half_width = halves[0] + _half_step((width - across) * _SIDE // side)
        half_height = halves[1] + _half_step((height - down) * _SIDE // side)
    return glyphs


def _half_step(missing: int) -> int:
    """Half of a missing size in pixels, rounded towards 0; the size itself if that is one pixel or none."""
    return int(missing / 2) or missing


@lru_cache(maxsize=4096)
def _draw(noun: str, state: ThingState, colour: str, side: int, half_width: int, half_height: int) -> _Glyph | None:
    """Draw a noun in a state as in a picture of `side` pixels; None if it shows nothing in its colour.

    `half_width`, `half_height`: half its size in a picture of `_SIDE` pixels.
    """
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
    scale = scale_of(side, _SIDE)
    box = scale.box(figure.box)
    image = Image.new("RGB", (box.right + _AROUND, box.bottom + _AROUND), (BACKGROUND,) * 3)
    draw_figure(image, figure, scale)
    rgb, packed = COLOUR_RGB[figure.colour], pack(image)[box.top : box.bottom + 1, box.left : box.right + 1]
    inks = kinds_of_ink(packed, rgb, *_INKS)
    outlines = (packed == packed_rgb(OUTLINE_RGB)) | (packed == packed_rgb(GLASS_RGB))
    parts = things_of(inks == 1, outlines) if (inks == 1).any() else []
    return _Glyph(inks, parts[0][1]) if parts else None
