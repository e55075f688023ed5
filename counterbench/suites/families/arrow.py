"""Arrow: which shape does the arrow point to? Redirecting it flips the answer."""

import math

from counterbench.scene.geometry import Point, squared
from counterbench.scene.interventions import Redirect
from counterbench.scene.programs.shapes import ArrowTarget, Equals
from counterbench.scene.scene import Arrow, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import distance_to
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, Redraw
from counterbench.suites.families.placement import Field, draw_name, draw_size, split


class ArrowParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of arrows."""

    limits = {"shapes": (3, 12), "length": (8, 80), "tip_gap": (1, 6)}
    shape_size: tuple[int, int] = (6, 9)
    gap: int = 8
    shapes: tuple[int, int] = (3, 5)  # number of shapes to choose from
    length: int = 14  # least length of the arrow, before and after
    tip_gap: int = 2  # room between the tip and its target


class ArrowFamily(Family):
    """One arrow among three or more shapes; it crosses nothing and ends close to its target."""

    name = "arrow"
    form_versions = {"open": 2}
    category = "causal"
    summary = "which shape does the arrow point to? Redirect it"
    params_type = ArrowParams
    never = ("edge",)

    def draw(self, stream: Stream, plan: Plan, params: ArrowParams, canvas: Canvas) -> Draft:
        """Shapes, a tail in free space, and two of the shapes that it can reach: first "s0", and another after."""
        field = Field(canvas, canvas.px(params.gap))
        names = {plan.answer} if plan.form == "open" else set()
        shapes: list[Shape] = []
        for i in range(stream.integer(*params.shapes)):
            colour, kind = split(plan.answer) if i == 0 and plan.form == "open" else draw_name(stream, names)
            size = draw_size(stream, params, canvas)
            shapes.append(Shape(f"s{i}", kind, colour, *field.place(stream, size), size))
        width = max(2, canvas.px(1))
        tail = field.place(stream, 2 * width)
        min_length = canvas.px(params.length)
        aims = {
            s.id: tip
            for s in shapes
            if (tip := _tip(s, tail, canvas.px(params.tip_gap))) and squared(tail, tip) >= min_length**2
        }
        if "s0" not in aims or len(aims) < 2:
            raise Redraw("the arrow would be too short")
        other = stream.choice(sorted(aims.keys() - {"s0"}))
        arrow = Arrow("arrow", *tail, *aims["s0"], width)
        after = next(s for s in shapes if s.id == other)
        scene = canvas.scene(*stream.shuffled(shapes), arrow)
        question = ArrowTarget()
        named = shapes[0] if plan.answer == "yes" else after
        program = question if plan.form == "open" else Equals(question, named.name)
        length = math.isqrt(min(squared(tail, aims["s0"]), squared(tail, aims[other])))
        difficulty = {"shapes": len(shapes), "length": length, "size": min(s.size for s in shapes)}
        return Draft(scene, Redirect("arrow", *aims[other]), program, "arrow-target", difficulty)


def _tip(target: Shape, tail: Point, gap: int) -> Point | None:
    """The tip of an arrow from `tail` to the middle of `target`, `gap` pixels before its edge; None if too near."""
    away = distance_to(target, tail) - gap
    length = math.isqrt(squared(tail, target.centre))
    if away <= 0 or length == 0:
        return None
    dx, dy = target.x - tail[0], target.y - tail[1]
    return (tail[0] + dx * away // length, tail[1] + dy * away // length)
