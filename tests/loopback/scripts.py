"""Scripts: which request gets which response. Wherever one takes a response, it takes a script too."""

import hashlib
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from loopback.asked import Asked
from loopback.messages import Message, Respond, Say, Status, refuse

Script = Callable[[Asked], "Respond | Awaitable[Respond]"]


def script_of(given: Respond | Script) -> Script:
    return (lambda asked: given) if isinstance(given, Respond) else given


def by_attempt(responses: Sequence[Respond | Script]) -> Script:
    """Each question's first attempt gets the first of them, and so on; the last is kept to."""
    scripts = [script_of(response) for response in responses]
    return lambda asked: scripts[min(asked.attempt, len(scripts)) - 1](asked)


def every(n: int, fault: Respond | Script, otherwise: Respond | Script | None = None) -> Script:
    """Every n-th request gets the fault."""
    chosen, other, count = script_of(fault), script_of(otherwise or Say()), itertools.count(1)
    return lambda asked: (chosen if next(count) % n == 0 else other)(asked)


def after(n: int, then: Respond | Script, before: Respond | Script | None = None) -> Script:
    """The first n requests get `before`, the others `then`."""
    first, later, count = script_of(before or Say()), script_of(then), itertools.count(1)
    return lambda asked: (first if next(count) <= n else later)(asked)


def where(test: Callable[[Asked], bool], fault: Respond | Script, otherwise: Respond | Script | None = None) -> Script:
    """What the test says yes to gets the fault."""
    chosen, other = script_of(fault), script_of(otherwise or Say())
    return lambda asked: (chosen if test(asked) else other)(asked)


def refusing(
    *parameters: str, otherwise: Respond | Script | None = None, saying: Callable[[str], Status] = refuse
) -> Script:
    """Requests that hold one of these parameters are refused, one parameter at a time, in the words of `saying`."""
    other = script_of(otherwise or Say())

    def script(asked: Asked) -> Respond | Awaitable[Respond]:
        held = [name for name in parameters if isinstance(asked.body, dict) and name in asked.body]
        return saying(held[0]) if held else other(asked)

    return script


def out_of_order(spread: float, of: Message | None = None) -> Script:
    """Replies are late by up to `spread` seconds, by a hash of question and attempt, so they come in another order."""
    message = of or Say()

    def script(asked: Asked) -> Message:
        digest = hashlib.blake2b(f"{asked.key} {asked.attempt}".encode(), digest_size=8).digest()
        return replace(message, delay=message.delay + spread * int.from_bytes(digest, "big") / 2**64)

    return script
