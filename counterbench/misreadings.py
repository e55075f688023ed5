"""What a judge with a known fault would answer about a scene: computed from the scene, never written down.

Planted judges give these answers, and diagnosis looks for them in a real judge's errors.
"""

from __future__ import annotations

from counterbench.errors import AmbiguousError
from counterbench.geometry import squared
from counterbench.palette import Colour
from counterbench.programs import ArrowTarget, ColourOf, Count, CountInside, Equals, Program, evaluate
from counterbench.scene import Arrow, Scene
from counterbench.sight import distance_to

# Colours that are taken for each other, nearest hues together: what a colour-confused judge says instead.
CONFUSED_WITH: dict[Colour, Colour] = {
    "red": "orange",
    "orange": "red",
    "yellow": "green",
    "green": "yellow",
    "cyan": "blue",
    "blue": "cyan",
    "purple": "pink",
    "pink": "purple",
}


def misreadings(program: Program, scene: Scene) -> dict[str, str]:
    """By fault, the answer of a judge that has it. Faults that cannot show on this question are left out.

    "off-by-one" and "off-by-minus-one" miscount; "colour-confusion" takes a colour for its neighbour; "nearest-tail",
    "most-central" and "largest" name a shape without following the arrow.
    """
    if isinstance(program, Equals):
        return {
            name: "yes" if value == program.value else "no" for name, value in _open(program.program, scene).items()
        }
    return _open(program, scene)


def _open(program: Program, scene: Scene) -> dict[str, str]:
    match program:
        case Count() | CountInside():
            count = int(evaluate(program, scene))
            return {"off-by-one": str(count + 1), "off-by-minus-one": str(max(0, count - 1))}
        case ColourOf():
            return {"colour-confusion": CONFUSED_WITH[evaluate(program, scene)]}  # type: ignore[index]
        case ArrowTarget():
            return _without_the_arrow(scene)
        case _:
            return {}


def _without_the_arrow(scene: Scene) -> dict[str, str]:
    arrow = next((e for e in scene.elements if isinstance(e, Arrow)), None)
    if arrow is None or not scene.shapes:
        raise AmbiguousError("there is no arrow, or nothing to point to")
    middle = (scene.width // 2, scene.height // 2)
    return {
        "nearest-tail": min(scene.shapes, key=lambda s: (distance_to(s, arrow.tail), s.id)).name,
        "most-central": min(scene.shapes, key=lambda s: (squared(s.centre, middle), s.id)).name,
        "largest": min(scene.shapes, key=lambda s: (-s.size, s.id)).name,
    }
