"""Counting: how many pink squares are there? Adding or removing one changes the count by one."""

from collections.abc import Sequence
from typing import Any

from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.interventions import Add, Intervention, Remove
from counterbench.scene.pairs import Form
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import YES_NO, Canvas, Draft, Family, Params, Plan
from counterbench.suites.families.placement import Field, draw_size


class CountingParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of counting questions."""

    limits = {"count": (0, 40), "distractors": (0, 30)}
    shape_size: tuple[int, int] = (5, 7)
    count: tuple[int, int] = (2, 6)  # targets in the original
    distractors: tuple[int, int] = (1, 3)  # shapes of the targets' colour or of their kind, never of both


class CountingFamily(Family):
    """Base of the families with numbers as open answers, from the parameter `count`."""

    def answers(self, params: Any, form: Form) -> Sequence[str]:
        """Yes and no, or the numbers asked for."""
        low, high = params.count
        return YES_NO if form == "yes-no" else tuple(str(n) for n in range(low, high + 1))


class Counting(CountingFamily):
    """The number of shapes of one colour and kind, among others that share one of the two."""

    name = "counting"
    form_versions = {"yes-no": 2}
    category = "counting"
    summary = "how many pink squares are there? Add or remove one"
    params_type = CountingParams

    def draw(self, stream: Stream, plan: Plan, params: CountingParams, canvas: Canvas) -> Draft:
        """The planned number of targets, distractors, and room for one target more."""
        count, after = planned_counts(stream, plan, params.count)
        kind, colour = stream.choice(SHAPES), stream.choice(COLOURS)
        wrong = stream.integer(*params.distractors)
        size = draw_size(stream, params, canvas)
        field = Field(canvas, canvas.px(params.gap))
        places = [field.place(stream, size) for _ in range(max(count, after) + wrong)]
        targets = [Shape(f"t{i + 1}", kind, colour, *p, size) for i, p in enumerate(places[wrong:])]
        others = []
        for i, p in enumerate(places[:wrong]):
            if stream.chance(0.5):
                name = (stream.choice([k for k in SHAPES if k != kind]), colour)
            else:
                name = (kind, stream.choice([c for c in COLOURS if c != colour]))
            others.append(Shape(f"d{i + 1}", *name, *p, size))
        change: Intervention = Add(targets.pop()) if after > count else Remove(stream.choice(targets).id)
        scene = canvas.scene(*stream.shuffled([*targets, *others]))
        question = Count(kind, colour)
        program = question if plan.form == "open" else Equals(question, str(count if plan.answer == "yes" else after))
        difficulty = {"count": count, "distractors": wrong, "size": size}
        return Draft(scene, change, program, "count", difficulty)


def planned_counts(stream: Stream, plan: Plan, span: tuple[int, int]) -> tuple[int, int]:
    """The count before and after. In the open form the first is planned, and more and fewer take turns.

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
