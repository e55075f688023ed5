"""The one tree of errors. Every error that a user can cause is a CounterbenchError with one clear message.

CounterbenchError          the base: the command line prints its message and exits with 2
├── InputError             a file, an argument or a name that is not valid
│   └── FormatError        a file of ours that is damaged, or newer than this version
├── NoRoomError            a family has no room for all that its parameters ask
├── AmbiguousError         a question has no clear answer on a scene
└── JudgeError             a judge at fault: no such model, a wrong key, a missing extra
    └── TurnedAwayError    a judge that a test does not admit
"""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# A flag of the command line, unless it is part of a command.
_FLAG = re.compile(r"(?P<command>\b(?:counterbench|pip) [^;,]*)|--(?P<flag>[a-z]+(?:-[a-z]+)*)")

_NUMBERS = {"int", "float", "None"}  # parts of the annotations of parameters that are numbers


class CounterbenchError(Exception):
    """Base of every error that a user can cause; its message names thing, place and remedy."""


class InputError(CounterbenchError):
    """A file, an argument or a name is not valid."""


class FormatError(InputError):
    """A file of ours is damaged, or was written by a newer version."""


class NoRoomError(CounterbenchError):
    """A family has no room for all that its parameters ask; the message names the parameters."""


class AmbiguousError(CounterbenchError):
    """A question has no clear answer on a scene; the message is the reason."""


class JudgeError(CounterbenchError):
    """A judge cannot be asked at all, or fails its test; the message says what to check. Earlier replies are kept."""


class TurnedAwayError(JudgeError):
    """A judge that a test does not admit; the message is the reason."""


def unknown(thing: str, name: object, choices: Iterable[object], where: str = "") -> InputError:
    """The error for a name that is not among `choices`; suggests the nearest one.

    >>> print(unknown("family", "spatail", ["spatial", "arrow"], "mine.toml"))
    mine.toml: unknown family 'spatail' (did you mean 'spatial'?); choose from: arrow, spatial
    """
    names = sorted(str(choice) for choice in choices)
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    place = f"{where}: " if where else ""
    return InputError(f"{place}unknown {thing} {str(name)!r}{hint}; choose from: {', '.join(names)}")


def chosen(thing: str, name: str, among: Mapping[str, T], where: str = "") -> T:
    """The value of that name among several; InputError with the valid names if there is none."""
    if name not in among:
        raise unknown(thing, name, among, where)
    return among[name]


class errors_at:  # a context manager, called like a function
    """Put a place before every InputError of a block: `with errors_at("mine.toml"): ...`."""

    def __init__(self, place: object) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError):
            raise InputError(f"{self._place}: {error}") from None


class errors_noted:  # a context manager, called like a function
    """Have an InputError of a block become the note on its row: `with errors_noted(notes, "t.csv, line 3"): ...`.

    `notes`: the first message about each row, by the row's place. If it is None, the error is raised instead, so that
    one bad row refuses all.
    """

    def __init__(self, notes: dict[str, str] | None, where: str) -> None:
        self._notes, self._where = notes, where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if self._notes is None or not isinstance(error, InputError):
            return False
        self._notes.setdefault(self._where, str(error))
        return True


def flags_as_parameters(function: Callable[P, T]) -> Callable[P, T]:
    """Have the errors of a function for Python name its own parameters, where they name flags of the same names.

    A text or a truth value where a number belongs is an InputError, too.
    """
    parameters = inspect.signature(function).parameters
    own = {*parameters, "max_calls", "max_cost", "retries"}
    numbers = {name for name, p in parameters.items() if set(p.annotation.split(" | ")) <= _NUMBERS}

    def named(match: re.Match[str]) -> str:
        """The flag of a message as the name of a parameter, if the function has one of that name."""
        name = (match["flag"] or "").replace("-", "_")
        return f"`{name}`" if name in own else match[0]

    @functools.wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> T:
        """The function itself, with numbers checked and options of the command line named as in Python."""
        for name in numbers & options.keys():
            if isinstance(options[name], str | bool):
                raise InputError(f"`{name}` must be a number, not {options[name]!r}")
        try:
            return function(*args, **options)
        except CounterbenchError as error:
            error.args = (_FLAG.sub(named, str(error)),)
            raise

    return call
