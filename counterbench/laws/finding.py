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
    files: dict[str, str] = {}
    laws: dict[str, Law] = {}
    for folder in pkgutil.iter_modules(path, f"{package}."):
        if not folder.ispkg:
            continue
        for module in pkgutil.iter_modules(importlib.import_module(folder.name).__path__, f"{folder.name}."):
            file = module.name.replace(".", "/") + ".py"
            one = _load(module.name, file)
            if one.name in laws:
                raise InputError(f"{file}: {files[one.name]} has a law {one.name!r} already; rename this file")
            laws[one.name], files[one.name] = one, file
    return laws


def _load(module: str, file: str) -> Law:
    """The law of a module; InputError if it cannot be used. `file`: its file as messages name it."""
    try:
        one = getattr(importlib.import_module(module), "LAW", None)
    except Exception as error:  # a file may raise anything
        raise InputError(f"{file}: it cannot be read: {type(error).__name__}: {error}") from error
    if not isinstance(one, Law):
        raise InputError(f"{file}: it has no law; end it with LAW = and an instance of its subclass of Law")
    if wrong := mistakes(one):
        raise InputError(f"{file}: {'; '.join(wrong)}")
    return one
