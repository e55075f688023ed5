"""Occlusion: how many shapes are visible? A shape in front of another is added or removed."""

from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.interventions import Add, Intervention, Remove
from counterbench.scene.programs.shapes import Count, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import visible_percent
from counterbench.suites.families.base import Canvas, Draft, Params, Plan, Redraw
from counterbench.suites.families.counting import CountingFamily, planned_counts
from counterbench.suites.families.placement import Field, box_at, draw_size


class OcclusionParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about shapes that cover one another."""

    limits = {"count": (1, 6), "covered": (5, 65)}
    shape_size: tuple[int, int] = (9, 14)
    count: tuple[int, int] = (1, 4)  # shapes visible in the original
    covered: tuple[int, int] = (15, 60)  # per cent of the back shape that the front one hides


class Occlusion(CountingFamily):
    """Shapes of different colours, one of which lies partly behind another in one of the two pictures."""

    name = "occlusion"
    form_versions = {"yes-no": 3}
    category = "causal"
    summary = "how many shapes are visible? Add or remove one in front of another"
    params_type = OcclusionParams
    # It asks about every shape: a new one changes the answer, and none is unasked.
    never = ("far-distractor", "change-unasked", "edge")

    def draw(self, stream: Stream, plan: Plan, params: OcclusionParams, canvas: Canvas) -> Draft:
        """The shapes that stay, and a front shape over one of them that comes or goes."""
        count, after = planned_counts(stream, plan, params.count)
        staying = min(count, after)
        colours = stream.shuffled(COLOURS)[: staying + 1]
        field = Field(canvas, canvas.px(params.gap))
        shapes = []
        for i in range(staying):
            size = draw_size(stream, params, canvas)
            shapes.append(Shape(f"s{i + 1}", stream.choice(SHAPES), colours[i], *field.place(stream, size), size))
        back = stream.choice(shapes)
        size = draw_size(stream, params, canvas)
        reach = back.size + size
        x, y = back.x + stream.integer(-reach, reach), back.y + stream.integer(-reach, reach)
        front = Shape("front", stream.choice(SHAPES), colours[-1], x, y, size)
        rest = [box_at(s.centre, s.size).grown(field.gap) for s in shapes if s is not back]
        if not front.box.within(field.area) or any(front.box.touches(box) for box in rest):
            raise Redraw("no free place for a front shape")
        both = canvas.scene(*shapes, front)
        covered = 100 - visible_percent(both, both.shape(back.id))
        if not params.covered[0] <= covered <= params.covered[1]:
            raise Redraw("the front shape covers too much or too little")
        change: Intervention = Add(front) if after > count else Remove("front")
        question = Count()
        program = question if plan.form == "open" else Equals(question, str(count if plan.answer == "yes" else after))
        scene = canvas.scene(*shapes) if after > count else both
        return Draft(scene, change, program, "visible-count", {"count": count, "covered": covered, "size": size})
