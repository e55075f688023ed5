"""Counting: how many pink squares are there? Adding, removing or recolouring one changes the count by one.

In most items one shape is recoloured between the targets and their rivals, a group of the same kind and another colour.
Targets and rivals exchange their numbers: both pictures have groups of the same sizes, so who counts groups without
reading which one is asked about is right on one picture at most.
"""

from collections.abc import Sequence
from typing import Any

from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.interventions import Add, Intervention, Recolour, Remove
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import YES_NO, Canvas, Draft, Family, Params, Plan
from counterbench.suites.families.placement import Field, ShapeName, draw_size_for

# Per cent of the items in which a shape is recoloured; in the rest one is added or removed, and there are no rivals.
_RECOLOURED = 74


class CountingParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of counting questions."""

    limits = {"count": (0, 40), "distractors": (0, 30)}
    shape_size: tuple[int, int] = (4, 7)
    count: tuple[int, int] = (2, 6)  # targets in the original
    distractors: tuple[int, int] = (1, 3)  # single shapes of the targets' colour or of their kind, never of both


class CountingFamily(Family):
    """Base of the families with numbers as open answers, from the parameter `count`."""

    def answers(self, params: Any, form: QuestionForm) -> Sequence[str]:
        """Yes and no, or the numbers asked for."""
        low, high = params.count
        return YES_NO if form == "yes-no" else tuple(str(n) for n in range(low, high + 1))


class Counting(CountingFamily):
    """The number of shapes of one colour and kind, among others that share one of the two."""

    name = "counting"
    form_versions = {"open": 3, "yes-no": 4}
    category = "counting"
    summary = "how many pink squares are there? Add, remove or recolour one"
    params_type = CountingParams

    def draw(self, stream: Stream, plan: Plan, params: CountingParams, canvas: Canvas) -> Draft:
        """The planned number of targets, their rivals, and distractors; one shape joins the targets or leaves them."""
        count, after = planned_counts(stream, plan, params.count)
        kind, colour = stream.choice(SHAPES), stream.choice(COLOURS)
        rival = stream.choice([c for c in COLOURS if c != colour]) if is_recoloured(stream) else None
        others: list[ShapeName] = []
        for _ in range(stream.integer(*params.distractors)):
            others.append(_other_name(stream, (colour, kind), rival, others))
        rivals: list[ShapeName] = [(rival, kind)] * min(count, after) if rival else []
        names = [(colour, kind)] * max(count, after) + rivals + others
        size = draw_size_for(len(names), stream, params, canvas)
        field = Field(canvas, canvas.px(params.gap))
        shapes = [Shape(f"s{i + 1}", k, c, *field.place(stream, size), size) for i, (c, k) in enumerate(names)]
        larger = canvas.scene(*stream.shuffled(shapes))
        scene, change = original_and_change(larger, shapes[0], rival, count < after)
        question = Count(kind, colour)
        program = question if plan.form == "open" else Equals(question, str(count if plan.answer == "yes" else after))
        difficulty = {"count": count, "distractors": len(names) - max(count, after), "size": size}
        return Draft(scene, change, program, "count", difficulty)


def is_recoloured(stream: Stream) -> bool:
    """True if the count of an item changes by recolouring a shape, False if by adding or removing one."""
    return stream.below(100) < _RECOLOURED


def original_and_change(
    larger: Scene, target: Shape, rival: Colour | None, is_one_more: bool
) -> tuple[Scene, Intervention]:
    """The original scene and the change of its count by one: one more, or one fewer.

    `larger`: the scene with all targets. `target`: the one that the other scene lacks; there it has the colour of the
    rivals, or is missing if there are none.
    """
    away: Intervention = Recolour(target.id, rival) if rival else Remove(target.id)
    if not is_one_more:
        return larger, away
    return away.apply(larger), Recolour(target.id, target.colour) if rival else Add(target)


def _other_name(stream: Stream, target: ShapeName, rival: Colour | None, taken: Sequence[ShapeName]) -> ShapeName:
    """The name of a shape with the targets' colour or their kind, not both; a new one as long as there is one."""
    colour, kind = target
    of_colour: list[ShapeName] = [(colour, k) for k in SHAPES if k != kind]
    of_kind: list[ShapeName] = [(c, kind) for c in COLOURS if c not in (colour, rival)]
    names = of_colour if stream.chance(0.5) else of_kind
    return stream.choice([name for name in names if name not in taken] or names)


def planned_counts(stream: Stream, plan: Plan, span: tuple[int, int]) -> tuple[int, int]:
    """The count before and after. In the open form the first is planned, and more and fewer take turns.

    There, a count of 0, or of 1 if `low` is above 0, does not become fewer. `span`: the counts `low` and `high`.

    In the yes/no form two neighbouring counts come in either order. The question names the first if the planned answer
    is yes, else the second, so that each number is as often right as wrong. A count of 0 comes up only if `low` is 0.
    """
    low, high = span
    if plan.form == "yes-no" and low < high:
        fewer = low + plan.turn % (high - low)
        return (fewer, fewer + 1) if stream.chance(0.5) else (fewer + 1, fewer)
    count = int(plan.answer) if plan.form == "open" else low
    up = (plan.turn + count) % 2 == 0
    return count, count + 1 if up or count == min(low, 1) else count - 1
