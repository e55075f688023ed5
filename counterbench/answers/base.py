"""What an answer type is: a name, its canonical values, and how to read one stretch of text as such a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import IntEnum
from typing import ClassVar, NamedTuple

from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.errors import InputError


class Stance(IntEnum):
    """How a reply stands to a value it mentions."""

    FIRM = 0
    DOUBTFUL = 1
    DENIED = 2
    MENTIONED = 3  # an echo of the question, a landmark, the worse half of a comparison: no stand at all


class Candidate(NamedTuple):
    """A value that a reply mentions, and the reply's stance to it."""

    value: str
    stance: Stance


class Reading:
    """All values that a stretch of text mentions, and what they come to."""

    def __init__(self, candidates: Iterable[Candidate] = ()) -> None:
        seen = dict.fromkeys(c for c in candidates if c.stance is not Stance.MENTIONED)
        self.firm = tuple(dict.fromkeys(c.value for c in seen if c.stance is Stance.FIRM))
        self.doubtful = tuple(dict.fromkeys(c.value for c in seen if c.stance is Stance.DOUBTFUL))
        self.denied = tuple(dict.fromkeys(c.value for c in seen if c.stance is Stance.DENIED))

    def __bool__(self) -> bool:
        """Whether any value is mentioned with a stance."""
        return bool(self.firm or self.doubtful or self.denied)

    @property
    def value(self) -> str | None:
        """The one value that the text stands by; None if there is none or more than one."""
        if len(self.firm) != 1 or self.firm[0] in self.denied or any(v != self.firm[0] for v in self.doubtful):
            return None
        return self.firm[0]

    @property
    def held(self) -> tuple[str, ...]:
        """The values that the text holds possible."""
        return tuple(dict.fromkeys(self.firm + self.doubtful))

    def outcome(self) -> Outcome:
        """Answer if the text stands by one value, else Unparsed with the reason."""
        if self.value is not None:
            return Answer(self.value)
        if len(self.held) > 1:
            return Unparsed(f"several answers, none marked as final: {_list(self.held)}")
        if self.firm:
            return Unparsed(f"both says and denies {self.firm[0]}")
        if self.doubtful:
            return Unparsed(f"no firm answer, only: {self.doubtful[0]}")
        if self.denied:
            return Unparsed(f"only says what it is not: {_list(self.denied)}")
        return Unparsed("no answer in the reply")


def merge(readings: Iterable[Reading]) -> Reading:
    """One reading of several stretches of a reply."""
    merged = Reading()
    parts = list(readings)
    merged.firm = tuple(dict.fromkeys(v for r in parts for v in r.firm))
    merged.doubtful = tuple(dict.fromkeys(v for r in parts for v in r.doubtful))
    merged.denied = tuple(dict.fromkeys(v for r in parts for v in r.denied))
    return merged


class AnswerType(ABC):
    """One type of answer. A new type is one subclass in its own file and one line in `registry`."""

    name: ClassVar[str]
    alphabet: ClassVar[tuple[str, ...] | None] = None  # every canonical value, where they can be listed
    json_keys: ClassVar[tuple[str, ...]] = ()  # keys that hold this type of answer, besides "answer" and the like
    bare_words: ClassVar[int] = 1  # how many words a sentence may have that is nothing but an answer
    cue_words: ClassVar[tuple[str, ...]] = ()  # nouns that mark the answer, besides "answer" and the like: "score"
    abstentions: ClassVar[tuple[str, ...]] = ()  # values that a reply which declines may name and still decline
    # The JSON Schema of a reply, for servers with structured output (OpenAI's strict mode); None: plain words are
    # asked for. Replies of a type with a schema are read as JSON more strictly: its own keys come first, and an object
    # inside one that is cut off is no answer.
    schema: ClassVar[dict[str, object] | None] = None

    @abstractmethod
    def read(self, text: str, synonyms: bool) -> Reading:
        """The values that a stretch of prose (cleaned, without markup) mentions."""

    def prepare(self, text: str) -> str:
        """The cleaned reply in the spelling that this type reads; done before anything else looks at it."""
        return text

    def settle(self, answer: Answer, marked: str, plain: str) -> Outcome:
        """The outcome for the value that a reply stands by, which may be one that this type does not allow.

        `marked` is the cleaned reply, `plain` the same without markup.
        """
        return answer

    def cued(self, text: str, synonyms: bool) -> Reading | None:
        """What the cues say that only this type has ("Total: 3"); None if there are none."""
        return None

    def json_text(self, value: object) -> str | None:
        """The words for the value of an answer's key in JSON; None if no answer of this type looks like that."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, str | int | float) else None

    def json_object_text(self, data: dict[str, object]) -> str | None:
        """The words for a JSON object that is the answer as a whole; None if it is not one."""
        return None

    def is_canonical(self, value: str) -> bool:
        """Whether `value` is one of the type's canonical values."""
        return self.alphabet is not None and value in self.alphabet

    def canonical(self, value: str) -> str:
        """`value` itself if it is in canonical form, else InputError: for truths, which are never parsed."""
        if not self.is_canonical(value):
            shown = f"; choose from: {', '.join(self.alphabet)}" if self.alphabet else ""
            raise InputError(f"not a canonical {self.name} answer: {value!r}{shown}")
        return value


def _list(values: tuple[str, ...]) -> str:
    shown = ", ".join(value[:40] for value in values[:4])
    return shown if len(values) <= 4 else f"{shown}, …"
