"""Judges (and generators) as users name them: with options, in a TOML file, or by a class of their own.

Options stand after the question mark: `openai:gpt-4o?temperature=0.7&logprobs=5`. A class of the user's own is
`python:my_judge:AlwaysYes?tone=polite`. A file has what is too long for a command line or used often:

format = "counterbench.judge/1"
kind = "openai"
model = "qwen/qwen2.5-vl-72b-instruct"
name = "qwen 72b"

[options]
base_url = "https://openrouter.ai/api/v1"
key_env = "OPENROUTER_API_KEY"
body = { provider = { order = ["together"] } }
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import parse_qsl, quote

import msgspec

from counterbench.errors import InputError, errors_at, unknown
from counterbench.files import formats
from counterbench.runs.folder import given_name

FILE_KINDS = ("openai", "inspect", "transformers")
JUDGE_FORMAT: Literal["counterbench.judge/1"] = "counterbench.judge/1"
OWN = "python"  # the kind of the user's own classes
SCORER, RATER = "scorer", "rater"  # kinds that order two pictures by numbers

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]

T = TypeVar("T", bound=msgspec.Struct)
S = TypeVar("S")
M = TypeVar("M", bound="ModelFile")

# Characters that are not escaped in a name.
_READABLE = " !\"$'()*,/:;<>@[]^`{|}~"


def is_by_order(judge: str) -> bool:
    """True if the judge of this name is a scorer, whose answers are the order of two numbers."""
    return judge.partition(":")[0] in (SCORER, f"{SCORER}-object")


def gives_numbers(judge: str) -> bool:
    """True if the judge of this name is a rater or a scorer."""
    return judge.startswith(f"{RATER}:") or is_by_order(judge)


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """`NAME?option=value&…` as the name and its options, untyped; InputError for an option that is given twice."""
    name, _, query = spec.partition("?")
    options: dict[str, str] = {}
    for option, value in parse_qsl(query, keep_blank_values=True):
        if option in options:
            raise InputError(f"{name}: option {option!r} is given twice")
        options[option] = value
    return name, options


def read_options(kind: type[T], values: Mapping[str, Any], where: str) -> T:
    """Options, given as texts or as the typed values of a TOML file, as a struct of the type `kind`.

    InputError, at `where`, names an unknown option with the valid ones, or the fault of a value.
    """
    for key in values:
        if key not in kind.__struct_fields__:
            raise unknown("option", key, kind.__struct_fields__, where)
    try:
        return msgspec.convert(dict(values), kind, strict=False)
    except msgspec.ValidationError as error:
        fault, _, place = str(error).replace("`", "").partition(" - at $.")
        name = f"option {place.partition('[')[0].partition('.')[0]!r}: " if place else ""
        raise InputError(f"{where}: {name}{fault[:1].lower()}{fault[1:]}") from None


def judge_name(kind: str, model: str, options: msgspec.Struct, identity: Iterable[str]) -> str:
    """A judge's name with the options named in `identity` that are not at their defaults, in that order.

    Options that only change the speed or the patience of asking are left out: a run goes on when they change.
    """
    defaults = type(options)()
    parts = []
    for name in identity:
        value = getattr(options, name)
        if value != getattr(defaults, name):  # escaped so that it cannot be read as further options
            plain = isinstance(value, bool | dict)
            text = msgspec.json.encode(value, order="sorted").decode() if plain else str(value)
            parts.append(f"{name}={quote(text, safe=_READABLE)}")
    return f"{kind}:{model.replace('?', '%3F')}" + (f"?{'&'.join(parts)}" if parts else "")


class ModelFile(msgspec.Struct, frozen=True):
    """The content of a judge's file, or of a generator's."""

    format: str
    kind: str
    model: str
    options: dict[str, Any] = {}


class JudgeFile(ModelFile, frozen=True):
    """A judge's file. `name`: the user's name for the judge, in tables and folders."""

    name: str = ""


def read_judge_file(path: Path) -> JudgeFile:
    """A judge's file; InputError that names the file, the key and the valid keys."""
    file = read_model_file(path, JUDGE_FORMAT, FILE_KINDS, JudgeFile)
    with errors_at(path):
        given_name(file.name)
    return file


def read_model_file(path: Path, format: str, kinds: Sequence[str], shape: type[M]) -> M:
    """A file of that format and shape about a model of one of these kinds.

    InputError names the file, the key and the valid keys.
    """
    file = formats.read_typed_toml(path, shape, format)
    if file.kind not in kinds:
        raise unknown("kind", file.kind, kinds, str(path))
    if not file.model.strip():
        raise InputError(f"{path}: model is empty")
    return file


def open_own(spec: str, protocol: type[S], wrap: Callable[[Callable[..., Any]], S] | None = None, kind: str = OWN) -> S:
    """The object that `MODULE:NAME?option=value` names: NAME of the module, called with the options, as texts.

    The module is found like any import, last in the current folder. `protocol`: the
    protocol that the result must have. `wrap`: makes the result of a function that has required parameters beside the
    options; such a function is not called here. `kind`: the word before the colon in messages.
    InputError names the module or the class if it is missing or raises an error.
    """
    path, options = split_spec(spec)
    module_name, _, name = path.partition(":")
    where = f"{kind}:{path}"
    if not (module_name and name):
        raise InputError(f"{where} is not {kind}:MODULE:NAME, such as {kind}:my_module:MyClass")
    if "" not in sys.path:
        sys.path.append("")  # the current folder
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        hint = ""
        if isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]:
            hint = f"; call this from the folder of {error.name}.py, or install it"
        reason = f"{type(error).__name__}: {error}{hint}"
        raise InputError(f"{where}: {module_name} cannot be imported: {reason}") from error
    if not hasattr(module, name):
        defined = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        raise unknown("name", name, defined, where)
    target = getattr(module, name)
    try:
        is_function = callable(target) and not isinstance(target, type | protocol)
        if wrap is not None and is_function and _has_unset_parameters(target, options):
            return wrap(partial(target, **options) if options else target)
        judge = target(**options)
    except Exception as error:  # the user's code may raise anything
        raise InputError(f"{where}: it cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(judge, protocol):
        raise InputError(f"{where} is no {protocol.__name__.lower()}: it has no {', '.join(missing(judge, protocol))}")
    return judge


def _has_unset_parameters(function: Callable[..., Any], options: Mapping[str, Any]) -> bool:
    """True if a function has required parameters that no option names."""
    params = inspect.signature(function).parameters.values()
    return any(p.default is p.empty and p.name not in options and p.kind <= p.KEYWORD_ONLY for p in params)


def missing(thing: object, protocol: type) -> list[str]:
    """The members of a protocol (`Judge`, for example) that an object does not have."""
    members = [name for kind in reversed(protocol.__mro__) for name in vars(kind) if not name.startswith("_")]
    return [name for name in members if not hasattr(thing, name)]
