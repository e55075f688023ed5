"""Folders that are made once for all tests of a session, also where several processes run them."""

from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

Shared = Callable[[str, Callable[[Path], object]], Path]

root: Path | None = None  # a folder of this session alone: set when it begins


def shared(name: str, make: Callable[[Path], object]) -> Path:
    """A folder by name, filled by the first process that asks for it."""
    assert root is not None, "only tests share, not what is made while they are collected"
    path = root / "shared" / name
    path.parent.mkdir(exist_ok=True)
    with FileLock(f"{path}.lock"):
        if not (path / "made").exists():
            make(path)
            (path / "made").touch()
    return path
