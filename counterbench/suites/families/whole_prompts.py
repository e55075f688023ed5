"""Whole prompts: does the picture show this: "…"? One to three clauses, of which the intervened picture breaks one."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from counterbench.errors import AmbiguousError, InputError
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.prompts import PromptPart, ShowsAll
from counterbench.scene.programs.shapes import Count, Equals, Exists, Relates
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description
from counterbench.suites.families.attribute import Attribute
from counterbench.suites.families.base import (
    YES_NO,
    Canvas,
    Draft,
    Family,
    Parameters,
    Plan,
    Redraw,
    alternating,
    check_choices,
    read_params,
)
from counterbench.suites.families.containment import Containment
from counterbench.suites.families.counting import Counting
from counterbench.suites.families.presence import Presence
from counterbench.suites.families.spatial import RELATIONS, Spatial

# Kinds of clauses, by the family that draws them; an absence is the clause that says "no …".
_BASES: dict[str, Family] = {
    **{f.name: f for f in (Attribute(), Counting(), Spatial(), Containment(), Presence())},
    "absence": Presence(),
}
# Their parameters: no letters, which no prompt names, and things that further clauses can be about.
_PARAMS: Mapping[str, Mapping[str, Any]] = {
    "attribute": {"distractors": [2, 6]},
    "counting": {"changes": ["exchanged"], "count": [0, 6], "shape_size": [4, 6], "gap": 2},
    "spatial": {"letters": False, "distractors": [1, 3]},
    "containment": {},
    "presence": {"alone": 0, "changes": ["exchanged"], "distractors": [2, 6]},
    "absence": {"alone": 0, "changes": ["exchanged"], "distractors": [2, 6]},
}
# The values of `Plan.turn` with which `Presence` asks if a thing is there, or if two or just one are; and if none is.
_TURNS = {"presence": (0, 4, 0, 5), "absence": (1,)}
_TRIES = 60


class WholePromptParams(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of whole prompts."""

    broken: tuple[str, ...] = tuple(_BASES)  # the kinds of clauses that one of the two pictures breaks
    clauses: tuple[int, int] = (1, 3)  # of a prompt

    def __post_init__(self) -> None:
        check_choices(self, "broken", tuple(_BASES))
        if not 1 <= self.clauses[0] <= self.clauses[1] <= 3:
            raise InputError(
                f"parameter 'clauses' must be [low, high], in order and each from 1 to 3, not {list(self.clauses)}"
            )


class WholePrompt(Family):
    """A prompt of which one picture shows everything, and the other all but one clause; its kind is the cell."""

    name = "whole-prompt"
    form_versions = {"yes-no": 4}
    category = "prompt"
    summary = "does the picture show this: a prompt of one to three clauses? Break one of them"
    params_type = WholePromptParams
    open_answers = YES_NO  # in the stratum of every kind of clause
    forms: ClassVar[tuple[QuestionForm, ...]] = ("yes-no",)

    def cells(self, params: WholePromptParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """A cell for each kind of clause that is broken."""
        return [f"{self.name}/{base}" for base in params.broken]

    def basis(self, params: WholePromptParams) -> dict[str, object]:
        """The versions and parameters of the families that draw the scenes."""
        return {
            name: {**_BASES[name].versions(("yes-no",)), "params": _params_of(name).plain} for name in params.broken
        }

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: WholePromptParams) -> Plan:
        """Kinds take turns; yes and no alternate in each and over all."""
        turn, at = divmod(index, len(params.broken))
        return Plan(index, "yes-no", alternating(root, turn, at, self.name), turn // 2, params.broken[at])

    def draw(self, stream: Stream, plan: Plan, params: WholePromptParams, canvas: Canvas) -> Draft:
        """A scene of the kind with its question as one clause, and others that are true of both pictures."""
        turns = _TURNS.get(plan.stratum, (plan.turn,))
        base_plan = msgspec.structs.replace(plan, turn=turns[plan.turn % len(turns)])
        draft = _BASES[plan.stratum].draw(stream, base_plan, _params_of(plan.stratum), canvas)
        assert isinstance(draft.program, PromptPart)
        if _says_no(draft.program) != (plan.stratum == "absence"):
            raise Redraw("the clause is of another cell")
        scenes = draft.scene, canvas.adding(draft.intervention).apply(draft.scene)
        parts: list[PromptPart] = [draft.program]
        for _ in range(stream.integer(*params.clauses) - 1):
            parts.append(_further(stream, scenes, parts))
        program = ShowsAll(tuple(stream.shuffled(parts)))
        return Draft(
            draft.scene, draft.intervention, program, "whole prompt", draft.difficulty | {"clauses": len(parts)}
        )


def _says_no(part: PromptPart) -> bool:
    """True if a clause says that there is none of a thing."""
    return part.none if isinstance(part, Exists) else isinstance(part, Equals) and part.value == "0"


def _params_of(base: str) -> Parameters:
    return read_params(_BASES[base], _PARAMS[base])


def _further(stream: Stream, scenes: tuple[Scene, Scene], parts: Sequence[PromptPart]) -> PromptPart:
    """A further clause that is true of both pictures, about something else than the others; Redraw if none is found."""
    taken = [noun for part in parts for noun in _nouns(part)]
    for _ in range(_TRIES):
        part = _candidate(stream, scenes[0].shapes)
        if part is None or any(noun <= other or other <= noun for noun in _nouns(part) for other in taken):
            continue
        try:
            if all(part.answer(scene) == "yes" for scene in scenes):
                return part
        except AmbiguousError:
            continue
    raise Redraw("the pictures share nothing that a further clause could say")


def _candidate(stream: Stream, shapes: Sequence[Shape]) -> PromptPart | None:
    """A clause about shapes that are there, true or not; None where there are not enough."""
    if len(shapes) < 2:
        return None
    a, b = stream.shuffled(shapes)[:2]
    kind = stream.below(3)
    count = sum(shape.name == a.name for shape in shapes)
    if kind == 0:  # of "a red circle" a person expects one
        return Exists(a.kind, a.colour) if count == 1 else None
    if kind == 1:
        return Equals(Count(a.kind, a.colour), str(count)) if count > 1 else None
    across, down = abs(a.x - b.x), abs(a.y - b.y)  # a person says "above" of two things one over the other
    relation = stream.choice(RELATIONS[:2] if across > 2 * down else RELATIONS[2:])
    is_plain = max(across, down) > 2 * min(across, down)
    return Relates(Description(a.kind, a.colour), relation, Description(b.kind, b.colour)) if is_plain else None


def _nouns(part: PromptPart) -> list[set[str]]:
    """The shapes that a clause is about, each as the set of the words for its colour and its kind that it names."""
    about = part.program if isinstance(part, Equals) else part
    named = about.described or ((about,) if isinstance(about, Exists | Count) else ())
    return [{*filter(None, (thing.colour, thing.kind))} for thing in named]
