"""Descriptions that pick out one shape."""

from typing import Literal

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour, ShapeKind
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import is_visible, letters, visible_percent

Place = Literal["leftmost", "rightmost", "topmost", "bottommost", "largest", "smallest"]

# Along the asked axis two centres are at least this share of the shorter side apart, or the answer is ambiguous.
CLEAR_OFFSET_PERCENT = 6
# The largest shape is at least this many times as wide as the next, in per cent; likewise the smallest.
CLEAR_SIZE_PERCENT = 125


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Kind, colour, letter and place of one shape; None leaves a field open."""

    kind: ShapeKind | None = None
    colour: Colour | None = None
    letter: str | None = None
    place: Place | None = None

    @property
    def noun(self) -> str:
        """The noun phrase, without an article: "leftmost red circle", "blue square labeled A"."""
        noun = self._bare
        return f"{noun} labeled {self.letter}" if self.letter else noun

    @property
    def definite(self) -> str:
        """ "the red circle (labeled A)", or "shape A" when only the letter is given."""
        if self.letter and self.kind is None and self.colour is None and self.place is None:
            return f"shape {self.letter}"
        return f"the {self._bare}" + (f" (labeled {self.letter})" if self.letter else "")

    @property
    def _bare(self) -> str:
        return " ".join(part for part in (self.place, self.colour, self.kind or "shape") if part)


def find(scene: Scene, description: Description) -> Shape:
    """The one shape that a description matches; AmbiguousError if none or several do, or none stands out."""
    d = description
    matches = _matching(scene, d)
    if d.place is not None and len(matches) > 1:
        return _standing_out(scene, matches, d.place)
    seen = [s for s in matches if is_visible(scene, s)]
    if len(seen) != 1:
        raise AmbiguousError(f"{len(seen)} visible shapes match {d}")
    return seen[0]


def is_absent(scene: Scene, *descriptions: Description) -> bool:
    """True if one of `descriptions` matches no visible shape; AmbiguousError if that is unclear."""
    visible = [sum(is_visible(scene, s) for s in _matching(scene, d)) for d in descriptions]  # each must be clear
    return not all(visible)


def _matching(scene: Scene, d: Description) -> list[Shape]:
    """The shapes of this kind, colour and letter, seen or not."""
    lettered = letters(scene) if d.letter is not None else {}
    return [
        s
        for s in scene.shapes
        if d.kind in (None, s.kind) and d.colour in (None, s.colour) and d.letter in (None, lettered.get(s.id))
    ]


def _standing_out(scene: Scene, shapes: list[Shape], place: Place) -> Shape:
    """The shape of `shapes` that is furthest in a direction, or largest or smallest, by a clear margin."""
    shapes = [s for s in shapes if visible_percent(scene, s) > 0]
    for shape in shapes:
        if visible_percent(scene, shape) < 100:
            raise AmbiguousError(f"place and size of {shape.id!r} do not show: it is partly covered")
    if len(shapes) < 2:
        raise AmbiguousError(f"{len(shapes)} visible shapes: none stands out as the {place}")
    if place in ("largest", "smallest"):
        return _by_size(shapes, place)

    def rank(s: Shape) -> int:
        return {"leftmost": s.x, "rightmost": -s.x, "topmost": s.y, "bottommost": -s.y}[place]

    def edge(s: Shape) -> int:
        return rank(s) - (s.half_width if place in ("leftmost", "rightmost") else s.size)

    first, second = sorted(shapes, key=rank)[:2]
    clear = 100 * (rank(second) - rank(first)) >= CLEAR_OFFSET_PERCENT * scene.side
    if not clear or min(shapes, key=edge) is not first:
        raise AmbiguousError(f"no shape is clearly the {place}")
    return first


# Four times the area of each kind's picture, in units of size², rounded: 4π, 16, 8, 8; a slim diamond has 16/3.
_AREA: dict[ShapeKind, int] = {"circle": 13, "square": 16, "triangle": 8, "diamond": 8}


def _by_size(shapes: list[Shape], place: Place) -> Shape:
    """The largest or smallest shape: by its width and by its area, both by a clear ratio."""

    def width(s: Shape) -> int:
        return s.size**2

    def area(s: Shape) -> int:
        return (5 if s.slim else _AREA[s.kind]) * s.size**2

    picked: list[Shape] = []
    for measure in (width, area):
        first, second = sorted(shapes, key=measure, reverse=place == "largest")[:2]
        small, large = sorted((measure(first), measure(second)))
        if 100**2 * large < CLEAR_SIZE_PERCENT**2 * small:
            raise AmbiguousError(f"no shape is clearly the {place}")
        picked.append(first)
    if picked[0] is not picked[1]:
        raise AmbiguousError(f"the {place} by width is not the {place} by area")
    return picked[0]
