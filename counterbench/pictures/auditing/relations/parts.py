"""A claim and the parts that it needs."""

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie, never
from counterbench.prompts.claims import Beside, Both, Claim, Coloured, Count, Present
from counterbench.prompts.nouns import COLOURS

# Nouns that are something else with a colour before them: a red panda is no panda.
_OTHERWISE = ("panda", "hole", "bull", "herring", "dwarf", "giant", "eye", "light", "house", "board", "collar", "box")


class Parts(Relation):
    """A conjunction against its parts: a cat and a dog need a cat, a red ball needs a ball, two dogs need a dog.

    Sound: whoever says yes to the whole must say yes to each part; and of "a cat and a dog" whoever says yes to both
    parts must say yes to the whole. A ball of two colours is a ball. "Is X to the left of Y?" and "is the X red?" need
    an X. Refused are adjectives other than colours (a toy dog is no dog), and names such as "red panda".
    It catches who answers the whole from the words and the parts from the picture; not who answers all in one way.
    """

    name = "parts"

    def tie(self, claim: Claim, words: str) -> Tie:
        """Each part."""
        if isinstance(claim, Both):
            return Tie(
                (Extra("one", claim.one), Extra("other", claim.other)),
                (
                    never(asked="yes", one="no"),
                    never(asked="yes", other="no"),
                    never(one="yes", other="yes", asked="no"),
                ),
            )
        return Tie(extras := _needed(claim), tuple((("asked", "yes"), (extra.name, "no")) for extra in extras))


def _needed(claim: Claim) -> tuple[Extra, ...]:
    match claim:
        case Present():
            colour, _, noun = claim.thing.partition(" ")
            if colour in COLOURS and noun and noun.split()[-1] not in _OTHERWISE:
                return (Extra("part", Present(noun, claim.number)),)
        case Count() if claim.number > 0 and claim.how != "at least":
            return (Extra("part", Count(claim.things, 1, "at least")),)
        case Beside() if not claim.every:
            return (Extra("one", Present(claim.thing)), Extra("other", Present(claim.other)))
        case Coloured() if not claim.entirely:
            return (Extra("part", Present(claim.thing)),)
    return NOTHING.extras
