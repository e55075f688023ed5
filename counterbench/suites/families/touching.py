"""Touching: counting where the things are packed, each with its outline against the next, in rows and clusters.

Shapes of other colours are among them, and in most items rivals (see `counts`).
"""

from collections.abc import Sequence

from counterbench.errors import NoRoomError
from counterbench.palette import COLOURS, ShapeKind
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Draft, Params, Plan
from counterbench.suites.families.counting import CountingFamily, planned_counts
from counterbench.suites.families.counts import draw_groups, original_and_change
from counterbench.suites.families.placement import ShapeName, draw_size

# Diamonds would meet in their points alone.
_KINDS: tuple[ShapeKind, ...] = ("circle", "square", "triangle")
_ACROSS = (15, 50, 85)  # per cent of the steps that go sideways: columns, clusters, rows
Square = tuple[int, int]  # the column and row of a cell


class TouchingParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of counting things that touch."""

    limits = {"count": (0, 40), "distractors": (0, 10)}
    shape_size: tuple[int, int] = (3, 3)
    count: tuple[int, int] = (4, 6)  # targets
    distractors: tuple[int, int] = (1, 2)  # single shapes among them of other colours


class Touching(CountingFamily):
    """The number of shapes of one colour in a cluster; one at its edge comes, goes or is recoloured."""

    name = "touching"
    form_versions = {"yes-no": 3}
    category = "counting"
    summary = "how many pink squares are there, all packed together? Add, remove or recolour one"
    params_type = TouchingParams
    forms = ("yes-no",)

    def draw(self, stream: Stream, plan: Plan, params: TouchingParams, canvas: Canvas) -> Draft:
        """A cluster of targets, rivals and others; the last shape is a target in one of the two pictures alone."""
        count, after = planned_counts(stream, plan, params.count)
        kind, colours = stream.choice(_KINDS), stream.shuffled(COLOURS)
        size, edge = draw_size(stream, params, canvas), canvas.px(params.gap)
        step = 2 * size + 1
        most = ((canvas.width - 2 * edge) // step, (canvas.height - 2 * edge) // step)
        groups = draw_groups(stream, (colours[0], kind), max(count, after), ("added", "recoloured"))
        others = [c for c in colours if c not in groups.colours][:2]
        names = groups.names + [(stream.choice(others), kind) for _ in range(stream.integer(*params.distractors))]
        cells = _cluster(stream, len(names), most)
        # The target that changes lies in the last cell, at the edge of the cluster.
        shapes = _drawn(stream, [names[0], *stream.shuffled(names[1:])], [cells[-1], *cells[:-1]], size, edge, canvas)
        larger = canvas.scene(*stream.shuffled(shapes[1:]), shapes[0])
        scene, change = original_and_change(larger, shapes, groups, count < after)
        program = Equals(Count(kind, colours[0]), str(count if plan.answer == "yes" else after))
        difficulty = {"touching": count, "distractors": len(names) - max(count, after), "size": size}
        return Draft(scene, change, program, "touching-count", difficulty)


def _cluster(stream: Stream, number: int, limits: tuple[int, int]) -> list[Square]:
    """So many cells, each but the first beside an earlier one, in at most so many columns and rows."""
    if number > limits[0] * limits[1]:
        raise NoRoomError(f"{number} touching shapes do not fit into {limits[0]} columns and {limits[1]} rows")
    across, cells = stream.choice(_ACROSS), [(0, 0)]
    while len(cells) < number:
        x, y = stream.choice(cells)
        step = stream.choice((-1, 1))
        cell = (x + step, y) if stream.below(100) < across else (x, y + step)
        spans = [max(axis) - min(axis) + 1 for axis in zip(*cells, cell, strict=True)]
        if cell not in cells and spans[0] <= limits[0] and spans[1] <= limits[1]:
            cells.append(cell)
    return cells


def _drawn(
    stream: Stream, names: Sequence[ShapeName], cells: list[Square], size: int, edge: int, canvas: Canvas
) -> list[Shape]:
    """A shape of `size` in each cell, the whole somewhere in the picture, `edge` pixels from its edges."""
    step, corner = 2 * size + 1, []
    for axis, side in zip(zip(*cells, strict=True), (canvas.width, canvas.height), strict=True):
        wide = step * (max(axis) - min(axis) + 1)
        corner.append(stream.integer(edge, side - edge - wide) - step * min(axis) + size)
    return [
        Shape(f"s{i + 1}", kind, colour, corner[0] + step * x, corner[1] + step * y, size)
        for i, ((colour, kind), (x, y)) in enumerate(zip(names, cells, strict=True))
    ]
