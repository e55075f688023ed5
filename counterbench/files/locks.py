"""One process at a time: a lock that is held while a block runs. However its process ends, the system releases it."""

import contextlib
import os
import re
import socket
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from counterbench.errors import InputError

try:
    import fcntl
except ImportError:  # on Windows nothing is locked
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"  # how the names of these files end
# The locks that this process holds, each with the process's id: the system would grant it a lock a second time. A
# forked process gets a copy of this dictionary, but holds none of the locks: the id tells whose they are.
_held: dict[Path, int] = {}
_taking = threading.Lock()  # one thread at a time takes a lock


@contextlib.contextmanager
def locked(file: Path, what: str, remedy: str = "") -> Iterator[None]:
    """Hold the lock `file` while the block runs; the file is deleted at its end. Only programs of ours respect it.

    InputError, which names the holder, if another process (or another block of this one) holds it. `what` is the thing
    in use and `remedy` an alternative to waiting, both for the message. On Windows nothing is locked.
    """
    place = file.absolute()
    with contextlib.ExitStack() as stack:
        with _taking:
            taken = fcntl is None or _take(place, stack)
        if not taken:
            other = f"; or {remedy}" if remedy else ""
            raise InputError(
                f"{what}: is in use by {_owner(place)}; wait until it ends, or stop it; then run the same command again"
                + other
            )
        yield


def _take(place: Path, stack: contextlib.ExitStack) -> bool:
    """Take the lock, to be released by `stack`; False if another process, or a block of this one, holds it.

    True without a lock where the file system has none.
    """
    while _held.get(place) != os.getpid():
        file = stack.enter_context(place.open("a+"))
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:  # a file system without locks
            place.unlink(missing_ok=True)
            return True
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), place.stat()):  # its owner may just have deleted it
                file.truncate(0)
                file.write(f"process {os.getpid()} on {socket.gethostname()}, since {datetime.now():%Y-%m-%d %H:%M:%S}")
                file.flush()
                _held[place] = os.getpid()
                stack.callback(place.unlink, missing_ok=True)
                stack.callback(_held.pop, place)
                return True
        file.close()
    return False


def _owner(place: Path) -> str:
    """The process that holds the lock at `place`, in words."""
    try:
        text = "" if _held.get(place) == os.getpid() else place.read_text("utf-8")
    except (OSError, ValueError):
        text = ""
    matched = re.fullmatch(r"process \d+ on [\w.-]+, since [\d :-]+", text)
    return text if matched else f"process {os.getpid()}, this one" if place in _held else "another process"
