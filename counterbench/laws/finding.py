"""Finds the laws by their files: a law is `LAW` in a module of a folder beside this one, named for its discipline."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable

from counterbench.errors import InputError
from counterbench.laws.base import Law
from counterbench.laws.soundness import mistakes


def find_laws(path: Iterable[str], package: str) -> dict[str, Law]:
    """The laws in the folders under `path` by their names; InputError that names the file where one cannot be used."""
    by_name: dict[str, tuple[Law, str]] = {}
    for folder in pkgutil.iter_modules(path, f"{package}."):
        if not folder.ispkg:
            continue
        for module in pkgutil.iter_modules(importlib.import_module(folder.name).__path__, f"{folder.name}."):
            one, file = _load(module.name)
            if one.name in by_name:
                raise InputError(
                    f"{file}: {by_name[one.name][1]} has a law {one.name!r} already; give this one another name"
                )
            by_name[one.name] = one, file
    return {name: one for name, (one, _) in by_name.items()}


def _load(module: str) -> tuple[Law, str]:
    """The law of a module, and its file as messages name it; InputError if it cannot be used."""
    file, discipline = module.replace(".", "/") + ".py", module.split(".")[-2]
    try:
        one = getattr(importlib.import_module(module), "LAW", None)
    except Exception as error:  # a file may raise anything
        raise InputError(f"{file}: it cannot be read: {type(error).__name__}: {error}") from error
    if not isinstance(one, Law):
        raise InputError(f"{file}: it has no law; end it with LAW = and an instance of its subclass of Law")
    wrong = mistakes(one)
    if not wrong and one.discipline != discipline:
        wrong = [f"its discipline is {one.discipline!r}; move it to the folder of that name, or set {discipline!r}"]
    if wrong:
        raise InputError(f"{file}: {'; '.join(wrong)}")
    return one, file
