"""The words for colours and shapes, from the palette, with their meanings, strictly or with synonyms."""

import re
from functools import cache

from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, OTHER_SHAPES, SHAPE_SYNONYMS, SHAPES

# Other forms of the same word are not other words: strict scoring takes them.
_FORMS = {
    "gray": "grey",
    "rhombi": "rhombus",
    "circular": "circle",
    "triangular": "triangle",
    "rectangular": "rectangle",
    "rhombic": "rhombus",
    "pentagonal": "pentagon",
    "hexagonal": "hexagon",
    "elliptical": "ellipse",
    "trapezoidal": "trapezoid",
}
_SHADES = r"(?:(?:light|dark|bright|pale|deep|sky|hot|medium|vivid)[ -]?)?"


@cache
def _meanings(colours: bool, synonyms: bool) -> dict[str, str]:
    other: dict[str, str] = dict(COLOUR_SYNONYMS) if colours else dict(SHAPE_SYNONYMS)
    words = {word: word for word in ((*OTHER_COLOURS, *COLOURS) if colours else (*OTHER_SHAPES, *SHAPES))}
    words |= other if synonyms else {word: word for word in other}
    return words | {form: words[word] for form, word in _FORMS.items() if word in words}


def _alternatives(colours: bool) -> str:
    return "|".join(sorted(_meanings(colours, synonyms=True), key=len, reverse=True))


COLOUR = rf"(?:{_SHADES}(?:{_alternatives(True)}))"
SHAPE = rf"(?:(?:{_alternatives(False)})(?:e?s)?)"
# Nouns after a colour that are no answer: "on a white background", "a black outline".
_SETTING = (
    r"(?:[ ]+(?:solid|thin|thick|letter))?[ ]+(?:backgrounds?|backdrop|canvas|(?:out)?lines?|borders?|edges?|frame"
    r"|containers?|labels?|letters?|text|arrows?|arrowhead|stroke|region)\b"
)
_COLOURS = re.compile(
    rf"(?<![a-z]){_SHADES}({_alternatives(True)})(?![a-z])(?P<setting>{_SETTING}|[ ]+{SHAPE}{_SETTING})?"
)
_SHAPES = re.compile(rf"(?<![a-z])({_alternatives(False)})(?:e?s)?(?![a-z])(?!{_SETTING})")

# Words for another thing than the one asked about, or for one that is only like the named one.
OF_ANOTHER = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|2nd|3rd|[4-9]th|another|others?|else|same|neighbou?r\w*|both|last|rest|most"
    r"|runner-up|remaining|next \w+est|(?:anti|pseudo)-\w+|opposite|complement\w*|invert\w*|inverse|differ\w*|without"
    r"|apart|aside|besides|excluded|(?:whose|which|that) the(?! arrow)|(?:(?:next|adjacent) to|(?:left|right) of|beside"
    r"|above|below|beneath|under|behind|near|across from|around|to|after|before|touching|touches|overlaps)"
    r" (?:it|them|this|that|its|the (?:\w+est|other)))\b"
    # "Its shadow is red", "The background is red"
    r"|(?:^|(?<=[.!?;:,\n]))[ ]*(?:(?:the|its|a|an|this) )?(?:\w+ )?(?:shadow|reflection"
    r"|background|backdrop|canvas|outline"
    r"|border|frame|container|label|text|letter|arrow)s? (?:\w+ )?(?:is|are|was|were|looks?|appears?|seems?)"
    rf" (?:an? |the |\w+ly )?(?={COLOUR}\b)"
)


def colours_in(text: str, synonyms: bool) -> list[tuple[str, int, int]]:
    """The colours that a text names, with their places; not those of backgrounds, outlines and the like."""
    words = _meanings(True, synonyms)
    colours: list[tuple[str, int, int]] = []
    for match in _COLOURS.finditer(text):
        if match["setting"]:
            continue
        word, start, joined = match[1], match.start(1), text[colours[-1][2] : match.start()] if colours else "."
        if joined in (" ", "-") and (
            colours[-1][0] == words[word] or COLOUR_SYNONYMS.get(text[colours[-1][1] : colours[-1][2]]) == word
        ):
            start = colours.pop()[1]  # "navy blue": the first word shades the second
        colours.append((words[word], start, match.end(1)))
    return colours


def shapes_in(text: str, synonyms: bool) -> list[tuple[str, int, int]]:
    """The shapes that a text names, with their places."""
    words = _meanings(False, synonyms)
    return [(words[m[1]], m.start(), m.end()) for m in _SHAPES.finditer(text)]
