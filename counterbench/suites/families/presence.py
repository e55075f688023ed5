"""Presence: is there a red circle? One is added, removed or recoloured, or two shapes exchange their colours.

The picture has none, one or two of them, among shapes of the same colour and of the same kind.
"""

from typing import ClassVar

from counterbench.errors import InputError
from counterbench.palette import COLOURS, SHAPES
from counterbench.scene.interventions import Add, Intervention, Recolour, Remove, SwapColours
from counterbench.scene.programs.shapes import Count, Equals, Exists
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, check_choices
from counterbench.suites.families.placement import Field, ShapeName, draw_size

CHANGES = ("added", "recoloured", "exchanged")


class PresenceParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of presence questions."""

    limits = {"distractors": (2, 20), "alone": (0, 100)}
    distractors: tuple[int, int] = (2, 5)  # other shapes: one of the asked kind, one of the asked colour, then either
    alone: int = 10  # per cent of the items without distractors, so that the picture may be empty
    # One is added or removed, or recoloured, or exchanges its colour with a shape of another kind (not without others).
    changes: tuple[str, ...] = CHANGES

    named_if_changed: ClassVar[frozenset[str]] = frozenset({"changes"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "changes", CHANGES)
        if self.alone and self.changes == ("exchanged",):
            raise InputError("parameter 'alone' must be 0 where colours are only exchanged: 'changes' = ['exchanged']")


class Presence(Family):
    """Presence or number of one coloured shape among others that share its colour or its kind."""

    name = "presence"
    form_versions = {"yes-no": 2}
    category = "presence"
    summary = "is there a red circle? Take it away, add one, recolour it or swap colours"
    params_type = PresenceParams
    never = ("edge",)  # of what is missing
    open_answers = ("0", "1", "2")

    def draw(self, stream: Stream, plan: Plan, params: PresenceParams, canvas: Canvas) -> Draft:
        """A picture with one more of the asked shape and one with one fewer, in the planned order."""
        name = (stream.choice(COLOURS), stream.choice(SHAPES))
        before, after, program = _counts_and_question(stream, plan, name)
        alone = stream.below(100) < params.alone
        others = [] if alone else _others(stream, name, stream.integer(*params.distractors))
        colour, kind = name
        change = stream.choice([c for c in params.changes if not alone or c != "exchanged"])
        other = (stream.choice([c for c in COLOURS if c != colour]), stream.choice([k for k in SHAPES if k != kind]))
        names = [name] * max(before, after) + ([other] if change == "exchanged" else []) + others
        field, size = Field(canvas, canvas.px(params.gap)), draw_size(stream, params, canvas)
        shapes = [Shape(f"s{i + 1}", k, c, *field.place(stream, size), size) for i, (c, k) in enumerate(names)]
        larger = canvas.scene(*stream.shuffled(shapes))
        target = shapes[0]
        away: Intervention
        back: Intervention
        if change == "added":
            away, back = Remove(target.id), Add(target)
        elif change == "recoloured":
            away, back = Recolour(target.id, other[0]), Recolour(target.id, colour)
        else:
            away = back = SwapColours(target.id, shapes[max(before, after)].id)
        with_fewer = away.apply(larger)
        scene, intervention = (larger, away) if before > after else (with_fewer, back)
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
    """Names of other shapes: one of the kind, one of the colour, then of either; some of them twice."""
    colour, kind = name
    names: list[ShapeName] = []
    for i in range(count):
        if i > 1 and stream.chance(0.5):
            names.append(stream.choice(names))
        elif stream.chance(0.5) if i > 1 else i == 0:
            names.append((stream.choice([c for c in COLOURS if c != colour]), kind))
        else:
            names.append((colour, stream.choice([k for k in SHAPES if k != kind])))
    return names
