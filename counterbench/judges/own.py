"""Models of the user's own, by their Python name: `python:my_judge:AlwaysYes?tone=polite`. Also of generators."""

from __future__ import annotations

import importlib
import sys
from typing import Any, TypeVar

from counterbench.errors import InputError, unknown
from counterbench.judges.options import split_spec

T = TypeVar("T")

KIND = "python"


def open_own(rest: str, seam: type[T]) -> T:
    """What `MODULE:NAME?option=value` makes: NAME of the module, called with the options, as texts.

    The module is found as any import is, and last in the current folder. `seam`: the protocol that the result must
    have. InputError, which names the module or the class, where there is none or it cannot be made so.
    """
    named, options = split_spec(rest)
    module_name, _, name = named.partition(":")
    where = f"{KIND}:{named}"
    if not (module_name and name):
        raise InputError(f"{where} is not {KIND}:MODULE:NAME, such as {KIND}:my_module:MyClass")
    module = _imported(module_name, where)
    if not hasattr(module, name):
        own = [each for each, of in vars(module).items() if getattr(of, "__module__", "") == module.__name__]
        raise unknown("name", name, own, where)
    try:
        made = getattr(module, name)(**options)
    except Exception as error:  # whatever somebody's code does
        raise InputError(f"{where}: it cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, seam):
        # Of the seam, which is a typing.Protocol, the names of its members.
        lacks = [each for each in vars(seam) if not each.startswith("_") and not hasattr(made, each)]
        raise InputError(f"{where} is no {seam.__name__.lower()}: it has no {', '.join(lacks)}")
    return made


def _imported(module: str, where: str) -> Any:
    if "" not in sys.path:
        sys.path.append("")  # the current folder
    try:
        return importlib.import_module(module)
    except Exception as error:
        hint = ""
        if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
            hint = f"; call this from the folder of {error.name}.py, or install it"
        raise InputError(f"{where}: {module} cannot be imported: {type(error).__name__}: {error}{hint}") from error
