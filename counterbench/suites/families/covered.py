"""Covered: does any part of a red shape show? A shape lies behind another but for a stated share.

In one picture it is red, in the other of another colour, so that either picture shows as much of something.
"""

from counterbench.errors import NoRoomError
from counterbench.palette import COLOURS, SHAPES, ShapeKind
from counterbench.scene.interventions import Recolour
from counterbench.scene.programs.fine import SHOWN_PIXELS, Shows
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import shown_part
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, Redraw
from counterbench.suites.families.placement import Field, draw_size

# Where both are of one kind, the part that shows is in one piece; of a kind with slants it would be thinner.
_KINDS: tuple[ShapeKind, ...] = ("circle", "square")


class CoveredParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about a shape that is mostly covered."""

    limits = {"shown": (2, 90), "distractors": (0, 8)}
    shape_size: tuple[int, int] = (13, 16)
    shown: tuple[int, int] = (10, 30)  # per cent of its coloured inside that shows
    distractors: tuple[int, int] = (0, 2)  # other shapes, of other colours


class Covered(Family):
    """One shape behind another of its kind; the intervention changes its colour."""

    name = "covered"
    category = "presence"
    summary = "does any part of a red shape show behind another? Recolour it"
    params_type = CoveredParams
    forms = ("yes-no",)

    def draw(self, stream: Stream, plan: Plan, params: CoveredParams, canvas: Canvas) -> Draft:
        """A shape that lies mostly behind another, and has the asked colour before the change or after it."""
        kind, (before, after, cover, *free) = stream.choice(_KINDS), stream.shuffled(COLOURS)
        size, percent = draw_size(stream, params, canvas), stream.integer(*params.shown)
        _check_room(params, canvas)
        larger = size * stream.integer(100, 125) // 100
        at_back, at_front = _placed(stream, kind, size, larger, percent, canvas)
        field = Field(canvas, canvas.px(params.gap))
        back = Shape("back", kind, before, *at_back, size)
        front = Shape("front", kind, cover, *at_front, larger)
        if not (field.free(back.box) and field.free(front.box)):
            raise Redraw("the two shapes would leave the picture")
        field.take(back.box)
        field.take(front.box)
        others = []
        for i in range(stream.integer(*params.distractors)):
            small = size // 2
            look = (stream.choice(SHAPES), stream.choice(free))
            others.append(Shape(f"d{i + 1}", *look, *field.place(stream, small), small))
        permille, _ = shown_part(back, (front,))
        if abs(permille - 10 * percent) > max(5, percent):
            raise Redraw(f"{permille / 10} % of a shape would show, not {percent} %")
        scene = canvas.scene(*others, back, front)
        program = Shows(before if plan.answer == "yes" else after)
        difficulty = {"visible": percent, "size": size}
        return Draft(scene, Recolour("back", after), program, "visible-part", difficulty)


def _check_room(params: CoveredParams, canvas: Canvas) -> None:
    """NoRoomError where the part that shows may have too few pixels.

    A circle of this size has about 2.7 × size² pixels within its outline.
    """
    least = canvas.px(params.shape_size[0])
    pixels = 27 * least**2 * params.shown[0] // 1000  # of a circle within its outline
    if pixels < SHOWN_PIXELS:
        raise NoRoomError(
            f"{params.shown[0]} % of a shape of {2 * least} px are {pixels} pixels; at least {SHOWN_PIXELS} must show: "
            "raise shown, shape_size or the picture's size"
        )


def _placed(
    stream: Stream, kind: ShapeKind, size: int, larger: int, percent: int, canvas: Canvas
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The places of a shape of `size` and of a `larger` one in front of it, so that `percent` of the first show.

    The one in front is moved away in a drawn direction until that much shows.
    """
    direction = (stream.integer(-100, 100), stream.choice((-100, 100)))
    dx, dy = direction if stream.chance(0.5) else direction[::-1]
    x, y = stream.integer(size, canvas.width - 1 - size), stream.integer(size, canvas.height - 1 - size)

    def front(steps: int) -> tuple[int, int]:
        return x + dx * steps // 100, y + dy * steps // 100

    back, low, high = Shape("back", kind, "red", x, y, size), 0, size + larger
    while high - low > 1:  # it shows the more, the further away the other is
        middle = (low + high) // 2
        permille, _ = shown_part(back, (Shape("front", kind, "blue", *front(middle), larger),))
        low, high = (low, middle) if permille >= 10 * percent else (middle, high)
    return (x, y), front(high)
