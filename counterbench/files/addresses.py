"""Handles addresses of files in stores elsewhere (s3://bucket/run): reads from them, uploads to them, hides secrets.

Commands take a path or an address. `fetched` gives the path of a local copy, in which all work is done; `uploaded`
brings a run's folder to an address every five minutes, so that another machine can fetch it (`resume`) and go on if
this one is lost. `shown` and `masked` give texts without passwords and tokens, for messages and files. Stores are
reached through the package fsspec (extra `export`).
"""

import atexit
import contextlib
import functools
import os
import re
import shutil
import signal
import tempfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterbench.errors import CounterbenchError, InputError
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.files.locks import LOCK, locked

PathLike = str | os.PathLike[str]

# An address: scheme and rest. `Path("s3://bucket/run")` leaves one slash. A Windows drive, one letter, is no scheme.
_ADDRESS = re.compile(r"((?:[\w+.-]+::)*[A-Za-z][A-Za-z0-9+.-]+):/{1,3}(.*)", re.DOTALL)

_HIDDEN = "…"  # in place of a secret
_AFTER_SCHEME = r"(?<=[A-Za-z0-9+.-]{2}):/{1,3}"
# In web addresses a user's name may be a token. Elsewhere a password goes from the first colon after the scheme to the
# last @ in the same word, since it may contain almost any character.
_USER = re.compile(r"""(?<=http|ttps)(:/{1,3})[^\s"/@]+(?:@[^\s"/@]+){0,9}(?=@)""", re.IGNORECASE)
_PASSWORD = re.compile(rf"""({_AFTER_SCHEME}[^\s"/:\[]*:)[^\s"]{{1,2000}}(?=@)""")
_PARAMETERS = re.compile(rf"""({_AFTER_SCHEME}[^\s"<>?#]{{0,2000}}[?#])[^\s"'<>\\]+""")
# The local copies that this process fetched: by path, the address without secrets.
copies: dict[str, str] = {}


def address_of(path: PathLike) -> str:
    """The address that `path` is, with two slashes; empty if it is a path of this machine.

    >>> address_of("s3://bucket/run"), address_of("runs/smoke")
    ('s3://bucket/run', '')
    """
    match = _ADDRESS.fullmatch(os.fspath(path))
    return f"{match[1]}://{match[2]}" if match else ""


def shown(path: PathLike) -> str:
    """A path or address as it may be shown and stored: without secrets; of a local copy it is the address."""
    return masked(address_of(path) or os.fspath(path))


def masked(text: str) -> str:
    """A text without the passwords, tokens and parameters of addresses in it; paths of copies become addresses.

    >>> masked("sftp://me:word@host/run"), masked("https://token@host/a.csv?sig=word")
    ('sftp://me:…@host/run', 'https://…@host/a.csv?…')
    """
    for copy, address in copies.items():
        text = text.replace(copy, address)
    for pattern in (_USER, _PASSWORD, _PARAMETERS):
        text = pattern.sub(rf"\1{_HIDDEN}", text)
    return text


NO_FETCH = "COUNTERBENCH_NO_FETCH"  # the environment variable that forbids to fetch
UPLOAD_PERIOD = 300.0  # seconds from one upload of a run to the next


def fetched(path: PathLike) -> Path:
    """The path itself or, for an address, that of a copy of the file or folder there.

    The copy is deleted when this process ends. InputError if nothing is at the address.
    """
    address = address_of(path)
    if not address:
        return Path(path)
    refuse_address(address)
    name = shown(address).rstrip("/…?#").rpartition("/")[2]
    copy = _folder_of_copies() / str(len(copies)) / name
    if not _fetch(address, copy):
        raise InputError(f"{shown(address)}: there is nothing")
    copies[str(copy)] = shown(address)
    return copy


def refuse_address(address: str) -> None:
    """InputError if the variable NO_FETCH is set, as on a server where strangers name what is read."""
    if os.environ.get(NO_FETCH):
        raise InputError(f"{shown(address)}: addresses are not fetched here: the variable {NO_FETCH} is set")


def written(path: PathLike, option: str = "out") -> Path:
    """The path to write to; InputError for an address, where nothing can be written.

    `option`: the command's option that gave the path, without its dashes, for the message.
    """
    if address_of(path):
        raise InputError(
            f"--{option} {shown(path)}: is not on this machine; give a folder here (probe and t2i judge bring a run to "
            f"an address with --upload {shown(path)})"
        )
    return Path(path)


def resume(run: Path, address: str, to: str) -> None:
    """Fetch a run's folder from an address, unless it is on this machine already; nothing for an empty address.

    `to`: the address to which the run will be uploaded; empty for none. InputError if something is there already and
    the run is not on this machine.
    """
    if address and run.exists():
        warnings.warn(f"{run}: is on this machine and goes on; nothing is fetched from {shown(address)}", stacklevel=1)
    elif address:
        partial = run.with_name(f".{run.name}{formats.PARTIAL}")
        with formats.clear_os_errors(run, "writing"):
            run.parent.mkdir(parents=True, exist_ok=True)
        with formats.clear_os_errors(run, "writing"), locked(run.with_name(f".{run.name}{LOCK}"), str(run)):
            shutil.rmtree(partial, ignore_errors=True)
            if _fetch(address, partial):
                partial.rename(run)
            else:
                warnings.warn(f"{shown(address)}: there is nothing yet; the run begins", stacklevel=1)
    if to:
        system, path = opened(to)
        with clear_errors(to, "reading"):
            is_taken = bool(system.exists(path)) and bool(system.find(path))
        if is_taken and not run.exists():
            raise InputError(f"--upload {shown(to)}: a run is there; --resume-from {shown(to)} goes on with it")


@contextlib.contextmanager
def uploaded(run: Path, address: str) -> Iterator[None]:
    """A context that uploads a run's folder to an address from time to time, and once at its end.

    If the block raises InputError, there is no upload at the end.
    """
    ended = threading.Event()

    def upload_at_times() -> None:
        """Upload the folder every `UPLOAD_PERIOD` seconds until the block has ended; a failure is only a warning."""
        while not ended.wait(UPLOAD_PERIOD):
            try:
                upload(run, address)
            except InputError as error:
                warnings.warn(f"{error}; it is tried again", stacklevel=1)

    thread = threading.Thread(target=upload_at_times, daemon=True)
    thread.start()
    is_ours = True
    try:
        with _stopped_by_schedulers():
            yield
    except InputError:  # another run may lie in the folder
        is_ours = False
        raise
    finally:
        ended.set()
        if is_ours:
            thread.join()
            upload(run, address)


def upload(folder: Path, address: str, last: str = "") -> None:
    """Upload all files of a folder to an address; the file named `last` comes last.

    If a run goes on during the upload, the lines that it adds meanwhile may be missing there.
    """
    system, path = opened(address)
    files = [file for file in folder.rglob("*") if file.is_file() and not formats.is_leftover(file)]
    with clear_errors(address, "writing"):
        for file in sorted(files, key=lambda file: (file.name == last, file)):
            system.put_file(str(file), f"{path}/{file.relative_to(folder).as_posix()}")


@functools.cache
def _folder_of_copies() -> Path:
    """The temporary folder for copies of files from addresses, deleted when this process ends."""
    folder = tempfile.mkdtemp(prefix="counterbench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _fetch(address: str, to: Path) -> bool:
    """Fetch the file or folder at an address into `to`; False if nothing is there."""
    system, path = opened(address)
    to.parent.mkdir(parents=True, exist_ok=True)
    with clear_errors(address, "reading"):
        if system.isfile(path):
            system.get_file(path, str(to))
            return True
        names = [name for name in system.find(path) if not name.endswith("/")]
        targets = [to / name.removeprefix(path).lstrip("/") for name in names]
        if any(".." in target.parts for target in targets):
            raise InputError(f"{shown(address)}: has a file whose name leads out of the folder")
        system.get(names, list(map(str, targets)))
    return bool(names)


def opened(address: str) -> tuple[Any, str]:
    """The file system of an address (an object of fsspec), and the path within it."""
    core = needed("fsspec.core", shown(address), "export")
    with clear_errors(address, "reading"):
        system, path = core.url_to_fs(address)
        system.invalidate_cache()
    return system, str(path).rstrip("/")


@contextlib.contextmanager
def clear_errors(address: str, doing: str) -> Iterator[None]:
    """A context that turns any error of a store into an InputError; every store has its own classes of errors.

    `doing`: "reading" or "writing", for the message.
    """
    try:
        yield
    except CounterbenchError:
        raise
    except Exception as error:
        why = masked(str(error)) or type(error).__name__
        if isinstance(error, ImportError):  # the packages of a store are extras of fsspec: s3, gs, http
            why += f"; pip install 'fsspec[{address.partition(':')[0].replace('https', 'http')}]' installs it"
        raise InputError(f"{shown(address)}: {doing} failed: {why}") from error


@contextlib.contextmanager
def _stopped_by_schedulers() -> Iterator[None]:
    """A context in which a scheduler's signal to end (SIGTERM) acts like Ctrl-C, so that the end is uploaded."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
