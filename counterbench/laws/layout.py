"""Layout of a law's picture: figures lie apart, in colours of their own, with room beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from counterbench.scene.figures import Damage, Figure
from counterbench.scene.geometry import Box
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene

# Pixels between figures and things added beside them.
_ROOM = 4


def overlaps(scene: Scene) -> Iterator[str]:
    """Figures of a scene that overlap, or that share a colour but not a noun; in words."""
    for a, b in combinations(scene.figures, 2):
        if a.box.touches(b.box) and not (a.holds(b) or b.holds(a)):
            yield f"{a.id} and {b.id} overlap"
    colours: dict[str, str] = {}
    for figure in scene.figures:
        if NOUNS[figure.noun].plain:
            continue
        if colours.setdefault(figure.colour, figure.noun) != figure.noun:
            yield f"{figure.noun} and {colours[figure.colour]} are both {figure.colour}"


def is_free(box: Box, scene: Scene) -> bool:
    """True if a box lies beside every figure and all damage."""
    taken = (e.box for e in scene.elements if isinstance(e, Figure | Damage))
    return not any(box.grown(_ROOM).touches(other) for other in taken)
