"""Control (an invariance test): any family's scene and question, with a change that must not matter to the answer."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal

from counterbench.errors import InputError
from counterbench.palette import COLOURS
from counterbench.scene.interventions import IRRELEVANT
from counterbench.scene.pairs import FORMS, QuestionForm
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.seeds import Stream
from counterbench.suites.families.arrow import ArrowFamily
from counterbench.suites.families.attribute import Attribute
from counterbench.suites.families.base import (
    YES_NO,
    Canvas,
    Draft,
    Family,
    Params,
    Plan,
    alternating,
    balanced,
    check_choices,
    read_params,
)
from counterbench.suites.families.changes import KINDS, TREATED, irrelevant_change
from counterbench.suites.families.composition import Composition
from counterbench.suites.families.containment import Containment
from counterbench.suites.families.counting import Counting
from counterbench.suites.families.occlusion import Occlusion
from counterbench.suites.families.presence import Presence
from counterbench.suites.families.spatial import Spatial
from counterbench.suites.families.words import Words

BASES: dict[str, Family] = {
    f.name: f
    for f in (
        Spatial(),
        Attribute(),
        Counting(),
        Containment(),
        ArrowFamily(),
        Occlusion(),
        Composition(),
        Presence(),
        Words(),
    )
}
# The bases of controls without the parameter `bases`. Frozen, because digests of suites depend on it.
STANDARD = ("spatial", "attribute", "counting", "containment", "arrow", "occlusion", "composition", "presence")


# Those whose yes/no questions can be a clause of a whole prompt.
PROMPTED = ("spatial", "attribute", "counting", "containment", "presence")


class ControlParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of controls. Combinations of base and change that would change the answer are left out."""

    bases: tuple[str, ...] = STANDARD  # families whose scenes and questions are used
    interventions: tuple[str, ...] = IRRELEVANT  # the changes
    # Painted words ask for one of these answers; by default for a wrong one of the base's answers.
    painted: tuple[str, ...] = ()
    # The answer of every yes/no question; "": both in turn. Of a question that is answered with no, a true statement
    # and a false one can be made without "not": comparisons need both.
    answer: Literal["", "yes", "no"] = ""
    is_prompt: bool = False  # the question is a whole prompt: does the picture show this: "…"?
    allowed: ClassVar[Sequence[str]] = KINDS  # the values of `interventions`
    named_if_changed: ClassVar[frozenset[str]] = frozenset({"painted", "answer", "is_prompt"})
    # Parameters of a base, by its name.
    base_params: dict[str, dict[str, Any]] = {}  # msgspec copies it for each instance

    def __post_init__(self) -> None:
        """Check the parameters.

        InputError for an unknown base or intervention, parameters of a base that is not among `bases`, or no cell left.
        Parameters that a base itself refuses raise its InputError.
        """
        super().__post_init__()
        check_choices(self, "bases", tuple(BASES))
        check_choices(self, "interventions", self.allowed)
        wrong = sorted(self.base_params.keys() - set(self.bases))
        if wrong:
            raise InputError(
                f"parameter 'base_params' names {wrong[0]!r}, which is not among the bases: {list(self.bases)}"
            )
        if self.is_prompt and (unstated := sorted({*self.bases} - {*PROMPTED})):
            raise InputError(
                f"parameter 'is_prompt' = true needs 'bases' of: {', '.join(PROMPTED)}; there is {unstated[0]!r}"
            )
        if not self.cells():
            raise InputError("no combination of these 'bases' and 'interventions' leaves the truth as it is")
        for name in self.bases:
            self.base(name, self.interventions[0])

    def cells(self) -> list[tuple[str, str]]:
        """Every base × intervention that keeps the answer, in a fixed order.

        If treatments or painted words are among them, the order is shuffled, so that the first cells are of all kinds.
        """
        pairs = [(b, i) for i in self.interventions for b in self.bases if i not in BASES[b].never]
        return pairs if set(self.interventions) <= set(IRRELEVANT) else Stream("controls").shuffled(pairs)

    def base(self, name: str, intervention: str) -> Params:
        """The parameters of a base; with distractors where the intervention needs a shape that is not asked about."""
        given = dict(self.base_params.get(name, {}))
        if intervention == "change-unasked":
            given = {**BASES[name].unasked, **given}
        if self.is_prompt and name == "spatial":
            given = {**given, "letters": False}  # no prompt names a shape by its letter
        params = read_params(BASES[name], given, "base_params")
        assert isinstance(params, Params)
        return params


class Control(Family):
    """An irrelevant intervention on another family's scene and question."""

    name = "control"
    form_versions = {"yes-no": 5}
    category = "control"
    summary = "any family's scene and question, with a change that must not matter"
    params_type: ClassVar[type[ControlParams]] = ControlParams
    open_answers = YES_NO  # the open answers of an item depend on its base

    def cells(self, params: ControlParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """One cell for all changes that must not matter."""
        return [self.name]

    def alphabet(self, params: ControlParams, stratum: str) -> Sequence[str]:
        """The base's answers, for the form in the stratum's name."""
        form, _, cell = stratum.partition("/")
        base, _, intervention = cell.partition("/")
        if base not in BASES:
            raise InputError(f"there is no stratum {stratum!r}")
        return BASES[base].answers(params.base(base, intervention), "yes-no" if form == "yes-no" else "open")

    def basis(self, params: ControlParams) -> dict[str, object]:
        """The bases' versions and parameters, on which the items depend as well."""
        return {
            name: {**BASES[name].versions(FORMS), "params": params.base(name, "change-unasked").plain}
            for name in params.bases
        }

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: ControlParams) -> Plan:
        """Cells (base × intervention) take turns within a form, each balanced by itself.

        Neighbouring cells start with opposite answers, so that yes and no are balanced over all cells too.
        """
        form = forms[index % len(forms)]
        if params.is_prompt and form != "yes-no":
            raise InputError(f"family {self.name!r}: 'is_prompt' = true asks with yes and no alone: forms = ['yes-no']")
        cells = [cell for cell in params.cells() if form in BASES[cell[0]].forms]
        if not cells:
            raise InputError(f"family {self.name!r}: none of its bases has the form {form!r}; leave it out of 'forms'")
        turn, cell_index = divmod(index // len(forms), len(cells))
        base, intervention = cells[cell_index]
        stratum = f"{form}/{base}/{intervention}"
        answers = BASES[base].answers(params.base(base, intervention), form)
        if tuple(answers) != YES_NO:
            return balanced(root, turn, index, form, answers, stratum)
        flip = root.child("plan", "flip", cell_index // 2).below(2)
        return Plan(index, form, params.answer or YES_NO[(cell_index + turn + flip) % 2], turn // 2, stratum)

    def draw(self, stream: Stream, plan: Plan, params: ControlParams, canvas: Canvas) -> Draft:
        """The base's scene and question, and an irrelevant change instead of the base's own."""
        _, base, kind = plan.stratum.split("/")
        draft = BASES[base].draw(stream, plan, params.base(base, kind), canvas)
        others = [a for a in self.alphabet(params, plan.stratum) if a != plan.answer and a.replace(" ", "").isalpha()]
        wrong = params.painted or others or COLOURS
        change = irrelevant_change(stream, kind, draft, canvas, lambda: stream.choice(wrong))
        program = ShowsAll((draft.program,)) if params.is_prompt else draft.program  # type: ignore[arg-type]
        return Draft(draft.scene, change, program, draft.skill, draft.difficulty)


class TreatedParams(ControlParams, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of treated controls."""

    interventions: tuple[str, ...] = TREATED


class Treated(Control):
    """A control whose second picture is treated; each treatment is a cell, since each is certified by itself."""

    name = "treated"
    form_versions = {}
    summary = "any family's scene and question, with a treatment of the second picture"
    params_type: ClassVar[type[ControlParams]] = TreatedParams

    def cells(self, params: ControlParams, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """A cell for each treatment that some base has room for."""
        every = _treated(params.bases, params.interventions, tuple(forms))
        return [f"{self.name}/{kind}" for kind in dict.fromkeys(kind for kind, _, _ in every)]

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: ControlParams) -> Plan:
        """Treatments take turns; within one, pairs of form and base do; each pair and each treatment is balanced."""
        every = _treated(params.bases, params.interventions, tuple(forms))
        kinds = list(dict.fromkeys(kind for kind, _, _ in every))
        turn, kind_index = divmod(index, len(kinds))
        own = [(form, base) for kind, form, base in every if kind == kinds[kind_index]]
        turn, own_index = divmod(turn, len(own))
        form, base = own[own_index]
        stratum = f"{form}/{base}/{kinds[kind_index]}"
        answers = BASES[base].answers(params.base(base, kinds[kind_index]), form)
        if tuple(answers) != YES_NO:
            return balanced(root, turn, index, form, answers, stratum)
        rank = sum(_is_yes_no(params, kinds[kind_index], *earlier) for earlier in own[:own_index])
        answer = params.answer or alternating(root, turn, rank, kinds[kind_index])
        return Plan(index, form, answer, turn // 2, stratum)


class OneSidedParams(ControlParams, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of one-sided comparisons: the styles of the one picture stand in `interventions`."""

    allowed = ("textured", "photograph", "blurred", "degraded")
    interventions: tuple[str, ...] = allowed

    def __post_init__(self) -> None:
        """See `ControlParams`; InputError for parameters that only controls have."""
        super().__post_init__()
        if self.is_prompt or self.painted or self.answer:
            raise InputError("a one-sided comparison has no parameter 'is_prompt', 'painted' or 'answer'")


class OneSided(Treated):
    """A base's own pair, for a comparison of two pictures of which one has another style; each style is a cell.

    Of the two questions about the pictures one is answered with the plain picture and the other with the styled one. So
    who takes the clearer picture, or the richer one, is right on one of the two.
    """

    name = "one-sided"
    category = "comparison"
    summary = "any family's pair, compared, with one of its two pictures in another style"
    params_type = OneSidedParams

    def draw(self, stream: Stream, plan: Plan, params: ControlParams, canvas: Canvas) -> Draft:
        """The base's draft, with its own intervention; `suites.comparisons` gives one picture the style of the cell."""
        _, base, style = plan.stratum.split("/")
        return BASES[base].draw(stream, plan, params.base(base, style), canvas)


def _is_yes_no(params: ControlParams, kind: str, form: QuestionForm, base: str) -> bool:
    """True if the answers of a base in this form, under this treatment, are yes and no."""
    return tuple(BASES[base].answers(params.base(base, kind), form)) == YES_NO


@lru_cache(maxsize=64)
def _treated(
    bases: tuple[str, ...], kinds: tuple[str, ...], forms: tuple[QuestionForm, ...]
) -> list[tuple[str, QuestionForm, str]]:
    """Every treatment × form × base that keeps the answer: treatments in their order, the others in a mixed one."""
    every: list[tuple[str, QuestionForm, str]] = []
    for kind in kinds:
        of_kind = Stream("treated", kind).shuffled([(form, base) for base in bases for form in forms])
        every += [(kind, f, b) for f, b in of_kind if kind not in BASES[b].never and f in BASES[b].forms]
    return every
