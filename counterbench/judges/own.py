"""Judges (and generators) of the user, by their Python names: `python:my_judge:AlwaysYes?tone=polite`."""

from __future__ import annotations

import importlib
import sys
from typing import Any, TypeVar

from counterbench.errors import InputError, unknown
from counterbench.judges.base import lacking
from counterbench.judges.options import split_spec

T = TypeVar("T")

KIND = "python"


def open_own(rest: str, seam: type[T]) -> T:
    """The object that `MODULE:NAME?option=value` names: NAME of the module, called with the options, as texts.

    The module is found like any import, last in the current folder. `seam`: the protocol that the result must have.
    InputError names the module or the class if it is missing or raises an error.
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
    except Exception as error:  # the user's code may raise anything
        raise InputError(f"{where}: it cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, seam):
        raise InputError(f"{where} is no {seam.__name__.lower()}: it has no {', '.join(lacking(made, seam))}")
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
