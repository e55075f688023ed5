"""Folders at an address: fetched to be read, and kept there as they are written.

Both are done in the address's copy here (see `addresses`). An object store has neither locks nor files that grow. So
who writes says in `.at-work.json` that it does, and sends every few seconds what is new. Of a process that was killed
another machine goes on with what is at the address, and this machine with all of it.
"""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from counterbench.errors import BusyError, CounterbenchError, InputError
from counterbench.files import copies
from counterbench.files.addresses import PathLike, address_of, place
from counterbench.files.copies import Copy
from counterbench.files.store import Store

EVERY = 10.0  # seconds from one look at what is new to the next
# Of this time at most such a part goes into sending: a journal is sent whole whenever it has grown.
_PART = 0.1
_AGAIN = 0.2  # seconds until it is seen whether another process has fetched what this one is to read

_kept: set[Path] = set()


def fetched(path: PathLike) -> Path:
    """`path`, or of an address its copy, once that is what is there; where nothing is, there is no copy.

    InputError if the store cannot be read, or what is there is nothing of ours.
    """
    copy = place(path)
    if not address_of(copy) or _within(copy):
        return copy
    found = Copy(copy)
    if found.store.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        found.store.get_file(copy)
        return copy
    while True:
        try:
            with found.alone():
                found.come()
            return copy
        except BusyError:
            if found.is_kept:  # by another process of this machine: what is newest is here
                return copy
            time.sleep(_AGAIN)


def named(source: str) -> str:
    """What `source` names, a suite or a path; of an address the path of its copy, as `fetched` makes it."""
    copy = place(source)
    return str(fetched(copy)) if address_of(copy) else source


def matching(path: PathLike) -> list[PathLike]:
    """`path`, or the addresses that an address with a `*` in it stands for, as no shell knows them."""
    address = address_of(place(path))
    return [*Store(address).matching()] if "*" in address else [path]


@contextlib.contextmanager
def kept(folder: Path) -> Iterator[None]:
    """As long as the block runs, `folder` is this process's and, if it is a copy, sent to its address as it changes.

    Before the block it is made what is there. InputError if the store fails then or at the end; what it lacks stays
    here, and the same again sends it. BusyError if another process is at work there, on whatever machine.
    """
    if not address_of(folder) or _within(folder):
        yield
        return
    copy = Copy(folder)
    with copy.alone():
        copy.begin()
        _kept.add(folder)
        sender = _Sender(copy)
        try:
            yield
        except BaseException as error:
            try:
                sender.end()
            except CounterbenchError as failure:
                error.add_note(str(failure))
            raise
        else:
            sender.end()
        finally:
            _kept.discard(folder)


def _within(folder: Path) -> bool:
    return any(folder.is_relative_to(other) for other in _kept)


class _Sender:
    """A thread that sends what is new in a copy, until `end`, which sends the rest."""

    def __init__(self, copy: Copy) -> None:
        self._copy, self._over, self._taken = copy, threading.Event(), False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Send what is left and leave. InputError if that fails, BusyError if another has taken over."""
        address = self._copy.store.address
        self._over.set()
        self._thread.join()
        try:
            if self._taken or not self._copy.is_ours:
                raise BusyError(
                    f"{address}: another process has taken over, or what was there was deleted; what was made since is "
                    f"in {self._copy.folder} alone"
                )
            self._copy.send(copies.waiting(f"sending {address}"))
            self._copy.leave()
        except InputError as error:
            raise InputError(
                f"{error}; all is kept here, and the same command again on this machine sends it"
            ) from None

    def _work(self) -> None:
        beats, due = 0, time.monotonic()
        while not self._over.wait(EVERY):
            try:
                if not self._copy.is_ours:
                    self._taken = True
                    return
                self._copy.beat(beats := beats + 1)
                if (begun := time.monotonic()) >= due:
                    self._copy.send(lambda done, total: None)
                    due = time.monotonic() + (time.monotonic() - begun) / _PART
            except (CounterbenchError, OSError) as error:
                warnings.warn(f"{error}; it is tried again", stacklevel=1)
