"""The words for colours and shapes, from the palette: what each means, strictly or with synonyms."""

from __future__ import annotations

from functools import cache

from counterbench.answers.tokens import word_set
from counterbench.palette import COLOUR_SYNONYMS, COLOURS, OTHER_COLOURS, OTHER_SHAPES, SHAPE_SYNONYMS, SHAPES

SPELLINGS = {"gray": "grey", "rhombi": "rhombus"}
# Other forms of the same word are not other words: strict scoring takes them.
SHAPE_FORMS = {
    "circular": "circle",
    "triangular": "triangle",
    "rectangular": "rectangle",
    "rhombic": "rhombus",
    "pentagonal": "pentagon",
    "hexagonal": "hexagon",
    "elliptical": "ellipse",
    "trapezoidal": "trapezoid",
}
ISH = word_set(
    "reddish orangish orangey yellowish greenish cyanish bluish blueish purplish pinkish greyish grayish brownish "
    "whitish blackish purply pinky violetish tealish"
)
MODIFIERS = ("light", "dark", "bright", "pale", "deep", "sky", "hot", "medium", "vivid")
# What is named after a colour and is none of the answers: "on a white background".
SETTING = word_set(
    "background backgrounds backdrop canvas outline outlines border borders edge edges frame "
    "container containers label labels letter letters text arrow arrows line lines stroke region "
    "arrowhead"
)
ARTICLES = frozenset({"a", "an", "the"})


@cache
def colour_words(synonyms: bool) -> dict[str, str]:
    """Every word for a colour and the answer it stands for."""
    other: dict[str, str] = {word: COLOUR_SYNONYMS[word] if synonyms else word for word in COLOUR_SYNONYMS}
    words: dict[str, str] = {word: word for word in (*OTHER_COLOURS, *COLOURS)} | other
    words |= {spelling: words[word] for spelling, word in SPELLINGS.items() if word in words}
    glued = {f"{m}{c}": words[c] for m in MODIFIERS for c in COLOURS}
    return {**glued, **words}


@cache
def shape_words(synonyms: bool) -> dict[str, str]:
    """Every word for a shape, plurals too, and the answer it stands for."""
    other: dict[str, str] = {word: SHAPE_SYNONYMS[word] if synonyms else word for word in SHAPE_SYNONYMS}
    words: dict[str, str] = {word: word for word in (*OTHER_SHAPES, *SHAPES)} | other
    forms = {**SHAPE_FORMS, **SPELLINGS}
    words |= {form: words[word] for form, word in forms.items() if word in words}
    return {**{plural: value for word, value in words.items() for plural in (f"{word}s", f"{word}es")}, **words}


@cache
def refining(word: str) -> str:
    """The one of our colours that a synonym shades, as "lime" does in "lime green"; else empty."""
    return COLOUR_SYNONYMS.get(word, "")
