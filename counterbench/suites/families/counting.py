"""Counting: how many pink squares are there? Adding, removing, recolouring or exchanging one changes the count by one.

See `counts` for the changes.
"""

from collections.abc import Sequence
from typing import Any

from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import YES_NO, Canvas, Draft, Family, Params, Plan, check_choices
from counterbench.suites.families.counts import CHANGES, draw_groups, original_and_change
from counterbench.suites.families.placement import Field, draw_size_for


class CountingParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of counting questions."""

    limits = {"count": (0, 40), "distractors": (0, 30)}
    shape_size: tuple[int, int] = (4, 7)
    count: tuple[int, int] = (2, 6)  # targets in the original
    distractors: tuple[int, int] = (1, 3)  # single shapes of a colour or a kind of the groups, never of both
    changes: tuple[str, ...] = CHANGES  # see `counts`

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "changes", CHANGES)


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
    summary = "how many pink squares are there? Add, remove or recolour one, or exchange its colour"
    params_type = CountingParams

    def draw(self, stream: Stream, plan: Plan, params: CountingParams, canvas: Canvas) -> Draft:
        """The planned number of targets, the groups that the change needs, and distractors."""
        count, after = planned_counts(stream, plan, params.count)
        kind, colour = stream.choice(SHAPES), stream.choice(COLOURS)
        groups = draw_groups(stream, (colour, kind), max(count, after), params.changes)
        names = groups.names + groups.others(stream, stream.integer(*params.distractors))
        size = draw_size_for(len(names), stream, params, canvas)
        field = Field(canvas, canvas.px(params.gap))
        shapes = [Shape(f"s{i + 1}", k, c, *field.place(stream, size), size) for i, (c, k) in enumerate(names)]
        larger = canvas.scene(*stream.shuffled(shapes))
        scene, change = original_and_change(larger, shapes, groups, count < after)
        question = Count(kind, colour)
        program = question if plan.form == "open" else Equals(question, str(count if plan.answer == "yes" else after))
        difficulty = {"count": count, "distractors": len(names) - max(count, after), "size": size}
        return Draft(scene, change, program, "count", difficulty)


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
