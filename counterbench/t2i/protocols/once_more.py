"""A question to an author, and a second one if its reply cannot be used; there is no third."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from counterbench.answers.outcomes import Refused, Unparsed
from counterbench.t2i.protocols.asks import CONTEXT, Ask, Replies

_SHOWN = 2_000  # the most characters of a reply that are shown to its author again


def written(id: str, text: str, system: str) -> Ask:
    """A question to an author, who sees no picture and answers in any number of words."""
    return Ask(id=id, text=text, answer_type=CONTEXT, sees=False, system=system)


def once_more(ask: Ask, said: Replies, wrong: Callable[[str], str]) -> tuple[Ask, ...]:
    """The next questions: `ask`, then nothing, or once more if `wrong` finds a fault in its reply.

    An author that refused is not asked again. A reply that was cut off or empty is asked for once more.
    """
    if ask.id not in said:
        return (ask,)
    if _again(ask.id) in said:
        return ()
    reply = said[ask.id]
    if isinstance(reply.outcome, Refused):
        return ()
    fault = wrong(reply.answer) if reply.answer is not None else _lost(reply.outcome)
    if not fault:
        return ()
    shown = f"\n\nYour reply was:\n{reply.answer[:_SHOWN]}" if reply.answer is not None else ""
    text = f"{ask.text}{shown}\n\nThat reply cannot be used: {fault}. Write it anew, in the form that was asked for."
    return (msgspec.structs.replace(ask, id=_again(ask.id), text=text, fault=fault),)


def settling(asks: Iterable[str]) -> list[str]:
    """The ids of questions whose reply counts: of a question that was asked once more, the later one."""
    known = [*asks]
    return [id for id in known if _again(id) not in known]


def last_answer(id: str, said: Replies) -> str | None:
    """The answer to a question that counts, which is the later of two; None if there is none."""
    reply = said.get(_again(id), said.get(id))
    return reply.answer if reply is not None else None


def _again(id: str) -> str:
    return f"{id}-again"


def _lost(outcome: object) -> str:
    return outcome.reason if isinstance(outcome, Unparsed) else ""
