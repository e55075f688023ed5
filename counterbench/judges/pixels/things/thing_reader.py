"""Compares claims about things (balls, vessels, lamps, …), the figures of the pictures of laws, with a picture."""

import math
from collections.abc import Callable

import numpy as np
from PIL import Image

from counterbench.judges.pixels.ink import CannotRead, Mask, Rect, box_of, yes_no
from counterbench.judges.pixels.things.likeness import fits_noun, is_grey, is_known, is_likest, whole_box
from counterbench.judges.pixels.things.view import View, parts
from counterbench.judges.pixels.words import Assertion, NamedThing
from counterbench.palette import ANCHOR_RGB, GLASS_RGB, GLOW_RGB, LIQUID_RGB, UNLIT_RGB

# Shares of the picture's shorter side. A distance between touching and apart is refused. Outlines count as distance.
_TOUCHING, _APART = 0.033, 0.036
_NEAR_WALL, _FREE = 0.03, 0.07
# Clearly more to one side than along the other axis; clearly larger; about the same.
_SIDED, _LARGER, _SAME = 1.12, 1.13, 1.1
# A thing that is counted has at least this share of the largest one's pixels.
_COUNTED = 0.25
# Vessels with walls of their colour, which are not filled with it.
_CLEAR = ("tank", "cup")
# Pixels between ink and visible damage: there the one fades into the other.
_FADING = 3
# The smallest side in pixels: things are drawn for 512, and in smaller pictures their details are lost.
_MIN_SIDE = 400


def view_of(image: Image.Image) -> View:
    """The things of a picture; CannotRead if it is too small."""
    if min(image.size) < _MIN_SIDE:
        raise CannotRead(f"the picture is smaller than {_MIN_SIDE} pixels: gaps and outlines are too thin to tell")
    return View(image)


def read_things(view: View, claim: Assertion | None) -> str:
    """ "yes" if the claim is true, or without a claim if the picture is undamaged; else "no", or CannotRead."""
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
    """True if a thing is there; CannotRead if the thing in its colour is unknown."""
    if not view.has(thing.colour):
        return False
    is_named = fits_noun(view, thing)
    if not is_named and not is_known(view, thing.colour):
        raise CannotRead(f"what is {thing.colour} is no {thing.noun}, and nothing else that is known", "match")
    return is_named


def _has_colour(view: View, noun: str, colour: str) -> bool:
    """True if there is a `noun` in this colour; CannotRead where something unknown may be it."""
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
    """True if the thing in this colour is damaged, does not fit its noun, and fits another one or is more like it."""
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
    return sum(size >= _COUNTED * sizes[0] for size in sizes)


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
    near = [wall for wall, gap in gaps.items() if gap <= _NEAR_WALL * view.side]
    if len(near) > 1:
        raise CannotRead(f"the {thing.colour} {thing.noun} is in a corner", "match")
    if not near and min(gaps.values()) < _FREE * view.side:
        raise CannotRead(f"the {thing.colour} {thing.noun} is close to a wall, but not at it", "match")
    return near[0] if near else "none"


def _read_direction(view: View, thing: NamedThing) -> str:
    """The direction in which a thing points: "left", "right", "up" or "down" of the anchor that it starts at."""
    box = _undamaged_box(view, thing)
    anchors = parts(view.ink(ANCHOR_RGB))
    if not anchors:
        raise CannotRead(f"the {thing.noun} starts nowhere")
    anchor = min(anchors, key=lambda a: (max(0.0, a.gap(box)), math.dist(a.middle, box.middle)))
    return _side_of(anchor.middle, box.middle, view, 0.0)


def _side_of(start: tuple[float, float], end: tuple[float, float], view: View, least: float) -> str:
    """The side of `start` on which `end` lies; CannotRead aslant, or nearer than `least`, a share of `view.side`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if far < least * view.side or far < _SIDED * near:
        raise CannotRead("it lies aslant", "match")
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _walls_box(view: View, vessel: NamedThing) -> Rect:
    """The box of a vessel's walls: between those of its colour, or the glass nearest to its colour.

    A cup's handle begins below its rim; glass holds the colour of a lid, of feet or of the content.
    """
    if vessel.noun in _CLEAR:
        box = _undamaged_box(view, vessel)
        rim = np.flatnonzero(view.colour(vessel.colour)[box.top])
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
    clear, walls = vessel.noun in _CLEAR, _walls_box(view, vessel)
    colour, middle = view.colour(vessel.colour), int(walls.middle[0])
    floor = (colour if clear else view.ink(GLASS_RGB))[walls.top : walls.bottom + 1, middle]
    bottom = int(np.flatnonzero(floor)[0]) if floor.any() else len(floor)
    filled = (view.ink(LIQUID_RGB) if clear else colour)[walls.top : walls.top + bottom, middle]
    return str(round(4 * float(filled.mean()))) if bottom else "0"


def _compare(a: float, b: float, larger: str, smaller: str, same: str) -> str:
    """`larger`, `smaller` or `same`, as `a` is to `b`; CannotRead if the difference is neither clear nor small."""
    ratio = max(a, b) / min(a, b)
    if _SAME < ratio < _LARGER:
        raise CannotRead("they are neither the same nor clearly different", "match")
    return same if ratio <= _SAME else larger if a > b else smaller


def _compare_sizes(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "larger", "smaller" or "same": the size of a thing by another's; CannotRead if width and height disagree."""
    a, b = _undamaged_box(view, thing).size, _undamaged_box(view, other).size
    wide, high = (_compare(first, second, "larger", "smaller", "same") for first, second in zip(a, b, strict=True))
    if wide != high:
        raise CannotRead("one is wider, the other higher", "match")
    return wide


def _compare_heights(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "taller", "shorter" or "level": the height of a thing by another's."""
    (_, a), (_, b) = _undamaged_box(view, thing).size, _undamaged_box(view, other).size
    return _compare(a, b, "taller", "shorter", "level")


def _read_contact(view: View, thing: NamedThing, other: NamedThing) -> str:
    """ "touching" or "apart", of two things; CannotRead if they nearly touch."""
    gap = _undamaged_box(view, thing).gap(_undamaged_box(view, other))
    if _TOUCHING * view.side < gap < _APART * view.side:
        raise CannotRead("they nearly touch", "match")
    return "touching" if gap <= _TOUCHING * view.side else "apart"


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
    near, far = (math.dist(middle, whole_box(view, t).middle) for t in (first, second))
    if max(near, far) < _LARGER * min(near, far):
        raise CannotRead("both are about as near", "match")
    return "first" if near < far else "second"


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
