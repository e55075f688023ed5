"""Spatial: shapes labelled A and B; is A to the left of, to the right of, above or below B? Swapping them flips it."""

from typing import ClassVar, Literal

import msgspec

from counterbench.scene.interventions import SwapPlaces
from counterbench.scene.programs.shapes import SpatialRelation
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, check_choices
from counterbench.suites.families.placement import (
    Field,
    box_at,
    draw_relation,
    draw_size,
    draw_two_places,
    extra_shapes,
    lettered,
    relation_program,
    room_above,
    two_shapes,
)

RELATIONS: tuple[SpatialRelation, ...] = ("left", "right", "above", "below")


class SpatialParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about the places of two labelled shapes."""

    limits = {"offset": (8, 90), "distractors": (0, 8)}
    shape_size: tuple[int, int] = (7, 11)
    relations: tuple[str, ...] = RELATIONS
    # Distance of the centres along the asked axis; across it they differ by at most half as much.
    offset: tuple[int, int] = (25, 60)
    distractors: tuple[int, int] = (0, 0)
    letters: bool = True  # the two shapes have letters, A and B; else they are named by colour and kind alone
    named_if_changed: ClassVar[frozenset[str]] = frozenset({"letters"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "relations", RELATIONS)


class Spatial(Family):
    """Two labelled shapes; the question is about their places, the intervention swaps them."""

    name = "spatial"
    form_versions = {"open": 3, "yes-no": 2}
    category = "spatial"
    summary = "is A left of, right of, above or below B? Swap them"
    params_type = SpatialParams
    unasked = {"distractors": [1, 2]}

    def draw(self, stream: Stream, plan: Plan, params: SpatialParams, canvas: Canvas) -> Draft:
        """Two labelled shapes that lie apart along the asked axis, and distractors."""
        relation = draw_relation(stream, plan, params.relations)
        axis: Literal["x", "y"] = "x" if relation in ("left", "right") else "y"
        size_a, size_b = (draw_size(stream, params, canvas) for _ in "AB")
        reach = max(size_a, size_b)  # both must fit at both places
        field = Field(canvas, canvas.px(params.gap))
        above = max(room_above(size_a), room_above(size_b)) if params.letters else 0
        near, far, offset = draw_two_places(stream, canvas, field, axis, params.offset, reach, above)
        a, b = two_shapes(stream, plan, relation, (near, far), (size_a, size_b))
        for place in (near, far):
            field.take(box_at(place, reach, above))
        others = extra_shapes(stream, params, canvas, field, stream.integer(*params.distractors), {a.name, b.name})
        # In the open form the first answer is always shape a: its letter is drawn, so that A is no likelier than B.
        of_a, of_b = "BA" if plan.form == "open" and stream.chance(0.5) else "AB"
        scene = canvas.scene(a, b, *others, *([lettered(a, of_a), lettered(b, of_b)] if params.letters else []))
        by_letter = stream.chance(0.4)
        described = [Description(kind=shape.kind, colour=shape.colour) for shape in (a, b)]
        if params.letters:
            described = [_lettered(d, letter, by_letter) for d, letter in zip(described, (of_a, of_b), strict=True)]
        program = relation_program(stream, plan, relation, *described)
        difficulty = {"offset": offset, "size": min(size_a, size_b), "distractors": len(others)}
        skill = "left-right" if axis == "x" else "above-below"
        return Draft(scene, SwapPlaces("a", "b"), program, skill, difficulty)


def _lettered(description: Description, letter: str, by_letter: bool) -> Description:
    """A shape by its letter alone, or by colour, kind and letter; both shapes of a question in the same way."""
    return Description(letter=letter) if by_letter else msgspec.structs.replace(description, letter=letter)
