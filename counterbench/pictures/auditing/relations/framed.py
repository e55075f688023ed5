"""The question in the frame that denies it, as runs ask some of their checks."""

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie
from counterbench.prompts.claims import Beside, Claim, Coloured, Count, Denial, Present


class Framed(Relation):
    """The question "is the following false: …?", about the same picture.

    It has no clauses here: what a run contradicts in it is counted there (`judging.negation`). It is tried on drawings
    alone, since a judge that cannot answer such a question does not contradict itself by its answers.
    """

    name = "framed"

    def tie(self, claim: Claim, words: str) -> Tie:
        """The denial."""
        asked = isinstance(claim, Present | Count | Beside | Coloured)
        return Tie((Extra("framed", Denial(claim)),)) if asked else NOTHING  # type: ignore[arg-type]
