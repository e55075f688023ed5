"""Tests for files of our own, so that nothing else is written over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files.formats import clear_os_errors

_BEGINNING = 4096  # bytes; a mark stands within them


def refuse_taken(path: Path, what: str, is_ours: Callable[[Path], bool], option: str = "--out") -> None:
    """InputError if a file at `path` is none of ours; `what`: its kind ("report", "certificate")."""
    if path.exists() and not is_ours(path):
        raise InputError(f"{path}: is there and is no {what}; choose another {option}")


def has_mark(path: Path, mark: bytes) -> bool:
    """True if a path is a file with this mark near its beginning."""
    if not path.is_file():
        return False
    with clear_os_errors(path, "reading"), path.open("rb") as file:
        return mark in file.read(_BEGINNING)


def begins_with(path: Path, beginning: bytes) -> bool:
    """True if a path is a file with this beginning."""
    if not path.is_file():
        return False
    with clear_os_errors(path, "reading"), path.open("rb") as file:
        return file.read(len(beginning)) == beginning
