"""The picture mirrored, the words kept: left is right now."""

import re

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie, never
from counterbench.prompts.claims import Beside, Claim, Count
from counterbench.prompts.nouns import plural

# Things that a mirror changes themselves: writing, and what has a left or right of its own.
_HANDED = re.compile(
    r"\b(texts?|words?|letters?|signs?|numbers?|captions?|titles?|logos?|labels?|clocks?|watch(es)?|maps?|flags?|books?"
    r"|posters?|newspapers?|(left|right)\w*|hands?|arms?|legs?|feet|foot|eyes?|ears?|gloves?|shoes?|mirrors?)\b"
)


class Mirror(Relation):
    """The question "is the X to the left (or right) of the Y?", about the picture and its mirror image.

    Sound: with exactly one X and exactly one Y, both of which are asked too, X is not to the left of Y in a picture and
    in its mirror image. Nothing follows from two times no: one may be above the other, or missing. With duplicates the
    right answers to "exactly one" break no clause. Refused are questions about writing, and things that have a left or
    right of their own.
    It catches who says what the prompt says, and who takes left for right at random; not who always does.
    """

    name = "mirror"

    def tie(self, claim: Claim, words: str) -> Tie:
        """The same words about the mirror image, and the number of each thing."""
        if not isinstance(claim, Beside) or claim.every or _HANDED.search(f"{claim.thing} {claim.other}"):
            return NOTHING
        return Tie(
            (
                Extra("mirrored", claim, "mirrored", words),
                Extra("one", Count(plural(claim.thing), 1)),
                Extra("one_other", Count(plural(claim.other), 1)),
            ),
            (never(asked="yes", mirrored="yes", one="yes", one_other="yes"),),
        )
