"""The question denied: either there is a thing or there is none."""

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie, never
from counterbench.prompts.claims import Absent, Claim, Present


class Denied(Relation):
    """The questions "is there an X?" and "is it true that there is no X?", about the same picture.

    Sound: one of them is true and the other is not, whatever X is, if its words are read in one way. Of a plural only
    two times yes is a contradiction: where there is one, neither "dogs" nor "no dogs" may be said to be there. Refused
    is all that is not about a thing alone: what is denied of "is the X red?" is not certain.
    It catches who says yes (or no) to everything; not who says what the prompt suggests, which fits both questions.
    """

    name = "denied"

    def tie(self, claim: Claim, words: str) -> Tie:
        """Its denial."""
        if not isinstance(claim, Present):
            return NOTHING
        both_yes, both_no = never(asked="yes", denied="yes"), never(asked="no", denied="no")
        extras = (Extra("denied", Absent(claim)),)
        return Tie(extras, (both_yes,) if claim.number == "many" else (both_yes, both_no))
