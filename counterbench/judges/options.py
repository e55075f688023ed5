"""A judge's options after the question mark, typed: `openai:gpt-4o?temperature=0.7&logprobs=5`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote

import msgspec

from counterbench.errors import InputError, unknown

T = TypeVar("T", bound=msgspec.Struct)

# Signs that are not escaped in a name.
_READABLE = " !\"$'()*,/:;<>@[]^`{|}~"


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """`NAME?option=value&…` as the name and its options, untyped; InputError for an option that is given twice."""
    name, _, query = spec.partition("?")
    options: dict[str, str] = {}
    for option, value in parse_qsl(query, keep_blank_values=True):
        if option in options:
            raise InputError(f"{name}: option {option!r} is given twice")
        options[option] = value
    return name, options


def read_options(kind: type[T], given: Mapping[str, Any], where: str) -> T:
    """`given` (texts, or the typed values of a TOML file) as a `kind`.

    InputError, at `where`, names an unknown option with the valid ones, or the fault of a value.
    """
    for key in given:
        if key not in kind.__struct_fields__:
            raise unknown("option", key, kind.__struct_fields__, where)
    try:
        return msgspec.convert(dict(given), kind, strict=False)
    except msgspec.ValidationError as error:
        what, _, place = str(error).replace("`", "").partition(" - at $.")
        name = f"option {place.partition('[')[0].partition('.')[0]!r}: " if place else ""
        raise InputError(f"{where}: {name}{what[:1].lower()}{what[1:]}") from None


def judge_name(kind: str, model: str, options: msgspec.Struct, identity: Iterable[str]) -> str:
    """A judge's name with the options named in `identity` that are not at their defaults, in that order.

    Options that only change the speed or the patience of asking are left out: a run goes on when they change.
    """
    defaults = type(options)()
    shown = []
    for name in identity:
        value = getattr(options, name)
        if value != getattr(defaults, name):
            shown.append(f"{name}={_written(value)}")
    return f"{kind}:{model.replace('?', '%3F')}" + (f"?{'&'.join(shown)}" if shown else "")


def _written(value: object) -> str:
    """A value as text, escaped so that it cannot be read as further options."""
    text = msgspec.json.encode(value, order="sorted").decode() if isinstance(value, bool | dict) else str(value)
    return quote(text, safe=_READABLE)
