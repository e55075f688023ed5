"""What a reply means: exactly one of four outcomes, never mixed (an instrument's failure is never a score)."""

from __future__ import annotations

import msgspec


class Answer(msgspec.Struct, frozen=True, tag="answer", omit_defaults=True):
    """The reply gives one answer; `value` is in canonical form ("yes", "4", "red", "red circle").

    `confidence`, in 0 … 1, is what a verdict states of itself; None for every other type, or where none is stated.
    `evidence`: what a finding says that it rests on; empty for every other type.
    """

    value: str
    confidence: float | None = None
    evidence: str = ""


class Unparsed(msgspec.Struct, frozen=True, tag="unparsed"):
    """The reply gives no answer, or several with nothing that says which is final; `reason` says which."""

    reason: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The judge declined to answer; `evidence` is the phrase that says so."""

    evidence: str


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """No reply came: the judge or the way to it failed. Asked again on resume, never counted as an answer."""

    kind: str
    message: str = ""


Outcome = Answer | Unparsed | Refused | Failed
OUTCOME_NAMES: tuple[str, ...] = ("answer", "unparsed", "refused", "failed")


def outcome_name(outcome: object) -> str:
    """ "answer", "unparsed", "refused" or "failed"."""
    name = type(outcome).__name__.lower()
    assert name in OUTCOME_NAMES
    return name
