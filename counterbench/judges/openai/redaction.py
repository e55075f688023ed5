"""Secrets are taken out of what a server says before anything of it is kept, in whatever common way it writes them."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterable
from functools import cache

import msgspec

from counterbench.answers.soft import Token

HIDDEN = "[key]"
# So many characters tell a long secret.
_BEGINNING = 16


def redact(text: str, secrets: Iterable[str]) -> str:
    r"""`text` without the secrets.

    They are found in upper and lower case, and with any of their characters written as JSON, Python, HTML or an
    address writes them, also several times over (`\u002b`, `\\/`, `&#43;`, `%252B`). Of a long one that was cut short
    its beginning is enough.
    """
    for secret in secrets:
        text = _spellings(secret).sub(HIDDEN, text)
    return text


def redact_tokens(tokens: tuple[Token, ...], secrets: tuple[str, ...]) -> tuple[Token, ...]:
    """`tokens` without the secrets: not in one, in its alternatives, nor spread over several."""
    text = "".join(token.text for token in tokens)
    hidden = bytearray(len(text))
    for secret in secrets:
        for found in _spellings(secret).finditer(text):
            hidden[found.start() : found.end()] = b"\1" * len(found[0])
    kept, end = [], 0
    for token in tokens:
        start, end = end, end + len(token.text)
        if 1 in hidden[start:end]:
            kept.append(Token(HIDDEN, token.logprob))
        else:
            top = tuple((redact(other, secrets), logprob) for other, logprob in token.top)
            kept.append(msgspec.structs.replace(token, top=top))
    return tuple(kept)


@cache
def _spellings(secret: str) -> re.Pattern[str]:
    # The first character begins with one of few letters, so that a search skips what is none of them.
    ways = [_ways(secret[0], ""), *(_ways(char, re.escape(char)) for char in secret[1:])]
    begun = f"|{''.join(ways[:_BEGINNING])}[^\\s\"'<>]*" if len(secret) >= 2 * _BEGINNING else ""
    return re.compile("".join(ways) + begun)


def _ways(char: str, escaped: str) -> str:
    """The ways to write a character; with as many backslashes as one likes before it where it may be `escaped`."""
    code = f"{ord(char):02x}"
    digits = "".join(f"[{digit}{digit.upper()}]" for digit in code)
    names = [f"#0{{0,5}}{ord(char)}", f"#[xX]0{{0,5}}{digits}", *_entities(char)]
    slashes = rf"\\{{1,8}}(?:u00{digits}|x{digits}|{escaped})" if escaped else rf"\\(?:u00{digits}|x{digits})"
    plain = {re.escape(char.lower()), re.escape(char.upper())}
    ways = (*sorted(plain), slashes, rf"%(?:25){{0,3}}{digits}", rf"&(?:amp;){{0,3}}(?:{'|'.join(names)});?")
    return f"(?:{'|'.join(ways)})"


@cache
def _entities(char: str) -> list[str]:
    names = {name.rstrip(";") for name, written in html.entities.html5.items() if written == char}
    return sorted(map(re.escape, names))
