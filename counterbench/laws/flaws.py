"""Pictures with wrong things: one is missing, there twice, in another's colour, or a stranger.

Missing things and wrong attributes are most errors of text-to-image models (TS2, arXiv 2404.04251).
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

# Nouns of strangers: loose bodies that cannot be taken for an observed thing.
_STRANGERS = ("ball", "box", "stone", "coin", "egg", "book", "apple", "mushroom")
_STRANGE_SYMBOLS = ("disc", "tile", "cross", "hoop", "wedge", "kite", "star")
_STRANGERS_HALF = (18, 30)
# Least half side of a thing that can be recognised by its look.
_LARGE = 20
# Small things of one group may be taken for each other: their colours are not exchanged.
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
# Pixels between an added thing and walls and things: more than for contact.
_GAP = 22


def without(scene: Scene, *things: Named) -> Scene | None:
    """The scene without the things of these names; None if there are none."""
    gone = {figure.id for thing in things for figure in matching(scene, thing)}
    return scene.with_elements(*(e for e in scene.elements if e.id not in gone)) if gone else None


def recoloured(scene: Scene, thing: Named, colour: Colour) -> Scene | None:
    """The scene with the things of this name in another colour; None without any, or if the name has no colour."""
    figures = matching(scene, thing) if thing.colour and not NOUNS[thing.noun].plain else []
    return scene.replaced(*(msgspec.structs.replace(e, colour=colour) for e in figures)) if figures else None


def free_colours(figures: Iterable[Figure], reserved: Collection[str]) -> list[Colour]:
    """The colours that none of these has and that are not reserved."""
    taken = {*reserved, *(figure.colour for figure in figures)}
    return [colour for colour in COLOURS if colour not in taken]


def bare(scene: Scene) -> Scene:
    """The scene without any thing."""
    return scene.with_elements(*(e for e in scene.elements if not isinstance(e, Figure)))


def swapped(scene: Scene, things: Sequence[Named], stream: Stream) -> Scene | None:
    """The scene with two of these in each other's colour; None if no two in it differ in noun and look."""
    present = [thing for thing in things if (figures := matching(scene, thing)) and all(map(_large, figures))]
    pairs = [(a, b) for a, b in combinations(present, 2) if a.noun != b.noun and not _alike(a, b)]
    if not pairs:
        return None
    a, b = stream.choice(pairs)
    new = {e.id: b.colour for e in matching(scene, a)} | {e.id: a.colour for e in matching(scene, b)}
    return scene.replaced(*(msgspec.structs.replace(e, colour=new[e.id]) for e in scene.figures if e.id in new))


def _large(figure: Figure) -> bool:
    """True if it is large enough to be recognised by its look."""
    return min(figure.half_width, figure.half_height) >= _LARGE


def _alike(one: Named, other: Named) -> bool:
    return any({one.noun, other.noun} <= group for group in _ALIKE)


def doubled(scene: Scene, thing: Named, stream: Stream) -> Scene | None:
    """The scene with a copy of a thing that is there once, in a free place; None if there is no room."""
    figures = matching(scene, thing)
    if len(figures) != 1:
        return None
    placed = _placed(msgspec.structs.replace(figures[0], id=f"{figures[0].id}-again"), [scene], stream)
    return scene.with_elements(*scene.elements, placed) if placed else None


def with_stranger(scenes: Sequence[Scene], reserved: Collection[str], stream: Stream) -> list[Scene]:
    """The scenes with the same added thing at the same place; unchanged if there is no room.

    No other thing has its noun or its colour, which is none of `reserved`.
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
    """The thing in a place that is free in every scene; None if there is none."""
    room = next((e.interior for e in scenes[0].elements if isinstance(e, Room)), scenes[0].box).grown(-_GAP)
    for _ in range(_PLACES):
        x, y = stream.integer(room.left, room.right), stream.integer(room.top, room.bottom)
        placed = msgspec.structs.replace(new, x=x, y=y)
        if placed.box.within(room) and all(is_free(placed.box.grown(_GAP), scene) for scene in scenes):
            return placed
    return None
