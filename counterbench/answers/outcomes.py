"""Outcomes of a reply, exactly one of four, and the base of the answer types.

Outcomes are never mixed: an instrument's failure is never a score. An answer type has a name, canonical values, and a
search for them in text.
"""

import re
from typing import ClassVar

import msgspec

from counterbench.answers.lazy import lazily
from counterbench.errors import InputError


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


# Texts that servers, routers and harnesses put where a reply would be.
_ERROR_TEXT = lazily(
    r"\s*(?:(?:ERROR|Error|error):|\[LMMS_EVAL_(?:REQUEST_FAILED|BUDGET_EXCEEDED)|Failed to obtain answer"
    r"|(?i:error code: ?[45]\d\d|(?:http )?(?:error )?[45]\d\d[: -]+(?:error|bad|too many|internal|service|gateway"
    r"|server|client)|internal server error|bad gateway|gateway time-?out|too many requests"
    r"|rate limit (?:exceeded|reached)|(?:the )?(?:request timed out|connection (?:timed out|error|refused|was reset))"
    r"|upstream (?:connect )?error|traceback \(most recent call|<!doctype html|<html"
    r"|\{\s*\"error\"\s*:\s*[{\"](?!.*\"(?:answer|score)\")))",
    re.DOTALL,
)


def is_error_text(reply: str) -> bool:
    """True if a reply is the text of an error, and not a judge's answer."""
    return _ERROR_TEXT.match(reply) is not None


Outcome = Answer | Unparsed | Refused | Failed
OUTCOME_NAMES: tuple[str, ...] = ("answer", "unparsed", "refused", "failed")


def outcome_name(outcome: object) -> str:
    """The kind of an outcome as a word: "answer", "unparsed", "refused" or "failed"."""
    name = type(outcome).__name__.lower()
    assert name in OUTCOME_NAMES
    return name


DENIED = "not "  # before a value that is named only to be denied


def object_schema(properties: dict[str, object]) -> dict[str, object]:
    """The JSON Schema of an object with these properties and no others, for servers with structured output."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


class AnswerType:
    """One type of answer. A new type is a subclass, and a line in `parsing`.

    Its methods get text that is cleaned (`explicit.clean`), without markup, and normalised by `normalised`. A stretch
    is a part of a reply that may state the answer, such as the words after "Answer:". `synonyms`: True if other words
    for our colours and shapes count as these, False if they are other answers.
    """

    name: str
    alphabet: tuple[str, ...] | None = None  # every canonical value, where they can be listed
    json_keys: ClassVar[tuple[str, ...]] = ()  # keys that hold this type of answer, besides "answer" and the like
    cue_words: ClassVar[tuple[str, ...]] = ()  # nouns that mark the answer, besides "answer" and the like: "score"
    bare_words: ClassVar[int] = 1  # most words of a line that is only an answer
    # An answer that opens the reply, in the first group, before a reason that may deny: "0 - it does not show it".
    lead: ClassVar[re.Pattern[str] | None] = None
    hedges: ClassVar[re.Pattern[str] | None] = None  # words that leave the value open, besides HEDGE in `plain`
    clash: ClassVar[re.Pattern[str] | None] = None  # a value, and words after it that deny it
    negatable: ClassVar[bool] = True  # a "not" in its sentence undoes a value
    counts: ClassVar[bool] = False  # values are numbers of things; one that is named twice may be of two parts
    abstentions: ClassVar[tuple[str, ...]] = ()  # values that a reply may name and still decline
    # The JSON Schema of a reply, for servers with structured output (OpenAI's strict mode); None for plain words. In
    # JSON replies of a type with a schema, its own keys come before "answer".
    schema: dict[str, object] | None = None

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """The values that a stretch names, in order; a denied one with DENIED before it. Unused if `read_all` reads."""
        return []

    def read_all(self, reply: str) -> Outcome | None:
        """The outcome of a raw reply that is read as one answer; None if a single value must be found in it."""
        return None

    def with_marks_as_words(self, reply: str) -> str:
        """A reply, not yet cleaned, with words for marks that cleaning would blank."""
        return reply

    def normalised(self, text: str) -> str:
        """A reply in the spelling that `mentions` reads."""
        return text

    def whole_value(self, text: str) -> str | None:
        """The value of a stretch that is only one word, which has other meanings in a sentence ("true"); else None."""
        return None

    def is_sum_of(self, value: str, parts: list[str]) -> bool:
        """True if `parts`, named to explain `value`, add up to it."""
        return False

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The outcome of a stated answer, which may be no value of this type; `reply`: the whole reply, not cleaned."""
        return answer

    def json_text(self, value: object) -> str | None:
        """The words for the value of an answer's key in JSON; None if it cannot be an answer of this type."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, str | int | float) else None

    def json_object_text(self, data: dict[str, object]) -> str | None:
        """The words for a JSON object that is the answer as a whole; None if it is not one."""
        return None

    def is_canonical(self, value: str) -> bool:
        """True if `value` is one of the type's canonical values."""
        return self.alphabet is not None and value in self.alphabet

    def canonical(self, value: str) -> str:
        """`value` itself if it is in canonical form, else InputError: for truths, which are never parsed."""
        # Of some types `is_canonical` takes more than the choices, so that "3, no, 7" is no 3.
        if not self.is_canonical(value) or (self.alphabet is not None and value not in self.alphabet):
            shown = f"; choose from: {', '.join(self.alphabet)}" if self.alphabet else ""
            raise InputError(f"not a canonical {self.name} answer: {value!r}{shown}")
        return value
