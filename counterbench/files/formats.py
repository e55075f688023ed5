"""Reads and writes this package's own files and folders; errors name the file and the place in it.

The first half reads: JSON, TOML and JSON Lines files become typed values (msgspec Structs), and a value whose field
`format` ("counterbench.run/1") is another one is refused. The second half writes files and output folders: whole or not
at all, and never over something that is not ours. Every module that keeps data on disk uses it.

A file is written under another name beside its place (a *partial* file) and renamed at the end. A *mark* is a file
name, or bytes at the beginning of a file, by which a folder or file of ours is recognised. A *torn end* is a last line
without a line end, which a killed process left.
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
_MAX_PARTIAL_AGE = 3600.0  # seconds since the last write to a partial file, after which no process still writes it
# The errors that a bad value raises when it is read: not valid, not UTF-8, a number too long, nested too deeply.
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
    """FormatError if the data has another `format` than the type `kind`; else return, for the caller to say why."""
    fields = getattr(kind, "__struct_fields__", ())
    if "format" not in fields:
        return
    expected = str(next(f.default for f in msgspec.structs.fields(kind) if f.name == "format"))
    try:
        given_format = msgspec.json.decode(data).get("format", "")
    except (*_INVALID, AttributeError):
        return
    if isinstance(given_format, str) and given_format != expected:
        raise FormatError(format_message(where, given_format, expected))


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
    """A TOML file of ours as a value of the type `kind`; InputError if it is not valid, or not of this `format`."""
    data = read_toml(path)
    refuse_other_format(data, format, str(path))
    return convert(data, kind, str(path))


def refuse_other_format(data: Mapping[str, Any], format: str, where: str) -> None:
    """InputError unless the field `format` of a file's data is this one; `where` begins the message."""
    if data.get("format") != format:
        raise InputError(format_message(where, str(data.get("format", "")), format))


def convert(data: Any, kind: type[T], where: str, thing: str = "key") -> T:
    """The data of a file (dicts and lists) as a value of the type `kind`; InputError names the file and the place.

    For an unknown key or choice, also in nested tables, the message names the valid ones. `thing`: the word for a key.
    """
    _refuse_unknown(data, _type_info(kind), where, thing)  # type: ignore[arg-type]  # a type is hashable
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, InputError) as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from None


def _refuse_unknown(data: Any, kind: msgspec.inspect.Type, where: str, thing: str) -> None:
    """InputError for the first unknown key or choice in a table or in the tables within it, by the type `kind`."""
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

    `torn_end`: True to skip a last line without a line end, which a killed writer left.
    """
    return (value for _, value in numbered_lines(path, kind, torn_end))


def numbered_lines(path: Path, kind: type[T], torn_end: bool = False) -> Iterator[tuple[int, T]]:
    """The values of `read_lines`, as (number of the line, value); lines count from 1, and blank ones are skipped."""
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
    """A context that gives a partial file to write into. At its end the file is renamed to `path`.

    If anything fails, the partial file is deleted. Its name is different in each process, and its content is synced to
    the disk before it is renamed. A link at `path` is replaced, not followed.
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
    """True if a file is a partial file or a lock of ours: no content, to be ignored in a folder."""
    return path.name.startswith(".") and path.name.endswith((PARTIAL, LOCK))


def file_digest(path: Path) -> str:
    """The hex digest of a file's bytes; a missing file counts as empty. InputError if it cannot be read."""
    if not path.exists():
        return hashlib.blake2b(digest_size=16).hexdigest()
    with opened(path) as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def write_json(path: Path, value: Any) -> None:
    """Write a value as a readable JSON file, whole or not at all."""
    write_atomically(path, msgspec.json.format(encode(value), indent=2) + b"\n")


def write_lines(path: Path, values: Iterable[Any]) -> None:
    """Write values as a JSON Lines file, whole or not at all; they are written one by one, so memory stays small."""
    with written_whole(path) as file:
        file.writelines(encode(value) + b"\n" for value in values)


def in_lines(values: Iterable[Any]) -> bytes:
    """The bytes that `write_lines` writes."""
    return b"".join(encode(v) + b"\n" for v in values)


@contextlib.contextmanager
def clear_os_errors(path: Path, doing: str) -> Iterator[None]:
    """A context that turns an OSError (a full disk, a read-only folder) into an InputError in plain words.

    The message names `path` if the error itself names none. `doing`: "reading" or "writing", for the message.
    """
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or path}: {doing} failed: {error.strerror or error}") from None


_MARK_WITHIN = 4096  # the number of bytes at the beginning of a file in which the mark of a file of ours stands


@contextlib.contextmanager
def claim(out: Path, what: str, marks: Collection[str], check: Callable[[], object]) -> Iterator[None]:
    """A context that makes the folder `out` and locks it while the block runs; an OSError becomes InputError.

    The folder may be missing or empty, or hold the thing `what` ("a run", for the message), which is recognised by one
    of the files `marks`; then the caller goes on with it. InputError, with nothing changed, for any other content.
    `check` must raise InputError if the folder holds a thing of that kind that is not the caller's.
    """
    with clear_os_errors(out, "writing"):
        _refuse_file(out)
        is_ours = any((out / mark).is_file() for mark in marks)
        if out.is_dir() and not is_ours and not all(map(is_leftover, out.iterdir())):
            raise InputError(f"{out}: is not empty and not {what}; choose another --out")
        check()
        out.mkdir(parents=True, exist_ok=True)
        with locked(out / LOCK, str(out), "choose another --out"):
            check()  # again: until now another process may have written
            for file in filter(is_leftover, out.iterdir()):
                if file.is_file() and file.name != LOCK and file.stat().st_mtime < time.time() - _MAX_PARTIAL_AGE:
                    file.unlink()
            yield


@contextlib.contextmanager
def whole_folder(out: Path, mark: str = "") -> Iterator[Path]:
    """A context that gives a new folder to write into. At its end the folder is renamed to `out`.

    Until then it lies beside `out`; it is deleted if anything fails. InputError if `out` is not empty, and in place of
    an OSError. With `mark`, the name of a file, `out` may already hold that file and all that the block writes: then
    `out` stays as it is.
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
    """InputError if there is something at `path` that is not a file of ours with this `mark` near its beginning.

    `what`: the kind of file ("report", "certificate"), for the message.
    """
    beginning = b""
    if path.is_file():
        with clear_os_errors(path, "reading"), path.open("rb") as file:
            beginning = file.read(_MARK_WITHIN)
    if path.exists() and mark not in beginning:
        raise InputError(f"{path}: is there and is no {what}; choose another --out")


def _refuse_file(out: Path) -> None:
    """InputError if there is a file where a folder is wanted."""
    if out.is_file():
        raise InputError(f"{out}: is a file; --out takes a folder")


# The kinds of folders: a file that such a folder has, the kind in words, and the command that takes the folder in place
# of {}. A folder is of the first kind whose file it has.
_FOLDER_KINDS = (
    ("t2i.json", "a run about generated pictures", "score {}"),
    ("run.json", "a run about pairs", "score {}"),
    ("suite.json", "a folder of pairs", "probe {} --judge JUDGE"),
    ("images.json", "a folder of generated pictures", "t2i judge {} --judge JUDGE"),
)
_MAX_NAMED = 3  # folders in a message


def instead(path: Path) -> str:
    """The end of a message about a path that a command does not take: what is there, and the command to use instead.

    For a folder of no known kind it names folders of known kinds in it; empty if there are none.
    """
    if kind := _kind_and_command(path):
        return f"; it is {kind[0]}: counterbench {kind[1].format(quoted(path))}"
    if path.is_file() and (kind := _kind_and_command(path.parent)):
        return f"; it is a file of {kind[0]}: name the folder {quoted(path.parent)}"
    inside = [child for child in sorted(path.iterdir()) if _kind_and_command(child)] if path.is_dir() else []
    if not inside:
        return ""
    others = f" and {len(inside) - _MAX_NAMED} more" if len(inside) > _MAX_NAMED else ""
    return f"; name one that it holds: {', '.join(quoted(child) for child in inside[:_MAX_NAMED])}{others}"


def _kind_and_command(path: Path) -> tuple[str, str] | None:
    """The kind of folder at a path, and the command that takes it; None for an unknown kind."""
    return next(((what, command) for file, what, command in _FOLDER_KINDS if (path / file).is_file()), None)
