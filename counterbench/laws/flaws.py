"""Makes scenes that are wrong on purpose from right ones: with wrong things, or with damage.

Wrong things: a thing is missing (`without`), is there twice (`doubled`), has another colour (`recoloured`) or that of
another thing (`swapped`), a stranger has been added (`with_stranger`), or a bystander has changed (`strayed`). A
stranger is a thing that has no part in the law. A bystander is one that no variant of the law changes; if it has
turned, gone dark, moved or grown all the same, it is a stray. Damage: a thing is spoilt (`spoilt`), or a free part of
the picture is covered (`covered`). Each function gets a scene and returns a changed one, or None where that is not
possible.

Missing things and wrong attributes are most errors of text-to-image models (TS2, arXiv 2404.04251). Strays are for the
judge that is asked if everything obeys a law: it must look at bystanders, too.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import get_args

from counterbench.errors import AmbiguousError, InputError
from counterbench.laws.base import SIDE, clash, is_free, taken_boxes
from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.figures import FACINGS, MAX_DOSE, MAX_QUARTERS, Damage, DamageKind, Figure, Room
from counterbench.scene.geometry import MIN_HALF, Box
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.named import Named, find, matching
from counterbench.scene.programs.observations import ColourSeen, Number, Observation
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

# Nouns of strangers: loose bodies that cannot be taken for an observed thing; then those of laws in symbols.
_STRANGERS = ("ball", "box", "stone", "coin", "egg", "book", "apple", "mushroom")
_STRANGE_SYMBOLS = ("disc", "tile", "cross", "hoop", "wedge", "kite", "star")
_STRANGERS_HALF = (18, 30)  # the least and the most pixels of a stranger's half side
# Least half side of a thing that can be recognised by its look.
_MIN_HALF = 20
# Groups of nouns. Small things of one group may be taken for each other, so their colours are not exchanged.
_CONFUSABLE = (
    "salt soda alum crystal",
    "cat kitten dog puppy",
    "water oil syrup tea lake puddle plank box ice",
    "block box post plank rope hedge bamboo candle thermometer magnet ice parcel book nail signal gleam ray reflector "
    "spring",
    "ball coin stone egg apple bubble cell bacterium drop planet moon leaf asteroid seed berry wheel ring cork sun "
    "cloud",
    "needle sign compass sundial flag fan",
    "frame column",
)
# Kinds of damage: those that hide a part of the picture, and those that spoil the thing that is there.
_COVERING: tuple[DamageKind, ...] = ("static", "black")
_SPOILING: tuple[DamageKind, ...] = tuple(kind for kind in get_args(DamageKind) if kind not in _COVERING)
# Damage reaches so many pixels beyond its thing on each side, but at most so many from its own middle.
_MARGIN, _REACH = 14, 76
# Pixels between damage and things that must stay as they are.
_SPARED_GAP = 6
# A thing is thin if half its shorter side has fewer pixels.
_MIN_THICK = 16
# The numbers of random places that are tried: for an added thing, for a stray, and for covering damage.
_PLACES, _STRAY_PLACES, _COVER_PLACES = 300, 150, 400
# Pixels that stay free around an added thing: so many that it does not seem to touch a wall or a thing.
_GAP = 22


def without(scene: Scene, *things: Named) -> Scene | None:
    """The scene without the things of these names; None if it has no such thing."""
    gone = {figure.id for thing in things for figure in matching(scene, thing)}
    return scene.with_elements(*(e for e in scene.elements if e.id not in gone)) if gone else None


def recoloured(scene: Scene, thing: Named, colour: Colour) -> Scene | None:
    """The scene with the things of this name in another colour; None if there are none or the name has no colour."""
    figures = matching(scene, thing) if thing.colour and not NOUNS[thing.noun].plain else []
    return scene.replaced(*(e.but(colour=colour) for e in figures)) if figures else None


def free_colours(figures: Iterable[Figure], reserved: Collection[str]) -> list[Colour]:
    """The colours that none of these figures has and that are not reserved."""
    taken = {*reserved, *(figure.colour for figure in figures)}
    return [colour for colour in COLOURS if colour not in taken]


def bare(scene: Scene) -> Scene:
    """The scene without its figures; a room and everything else stay."""
    return scene.with_elements(*(e for e in scene.elements if not isinstance(e, Figure)))


def swapped(scene: Scene, things: Sequence[Named], stream: Stream) -> Scene | None:
    """The scene with the colours of two of these things exchanged.

    The two are large enough to be recognised, and their nouns cannot be taken for each other. None if there are no two.
    """
    large = [f for f in scene.figures if min(f.half_width, f.half_height) >= _MIN_HALF]
    present = [thing for thing in things if (figures := matching(scene, thing)) and all(f in large for f in figures)]
    pairs = [(a, b) for a, b in combinations(present, 2) if a.noun != b.noun and not _is_confusable(a, b)]
    if not pairs:
        return None
    a, b = stream.choice(pairs)
    new_colours = {e.id: b.colour for e in matching(scene, a)} | {e.id: a.colour for e in matching(scene, b)}
    return scene.replaced(*(e.but(colour=new_colours[e.id]) for e in scene.figures if e.id in new_colours))


def _is_confusable(first: Named, second: Named) -> bool:
    """True if two things with these nouns may be taken for each other where they are small (see `_CONFUSABLE`)."""
    return any({first.noun, second.noun} <= set(group.split()) for group in _CONFUSABLE)


def doubled(scene: Scene, thing: Named, stream: Stream) -> Scene | None:
    """The scene with a copy of a thing that is there once, in a free place; None if there is no room."""
    figures = matching(scene, thing)
    if len(figures) != 1:
        return None
    placed = _in_free_place(figures[0].but(id=f"{figures[0].id}-again"), [scene], stream)
    return scene.with_elements(*scene.elements, placed) if placed else None


def with_stranger(scenes: Sequence[Scene], reserved: Collection[str], stream: Stream) -> list[Scene]:
    """The scenes, each with the same added thing at the same place; unchanged if there is no room.

    No other thing has the noun or the colour of the added one, and its colour is not one of `reserved`.
    """
    figures = [figure for scene in scenes for figure in scene.figures]
    free = free_colours(figures, reserved)
    known = _STRANGE_SYMBOLS if all(figure.noun in SYMBOLS for figure in figures) else _STRANGERS
    nouns = [noun for noun in known if all(noun != figure.noun for figure in figures)]
    if not free or not nouns:
        return list(scenes)
    colour, noun, half = stream.choice(free), stream.choice(nouns), stream.integer(*_STRANGERS_HALF)
    placed = _in_free_place(Figure("stranger", noun, colour, 0, 0, half, half), scenes, stream)
    return [scene.with_elements(*scene.elements, placed) if placed else scene for scene in scenes]


def _in_free_place(new: Figure, scenes: Sequence[Scene], stream: Stream) -> Figure | None:
    """The figure `new` moved to a random place that is free in every scene; None if none was found."""
    room = next((e.interior for e in scenes[0].elements if isinstance(e, Room)), scenes[0].box).grown(-_GAP)
    taken = [box for scene in scenes for box in taken_boxes(scene)]
    for _ in range(_PLACES):
        x, y = stream.integer(room.left, room.right), stream.integer(room.top, room.bottom)
        box = Box.around(x, y, new.half_width, new.half_height)
        if box.within(room) and is_free(box.grown(_GAP), taken):
            return new.but(x=x, y=y)
    return None


def strayed(
    scene: Scene, bystanders: Sequence[Observation], others: Sequence[Observation], stream: Stream
) -> Scene | None:
    """The scene with one thing changed so that exactly one observation gives another value; None if none was found.

    `bystanders`: observations of things that no variant changes; it is one of these that gives another value. `others`:
    all other observations of the law.
    """
    for observation in stream.shuffled(bystanders):
        rest = [other for other in (*others, *bystanders) if other != observation]
        before, rest_before = observation.value(scene), [other.value(scene) for other in rest]
        for changed in _changed_scenes(scene, observation, stream):
            try:
                if observation.value(changed) != before and [other.value(changed) for other in rest] == rest_before:
                    return changed
            except AmbiguousError:
                continue
    return None


def _changed_scenes(scene: Scene, observation: Observation, stream: Stream) -> Iterator[Scene]:
    """Scenes with one change each of the observed thing: its colour, direction, light, place, size …

    The observation may give another value for such a scene, or the same. Of a count, one of the counted things is gone.
    """
    if isinstance(observation, Number):
        counted = matching(scene, observation.things)[0]
        yield scene.with_elements(*(e for e in scene.elements if e is not counted))
        return
    thing = find(scene, observation.named[0])
    noun = NOUNS[thing.noun]
    changes: list[dict[str, object]] = []
    if isinstance(observation, ColourSeen):  # a colour that no other thing has
        changes += [{"colour": colour} for colour in stream.shuffled(free_colours(scene.figures, ()))]
    changes += [{"facing": direction} for direction in stream.shuffled(FACINGS) if noun.faces]
    changes += [{"lit": not thing.lit}] if noun.lights else []
    changes += [{"quarters": q} for q in stream.shuffled(range(MAX_QUARTERS + 1)) if noun.fills]
    changes += [{"form": form} for form in stream.shuffled(SHAPES) if noun.forms]
    for _ in range(_STRAY_PLACES):
        changes.append({"x": stream.integer(20, SIDE - 21), "y": stream.integer(20, SIDE - 21)})
    for factor, divisor in ((7, 5), (5, 7), (2, 1), (1, 2), (3, 1), (4, 1)):
        half_width, half_height = thing.half_width * factor // divisor, thing.half_height * factor // divisor
        if min(half_width, half_height) >= MIN_HALF:
            changes.append({"half_width": half_width, "half_height": half_height})
            changes.append({"half_height": half_height})
            changes.append({"half_height": half_height, "y": thing.box.bottom - half_height})  # on its foot
    others = [figure for figure in scene.figures if figure.id != thing.id]
    if any(clash(a, b) for a, b in combinations(others, 2)):
        return
    for fields in changes:
        changed = thing.but(**fields)
        if changed.box.within(scene.box) and changed != thing and not any(clash(changed, other) for other in others):
            yield scene.replaced(changed)


def damaged(scene: Scene, stream: Stream, spared: Sequence[Named] = ()) -> Scene:
    """The scene with a thing spoilt that `spared` does not name; if none can be, with a free part covered."""
    return spoilt(scene, stream.child("spoilt"), spared) or covered(scene, stream.child("covered"))


def spoilt(scene: Scene, stream: Stream, spared: Sequence[Named] = ()) -> Scene | None:
    """The scene with damage over a thing that `spared` does not name; None if no thing can be spoilt so."""
    kinds, dose = stream.shuffled(_SPOILING), stream.integer(1, MAX_DOSE)
    spared_figures = [f for f in scene.figures if any(_may_have_name(f, named) for named in spared)]
    for thing in stream.shuffled([f for f in scene.figures if f not in spared_figures]):
        kind = next(kind for kind in kinds if _would_show(kind, thing, scene))
        new = _damage_on(thing, kind, dose, scene, stream)
        if not any(new.box.grown(_SPARED_GAP).touches(other.box) for other in spared_figures):
            return scene.with_elements(*scene.elements, new)
    return None


def _may_have_name(figure: Figure, named: Named) -> bool:
    """True if people may call the figure `named`, also when it is spoilt and its noun cannot be recognised.

    Then a noun without a colour may mean any thing whose colour is part of its name.
    """
    if named.colour is None and not NOUNS[named.noun].plain:
        return not NOUNS[figure.noun].plain
    return figure.noun == named.noun and named.colour in (None, figure.colour)


def covered(scene: Scene, stream: Stream) -> Scene:
    """The scene with static or black over a part where no thing is; all things can still be seen.

    InputError if no free part was found.
    """
    kind, taken = stream.choice(_COVERING), taken_boxes(scene)
    for _ in range(_COVER_PLACES):
        half_width, half_height = stream.integer(16, 44), stream.integer(8, 20)
        x = stream.integer(half_width, scene.width - 1 - half_width)
        y = stream.integer(half_height, scene.height - 1 - half_height)
        new = Damage("damage", kind, x, y, half_width, half_height, stream.below(1 << 20))
        if is_free(new.box, taken):
            return scene.with_elements(*scene.elements, new)
    raise InputError("there is no room for damage beside the figures; leave more of the picture free")


def _would_show(kind: DamageKind, thing: Figure, scene: Scene) -> bool:
    """True if damage of that kind would be seen on a thing.

    Blocks and cuts do not show on thin, hollow or plain things, and cuts do not show on large ones.
    """
    if kind == "merged":
        return any((f.noun, f.colour) != (thing.noun, thing.colour) for f in scene.figures)
    sizes = sorted((thing.half_width, thing.half_height))
    if kind in ("cut", "blocks") and (sizes[0] < _MIN_THICK or NOUNS[thing.noun].holds or NOUNS[thing.noun].plain):
        return False
    return kind != "cut" or sizes[1] + _MARGIN <= _REACH


def _damage_on(thing: Figure, kind: DamageKind, dose: int, scene: Scene, stream: Stream) -> Damage:
    """Damage of a kind and strength (`dose`) around a thing; on a large thing, around the middle of one of its sides.

    So an edge of the thing is in the damaged part; a corner is not used, as it may be empty. A thing that is both wide
    and high melts at its foot, and a seam lies across its left or right side: elsewhere nothing would be seen.
    """
    half_width, half_height = (min(half + _MARGIN, _REACH) for half in (thing.half_width, thing.half_height))
    wide, high = thing.half_width + _MARGIN > _REACH, thing.half_height + _MARGIN > _REACH
    x, y = thing.x, thing.y
    if wide and high and kind == "melted":
        y = thing.box.bottom
    elif wide:
        x = stream.choice((thing.box.left, thing.box.right))
    elif high:
        y = stream.choice((thing.box.top, thing.box.bottom))
    x, y = _on_canvas(x, half_width, scene.width), _on_canvas(y, half_height, scene.height)
    from_x = from_y = 0
    others = [f for f in scene.figures if (f.noun, f.colour) != (thing.noun, thing.colour)]
    if kind == "merged":
        # Preferably the thing is merged with one that fits in whole.
        whole = [f for f in others if f.half_width <= half_width and f.half_height <= half_height]
        other = stream.choice(whole or others)
        from_x = _on_canvas(other.x, half_width, scene.width)
        from_y = _on_canvas(other.y, half_height, scene.height)
    return Damage("damage", kind, x, y, half_width, half_height, stream.below(1 << 20), dose, from_x, from_y)


def _on_canvas(middle: int, half: int, length: int) -> int:
    """The coordinate nearest to `middle` from which `half` pixels fit on both sides of a canvas of `length` pixels."""
    return min(max(middle, half), length - 1 - half)
