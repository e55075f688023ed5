"""Containment: is the shape inside the container? It exchanges its place with another shape beyond the wall.

So as many shapes are inside where the answer is yes as where it is no: their number alone tells nothing. In the open
form, which asks for the number, a shape moves in or out.
"""

from counterbench.errors import InputError
from counterbench.scene.interventions import Intervention, Move, SwapPlaces
from counterbench.scene.programs import Program
from counterbench.scene.programs.shapes import CountInside, IsInside
from counterbench.scene.scene import Container, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.base import Canvas, Draft, Params, Plan, Redraw
from counterbench.suites.families.counting import CountingFamily, planned_counts
from counterbench.suites.families.placement import Field, box_at, draw_name, draw_size


class ContainmentParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about a container."""

    limits = {"container": (16, 70), "distractors": (1, 8), "count": (1, 8)}
    shape_size: tuple[int, int] = (5, 7)
    container: tuple[int, int] = (40, 52)  # its width and height
    # Other shapes: in the yes/no form one on the other side of the wall, the rest on either; in the open form outside.
    distractors: tuple[int, int] = (1, 3)
    count: tuple[int, int] = (1, 4)  # shapes inside the original (open form)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape_size[1] * 2 + 4 >= self.container[0]:
            raise InputError(
                f"parameter 'container' ({list(self.container)}) is too small for shapes of shape_size "
                f"{list(self.shape_size)} (a shape is twice its size wide)"
            )


class Containment(CountingFamily):
    """One rectangular container, with shapes in it and beside it."""

    name = "containment"
    form_versions = {"yes-no": 3}
    category = "containment"
    summary = "is the blue diamond inside the container? Swap it with a shape beyond the wall"
    params_type = ContainmentParams
    never = ("edge",)
    unasked = {"distractors": [1, 3]}

    def draw(self, stream: Stream, plan: Plan, params: ContainmentParams, canvas: Canvas) -> Draft:
        """A container, shapes in it and beside it, and a move of the target through its wall.

        In the yes/no form, shape "d1" lies at the place to which the target moves, and moves to the target's.
        """
        yes_no = plan.form == "yes-no"
        if yes_no:
            target_in = plan.answer == "yes"
            are_inside = [stream.chance(0.5) for _ in range(stream.integer(*params.distractors) - 1)]
        else:
            count, after = planned_counts(stream, plan, params.count)
            target_in = after < count
            others_inside = count - 1 if target_in else count
            are_inside = [True] * others_inside + [False] * stream.integer(*params.distractors)
        gap = canvas.px(params.gap)
        container = _container(stream, params, canvas, gap)
        field = Field(canvas, gap)
        hold = container.interior.grown(-max(3, gap // 2))
        walls = container.box.grown(gap)
        size = draw_size(stream, params, canvas)

        def place(size: int, is_inside: bool) -> tuple[int, int]:
            if is_inside:
                return field.place(stream, size, hold)
            return field.place(stream, size, allowed=lambda p: not box_at(p, size).touches(walls))

        old_place, new_place = place(size, target_in), place(size, not target_in)
        names: set[str] = set()
        colour, kind = draw_name(stream, names)
        shapes = [target := Shape("target", kind, colour, *old_place, size)]
        # First the shape that the target is exchanged with, as large as the target.
        places = [(new_place, size)] if yes_no else []
        for is_inside in are_inside:
            other_size = draw_size(stream, params, canvas)
            places.append((place(other_size, is_inside), other_size))
        for i, (centre, other_size) in enumerate(places, 1):
            colour, kind = draw_name(stream, names)
            shapes.append(Shape(f"d{i}", kind, colour, *centre, other_size))
        scene = canvas.scene(container, *stream.shuffled(shapes))
        program: Program = CountInside()
        change: Intervention = Move("target", *new_place)
        if yes_no:
            program, change = IsInside(Description(kind=target.kind, colour=target.colour)), SwapPlaces("target", "d1")
        inside_now = sum(are_inside) + (1 if yes_no else target_in)
        difficulty = {"shapes": len(shapes), "inside": inside_now, "size": size, "gap": gap}
        return Draft(scene, change, program, "inside", difficulty)


def _container(stream: Stream, params: ContainmentParams, canvas: Canvas, gap: int) -> Container:
    """A container of a drawn size, anywhere `gap` pixels or more from the picture's edge; Redraw if it does not fit."""
    half_width = canvas.px(stream.integer(*params.container)) // 2
    half_height = canvas.px(stream.integer(*params.container)) // 2
    x_low, x_high = gap + half_width, canvas.width - 1 - gap - half_width
    y_low, y_high = gap + half_height, canvas.height - 1 - gap - half_height
    if x_low > x_high or y_low > y_high:
        raise Redraw("the container does not fit")
    wall = max(3, canvas.px(1))
    return Container(
        "container", stream.integer(x_low, x_high), stream.integer(y_low, y_high), half_width, half_height, wall
    )
