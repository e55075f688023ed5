"""Pairs of pictures of laws: two outcomes of one law in one setting, and a yes/no question that tells them apart.

A law is a rule of a small world that runs, such as "what is let go falls". It has variants: the real one and altered
ones ("it rises"). A setting is the things and their places; the outcome is the scene that a variant gives. A check is
a question about an outcome ("Does the ball rest on the floor?"), the same that judges are asked about pictures of
text-to-image models. A cell ("gravity/moved") is a law and a kind of check; certificates count its pairs by themselves.

`draw` takes a cell and a planned answer, and gives a pair: one picture where the answer to a check of the cell is yes
and one where it is no. Both are made from `references`, pictures of the one setting: the right outcome, the real law's
(prior), the start, one with a thing missing … Some get changes as well, such as a stranger (a thing that has no part in
the law). A picture's kinds are the names of its reference and its changes: a judge must be shown to see every kind.

`LawFamily` asks about two such pictures; `LawControl` and `LawTreated` about one, and the same with a change that must
not matter. `_LawPictures` makes the pictures.
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
_CONTROL_CHANGES = ("background-shade", "shift-all")
_EDGE_SETTINGS = 6  # the number of settings that are tried for room to shift the picture to its edge
# The number of settings to draw from.
_SETTINGS = 1 << 30
# Shares of pairs with a stranger, with damage, and with two things in each other's colour.
_STRANGER_SHARE, _DAMAGED_SHARE, _SWAPPED_SHARE = 0.2, 0.25, 0.15
# Shares of pairs in which a thing is missing: of presence checks, and of other checks.
_MISSING_SHARE_OF_PRESENCE, _MISSING_SHARE = 0.55, 0.15
# Of the pictures that lack a thing, the share in which it is there in another colour. Of those that do not have a thing
# once, as a presence check asks, the share that have it twice.
_RECOLOURED_SHARE, _TWICE_SHARE = 0.8, 0.6
# The references that differ from the others in the things that are there, or in their colours.
_WRONG_THINGS: tuple[Reference, ...] = ("missing", "swapped", "twice", "bare")
_PRIOR = "prior"  # the picture kind of the reference "prior"
# Picture kinds in which a thing that the check names is not there.
_LACKING_KINDS = ("missing", "recoloured")
# By kind of check, the picture kinds that change the answers of that kind alone.
_OWN_KINDS: dict[str, tuple[str, ...]] = {
    "integrity": ("damaged",),
    "presence": ("twice", "bare"),
    "assessment": ("neither",),
    "moved": ("neither", "fracture"),
    "unaffected": ("stray",),
}
# The references for all checks but integrity, which asks if a picture is damaged.
_REFERENCES: tuple[Reference, ...] = ("right", "prior", "fracture", "neither", "start", "stray", *_WRONG_THINGS)


class LawParams(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of the families of laws."""

    laws: tuple[str, ...] = ()  # names, with SYMBOLS_SUFFIX for a law in symbols; none: the standard laws

    def __post_init__(self) -> None:
        if self.laws:
            check_choices(self, "laws", _names())


class _LawScene(NamedTuple):
    """A scene and its picture kinds: the name of its reference, then the changes made to it."""

    scene: Scene
    kinds: tuple[str, ...]


_TwoScenes = tuple[_LawScene, _LawScene]


class VariantCheck(msgspec.Struct, frozen=True):
    """The name of a check, with those of the law and of the variant whose outcome has the answer yes."""

    law: str
    variant: str
    check: str


def law_names(laws: tuple[str, ...]) -> list[str]:
    """The names of these laws (none: the standard ones) in the order of all laws, in which items are drawn."""
    return [name for name in _names() if name in (laws or STANDARD)]


def _names() -> list[str]:
    """The names of all laws, and then of all laws in symbols."""
    return [*all_laws(), *(name + SYMBOLS_SUFFIX for name in all_laws())]


@lru_cache(maxsize=8)
def checks_by_cell(laws: tuple[str, ...] = ()) -> dict[str, tuple[VariantCheck, ...]]:
    """The checks by cell, of these laws (none: the standard ones) under each of their variants.

    Laws in symbols (shapes in place of things) have only the kinds of checks in `RULED`. Cells are in a shuffled order,
    so that the first few are of all kinds.
    """
    cells: dict[str, list[VariantCheck]] = {}
    for name in law_names(laws):
        tested = law(name)
        setting = tested.setting(0, 0)
        for variant in tested.variants:
            for check in checks(tested, setting, variant.name):
                if name.endswith(SYMBOLS_SUFFIX) and kind_of(check) not in RULED:
                    continue
                cells.setdefault(law_cell(name, check), []).append(VariantCheck(tested.name, variant.name, check))
    return {cell: tuple(cells[cell]) for cell in Stream("cells").shuffled(sorted(cells))}


class LawFamily(Family):
    """Pairs of two outcomes of a law, with different answers to a check."""

    name = "laws"
    version = 8
    form_versions = {"yes-no": 2}
    category = "law"
    summary = "what became of things under a law, real or altered; put it under another"
    params_type = LawParams
    forms = ("yes-no",)
    open_answers = YES_NO  # the answers in each stratum (group of balanced answers); strata are the cells
    # A certificate does not admit a judge on a law if the judge was not shown to see one of these kinds of pictures.
    closing_kinds = ("right", _PRIOR, "start", "stranger", *_LACKING_KINDS, "swapped")
    needed_kinds = ("missing", "recoloured", "swapped", "twice")  # most wrong pictures of text-to-image models are so
    kinds_of_each_law = ("swapped",)

    def cells(self, params: LawParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """Every check of every law."""
        return list(checks_by_cell(params.laws))

    def rests_on(self, params: LawParams) -> Mapping[str, Collection[str]]:
        """By cell, the picture kinds that change the answers of its checks.

        The kind swapped (exchanged colours) is among them only where a check names a thing by its colour.
        """
        always = {*self.closing_kinds} - {"swapped"}
        return {
            cell: always.union(_OWN_KINDS[kind_of(cell.rpartition("/")[2])], ("swapped",) if _by_colour(cell) else ())
            for cell in checks_by_cell(params.laws)
        }

    def basis(self, params: LawParams) -> dict[str, object]:
        """The outcomes of every law in one setting, and the version of the nouns' drawings."""
        return {"glyphs": NOUN_DRAWINGS_VERSION, **{name: _fingerprint(name) for name in law_names(params.laws)}}

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: LawParams) -> Plan:
        """See `Family`; cells take turns, and of every two items of a cell one has the answer yes and one no.

        The first picture of the pair has the planned answer. A random number decides which item is first; neighbouring
        cells start with opposite answers, so that yes and no are balanced over all cells, too.
        """
        cells = list(checks_by_cell(params.laws))
        turn, cell_index = divmod(index, len(cells))
        flip = root.child("plan", "flip", turn // 2, cell_index // 2).below(2)
        return Plan(index, "yes-no", YES_NO[(cell_index + turn + flip) % 2], turn // 2, cells[cell_index])

    def draw(self, stream: Stream, plan: Plan, params: LawParams, canvas: Canvas) -> Draft:
        """A random check of the planned cell on two pictures, of which the first has the planned answer.

        The stratum's name, "gravity/moved", is the cell; in `LawTreated` it is "jpeg/gravity/moved".
        """
        if (canvas.width, canvas.height) != (SIDE, SIDE):
            raise NoRoomError(f"laws are drawn on {SIDE}×{SIDE} pixels; set the suite's width and height to {SIDE}")
        chosen = stream.choice(checks_by_cell(params.laws)["/".join(plan.stratum.split("/")[-2:])])
        law_pictures = _LawPictures(chosen, stream)
        pictures = law_pictures.pair(plan.answer, stream)
        before, after = (picture.scene for picture in pictures)
        difficulty = {
            "figures": len(before.figures),
            "dose": max((dose for _, dose in _damage(before) + _damage(after)), default=0),
        }
        shaded = msgspec.structs.replace(before, background=canvas.background)
        prior = law_pictures.scenes.get("prior")
        kinds = pictures[0].kinds, pictures[1].kinds
        program, skill = law_pictures.program, law_pictures.skill
        return Draft(shaded, Restage(after.elements), program, skill, difficulty, chosen.law, prior, kinds)


class LawControl(LawFamily):
    """Controls: an outcome of a law, and the same with another shade or place; the answer stays the same."""

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
        return stream.choice(_CONTROL_CHANGES)


class LawTreatedParams(LawParams, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of treated controls of laws."""

    treatments: tuple[str, ...] = TREATED

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "treatments", KINDS)

    @property
    def possible(self) -> list[str]:
        """The treatments that some law has room for."""
        movable = any(map(_has_edge, checks_by_cell(self.laws)))
        return [name for name in self.treatments if name != EDGE or movable]


class LawTreated(LawControl):
    """Controls whose second picture is treated (saved as JPEG, drawn small, …); each treatment is a cell."""

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
        cells = [cell for cell in checks_by_cell(params.laws) if kinds[kind_index] != EDGE or _has_edge(cell)]
        turn, cell_index = divmod(turn, len(cells))
        answer = alternating(root, turn, cell_index, kinds[kind_index])
        return Plan(index, "yes-no", answer, turn // 2, f"{kinds[kind_index]}/{cells[cell_index]}")

    def change(self, stream: Stream, plan: Plan, params: LawTreatedParams) -> str:  # type: ignore[override]
        """The treatment, which is the first part of the stratum's name."""
        return plan.stratum.partition("/")[0]


class _LawPictures:
    """A check in one setting: `program`, which asks and answers it, and `scenes`, the references by name.

    `pair` makes two pictures with different answers.
    """

    def __init__(self, chosen: VariantCheck, stream: Stream) -> None:
        """Draw the setting, and what in the references is left to chance, from `stream`."""
        tested = law(chosen.law)
        self._setting = _random_setting(tested, stream)
        self._law, self._kind = tested, kind_of(chosen.check)
        self.scenes = references(tested, self._setting, chosen.variant, stream)
        self.program = checks(tested, self._setting, chosen.variant)[chosen.check]

    @property
    def skill(self) -> str:
        """The skill that a judge needs for the check."""
        return skill_of(self._kind, self.program)

    def pair(self, answer: str, stream: Stream) -> _TwoScenes:
        """A picture with that answer and one with the other, in this order; Redraw if there are no two such pictures.

        At first the check asks for what is true of the picture `yes`. In half of the pairs it is then turned to ask for
        what is true of `no`, and the two change places: so no kind of picture, such as the start, has the answer yes
        more often than no. If one picture lacks a thing that is asked about, the other lacks one that is not. Strangers
        and damage, which may come on top, are the same in both: the check is not about them.
        """
        if isinstance(self.program, Whole):
            whole = self._reference(stream.choice([n for n in self.scenes if n not in ("damaged", "bare")]))
            broken = _LawScene(damaged(whole.scene, stream), (*whole.kinds, "damaged"))
            return (whole, broken) if answer == "yes" else (broken, whole)
        yes = self._answered("yes", stream)
        missing_share = _MISSING_SHARE_OF_PRESENCE if self._kind == "presence" else _MISSING_SHARE
        flawed = stream.chance(_SWAPPED_SHARE) and self._swapped(yes, stream)
        flawed = flawed or (stream.chance(missing_share) and self._lacking(yes, stream))
        yes, no = flawed or (yes, self._answered("no", stream, yes.scene))
        fact_of_no = self._fact_of(no.scene)
        if fact_of_no and not fact_of_no.plain(yes.scene):
            raise Redraw("the fact of one picture may be disputed of the other")
        if fact_of_no and stream.chance(0.5):
            self.program, yes, no = fact_of_no, no, yes
        pictures = (yes, no) if answer == "yes" else (no, yes)
        if stream.chance(_STRANGER_SHARE):
            pictures = self._with_stranger(pictures, stream)
        if stream.chance(_DAMAGED_SHARE) and all(matching(p.scene, thing) for p in pictures for thing in self._named):
            pictures = self._damaged(pictures, stream)
        return pictures

    def _reference(self, name: Reference) -> _LawScene:
        return _LawScene(self.scenes[name], (_PRIOR if name == "prior" else name,))

    def _answered(self, answer: str, stream: Stream, other: Scene | None = None) -> _LawScene:
        """A random reference with that answer.

        The value that the check would find in it (its fact) must be clear, and clearly true or false of `other`, too.
        For a presence check it may be a reference that has the thing twice, or nothing at all (bare).
        """

        def is_clear(scene: Scene) -> bool:
            fact = self._fact_of(scene)
            return fact is not None and (other is None or fact.plain(other))

        fitting = [name for name in _REFERENCES if name in self.scenes and self._answer(self.scenes[name]) == answer]
        # Without `is_clear`, no would always be right for a start that does not yet have the thing asked about.
        names = [name for name in fitting if name not in _WRONG_THINGS and is_clear(self.scenes[name])]
        if self._kind == "presence" and not names:
            names = ["twice"] if "twice" in fitting and stream.chance(_TWICE_SHARE) else ["bare"]
        if not names:
            raise Redraw(f"no picture answers the check with {answer}")
        return self._reference(stream.choice(names))

    def _lacking(self, picture: _LawScene, stream: Stream) -> _TwoScenes | None:
        """The picture without a thing that is not asked about, and without one that is: answers yes and no; or None.

        The two things are about equally large, so that the free space does not tell which one is missing. In most pairs
        both things stay, in another colour: what is left of a picture tells much about a thing that is gone. For a
        presence check the first picture may lack nothing. None if no two such pictures can be made.
        """
        yes, target = picture.scene, stream.choice(self._named)
        # The colours that both things may get; None to take them away.
        colours = free_colours(yes.figures, self._law.reserved) if stream.chance(_RECOLOURED_SHARE) else [None]
        colour = stream.choice(colours) if colours else None
        no = recoloured(yes, target, colour) if colour else without(yes, target)
        if not colours or no is None or self._answer(no) != "no":
            return None
        size = _area(yes, target)
        named = stream.shuffled(named_things(self._law, self._setting))
        for others in (named, stream.shuffled([*dict.fromkeys(Named(f.noun, f.colour) for f in yes.figures)])):
            for other in sorted(others, key=lambda thing: abs(_area(yes, thing) - size)):
                scene = recoloured(yes, other, colour) if colour else without(yes, other)
                if scene is not None and self._answer(scene) == "yes":
                    kinds = *picture.kinds, "recoloured" if colour else "missing"
                    return _LawScene(scene, kinds), _LawScene(no, kinds)
        if self._kind != "presence":
            return None
        return picture, _LawScene(no, (*picture.kinds, "recoloured" if colour else "missing"))

    def _swapped(self, picture: _LawScene, stream: Stream) -> _TwoScenes | None:
        """Two pictures with the colours of two things exchanged: the answer is yes on the first, no on the second.

        In the first, neither thing is asked about; if there are no two such things, it is the picture as it was. In the
        second, one of the two is asked about. None if the second cannot be made.
        """
        named = stream.shuffled(named_things(self._law, self._setting))
        asked_things, others = ([t for t in named if (t in self._named) == wanted] for wanted in (True, False))

        def exchanged(pairs: Iterable[tuple[Named, Named]], answer: str) -> _LawScene | None:
            """The picture with the first of these pairs of things exchanged that has that answer."""
            scenes = (swapped(picture.scene, pair, stream) for pair in pairs)
            scene = next((scene for scene in scenes if scene is not None and self._answer(scene) == answer), None)
            return None if scene is None else _LawScene(scene, (*picture.kinds, "swapped"))

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

    def _with_stranger(self, pictures: _TwoScenes, stream: Stream) -> _TwoScenes:
        """Both pictures with one more thing that has no part in the law (a stranger), the same in both.

        Unchanged if there is no room for it, or it would change an answer.
        """
        scenes = pictures[0].scene, pictures[1].scene
        added = tuple(with_stranger(scenes, self._law.reserved, stream))
        same = all(self._answer(before) == self._answer(after) for before, after in zip(scenes, added, strict=True))
        if not same or added == scenes:
            return pictures
        first, second = (_LawScene(scene, (*old.kinds, "stranger")) for scene, old in zip(added, pictures, strict=True))
        return first, second

    def _damaged(self, pictures: _TwoScenes, stream: Stream) -> _TwoScenes:
        """Both pictures with the same damage: on a thing that is not asked about, or else on a free part."""
        first, second = (spoilt(picture.scene, stream.child("spoilt"), self._named) for picture in pictures)
        if first is None or second is None or _damage(first) != _damage(second):
            first, second = (covered(picture.scene, stream.child("covered")) for picture in pictures)
        return _LawScene(first, (*pictures[0].kinds, "damaged")), _LawScene(second, (*pictures[1].kinds, "damaged"))

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


def _random_setting(tested: Law, stream: Stream) -> Setting:
    return tested.setting(stream.below(_SETTINGS), stream.below(_SETTINGS))


@lru_cache(maxsize=512)
def _by_colour(cell: str) -> bool:
    """True if a check of a cell names a thing by its colour."""
    law_name = cell.rpartition("/")[0]
    tested = law(law_name)
    setting, cell_checks = tested.setting(0, 0), checks_by_cell((law_name,))[cell]
    programs = (checks(tested, setting, item.variant)[item.check] for item in cell_checks)
    return any(isinstance(program, Fact) and any(thing.colour for thing in program.of.named) for program in programs)


@lru_cache(maxsize=512)
def _has_edge(cell: str) -> bool:
    """True if some picture of a cell has room to be shifted until it reaches the picture's edge."""
    law_name = cell.rpartition("/")[0]
    tested = law(law_name)
    for nth in range(_EDGE_SETTINGS):
        stream = Stream("edge", cell, nth)
        chosen = stream.choice(checks_by_cell((law_name,))[cell])
        law_in_setting = tested, _random_setting(tested, stream), chosen.variant
        if edge_shifts(checks(*law_in_setting)[chosen.check], outcome(*law_in_setting)):
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
