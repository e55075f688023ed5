"""Outcomes of a reply: exactly one of four, never mixed (an instrument's failure is never a score)."""

import msgspec


class Answer(msgspec.Struct, frozen=True, tag="answer", omit_defaults=True):
    """The reply gives one answer."""

    value: str  # in canonical form ("yes", "4", "red", "red circle")
    confidence: float | None = None  # from 0 to 1, of a verdict that states it
    evidence: str = ""  # of a finding


class Unparsed(msgspec.Struct, frozen=True, tag="unparsed"):
    """The reply gives no answer, or several without a final one; `reason` tells which."""

    reason: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The judge declined to answer; `evidence` is the phrase that says so."""

    evidence: str


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """No reply came: the judge or the connection failed. Asked again on resume, never counted as an answer."""

    kind: str
    message: str = ""


Outcome = Answer | Unparsed | Refused | Failed
OUTCOME_NAMES: tuple[str, ...] = ("answer", "unparsed", "refused", "failed")


def outcome_name(outcome: object) -> str:
    """ "answer", "unparsed", "refused" or "failed"."""
    name = type(outcome).__name__.lower()
    assert name in OUTCOME_NAMES
    return name
