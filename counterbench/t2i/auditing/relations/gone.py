"""Plain grey in the place of the picture: nothing that needs to be present is there."""

from counterbench.t2i.auditing.claims import Both, Claim, Count, Present
from counterbench.t2i.auditing.relations.base import NOTHING, Extra, Relation, Tie, never


class Gone(Relation):
    """The question itself, about a plain grey picture of the same size.

    Sound: plain grey shows nothing, so that "yes" is wrong by itself: for a thing, a number above 0, two things.
    Refused are all other questions: of what is not there, "is it red?" has no right answer.
    It catches who says yes, or what the words suggest, without looking.
    """

    name = "gone"
    summary = "plain grey shows no thing"

    def tie(self, claim: Claim, words: str) -> Tie:
        """The same words; a number is asked for as a yes/no question."""
        if not isinstance(claim, Present | Both | Count) or (isinstance(claim, Count) and claim.number == 0):
            return NOTHING
        asked = claim.text if isinstance(claim, Count) else words
        return Tie((Extra("grey", claim, "grey", asked),), (never(grey="yes"),))
