"""Changes that change no truth: the floor of a judge's noise. They are no evidence that its answers are wrong."""

from counterbench.pictures.auditing.relations.base import Edit, Extra, Relation, Tie
from counterbench.prompts.claims import Claim, Count

_EDITS: tuple[Edit, ...] = ("jpeg", "smaller", "padded", "brighter")


class Unchanged(Relation):
    """The question itself about the picture saved as JPEG, smaller, padded or brighter, and in other words.

    It has no clauses: a judge that is wrong in the same way each time passes, and one that is not is only shown to be
    noisy. So it stands beside the others and never in the bound. Refused is nothing.
    """

    name = "unchanged"

    def tie(self, claim: Claim, words: str) -> Tie:
        """One question for each change; a group asks one of them."""
        asked = claim.text if isinstance(claim, Count) and claim.how == "exactly" else words
        edited = tuple(Extra(edit, claim, edit, asked) for edit in _EDITS)
        return Tie((*edited, Extra("words", claim, "", f"Looking at the picture, {asked[0].lower()}{asked[1:]}")))
