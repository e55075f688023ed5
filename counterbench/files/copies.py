"""The copy here of what is at an address: made like it, and sent to it.

The oldest change is sent first: pictures before what tells of them. So what is there can be gone on with at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import msgspec
from filelock import FileLock, Timeout

from counterbench.errors import BusyError, InputError
from counterbench.files import formats
from counterbench.files.addresses import address_of, home
from counterbench.files.kinds import MARKS
from counterbench.files.store import Report, Store

AT_WORK_FILE = ".at-work.json"
SILENT = 45.0  # seconds after which whoever says that it is at work, and does not say it again, is taken for dead
_LISTEN = 3.0  # seconds
# These files are what they will be once they are there, and others tell of them.
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")

Stat = tuple[int, int]  # size in bytes, time of the last change in nanoseconds


def _no_report(doing: str) -> Report:
    return lambda done, total: None


# Shows how many files were fetched or sent, of how many, told what is being done; the command line sets it.
waiting: Callable[[str], Report] = _no_report


class _AtWork(msgspec.Struct, frozen=True):
    """Who writes to an address now; `beat` grows as long as it lives."""

    token: str
    host: str
    pid: int
    beat: int = 0


class _State(msgspec.Struct):
    """What a copy knows of its address: under which token it was written last, and what is there of it.

    `sent`: every file as it was here when it was the same there; `marks`: the store's marks of them.
    """

    token: str = ""
    sent: dict[str, Stat] = {}
    marks: dict[str, str] = {}


class Copy:
    """The copy of what is at an address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, Store(address_of(folder))
        digest = hashlib.blake2b(self.store.address.encode(), digest_size=16).hexdigest()
        self._file = home() / "states" / f"{digest}.json"
        self._state = _State()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Whatever is done to the copy is done by one process of this machine."""
        with formats.clear_os_errors(self._file, "writing"):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            try:
                lock = FileLock(self._file.with_suffix(".lock")).acquire(timeout=0)
            except Timeout:
                raise BusyError(
                    f"{self.store.address}: another process is at work in this folder; wait for it or stop it"
                ) from None
        with lock:
            if self._file.is_file():
                self._state = formats.read_json(self._file, _State)
            yield

    def come(self) -> _AtWork | None:
        """Make the copy what is at the address, unless it is ahead of it: then who was killed left it so here.

        Returns who says that it is at work there.
        """
        top = self.store.top()
        if top and not top & {*MARKS, AT_WORK_FILE}:
            raise InputError(
                f"{self.store.address}: is not empty, and holds nothing that counterbench wrote; name another, or a "
                "folder in it"
            )
        there = self.at_work() if AT_WORK_FILE in top else None
        if there is None or there.token != self._state.token or not all(map(self._has, self._state.sent)):
            self._mirror(self.store.marks() if top & {*MARKS} else {})
        return there

    def begin(self) -> None:
        """Make the copy what is at the address, which from now on is this process's to write to."""
        there = self.at_work()
        if there is not None and there.token != self._state.token:
            self._wait_for_silence(there)
        self.come()
        self.folder.mkdir(parents=True, exist_ok=True)
        if there is None or there.token != self._state.token:
            for name in self.store.marks().keys() - self._state.marks.keys():  # with nothing yet to say what it is
                self.store.remove(name)
            self._state.token = secrets.token_hex(8)
            self.beat(0)
            self._save()

    def beat(self, number: int) -> None:
        """Say that this process is at work, and still lives."""
        me = _AtWork(self._state.token, socket.gethostname(), os.getpid(), number)
        self.store.write(AT_WORK_FILE, formats.encode(me))

    def at_work(self) -> _AtWork | None:
        """Who says that it is at work there."""
        data = self.store.read(AT_WORK_FILE)
        return formats.decode(data, _AtWork, f"{self.store.address}/{AT_WORK_FILE}") if data else None

    @property
    def is_kept(self) -> bool:
        """Whether what was done to the copy last was to write to it, and not to fetch it."""
        return self._file.is_file() and bool(formats.read_json(self._file, _State).token)

    @property
    def is_ours(self) -> bool:
        """Whether nobody else has taken over since this process began."""
        there = self.at_work()
        return there is not None and there.token == self._state.token

    def send(self, report: Report) -> None:
        """Bring to the address what is new here, and delete there what is gone here; `report(done, total)` of files."""
        with contextlib.ExitStack() as stack:
            found, opened = self._snapshot(stack)
            new = [name for name in found if self._state.sent.get(name) != found[name]]
            new.sort(key=lambda name: (found[name][1], name in opened))
            done = 0
            for in_text, names in groupby(new, key=opened.__contains__):
                for sent in self._send_texts(names, found, opened) if in_text else self.store.put(names, self.folder):
                    self._state.sent |= {name: found[name] for name in sent}
                    report(done := done + len(sent), len(new))
        gone = self._state.sent.keys() - found.keys()
        for name in gone:
            self.store.remove(name)
            del self._state.sent[name]
        if new or gone:
            self._save()

    def leave(self) -> None:
        """Say that nobody is at work there any more; all was sent."""
        self._state.marks = {name: mark for name, mark in self.store.marks().items() if name in self._state.sent}
        self.store.remove(AT_WORK_FILE)
        self._save()

    def _send_texts(
        self, names: Iterable[str], found: dict[str, Stat], opened: dict[str, BinaryIO]
    ) -> Iterator[list[str]]:
        for name in names:
            self.store.write_from(name, opened[name], found[name][0])
            yield [name]

    def _snapshot(self, stack: contextlib.ExitStack) -> tuple[dict[str, Stat], dict[str, BinaryIO]]:
        """Every file that is here, and those that have changed and are no pictures, open: all as of one moment.

        What they tell of was there before they did, so pictures are looked for after them. Of a file that has grown
        since, its begin is what was there; if one was replaced, all are opened anew.
        """
        while True:
            before = _files(self.folder)
            with contextlib.ExitStack() as here:
                try:
                    opened: dict[str, BinaryIO] = {
                        name: here.enter_context((self.folder / name).open("rb"))
                        for name, stat in before.items()
                        if not name.endswith(_PICTURES) and self._state.sent.get(name) != _stat(stat)
                    }
                except FileNotFoundError:
                    continue
                after = _files(self.folder)
                if _texts(before) == _texts(after):
                    stack.enter_context(here.pop_all())
                    found = after | {name: before[name] for name in _texts(before)}
                    return {name: _stat(stat) for name, stat in found.items()}, opened

    def _mirror(self, marks: dict[str, str]) -> None:
        state, folder = self._state, self.folder
        marks = {name: mark for name, mark in marks.items() if Path(name).name != AT_WORK_FILE}
        here = {name: _stat(stat) for name, stat in _files(folder).items()} if folder.is_dir() else {}
        same = {n for n, m in marks.items() if state.marks.get(n) == m and n in here and state.sent.get(n) == here[n]}
        state.token, state.sent, state.marks = "", {name: here[name] for name in same}, {n: marks[n] for n in same}
        self._save()
        for name in here.keys() - same:
            (folder / name).unlink()
        wanted = sorted(marks.keys() - same)
        for name in wanted:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        report, done = waiting(f"fetching {self.store.address}"), 0
        for names in self.store.get(wanted, folder):
            report(done := done + len(names), len(wanted))
        state.sent |= {name: _stat((folder / name).stat()) for name in wanted}
        state.marks = marks
        self._save()

    def _wait_for_silence(self, there: _AtWork) -> None:
        """Return once who says that it is at work is dead, as it seems; BusyError if it lives."""
        report, begun = waiting(f"{self.store.address}: waiting for a sign of life from {there.host}"), time.monotonic()
        while (waited := time.monotonic() - begun) < SILENT:
            report(round(waited), round(SILENT))
            time.sleep(min(_LISTEN, SILENT / 5))
            now = self.at_work()
            if now is None:
                return
            if now != there:
                raise BusyError(
                    f"{self.store.address}: process {now.pid} on {now.host} is at work in this folder; wait for it or "
                    "stop it"
                )

    def _has(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def _save(self) -> None:
        formats.write_json(self._file, self._state)


def _files(folder: Path) -> dict[str, os.stat_result]:
    """Every file of a folder that is more than a writer's leftover."""
    found = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            if not formats.is_leftover(path) and path.is_file():
                found[path.relative_to(folder).as_posix()] = path.stat()
    return found


def _texts(files: dict[str, os.stat_result]) -> dict[str, int]:
    return {name: stat.st_ino for name, stat in files.items() if not name.endswith(_PICTURES)}


def _stat(stat: os.stat_result) -> Stat:
    return stat.st_size, stat.st_mtime_ns
