"""What an answer type is: a name, its canonical values, and which of them a stretch of text names."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar

from counterbench.answers.outcomes import Answer, Outcome
from counterbench.errors import InputError

DENIED = "not "  # before a value that is named only to be denied


class AnswerType(ABC):
    """One type of answer. A new type is one subclass in its own file and one line in `registry`.

    All texts that it is given are cleaned (`clean`), without markup, and as `spelled` returns them.
    """

    name: str
    alphabet: ClassVar[tuple[str, ...] | None] = None  # every canonical value, where they can be listed
    json_keys: ClassVar[tuple[str, ...]] = ()  # keys that hold this type of answer, besides "answer" and the like
    cue_words: ClassVar[tuple[str, ...]] = ()  # nouns that mark the answer, besides "answer" and the like: "score"
    bare_words: ClassVar[int] = 1  # how many words a line may have that is nothing but an answer
    # What opens a reply as its answer, in its first group, before a reason that may deny: "0 - it does not show it".
    lead: ClassVar[re.Pattern[str] | None] = None
    hedges: ClassVar[re.Pattern[str] | None] = None  # what leaves open which value is meant, besides HEDGE in `plain`
    negatable: ClassVar[bool] = True  # whether a "not" in its sentence undoes a value
    once: ClassVar[bool] = False  # whether one value named twice may be two parts of the answer
    abstentions: ClassVar[tuple[str, ...]] = ()  # values that a reply which declines may name and still decline
    # The JSON Schema of a reply, for servers with structured output (OpenAI's strict mode); None: plain words are
    # asked for. In JSON replies of a type with a schema its own keys come before "answer".
    schema: dict[str, object] | None = None

    @abstractmethod
    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """The values that a stretch names, in order; one that it denies with DENIED before it."""

    def read_all(self, reply: str) -> Outcome | None:
        """The outcome of a reply that is the answer as a whole, not yet cleaned; None: its one value is looked for."""
        return None

    def spelled(self, text: str) -> str:
        """A reply in the spelling that `mentions` reads."""
        return text

    def whole(self, text: str) -> str | None:
        """The value of a stretch that is nothing but a word which means other things elsewhere ("true")."""
        return None

    def is_parted(self, value: str, parts: list[str]) -> bool:
        """Whether `parts`, named to explain `value`, make it up."""
        return False

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The outcome for what a reply states, which may be no value that this type allows."""
        return answer

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
