"""The files below an address, on whatever fsspec knows: an object store, most often. Needs the extra `export`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from counterbench.errors import CounterbenchError, InputError
from counterbench.files.addresses import masked, reached
from counterbench.files.installation import needed

Report = Callable[[int, int], None]

_AT_ONCE = 256  # files that are fetched or sent together
# What tells one content of a file from another, as stores call it.
_MARKS = ("size", "ETag", "etag", "md5Hash", "LastModified", "last_modified", "mtime", "created")


class Store:
    """What is below `address`, by names relative to it ("images/a.png").

    Whatever goes wrong, of as many kinds as there are stores, is an InputError that names the address.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        core, url = needed("fsspec.core", address, "export"), reached(address)
        try:
            self._system, path = core.url_to_fs(url)
        except Exception as error:  # of as many kinds as there are systems: some connect at once
            raise InputError(f"{address}: cannot be reached: {said(error)}") from error
        self._path = str(path).rstrip("/")

    def is_file(self) -> bool:
        """Whether the address is that of one file."""
        with self._clear("reading"):
            return bool(self._system.isfile(self._path))

    def top(self) -> set[str]:
        """The names of what lies directly below the address."""
        with self._clear("reading"):
            self._system.invalidate_cache()
            if not self._system.isdir(self._path):
                return set()
            return {path.rstrip("/").rpartition("/")[2] for path in self._system.ls(self._path, detail=False)}

    def marks(self) -> dict[str, str]:
        """Every file below the address, with what changes when its content does."""
        with self._clear("reading"):
            self._system.invalidate_cache()
            found: Mapping[str, Mapping[str, Any]] = self._system.find(self._path, detail=True)
        files = {self._name(path): info for path, info in found.items() if info.get("type") != "directory"}
        if wrong := next((name for name in files if ".." in name.split("/")), None):
            raise InputError(f"{self.address}: has a file called {wrong!r}, which would lie elsewhere here")
        return {
            name: " ".join(str(info.get(key, "")) for key in _MARKS)
            for name, info in files.items()
            if name and not name.endswith("/")
        }

    def read(self, name: str) -> bytes | None:
        """A file's content; None if it is not there."""
        with self._clear("reading"):
            try:
                return bytes(self._system.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes) -> None:
        """Write a whole file."""
        with self._clear("writing"):
            self._make_room(self._at(name))
            self._system.pipe_file(self._at(name), data)

    def get(self, names: Iterable[str], folder: Path) -> Iterator[list[str]]:
        """Fetch files into a folder, at their names; yields those that are there, some at a time."""
        for chunk in _in_chunks(names):
            with self._clear("reading"):
                self._system.get([*map(self._at, chunk)], [str(folder / name) for name in chunk])
            yield chunk

    def get_file(self, path: Path) -> None:
        """Fetch the one file at the address."""
        with self._clear("reading"):
            self._system.get([self._path], [str(path)])

    def put(self, names: Iterable[str], folder: Path, check: Callable[[], None]) -> Iterator[list[str]]:
        """Send a folder's files of these names; yields those that are there, some at a time, after a `check` each."""
        for chunk in _in_chunks(names):
            check()
            with self._clear("writing"):
                self._system.put([str(folder / name) for name in chunk], [*map(self._at, chunk)])
            yield chunk

    def remove(self, name: str) -> None:
        """Delete a file, if it is there."""
        with self._clear("writing"), contextlib.suppress(FileNotFoundError):
            self._system.rm_file(self._at(name))

    def matching(self) -> list[str]:
        """The addresses that this one, with a `*` in it, stands for; itself where nothing matches."""
        with self._clear("reading"):
            found = self._system.glob(self._path)
        before = self.address.removesuffix(self._path.strip("/"))  # "s3://", or with a host: "sftp://me@host/"
        return [f"{before}{path.strip('/')}" for path in found] or [self.address]

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}"

    def _name(self, path: str) -> str:
        return path.removeprefix(self._path).lstrip("/")

    def _make_room(self, path: str) -> None:
        if not getattr(self._system, "async_impl", False):  # object stores, all of them asynchronous, have no folders
            self._system.makedirs(path.rpartition("/")[0], exist_ok=True)

    @contextlib.contextmanager
    def _clear(self, doing: str) -> Iterator[None]:
        try:
            yield
        except CounterbenchError:
            raise
        except Exception as error:
            raise InputError(f"{self.address}: {doing} failed: {said(error)}") from error


def said(error: Exception) -> str:
    """What a store's error says, or else its kind."""
    return masked(str(error)) or type(error).__name__


def _in_chunks(names: Iterable[str]) -> Iterator[list[str]]:
    todo = iter(names)
    while chunk := list(islice(todo, _AT_ONCE)):
        yield chunk
