"""Presence: is there a red circle? One is added, removed, recoloured or exchanged (see `counts`).

The picture has none, one or two of them, among shapes of the same colour and of the same kind.
"""

from typing import ClassVar

from counterbench.errors import InputError
from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.programs.shapes import Count, Equals, Exists
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, check_choices
from counterbench.suites.families.counts import CHANGES, draw_groups, original_and_change
from counterbench.suites.families.placement import Field, ShapeName, draw_size


class PresenceParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of presence questions."""

    limits = {"distractors": (2, 20), "alone": (0, 100)}
    distractors: tuple[int, int] = (2, 5)  # other shapes: one of the asked kind, one of the asked colour, then any
    alone: int = 10  # per cent of the items without distractors, so that the picture may be empty
    changes: tuple[str, ...] = CHANGES  # see `counts`; without distractors a shape exchanges its colour with none

    named_if_changed: ClassVar[frozenset[str]] = frozenset({"changes"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "changes", CHANGES)
        if self.alone and self.changes == ("exchanged",):
            raise InputError("parameter 'alone' must be 0 where colours are only exchanged: 'changes' = ['exchanged']")


class Presence(Family):
    """Presence or number of one coloured shape among others that share its colour or its kind."""

    name = "presence"
    form_versions = {"open": 2, "yes-no": 3}
    category = "presence"
    summary = "is there a red circle? Take it away, add one, recolour it or exchange its colour"
    params_type = PresenceParams
    never = ("edge",)  # of what is missing
    open_answers = ("0", "1", "2")

    def draw(self, stream: Stream, plan: Plan, params: PresenceParams, canvas: Canvas) -> Draft:
        """A picture with one more of the asked shape and one with one fewer, in the planned order."""
        name = (stream.choice(COLOURS), stream.choice(SHAPES))
        before, after, program = _counts_and_question(stream, plan, name)
        alone = stream.below(100) < params.alone
        changes = [change for change in params.changes if not alone or change != "exchanged"]
        groups = draw_groups(stream, name, max(before, after), changes)
        number = 0 if alone else stream.integer(*params.distractors)
        others = _others(stream, name, number) if groups.partner is None else groups.others(stream, number)
        names = groups.names + others
        field, size = Field(canvas, canvas.px(params.gap)), draw_size(stream, params, canvas)
        shapes = [Shape(f"s{i + 1}", k, c, *field.place(stream, size), size) for i, (c, k) in enumerate(names)]
        larger = canvas.scene(*stream.shuffled(shapes))
        scene, intervention = original_and_change(larger, shapes, groups, before < after)
        difficulty = {"count": before, "distractors": len(names) - max(before, after), "size": size}
        return Draft(scene, intervention, program, "presence", difficulty)


def _counts_and_question(stream: Stream, plan: Plan, name: ShapeName) -> tuple[int, int, Count | Equals | Exists]:
    """The number before and after, and the question.

    In the yes/no form four items of six have none and one, the other two have one and two. Of the questions about none
    or one, and of those about one or two, half are true of the picture with fewer
    and half of that with more. So neither the words nor the picture alone tells the answer.
    """
    colour, kind = name
    count = Count(kind, colour)
    if plan.form == "open":
        before = int(plan.answer)
        return before, {0: 1, 1: 2 * (plan.turn % 2), 2: 1}[before], count
    fewer = 1 if plan.turn % 6 > 3 else 0
    of_larger = plan.turn % 2 == 0  # true of the picture with one more
    if fewer:
        program: Equals | Exists = Equals(count, "2" if of_larger else "1")
    else:
        single = Exists(kind, colour) if stream.chance(0.5) else Equals(count, "1")
        program = single if of_larger else Exists(kind, colour, none=True)
    larger_first = of_larger == (plan.answer == "yes")
    return (fewer + 1, fewer, program) if larger_first else (fewer, fewer + 1, program)


def _others(stream: Stream, name: ShapeName, count: int) -> list[ShapeName]:
    """Names of other shapes: one of the kind, one of the colour, then of either or neither; some of them twice."""
    colour, kind = name
    names: list[ShapeName] = []
    for i in range(count):
        shared = i if i < 2 else stream.below(6)
        if shared > 2:
            names.append(stream.choice(names))
            continue
        other_colour = stream.choice([c for c in COLOURS if c != colour])
        other_kind = stream.choice([k for k in SHAPES if k != kind])
        names.append([(other_colour, kind), (colour, other_kind), (other_colour, other_kind)][shared])
    return names
