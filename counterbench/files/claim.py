"""Output folders: created, and refused if they hold something else."""

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
    """Make the folder `out` before the block runs; errors of the system become InputError.

    It may hold `what` ("a run", for the message), recognised by one of the files `marks`, or nothing except files named
    in `beside`. `check` raises InputError if it holds another one of these. InputError, with nothing changed, for any
    other content.
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
    """A new folder to write into, renamed to `out` at the end of the block; deleted if anything fails.

    Until then it lies beside `out`. InputError if `out` is not empty, and for errors of the system.
    """
    with clear_os_errors(out, "writing"):
        if out.is_file():
            raise InputError(f"{out}: is a file; --out takes a folder")
        if out.is_dir() and any(out.iterdir()):
            raise InputError(f"{out}: is not empty; choose another --out")
        target = out.resolve()
        partial = target.with_name(f".{target.name}{PARTIAL}")
        _remove(partial)  # left by a killed process
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
    """InputError if anything in `out` is a link or a pipe: writing to it would change files elsewhere, or none."""
    for path in out.iterdir() if out.is_dir() else ():
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise InputError(f"{path}: is a link or no regular file, and is not written to; choose another --out")
