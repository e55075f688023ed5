"""Our own files and folders: typed, versioned, atomic, with errors that name the file and the place.

Output folders are created, and refused if something else is there.
"""

import contextlib
import functools
import hashlib
import os
import secrets
import shutil
import time
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec
import msgspec.inspect

from counterbench.errors import FormatError, InputError, unknown
from counterbench.files.foreign import opened, read_bytes
from counterbench.files.locks import LOCK, locked
from counterbench.text import quoted

T = TypeVar("T")

PARTIAL = ".partial"
_FORGOTTEN = 3600.0  # seconds after the last write to a partial file: no process is at it any more
# The errors of reading a bad value: not valid, not UTF-8, a number too long, nested too deeply.
_INVALID = (ValueError, RecursionError, InputError)
_BUFFER = 1 << 18  # bytes of a JSON Lines file that are read at once

_encoder = msgspec.json.Encoder()
_type_info = functools.cache(msgspec.inspect.type_info)  # control pairs convert parameters for every item


def encode(value: Any) -> bytes:
    """`value` as one line of JSON, without a line end."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T], where: str) -> T:
    """JSON as a value of the type `kind`; FormatError if it is not valid.

    The message begins with `where`, and says so if a newer version of counterbench wrote the data.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except _INVALID as error:
        _refuse_json_of_other_format(data, kind, where)
        raise FormatError(f"{where}: {_reason_invalid(error)}") from None


def _reason_invalid(error: Exception) -> str:
    """The reason in words why data is not valid."""
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _refuse_json_of_other_format(data: bytes, kind: type[Any], where: str) -> None:
    """FormatError if the data has another `format` than the type `kind`; nothing if the fault is another."""
    fields = getattr(kind, "__struct_fields__", ())
    if "format" not in fields:
        return
    expected = str(next(f.default for f in msgspec.structs.fields(kind) if f.name == "format"))
    try:
        given = msgspec.json.decode(data).get("format", "")
    except (*_INVALID, AttributeError):
        return
    if isinstance(given, str) and given != expected:
        raise FormatError(format_message(where, given, expected))


def format_message(where: str, actual: str, expected: str) -> str:
    """The message about a file whose `format` is not the expected one."""
    name, _, version = expected.rpartition("/")
    actual_name, _, actual_version = actual.rpartition("/")
    number = actual_version.isascii() and actual_version.isdecimal() and len(actual_version) < 10
    if actual_name == name and number and int(actual_version) > int(version):
        return f"{where}: written in the newer format {actual!r}; this version reads {expected!r}: update counterbench"
    return f"{where}: its format is {actual!r}, not {expected!r}" if actual else f"{where}: it has no 'format' field"


def read_json(path: Path, kind: type[T]) -> T:
    """The value in a JSON file, as the given type; InputError if it cannot be read, FormatError if not valid."""
    return decode(read_bytes(path), kind, str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; InputError that names file and line if it is not valid."""
    try:
        return tomllib.loads(read_bytes(path).decode("utf-8-sig"))
    except _INVALID as error:
        raise InputError(f"{path}: not valid TOML: {_reason_invalid(error)}") from None


def read_typed_toml(path: Path, kind: type[T], format: str) -> T:
    """A TOML file of ours as a typed value; raises the InputError of `convert` and `refuse_other_format`."""
    data = read_toml(path)
    refuse_other_format(data, format, str(path))
    return convert(data, kind, str(path))


def refuse_other_format(data: Mapping[str, Any], format: str, where: str) -> None:
    """InputError unless the data of a file has this format."""
    if data.get("format") != format:
        raise InputError(format_message(where, str(data.get("format", "")), format))


def convert(data: Any, kind: type[T], where: str, thing: str = "key") -> T:
    """The content of a file as a typed value; InputError that names the file and the place in it.

    The message names an unknown key (it calls it `thing`) or choice with the valid ones, also in nested tables.
    """
    _refuse_unknown(data, _type_info(kind), where, thing)  # type: ignore[arg-type]  # a type is hashable
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, InputError) as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from None


def _refuse_unknown(data: Any, kind: msgspec.inspect.Type, where: str, thing: str) -> None:
    """InputError for the first unknown key or choice of a table, or of a table within it."""
    if isinstance(kind, msgspec.inspect.StructType) and isinstance(data, dict):
        fields = {field.encode_name: field.type for field in kind.fields}
        for key, value in data.items():
            if key == kind.tag_field:
                continue
            if key not in fields:
                raise unknown(thing, key, fields, where)
            field = fields[key]
            if isinstance(field, msgspec.inspect.LiteralType) and value not in field.values:
                raise unknown(key, value, field.values, where)
            _refuse_unknown(value, field, f"{where}, {key}", thing)
    elif isinstance(kind, msgspec.inspect.DictType) and isinstance(data, dict):
        for key, value in data.items():
            _refuse_unknown(value, kind.value_type, f"{where} {key!r}", thing)
    elif isinstance(kind, msgspec.inspect.ListType | msgspec.inspect.VarTupleType) and isinstance(data, list):
        for number, value in enumerate(data, 1):
            name = value.get("id", value.get("name", number)) if isinstance(value, dict) else number
            _refuse_unknown(value, kind.item_type, f"{where} {name!r}", thing)


def read_lines(path: Path, kind: type[T], torn_end: bool = False) -> Iterator[T]:
    """The values of a JSON Lines file, one at a time; FormatError names the line.

    With `torn_end`, a last line without a line end, left by a killed writer, is skipped.
    """
    return (value for _, value in numbered_lines(path, kind, torn_end))


def numbered_lines(path: Path, kind: type[T], torn_end: bool = False) -> Iterator[tuple[int, T]]:
    """The values of `read_lines`, each with the number of its line, from 1; blank lines count and are skipped."""
    decoder = msgspec.json.Decoder(kind)
    with opened(path, _BUFFER) as file:
        for number, line in enumerate(file, 1):
            if torn_end and not line.endswith(b"\n"):
                return
            try:
                value = decoder.decode(line)
            except _INVALID as error:
                if not line.strip():
                    continue
                where = f"{path}, line {number}"
                _refuse_json_of_other_format(line, kind, where)
                raise FormatError(f"{where}: {_reason_invalid(error)}") from None
            yield number, value


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write into, renamed to `path` once all is written; deleted if anything fails.

    Until then it lies beside `path`, under a name of its own in each process, and it is synced before it is renamed. A
    link there is replaced, not followed.
    """
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; see `written_whole`."""
    with written_whole(path) as file:
        file.write(data)


def is_leftover(path: Path) -> bool:
    """True if a file was left by a killed writer of ours, so that it can be ignored."""
    return path.name.startswith(".") and path.name.endswith((PARTIAL, LOCK))


def file_digest(path: Path) -> str:
    """The hex digest of a file's bytes; of no bytes if there is no file yet. InputError if it cannot be read."""
    if not path.exists():
        return hashlib.blake2b(digest_size=16).hexdigest()
    with opened(path) as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def write_json(path: Path, value: Any) -> None:
    """Write a value as a readable JSON file, whole or not at all."""
    write_atomically(path, msgspec.json.format(encode(value), indent=2) + b"\n")


def write_lines(path: Path, values: Iterable[Any]) -> None:
    """Write values as a JSON Lines file, whole or not at all, and without holding all in memory."""
    with written_whole(path) as file:
        file.writelines(encode(value) + b"\n" for value in values)


def in_lines(values: Iterable[Any]) -> bytes:
    """The bytes that `write_lines` writes."""
    return b"".join(encode(v) + b"\n" for v in values)


@contextlib.contextmanager
def clear_os_errors(path: Path, doing: str) -> Iterator[None]:
    """Turn a full disk, a read-only folder and the like into one clear InputError.

    `path` is named if the error itself names none. `doing`: "reading" or "writing", for the message.
    """
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or path}: {doing} failed: {error.strerror or error}") from None


_BEGINNING = 4096  # bytes at the beginning of a file, in which the mark of a file of ours stands


@contextlib.contextmanager
def claim(out: Path, what: str, marks: Collection[str], check: Callable[[], object]) -> Iterator[None]:
    """Make the folder `out` and lock it while the block runs; errors of the system become InputError.

    The folder may be empty or missing, or hold the thing `what` ("a run", for the message), which is recognised by one
    of the files `marks`. `check` must raise InputError if it holds another such thing than the caller's. InputError,
    with nothing changed, for any other content.
    """
    with clear_os_errors(out, "writing"):
        _refuse_file(out)
        known = any((out / mark).is_file() for mark in marks)
        if out.is_dir() and not known and not all(map(is_leftover, out.iterdir())):
            raise InputError(f"{out}: is not empty and not {what}; choose another --out")
        check()
        out.mkdir(parents=True, exist_ok=True)
        with locked(out / LOCK, str(out), "choose another --out"):
            check()  # again: until now another process may have written
            for left in filter(is_leftover, out.iterdir()):
                if left.is_file() and left.name != LOCK and left.stat().st_mtime < time.time() - _FORGOTTEN:
                    left.unlink()
            yield


@contextlib.contextmanager
def whole_folder(out: Path, mark: str = "") -> Iterator[Path]:
    """A new folder to write into, renamed to `out` at the end of the block; deleted if anything fails.

    Until then it lies beside `out`. InputError if `out` is not empty, and for errors of the system. With `mark`, the
    name of a file, `out` may hold that file and all that the block writes already: then `out` stays as it is.
    """
    with clear_os_errors(out, "writing"), contextlib.ExitStack() as stack:
        _refuse_taken_folder(out, mark)
        target = out.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        stack.enter_context(locked(target.with_name(f".{target.name}{LOCK}"), str(out), "choose another --out"))
        _refuse_taken_folder(out, mark)
        partial = target.with_name(f".{target.name}{PARTIAL}")
        shutil.rmtree(partial, ignore_errors=True)  # left by a killed process
        try:
            partial.mkdir()
            yield partial
            if mark and (target / mark).is_file():
                if not _has_files_of(target, partial):
                    _refuse_taken_folder(out)
                shutil.rmtree(partial)
                return
            if target.is_dir():
                target.rmdir()
            partial.rename(target)
        except BaseException as error:
            shutil.rmtree(partial, ignore_errors=True)
            if isinstance(error, KeyboardInterrupt):
                error.add_note(f"stopped; nothing is left at {out}: run the same command again to start over")
            raise


def _has_files_of(folder: Path, other: Path) -> bool:
    """True if a folder has all files of the folder `other`, with the same content."""
    files = [file.relative_to(other) for file in other.rglob("*") if file.is_file()]
    return all((folder / file).is_file() and file_digest(folder / file) == file_digest(other / file) for file in files)


def _refuse_taken_folder(out: Path, mark: str = "") -> None:
    """InputError if the folder `out` is not empty, unless it has the file `mark`."""
    _refuse_file(out)
    if out.is_dir() and any(out.iterdir()) and not (mark and (out / mark).is_file()):
        raise InputError(f"{out}: is not empty; choose another --out")


def refuse_taken(path: Path, what: str, mark: bytes) -> None:
    """InputError if something at `path` is no file of ours, which has this mark near its beginning.

    `what`: its kind ("report", "certificate").
    """
    beginning = b""
    if path.is_file():
        with clear_os_errors(path, "reading"), path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    if path.exists() and mark not in beginning:
        raise InputError(f"{path}: is there and is no {what}; choose another --out")


def _refuse_file(out: Path) -> None:
    """InputError if there is a file where a folder is wanted."""
    if out.is_file():
        raise InputError(f"{out}: is a file; --out takes a folder")


# The kinds of folders, of which the first that fits is meant: a file in the folder, the kind in words, and the command
# that takes the folder in place of {}.
_KINDS = (
    ("t2i.json", "a run about generated pictures", "score {}"),
    ("run.json", "a run about pairs", "score {}"),
    ("suite.json", "a folder of pairs", "probe {} --judge JUDGE"),
    ("images.json", "a folder of generated pictures", "t2i judge {} --judge JUDGE"),
)
_SHOWN = 3  # folders in a message


def instead(path: Path) -> str:
    """The end of a message about a path that a command does not take: the kind of folder there and the right command.

    For another folder it names folders of these kinds that lie in it; empty if there is nothing of ours.
    """
    if kind := _kind_and_command(path):
        return f"; it is {kind[0]}: counterbench {kind[1].format(quoted(path))}"
    if path.is_file() and (kind := _kind_and_command(path.parent)):
        return f"; it is a file of {kind[0]}: name the folder {quoted(path.parent)}"
    inside = [child for child in sorted(path.iterdir()) if _kind_and_command(child)] if path.is_dir() else []
    if not inside:
        return ""
    others = f" and {len(inside) - _SHOWN} more" if len(inside) > _SHOWN else ""
    return f"; name one that it holds: {', '.join(quoted(child) for child in inside[:_SHOWN])}{others}"


def _kind_and_command(path: Path) -> tuple[str, str] | None:
    """The kind of folder at a path, and the command that takes it; None for an unknown kind."""
    return next(((what, command) for file, what, command in _KINDS if (path / file).is_file()), None)
