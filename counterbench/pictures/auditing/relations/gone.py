"""Plain grey in the place of the picture: nothing that needs to be present is there."""

import re

from counterbench.pictures.auditing.relations.base import NOTHING, Extra, Relation, Tie, never
from counterbench.prompts.claims import Both, Claim, Count, Present
from counterbench.prompts.nouns import COLOURS

# Things that plain grey may be taken for, unless they have another colour.
_GREY = re.compile(
    r"\b(gr[ae]y|(wall|floor|ceiling|cloud|surface|texture|pattern|shadow|screen|paper|square|rectangle|fabric|cloth|road"
    r"|stone|canvas|shape|blanket|carpet|backdrop|board|curtain)s?"
    r"|sky|skies|fog|mist|smoke|haze|concrete|pavement|asphalt|steel|metal|dust|ice|snow|water|ocean|sea|space|wallpaper)\b"
)

_COLOURED = re.compile(rf"\b({'|'.join(COLOURS[:-2])})\b")


class Gone(Relation):
    """The question itself, about a plain grey picture of the same size.

    Sound: plain grey shows nothing, so that "yes" is wrong by itself: for a thing, a number above 0, two things.
    Refused are all other questions (of what is not there, "is it red?" has no right answer), and things that plain grey
    may be taken for, such as a wall, fog or the sky.
    It catches who says yes, or what the words suggest, without looking.
    """

    name = "gone"

    def tie(self, claim: Claim, words: str) -> Tie:
        """The same words; a number is asked for as a yes/no question."""
        if not isinstance(claim, Present | Both | Count) or (isinstance(claim, Count) and claim.number == 0):
            return NOTHING
        if _GREY.search(claim.text) and not _COLOURED.search(claim.text):
            return NOTHING
        asked = claim.text if isinstance(claim, Count) else words
        return Tie((Extra("grey", claim, "grey", asked),), (never(grey="yes"),))
