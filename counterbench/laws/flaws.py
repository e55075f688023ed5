"""Pictures with wrong things: one is missing, there twice, in another's colour, a stranger, or strays.

Missing things and wrong attributes are most errors of text-to-image models (TS2, arXiv 2404.04251). A stray has changed
although no variant changes it: it turned, went dark, moved, grew … So a judge that is asked if *everything* obeys must
look at the unaffected things, too.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from counterbench.errors import AmbiguousError, InputError
from counterbench.laws.base import SIDE, is_free, overlaps
from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.figures import FACINGS, MOST_QUARTERS, Figure, Room
from counterbench.scene.geometry import MIN_HALF
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.named import Named, find, matching
from counterbench.scene.programs.observations import ColourSeen, Number, Observation
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
# Places that are tried: of an added thing, and of a stray.
_PLACES, _STRAY_PLACES = 300, 150
# Pixels between an added thing and walls and things: more than for contact.
_GAP = 22


def without(scene: Scene, *things: Named) -> Scene | None:
    """The scene without the things of these names; None if there are none."""
    gone = {figure.id for thing in things for figure in matching(scene, thing)}
    return scene.with_elements(*(e for e in scene.elements if e.id not in gone)) if gone else None


def recoloured(scene: Scene, thing: Named, colour: Colour) -> Scene | None:
    """The scene with the things of this name in another colour; None without any, or if the name has no colour."""
    figures = matching(scene, thing) if thing.colour and not NOUNS[thing.noun].plain else []
    return scene.replaced(*(e.but(colour=colour) for e in figures)) if figures else None


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
    return scene.replaced(*(e.but(colour=new[e.id]) for e in scene.figures if e.id in new))


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
    placed = _placed(figures[0].but(id=f"{figures[0].id}-again"), [scene], stream)
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
    placed = _placed(Figure("stranger", noun, colour, 0, 0, half, half), scenes, stream)
    return [scene.with_elements(*scene.elements, placed) if placed else scene for scene in scenes]


def _placed(new: Figure, scenes: Sequence[Scene], stream: Stream) -> Figure | None:
    """The thing in a place that is free in every scene; None if there is none."""
    room = next((e.interior for e in scenes[0].elements if isinstance(e, Room)), scenes[0].box).grown(-_GAP)
    for _ in range(_PLACES):
        x, y = stream.integer(room.left, room.right), stream.integer(room.top, room.bottom)
        placed = new.but(x=x, y=y)
        if placed.box.within(room) and all(is_free(placed.box.grown(_GAP), scene) for scene in scenes):
            return placed
    return None


def strayed(
    scene: Scene, bystanders: Sequence[Observation], others: Sequence[Observation], stream: Stream
) -> Scene | None:
    """`scene` with another value of one of `bystanders`, and `others` as they were; None if there is none."""
    for of in stream.shuffled(bystanders):
        kept = [other for other in (*others, *bystanders) if other != of]
        before, stays = of.value(scene), [other.value(scene) for other in kept]
        for changed in _changes(scene, of, stream):
            try:
                if of.value(changed) != before and [other.value(changed) for other in kept] == stays:
                    return changed
            except AmbiguousError:
                continue
    return None


def _changes(scene: Scene, of: Observation, stream: Stream) -> Iterator[Scene]:
    """Pictures in which the observed thing has changed, visibly or not."""
    if isinstance(of, Number):
        one = matching(scene, of.things)[0]
        yield scene.with_elements(*(e for e in scene.elements if e is not one))
        return
    thing = find(scene, of.named[0])
    noun = NOUNS[thing.noun]
    changes: list[dict[str, object]] = []
    if isinstance(of, ColourSeen):  # a colour that no other thing has
        changes += [{"colour": colour} for colour in stream.shuffled(free_colours(scene.figures, ()))]
    changes += [{"facing": direction} for direction in stream.shuffled(FACINGS) if noun.faces]
    changes += [{"lit": not thing.lit}] if noun.lights else []
    changes += [{"quarters": q} for q in stream.shuffled(range(MOST_QUARTERS + 1)) if noun.fills]
    changes += [{"form": form} for form in stream.shuffled(SHAPES) if noun.forms]
    for _ in range(_STRAY_PLACES):
        changes.append({"x": stream.integer(20, SIDE - 21), "y": stream.integer(20, SIDE - 21)})
    for times, by in ((7, 5), (5, 7), (2, 1), (1, 2), (3, 1), (4, 1)):
        half_width, half_height = thing.half_width * times // by, thing.half_height * times // by
        if min(half_width, half_height) >= MIN_HALF:
            changes.append({"half_width": half_width, "half_height": half_height})
            changes.append({"half_height": half_height})
            changes.append({"half_height": half_height, "y": thing.box.bottom - half_height})  # on its foot
    for fields in changes:
        changed = thing.but(**fields)
        try:
            other = scene.replaced(changed)
        except InputError:  # off the picture
            continue
        if changed != thing and not any(overlaps(other)):
            yield other
