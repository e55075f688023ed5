"""A change of a count by one: of the shapes that a question counts, one is added, removed, recoloured or exchanged.

added       a target is there in one of the two pictures alone
recoloured  it has another colour in the other picture: that of its rivals, which are one fewer
exchanged   it exchanges its colour with a shape of another kind

Of what is exchanged there are four groups, of two colours and two kinds. Both pictures have groups of the same sizes,
as many shapes of each colour and as many of each kind. So only who reads colour and kind together sees the change.
"""

from collections.abc import Sequence
from typing import NamedTuple

from counterbench.palette import COLOURS, SHAPES, Colour, ShapeKind
from counterbench.scene.interventions import Add, Intervention, Recolour, Remove, SwapColours
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.placement import ShapeName

# By change, its share where all are allowed, as a weight.
_WEIGHTS = {"added": 1, "recoloured": 3, "exchanged": 9}
CHANGES = tuple(_WEIGHTS)
# The largest number of shapes of the other kind in the other colour, and so of those of the other kind.
_MAX_PARTNERS = 8


class ShapeGroups(NamedTuple):
    """The groups of equal shapes in the picture with one target more.

    `names`: of all shapes, the targets first. `partner`: the index of the shape with which the first target exchanges
    its colour; None if it does not. `colours`, `kinds`: of all groups, the targets' first.
    """

    names: list[ShapeName]
    partner: int | None
    colours: list[Colour]
    kinds: list[ShapeKind]

    def others(self, stream: Stream, number: int) -> list[ShapeName]:
        """Names of further shapes, each with a colour or a kind of the groups, not both; new as long as there are any.

        All groups share as much with them, so that these do not tell which group is asked about.
        """
        other_kinds = [kind for kind in SHAPES if kind not in self.kinds]
        other_colours = [colour for colour in COLOURS if colour not in self.colours]
        of_colours: list[ShapeName] = [(colour, kind) for colour in self.colours for kind in other_kinds]
        of_kinds: list[ShapeName] = [(colour, kind) for colour in other_colours for kind in self.kinds]
        found: list[ShapeName] = []
        for _ in range(number):
            names = of_colours if stream.chance(0.5) else of_kinds
            found.append(stream.choice([name for name in names if name not in found] or names))
        return found


def draw_groups(stream: Stream, target: ShapeName, number: int, changes: Sequence[str]) -> ShapeGroups:
    """The groups with `number` targets, one or more, for one of the `changes`."""
    change = stream.choice([change for change in changes for _ in range(_WEIGHTS[change])])
    colour, kind = target
    if change == "added":
        return ShapeGroups([target] * number, None, [colour], [kind])
    rival = stream.choice([c for c in COLOURS if c != colour])
    names = [target] * number + [(rival, kind)] * (number - 1)
    if change == "recoloured":
        return ShapeGroups(names, None, [colour, rival], [kind])
    other_kind = stream.choice([k for k in SHAPES if k != kind])
    partners = min(number, _MAX_PARTNERS)
    groups = [(rival, other_kind)] * partners + [(colour, other_kind)] * (partners - 1)
    return ShapeGroups(names + groups, len(names), [colour, rival], [kind, other_kind])


def original_and_change(
    larger: Scene, shapes: Sequence[Shape], groups: ShapeGroups, is_one_more: bool
) -> tuple[Scene, Intervention]:
    """The original scene and the intervention that makes its targets one more, or one fewer.

    `larger`: the scene with all targets. `shapes`: its shapes in the order of `groups.names`.
    """
    target = shapes[0]
    away: Intervention
    back: Intervention
    if groups.partner is not None:
        away = back = SwapColours(target.id, shapes[groups.partner].id)
    elif len(groups.colours) > 1:
        away, back = Recolour(target.id, groups.colours[1]), Recolour(target.id, target.colour)
    else:
        away, back = Remove(target.id), Add(target)
    return (away.apply(larger), back) if is_one_more else (larger, away)
