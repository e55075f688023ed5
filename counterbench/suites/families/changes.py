"""Changes that must not matter, to things, to the picture as a whole, and words painted into it.

The words are an instruction in a free place, which asks for a wrong answer, or a lying label beside a thing: the name
of another colour. At the edge, a thing that is asked about lies in the outer tenth of the picture. A small picture is
the same picture drawn with fewer pixels.
"""

from collections.abc import Callable

from counterbench.errors import AmbiguousError, InputError
from counterbench.palette import BACKGROUND_SHADES, COLOURS, SHAPES
from counterbench.scene.figures import ASKS_FOR, Figure, Room, Writing
from counterbench.scene.geometry import Box
from counterbench.scene.interventions import (
    IRRELEVANT,
    BackgroundShade,
    ChangeUnasked,
    FarDistractor,
    Intervention,
    Move,
    Paint,
    ShiftAll,
    Treat,
)
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs import Program
from counterbench.scene.programs.base import EDGE_SHARE, is_at_edge
from counterbench.scene.programs.facts import Fact
from counterbench.scene.programs.named import matching
from counterbench.scene.scene import SMALL, Label, Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Draft, Redraw

INSTRUCTION, LABEL, EDGE = "writing", "label", "edge"
# Treatments of a control's second picture. `SMALL` joins them where a suite names the size (`Suite.smallest`).
TREATED: tuple[str, ...] = (INSTRUCTION, LABEL, "jpeg", "resized", "contrast", "texture", EDGE)
KINDS: tuple[str, ...] = (*IRRELEVANT, *TREATED, SMALL)
# Number of places that are tried, and free pixels around words.
_PLACES, _GAP = 300, 2


def irrelevant_change(
    stream: Stream, kind: str, draft: Draft, canvas: Canvas, wrong: Callable[[], str]
) -> Intervention:
    """A change of this kind that keeps the answer; Redraw if the scene has no room for it.

    `wrong`: draws a wrong answer, for painted words that ask for it.
    """
    scene, program = draft.scene, draft.program
    if not scene.shapes and not scene.figures:
        raise Redraw("on a picture of nothing no change can be seen, and words are all there is")
    match kind:
        case "writing":
            return Paint(_instruction(stream, scene, wrong()))
        case "background-shade":
            return BackgroundShade(stream.choice([s for s in BACKGROUND_SHADES if s != scene.background]))
        case "shift-all":
            return _shift(stream, scene, canvas)
        case "jpeg" | "resized" | "contrast" | "texture" | "small":
            return Treat(kind)
        case "edge":
            return _shift_to_edge(stream, scene, program) if scene.figures else _move_to_edge(stream, scene, program)
        case "label":
            return Paint(_lying_label(stream, scene))
        case "far-distractor":
            return _far_distractor(stream, scene, program, canvas)
        case _:
            spare = [s for s in scene.shapes if not program.asks_about(s, scene)]
            if not spare:
                raise Redraw("the scene shows nothing that the question does not ask about")
            target = stream.choice(spare)
            names = {s.name for s in scene.shapes}
            colours = [c for c in COLOURS if c != target.colour and f"{c} {target.kind}" not in names]
            if not colours:
                raise Redraw(f"the scene has a {target.kind} in every colour")
            return ChangeUnasked(target.id, stream.choice(colours))


def _shift(stream: Stream, scene: Scene, canvas: Canvas) -> ShiftAll:
    """A shift of everything by 2 % of the shorter side or more, at most 12 % along each axis; Redraw without room."""
    left, top, right, bottom = zip(*map(scene.box_of, scene.elements), strict=True)
    box = Box(min(left), min(top), max(right), max(bottom))
    margin, most = canvas.px(1), canvas.px(12)
    dx = stream.integer(max(-most, min(0, margin - box.left)), min(most, max(0, scene.width - 1 - margin - box.right)))
    dy = stream.integer(max(-most, min(0, margin - box.top)), min(most, max(0, scene.height - 1 - margin - box.bottom)))
    if abs(dx) + abs(dy) < canvas.px(2):
        raise Redraw("no room to shift everything by a visible distance")
    return ShiftAll(dx, dy)


def _move_to_edge(stream: Stream, scene: Scene, program: Program) -> Move:
    """A shape that is asked about moved into the outer tenth, with its letter; Redraw where none has room there."""
    max_depth = scene.side // EDGE_SHARE - 1
    shapes = [s for s in scene.shapes if program.asks_about(s, scene) and s.size + _GAP < max_depth]
    for _ in range(_PLACES if shapes else 0):
        shape = stream.choice(shapes)
        depth, along_x = stream.integer(shape.size + _GAP, max_depth), stream.chance(0.5)
        length, across = (scene.width, scene.height) if along_x else (scene.height, scene.width)
        along = stream.integer(shape.size + _GAP, length - 1 - shape.size - _GAP)
        inward = depth if stream.chance(0.5) else across - 1 - depth
        change = Move(shape.id, along if along_x else inward, inward if along_x else along)
        try:
            moved = change.apply(scene)
            is_asked = any(s.id == shape.id and program.asks_about(s, moved) for s in moved.shapes)
            if is_asked and _is_apart(shape.id, moved) and program.answer(moved) == program.answer(scene):
                return change
        except (AmbiguousError, InputError):  # InputError: its letter leaves the canvas
            continue
    raise Redraw("nothing that is asked about has room in the outer tenth of the picture")


def _is_apart(id: str, scene: Scene) -> bool:
    """True if a shape and its letters touch nothing else."""
    own = [e for e in scene.elements if e.id == id or (isinstance(e, Label) and e.of == id)]
    boxes = [scene.box_of(e).grown(2 * _GAP) for e in own]
    return not any(box.touches(scene.box_of(e)) for e in scene.elements if e not in own for box in boxes)


def _shift_to_edge(stream: Stream, scene: Scene, program: Program) -> ShiftAll:
    """Everything shifted until a figure that is asked about lies in the outer tenth; Redraw where it cannot."""
    if shifts := edge_shifts(program, scene):
        return stream.choice(shifts)
    raise Redraw("nothing that is asked about can be shifted into the outer tenth of the picture")


def edge_shifts(program: Program, scene: Scene) -> list[ShiftAll]:
    """The shifts of everything after which a figure that is asked about is at the edge, none to four.

    Each goes to one side as far as there is room. If the question names no figure, any figure will do.
    """
    named = program.of.named if isinstance(program, Fact) else ()
    figures = [figure for thing in named for figure in matching(scene, thing)] if named else list(scene.figures)
    boxes = [scene.box_of(e) for e in scene.elements]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    shifts = (
        ShiftAll(1 - left, 0),
        ShiftAll(scene.width - 2 - right, 0),
        ShiftAll(0, 1 - top),
        ShiftAll(0, scene.height - 2 - bottom),
    )
    return [
        shift
        for shift in shifts
        if (shift.dx or shift.dy) and any(is_at_edge(f.x + shift.dx, f.y + shift.dy, scene) for f in figures)
    ]


def _far_distractor(stream: Stream, scene: Scene, program: Program, canvas: Canvas) -> FarDistractor:
    """A small shape in a free corner, of a colour and kind that the scene does not have."""
    size = max(8, canvas.px(3))
    inset = size + canvas.px(2)
    jitter = canvas.px(4)
    names = {s.name for s in scene.shapes}
    boxes = [scene.box_of(e).grown(canvas.px(7)) for e in scene.elements]
    corners = stream.shuffled([(x, y) for x in (0, 1) for y in (0, 1)])
    free = [(c, k) for c in COLOURS for k in SHAPES if f"{c} {k}" not in names]
    if not free:
        raise Redraw("the scene has every shape in every colour")
    colour, kind = stream.choice(free)
    for right, lower in corners:
        dx, dy = inset + stream.below(jitter + 1), inset + stream.below(jitter + 1)
        x = scene.width - 1 - dx if right else dx
        y = scene.height - 1 - dy if lower else dy
        new = Shape("far", kind, colour, x, y, size)
        if not any(new.box.touches(other) for other in boxes):
            return FarDistractor(new)
    raise Redraw("every corner is taken")


def _instruction(stream: Stream, scene: Scene, answer: str) -> Writing:
    """Words that ask for an answer, where nothing else is; Redraw where there is no room."""
    for _ in range(_PLACES):
        x, y = stream.below(scene.width), stream.below(scene.height)
        new = Writing(INSTRUCTION, ASKS_FOR + answer.upper(), x, y)
        if _is_free(new, scene):
            return new
    raise Redraw("there is no room for words beside what is shown")


def _lying_label(stream: Stream, scene: Scene) -> Writing:
    """The name of another colour right above or below a thing; Redraw where there is no room."""
    things: list[Shape | Figure] = [*scene.shapes, *(f for f in scene.figures if not NOUNS[f.noun].plain)]
    for thing in stream.shuffled(things):
        words = stream.choice([c for c in COLOURS if c != thing.colour]).upper()
        high = thing.half_height if isinstance(thing, Figure) else thing.size
        for below in stream.shuffled((-1, 1)):
            new = Writing(LABEL, words, thing.x, thing.y)
            distance = high + (new.box.bottom - new.box.top) // 2 + 1 + _GAP
            new = Writing(LABEL, words, thing.x, thing.y + below * distance)
            if _is_free(new, scene):
                return new
    raise Redraw("nothing has room for a label")


def _is_free(new: Writing, scene: Scene) -> bool:
    """True if words touch nothing and lie on the canvas, and in the room if there is one."""
    inside = [scene.box, *(e.interior for e in scene.elements if isinstance(e, Room))]
    taken = (scene.box_of(e).grown(_GAP - 1) for e in scene.elements if not isinstance(e, Room))
    return all(new.box.within(box) for box in inside) and not any(new.box.touches(box) for box in taken)
