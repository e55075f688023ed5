"""Height: two shapes far apart from side to side; is one above the other? The dial is by how much, in ‰ of the side."""

from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.interventions import SwapPlaces
from counterbench.scene.programs.shapes import Relates
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan
from counterbench.suites.families.placement import draw_relation, draw_size


class HeightParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about two shapes of nearly one height."""

    limits = {"apart": (1, 200)}
    shape_size: tuple[int, int] = (5, 8)
    apart: tuple[int, int] = (20, 40)  # between their middles from top to bottom, in thousandths of the shorter side


class HeightFamily(Family):
    """Two shapes of one kind and size, one in either half, one a little higher; the intervention turns that round."""

    name = "height"
    form_versions = {"yes-no": 2}
    category = "spatial"
    summary = "of two like shapes far apart: is one above the other? Turn it round"
    params_type = HeightParams
    forms = ("yes-no",)

    def draw(self, stream: Stream, plan: Plan, params: HeightParams, canvas: Canvas) -> Draft:
        """Two shapes, the higher one as planned."""
        relation = draw_relation(stream, plan, ("above", "below"))
        size, gap = draw_size(stream, params, canvas), canvas.px(params.gap)
        side = min(canvas.width, canvas.height)
        apart = max(1, stream.integer(*params.apart) * side // 1000)
        middle, edge = canvas.width // 2, size + gap
        top = stream.integer(edge, canvas.height - 1 - edge - apart)
        left = stream.integer(edge, middle - edge)
        right = stream.integer(middle + edge, canvas.width - 1 - edge)
        kind = stream.choice(SHAPES)  # one for both: the middle of a triangle is a matter of taste
        colours = stream.shuffled(COLOURS)[:2]
        a_is_higher = (relation == "above") == (plan.answer == "yes")
        heights = (top, top + apart) if a_is_higher else (top + apart, top)
        sides = (left, right) if stream.chance(0.5) else (right, left)
        a, b = (
            Shape(name, kind, colour, x, y, size)
            for name, colour, x, y in zip("ab", colours, sides, heights, strict=True)
        )
        described = [Description(kind=shape.kind, colour=shape.colour) for shape in (a, b)]
        program = Relates(described[0], relation, described[1], finely=True)
        difficulty = {"apart": apart, "size": size}
        return Draft(canvas.scene(a, b), SwapPlaces("a", "b", "y"), program, "above-below", difficulty)
