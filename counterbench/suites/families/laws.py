"""Laws: two outcomes of one law in one setting, and one of the checks that generated pictures are asked.

The intervention is the law's variant: everything else of the setting stays. So a judge is tested on the questions that
it will be asked about a text-to-image model's pictures, on right pictures and on every kind of wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from counterbench.drawing.things import GLYPHS_VERSION
from counterbench.errors import InputError, NoRoomError
from counterbench.laws import STANDARD, all_laws, law
from counterbench.laws.base import SIDE
from counterbench.laws.layout import is_free
from counterbench.laws.outcomes import Reference, checks_of, programs, references
from counterbench.scene.figures import Room, Writing
from counterbench.scene.interventions import Intervention, Restage
from counterbench.scene.programs.facts import FactProgram, Together
from counterbench.scene.questions import Form
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import YES_NO, Canvas, Draft, Family, Parameters, Plan, Redraw, check_choices
from counterbench.suites.families.control import irrelevant_change

# Places that are tried for painted words.
_PLACES = 300
# Settings are drawn from so many; prompt sets number theirs from 0 under a seed of their own.
_SETTINGS = 1 << 30


class LawParams(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`laws`: which laws (none: the standard ones)."""

    laws: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.laws:
            check_choices(self, "laws", list(all_laws()))


class Option(msgspec.Struct, frozen=True):
    """A check of a law under one of its variants, by name."""

    law: str
    variant: str
    check: str


def chosen(laws: tuple[str, ...]) -> list[str]:
    """The names of these laws (none: the standard ones), in the order of all laws, which is that of drawing."""
    return [name for name in all_laws() if name in (laws or STANDARD)]


@lru_cache(maxsize=8)
def options(laws: tuple[str, ...] = ()) -> dict[str, tuple[Option, ...]]:
    """By cell ("<law>/<check>") the check under each variant that has it, over these laws (none: the standard ones).

    Cells are in a shuffled order, so that the first of them are of all kinds.
    """
    found: dict[str, list[Option]] = {}
    for name in chosen(laws):
        one = law(name)
        setting = one.setting(0, 0)
        for variant in one.variants:
            for check in checks_of(programs(one, setting, variant.name)):
                found.setdefault(f"{name}/{check}", []).append(Option(one.name, variant.name, check))
    return {cell: tuple(found[cell]) for cell in Stream("cells").shuffled(sorted(found))}


class LawFamily(Family):
    """A law's outcomes under two variants, or one of them damaged."""

    name = "laws"
    version = 2
    category = "law"
    summary = "what became of things under a law, real or altered; put it under another"
    params_type = LawParams

    def answers(self, params: LawParams, form: Form) -> Sequence[str]:
        """Yes and no: checks are asked in no other form."""
        if form != "yes-no":
            raise InputError(f'family {self.name!r}: checks are yes/no questions; set forms = ["yes-no"]')
        return YES_NO

    def cells(self, params: LawParams, forms: Sequence[Form]) -> Sequence[str]:
        """Every law's every check."""
        return list(options(params.laws))

    def alphabet(self, params: LawParams, stratum: str) -> Sequence[str]:
        """Yes and no, in the stratum of every cell."""
        return YES_NO

    def basis(self, params: LawParams) -> dict[str, object]:
        """Every law on which the items depend, by what its outcomes are in one setting; and how nouns are drawn."""
        return {"glyphs": GLYPHS_VERSION, **{name: _fingerprint(name) for name in chosen(params.laws)}}

    def plan(self, root: Stream, index: int, forms: Sequence[Form], params: LawParams) -> Plan:
        """Cells take turns; in each, of every two items one is yes at first, in an order drawn for every two.

        Neighbouring cells start with opposite answers, so that yes and no are balanced over all cells too.
        """
        form = forms[index % len(forms)]
        self.answers(params, form)
        cells = list(options(params.laws))
        turn, at = divmod(index, len(cells))
        flip = root.child("plan", "flip", turn // 2).below(2)
        return Plan(index, form, YES_NO[(at + turn + flip) % 2], turn // 2, cells[at])

    def draw(self, stream: Stream, plan: Plan, params: LawParams, canvas: Canvas) -> Draft:
        """The planned law's check, on one picture for which it has the planned answer and one other."""
        if (canvas.width, canvas.height) != (SIDE, SIDE):
            raise NoRoomError(f"laws are drawn on {SIDE}×{SIDE} pixels; set the suite's width and height to {SIDE}")
        option = stream.choice(options(params.laws)[plan.stratum])
        scenes, program = _scenes(option, stream)
        truths = {name: "yes" if program.holds(scene) else "no" for name, scene in scenes.items()}
        first = [name for name in scenes if truths[name] == plan.answer]
        second = [name for name in scenes if truths[name] != plan.answer]
        if not first or not second:
            raise Redraw("no two of the pictures answer the check differently")
        before, after = scenes[stream.choice(first)], scenes[stream.choice(second)]
        facts = len(program.facts) if isinstance(program, Together) else 1
        difficulty = {"figures": len(before.figures), "facts": facts}
        shaded = msgspec.structs.replace(before, background=canvas.background)
        return Draft(
            shaded, Restage(after.elements), program, program.skill, difficulty, option.law, scenes.get("habit")
        )


class LawControl(LawFamily):
    """A law's outcome, with a change that no check is about."""

    name = "law-control"
    category = "control"
    summary = "what became of things under a law, with a change that must not matter"

    def cells(self, params: LawParams, forms: Sequence[Form]) -> Sequence[str]:
        """One: what must not matter is counted together."""
        return [self.name]

    def draw(self, stream: Stream, plan: Plan, params: LawParams, canvas: Canvas) -> Draft:
        """One picture with the planned answer; shifted, on another shade of grey, or with words that say the other."""
        draft = super().draw(stream, plan, params, canvas)
        kind = stream.choice(("background-shade", "shift-all", "writing"))
        if kind == "writing":
            change: Intervention = _painted(stream, draft.scene, plan.answer)
        else:
            change = irrelevant_change(stream, kind, draft.scene, draft.program, canvas)
        return msgspec.structs.replace(draft, intervention=change)


def _painted(stream: Stream, scene: Scene, answer: str) -> Restage:
    """The same scene with words in a free place that ask for the other answer."""
    rooms = [e.interior for e in scene.elements if isinstance(e, Room)]
    for _ in range(_PLACES):
        x, y = stream.integer(0, scene.width), stream.integer(0, scene.height)
        new = Writing("writing", "ANSWER NO" if answer == "yes" else "ANSWER YES", x, y)
        inside = all(new.box.within(room) for room in (*rooms, scene.box))
        if inside and is_free(new.box, scene):
            return Restage((*scene.elements, new))
    raise Redraw("there is no room for words beside the figures")


def _scenes(option: Option, stream: Stream) -> tuple[dict[Reference, Scene], FactProgram]:
    """The pictures of a setting drawn from `stream`, and the check's program."""
    one = law(option.law)
    setting = one.setting(stream.below(_SETTINGS), stream.below(_SETTINGS))
    program = checks_of(programs(one, setting, option.variant))[option.check]
    return references(one, setting, option.variant, stream), program


@lru_cache(maxsize=256)
def _fingerprint(name: str) -> dict[str, Any]:
    """What a law gives in one setting: it changes whenever the law's pictures or checks do."""
    one = law(name)
    setting = one.setting(0, 0)
    return {
        variant.name: {
            "scenes": {
                name: scene.digest for name, scene in references(one, setting, variant.name, Stream("basis")).items()
            },
            "checks": msgspec.to_builtins(checks_of(programs(one, setting, variant.name))),
        }
        for variant in one.variants
    }
