"""Claims of which only one can be true."""

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie, never
from counterbench.prompts.claims import Beside, Claim, Coloured, Count

# A colour that nobody takes for the first one.
_FAR = {
    "red": "blue", "green": "purple", "blue": "yellow", "yellow": "blue", "orange": "blue", "purple": "green",
    "pink": "green", "cyan": "red", "brown": "blue", "black": "yellow", "white": "red", "gray": "red", "grey": "red",
}  # fmt: skip


class Exclusive(Relation):
    """Exactly n, exactly n + 1 and exactly n − 1; entirely red and entirely blue; all to the left and all to the right.

    Sound: a number is one number; what is entirely red is not entirely blue, and a thing of two colours is neither;
    if every X is to the left of every Y, and there are some, no X is to the right of a Y. The question as it was asked
    may be loose: "three dogs" may be four, so that only "exactly two" contradicts it, and "red" may be red in part, so
    that only "entirely blue" does. Who says no to "red" may not say yes to "entirely red". Refused are all others.
    It catches who says yes to everything; not who says what the prompt suggests, and says no to all else.
    """

    name = "exclusive"

    def tie(self, claim: Claim, words: str) -> Tie:
        """The claims that exclude it, and each other."""
        if isinstance(claim, Count) and claim.how != "at least" and claim.number > 0:
            more, less = Count(claim.things, claim.number + 1), Count(claim.things, claim.number - 1)
            clauses = [never(asked="yes", less="yes"), never(more="yes", less="yes")]
            clauses += [never(asked="yes", more="yes")] if claim.how == "exactly" else []
            return Tie((Extra("more", more), Extra("less", less)), tuple(clauses))
        if isinstance(claim, Coloured) and claim.colour in _FAR:
            own, far = (Coloured(claim.thing, colour, True) for colour in (claim.colour, _FAR[claim.colour]))
        elif isinstance(claim, Beside) and not claim.every:
            own, far = claim.turned.turned, claim.turned  # type: ignore[assignment]
        else:
            return NOTHING
        return Tie(
            (Extra("all", own), Extra("all_other", far)),
            (
                never(asked="yes", all_other="yes"),
                never(all="yes", all_other="yes"),
                never(all="yes", asked="no"),
            ),
        )
