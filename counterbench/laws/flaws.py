"""Pictures in which something is wrong with what is there at all: missing, twice, in another's colour, a stranger.

Missing things and wrong attributes are most of what text-to-image models get wrong (TS2, arXiv 2404.04251).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

import msgspec

from counterbench.laws.layout import is_free
from counterbench.palette import COLOURS, Colour
from counterbench.scene.figures import Figure, Room
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.named import Named, matching
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

# What a stranger may be: loose bodies, which nothing that is looked at can be taken for.
_STRANGERS = ("ball", "box", "stone", "coin", "egg", "book", "apple", "mushroom")
_STRANGE_SYMBOLS = ("disc", "tile", "cross", "hoop", "wedge", "kite", "star")
_STRANGERS_HALF = (18, 30)
# From half a side so long on, a thing is told by its look.
_LARGE = 20
# Things of one group may be taken for each other where they are small: their colours are not exchanged.
_ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"salt", "soda", "alum", "crystal"}),
    frozenset({"cat", "kitten", "dog", "puppy"}),
    frozenset({"water", "oil", "syrup", "tea", "lake", "puddle", "plank", "box", "ice"}),
    frozenset({"block", "box", "post", "plank", "rope", "hedge", "bamboo", "candle", "thermometer", "magnet", "ice"})
    | {"parcel", "book", "nail", "signal", "gleam", "ray", "reflector", "spring"},
    frozenset(
        {"ball", "coin", "stone", "egg", "apple", "bubble", "cell", "bacterium", "drop", "planet", "moon", "leaf"}
    )
    | {"asteroid", "seed", "berry", "wheel", "ring", "cork", "sun", "cloud"},
    frozenset({"needle", "sign", "compass", "sundial", "flag", "fan"}),
    frozenset({"frame", "column"}),
)
_PLACES = 300
# What is added keeps so many pixels from walls and things: more than what touches.
_GAP = 22


def without(scene: Scene, *things: Named) -> Scene | None:
    """The scene without the things of these names; None if there are none."""
    gone = {figure.id for thing in things for figure in matching(scene, thing)}
    return scene.with_elements(*(e for e in scene.elements if e.id not in gone)) if gone else None


def recoloured(scene: Scene, thing: Named, colour: Colour) -> Scene | None:
    """The scene with what has this name in another colour; None if there is none, or its colour is no part of it."""
    found = matching(scene, thing) if thing.colour and not NOUNS[thing.noun].plain else []
    return scene.replaced(*(msgspec.structs.replace(e, colour=colour) for e in found)) if found else None


def free_colours(figures: Iterable[Figure], reserved: Collection[str]) -> list[Colour]:
    """The colours that none of these has and that are not reserved."""
    taken = {*reserved, *(figure.colour for figure in figures)}
    return [colour for colour in COLOURS if colour not in taken]


def bare(scene: Scene) -> Scene:
    """The scene without any thing."""
    return scene.with_elements(*(e for e in scene.elements if not isinstance(e, Figure)))


def swapped(scene: Scene, things: Sequence[Named], stream: Stream) -> Scene | None:
    """The scene with two of these in each other's colour; None if no two that are there differ in noun and colour."""
    there = [thing for thing in things if (found := matching(scene, thing)) and all(map(_large, found))]
    pairs = [(a, b) for a, b in combinations(there, 2) if a.noun != b.noun and not _alike(a, b)]
    if not pairs:
        return None
    a, b = stream.choice(pairs)
    new = {e.id: b.colour for e in matching(scene, a)} | {e.id: a.colour for e in matching(scene, b)}
    return scene.replaced(*(msgspec.structs.replace(e, colour=new[e.id]) for e in scene.figures if e.id in new))


def _large(figure: Figure) -> bool:
    """Whether it is large enough to be told from anything else by its look."""
    return min(figure.half_width, figure.half_height) >= _LARGE


def _alike(one: Named, other: Named) -> bool:
    return any({one.noun, other.noun} <= group for group in _ALIKE)


def doubled(scene: Scene, thing: Named, stream: Stream) -> Scene | None:
    """The scene with a second one of a thing that is there once, beside everything; None if there is no room."""
    there = matching(scene, thing)
    if len(there) != 1:
        return None
    placed = _placed(msgspec.structs.replace(there[0], id=f"{there[0].id}-again"), [scene], stream)
    return scene.with_elements(*scene.elements, placed) if placed else None


def with_stranger(scenes: Sequence[Scene], reserved: Collection[str], stream: Stream) -> list[Scene]:
    """Each of the scenes with the same thing more, which has no part in any: no other is of its noun or its colour.

    In no `reserved` colour, and at the same place; as they are where there is no room.
    """
    figures = [figure for scene in scenes for figure in scene.figures]
    free = free_colours(figures, reserved)
    known = _STRANGE_SYMBOLS if all(figure.noun in SYMBOLS for figure in figures) else _STRANGERS
    nouns = [noun for noun in known if all(noun != figure.noun for figure in figures)]
    if not free or not nouns:
        return list(scenes)
    colour, noun, half = stream.choice(free), stream.choice(nouns), stream.integer(*_STRANGERS_HALF)
    new = Figure(id="stranger", noun=noun, colour=colour, x=0, y=0, half_width=half, half_height=half)
    placed = _placed(new, scenes, stream)
    return [scene.with_elements(*scene.elements, placed) if placed else scene for scene in scenes]


def _placed(new: Figure, scenes: Sequence[Scene], stream: Stream) -> Figure | None:
    """A thing in a place that is free in every scene; None if none is found."""
    room = next((e.interior for e in scenes[0].elements if isinstance(e, Room)), scenes[0].box).grown(-_GAP)
    for _ in range(_PLACES):
        x, y = stream.integer(room.left, room.right), stream.integer(room.top, room.bottom)
        placed = msgspec.structs.replace(new, x=x, y=y)
        if placed.box.within(room) and all(is_free(placed.box.grown(_GAP), scene) for scene in scenes):
            return placed
    return None
