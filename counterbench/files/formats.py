"""Reading and writing our own files: typed, versioned, atomic, with errors that name the file and the place."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from counterbench.errors import FormatError, InputError, unknown

T = TypeVar("T")

PARTIAL = ".partial"

_encoder = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """`value` as one line of JSON, without a line end."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T], where: str) -> T:
    """JSON as a typed value; FormatError that names the place, and says so if a newer version wrote it."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, InputError, UnicodeDecodeError) as error:
        _refuse_other_format(data, kind, where)
        raise FormatError(f"{where}: {error}") from None


def _refuse_other_format(data: bytes, kind: type[Any], where: str) -> None:
    """FormatError about the `format` field, if that is what is wrong."""
    fields = getattr(kind, "__struct_fields__", ())
    if "format" not in fields:
        return
    expected = str(next(f.default for f in msgspec.structs.fields(kind) if f.name == "format"))
    try:
        found = msgspec.json.decode(data).get("format", "")
    except (msgspec.DecodeError, AttributeError, UnicodeDecodeError):
        return
    if isinstance(found, str) and found != expected:
        raise FormatError(format_message(where, found, expected))


def format_message(where: str, found: str, expected: str) -> str:
    """What to say of a file whose `format` is not the expected one."""
    name, _, version = expected.rpartition("/")
    found_name, _, found_version = found.rpartition("/")
    if (
        found_name == name
        and found_version.isascii()
        and found_version.isdecimal()
        and int(found_version) > int(version)
    ):
        return f"{where}: written in the newer format {found!r}; this version reads {expected!r}: update counterbench"
    return f"{where}: its format is {found!r}, not {expected!r}" if found else f"{where}: it has no 'format' field"


def read_json(path: Path, kind: type[T]) -> T:
    """A JSON file as a typed value; InputError if it cannot be read, FormatError if it is not valid."""
    return decode(read_bytes(path), kind, str(path))


def read_bytes(path: Path) -> bytes:
    """A file's bytes; InputError, naming it, if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file; InputError that names file and line if it is not valid."""
    try:
        return tomllib.loads(read_bytes(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from None


def read_typed_toml(path: Path, kind: type[T], format: str) -> T:
    """A TOML file of ours as a typed value; InputError that names the file and the key, with the valid keys."""
    data = read_toml(path)
    if data.get("format") != format:
        raise InputError(format_message(str(path), str(data.get("format", "")), format))
    keys: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    for key in data:
        if key not in keys:
            raise unknown("key", key, keys, str(path))
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}") from None


def read_lines(path: Path, kind: type[T], torn_end: bool = False) -> Iterator[T]:
    """The values of a JSON Lines file, one at a time; FormatError names the line.

    With `torn_end`, a last line without a line end, as a killed writer leaves it, is passed over.
    """
    decoder = msgspec.json.Decoder(kind)
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    with file:
        for number, line in enumerate(file, 1):
            if torn_end and not line.endswith(b"\n"):
                return
            if not line.strip():
                continue
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, InputError, UnicodeDecodeError) as error:
                where = f"{path}, line {number}"
                _refuse_other_format(line, kind, where)
                raise FormatError(f"{where}: {error}") from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write a whole file or, if anything fails, none: a temporary file beside it, synced and renamed."""
    partial = path.with_name(f".{path.name}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def is_leftover(path: Path) -> bool:
    """Whether a file is one that a killed writer of ours leaves behind, and that means nothing."""
    return path.name == ".lock" or (path.name.startswith(".") and path.name.endswith(PARTIAL))


def write_json(path: Path, value: Any) -> None:
    """A value as a readable JSON file, atomically."""
    write_atomically(path, msgspec.json.format(encode(value), indent=2) + b"\n")


def write_lines(path: Path, values: Sequence[Any]) -> None:
    """Values as a JSON Lines file, atomically."""
    write_atomically(path, b"".join(encode(v) + b"\n" for v in values))


@contextlib.contextmanager
def clear_os_errors(path: Path, doing: str) -> Iterator[None]:
    """Turn a full disk, a read-only folder and the like into one clear InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or path}: {doing} failed: {error.strerror or error}") from None
