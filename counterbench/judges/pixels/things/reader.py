"""Claims about things, compared with a picture."""

import math
from collections.abc import Callable

import numpy as np
from PIL import Image

from counterbench.judges.pixels.ink import CannotRead, Rect, box_of, yes_no
from counterbench.judges.pixels.things.likeness import is_grey, is_known, is_likest, is_one, whole_box
from counterbench.judges.pixels.things.view import Mask, View, parts
from counterbench.judges.pixels.words import Claim, NamedThing
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


def read_things(view: View, claim: Claim | None) -> str:
    """ "yes" if the claim is true, or without a claim if the picture is undamaged; else "no", or CannotRead."""
    return yes_no(view.spoilt is None if claim is None else _holds(view, claim))


def _holds(view: View, claim: Claim) -> bool:
    """True if the claim is true of the picture; False if a thing that it names is not there."""
    if claim.what == "colour":
        return _has_colour(view, claim.things[0].noun, claim.value)
    if claim.what == "some":
        return _number(view, claim.things[0]) > 0
    if claim.what == "number":
        return _number(view, claim.things[0]) == int(claim.value)
    present = [_is_there(view, thing) for thing in claim.things]
    if not all(present):  # no claim is true of a thing that is not there
        return False
    answer: str = _READERS[claim.what](view, *claim.things)
    return answer == claim.value


def _is_there(view: View, thing: NamedThing) -> bool:
    """True if a thing is there; CannotRead if the thing in its colour is unknown."""
    if not view.has(thing.colour):
        return False
    same = is_one(view, thing)
    if not same and not is_known(view, thing.colour):
        raise CannotRead(f"what is {thing.colour} is no {thing.noun}, and nothing else that is known", "match")
    return same


def _has_colour(view: View, noun: str, colour: str) -> bool:
    """True if there is a `noun` in this colour; CannotRead where something unknown may be it."""
    if colour in view.colours and (is_one(view, NamedThing(colour, noun)) or not is_known(view, colour)):
        return True
    others = [NamedThing(other, noun) for other in view.colours]
    if any(is_one(view, other) and not _spoilt(view, box_of(view.colour(other.colour))) for other in others):
        return False  # it is there, in another colour
    strange = [other for other in view.colours if not is_known(view, other)]
    if strange:
        raise CannotRead(f"what is {strange[0]} is nothing that is known: it may be the {noun}", "match")
    return view.has(colour)


def _spoilt(view: View, box: Rect) -> bool:
    return view.spoilt is not None and box.apart(view.spoilt) <= _FADING


def _is_another(view: View, thing: NamedThing) -> bool:
    """True if the thing in a colour is damaged and not the named one: it is another, or more like another."""
    if not _spoilt(view, box_of(view.colour(thing.colour))) or is_one(view, thing):
        return False
    return is_known(view, thing.colour) or not is_likest(view, thing)


def _number(view: View, things: NamedThing) -> int:
    """The number of such things; parts much smaller than the largest do not count."""
    if not things.colour and not is_grey(things.noun):  # of any colour
        coloured = [NamedThing(colour, things.noun) for colour in view.colours]
        number = sum(_number(view, thing) for thing in coloured if not _is_another(view, thing))
        if not number and view.spoilt is not None:
            raise CannotRead(f"no {things.noun} is to be seen, and a part is damaged", "match")
        return number
    sizes = [size for size, _ in view.things(things.colour)] if _is_there(view, things) else []
    return sum(size >= _COUNTED * sizes[0] for size in sizes)


def _box(view: View, thing: NamedThing) -> Rect:
    box = box_of(view.colour(thing.colour))
    if _spoilt(view, box):
        raise CannotRead(f"the {thing.colour} {thing.noun} is damaged", "match")
    return box


def _place(view: View, thing: NamedThing) -> str:
    """The wall that a thing is at, or "none"; CannotRead in a corner, or close to a wall."""
    room, box = view.room, _box(view, thing)
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


def _direction(view: View, thing: NamedThing) -> str:
    box = _box(view, thing)
    anchors = parts(view.ink(ANCHOR_RGB))
    if not anchors:
        raise CannotRead(f"the {thing.noun} starts nowhere")
    anchor = min(anchors, key=lambda a: (max(0.0, a.apart(box)), math.dist(a.middle, box.middle)))
    return _facing(anchor.middle, box.middle, view, 0.0)


def _facing(start: tuple[float, float], end: tuple[float, float], view: View, least: float) -> str:
    """The side of `start` on which `end` lies; CannotRead aslant, or nearer than `least`, a share of the side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if far < least * view.side or far < _SIDED * near:
        raise CannotRead("it lies aslant", "match")
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _walls(view: View, vessel: NamedThing) -> Rect:
    """The box of a vessel's walls: between those of its colour, or the glass nearest to its colour.

    A cup's handle begins below its rim; glass holds the colour of a lid, of feet or of the content.
    """
    if vessel.noun in _CLEAR:
        box = _box(view, vessel)
        rim = np.flatnonzero(view.colour(vessel.colour)[box.top])
        return Rect(int(rim[0]), box.top, int(rim[-1]), box.bottom)
    box = box_of(view.colour(vessel.colour))
    glasses = parts(view.ink(GLASS_RGB))
    if not glasses:
        raise CannotRead(f"the {vessel.noun} has no walls")
    return min(glasses, key=lambda g: (max(0.0, g.apart(box)), abs(g.bottom - box.bottom)))


def _inside(view: View, thing: NamedThing, vessel: NamedThing) -> str:
    box, walls = _box(view, thing), _walls(view, vessel)
    if walls.holds(box):
        return "inside"
    if walls.apart(box) < 1:
        raise CannotRead(f"the {thing.noun} is neither inside the {vessel.noun} nor outside", "match")
    return "outside"


def _light(view: View, thing: NamedThing) -> str:
    box = _box(view, thing)
    inks = {"lit": GLOW_RGB, "dark": UNLIT_RGB}
    bulbs = [(bulb.apart(box), light) for light, ink in inks.items() for bulb in parts(view.ink(ink))]
    gap, state = min(bulbs, default=(math.inf, "dark"))
    return state if gap <= 0.03 * view.side else "dark"


def _level(view: View, vessel: NamedThing) -> str:
    """The filled quarters of a vessel, "0" to "4"."""
    clear, walls = vessel.noun in _CLEAR, _walls(view, vessel)
    colour, middle = view.colour(vessel.colour), int(walls.middle[0])
    floor = (colour if clear else view.ink(GLASS_RGB))[walls.top : walls.bottom + 1, middle]
    bottom = int(np.flatnonzero(floor)[0]) if floor.any() else len(floor)
    filled = (view.ink(LIQUID_RGB) if clear else colour)[walls.top : walls.top + bottom, middle]
    return str(round(4 * float(filled.mean()))) if bottom else "0"


def _compared(a: float, b: float, larger: str, smaller: str, same: str) -> str:
    ratio = max(a, b) / min(a, b)
    if _SAME < ratio < _LARGER:
        raise CannotRead("they are neither the same nor clearly different", "match")
    return same if ratio <= _SAME else larger if a > b else smaller


def _size(view: View, thing: NamedThing, other: NamedThing) -> str:
    a, b = _box(view, thing).size, _box(view, other).size
    wide, high = (_compared(first, second, "larger", "smaller", "same") for first, second in zip(a, b, strict=True))
    if wide != high:
        raise CannotRead("one is wider, the other higher", "match")
    return wide


def _height(view: View, thing: NamedThing, other: NamedThing) -> str:
    (_, a), (_, b) = _box(view, thing).size, _box(view, other).size
    return _compared(a, b, "taller", "shorter", "level")


def _contact(view: View, thing: NamedThing, other: NamedThing) -> str:
    gap = _box(view, thing).apart(_box(view, other))
    if _TOUCHING * view.side < gap < _APART * view.side:
        raise CannotRead("they nearly touch", "match")
    return "touching" if gap <= _TOUCHING * view.side else "apart"


def _filled(mask: Mask) -> Mask:
    """A mask with each row filled from its first place to its last."""
    return np.maximum.accumulate(mask, axis=1) & np.maximum.accumulate(mask[:, ::-1], axis=1)[:, ::-1]


def _form(view: View, thing: NamedThing) -> str:
    """The shape of a thing, by the share of its box that it fills."""
    mask = view.colour(thing.colour)
    inked = mask[box_of(mask).slices]
    # Drawings on the thing belong to its form: forms are whole between the ends of each row and column.
    cut = _filled(inked) | _filled(inked.T).T
    full = float(cut.mean())
    if full > 0.9:
        return "square"
    if full > 0.64:
        return "circle"
    foot = float(cut[-max(2, len(cut) // 12) :].mean())
    return "triangle" if foot > 0.5 else "diamond"


def _side(view: View, thing: NamedThing, other: NamedThing) -> str:
    return _facing(whole_box(view, other).middle, whole_box(view, thing).middle, view, 0.04)


def _nearer(view: View, thing: NamedThing, first: NamedThing, second: NamedThing) -> str:
    middle = whole_box(view, thing).middle
    near, far = (math.dist(middle, whole_box(view, t).middle) for t in (first, second))
    if max(near, far) < _LARGER * min(near, far):
        raise CannotRead("both are about as near", "match")
    return "first" if near < far else "second"


_READERS: dict[str, Callable[..., str]] = {
    "place": _place,
    "direction": _direction,
    "inside": _inside,
    "light": _light,
    "level": _level,
    "size": _size,
    "height": _height,
    "contact": _contact,
    "form": _form,
    "side": _side,
    "nearer": _nearer,
}
