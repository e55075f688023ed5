"""The place that an export is written to: a folder here, or any address that fsspec takes. `export.json` comes last."""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Literal, cast

import msgspec

from counterbench.errors import CounterbenchError, InputError
from counterbench.files import formats
from counterbench.files.addresses import masked
from counterbench.files.installation import needed
from counterbench.files.remote import said

EXPORT_FILE = "export.json"
PART_FILE = "export.part.json"  # the description of an unfinished export


class Written(msgspec.Struct, frozen=True):
    """One file of an export."""

    bytes: int
    sha256: str


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """The source and the files of an export: `export.json`, written last, so that without it there is no export."""

    format: Literal["counterbench.export/1"] = "counterbench.export/1"
    export: str  # the format's name
    suite: str
    suite_digest: str
    seed: int | None
    style: str
    wording: str
    wording_digest: str
    pairs: int
    versions: dict[str, str]
    files: dict[str, Written] = {}  # by their names within the export


class Target:
    """The address that an exporter writes its files to, one after the other or several at once.

    `files` are the files that are whole; `out` is the address as it is shown. InputError if it is no address, or if a
    package that fsspec needs for it is not installed.
    """

    def __init__(self, out: str) -> None:
        fsspec = needed("fsspec.core", out, "export")
        self.out = masked(out, alone=True) if "://" in out else out
        self.files: dict[str, Written] = {}
        try:
            self._system, path = fsspec.url_to_fs(out)
        except Exception as error:  # of as many kinds as there are systems
            raise InputError(f"{self.out}: cannot be written to: {said(error)}") from error
        self._path = path.rstrip("/")

    def read(self, name: str) -> bytes | None:
        """A file that lies there; None if there is none."""
        path = self._at(name)
        data: bytes | None = self._system.cat_file(path) if self._system.exists(path) else None
        return data

    def size(self, name: str) -> int | None:
        """The bytes of a file that lies there; None if there is none."""
        path = self._at(name)
        return int(self._system.size(path)) if self._system.exists(path) else None

    def is_empty(self) -> bool:
        """True if nothing lies there; InputError for a file."""
        self._system.invalidate_cache()
        if self._system.isfile(self._path):
            raise InputError(f"{self.out}: is a file; --out takes a folder")
        return not (self._system.exists(self._path) and self._system.ls(self._path, detail=False))

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """A file to write from its beginning to its end; `name` may have folders in it ("pairs/a.parquet")."""
        path = self._at(name)
        try:
            raw = self._system.open(path, "wb")
        except FileNotFoundError:  # a system with folders; object stores have none
            self._system.makedirs(path.rpartition("/")[0], exist_ok=True)
            raw = self._system.open(path, "wb")
        with raw:
            file = _Counting(raw)
            yield cast(BinaryIO, file)
        self.files[name] = Written(file.tell(), file.sha256.hexdigest())

    def write(self, name: str, data: bytes) -> None:
        """A whole file."""
        with self.open(name) as file:
            file.write(data)

    def remove(self, name: str = "") -> None:
        """Remove a file, or everything."""
        self._system.rm(self._at(name), recursive=not name)

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}".rstrip("/")


class _Counting(io.RawIOBase):
    """A writer that passes the bytes on, and takes their length and digest."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw, self._length, self.sha256 = raw, 0, hashlib.sha256()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._length

    def write(self, data: Any) -> int:
        self._raw.write(data)
        self.sha256.update(data)
        length = memoryview(data).nbytes
        self._length += length
        return length


def existing(target: Target, signature: Export) -> Export | None:
    """The export of this signature, if it is there and whole; InputError if something else lies there.

    The files of an unfinished export of this signature are written anew.
    """
    with clear_errors(target):
        if target.is_empty():
            return None
        data, part = target.read(EXPORT_FILE), target.read(PART_FILE)
        if data is None and part == _encoded(signature):
            return None
        export = formats.decode(data, Export, f"{target.out}/{EXPORT_FILE}") if data is not None else None
        if export is None or msgspec.structs.replace(export, files={}) != signature:
            holds = f"holds an export of {export.suite!r} ({export.export})" if export else "is not empty and no export"
            raise InputError(f"{target.out}: {holds}; choose another --out, or delete it")
        for name, written in export.files.items():
            if target.size(name) != written.bytes:
                raise InputError(f"{target.out}: {name} is not as it was written; choose another --out, or delete it")
        return export


def written(target: Target, signature: Export, write: Callable[[], None]) -> Export:
    """Let `write` write an export and end it with `export.json`. If it fails, all of it is removed."""
    with clear_errors(target):
        target.write(PART_FILE, _encoded(signature))
        try:
            write()
            del target.files[PART_FILE]
            done = msgspec.structs.replace(signature, files=dict(sorted(target.files.items())))
            target.write(EXPORT_FILE, _encoded(done))
        except BaseException:
            with contextlib.suppress(Exception):
                target.remove()
            raise
        target.remove(PART_FILE)
    return done


@contextlib.contextmanager
def clear_errors(target: Target) -> Iterator[None]:
    """Turn any exception of a store (each store has kinds of its own) into one clear message."""
    try:
        yield
    except CounterbenchError:
        raise
    except Exception as error:
        raise InputError(f"{target.out}: writing failed: {getattr(error, 'strerror', None) or said(error)}") from error


def _encoded(export: Export) -> bytes:
    return msgspec.json.format(formats.encode(export), indent=2) + b"\n"
