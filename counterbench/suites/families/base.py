"""Base of the families: named parameters, a plan of balanced answers, and a way to draw one item from a stream.

A family never writes an answer down. It plans the original answer of an item and draws a scene that should have it.
The question's program decides, and a scene with another answer is drawn again.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal

import msgspec

from counterbench.errors import AmbiguousError, InputError, NoRoomError
from counterbench.files import formats
from counterbench.palette import BACKGROUND, COLOURS, SHAPES
from counterbench.scene import pairs
from counterbench.scene.interventions import Add, FarDistractor, Intervention
from counterbench.scene.pairs import FORMS, PictureKinds, QuestionForm
from counterbench.scene.programs import Program
from counterbench.scene.scene import MAX_SIDE, MIN_SIDE, Scene, Shape
from counterbench.scene.seeds import SUITES, Stream

MAX_DRAWS = 400
# Reasons to draw again that lie in the family's own code.
_UNPLANNED = "the drawn scene does not have the planned answer"
_UNCHANGED = "the answer stays where it should change, or changes where it should stay"
YES_NO = ("yes", "no")
COLOUR_SHAPES: tuple[str, ...] = tuple(f"{colour} {kind}" for colour in COLOURS for kind in SHAPES)

IntegerRange = tuple[int, int]  # low and high, both included


class Redraw(Exception):
    """A draw that did not work out, and why; the reason is shown if no draw works out."""


Diamonds = Literal["slim", "square"]


class Canvas(msgspec.Struct, frozen=True):
    """Size and background of the pictures of a suite, and its diamonds: slim ones, or squares turned by 45 degrees."""

    width: int = 512
    height: int = 512
    background: int = BACKGROUND
    diamonds: Diamonds = "slim"

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if not MIN_SIDE <= getattr(self, name) <= MAX_SIDE:
                raise InputError(f"{name} must be {MIN_SIDE} to {MAX_SIDE} pixels, not {getattr(self, name)}")

    def px(self, percent: int) -> int:
        """`percent` of the shorter side, in whole pixels."""
        return min(self.width, self.height) * percent // 100

    def scene(self, *elements: Any) -> Scene:
        """A scene of this size with `elements`, its diamonds slim or square; Redraw if they do not fit.

        Families place shapes as if all were as wide as high: slim diamonds need no more room.
        """
        try:
            return Scene(self.width, self.height, self.background, tuple(map(self._shaped, elements)))
        except InputError as error:
            raise Redraw(str(error)) from None

    def adding(self, change: Intervention) -> Intervention:
        """An intervention with the diamond that it may add slim or square."""
        if isinstance(change, Add | FarDistractor):
            return msgspec.structs.replace(change, shape=self._shaped(change.shape))
        return change

    def _shaped(self, element: Any) -> Any:
        if self.diamonds == "slim" and isinstance(element, Shape) and element.kind == "diamond":
            return msgspec.structs.replace(element, slim=True)
        return element


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A family's parameters, as they stand in a suite file."""

    # Parameters that a suite's definition, and so its digest, holds only if they are not at their default.
    named_if_changed: ClassVar[frozenset[str]] = frozenset()

    @property
    def plain(self) -> dict[str, Any]:
        """The parameters as plain data, for a suite's definition."""
        defaults = dict(zip(self.__struct_fields__, self.__struct_defaults__, strict=True))
        values = msgspec.structs.asdict(self).items()
        kept = {name: v for name, v in values if name not in self.named_if_changed or v != defaults[name]}
        return msgspec.to_builtins(kept)  # type: ignore[no-any-return]


class Params(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters that every family of plain shapes has. Sizes and gaps are per cent of the picture's shorter side."""

    # By parameter that the class itself adds, the least and the greatest value of a number or of both ends of a span.
    limits: ClassVar[Mapping[str, IntegerRange]] = {"shape_size": (1, 45), "gap": (1, 30)}

    shape_size: IntegerRange = (6, 10)
    gap: int = 3

    def __post_init__(self) -> None:
        """InputError unless each parameter with limits, a number or a span, is in order and within them."""
        of_classes = (vars(kind).get("limits", {}).items() for kind in reversed(type(self).__mro__))
        for name, (low, high) in chain.from_iterable(of_classes):
            value = getattr(self, name)
            first, last = value if isinstance(value, tuple) else (value, value)
            if not low <= first <= last <= high:
                shape = "[low, high], in order and each" if isinstance(value, tuple) else "a whole number"
                raise InputError(f"parameter {name!r} must be {shape} from {low} to {high}, not {_plain(value)}")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def check_choices(params: Parameters, name: str, choices: Sequence[str]) -> None:
    """InputError unless the list parameter `name` is not empty, without repeats and all from `choices`."""
    values = getattr(params, name)
    wrong = [v for v in values if v not in choices]
    if wrong or not values or len(set(values)) != len(values):
        raise InputError(
            f"parameter {name!r} must be a list, without repeats, of some of: {', '.join(choices)}; not {list(values)}"
        )


class Plan(msgspec.Struct, frozen=True):
    """The plan of one item."""

    index: int
    form: QuestionForm
    answer: str  # the original answer
    turn: int  # number of items of the stratum with this answer before it
    stratum: str  # group of items over which answers are balanced


class Draft(msgspec.Struct, frozen=True):
    """A family's draw: everything of a pair but its answers."""

    scene: Scene
    intervention: Intervention
    program: Program
    skill: str
    difficulty: dict[str, int]
    law: str = ""  # the law that ruled, if one did
    prior: Scene | None = None  # the outcome of the real law, where the law was altered
    kinds: PictureKinds = ((), ())  # the picture kinds of both pictures (see `suites.kinds`), where a law ruled


class Family(ABC):
    """A way to sample pairs of one kind."""

    name: ClassVar[str]
    version: ClassVar[int] = 1  # rises whenever the same index would give another item
    # Versions of one form alone, so that suites of the other form keep their digests.
    form_versions: ClassVar[Mapping[QuestionForm, int]] = {}
    category: ClassVar[str]
    summary: ClassVar[str]
    params_type: ClassVar[type[Parameters]]
    forms: ClassVar[tuple[QuestionForm, ...]] = FORMS  # in which it can ask
    # For controls on its scenes. `unasked`: parameters with which a scene holds a shape that is not asked about.
    # `never`: kinds of changes that no control makes, since they always change the answer or find no room.
    unasked: ClassVar[Mapping[str, Any]] = {}
    never: ClassVar[tuple[str, ...]] = ()
    open_answers: ClassVar[Sequence[str]] = COLOUR_SHAPES
    # Of families whose pictures have kinds (see `suites.kinds`).
    closing_kinds: ClassVar[tuple[str, ...]] = ()  # a law is closed if the judge was not shown to see one of these
    needed_kinds: ClassVar[tuple[str, ...]] = ()  # some pair must show each of these
    kinds_of_each_law: ClassVar[tuple[str, ...]] = ()  # pairs of each law must show each of these

    def answers(self, params: Any, form: QuestionForm) -> Sequence[str]:
        """The original answers over which items of this form are balanced; by default yes and no, or `open_answers`."""
        return YES_NO if form == "yes-no" else self.open_answers

    def cells(self, params: Any, forms: Sequence[QuestionForm]) -> Sequence[str]:
        """The names of the cells, the groups of items that a certificate counts by themselves; by default the forms.

        Item i belongs to cell i modulo their number.
        """
        return [f"{self.name}/{form}" for form in forms]

    def rests_on(self, params: Any) -> Mapping[str, Collection[str]]:
        """By cell the picture kinds that change its truth; empty where pictures have no kinds."""
        return {}

    def alphabet(self, params: Any, stratum: str) -> Sequence[str]:
        """The original answers over which the items of a stratum are balanced."""
        return self.answers(params, "yes-no" if stratum == "yes-no" else "open")

    def versions(self, forms: Sequence[str]) -> dict[str, int]:
        """The versions of this family and of these forms, by name; one rises when its items change."""
        named = {f"{form.replace('-', '_')}_version": n for form, n in self.form_versions.items() if form in forms}
        return {"version": self.version} | named

    def basis(self, params: Any) -> dict[str, object]:
        """Anything that items depend on beside version and parameters; part of the suite's digest."""
        return {}

    @abstractmethod
    def draw(self, stream: Stream, plan: Plan, params: Any, canvas: Canvas) -> Draft:
        """One draw that should have the planned answer; raises Redraw, NoRoomError or InputError."""

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: Any) -> Plan:
        """The plan of item `index`: forms take turns, and every run of len(answers) items has each answer once.

        So the answers of the first n items of a form are balanced within one, for any n.
        """
        form = forms[index % len(forms)]
        return balanced(root, index // len(forms), index, form, self.answers(params, form), form)


def balanced(root: Stream, turn: int, index: int, form: QuestionForm, answers: Sequence[str], stratum: str) -> Plan:
    """The plan of item `index`, the `turn`-th of its stratum: blocks of all answers, each in an order of its own."""
    block, place = divmod(turn, len(answers))
    order = root.child("plan", stratum, block).shuffled(answers)
    return Plan(index, form, order[place], block, stratum)


def alternating(root: Stream, turn: int, rank: int, group: str) -> str:
    """The planned answer, yes or no, of the `turn`-th item of a stratum, in a group of strata that take turns.

    `rank`: the place of the stratum in the group, from 0; `group`: the name of the group.

    Answers alternate over ranks and over turns, so that yes and no are within one in each stratum and in the group.
    """
    flip = root.child("plan", "flip", group, turn // 2).below(2)
    return YES_NO[(rank + turn + flip) % 2]


def read_params(family: Family, given: Mapping[str, Any], where: str = "") -> Parameters:
    """`given` as the family's parameters; InputError that names the key, the place and the valid choices."""
    place = f"{where}: family {family.name!r}" if where else f"family {family.name!r}"
    return formats.convert(dict(given), family.params_type, place, "parameter")


def sample(
    family: Family,
    params: Parameters,
    forms: Sequence[QuestionForm],
    canvas: Canvas,
    seed: int,
    index: int,
    person: bytes = SUITES,
    planned: int | None = None,
) -> pairs.Pair:
    """Item `index` of `family`: a pure function of its arguments. `person`: see `scene.seeds`.

    `planned`: the seed of its plan, for items with seeds of their own whose answers are balanced together.

    Raises NoRoomError, naming the parameters, when many draws in a row do not work out.
    """
    root = Stream(seed, family.name, family.version, person=person)
    plans = root if planned is None else Stream(planned, family.name, family.version, person=person)
    plan = family.plan(plans, index, forms, params)
    cells = family.cells(params, forms)
    reasons: dict[str, int] = {}
    for draw in range(MAX_DRAWS):
        stream = root.child(index, draw)
        try:
            draft = family.draw(stream, plan, params, canvas)
            pair = pairs.build(
                id=f"{family.name}-{index:06d}",
                index=index,
                family=family.name,
                category=family.category,
                skill=draft.skill,
                stratum=plan.stratum,
                scene=draft.scene,
                intervention=canvas.adding(draft.intervention),
                program=draft.program,
                question=stream.choice(draft.program.phrasings()),
                difficulty=draft.difficulty,
                law=draft.law,
                cell=cells[index % len(cells)],
                prior=draft.prior,
                kinds=draft.kinds,
            )
        except NoRoomError as error:
            raise NoRoomError(f"family {family.name!r}: {error}") from None
        except (Redraw, AmbiguousError, InputError) as error:  # the last of an intervened scene that leaves the canvas
            reason = str(error)
        else:
            if pair.original_answer == plan.answer and pair.relevant == (family.category != "control"):
                return pair
            reason = _UNPLANNED if pair.original_answer != plan.answer else _UNCHANGED
        reasons[reason] = reasons.get(reason, 0) + 1
    often = max(reasons, key=lambda r: reasons[r])
    where = f"family {family.name!r}, item {index}: {MAX_DRAWS} draws on {canvas.width}×{canvas.height} pixels"
    if often in (_UNPLANNED, _UNCHANGED):
        named = ", ".join(family.alphabet(params, plan.stratum))
        raise NoRoomError(
            f"{where} did not work out (most often: {often}); planned is {plan.answer!r}, of: {named}. Let draw() "
            "follow plan.answer, and name in answers() only what it can draw"
        )
    settings = ", ".join(f"{name} = {_plain(value)}" for name, value in msgspec.structs.asdict(params).items())
    raise NoRoomError(
        f"{where} did not work out (most often: {often}). Ask for fewer or smaller shapes, a smaller gap or a larger "
        f"picture; the parameters are {settings}"
    )


def check_forms(family: Family, forms: Sequence[str], where: str = "") -> None:
    """InputError unless `forms` is a non-empty list of different forms in which a family can ask."""
    if not forms or len(set(forms)) != len(forms) or any(form not in family.forms for form in forms):
        place = f"{where}: " if where else ""
        raise InputError(
            f"{place}'forms' of {family.name!r} must be a list, without repeats, of: {', '.join(family.forms)}; "
            f"not {list(forms)}"
        )
