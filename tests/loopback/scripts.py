"""Scripts: which request gets which response. Wherever one takes a response, it takes a script too."""

import hashlib
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from loopback.asked import Asked
from loopback.messages import Message, Respond, Say, Status, refuse

Script = Callable[[Asked], "Respond | Awaitable[Respond]"]


def script_of(given: Respond | Script) -> Script:
    return (lambda request: given) if isinstance(given, Respond) else given


def by_attempt(responses: Sequence[Respond | Script]) -> Script:
    """Each question's first attempt gets the first of them, and so on; the last is kept to."""
    scripts = [script_of(response) for response in responses]
    return lambda request: scripts[min(request.attempt, len(scripts)) - 1](request)


def every(n: int, fault: Respond | Script, otherwise: Respond | Script | None = None) -> Script:
    """Every n-th request gets the fault."""
    chosen, other, count = script_of(fault), script_of(otherwise or Say()), itertools.count(1)
    return lambda request: (chosen if next(count) % n == 0 else other)(request)


def after(n: int, then: Respond | Script, before: Respond | Script | None = None) -> Script:
    """The first n requests get `before`, the others `then`."""
    first, later, count = script_of(before or Say()), script_of(then), itertools.count(1)
    return lambda request: (first if next(count) <= n else later)(request)


def where(test: Callable[[Asked], bool], fault: Respond | Script, otherwise: Respond | Script | None = None) -> Script:
    """What the test says yes to gets the fault."""
    chosen, other = script_of(fault), script_of(otherwise or Say())
    return lambda request: (chosen if test(request) else other)(request)


def refusing(
    *parameters: str, otherwise: Respond | Script | None = None, saying: Callable[[str], Status] = refuse
) -> Script:
    """Requests that hold one of these parameters are refused, one parameter at a time, in the words of `saying`."""
    other = script_of(otherwise or Say())

    def script(request: Asked) -> Respond | Awaitable[Respond]:
        held = [name for name in parameters if isinstance(request.body, dict) and name in request.body]
        return saying(held[0]) if held else other(request)

    return script


def out_of_order(spread: float, reply: Message | None = None) -> Script:
    """Replies are late by up to `spread` seconds, by a hash of question and attempt, so they come in another order."""
    message = reply or Say()

    def script(request: Asked) -> Message:
        digest = hashlib.blake2b(f"{request.key} {request.attempt}".encode(), digest_size=8).digest()
        return replace(message, delay=message.delay + spread * int.from_bytes(digest, "big") / 2**64)

    return script
