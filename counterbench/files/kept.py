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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from counterbench.errors import BusyError, CounterbenchError, InputError
from counterbench.files import copies
from counterbench.files.addresses import PathLike, address_of, place
from counterbench.files.copies import Copy
from counterbench.files.store import Store

EVERY = 10.0  # seconds from one look at what is new to the next
# Of this time at most such a part goes into sending: a journal is sent whole whenever it has grown.
_PART = 0.1
_FIRST = 1.0  # seconds to the first: what says what is being made is there soon
_AGAIN = 0.2  # seconds until it is seen whether another process has fetched what this one is to read

_HERE = "all of it is here, and the same command again on this machine sends it"

_kept: set[Path] = set()


def fetched(path: PathLike) -> Path:
    """`path`, or of an address its copy, once that is what is there; where nothing is, there is no copy.

    InputError if the store cannot be read, or what is there is nothing of ours.
    """
    copy = place(path)
    if not _is_copy(copy) or _within(copy):
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
    if not _is_copy(folder) or _within(folder):
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


def _is_copy(folder: Path) -> bool:
    """Whether it is the whole copy of an address, and no folder in one."""
    address = address_of(folder)
    return bool(address) and folder == place(address)


def _within(folder: Path) -> bool:
    return any(folder.is_relative_to(other) for other in _kept)


class _Sender:
    """Threads that send what is new in a copy, and say that this process lives, until `end`, which sends the rest."""

    def __init__(self, copy: Copy) -> None:
        self._copy, self._taken = copy, False
        self._sent, self._left = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._send, self._live)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Send what is left and leave. InputError if that fails, BusyError if another has taken over."""
        address = self._copy.store.address
        sending, living = self._threads
        try:
            self._sent.set()
            sending.join()
            self._copy.send(copies.waiting(f"sending {address}"))
            self._left.set()
            living.join()
            self._copy.leave()
        except BusyError as error:
            aside = self._copy.set_aside() if self._copy.has_unsent() else None
            raise BusyError(f"{error}; {f'what was not sent is in {aside}' if aside else 'all was sent'}") from None
        except InputError as error:
            raise InputError(f"{error}; {_HERE}") from None
        except KeyboardInterrupt as stop:
            stop.add_note(f"{address}: not all is there; {_HERE}")
            raise
        finally:
            self._left.set()

    def _send(self) -> None:
        due, pause = 0.0, min(EVERY, _FIRST)
        while not self._sent.wait(pause):
            pause, begun = EVERY, time.monotonic()
            if begun >= due:
                self._try(lambda: self._copy.send(lambda done, total: None))
                due = time.monotonic() + (time.monotonic() - begun) / _PART

    def _live(self) -> None:
        beats = 0
        while not self._left.wait(EVERY):
            beats += 1
            self._try(partial(self._copy.beat, beats))

    def _try(self, work: Callable[[], None]) -> None:
        """What fails is tried again later; nothing is once another process has taken over."""
        if self._taken:
            return
        try:
            work()
        except BusyError:
            self._taken = True
        except (CounterbenchError, OSError) as error:
            warnings.warn(f"{error}; it is tried again", stacklevel=1)
