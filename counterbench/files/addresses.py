"""Addresses of what lies elsewhere (s3://bucket/run). Each has a copy here, whose path says which address it is of.

So a copy is a path like any other to whoever works on it, and what is told to people names the address.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from counterbench.errors import InputError

PathLike = str | os.PathLike[str]

# `Path("s3://bucket/run")` has one slash. A drive of Windows has one letter.
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?:|/{1,3}(.*))", re.DOTALL)
_HERE = ("file", "local")
# The copy of s3://bucket/run is copies/s3/bucket/@/run, so an address below that has a copy of its own elsewhere. Next
# to "@" is what is known of the copies in it, and what was set aside of them.
_COPY = "@"
STATE, UNSENT = "@state", "@unsent"


def home() -> Path:
    """Where copies are: `counterbench` in $XDG_CACHE_HOME, or in ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "counterbench"  # noqa: PTH111


def place(path: PathLike) -> Path:
    """Where to work on what is at `path`: there, or, of an address, at its copy, which need not be there yet.

    >>> place("runs/smoke").as_posix(), place("file:///data/run").as_posix()
    ('runs/smoke', '/data/run')
    """
    text = os.fspath(path)
    found = _ADDRESS.fullmatch(text)
    if found is None and not re.match(r"[\w+.-]+::.*:/", text):
        return Path(path)
    system, inside = (found[1].lower(), (found[2] or "").strip("/")) if found else ("", "")
    if system in _HERE:
        return Path("/", inside)
    if not inside or {"..", _COPY, STATE, UNSENT} & set(inside.split("/")):
        raise InputError(f"{text}: is no address of a folder; give one such as s3://bucket/run")
    if not home().is_absolute():
        raise InputError(f"{text}: its copy needs a place here; set XDG_CACHE_HOME, as there is no home")
    folder, _, name = inside.rpartition("/")
    return _copies() / system / folder / _COPY / name


def within(folder: Path, name: str) -> Path:
    """What is called `name` in a folder; of a copy, the copy of what is called so at its address."""
    address = address_of(folder)
    return place(f"{address}/{name}") if address else folder / name


def here(path: PathLike, what: str = "out") -> Path:
    """A path of this machine; InputError, which calls it `what`, for an address."""
    if address := address_of(place(path)):
        raise InputError(f"{what} {address}: this is written on this machine; give a path here, and copy it there")
    return place(path)


def address_of(path: Path) -> str:
    """The address that `path` is the copy of, or within it; empty if it is none.

    >>> address_of(place("s3://bucket/run") / "keys.jsonl"), address_of(Path("runs/smoke"))
    ('s3://bucket/run/keys.jsonl', '')
    """
    if not path.is_relative_to(_copies()):
        return ""
    system, *inside = path.relative_to(_copies()).parts
    if _COPY not in inside:
        return ""
    inside.remove(_COPY)
    return f"{system}://{'/'.join(inside)}"


def told(text: str) -> str:
    """A text for people, with addresses in place of the paths of their copies."""
    copies = re.escape(str(_copies()))
    return re.sub(rf"{copies}/([a-z][a-z0-9+.-]+)/((?:[^\n]*?/)??){_COPY}/", r"\1://\2", text)


def _copies() -> Path:
    return home() / "copies"
