"""Options of calls that ask, declared once: as fields, which Python's functions and the command line both take.

A command names its arguments and required options itself; all others are `option` fields. The class of a job
(`Probe`, `Validation`, …) derives from the class of its options.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from counterbench.errors import InputError, flags_as_parameters

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.files.addresses import PathLike
    from counterbench.judges.base import Judge
    from counterbench.suites.suite import Suite

P = ParamSpec("P")
T = TypeVar("T")
AnyOptions = TypeVar("AnyOptions", bound="AskOptions")

_ASKING = "Asking: where, how fast, for how much"


_LIMITS = ("concurrency", "max_calls", "max_cost", "rpm")


class Flag(NamedTuple):
    """An option of the command line. `kind`: the type of its value there; `group`: its section of the help."""

    help: str
    kind: Any = str
    metavar: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    group: str | None = None


def option(default: Any, flag: Flag) -> Any:
    """Declare a field that is an option of the command line, too."""
    return dataclasses.field(default=default, metadata={"flag": flag})


# Options of several calls.
BASE_URL = Flag("openai:, inspect: the server's address, such as http://localhost:8000/v1.", group=_ASKING)
TEMPLATE = Flag("How the judge is asked: a template's name or file.")
TEMPLATES = Flag("How the judge is asked; with several, also how many answers differ.", str, "NAME|FILE[,…]")
PLAN = Flag("Print the forecast and stop; asks only the doctor's questions.", bool)
CONCURRENCY = Flag("Maximum number of calls at once (default: 32).", int, group=_ASKING)
MAX_CALLS = Flag("Stop this command after N calls.", int, group=_ASKING)
MAX_COST = Flag("Stop this command before it spends more than so many US dollars.", float, group=_ASKING)
RPM = Flag("Maximum number of requests per minute.", float, group=_ASKING)
SEED = Flag("The seed in place of the suite's own: draws other items.", int)
LIMIT = Flag("Only the first N items, from every family in turn.", int)
ATTEMPT = Flag("The pairs of attempt K (default: 1, the suite's own).", int, "K")
SIZE = Flag("Draw the suite's pictures with a shorter side of so many pixels.", int, "PIXELS")
STYLE = Flag("Draw the suite's pictures flat, textured, photograph, blurred or degraded.", str, "NAME")
SHARD = Flag("Only part K of N, counted from 0; merge joins all of them.", str, "K/N")
UPLOAD = Flag("Upload the run to this address, every five minutes and at the end.", str, "ADDRESS")
RESUME_FROM = Flag("Fetch the run from this address first, unless it is on this machine.", str, "ADDRESS")


@dataclass(frozen=True)
class Calls:
    """The limits of calls, money and speed as options of the command line."""

    concurrency: int | None = option(None, CONCURRENCY)
    max_calls: int | None = option(None, MAX_CALLS)
    max_cost: float | None = option(None, MAX_COST)
    rpm: float | None = option(None, RPM)

    @property
    def limits(self) -> Limits:
        """The limits of the command."""
        from counterbench.asking.asker import Limits

        try:
            return Limits(**vars(self))
        except InputError as error:  # names the field
            name, _, rest = str(error).partition(" ")
            raise InputError(f"--{name.replace('_', '-')} {rest}") from None


@dataclass(frozen=True, kw_only=True)
class AskOptions:
    """Options of every call that asks a judge.

    `base_url`, `key_env` and `price` are of an `openai:` judge; `repeats`: how often each question is asked; `name`:
    the user's name for the judge. `limits`: of calls at once, calls, money and speed. `on_progress`: of Python's
    functions, which show a bar without it.
    """

    base_url: str = option("", BASE_URL)
    price: str = option(
        "",
        Flag(
            "openai:, inspect: US dollars for a million tokens in and out, such as 0.15,0.6.",
            str,
            "IN,OUT",
            group=_ASKING,
        ),
    )
    key_env: str = ""
    repeats: int = option(1, Flag("How often each question is asked; the majority counts.", int))
    limits: Limits | None = None
    name: str = option("", Flag("The name of the judge in tables, legends and folders."))
    on_progress: Callable[..., None] | None = None

    def command_words(self, *names: str) -> list[object]:
        """The options of these names as words of a command line, without those at their defaults."""
        values = {name: getattr(self.limits if name in _LIMITS else self, name, None) for name in names}
        usual = {field.name: field.default for field in dataclasses.fields(self)}
        given = {name: value for name, value in values.items() if value not in (None, "", usual.get(name))}
        return [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", value)]

    @property
    def of_judge(self) -> dict[str, Any]:
        """The options about the judge, by name, for another call that asks the same judge."""
        return {name: getattr(self, name) for name in ("base_url", "key_env", "price", "repeats", "limits", "name")}

    @property
    def fields(self) -> dict[str, Any]:
        """The values of all fields, by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclass(frozen=True)
class ProbeOptions(AskOptions):
    """Options of `probe`.

    `seed`, `size` and `style` replace a suite's own; `attempt` names its pairs for a certificate; `limit` keeps the
    first pairs, families in turn; `shard` ("0/4") keeps a part. `out`: the run's folder; by default
    `runs/<suite>--<judge>`, with all of these that are not the suite's own. `template`: a name or file; of several, the
    run is under the first, and those under the others lie in its folder. `upload`: an address to which the run is
    brought every five minutes and at the end; `resume_from`: an address from which it is fetched first.
    """

    source: Suite | PathLike
    judge: Judge | Callable[..., Any] | str
    out: PathLike | None = option(None, Flag("The run's folder (default: runs/SUITE--JUDGE).", Path))
    _: KW_ONLY
    template: str | Sequence[str] = option("default", TEMPLATES)
    seed: int | None = option(None, SEED)
    limit: int | None = option(None, LIMIT)
    attempt: int | None = option(None, ATTEMPT)
    size: int | None = None
    style: str = option("flat", STYLE)
    shard: str = option("", SHARD)
    key_env: str = option("", Flag("openai: the NAME of the environment variable that holds the key.", group=_ASKING))
    upload: str = option("", UPLOAD)
    resume_from: str = option("", RESUME_FROM)


def takes(kind: Callable[P, AnyOptions]) -> Callable[[Callable[[AnyOptions], T]], Callable[P, T]]:
    """A decorator: a function of one object of the class `kind` takes that class's fields as its own parameters.

    So `probe(options: ProbeOptions)` is called as `probe(source, judge, limit=5)`; errors name these parameters.
    """

    def decorate(function: Callable[[AnyOptions], T]) -> Callable[P, T]:
        """The function with the fields of the options as its parameters."""

        @functools.wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> T:
            """The function, called with the options of these arguments."""
            return function(kind(*args, **options))

        call.__signature__ = inspect.signature(kind)  # type: ignore[attr-defined]
        return flags_as_parameters(call)

    return decorate
