"""Options that several commands take."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from counterbench.errors import InputError

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits

T = TypeVar("T")


class Form(StrEnum):
    """The forms in which a command prints its numbers."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Format = Annotated[Form, typer.Option("--format", help="csv: every number; markdown, latex: the tables, for papers.")]
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
Seed = Annotated[int | None, typer.Option(help="Other items of the suite: replaces its seed.")]
Limit = Annotated[int | None, typer.Option(help="Only the first N items, from every family in turn.")]
Attempt = Annotated[int | None, typer.Option(metavar="K", help="The pairs of attempt K (default: 1, the suite's own).")]
Shard = Annotated[
    str, typer.Option("--shard", metavar="K/N", help="Only part K of N, counted from 0; merge joins all of them.")
]
Size = Annotated[
    int | None, typer.Option(metavar="PIXELS", help="Draw the suite's pictures so large (along the shorter side).")
]
Style = Annotated[
    str, typer.Option(metavar="NAME", help="Draw the suite's pictures flat, textured, photograph, blurred or degraded.")
]
Onto = Annotated[
    Path | None, typer.Option(metavar="FOLDER|TABLE", help="Pictures of your own, on which stickers are drawn.")
]
Scoring = Annotated[str, typer.Option(help="default, strict (no synonyms) or as-released (the paper's code).")]


def _asking(help_: str, metavar: str | None = None) -> Any:
    """An option for asking a judge or a generator: in a section of its own in the help of every command that asks."""
    return typer.Option(help=help_, metavar=metavar, rich_help_panel="Asking: where, how fast, for how much")


BaseUrl = Annotated[str, _asking("openai: the server's address, such as http://localhost:8000/v1.")]
KeyEnv = Annotated[str, _asking("openai: the NAME of the environment variable that holds the key.")]
MaxCalls = Annotated[int | None, _asking("Stop before more than N calls are made, now.")]
MaxCost = Annotated[float | None, _asking("Stop before more than so many US dollars are spent, now.")]

Name = Annotated[str, typer.Option(help="What to call the judge in tables, legends and folders.")]
PromptTemplate = Annotated[
    str,
    typer.Option(metavar="NAME|FILE[,…]", help="How the judge is asked; under several, how many answers hang on it."),
]
Votes = Annotated[int, typer.Option(help="How often each question is asked; the majority counts.")]
AllowOutside = Annotated[
    bool, typer.Option("--allow-outside", help="Pictures may lie outside the table's folder, or in a store (s3://…).")
]
Columns = Annotated[str, typer.Option(metavar="A=B,…", help="Our columns by your names: prompt=Prompt,question=Q.")]


# Defaults, which a command line need not give.
_DEFAULTS: dict[str, object] = {
    "template": "structured",
    "votes": 1,
    "attempt": 1,
    "policy": "standard",
    "style": "flat",
}


def given(**options: object) -> list[object]:
    """Options as on a command line to be copied, without those at their defaults."""
    left = {name: value for name, value in options.items() if value not in (None, "", _DEFAULTS.get(name))}
    return [word for name, value in left.items() for word in (f"--{name.replace('_', '-')}", value)]


@dataclass(frozen=True)
class Server:
    """Options of a judge or generator behind a server."""

    base_url: BaseUrl = ""
    price: Annotated[
        str, _asking("openai: US dollars for a million tokens in and out, such as 0.15,0.6.", "IN,OUT")
    ] = ""


@dataclass(frozen=True)
class Calls:
    """Options that limit calls, money and speed."""

    concurrency: Annotated[int | None, _asking("Most calls at once (default: 32).")] = None
    max_calls: MaxCalls = None
    max_cost: MaxCost = None
    rpm: Annotated[float | None, _asking("Most requests per minute.")] = None

    @property
    def limits(self) -> Limits:
        """The limits of the command."""
        from counterbench.asking.asker import Limits

        try:
            return Limits(**vars(self))
        except InputError as error:  # names the field
            name, _, rest = str(error).partition(" ")
            raise InputError(f"--{name.replace('_', '-')} {rest}") from None


@dataclass(frozen=True)
class Elsewhere:
    """Options that keep a run at an address too."""

    upload: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Bring the run there too, every five minutes and at the end.")
    ] = ""
    resume_from: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Fetch the run from there first, unless it is on this machine.")
    ] = ""


def spread(command: Callable[..., T]) -> Callable[..., T]:
    """A command whose parameters of the groups above are an option for each field, as typer wants them."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not dataclasses.is_dataclass(kind):
            parameters.append(parameter.replace(annotation=kind))
            continue
        groups[name], fields = kind, get_type_hints(kind, include_extras=True)
        parameters += [
            inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default, annotation=fields[field.name])
            for field in dataclasses.fields(kind)
        ]

    @functools.wraps(command)
    def spread_command(*args: Any, **given: Any) -> T:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in dataclasses.fields(kind)})
        return command(*args, **given)

    spread_command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    )
    spread_command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return spread_command
