"""Options that several commands take."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from counterbench.asking.options import (
    BASE_URL,
    LIMIT,
    MAX_CALLS,
    MAX_COST,
    SEED,
    SHARD,
    SIZE,
    STYLE,
    TEMPLATES,
    AskOptions,
    Calls,
    Flag,
)
from counterbench.pictures.options import ALLOW_OUTSIDE, COLUMNS

T = TypeVar("T")


class OutputForm(StrEnum):
    """The forms in which a command prints its numbers."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class Layout(StrEnum):
    """The layouts of the tables of scores."""

    DEFAULT = "default"
    WIDE = "wide"


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FormatOption = Annotated[
    OutputForm, typer.Option("--format", help="csv: every number; markdown, latex: the tables, for papers.")
]
SourceName = Annotated[
    str, typer.Argument(metavar="SUITE|DIR", help="A shipped suite's name, a suite file, a folder, or its address.")
]
Pictures = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE|FOLDER", help="A table with the columns image and prompt (and model, …), or PICTURES/MODEL/…."
    ),
]
Workers = Annotated[int | None, typer.Option(help="Processes that draw or check (default: one a core).")]
Onto = Annotated[
    Path | None, typer.Option(metavar="FOLDER|TABLE", help="Pictures of your own, on which stickers are drawn.")
]
ScoringOption = Annotated[str, typer.Option(help="default, strict (no synonyms) or as-released (the paper's code).")]


def typer_option(flag: Flag, *names: str) -> Any:
    """A flag as an option of typer; without `names`, it is called as its parameter."""
    return typer.Option(
        *names, help=flag.help, metavar=flag.metavar, min=flag.minimum, max=flag.maximum, rich_help_panel=flag.group
    )


SeedOption = Annotated[int | None, typer_option(SEED)]
Limit = Annotated[int | None, typer_option(LIMIT)]
ShardOption = Annotated[str, typer_option(SHARD)]
SizeOption = Annotated[int | None, typer_option(SIZE)]
StyleOption = Annotated[str, typer_option(STYLE)]
BaseUrl = Annotated[str, typer_option(BASE_URL)]
MaxCalls = Annotated[int | None, typer_option(MAX_CALLS)]
MaxCost = Annotated[float | None, typer_option(MAX_COST)]
TemplateOption = Annotated[str, typer_option(TEMPLATES)]
AllowOutside = Annotated[bool, typer_option(ALLOW_OUTSIDE, "--allow-outside")]
ColumnsOption = Annotated[str, typer_option(COLUMNS)]


# Defaults of the options of `validate`, which a command line need not give.
_DEFAULTS: dict[str, object] = {
    "template": "structured",
    "repeats": 1,
    "attempt": 1,
    "policy": "standard",
    "style": "flat",
}


def command_words(**options: object) -> list[object]:
    """Options as the words of a command line to be copied, without those at their defaults (`_DEFAULTS`)."""
    given = {name: value for name, value in options.items() if value not in (None, "", _DEFAULTS.get(name))}
    return [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", value)]


def fields_as_options(command: Callable[..., T]) -> Callable[..., T]:
    """Turn a command's parameter of options into one command-line option for each field of its class.

    The command's own parameters stay, and fill the fields of the same names.
    """
    hints = get_type_hints(command, include_extras=True)
    params = inspect.signature(command).parameters
    groups = {name: hints[name] for name in params if dataclasses.is_dataclass(hints[name])}
    parameters = [parameter.replace(annotation=hints[name]) for name, parameter in params.items() if name not in groups]
    for kind in groups.values():
        parameters += [parameter for parameter in _parameters_of(kind) if parameter.name not in params]

    @functools.wraps(command)
    def with_options(*args: Any, **given: Any) -> T:
        """Call the command with the objects of options, made from the single values."""
        objects = {name: _options_object(kind, given) for name, kind in groups.items()}
        return command(*args, **{name: value for name, value in given.items() if name in params}, **objects)

    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options


def _parameters_of(kind: Any) -> Iterator[inspect.Parameter]:
    """The options of a class: those of its fields that have a flag, and those that limit calls."""
    for field in dataclasses.fields(kind):
        flag: Flag | None = field.metadata.get("flag")
        if field.name == "limits":
            yield from _parameters_of(Calls)
        elif flag is not None:
            names = [f"--{field.name.replace('_', '-')}"] if flag.kind is bool else []  # else there would be --no-FIELD
            kind_of_value = flag.kind if field.default is not None else flag.kind | None
            yield inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=Annotated[kind_of_value, typer_option(flag, *names)],
            )


def _options_object(kind: Any, values: dict[str, Any]) -> Any:
    """The object of a class of options (`kind`), with the values given on the command line, by parameter.

    The limits of calls in `values` are also put together there, as its entry "limits".
    """
    if issubclass(kind, AskOptions):
        values["limits"] = _options_object(Calls, values).limits
    return kind(**{field.name: values[field.name] for field in dataclasses.fields(kind) if field.name in values})
