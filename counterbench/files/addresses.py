"""Addresses of files elsewhere (s3://bucket/run): recognised, and shown and stored without secrets."""

import os
import re

PathLike = str | os.PathLike[str]

# `Path("s3://bucket/run")` has one slash. A drive of Windows has one letter.
_ADDRESS = re.compile(r"((?:[\w+.-]+::)*[A-Za-z][A-Za-z0-9+.-]+):/{1,3}(.*)", re.DOTALL)

_HIDDEN = "…"
_BEGIN = r"(?<=[A-Za-z0-9+.-]{2}):/{1,3}"
# In web addresses a user's name may be a token. Elsewhere a password goes from the first colon after the scheme to the
# last @ in the same word, since it may contain almost any sign.
_USER = re.compile(r"""(?<=http|ttps)(:/{1,3})[^\s"/@]+(?:@[^\s"/@]+){0,9}(?=@)""", re.IGNORECASE)
_PASSWORD = re.compile(rf"""({_BEGIN}[^\s"/:\[]*:)[^\s"]{{1,2000}}(?=@)""")
_PARAMETERS = re.compile(rf"""({_BEGIN}[^\s"<>?#]{{0,2000}}[?#])[^\s"'<>\\]+""")
# The local paths of everything that this process fetched, each with its address as it is shown.
copies: dict[str, str] = {}


def address_of(path: PathLike) -> str:
    """The address in `path`; empty if it is a path of this machine.

    >>> address_of("s3://bucket/run"), address_of("runs/smoke")
    ('s3://bucket/run', '')
    """
    match = _ADDRESS.fullmatch(os.fspath(path))
    return f"{match[1]}://{match[2]}" if match else ""


def shown(path: PathLike) -> str:
    """A path for display and storage: an address without passwords and tokens, also for its local copy."""
    return masked(address_of(path) or os.fspath(path))


def masked(text: str) -> str:
    """A text without the passwords, tokens and parameters of addresses in it; addresses stand in place of their copies.

    >>> masked("sftp://me:word@host/run"), masked("https://token@host/a.csv?sig=word")
    ('sftp://me:…@host/run', 'https://…@host/a.csv?…')
    """
    for copy, address in copies.items():
        text = text.replace(copy, address)
    for pattern in (_USER, _PASSWORD, _PARAMETERS):
        text = pattern.sub(rf"\1{_HIDDEN}", text)
    return text
