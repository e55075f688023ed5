"""Scorers: judges that give a number for a picture and a text; of two pictures the larger number is the better one.

A scorer answers comparisons alone (which of two pictures shows a prompt better?), so that the suite `pairwise` tests it
as any other judge. Its reply has both numbers and the answer: "0.31 against 0.12", then "Answer: first". CLIPScore,
VQAScore, PickScore, ImageReward and HPS are such functions. A number is asked for once: `ScorerJudge` remembers it by
the picture's pixels and the text.
"""

import asyncio
import contextlib
import inspect
import math
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, PREFERENCE, SECOND
from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import Failed
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.judges.base import Reply, raised
from counterbench.judges.functions import code_digest, opaque_in
from counterbench.judges.specs import SCORER, open_own, read_options, split_spec
from counterbench.runs.queries import Query
from counterbench.suites.comparisons import prompt_of

SHAPE = (
    "a function (image, text) that returns a number, one (images, texts) that returns a list of numbers, or an object "
    "with such a method `score` or `scores`"
)
MAX_REMEMBERED = 100_000  # numbers
_NUMBER = r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
_NUMBERS = lazily(rf"{_NUMBER} against {_NUMBER}\nAnswer: ")

PictureAndText = tuple[Picture, str]
FoundNumber = float | Failed  # a number, or the failure in its place
MemoKey = tuple[str, str, int]  # the digest of a picture, a text, and the number of the repeat


class ScorerOptions(msgspec.Struct, frozen=True):
    """The options after a scorer's name that are ours; all others are for its class or function.

    `margin`: two numbers that differ by no more are equal. `batch`: the most comparisons in one call of `scores`.
    `source`: the digest of the scorer's code, which it must have.
    """

    margin: Annotated[float, msgspec.Meta(ge=0, le=1e300)] = 0.0
    batch: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 16
    source: str = ""


class Scorer(ABC):  # noqa: B024  (it is never derived from)
    """The shape of a scorer's class: an object with the method `score` or `scores` (see SHAPE)."""

    score = scores = None

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        """True for a class with one of the two methods."""
        return any(callable(getattr(other, name, None)) for name in ("score", "scores"))


def order(first: float, second: float, margin: float = 0.0) -> str:
    """The answer to a comparison from the two pictures' numbers: first, second, or equal within the margin."""
    return EQUAL if abs(first - second) <= margin else FIRST if first > second else SECOND


def with_numbers(first: float, second: float, answer: str) -> str:
    """The reply with both numbers and the answer."""
    return f"{first!r} against {second!r}\nAnswer: {answer}"


def numbers_in(reply: str) -> tuple[float, float] | None:
    """The two numbers in a reply of `with_numbers`; None in any other."""
    match = _NUMBERS.match(reply)
    return (float(match[1]), float(match[2])) if match else None


def statement_in(query: Query) -> str | Failed:
    """The prompt of a comparison of two pictures; the failure if the query is none, or allows no tie."""
    prompt = prompt_of(query.text)
    if prompt is None or query.answer_type != PREFERENCE or len(query.pictures) != 2:
        return Failed("wrong-type", f"{query.id} is no comparison of two pictures that may be equal")
    return prompt


class Memo(dict[MemoKey, Any]):
    """A store of numbers, or of futures of replies; the oldest is forgotten if there are too many."""

    def keep(self, key: MemoKey, value: Any) -> None:
        """Remember one value."""
        if len(self) >= MAX_REMEMBERED:
            del self[next(iter(self))]
        self[key] = value


class ScorerJudge:
    """A scorer as a judge of comparisons. It runs in a thread, one call at a time.

    `scorer`: see SHAPE. `path` and `own`: the module, name and options that it was opened by, if it was; `name`: the
    user's name for one that was not. The judge's name holds these, the digest of the scorer's code, so that a changed
    scorer is another judge, and the margin. InputError if the scorer has another shape, or needs a name.
    """

    max_in_flight = 1
    max_pictures = 2
    only_compares = recalls = True

    def __init__(
        self,
        scorer: object,
        options: ScorerOptions,
        path: str = "",
        own: Mapping[str, str] | None = None,
        name: str = "",
    ) -> None:
        """Find the function to call, and its name."""
        call, takes_lists = _function_of(scorer)
        self._scores = call if takes_lists else partial(map, call)
        self.max_batch, self.margin = options.batch if takes_lists else 1, options.margin
        digest = code_digest(call)
        if options.source not in ("", digest):
            raise InputError(f"{SCORER}:{path}: the digest of its code is {digest}, not {options.source}")
        named = scorer.func if isinstance(scorer, partial) else scorer
        called = getattr(named, "__name__", type(named).__name__).strip("<>")
        if not (path or name) and (opaque := opaque_in(call)):
            raise InputError(
                f"the scorer {called} holds {', '.join(opaque)}, and two such scorers would have one name: give it its "
                f"own, cb.scorer({called}, name=…)"
            )
        self.short_name = path.rpartition(":")[2] or name or called
        values = dict(own or {}) | ({"margin": str(self.margin)} if self.margin else {}) | {"source": digest}
        kind = f"{SCORER}:{path}" if path else f"{SCORER}-object:{quote(self.short_name)}"
        self.name = f"{kind}?{'&'.join(f'{name}={quote(value)}' for name, value in values.items())}"
        self._memo = Memo()

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query; each number that is not known yet is asked for once."""
        statements = [statement_in(query) for query in batch]
        items = {
            (picture.digest, statement, query.repeat): (picture, statement)
            for query, statement in zip(batch, statements, strict=True)
            if isinstance(statement, str)
            for picture in query.pictures
        }
        known: dict[MemoKey, FoundNumber] = {key: self._memo[key] for key in items if key in self._memo}
        missing = [key for key in items if key not in known]
        found = await asyncio.to_thread(self.numbers, [items[key] for key in missing]) if missing else []
        for key, number in zip(missing, found, strict=True):
            known[key] = number
            if not isinstance(number, Failed):
                self._memo.keep(key, number)
        return [self._reply(query, statement, known) for query, statement in zip(batch, statements, strict=True)]

    def recall(self, query: Query, reply: str) -> None:
        """Remember the numbers in an earlier reply to a query."""
        statement, numbers = statement_in(query), numbers_in(reply)
        if isinstance(statement, str) and numbers is not None:
            for picture, number in zip(query.pictures, numbers, strict=True):
                self._memo.keep((picture.digest, statement, query.repeat), number)

    def numbers(self, items: Sequence[PictureAndText]) -> list[FoundNumber]:
        """The number for each picture and text, asked for anew; a failure where the scorer gives none.

        If a list raises an error, its items are asked for one by one, so that the others have their numbers.
        """
        images, texts = [picture.image() for picture, _ in items], [text for _, text in items]
        try:
            values = self._scores(images, texts)
            values = [values] * len(items) if isinstance(values, dict | str) else list(values)
        except (Exception, SystemExit) as error:
            if len(items) > 1:
                return [number for item in items for number in self.numbers([item])]
            return [raised(error)]
        if len(values) != len(items):
            return [Failed("wrong-number", f"{len(values)} numbers for {len(items)} pictures")] * len(items)
        return list(map(_as_number, values))

    def _reply(self, query: Query, statement: str | Failed, known: Mapping[MemoKey, FoundNumber]) -> Reply:
        """The reply to a comparison: its answer by the two numbers; a failure if one of them failed."""
        if isinstance(statement, Failed):
            return Reply(failure=statement)
        first, second = (known[picture.digest, statement, query.repeat] for picture in query.pictures)
        if isinstance(first, Failed) or isinstance(second, Failed):
            return Reply(failure=first if isinstance(first, Failed) else second)  # type: ignore[arg-type]
        return Reply(text=with_numbers(first, second, order(first, second, self.margin)))

    async def close(self) -> None:
        """Nothing to release."""


def scorer(function: object, *, name: str = "", margin: float = 0.0, batch: int = 16) -> ScorerJudge:
    """A scorer as a judge: for `validate(cb.scorer(clip_score), "pairwise")` and `t2i_judge(…, protocol="pairwise")`.

    `function`: a function (image, text) that returns a number, the larger the better; one whose first parameter is
    called `images` takes and returns lists, of up to `batch` comparisons. An object with such a method `score` or
    `scores` is a scorer too. `name`: yours for it, such as "clip-large"; needed if it holds a model, which its code
    does not tell. `margin`: two numbers that differ by no more are equal. InputError for another shape, or without a
    name that it needs.
    """
    return ScorerJudge(function, read_options(ScorerOptions, {"margin": margin, "batch": batch}, SCORER), name=name)


def open_scorer(spec: str) -> ScorerJudge:
    """The scorer that `MODULE:NAME?option=value` names.

    InputError names the module or the name if it is missing, raises an error, or is no scorer.
    """
    path, options = split_spec(spec)
    ours = {name: options.pop(name) for name in ScorerOptions.__struct_fields__ if name in options}
    found: object = open_own(f"{path}?{urlencode(options)}", Scorer, lambda function: function, SCORER)  # type: ignore[arg-type, return-value]
    return ScorerJudge(found, read_options(ScorerOptions, ours, f"{SCORER}:{path}"), path, options)


def _function_of(scorer: object) -> tuple[Callable[..., Any], bool]:
    """The function of a scorer, and True if it takes lists; InputError if it is no scorer."""
    name = getattr(scorer, "__name__", type(scorer).__name__)
    if isinstance(scorer, type):
        raise InputError(f"the scorer is the class {name}: give an instance, {name}(…)")
    methods = [getattr(scorer, method, None) for method in ("scores", "score")]
    call = next(filter(callable, [*methods, scorer]), None)
    if call is None:
        raise InputError(f"the scorer {name} has no method score or scores; a scorer is {SHAPE}")
    if inspect.iscoroutinefunction(call):
        raise InputError(f"the scorer {name} is async; a scorer is {SHAPE}")
    parameters: list[str] = []
    with contextlib.suppress(ValueError):  # a builtin does not tell its parameters
        shape = inspect.signature(call)
        parameters = [*shape.parameters]
        try:
            shape.bind(None, "")
        except TypeError as error:
            raise InputError(f"the scorer {name}{shape} cannot be called so ({error}); a scorer is {SHAPE}") from None
    return call, call is methods[0] or (call is scorer and parameters[:1] == ["images"])


def _as_number(value: Any) -> FoundNumber:
    """A returned value, also of numpy or torch, as a number; a failure for what is none, or not finite."""
    try:
        number = math.nan if isinstance(value, str | bytes | bool) else float(value)
    except Exception:
        number = math.nan
    if math.isfinite(number):
        return number
    shown = repr(value) if isinstance(value, float) else type(value).__name__
    return Failed("wrong-type", f"the scorer returned {shown}, not a finite number")
