"""The copy here of what is at an address: made like it, and sent to it.

The oldest change is sent first: pictures before what tells of them. So what is there can be gone on with at any time.
What was made here and is not there is never deleted: if the address was written to since, it is set aside.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from counterbench.errors import BusyError, FormatError, InputError
from counterbench.files import formats
from counterbench.files.addresses import STATE, UNSENT, address_of, place
from counterbench.files.kinds import MARKS
from counterbench.files.store import Report, Store

AT_WORK_FILE = ".at-work.json"
SILENT = 45.0  # seconds after which whoever says that it is at work, and does not say it again, is taken for dead
SETTLED = 1.0  # seconds after which two that began at once know which of them began last
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
    """What a copy knows of its address.

    `token`: under which it is written to, or was by whoever died at it; empty once all of it was sent. `sent`: every
    file as it was here when it was the same there; `marks`: the store's marks of them.
    """

    token: str = ""
    sent: dict[str, Stat] = {}
    marks: dict[str, str] = {}


class Copy:
    """The copy of what is at an address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, Store(address_of(folder))
        assert folder == place(self.store.address)
        self._beside = folder.parents[1]
        self._file = self._beside / STATE / f"{folder.name}.json"
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
            self._state = self._read()
            yield

    def come(self) -> None:
        """Make the copy what is at the address, unless it is ahead of it: then who was killed left it so here.

        InputError if nothing of ours is there, or nothing that could be read yet.
        """
        top, there = self._look()
        if there is not None and not top & {*MARKS}:
            raise InputError(
                f"{self.store.address}: is not finished: {there.host} is at work there, or was; the same command goes "
                "on with it"
            )
        if not self._is_ahead(there):
            self._mirror(top)

    def begin(self) -> None:
        """Make the copy what is at the address, which from now on is this process's to write to.

        BusyError if another process is at work there: one that says again that it is, or began at the same time.
        """
        _, there = self._look()
        ahead = self._is_ahead(there)
        if there is not None and there.token != self._state.token:
            self._wait_for_silence(there)
        token = self._state.token if ahead else secrets.token_hex(8)
        self._say(_AtWork(token, socket.gethostname(), os.getpid()))
        try:
            if not ahead:
                time.sleep(SETTLED)
                self._mirror(self._look()[0])
            self.folder.mkdir(parents=True, exist_ok=True)
            self._state.token = token
            self._save()
            self.refuse_taken()
        except BaseException:
            if (now := self.at_work()) is not None and now.token == token:
                self.store.remove(AT_WORK_FILE)
            raise

    def beat(self, number: int) -> None:
        """Say that this process is at work, and still lives; BusyError if another has taken over."""
        self.refuse_taken()
        self._say(_AtWork(self._state.token, socket.gethostname(), os.getpid(), number))

    def at_work(self) -> _AtWork | None:
        """Who says that it is at work there."""
        data = self.store.read(AT_WORK_FILE)
        return formats.decode(data, _AtWork, f"{self.store.address}/{AT_WORK_FILE}") if data else None

    @property
    def is_kept(self) -> bool:
        """Whether a process of this machine is at work on it, or died at it: what is newest is here."""
        return bool(self._read().token)

    def refuse_taken(self) -> None:
        """BusyError unless it is this process that is at work there."""
        there = self.at_work()
        if there is None or there.token != self._state.token:
            who = f"process {there.pid} on {there.host}" if there is not None else "nobody, as it says,"
            raise BusyError(f"{self.store.address}: {who} is at work in this folder now, and no more this one")

    def send(self, report: Report) -> None:
        """Bring to the address what is new here, and delete there what is gone here; `report(done, total)` of files.

        BusyError as soon as another process has taken over.
        """
        if not self._file.is_file():
            raise InputError(f"{self.store.address}: its copy here was deleted while it was written to")
        with tempfile.TemporaryDirectory(prefix="sending-", dir=self._file.parent) as texts:
            found, copied = self._snapshot(Path(texts))
            new = [name for name in found if self._state.sent.get(name) != found[name]]
            new.sort(key=lambda name: (found[name][1], name in copied))
            done = 0
            for is_text, names in groupby(new, key=copied.__contains__):
                for sent in self.store.put(names, Path(texts) if is_text else self.folder, self.refuse_taken):
                    self._state.sent |= {name: found[name] for name in sent}
                    report(done := done + len(sent), len(new))
        gone = self._state.sent.keys() - found.keys()
        if gone:
            self.refuse_taken()
        for name in gone:
            self.store.remove(name)
            del self._state.sent[name]
        if new or gone:
            self._save()

    def leave(self) -> None:
        """Say that nobody is at work there any more; all was sent."""
        self._state.marks = {name: mark for name, mark in self.store.marks().items() if name in self._state.sent}
        self.refuse_taken()
        self.store.remove(AT_WORK_FILE)
        self._state.token = ""
        self._save()

    def set_aside(self) -> Path:
        """Put the whole copy, in which something is that was not sent, where nothing is done to it; that place."""
        now = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
        aside = self._beside / UNSENT / f"{self.folder.name}-{now}"
        aside.parent.mkdir(exist_ok=True)
        self.folder.rename(aside)
        self._state = _State()
        self._save()
        return aside

    def has_unsent(self) -> bool:
        """Whether something is here that was written here and not sent."""
        return bool(self._state.token) and any(
            self._state.sent.get(name) != _stat(stat) for name, stat in _files(self.folder).items()
        )

    def _look(self) -> tuple[set[str], _AtWork | None]:
        """What lies directly below the address, and who is at work there; InputError if it is nothing of ours."""
        address = self.store.address
        if self.store.is_file():
            raise InputError(f"{address}: is a file; name the address of a folder")
        top = self.store.top()
        if top and not top & {*MARKS, AT_WORK_FILE}:
            raise InputError(
                f"{address}: is not empty, and holds nothing that counterbench wrote; name another, or a folder in it"
            )
        return top, self.at_work() if AT_WORK_FILE in top else None

    def _is_ahead(self, there: _AtWork | None) -> bool:
        """Whether whoever is at work there is, or was, of this machine, and its copy is whole."""
        has_all = all((self.folder / name).is_file() for name in self._state.sent)
        return there is not None and there.token == self._state.token and has_all

    def _snapshot(self, texts: Path) -> tuple[dict[str, Stat], set[str]]:
        """Every file that is here, and those that have changed and are no pictures, copied: all as of one moment.

        What they tell of was there before they did, so pictures are looked for after them. Of a file that has grown
        since, its begin is what was there; if one was replaced, all are copied anew.
        """
        while True:
            before = _files(self.folder)
            stats = {name: _stat(stat) for name, stat in before.items() if not name.endswith(_PICTURES)}
            changed = {name for name, stat in stats.items() if self._state.sent.get(name) != stat}
            try:
                for name in changed:
                    _copy_begin(self.folder / name, texts / name, stats[name][0])
            except FileNotFoundError:
                continue
            after = _files(self.folder)
            if _texts(before) == _texts(after):
                return {name: _stat(stat) for name, stat in after.items()} | stats, changed

    def _mirror(self, top: set[str]) -> None:
        """Make the copy what is there; files that nothing tells of yet are none, and are left alone."""
        if self.has_unsent():
            aside = self.set_aside()
            warnings.warn(
                f"{self.store.address} was written to elsewhere since, or is another store: what had not been sent "
                f"from here is in {aside}",
                stacklevel=1,
            )
        state, folder = self._state, self.folder
        marks = self.store.marks() if top & {*MARKS} else {}
        marks = {name: mark for name, mark in marks.items() if Path(name).name != AT_WORK_FILE}
        here = {name: _stat(stat) for name, stat in _files(folder).items()}
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

    def _say(self, at_work: _AtWork) -> None:
        self.store.write(AT_WORK_FILE, formats.encode(at_work))

    def _read(self) -> _State:
        """What is known of the address; of a damaged file nothing, but that not all may have been sent."""
        try:
            return formats.read_json(self._file, _State) if self._file.is_file() else _State()
        except FormatError:
            return _State(token="damaged")

    def _save(self) -> None:
        formats.write_json(self._file, self._state)


def _files(folder: Path) -> dict[str, os.stat_result]:
    """Every file of a folder that is more than a writer's leftover; OSError if part of it cannot be listed."""

    def fail(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    found = {}
    for where, _, names in os.walk(folder, onerror=fail):
        for path in (Path(where, name) for name in names):
            with contextlib.suppress(FileNotFoundError):
                if not formats.is_leftover(path) and path.is_file():
                    found[path.relative_to(folder).as_posix()] = path.stat()
    return found


def _copy_begin(path: Path, to: Path, length: int) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)
    os.truncate(to, min(length, to.stat().st_size))


def _texts(files: dict[str, os.stat_result]) -> dict[str, int]:
    return {name: stat.st_ino for name, stat in files.items() if not name.endswith(_PICTURES)}


def _stat(stat: os.stat_result) -> Stat:
    return stat.st_size, stat.st_mtime_ns
