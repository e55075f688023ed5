"""Which files are a report's own, so that nothing else is written over."""

from __future__ import annotations

from pathlib import Path

from counterbench.files.formats import clear_os_errors

_BEGINNING = 4096  # bytes; a mark stands within them


def has_mark(path: Path, mark: bytes) -> bool:
    """Whether a path is a file with this mark near its beginning."""
    if not path.is_file():
        return False
    with clear_os_errors(path, "reading"), path.open("rb") as file:
        return mark in file.read(_BEGINNING)
