"""A scene with a damaged part, on a thing or beside all things."""

from collections.abc import Sequence
from typing import get_args

from counterbench.errors import InputError
from counterbench.laws.base import is_free
from counterbench.scene.figures import MOST_DOSE, Damage, DamageKind, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import Named
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

_COVERING: tuple[DamageKind, ...] = ("static", "black")
_SPOILING: tuple[DamageKind, ...] = tuple(kind for kind in get_args(DamageKind) if kind not in _COVERING)
# Pixels of a spoilt part around its thing, and from its middle at most.
_MARGIN, _REACH = 14, 76
# Pixels between spoilt parts and things that must stay as they are.
_SPARE = 6
# A thing with a smaller half is thin.
_THIN = 16
_PLACES = 400


def damaged(scene: Scene, stream: Stream, spared: Sequence[Named] = ()) -> Scene:
    """`scene` with a thing spoilt that `spared` does not name; without such a thing, with a free part covered."""
    return spoilt(scene, stream.child("spoilt"), spared) or covered(scene, stream.child("covered"))


def spoilt(scene: Scene, stream: Stream, spared: Sequence[Named] = ()) -> Scene | None:
    """`scene` with a thing spoilt that `spared` does not name; None if there is no such thing."""
    kinds, dose = stream.shuffled(_SPOILING), stream.integer(1, MOST_DOSE)
    kept = [f for f in scene.figures if any(_may_be(f, named) for named in spared)]
    for thing in stream.shuffled([f for f in scene.figures if f not in kept]):
        kind = next(kind for kind in kinds if _shows(kind, thing, scene))
        new = _on(thing, kind, dose, scene, stream)
        if not any(new.box.grown(_SPARE).touches(other.box) for other in kept):
            return scene.with_elements(*scene.elements, new)
    return None


def _may_be(figure: Figure, named: Named) -> bool:
    """True if that may be its name. A name without a colour may be that of any coloured thing once it is spoilt."""
    if named.colour is None and not NOUNS[named.noun].plain:
        return not NOUNS[figure.noun].plain
    return figure.noun == named.noun and named.colour in (None, figure.colour)


def covered(scene: Scene, stream: Stream) -> Scene:
    """The scene with a part garbled or blacked out beside its things, which can still be seen."""
    kind = stream.choice(_COVERING)
    for _ in range(_PLACES):
        half_width, half_height = stream.integer(16, 44), stream.integer(8, 20)
        x = stream.integer(half_width, scene.width - 1 - half_width)
        y = stream.integer(half_height, scene.height - 1 - half_height)
        new = Damage("damage", kind, x, y, half_width, half_height, stream.below(1 << 20))
        if is_free(new.box, scene):
            return scene.with_elements(*scene.elements, new)
    raise InputError("there is no room for damage beside the figures; leave more of the picture free")


def _shows(kind: DamageKind, thing: Figure, scene: Scene) -> bool:
    """True if damage of that kind would be seen on a thing.

    Blocks and cuts do not show on thin, hollow or plain things, and cuts do not show on large ones.
    """
    if kind == "merged":
        return any((f.noun, f.colour) != (thing.noun, thing.colour) for f in scene.figures)
    sizes = sorted((thing.half_width, thing.half_height))
    if kind in ("cut", "blocks") and (sizes[0] < _THIN or NOUNS[thing.noun].holds or NOUNS[thing.noun].plain):
        return False
    return kind != "cut" or sizes[1] + _MARGIN <= _REACH


def _on(thing: Figure, kind: DamageKind, dose: int, scene: Scene, stream: Stream) -> Damage:
    """Damage around a thing; on a large one, around the middle of a side, so that an edge is in it.

    Its corners may be empty. A wide and high thing melts at its foot, and its seam lies across a side: on other sides
    nothing would be seen.
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
        # Preferably one that fits in whole.
        whole = [f for f in others if f.half_width <= half_width and f.half_height <= half_height]
        other = stream.choice(whole or others)
        from_x = _on_canvas(other.x, half_width, scene.width)
        from_y = _on_canvas(other.y, half_height, scene.height)
    return Damage("damage", kind, x, y, half_width, half_height, stream.below(1 << 20), dose, from_x, from_y)


def _on_canvas(at: int, half: int, length: int) -> int:
    return min(max(at, half), length - 1 - half)
