"""Addresses of what lies elsewhere (s3://bucket/run). Each has a copy here, whose path says which address it is of.

So a copy is a path like any other to whoever works on it, and what is told to people names the address. Passwords in
addresses are known to the process that they were given to (`reached`), and are in no path, file or message.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from counterbench.errors import InputError

PathLike = str | os.PathLike[str]

# `Path("s3://bucket/run")` has one slash. A drive of Windows has one letter.
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?:|/{1,3}(.*))", re.DOTALL)
_HERE = ("file", "local")
# The copy of s3://bucket/run is copies/s3/bucket/@/run, so an address below that has a copy of its own elsewhere. Next
# to "@" is what is known of the copies in it, and what was set aside of them.
_COPY = "@"
STATE, UNSENT = "@state", "@unsent"

_HIDDEN = "…"
# An address in a text is from its scheme to the next one that stands in another word, to the end of a string of JSON,
# or to the end of the line.
_BEGIN = r"(?<=[A-Za-z0-9+.-]{2}):/{1,3}"
_IN_TEXT = re.compile(rf"""({_BEGIN})(.*?)(?=\s\S*{_BEGIN}|"(?:[\s,:}}\]]|$)|$)""", re.MULTILINE)
# A colon before these is one of a port or of a sentence, where no @ follows in the same word.
_NO_PASSWORD = re.compile(r"""(?:\d+(?=[\s/?#,;:.)'"\]]|$)|\s|$)""")
_SPACE, _AFTER_HOST = re.compile(r"\s"), re.compile(r"[/?#\s]")
# Hints say openai:MODEL?logprobs=5 after an address: no address ends in these words.
_PARAMETERS = re.compile(r"""(?<!MODEL)(?<!PATH)([?#])[^\s"'<>\\]+""")
# By addresses as they are shown, and by their parts up to the host: as they were given.
_given: dict[str, str] = {}
_of_one_file: set[str] = set()  # as they are shown: those that were given with parameters


def home() -> Path:
    """Where copies are: `counterbench` in $XDG_CACHE_HOME, or in ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "counterbench"  # noqa: PTH111


def place(path: PathLike) -> Path:
    """Where to work on what is at `path`: there, or, of an address, at its copy, which need not be there yet.

    >>> place("runs/smoke").as_posix(), place("file:///data/run").as_posix()
    ('runs/smoke', '/data/run')
    """
    text = os.fspath(path)
    found = _ADDRESS.fullmatch(text)
    if found is None and not re.match(r"[\w+.-]+::.*:/", text):
        return Path(path)
    system, inside = (found[1].lower(), (found[2] or "").strip("/")) if found else ("", "")
    if system in _HERE:
        return Path("/", inside)
    shown = masked(text, alone=True)
    if not inside or {"..", _COPY, STATE, UNSENT} & set(inside.split("/")):
        raise InputError(f"{shown}: is no address of a folder; give one such as s3://bucket/run")
    if not home().is_absolute():
        raise InputError(
            f"{masked(text, alone=True)}: its copy needs a place here; set XDG_CACHE_HOME, as there is no home"
        )
    folder, _, name = _shown(f"{system}://{inside}").partition("://")[2].rpartition("/")
    return _copies() / system / folder / _COPY / name


def masked(text: str, alone: bool = False) -> str:
    """A text without the passwords and tokens of addresses in it; the one way to store or show an address.

    `alone`: the text is one address, so white space in it is part of it. A password is from the first colon after the
    scheme to the last @, since no sign is sure to be in none. Of web addresses a user's name alone may be a token.
    Parameters and fragments are hidden whole.

    >>> masked("sftp://me:word@host/run"), masked("https://token@host/a.csv?sig=word")
    ('sftp://me:…@host/run', 'https://…@host/a.csv?…')
    """
    if alone:
        begin = re.search(_BEGIN, text)
        return text[: begin.end()] + _hidden(text[: begin.start()], text[begin.end() :], True) if begin else text
    return _IN_TEXT.sub(lambda found: found[1] + _hidden(text[: found.start()][-5:], found[2], False), text)


def _hidden(before: str, body: str, alone: bool) -> str:
    """What follows the scheme of an address, which is at the end of `before`, without passwords and tokens."""
    web = before.lower().endswith(("http", "https"))
    colon = body.find(":", body.find("]") + 1 if body.startswith("[") else 0)  # none of an IPv6 address
    spaced = alone or ("/" not in body[: max(colon, 0)] and not _NO_PASSWORD.match(body, colon + 1))
    at = (body if spaced else _SPACE.split(body, 1)[0]).rfind("@")
    start, at = (colon + 1, at) if 0 <= colon < at else (0, -1)
    if web:
        start, at = 0, at if at >= 0 else _AFTER_HOST.split(body, 1)[0].rfind("@")
    shown, rest = "", body
    if at >= 0:
        shown = body[:start] + _HIDDEN
        rest = body[len(shown) :] if body.startswith(f"{shown}@") else body[at:]
    if alone:
        first = re.search(r"[?#](?=.)", rest, re.DOTALL)
        return shown + (f"{rest[: first.end()]}{_HIDDEN}" if first else rest)
    return shown + _PARAMETERS.sub(rf"\1{_HIDDEN}", rest)


def _shown(address: str) -> str:
    """The address as its copy has it: without password and parameters, which are remembered."""
    hidden = masked(address, alone=True)
    shown = re.sub(f"[?#]{_HIDDEN}$", "", hidden)
    if hidden != address and f"{_HIDDEN}@" not in address:
        root = _root(shown)
        if shown == hidden:
            _given[root] = address.removesuffix(shown.removeprefix(root))
        elif _given.setdefault(shown, address) != address:
            raise InputError(f"{hidden}: differs in its parameters alone from an address that was given before")
        else:
            _of_one_file.add(shown)
    return shown


def _root(address: str) -> str:
    """The address up to the end of its host, or of the name after what is hidden, if there is no password before it."""
    begin = max(address.find("://") + 3, address.find(f"{_HIDDEN}@") + 2)
    end = address.find("/", begin)
    return address if end < 0 else address[:end]


def reached(address: str) -> str:
    """A copy's address as it was given to this process, with its password.

    InputError for one that was shown without it, and is given so.
    """
    for known in _of_one_file:
        if address.startswith(f"{known}/"):
            raise InputError(f"{known}?{_HIDDEN}: has parameters or a fragment, and so is of one file and no folder")
    root = _root(address)
    found = _given.get(address) or _given.get(root, root) + address.removeprefix(root)
    if f"{_HIDDEN}@" in _root(found):
        raise InputError(f"{address}: is shown without its password; give it with the password in place of {_HIDDEN}")
    return found


def within(folder: Path, name: str) -> Path:
    """What is called `name` in a folder; of a copy, the copy of what is called so at its address."""
    address = address_of(folder)
    return place(f"{address}/{name}") if address else folder / name


def here(path: PathLike, what: str = "out") -> Path:
    """A path of this machine; InputError, which calls it `what`, for an address."""
    if address := address_of(place(path)):
        raise InputError(f"{what} {address}: this is written on this machine; give a path here, and copy it there")
    return place(path)


def address_of(path: Path) -> str:
    """The address that `path` is the copy of, or within it; empty if it is none.

    >>> address_of(place("s3://bucket/run") / "keys.jsonl"), address_of(Path("runs/smoke"))
    ('s3://bucket/run/keys.jsonl', '')
    """
    if not path.is_relative_to(_copies()):
        return ""
    system, *inside = path.relative_to(_copies()).parts
    if _COPY not in inside:
        return ""
    inside.remove(_COPY)
    return f"{system}://{'/'.join(inside)}"


def told(text: str) -> str:
    """A text for people, with addresses in place of the paths of their copies."""
    copies = re.escape(str(_copies()))
    return re.sub(rf"{copies}/([a-z][a-z0-9+.-]+)/((?:[^\n]*?/)??){_COPY}/", r"\1://\2", text)


def _copies() -> Path:
    return home() / "copies"
