"""Output folders and files: created, and refused if something else is there."""

import contextlib
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files.formats import PARTIAL, clear_os_errors, is_leftover

_BEGINNING = 4096  # bytes; a mark of ours stands within them


@contextlib.contextmanager
def claim(out: Path, what: str, marks: Collection[str], check: Callable[[], object]) -> Iterator[None]:
    """Make the folder `out` before the block runs; errors of the system become InputError.

    It may hold `what` ("a run", for the message), recognised by one of the files `marks`, or nothing. `check` raises
    InputError if it holds another one of these. InputError, with nothing changed, for any other content.
    """
    with clear_os_errors(out, "writing"):
        _refuse_file(out)
        known = any((out / mark).is_file() for mark in marks)
        if out.is_dir() and not known and not all(map(is_leftover, out.iterdir())):
            raise InputError(f"{out}: is not empty and not {what}; choose another --out")
        check()
        out.mkdir(parents=True, exist_ok=True)
        yield


@contextlib.contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A new folder to write into, renamed to `out` at the end of the block; deleted if anything fails.

    Until then it lies beside `out`. InputError if `out` is not empty, and for errors of the system.
    """
    with clear_os_errors(out, "writing"):
        _refuse_file(out)
        if out.is_dir() and any(out.iterdir()):
            raise InputError(f"{out}: is not empty; choose another --out")
        target = out.resolve()
        partial = target.with_name(f".{target.name}{PARTIAL}")
        shutil.rmtree(partial, ignore_errors=True)  # left by a killed process
        try:
            partial.mkdir(parents=True)
            yield partial
            if target.is_dir():
                target.rmdir()
            partial.rename(target)
        except BaseException as error:
            shutil.rmtree(partial, ignore_errors=True)
            if isinstance(error, KeyboardInterrupt):
                error.add_note(f"stopped; nothing is left at {out}: the same command again begins anew")
            raise


def refuse_taken(path: Path, what: str, is_ours: Callable[[Path], bool], option: str = "--out") -> None:
    """InputError if a file at `path` is none of ours; `what`: its kind ("report", "certificate")."""
    if path.exists() and not is_ours(path):
        raise InputError(f"{path}: is there and is no {what}; choose another {option}")


def has_mark(path: Path, mark: bytes) -> bool:
    """True if a path is a file with this mark near its beginning."""
    return mark in _head(path, _BEGINNING)


def begins_with(path: Path, beginning: bytes) -> bool:
    """True if a path is a file with this beginning."""
    return _head(path, len(beginning)) == beginning


def _head(path: Path, length: int) -> bytes:
    """The first bytes of a file; none if there is no file."""
    if not path.is_file():
        return b""
    with clear_os_errors(path, "reading"), path.open("rb") as file:
        return file.read(length)


def _refuse_file(out: Path) -> None:
    if out.is_file():
        raise InputError(f"{out}: is a file; --out takes a folder")
