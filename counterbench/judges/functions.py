"""Functions as judges: `function(image, question)` returns the reply's text."""

import asyncio
import dis
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import PurePath
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from PIL import Image

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply
from counterbench.runs.queries import Query

# The words, one of which a name has that tells a model from others.
_TELLING = {
    "model", "name", "path", "checkpoint", "ckpt", "weights", "repo", "url", "endpoint", "deployment", "revision",
    "version",
}  # fmt: skip


class FunctionJudge:
    """A judge that calls a function with each picture (None if a question has none) and question.

    A plain function runs in a thread, one call at a time; an async one has many calls under way. The judge's name holds
    a digest of the function's code and of plain values that it uses, so that a changed function is another judge.
    """

    max_batch = 1

    def __init__(self, function: Callable[..., Any]) -> None:
        """Take a plain or an async function: one call at a time, or 32 at once."""
        self._function = function
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004  (an object whose __call__ is async)
        )
        self.max_in_flight = 32 if self._is_async else 1
        named = function.func if isinstance(function, partial) else function
        self.short_name = getattr(named, "__name__", type(named).__name__).strip("<>")
        self.name = f"function:{self.short_name}@{code_digest(function)}"

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query."""
        return [await self._reply(query) for query in batch]

    async def close(self) -> None:
        """Nothing to release."""

    async def _reply(self, query: Query) -> Reply:
        """Call the function on the picture and the question; a failure unless it returns a text."""
        image = query.pictures[0].image() if query.pictures else None
        if self._is_async:
            result = await self._function(image, query.text)
        else:
            result = await asyncio.to_thread(self._call, image, query.text)
        if not isinstance(result, str):
            return Reply(failure=Failed("wrong-type", f"the function returned {type(result).__name__}, not a text"))
        return Reply(text=result)

    def _call(self, image: Image.Image | None, question: str) -> Any:
        """Call the function; raise RuntimeError in place of its StopIteration."""
        try:
            return self._function(image, question)
        except StopIteration as error:  # no future can hold it: the call would never end
            raise RuntimeError("the function raised StopIteration") from error


def code_digest(function: Callable[..., Any]) -> str:
    """A hex digest of a function's code, of plain values that it uses, and of what it uses of its own module.

    Of an object that it holds or names (a model, a client) only its class and the texts in it count (`_texts_of`).
    """
    parts = [_to_bytes(function, ()), *sorted(_helpers(function))]
    return hashlib.blake2b(b"\0".join(parts), digest_size=6).hexdigest()


def opaque_in(function: Callable[..., Any]) -> list[str]:
    """The names of the attributes and closed-over values of a function that its digest does not tell in full."""
    owner = getattr(function, "__self__", None) or (None if isinstance(function, FunctionType) else function)
    held = dict(getattr(owner, "__dict__", {}))
    plain = getattr(function, "__func__", function)
    if isinstance(plain, FunctionType):
        cells = zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
        held |= {name: cell.cell_contents for name, cell in cells if cell != CellType()}
    readable = (bool, int, float, str, bytes, type(None), FunctionType, type)
    return sorted(name for name, value in held.items() if not isinstance(value, readable) or name.startswith("_"))


def _helpers(function: Callable[..., Any]) -> Iterator[bytes]:
    """The functions, methods, upper-case constants and objects of its module that a function can reach, as bytes."""
    while isinstance(function, partial):
        function = function.func
    owner = getattr(function, "__self__", function)
    plain = getattr(function, "__func__", function)
    waiting = [plain] if isinstance(plain, FunctionType) else []
    if not isinstance(owner, FunctionType):
        waiting += _methods(type(owner))
    functions: list[FunctionType] = []
    while waiting:
        current = waiting.pop()
        if any(current is function for function in functions):
            continue
        functions.append(current)
        for name in _names_in(current.__code__):
            value = current.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__module__ == current.__module__:
                waiting.append(value)
            elif isinstance(value, type) and value.__module__ == current.__module__:
                waiting += _methods(value)
    # What they set themselves, such as a model that is loaded at the first call, is no constant.
    steps = (step for current in functions for step in dis.get_instructions(current.__code__))
    changed = {step.argval for step in steps if step.opname == "STORE_GLOBAL"}
    for current in functions:
        yield _to_bytes(current, ())
        for name in sorted(filter(str.isupper, _names_in(current.__code__) - changed)):
            value = current.__globals__.get(name)
            if isinstance(value, bool | int | float | str | bytes | tuple):
                yield _to_bytes((name, value), ())
            elif texts := tuple(_texts_of(value)):
                yield _to_bytes((name, type(value).__qualname__, *texts), ())


def _methods(owner: type) -> list[FunctionType]:
    """The methods of a class, and of those classes of its module that it inherits from."""
    members = [value for base in owner.__mro__ if base.__module__ == owner.__module__ for value in vars(base).values()]
    plain = (getattr(value, "__func__", getattr(value, "fget", value)) for value in members)
    return [value for value in plain if isinstance(value, FunctionType)]


def _names_in(code: CodeType) -> set[str]:
    """The names that code uses, and the code of the functions in it."""
    inner = (_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _to_bytes(value: Any, outer: tuple[Any, ...]) -> bytes:
    """A function's code and plain values (defaults, closed over, public attributes), as the same bytes everywhere.

    `outer`: the values that contain this one.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value).encode()
    if any(value is container for container in outer):
        return b"itself"
    encode = partial(_to_bytes, outer=(*outer, value))
    parts: Iterable[bytes]
    match value:
        case tuple():
            parts = map(encode, value)
        case frozenset():
            parts = sorted(map(encode, value))
        case CodeType():
            parts = map(encode, (value.co_code, value.co_names, value.co_consts))
        case FunctionType():
            closure_values = tuple(cell.cell_contents for cell in value.__closure__ or () if cell != CellType())
            keyword_defaults = tuple(sorted((value.__kwdefaults__ or {}).items()))
            parts = map(encode, (value.__code__, value.__defaults__, keyword_defaults, closure_values))
        case partial():
            parts = map(encode, (value.func, value.args, tuple(sorted(value.keywords.items()))))
        case MethodType():
            parts = map(encode, (value.__func__, _public_attributes(value.__self__)))
        case _ if not outer and isinstance(call := getattr(type(value), "__call__", None), FunctionType):  # noqa: B004
            parts = map(encode, (type(value).__qualname__, call, _public_attributes(value)))
        case _:  # it may change while it is used (a list, a client, a model), but for its texts
            return _to_bytes((type(value).__qualname__, *_texts_of(value)), ())
    return b"(" + b"\0".join(parts) + b")"


def _texts_of(value: object, depth: int = 2) -> Iterator[str]:
    """The texts that tell a held object from others of its class: its model's name, path or address (`_TELLING`).

    They are looked for in its attributes, and in those of its model. Other attributes may change in use, or be secret.
    """
    if isinstance(value, ModuleType | type | FunctionType):
        return
    for name, item in _attributes(value):
        if _TELLING.isdisjoint(name.lower().split("_")):
            continue
        if isinstance(item, str | PurePath) or type(item).__name__ == "URL":
            yield f"{name}={item}"
        elif depth > 1:
            yield from _texts_of(item, depth - 1)


def _attributes(value: object) -> list[tuple[str, Any]]:
    """The names and values of an object's own attributes, sorted by name; none of an object that does not tell them."""
    try:
        return sorted(((str(name), item) for name, item in vars(value).items()), key=itemgetter(0))
    except Exception:  # no attributes, or a proxy that cannot be asked now
        return []


def _public_attributes(value: object) -> tuple[tuple[str, Any], ...]:
    """The names and values of an object's public attributes, sorted by name."""
    return tuple(item for item in _attributes(value) if not item[0].startswith("_"))
