"""Compares claims about things (balls, vessels, lamps, …) with a picture: `read_things` says if a claim is true.

Things are the figures in pictures of laws. A claim (`Assertion`, from `words`) says that a property of things has a
value, such as "level" of a vessel "2". A picture is a `View`, in which each thing is found by its colour. The path:
`_is_true` tests that the things are there (with `likeness`, which compares a thing with the drawing of its noun), then
calls the function for the property in `_READERS`, at the end. Each returns the value that the picture shows, in the
words of `Assertion`, or raises CannotRead if that is not clear.
"""

import math
from collections.abc import Callable

import numpy as np
from PIL import Image

from counterbench.judges.pixels.ink import CannotRead, Mask, Rect, box_of, yes_no
from counterbench.judges.pixels.things.likeness import fits_noun, is_grey, is_known, is_likest, whole_box
from counterbench.judges.pixels.things.view import View, parts
from counterbench.judges.pixels.words import Assertion, NamedThing
from counterbench.palette import ANCHOR_RGB, GLASS_RGB, GLOW_RGB, LIQUID_RGB, UNLIT_RGB

# Distances as shares of the picture's shorter side; outlines count as distance. Things touch up to the first and are
# apart from the second on; a thing is at a wall up to the first and free of it from the second on. Between is not
# clear.
_MAX_TOUCHING, _MIN_APART = 0.033, 0.036
_MAX_AT_WALL, _MIN_FREE = 0.03, 0.07
# The least ratio of the distance to one side and that along the other axis; the least ratio of clearly different sizes;
# the largest of sizes that are about the same.
_MIN_SIDED, _MIN_LARGER, _MAX_SAME = 1.12, 1.13, 1.1
# A thing that is counted has at least this share of the largest one's pixels.
_MIN_COUNTED = 0.25
# Vessels whose walls have their colour and whose content has not; of all others it is the other way round.
_COLOURED_WALLS = ("tank", "cup")
# Ink fades into visible damage within so many pixels.
_FADING = 3
# The smallest side in pixels: things are drawn for 512, and in smaller pictures their details are lost.
_MIN_SIDE = 400


def view_of(image: Image.Image) -> View:
    """A picture in the form in which its things are read; CannotRead if it is too small."""
    if min(image.size) < _MIN_SIDE:
        raise CannotRead(f"the picture is smaller than {_MIN_SIDE} pixels: gaps and outlines are too thin to tell")
    return View(image)


def read_things(view: View, claim: Assertion | None) -> str:
    """ "yes" if the claim is true, else "no"; without a claim, "yes" if the picture is undamaged.

    CannotRead if it is not clear.
    """
    return yes_no(view.spoilt is None if claim is None else _is_true(view, claim))


def _is_true(view: View, claim: Assertion) -> bool:
    """True if the claim is true of the picture; False if a thing that it names is not there."""
    if claim.kind == "colour":
        return _has_colour(view, claim.things[0].noun, claim.value)
    if claim.kind == "some":
        return _count_things(view, claim.things[0]) > 0
    if claim.kind == "number":
        return _count_things(view, claim.things[0]) == int(claim.value)
    present = [_is_there(view, thing) for thing in claim.things]
    if not all(present):  # no claim is true of a thing that is not there
        return False
    answer: str = _READERS[claim.kind](view, *claim.things)
    return answer == claim.value


def _is_there(view: View, thing: NamedThing) -> bool:
    """True if a thing is there; CannotRead if the thing in its colour is like no noun that is known."""
    if not view.has(thing.colour):
        return False
    is_named = fits_noun(view, thing)
    if not is_named and not is_known(view, thing.colour):
        raise CannotRead(f"what is {thing.colour} is no {thing.noun}, and nothing else that is known", "match")
    return is_named


def _has_colour(view: View, noun: str, colour: str) -> bool:
    """True if there is a thing of this noun and colour; CannotRead where something unknown may be one of that noun."""
    if colour in view.colours and (fits_noun(view, NamedThing(colour, noun)) or not is_known(view, colour)):
        return True
    others = [NamedThing(other, noun) for other in view.colours]
    if any(fits_noun(view, other) and not _is_damaged(view, box_of(view.colour(other.colour))) for other in others):
        return False  # it is there, in another colour
    unknown_colours = [other for other in view.colours if not is_known(view, other)]
    if unknown_colours:
        raise CannotRead(f"what is {unknown_colours[0]} is nothing that is known: it may be the {noun}", "match")
    return view.has(colour)


def _is_damaged(view: View, box: Rect) -> bool:
    """True if a box touches the damaged part of the picture, or lies within a few pixels of it."""
    return view.spoilt is not None and box.gap(view.spoilt) <= _FADING


def _is_another(view: View, thing: NamedThing) -> bool:
    """True if the thing in this colour is damaged, and fits or is like another noun more than its own."""
    if not _is_damaged(view, box_of(view.colour(thing.colour))) or fits_noun(view, thing):
        return False
    return is_known(view, thing.colour) or not is_likest(view, thing)


def _count_things(view: View, things: NamedThing) -> int:
    """The number of things of a noun, and of its colour if given; parts much smaller than the largest do not count."""
    if not things.colour and not is_grey(things.noun):  # of any colour
        coloured = [NamedThing(colour, things.noun) for colour in view.colours]
        number = sum(_count_things(view, thing) for thing in coloured if not _is_another(view, thing))
        if not number and view.spoilt is not None:
            raise CannotRead(f"no {things.noun} is to be seen, and a part is damaged", "match")
        return number
    sizes = [size for size, _ in view.things(things.colour)] if _is_there(view, things) else []
    return sum(size >= _MIN_COUNTED * sizes[0] for size in sizes)


def _undamaged_box(view: View, thing: NamedThing) -> Rect:
    """The box of the thing in its colour; CannotRead if it is damaged."""
    box = box_of(view.colour(thing.colour))
    if _is_damaged(view, box):
        raise CannotRead(f"the {thing.colour} {thing.noun} is damaged", "match")
    return box


def _wall_of(view: View, thing: NamedThing) -> str:
    """The wall that a thing is at, or "none"; CannotRead in a corner, or close to a wall."""
    room, box = view.room, _undamaged_box(view, thing)
    gaps = {
        "left": box.left - room.left,
        "top": box.top - room.top,
        "right": room.right - box.right,
        "bottom": room.bottom - box.bottom,
    }
    near = [wall for wall, gap in gaps.items() if gap <= _MAX_AT_WALL * view.side]
    if len(near) > 1:
        raise CannotRead(f"the {thing.colour} {thing.noun} is in a corner", "match")
    if not near and min(gaps.values()) < _MIN_FREE * view.side:
        raise CannotRead(f"the {thing.colour} {thing.noun} is close to a wall, but not at it", "match")
    return near[0] if near else "none"


def _read_direction(view: View, thing: NamedThing) -> str:
    """The direction in which a thing points: "left", "right", "up" or "down" of the anchor that it starts at."""
    box = _undamaged_box(view, thing)
    anchors = parts(view.ink(ANCHOR_RGB))  # dark parts, each at the end of a thing from which it points away
    if not anchors:
        raise CannotRead(f"the {thing.noun} starts nowhere")
    anchor = min(anchors, key=lambda part: (max(0.0, part.gap(box)), math.dist(part.middle, box.middle)))
    return _side_of(anchor.middle, box.middle, view, 0.0)


def _side_of(start: tuple[float, float], end: tuple[float, float], view: View, least: float) -> str:
    """The side of the point `start` on which the point `end` lies: "left", "right", "up" or "down".

    CannotRead if it lies aslant, or nearer than `least`, a share of `view.side`.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    larger, smaller = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if larger < least * view.side or larger < _MIN_SIDED * smaller:
        raise CannotRead("it lies aslant", "match")
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _walls_box(view: View, vessel: NamedThing) -> Rect:
    """The box of a vessel's walls: coloured ones from end to end of the rim; else the glass nearest to its colour.

    A vessel with walls of glass has its colour in a lid, in feet or in the content.
    """
    if vessel.noun in _COLOURED_WALLS:
        box = _undamaged_box(view, vessel)
        rim = np.flatnonzero(view.colour(vessel.colour)[box.top])  # a cup's handle begins further down
        return Rect(int(rim[0]), box.top, int(rim[-1]), box.bottom)
    box = box_of(view.colour(vessel.colour))
    glasses = parts(view.ink(GLASS_RGB))
    if not glasses:
        raise CannotRead(f"the {vessel.noun} has no walls")
    return min(glasses, key=lambda g: (max(0.0, g.gap(box)), abs(g.bottom - box.bottom)))


def _read_inside(view: View, thing: NamedThing, vessel: NamedThing) -> str:
    """ "inside" or "outside": the place of a thing, by a vessel's walls; CannotRead if it lies across them."""
    box, walls = _undamaged_box(view, thing), _walls_box(view, vessel)
    if walls.holds(box):
        return "inside"
    if walls.gap(box) < 1:
        raise CannotRead(f"the {thing.noun} is neither inside the {vessel.noun} nor outside", "match")
    return "outside"


def _read_light(view: View, thing: NamedThing) -> str:
    """ "lit" or "dark": the light of the bulb at a thing."""
    box = _undamaged_box(view, thing)
    inks = {"lit": GLOW_RGB, "dark": UNLIT_RGB}
    bulbs = [(bulb.gap(box), light) for light, ink in inks.items() for bulb in parts(view.ink(ink))]
    gap, state = min(bulbs, default=(math.inf, "dark"))
    return state if gap <= 0.03 * view.side else "dark"


def _read_level(view: View, vessel: NamedThing) -> str:
    """The number of quarters of a vessel that are filled, "0" to "4"."""
    coloured_walls, walls = vessel.noun in _COLOURED_WALLS, _walls_box(view, vessel)
    colour, middle = view.colour(vessel.colour), int(walls.middle[0])
    # All is read along the column in the middle: where the floor begins, and how much above it is filled.
    floor = (colour if coloured_walls else view.ink(GLASS_RGB))[walls.top : walls.bottom + 1, middle]
    bottom = int(np.flatnonzero(floor)[0]) if floor.any() else len(floor)
    filled = (view.ink(LIQUID_RGB) if coloured_walls else colour)[walls.top : walls.top + bottom, middle]
    return str(round(4 * float(filled.mean()))) if bottom else "0"


def _compare(a: float, b: float, larger: str, smaller: str, same: str) -> str:
    """`larger`, `smaller` or `same`, as `a` is to `b`; CannotRead if the difference is neither clear nor small."""
    ratio = max(a, b) / min(a, b)
    if _MAX_SAME < ratio < _MIN_LARGER:
        raise CannotRead("they are neither the same nor clearly different", "match")
    return same if ratio <= _MAX_SAME else larger if a > b else smaller


def _compare_sizes(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "larger", "smaller" or "same": the size of a thing beside another's; CannotRead if width and height disagree."""
    a, b = _undamaged_box(view, thing).size, _undamaged_box(view, other).size
    by_width, by_height = (_compare(x, y, "larger", "smaller", "same") for x, y in zip(a, b, strict=True))
    if by_width != by_height:
        raise CannotRead("one is wider, the other higher", "match")
    return by_width


def _compare_heights(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "taller", "shorter" or "level": the height of a thing beside another's."""
    (_, a), (_, b) = _undamaged_box(view, thing).size, _undamaged_box(view, other).size
    return _compare(a, b, "taller", "shorter", "level")


def _read_contact(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "touching" or "apart", of two things; CannotRead if they nearly touch."""
    gap = _undamaged_box(view, thing).gap(_undamaged_box(view, other))
    if _MAX_TOUCHING * view.side < gap < _MIN_APART * view.side:
        raise CannotRead("they nearly touch", "match")
    return "touching" if gap <= _MAX_TOUCHING * view.side else "apart"


def _filled_rows(mask: Mask) -> Mask:
    """A mask (height, width) with each row filled from its first pixel to its last."""
    return np.maximum.accumulate(mask, axis=1) & np.maximum.accumulate(mask[:, ::-1], axis=1)[:, ::-1]


def _read_form(view: View, thing: NamedThing) -> str:
    """The shape of a thing: "square", "circle", "triangle" or "diamond", by the share of its box that it fills."""
    mask = view.colour(thing.colour)
    inked = mask[box_of(mask).slices]
    # Drawings on the thing belong to its form: forms are whole between the ends of each row and column.
    filled = _filled_rows(inked) | _filled_rows(inked.T).T
    share = float(filled.mean())  # of a square 1, of a circle 0.79, of a triangle or a diamond 0.5
    if share > 0.9:
        return "square"
    if share > 0.64:
        return "circle"
    foot = float(filled[-max(2, len(filled) // 12) :].mean())
    return "triangle" if foot > 0.5 else "diamond"


def _read_side(view: View, thing: NamedThing, other: NamedThing) -> str:
    """The side of `other` on which a thing lies: "left", "right", "up" or "down"."""
    return _side_of(whole_box(view, other).middle, whole_box(view, thing).middle, view, 0.04)


def _read_nearer(view: View, thing: NamedThing, first: NamedThing, second: NamedThing) -> str:
    """ "first" or "second": the one of two things that is nearer to `thing`; CannotRead if both are about as near."""
    middle = whole_box(view, thing).middle
    to_first, to_second = (math.dist(middle, whole_box(view, other).middle) for other in (first, second))
    if max(to_first, to_second) < _MIN_LARGER * min(to_first, to_second):
        raise CannotRead("both are about as near", "match")
    return "first" if to_first < to_second else "second"


# By property (`Assertion.kind`), the function that reads its value for the claim's things.
_READERS: dict[str, Callable[..., str]] = {
    "place": _wall_of,
    "direction": _read_direction,
    "inside": _read_inside,
    "light": _read_light,
    "level": _read_level,
    "size": _compare_sizes,
    "height": _compare_heights,
    "contact": _read_contact,
    "form": _read_form,
    "side": _read_side,
    "nearer": _read_nearer,
}
