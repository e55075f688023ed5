"""Answers by label: "A" or "Shape A is higher up" to a question that names the shapes labelled A and B.

A label is an answer only to such a question (`labels` of `parse`). In a reply that `spelled` returns, a label is a
capital letter and all else is lower case: so the article "a" differs from the label A.
"""

import re
from functools import cache

from counterbench.answers.base import DENIED
from counterbench.answers.colour_shape import ALONE, ColourShapeType
from counterbench.answers.words import COLOUR, SHAPE

_NOUN = r"(?:shape|one|object|letter|label|labell?ed|marked|lettered)"
# "Option A" may be the first that the question names, which need not be the shape A.
_OTHERS = r"(?:options?|choices?|answers?|images?|pictures?|figures?|panels?|steps?|cases?|parts?)"
# The article stands before other words than the label A does: "a circle", "shape a little higher".
_LABEL_ENDS = re.compile(
    r"[ \t]*(?:$|\n|[^\w\s'-]|[-–][ ])"
    r"|[ ]+(?:is|has|lies|sits|stands|appears|looks|seems|and|or|than|because|since|as|rather)\b"
    r"|[ ]+(?:shape[ ]+)?[a-z](?!\w)|->|[ ]+\d"
)
_ARTICLE = re.compile(r"[ ]+(?:bit|little|lot|few|tad|touch|fraction|small|slight|\w+ly)\b")
_OF_BOTH = re.compile(r"^[ ]*(?:out )?(?:of|between) [^,.;?!\n]{1,80},", re.MULTILINE)
# "Left of B", "closer than shape B" place another shape, by B.
_PREPOSITION = (
    r"(?:of|than|above|below|beneath|under|over|beside|near|behind|past|from|beyond|opposite"
    r"|(?:next|compared|relative|closer?|adjacent|similar|equal) to)"
)
_NAMED = re.compile(rf"(?P<beside>\b{_PREPOSITION}[ ]+)?(?:\b(?:the|{_NOUN})[ ]+)*(?<!\w)(?P<letter>[A-Z])(?!\w)")
_OWN_WORD = re.compile(rf"\b(?:{COLOUR}|{SHAPE})[ ]+(?=(?:{_NOUN}[ ]+)*[A-Z](?!\w))")  # "square A"


class LabelledShapeType(ColourShapeType):
    """A colour and a shape, or one of the labels. Where a shape is named in full, its label says nothing more."""

    hedges = re.compile(rf"{ColourShapeType.hedges.pattern}|\b(?:is|are|the)[ ]*$")  # "A is" alone says nothing

    def __init__(self, labels: tuple[str, ...]) -> None:
        letters = "".join(labels).casefold()
        self._letter = re.compile(
            rf"(?P<other>\b{_OTHERS}[ ]+)?(?P<noun>\b{_NOUN}[ ]+(?:as[ ]+)?)?(?<![\w'.-])(?P<letter>[{letters}])"
            r"(?![\w']|-(?!>)|\.\w)"
        )

    def spelled(self, text: str) -> str:
        """A reply with labels as capital letters, without "of A and B, " before the answer."""
        return self._letter.sub(_capital, _OF_BOTH.sub(" ", text))

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every coloured shape that is named in full; else every label, and other words that may mean a shape."""
        named = super().mentions(text.casefold(), synonyms)
        if any(not name.startswith(ALONE) for name in named):
            return named
        named = super().mentions(_OWN_WORD.sub("", text).casefold(), synonyms) if named else []
        return [*named, *(f"{DENIED if m['beside'] else ''}{m['letter']}" for m in _NAMED.finditer(text))]


def _capital(match: re.Match[str]) -> str:
    text, end, letter = match.string, match.end(), match["letter"]
    if match["other"] is not None:
        return match[0]
    if letter in "ai" and not _LABEL_ENDS.match(text, end) and (match["noun"] is None or _ARTICLE.match(text, end)):
        return match[0]
    return f"{match[0][:-1]}{letter.upper()}"


@cache
def with_labels(labels: tuple[str, ...]) -> LabelledShapeType:
    """Coloured shapes of which these have labels, single letters."""
    return LabelledShapeType(labels)
