"""The base of relations: further questions about a picture, and combinations of answers that cannot all be right."""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import msgspec

from counterbench.prompts.claims import Claim

Answer = Literal["yes", "no"]
# The picture of a question: as it is, another prompt's picture, plain grey, turned left for right; the two side by side
# (a question about the left one, the same with the other one on the left, or about both together); and changes that
# change no truth.
Edit = Literal[
    "", "other", "grey", "mirrored", "left first", "right first", "together",
    "jpeg", "smaller", "padded", "brighter",
]  # fmt: skip
PAIRED: tuple[Edit, ...] = ("other", "left first", "right first", "together")  # need another picture
ASKED = "asked"  # the name of the question that is audited, in clauses

# Answers, by the name of their question, that cannot all be right.
Clause = tuple[tuple[str, Answer], ...]


class Extra(msgspec.Struct, frozen=True):
    """A further question of a relation. `words`: the question itself, of which the claim tells the truth."""

    name: str
    claim: Claim
    edit: Edit = ""
    words: str = ""  # by default the claim's own

    @property
    def asks(self) -> str:
        """The question by itself."""
        return self.words or self.claim.text

    @property
    def text(self) -> str:
        """The question as it is asked; about two pictures, it says first which one is meant."""
        words = self.asks
        if self.edit in ("left first", "right first"):
            return f"{_SIDE_BY_SIDE} Answer about the left picture only: {words}"
        return f"{_SIDE_BY_SIDE} Answer about both of them together: {words}" if self.edit == "together" else words


_SIDE_BY_SIDE = "The image shows two pictures side by side."


class Tie(msgspec.Struct, frozen=True):
    """The further questions about one that is audited, and the clauses; empty if the relation refuses it."""

    extras: tuple[Extra, ...] = ()
    clauses: tuple[Clause, ...] = ()


NOTHING = Tie()


class Relation(ABC):
    """One relation; its docstring says when its clauses are sound, and what it refuses.

    Sound: no picture and no one reading of the words breaks a clause, however many of the things there are.
    """

    name: ClassVar[str]

    @abstractmethod
    def tie(self, claim: Claim, words: str) -> Tie:
        """The further questions about a claim, which `words` asked about the picture as it is."""


def never(**answers: Answer) -> Clause:
    """A clause: these answers, by the names of their questions, cannot all be right."""
    return tuple(answers.items())
