"""What a judge with a known fault would answer about a scene: computed from the scene, never written down.

Planted judges give these answers, and diagnosis looks for them in a real judge's errors.
"""

from __future__ import annotations

from collections.abc import Callable

from counterbench.errors import AmbiguousError
from counterbench.palette import Colour
from counterbench.scene.facts import ColourSeen, Fact, Number, Observation, Together, Whole, observe
from counterbench.scene.figures import Writing
from counterbench.scene.geometry import squared
from counterbench.scene.programs import ArrowTarget, ColourOf, Count, CountInside, Equals, Program, evaluate
from counterbench.scene.scene import Arrow, Scene
from counterbench.scene.visibility import distance_to

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


# What each fault makes of an observation's value.
_FACTS_MISREAD: tuple[tuple[str, type[Observation], Callable[[str], str]], ...] = (
    ("off-by-one", Number, lambda value: str(int(value) + 1)),
    ("off-by-minus-one", Number, lambda value: str(max(0, int(value) - 1))),
    ("colour-confusion", ColourSeen, lambda value: CONFUSED_WITH[value]),  # type: ignore[index]
)


def misreadings(program: Program, scene: Scene) -> dict[str, str]:
    """By fault, the answer of a judge that has it. Faults that cannot show on this question are left out.

    "off-by-one" and "off-by-minus-one" miscount; "colour-confusion" takes a colour for its neighbour; "nearest-tail",
    "most-central" and "largest" name a shape without following the arrow; "text-led" says what is painted in.
    """
    written = next((e for e in scene.elements if isinstance(e, Writing)), None)
    told = {} if written is None else {"text-led": written.says}
    if isinstance(program, Fact | Together):
        return told | _of_facts(program.facts if isinstance(program, Together) else (program,), scene)
    if isinstance(program, Whole):
        return told
    if isinstance(program, Equals):
        return {
            name: "yes" if value == program.value else "no" for name, value in _open(program.program, scene).items()
        }
    return _open(program, scene)


def _of_facts(facts: tuple[Fact, ...], scene: Scene) -> dict[str, str]:
    """Whether all facts seem to hold, to a judge that miscounts or takes a colour for its neighbour."""
    seen = {fact: observe(fact.of, scene) for fact in facts}
    found = {}
    for fault, kind, misread in _FACTS_MISREAD:
        if any(isinstance(fact.of, kind) for fact in facts):
            said = [misread(value) if isinstance(fact.of, kind) else value for fact, value in seen.items()]
            found[fault] = "yes" if said == [fact.value for fact in facts] else "no"
    return found


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
