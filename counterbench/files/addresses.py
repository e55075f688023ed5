"""Addresses of files elsewhere (s3://bucket/run): recognised, and shown and stored without secrets."""

from __future__ import annotations

import os
import re

PathLike = str | os.PathLike[str]

# `Path("s3://bucket/run")` has one slash. A drive of Windows has one letter.
_ADDRESS = re.compile(r"((?:[\w+.-]+::)*[A-Za-z][A-Za-z0-9+.-]+):/{1,3}(.*)", re.DOTALL)

_HIDDEN = "…"
# An address in a text goes from its scheme to the next address in another word, to the end of a JSON string, or to the
# end of the line.
_BEGIN = r"(?<=[A-Za-z0-9+.-]{2}):/{1,3}"
_IN_TEXT = re.compile(rf"""({_BEGIN})(.*?)(?=\s\S*{_BEGIN}|"(?:[\s,:}}\]]|$)|$)""", re.MULTILINE)
# A colon before these belongs to a port or a sentence, unless an @ follows in the same word.
_NO_PASSWORD = re.compile(r"""(?:\d+(?=[\s/?#,;:.)'"\]]|$)|\s|$)""")
_SPACE, _AFTER_HOST = re.compile(r"\s"), re.compile(r"[/?#\s]")
# Our hints say openai:MODEL?logprobs=5 after an address: no address ends in these words.
_PARAMETERS = re.compile(r"""(?<!MODEL)(?<!PATH)([?#])[^\s"'<>\\]+""")
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
    address = address_of(path)
    return masked(address, alone=True) if address else masked(os.fspath(path))


def masked(text: str, alone: bool = False) -> str:
    """A text without the passwords and tokens of addresses in it, and with addresses in place of their copies.

    `alone`: the text is one address, so white space is part of it. A password goes from the first colon after the
    scheme to the last @, since it may contain any sign. In web addresses a user's name may be a token. Parameters and
    fragments are hidden whole.

    >>> masked("sftp://me:word@host/run"), masked("https://token@host/a.csv?sig=word")
    ('sftp://me:…@host/run', 'https://…@host/a.csv?…')
    """
    for copy, address in copies.items():
        text = text.replace(copy, address)
    if alone:
        begin = re.search(_BEGIN, text)
        return text[: begin.end()] + _hidden(text[: begin.start()], text[begin.end() :], True) if begin else text
    return _IN_TEXT.sub(lambda found: found[1] + _hidden(text[: found.start()][-5:], found[2], False), text)


def _hidden(before: str, body: str, alone: bool) -> str:
    """The rest of an address after its scheme, which is at the end of `before`, without passwords and tokens."""
    web = before.lower().endswith(("http", "https"))
    colon = body.find(":", body.find("]") + 1 if body.startswith("[") else 0)  # not one inside an IPv6 address
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
