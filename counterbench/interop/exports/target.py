"""Where an export is written: a folder here, or any address that fsspec takes. All of it is there at the end, or none.

A folder is written under another name beside it and renamed. On an object store the files come to be in one
transaction, `export.json` last; what a killed process had sent of them is not seen there.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import msgspec

from counterbench.errors import CounterbenchError, InputError
from counterbench.files import formats
from counterbench.files.addresses import masked
from counterbench.files.claim import claim
from counterbench.files.installation import needed
from counterbench.files.remote import said

EXPORT_FILE = "export.json"
_WITHIN = "export"  # what an unfinished export lies in, and nothing else


class Written(msgspec.Struct, frozen=True):
    """One file of an export."""

    bytes: int
    sha256: str


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """What an export is of, and every file of it: `export.json`, written last, so that without it there is no export.

    `export` is the format's name; `files` are by their names within it.
    """

    format: Literal["counterbench.export/1"] = "counterbench.export/1"
    export: str
    suite: str
    suite_digest: str
    seed: int | None
    style: str
    wording: str
    wording_digest: str
    pairs: int
    versions: dict[str, str]
    files: dict[str, Written] = {}


class Target:
    """Where an exporter writes its files, one after the other or several at once; `files` are those that are whole.

    `export` is the export that is there, once it is.
    """

    def __init__(self, opens: Callable[[str], AbstractContextManager[BinaryIO]], export: Export | None = None) -> None:
        self._opens = opens
        self.files: dict[str, Written] = {}
        self.export = export

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """A file to write from its beginning to its end; `name` may have folders in it ("pairs/a.parquet")."""
        with self._opens(name) as raw:
            file = _Counting(raw)
            yield cast(BinaryIO, file)
        self.files[name] = Written(file.tell(), file.sha256.hexdigest())

    def write(self, name: str, data: bytes) -> None:
        """A whole file."""
        with self.open(name) as file:
            file.write(data)


class _Counting(io.RawIOBase):
    """Hands on what is written, and takes its length and digest."""

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


@contextlib.contextmanager
def opened(out: str, signature: Export) -> Iterator[Target]:
    """A target for what `signature` says; if it has an export, that is there already, and nothing may be written.

    InputError if something else lies at `out`, if nothing can be written there, or what fsspec needs is not installed.
    """
    place = _place(out)
    if found := place.found(signature):
        yield Target(place.file, found)
        return
    target = Target(place.file)
    with place.begun(signature):
        yield target
        done = msgspec.structs.replace(signature, files=dict(sorted(target.files.items())))
        target.write(EXPORT_FILE, msgspec.json.format(formats.encode(done), indent=2) + b"\n")
    target.export = done


def _place(out: str) -> _Folder | _Store:
    if "://" not in out:
        return _Folder(Path(out))
    fsspec = needed("fsspec.core", out, "export")
    try:
        system, path = fsspec.url_to_fs(out)
    except Exception as error:  # of as many kinds as there are systems
        raise InputError(f"{masked(out, alone=True)}: cannot be written to: {said(error)}") from error
    return _Folder(Path(path)) if "file" in system.protocol else _Store(masked(out, alone=True), system, path)


def _same(
    out: str, data: bytes | None, others: bool, signature: Export, size: Callable[[str], int | None]
) -> Export | None:
    """The export whose `export.json` is `data`, if it is the one that is signed so; InputError if `out` is taken.

    `size`: how many bytes a file of it has there, None if it is not there.
    """
    if data is None and not others:
        return None
    found = formats.decode(data, Export, f"{out}/{EXPORT_FILE}") if data is not None else None
    if found is not None and msgspec.structs.replace(found, files={}) == signature:
        for name, written in found.files.items():
            if size(name) != written.bytes:
                raise InputError(f"{out}: {name} is not as it was written; choose another --out, or delete it")
        return found
    holds = f"holds an export of {found.suite!r} ({found.export})" if found else "is not empty and no export"
    raise InputError(f"{out}: {holds}; choose another --out, or delete it")


class _Folder:
    """A folder on this machine."""

    def __init__(self, out: Path) -> None:
        self._out = out.absolute()
        self._shown = str(out)
        self._work = self._out.with_name(f".{self._out.name}{formats.PARTIAL}")

    def found(self, signature: Export) -> Export | None:
        with formats.clear_os_errors(self._out, "reading"):
            if self._out.exists() and not self._out.is_dir():
                raise InputError(f"{self._shown}: is a file; --out takes a folder")
            others = self._out.is_dir() and any(True for _ in self._out.iterdir())
            path = self._out / EXPORT_FILE
            return _same(self._shown, path.read_bytes() if path.is_file() else None, others, signature, self._size)

    def _size(self, name: str) -> int | None:
        path = self._out / name
        return path.stat().st_size if path.is_file() else None

    @contextlib.contextmanager
    def begun(self, signature: Export) -> Iterator[None]:
        within = self._work / _WITHIN
        with claim(self._work, "an unfinished export", (), lambda: self.found(signature), beside=(_WITHIN,)):
            try:
                self._empty()
                within.mkdir()
                yield
                if self._out.is_dir():
                    self._out.rmdir()
                within.rename(self._out)
            finally:
                self._empty()
                with contextlib.suppress(OSError):
                    self._work.rmdir()

    def _empty(self) -> None:
        if (self._work / _WITHIN).is_dir():
            shutil.rmtree(self._work / _WITHIN)

    @contextlib.contextmanager
    def file(self, name: str) -> Iterator[BinaryIO]:
        path = self._work / _WITHIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


class _Store:
    """An address of any file system that fsspec knows: an object store, most often."""

    def __init__(self, out: str, system: Any, path: str) -> None:
        self._out, self._system, self._path = out, system, path.rstrip("/")

    def found(self, signature: Export) -> Export | None:
        with self._clear():
            self._system.invalidate_cache()
            inside = self._system.ls(self._path, detail=False) if self._system.exists(self._path) else []
            mark = f"{self._path}/{EXPORT_FILE}"
            data = self._system.cat_file(mark) if self._system.exists(mark) else None
            return _same(self._out, data, bool(inside), signature, self._size)

    def _size(self, name: str) -> int | None:
        path = f"{self._path}/{name}"
        return int(self._system.size(path)) if self._system.exists(path) else None

    @contextlib.contextmanager
    def begun(self, signature: Export) -> Iterator[None]:
        with self._clear(), self._system.transaction:
            yield

    @contextlib.contextmanager
    def file(self, name: str) -> Iterator[BinaryIO]:
        path = f"{self._path}/{name}"
        try:
            file = self._system.open(path, "wb")
        except FileNotFoundError:  # a system with folders, which object stores have not
            self._system.makedirs(path.rpartition("/")[0], exist_ok=True)
            file = self._system.open(path, "wb")
        with file:
            yield file

    @contextlib.contextmanager
    def _clear(self) -> Iterator[None]:
        """Whatever a store raises, of as many kinds as there are stores, as one clear message."""
        try:
            yield
        except CounterbenchError:
            raise
        except Exception as error:
            raise InputError(f"{self._out}: writing failed: {said(error)}") from error
