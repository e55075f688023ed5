"""Two pictures side by side: what each shows alone is known, and what both show together adds up."""

from counterbench.pictures.auditing.relations.base import NOTHING, Clause, Extra, Relation, Tie, never
from counterbench.prompts.claims import Claim, Count, InOne, Present


class TwoInOne(Relation):
    """Two pictures A and B of different prompts, as A|B and as B|A.

    Sound: pasting changes no thing, so the left picture of A|B shows what A shows, that of B|A what B shows. If A has
    just n of a thing and B has some, both together have not n; if B has none, they have. Exactly one of them shows a
    thing if one does and the other does not. It takes a thing, or a number that says "exactly" or answers "how many".
    Refused are plurals and loose numbers, which do not add up in every reading.
    It catches who reads both pictures as one, and who says yes (or a prompt's number) whatever there is.
    """

    name = "two-in-one"

    def tie(self, claim: Claim, words: str) -> Tie:
        """B alone, the left one of each order, and both together."""
        if isinstance(claim, Present) and claim.number != "many":
            there, alone = Extra("other", claim, "other", words), words
            joint = Extra("together", InOne(claim), "together")
            sums: tuple[Clause, ...] = (
                never(asked="yes", other="yes", together="yes"),
                never(asked="no", other="no", together="yes"),
                never(asked="yes", other="no", together="no"),
                never(asked="no", other="yes", together="no"),
            )
        elif isinstance(claim, Count) and claim.how == "exactly":
            there, alone = Extra("other", Count(claim.things, 1, "at least"), "other"), claim.text
            joint = Extra("together", claim, "together")
            sums = (
                never(asked="yes", other="yes", together="yes"),
                never(asked="yes", other="no", together="no"),
                never(asked="no", other="no", together="yes"),
            )
        else:
            return NOTHING
        swapped = Extra("swapped", there.claim, "right first", there.words)
        return Tie(
            (there, Extra("left", claim, "left first", alone), swapped, joint),
            (
                never(asked="yes", left="no"),
                never(asked="no", left="yes"),
                never(other="yes", swapped="no"),
                never(other="no", swapped="yes"),
                *sums,
            ),
        )
