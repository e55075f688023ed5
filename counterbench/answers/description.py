"""Answers in words of any number: a description, which is read by the next question and never scored."""

from __future__ import annotations

from counterbench.answers.clean import clean
from counterbench.answers.outcomes import Answer, Outcome, Refused
from counterbench.answers.plain import sentences
from counterbench.answers.reading import NOTHING
from counterbench.answers.refusal import refusal
from counterbench.answers.whole import WholeType

LONGEST = 16_000  # characters that are kept: about what fits into 4,096 tokens
# Sentences in which a reply declines; further on "there is no picture on the wall" is what it describes.
_OPENING = 2


class DescriptionType(WholeType):
    """The reply's own words, without its reasoning. `expected` of such a check is "": nothing is right or wrong."""

    name = "description"

    def read_all(self, reply: str) -> Outcome:
        """All that is said, unless it declines."""
        plain = clean(reply)
        if not plain:
            return NOTHING
        declined = refusal(".".join(sentences(plain)[:_OPENING]))
        if declined is not None:
            return Refused(declined[:200])
        words = reply.strip().encode(errors="replace").decode()  # half a character cannot be asked with
        return Answer(words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()} …")

    def is_canonical(self, value: str) -> bool:
        """Any words."""
        return bool(value.strip())
