"""Counting: how many pink squares are there? Adding or removing one changes the count by one.

In most scenes one or two other groups of equal shapes are as large as the targets or larger: who counts the largest
group, and does not read which one is asked about, is seldom right.
"""

from collections.abc import Sequence
from typing import Any

from counterbench.palette import COLOURS, SHAPES, Colour, ShapeKind
from counterbench.scene.interventions import Add, Intervention, Remove
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import YES_NO, Canvas, Draft, Family, Params, Plan
from counterbench.suites.families.placement import Field, ShapeName, draw_size_for

# Per cent of the scenes in which no other group is as large as the targets' in either picture, and in which one is; in
# the rest two are.
_LARGEST, _SECOND = 26, 26


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
    form_versions = {"open": 2, "yes-no": 3}
    category = "counting"
    summary = "how many pink squares are there? Add or remove one"
    params_type = CountingParams

    def draw(self, stream: Stream, plan: Plan, params: CountingParams, canvas: Canvas) -> Draft:
        """The planned number of targets, larger groups, distractors, and room for one target more."""
        count, after = planned_counts(stream, plan, params.count)
        kind, colour = stream.choice(SHAPES), stream.choice(COLOURS)
        names: list[ShapeName] = []
        for group in [*larger_groups(stream, max(count, after)), *[1] * stream.integer(*params.distractors)]:
            names += [_other_name(stream, kind, colour, names)] * group
        number = max(count, after) + len(names)
        size = draw_size_for(number, stream, params, canvas)
        field = Field(canvas, canvas.px(params.gap))
        places = [field.place(stream, size) for _ in range(number)]
        targets = [Shape(f"t{i + 1}", kind, colour, *p, size) for i, p in enumerate(places[len(names) :])]
        others = [Shape(f"d{i + 1}", k, c, *p, size) for i, ((c, k), p) in enumerate(zip(names, places, strict=False))]
        change: Intervention = Add(targets.pop()) if after > count else Remove(stream.choice(targets).id)
        scene = canvas.scene(*stream.shuffled([*targets, *others]))
        question = Count(kind, colour)
        program = question if plan.form == "open" else Equals(question, str(count if plan.answer == "yes" else after))
        difficulty = {"count": count, "distractors": len(names), "size": size}
        return Draft(scene, change, program, "count", difficulty)


def larger_groups(stream: Stream, targets: int) -> list[int]:
    """The numbers of shapes of none to two other groups, each at least as many as `targets`.

    `targets`: the number of targets in the picture that has more of them.
    """
    lot = stream.below(100)
    number = 0 if lot < _LARGEST else 1 if lot < _LARGEST + _SECOND else 2
    return [max(targets, 1) + stream.below(3) for _ in range(number)]


def _other_name(stream: Stream, kind: ShapeKind, colour: Colour, taken: Sequence[ShapeName]) -> ShapeName:
    """The name of a shape with the targets' colour or their kind, not both; a new one as long as there is one."""
    of_colour: list[ShapeName] = [(colour, k) for k in SHAPES if k != kind]
    of_kind: list[ShapeName] = [(c, kind) for c in COLOURS if c != colour]
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
