"""Addresses of what lies elsewhere (s3://bucket/run). Each has a copy here, whose path says which address it is of.

So a copy is a path like any other to whoever works on it, and what is told to people names the address.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from counterbench.errors import InputError

PathLike = str | os.PathLike[str]

# `Path("s3://bucket/run")` has one slash.
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/{1,3}(.*)", re.DOTALL)
_HERE = ("file", "local")


def home() -> Path:
    """Where copies are: `counterbench` in $XDG_CACHE_HOME, or in ~/.cache. Whoever deletes it loses time alone."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "counterbench"


def place(path: PathLike) -> Path:
    """Where to work on what is at `path`: there, or, of an address, at its copy, which need not be there yet.

    >>> place("runs/smoke").as_posix(), place("file:///data/run").as_posix()
    ('runs/smoke', '/data/run')
    """
    text = os.fspath(path)
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return Path(path)
    system, inside = found[1], found[2].strip("/")
    if system in _HERE:
        return Path("/", inside)
    if not inside or ".." in inside.split("/"):
        raise InputError(f"{text}: is no address of a folder; give one such as s3://bucket/run")
    return _copies() / system / inside


def address_of(path: Path) -> str:
    """The address that `path` is the copy of; empty if it is none.

    >>> address_of(place("s3://bucket/run")), address_of(Path("runs/smoke"))
    ('s3://bucket/run', '')
    """
    if not path.is_relative_to(_copies()):
        return ""
    system, *inside = path.relative_to(_copies()).parts
    return f"{system}://{'/'.join(inside)}"


def told(text: str) -> str:
    """A text for people, with addresses in place of the paths of their copies."""
    return re.sub(rf"{re.escape(str(_copies()))}/([a-z][a-z0-9+.-]+)/", r"\1://", text)


def _copies() -> Path:
    return home() / "copies"
