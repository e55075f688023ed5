"""Composition: which of two described shapes is above the other? Swapping their heights flips it."""

from typing import ClassVar

import msgspec

from counterbench.palette import COLOURS
from counterbench.scene.interventions import Add, Intervention, Recolour, Remove, SwapPlaces
from counterbench.scene.programs.shapes import SpatialRelation
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, Redraw
from counterbench.suites.families.placement import (
    Field,
    box_at,
    draw_relation,
    draw_size,
    draw_two_places,
    extra_shapes,
    relation_program,
    two_shapes,
)

RELATIONS: tuple[SpatialRelation, ...] = ("above", "below")


class CompositionParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about two described shapes."""

    limits = {"offset": (8, 90), "distractors": (0, 8), "absent": (0, 100)}
    shape_size: tuple[int, int] = (7, 11)
    offset: tuple[int, int] = (25, 60)  # vertical distance of the two centres
    distractors: tuple[int, int] = (0, 2)
    # Per cent of the yes/no items in which the answer is no because one of the two is missing or has another colour.
    absent: int = 0
    named_if_changed: ClassVar[frozenset[str]] = frozenset({"absent"})


class Composition(Family):
    """Two shapes told apart by colour and kind; the intervention swaps their vertical positions."""

    name = "composition"
    form_versions = {"yes-no": 2}
    category = "causal"
    summary = "is the red circle above the blue square? Swap their heights"
    params_type = CompositionParams
    unasked = {"distractors": [1, 2]}

    def draw(self, stream: Stream, plan: Plan, params: CompositionParams, canvas: Canvas) -> Draft:
        """Two places one above the other, and bystanders clear of both shapes before and after.

        If the item is `lacking` (parameter `absent`), a shape of the two goes or comes, instead of the exchange.
        """
        relation = draw_relation(stream, plan, RELATIONS)
        sizes = (draw_size(stream, params, canvas), draw_size(stream, params, canvas))
        reach = max(sizes)
        field = Field(canvas, canvas.px(params.gap))
        near, far, offset = draw_two_places(stream, canvas, field, "y", params.offset, reach)
        lacking = plan.form == "yes-no" and params.absent > 0 and stream.below(100) < params.absent
        both_there = msgspec.structs.replace(plan, answer="yes") if lacking else plan
        a, b = two_shapes(stream, both_there, relation, (near, far), sizes)
        for x in (near[0], far[0]):
            for y in (near[1], far[1]):
                field.take(box_at((x, y), reach))
        others = extra_shapes(stream, params, canvas, field, stream.integer(*params.distractors), {a.name, b.name})
        scene = canvas.scene(*stream.shuffled([a, b, *others]))
        program = relation_program(stream, plan, relation, Description(a.kind, a.colour), Description(b.kind, b.colour))
        difficulty = {"offset": offset, "size": min(sizes), "distractors": len(others)}
        change: Intervention = SwapPlaces("a", "b", "y")
        if lacking:
            scene, change = _lacking(stream, plan, scene, stream.choice((a, b)))
        return Draft(scene, change, program, "above-below", difficulty)


def _lacking(stream: Stream, plan: Plan, scene: Scene, shape: Shape) -> tuple[Scene, Intervention]:
    """The scene and a change that removes or recolours `shape`.

    For a planned no, the scene without it or with it recoloured, and the change that puts that right.
    """
    away: Intervention
    back: Intervention
    if stream.chance(0.5):
        away, back = Remove(shape.id), Add(shape)
    else:
        names = {s.name for s in scene.shapes}
        free = [c for c in COLOURS if f"{c} {shape.kind}" not in names]
        if not free:
            raise Redraw(f"the scene has a {shape.kind} in every colour")
        away, back = Recolour(shape.id, stream.choice(free)), Recolour(shape.id, shape.colour)
    return (scene, away) if plan.answer == "yes" else (away.apply(scene), back)
