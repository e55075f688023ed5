"""Answer types whose answer is the reply as a whole, and no value that a sentence names."""

from __future__ import annotations

from abc import abstractmethod

from counterbench.answers.base import AnswerType
from counterbench.answers.outcomes import Outcome


class WholeType(AnswerType):
    """A type that reads a reply itself."""

    @abstractmethod
    def read_all(self, reply: str) -> Outcome:
        """The outcome of the judge's own words, not yet cleaned."""

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """None: no stretch of the reply stands for it."""
        return []
