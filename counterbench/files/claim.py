"""An output folder: made, and never one that holds something else. One process writes to it at a time."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files.formats import PARTIAL, clear_os_errors, is_leftover


@contextlib.contextmanager
def claim(
    out: Path, what: str, marks: Collection[str], check: Callable[[], object], beside: Collection[str] = ()
) -> Iterator[None]:
    """Make the folder `out` before the block runs; what the system refuses becomes an InputError.

    It may hold `what` ("a run", as the message says it), which is known by one of the files `marks`, or nothing but
    what is named in `beside`. `check` looks into it and raises InputError if it is another one. InputError, with
    nothing touched, for anything else.
    """
    with clear_os_errors(out, "writing"):
        if out.is_file():
            raise InputError(f"{out}: is a file; --out takes a folder")
        known = any((out / mark).is_file() for mark in marks)
        if out.is_dir() and not known and not all(is_leftover(path) or path.name in beside for path in out.iterdir()):
            raise InputError(f"{out}: is not empty and not {what}; choose another --out")
        _refuse_links(out)
        check()
        out.mkdir(parents=True, exist_ok=True)
        yield


@contextlib.contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A new folder to write into, which is `out` once the block is through; if anything fails, nothing is there.

    Until then it lies beside it. InputError if `out` is not empty; what the system refuses becomes one too.
    """
    with clear_os_errors(out, "writing"):
        if out.is_file():
            raise InputError(f"{out}: is a file; --out takes a folder")
        if out.is_dir() and any(out.iterdir()):
            raise InputError(f"{out}: is not empty; choose another --out")
        target = out.resolve()
        partial = target.with_name(f".{target.name}{PARTIAL}")
        _remove(partial)  # what a killed process left
        try:
            partial.mkdir(parents=True)
            yield partial
            if target.is_dir():
                target.rmdir()
            partial.rename(target)
        except BaseException as error:
            _remove(partial)
            if isinstance(error, KeyboardInterrupt):
                error.add_note(f"stopped; nothing is left at {out}: the same command again begins anew")
            raise


def _remove(folder: Path) -> None:
    if folder.is_dir():
        shutil.rmtree(folder)


def _refuse_links(out: Path) -> None:
    """InputError if anything in `out` is a link or a pipe: what is written to it would go elsewhere, or nowhere."""
    for path in out.iterdir() if out.is_dir() else ():
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise InputError(f"{path}: is a link or no regular file, and is not written to; choose another --out")
