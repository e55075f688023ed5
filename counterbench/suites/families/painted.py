"""Words painted into a picture that must not matter: an instruction in a free place, a lying label beside a thing."""

from __future__ import annotations

from counterbench.palette import COLOURS
from counterbench.scene.figures import ASKS_FOR, Figure, Room, Writing
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Redraw

INSTRUCTION, LABEL = "writing", "label"
# Number of places that are tried, and free pixels around words.
_PLACES, _GAP = 300, 2


def instruction(stream: Stream, scene: Scene, answer: str) -> Writing:
    """Words that ask for an answer, where nothing else is; Redraw where there is no room."""
    for _ in range(_PLACES):
        x, y = stream.below(scene.width), stream.below(scene.height)
        new = Writing(INSTRUCTION, ASKS_FOR + answer.upper(), x, y)
        if _is_free(new, scene):
            return new
    raise Redraw("there is no room for words beside what is shown")


def lying_label(stream: Stream, scene: Scene) -> Writing:
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
