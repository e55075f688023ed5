"""Files that others named or made: checked to be inside their folder, regular, and not too large, also unpacked."""

import io
import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from counterbench.errors import InputError


def inside(folder: Path, name: str, where: str, remedy: str = "", allow_outside: bool = False) -> Path:
    """The path of the file called `name` in `folder`. Every path that others wrote goes through this function.

    InputError if `name` leads out of the folder, also by a link, unless `allow_outside`. `where` is the beginning of
    its message (the place of `name`), `remedy` its end.
    """
    if allow_outside and "\0" not in name:
        return folder / name
    parts = PurePosixPath(name.replace("\\", "/")).parts
    leaves = not parts or name.startswith(("/", "\\")) or ":" in parts[0] or ".." in parts or "\0" in name
    try:
        if not leaves and (not _has_link(folder, name) or (folder / name).resolve().is_relative_to(folder.resolve())):
            (folder / name).exists()  # raises for a name that no file can have
            return folder / name
    except (OSError, RuntimeError) as error:  # links in a circle; a name that is too long
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{where}: the path {name[:200]!r} cannot be followed ({why})") from None
    raise InputError(f"{where}: the path {name[:200]!r} leads outside {folder}{'; ' if remedy else ''}{remedy}")


# The most that a file of others may become when read: so many bytes, or so many times its own size if that is more.
MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO = 32_000_000, 100
MIN_BYTES_PER_VALUE = 100  # bytes of a value in memory, at least
MAX_COLUMNS, MAX_DEPTH = 1_000, 200  # of a table; of brackets within each other in JSON


def refuse_unpacked(path: Path, size: int) -> None:
    """InputError if `size`, the bytes of the file at `path` once unpacked, is more than such a file may become."""
    if size > max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * size_of(path)):
        raise InputError(
            f"{path}: its {size_of(path)} bytes would become {size:,} or more: more than counterbench reads of a "
            "packed file"
        )


def refuse_columns(where: str, count: int) -> None:
    """InputError, at `where`, if a table has more than `MAX_COLUMNS` columns."""
    if count > MAX_COLUMNS:
        raise InputError(f"{where}: has {count:,} columns, and counterbench reads tables of {MAX_COLUMNS:,} at most")


def refuse_deep(where: str, parts: Iterable[bytes]) -> int:
    """The bytes of a JSON text that comes in parts; InputError if it is nested too deeply. Nothing is decoded."""
    depth = size = 0
    quoted, held_back = False, b""
    for part in parts:
        size += len(part)
        text = held_back + part
        # Backslashes at its end escape what the next part begins with.
        text, held_back = text[: len(text.rstrip(b"\\"))], text[len(text.rstrip(b"\\")) :]
        plain = text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        for number, outside in enumerate(plain):
            quoted ^= number > 0  # between two parts lies a quote mark
            if quoted:
                continue
            for bracket in outside.translate(None, _NO_BRACKETS):
                depth += 1 if bracket in b"[{" else -1
                if depth > MAX_DEPTH:
                    raise InputError(f"{where}: is nested more than {MAX_DEPTH} deep")
    return size


_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def _has_link(folder: Path, name: str) -> bool:
    """True if any part of the path is a link: this test is much faster than resolving the path."""
    path = str(folder)
    for part in PurePosixPath(name).parts:
        path = os.path.join(path, part)  # noqa: PTH118
        try:
            if stat.S_ISLNK(os.lstat(path).st_mode):
                return True
        except (FileNotFoundError, NotADirectoryError):
            return False
    return False


def size_of(path: Path, most: int | None = None) -> int:
    """A regular file's size in bytes; InputError if it is missing, not regular, or has more than `most` bytes.

    Reading a pipe would wait and a device never ends, so neither is opened.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: cannot be read (it is no regular file)")
    if most is not None and status.st_size > most:
        raise InputError(f"{path}: its {status.st_size} bytes are more than counterbench reads of such a file ({most})")
    return status.st_size


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """All bytes of a file; raises the InputError of `size_of`, also for more than `most` bytes."""
    size_of(path, most)
    with opened(path) as file:
        return file.read()


def opened(path: Path, buffer: int = io.DEFAULT_BUFFER_SIZE) -> io.BufferedReader:
    """A file to read bytes from, `buffer` bytes at a time; raises the InputError of `size_of`."""
    size_of(path)
    try:
        return io.BufferedReader(path.open("rb", buffering=0), buffer)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
