"""Laws: two outcomes of one law in one setting, and one of the checks of generated pictures as the question.

The intervention is another variant of the law; the rest of the setting stays. So a judge is tested on the questions
that it will be asked about a text-to-image model's pictures, on right pictures and on every kind of wrong one.

A law has variants, a real one and altered ones, and a setting has the things and their places. References are pictures
of one setting: the right outcome, the start, an outcome with a thing missing, and so on. The kinds of a picture are the
name of its reference and the changes made to it, such as a stranger (a thing that has no part in the law).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import msgspec

from counterbench.drawing.things import NOUN_DRAWINGS_VERSION
from counterbench.errors import AmbiguousError, NoRoomError
from counterbench.laws import STANDARD, SYMBOLS_SUFFIX, all_laws, law
from counterbench.laws.base import SIDE, Law, Setting
from counterbench.laws.flaws import covered, damaged, free_colours, recoloured, spoilt, swapped, with_stranger, without
from counterbench.laws.outcomes import (
    RULED,
    Reference,
    checks,
    kind_of,
    law_cell,
    named_things,
    outcome,
    references,
    skill_of,
)
from counterbench.scene.figures import Damage
from counterbench.scene.interventions import Restage
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.facts import Fact, Whole, observed
from counterbench.scene.programs.named import Named, matching
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
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
)
from counterbench.suites.families.changes import EDGE, KINDS, TREATED, edge_shifts, irrelevant_change

# The changes of a control: the background, and the place of everything.
_KINDS = ("background-shade", "shift-all")
_PROBES = 6  # settings in which a shift to the edge is looked for
# Number of settings to draw from; prompt sets number theirs from 0 under a seed of their own.
_SETTINGS = 1 << 30
# Shares of pairs with a stranger, with damage, and with two things in each other's colour.
_STRANGE, _DAMAGED, _SWAPPED = 0.2, 0.25, 0.15
# Shares of pairs in which a thing is missing: of other checks, and of presence checks.
_ABSENT = (0.15, 0.55)
# Share of missing things that are there in another colour, and of things not there once that are there twice.
_RECOLOURED, _TWICE = 0.8, 0.6
# The references that differ from the others in the things that are there, or in their colours.
_LACKING: tuple[Reference, ...] = ("missing", "swapped", "twice", "bare")
_PRIOR = "prior"  # the picture kind of the reference "prior"
# Picture kinds in which a thing that the check names is not there.
_OF_NAMES = ("missing", "recoloured")
# By kind of check the picture kinds that change the truth of that kind alone.
_OWN_KINDS: dict[str, tuple[str, ...]] = {
    "integrity": ("damaged",),
    "presence": ("twice", "bare"),
    "assessment": ("neither",),
    "moved": ("neither", "fracture"),
    "unaffected": ("stray",),
}
# The references for checks other than integrity.
_ASKED: tuple[Reference, ...] = ("right", "prior", "fracture", "neither", "start", "stray", *_LACKING)


class LawParams(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of the families of laws."""

    laws: tuple[str, ...] = ()  # names, with SYMBOLS_SUFFIX for a law in symbols; none: the standard laws

    def __post_init__(self) -> None:
        if self.laws:
            check_choices(self, "laws", _names())


class _Drawn(NamedTuple):
    """A scene and its picture kinds: its reference, and the changes made to it."""

    scene: Scene
    kinds: tuple[str, ...]


class Option(msgspec.Struct, frozen=True):
    """A check of a law under one of its variants, by name."""

    law: str
    variant: str
    check: str


def chosen(laws: tuple[str, ...]) -> list[str]:
    """The names of these laws (none: the standard ones) in the order of all laws, in which items are drawn."""
    return [name for name in _names() if name in (laws or STANDARD)]


def _names() -> list[str]:
    """The names of all laws, and then of all laws in symbols."""
    return [*all_laws(), *(name + SYMBOLS_SUFFIX for name in all_laws())]


@lru_cache(maxsize=8)
def options(laws: tuple[str, ...] = ()) -> dict[str, tuple[Option, ...]]:
    """The checks under each variant by cell (`law_cell`), over these laws (none: the standard ones).

    Laws in symbols have the checks of rule prompts alone. Cells are in a shuffled order, so that the first ones are of
    all kinds.
    """
    cells: dict[str, list[Option]] = {}
    for name in chosen(laws):
        tested = law(name)
        setting = tested.setting(0, 0)
        for variant in tested.variants:
            for check in checks(tested, setting, variant.name):
                if name.endswith(SYMBOLS_SUFFIX) and kind_of(check) not in RULED:
                    continue
                cells.setdefault(law_cell(name, check), []).append(Option(tested.name, variant.name, check))
    return {cell: tuple(cells[cell]) for cell in Stream("cells").shuffled(sorted(cells))}


class LawFamily(Family):
    """A law's outcomes under two variants, or one of them damaged."""

    name = "laws"
    version = 8
    form_versions = {"yes-no": 2}
    category = "law"
    summary = "what became of things under a law, real or altered; put it under another"
    params_type = LawParams
    forms = ("yes-no",)
    open_answers = YES_NO  # in the stratum of every cell
    closing_kinds = ("right", _PRIOR, "start", "stranger", *_OF_NAMES, "swapped")
    needed_kinds = ("missing", "recoloured", "swapped", "twice")  # of most wrong pictures of text-to-image models
    kinds_of_each_law = ("swapped",)

    def cells(self, params: LawParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """Every check of every law."""
        return list(options(params.laws))

    def rests_on(self, params: LawParams) -> Mapping[str, Collection[str]]:
        """See `Family`; only where a thing is named by its colour does another one's colour matter."""
        always = {*self.closing_kinds} - {"swapped"}
        return {
            cell: always | {*_OWN_KINDS[kind_of(cell.rpartition("/")[2])]} | ({"swapped"} if _binds(cell) else set())
            for cell in options(params.laws)
        }

    def basis(self, params: LawParams) -> dict[str, object]:
        """The outcomes of every law in one setting, and the version of the nouns' drawings."""
        return {"glyphs": NOUN_DRAWINGS_VERSION, **{name: _fingerprint(name) for name in chosen(params.laws)}}

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: LawParams) -> Plan:
        """Cells take turns; of every two items of a cell, one original answer is yes and one no, in a drawn order.

        Neighbouring cells start with opposite answers, so that yes and no are balanced over all cells too.
        """
        cells = list(options(params.laws))
        turn, cell_index = divmod(index, len(cells))
        flip = root.child("plan", "flip", turn // 2, cell_index // 2).below(2)
        return Plan(index, "yes-no", YES_NO[(cell_index + turn + flip) % 2], turn // 2, cells[cell_index])

    def draw(self, stream: Stream, plan: Plan, params: LawParams, canvas: Canvas) -> Draft:
        """A check of the planned cell on two pictures, of which the first has the planned answer.

        The last two parts of the stratum's name are the cell; in `LawTreated` a treatment stands before them.
        """
        if (canvas.width, canvas.height) != (SIDE, SIDE):
            raise NoRoomError(f"laws are drawn on {SIDE}×{SIDE} pixels; set the suite's width and height to {SIDE}")
        option = stream.choice(options(params.laws)["/".join(plan.stratum.split("/")[-2:])])
        drawn = _LawPictures(option, stream)
        pictures = drawn.pair(plan.answer, stream)
        before, after = (picture.scene for picture in pictures)
        difficulty = {
            "figures": len(before.figures),
            "dose": max((dose for _, dose in _damage(before) + _damage(after)), default=0),
        }
        shaded = msgspec.structs.replace(before, background=canvas.background)
        prior = drawn.scenes.get("prior")
        kinds = pictures[0].kinds, pictures[1].kinds
        return Draft(shaded, Restage(after.elements), drawn.program, drawn.skill, difficulty, option.law, prior, kinds)


class LawControl(LawFamily):
    """A law's outcome, with a change that no check is about."""

    name = "law-control"
    category = "control"
    version = 10
    summary = "what became of things under a law, with a change that must not matter"

    def cells(self, params: LawParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """One cell for all changes that must not matter."""
        return [self.name]

    def draw(self, stream: Stream, plan: Plan, params: LawParams, canvas: Canvas) -> Draft:
        """One picture with the planned answer, and a change that must not matter."""
        draft = super().draw(stream, plan, params, canvas)
        kind = self.change(stream, plan, params)
        change = irrelevant_change(stream, kind, draft, canvas, lambda: "no" if plan.answer == "yes" else "yes")
        return msgspec.structs.replace(draft, intervention=change)

    def change(self, stream: Stream, plan: Plan, params: LawParams) -> str:
        """The kind of change of a planned item."""
        return stream.choice(_KINDS)


class LawTreatedParams(LawParams, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of treated controls of laws."""

    treatments: tuple[str, ...] = TREATED

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "treatments", KINDS)

    @property
    def possible(self) -> list[str]:
        """The treatments that some law has room for."""
        movable = any(map(_has_edge, options(self.laws)))
        return [name for name in self.treatments if name != EDGE or movable]


class LawTreated(LawControl):
    """A law's outcome whose second picture is treated; each treatment is a cell."""

    name = "law-treated"
    version = 1
    summary = "what became of things under a law, with a treatment of the second picture"
    params_type = LawTreatedParams

    def cells(self, params: LawTreatedParams, forms: Sequence[QuestionForm]) -> Sequence[str]:  # type: ignore[override]
        """A cell for each treatment."""
        return [f"{self.name}/{kind}" for kind in params.possible]

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: LawTreatedParams) -> Plan:  # type: ignore[override]
        """Treatments take turns; within one, the cells of laws do, as in `LawFamily`."""
        kinds = params.possible
        turn, kind_index = divmod(index, len(kinds))
        cells = [cell for cell in options(params.laws) if kinds[kind_index] != EDGE or _has_edge(cell)]
        turn, cell_index = divmod(turn, len(cells))
        answer = alternating(root, turn, cell_index, kinds[kind_index])
        return Plan(index, "yes-no", answer, turn // 2, f"{kinds[kind_index]}/{cells[cell_index]}")

    def change(self, stream: Stream, plan: Plan, params: LawTreatedParams) -> str:  # type: ignore[override]
        """The treatment, which is the first part of the stratum's name."""
        return plan.stratum.partition("/")[0]


class _LawPictures:
    """A check in a setting drawn from a stream: its program, and the pictures that answer it."""

    def __init__(self, option: Option, stream: Stream) -> None:
        tested = law(option.law)
        self._setting = _setting(tested, stream)
        self._law, self._kind = tested, kind_of(option.check)
        self.scenes = references(tested, self._setting, option.variant, stream)
        self.program = checks(tested, self._setting, option.variant)[option.check]

    @property
    def skill(self) -> str:
        """The skill that a judge needs for the check."""
        return skill_of(self._kind, self.program)

    def pair(self, answer: str, stream: Stream) -> tuple[_Drawn, _Drawn]:
        """A picture with that answer and one with the other; Redraw if there are no two such pictures.

        The check asks for the state of things in either picture equally often, so no kind of picture, such as the
        start, is yes more often than no. Strangers, and damage where everything asked about is there, are the same in
        both. If one picture lacks a thing that is asked about, the other lacks a thing that is not.
        """
        if isinstance(self.program, Whole):
            whole = self._reference(stream.choice([n for n in self.scenes if n not in ("damaged", "bare")]))
            spoilt = _Drawn(damaged(whole.scene, stream), (*whole.kinds, "damaged"))
            return (whole, spoilt) if answer == "yes" else (spoilt, whole)
        yes = self._answered("yes", stream)
        flawed = stream.chance(_SWAPPED) and self._swapped(yes, stream)
        flawed = flawed or (stream.chance(_ABSENT[self._kind == "presence"]) and self._lacking(yes, stream))
        yes, no = flawed or (yes, self._answered("no", stream, yes.scene))
        of_other = self._fact_of(no.scene)
        if of_other and not of_other.plain(yes.scene):
            raise Redraw("the fact of one picture may be disputed of the other")
        if of_other and stream.chance(0.5):
            self.program, yes, no = of_other, no, yes
        pictures = (yes, no) if answer == "yes" else (no, yes)
        if stream.chance(_STRANGE):
            pictures = self._with_stranger(pictures, stream)
        if stream.chance(_DAMAGED) and all(matching(p.scene, thing) for p in pictures for thing in self._named):
            pictures = self._damaged(pictures, stream)
        return pictures

    def _reference(self, name: Reference) -> _Drawn:
        return _Drawn(self.scenes[name], (_PRIOR if name == "prior" else name,))

    def _answered(self, answer: str, stream: Stream, other: Scene | None = None) -> _Drawn:
        """A picture with that answer, whose own fact is clearly true or clearly false of `other`."""

        def is_clear(scene: Scene) -> bool:
            fact = self._fact_of(scene)
            return fact is not None and (other is None or fact.plain(other))

        known = {name: scene for name in _ASKED if (scene := self.scenes.get(name)) and self._answer(scene) == answer}
        # Without `is_clear`, no would always be right for a start that does not yet have the thing asked about.
        ruled = [name for name in known if name not in _LACKING and is_clear(known[name])]
        chosen = ruled
        if self._kind == "presence" and not ruled:
            chosen = ["twice"] if "twice" in known and stream.chance(_TWICE) else ["bare"]
        if not chosen:
            raise Redraw(f"no picture answers the check with {answer}")
        return self._reference(stream.choice(chosen))

    def _lacking(self, picture: _Drawn, stream: Stream) -> tuple[_Drawn, _Drawn] | None:
        """The picture without a thing that is not asked about, and the picture without one that is; or None.

        The two things are about equally large, so that the free space does not tell which one is missing. In most pairs
        they are there in another colour instead, since number and size of the other things tell much about a missing
        one. For a presence check the first picture may lack nothing.
        """
        yes, target = picture.scene, stream.choice(self._named)
        free = free_colours(yes.figures, self._law.reserved) if stream.chance(_RECOLOURED) else [None]
        colour = stream.choice(free) if free else None
        no = recoloured(yes, target, colour) if colour else without(yes, target)
        if not free or no is None or self._answer(no) != "no":
            return None
        size = _area(yes, target)
        named = stream.shuffled(named_things(self._law, self._setting))
        for others in (named, stream.shuffled([*dict.fromkeys(Named(f.noun, f.colour) for f in yes.figures)])):
            for other in sorted(others, key=lambda thing: abs(_area(yes, thing) - size)):
                scene = recoloured(yes, other, colour) if colour else without(yes, other)
                if scene is not None and self._answer(scene) == "yes":
                    kinds = *picture.kinds, "recoloured" if colour else "missing"
                    return _Drawn(scene, kinds), _Drawn(no, kinds)
        if self._kind != "presence":
            return None
        return picture, _Drawn(no, (*picture.kinds, "recoloured" if colour else "missing"))

    def _swapped(self, picture: _Drawn, stream: Stream) -> tuple[_Drawn, _Drawn] | None:
        """Two pictures with the colours of two things exchanged, answered yes and no; None if there is no second one.

        In the first, neither thing is asked about; it is the picture as it was, if there are no two such things. In the
        second, one thing is asked about and one is not.
        """
        named = stream.shuffled(named_things(self._law, self._setting))
        asked_things, others = ([t for t in named if (t in self._named) == wanted] for wanted in (True, False))

        def exchanged(pairs: Iterable[tuple[Named, Named]], answer: str) -> _Drawn | None:
            scenes = (swapped(picture.scene, pair, stream) for pair in pairs)
            scene = next((scene for scene in scenes if scene is not None and self._answer(scene) == answer), None)
            return None if scene is None else _Drawn(scene, (*picture.kinds, "swapped"))

        no = exchanged(product(asked_things, others), "no")
        return None if no is None else (exchanged(combinations(others, 2), "yes") or picture, no)

    def _fact_of(self, scene: Scene) -> Fact | None:
        """The check with the value that is true of this scene; None if a thing is missing or the value is not clear."""
        assert isinstance(self.program, Fact)
        try:
            fact = observed(self.program.of, scene)
            return fact if fact.holds(scene) else None
        except AmbiguousError:
            return None

    def _with_stranger(self, pictures: tuple[_Drawn, _Drawn], stream: Stream) -> tuple[_Drawn, _Drawn]:
        """Both pictures with one more thing that has no part in the law (a stranger), the same in both.

        Unchanged if there is no room for it, or it would change an answer.
        """
        scenes = pictures[0].scene, pictures[1].scene
        added = tuple(with_stranger(scenes, self._law.reserved, stream))
        same = all(self._answer(before) == self._answer(after) for before, after in zip(scenes, added, strict=True))
        if not same or added == scenes:
            return pictures
        return _Drawn(added[0], (*pictures[0].kinds, "stranger")), _Drawn(added[1], (*pictures[1].kinds, "stranger"))

    def _damaged(self, pictures: tuple[_Drawn, _Drawn], stream: Stream) -> tuple[_Drawn, _Drawn]:
        """Both scenes with the same damage: on a thing that is not asked about, or else on a free part."""
        first, second = (spoilt(picture.scene, stream.child("spoilt"), self._named) for picture in pictures)
        if first is None or second is None or _damage(first) != _damage(second):
            first, second = (covered(picture.scene, stream.child("covered")) for picture in pictures)
        return _Drawn(first, (*pictures[0].kinds, "damaged")), _Drawn(second, (*pictures[1].kinds, "damaged"))

    @property
    def _named(self) -> Sequence[Named]:
        return self.program.of.named if isinstance(self.program, Fact) else ()

    def _answer(self, scene: Scene) -> str:
        """The answer on a scene; empty if it is not clear or may be disputed."""
        try:
            plain = not isinstance(self.program, Fact) or self.program.plain(scene)
            return self.program.answer(scene) if plain else ""
        except AmbiguousError:
            return ""


def _setting(tested: Law, stream: Stream) -> Setting:
    return tested.setting(stream.below(_SETTINGS), stream.below(_SETTINGS))


@lru_cache(maxsize=512)
def _binds(cell: str) -> bool:
    """True if a check of a cell names a thing by its colour."""
    law_name = cell.rpartition("/")[0]
    own = law(law_name)
    programs = (checks(own, own.setting(0, 0), item.variant)[item.check] for item in options((law_name,))[cell])
    return any(isinstance(program, Fact) and any(thing.colour for thing in program.of.named) for program in programs)


@lru_cache(maxsize=512)
def _has_edge(cell: str) -> bool:
    """True if some picture of a cell has room for a shift to its edge."""
    law_name = cell.rpartition("/")[0]
    tested = law(law_name)
    for nth in range(_PROBES):
        stream = Stream("edge", cell, nth)
        option = stream.choice(options((law_name,))[cell])
        drawn_law = tested, _setting(tested, stream), option.variant
        if edge_shifts(checks(*drawn_law)[option.check], outcome(*drawn_law)):
            return True
    return False


def _area(scene: Scene, thing: Named) -> int:
    """A quarter of the area of the boxes of a thing's figures, in pixels."""
    return sum(figure.half_width * figure.half_height for figure in matching(scene, thing))


def _damage(scene: Scene) -> list[tuple[str, int]]:
    """The kinds and doses of a scene's damage."""
    return [(e.kind, e.dose) for e in scene.elements if isinstance(e, Damage)]


@lru_cache(maxsize=256)
def _fingerprint(name: str) -> dict[str, Any]:
    """A law's scenes and checks in one setting; it changes whenever the law's pictures or checks do."""
    tested = law(name)
    setting = tested.setting(0, 0)
    return {
        variant.name: {
            "scenes": {
                name: scene.digest for name, scene in references(tested, setting, variant.name, Stream("basis")).items()
            },
            "checks": msgspec.to_builtins(checks(tested, setting, variant.name)),
        }
        for variant in tested.variants
    }
