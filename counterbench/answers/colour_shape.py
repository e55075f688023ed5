"""Answers that are a colour, one of the eight or a definite wrong one; or a coloured shape, "red circle"."""

import re
from itertools import pairwise

from counterbench.answers.base import DENIED, AnswerType
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.stated import is_stated
from counterbench.answers.words import COLOUR, OF_ANOTHER, SHAPE, colours_in, shapes_in
from counterbench.palette import COLOURS, SHAPES

# "reddish", "red-ish", "closer to red"; of "blue-green" and "blue/green" both are named.
_SHADED = re.compile(
    r"\b(?:redd|orang|orangey|yellow|green|cyan|blu|blue|purpl|pink|grey|gray|brown|whit|black|violet|teal)ish\b"
    rf"|{COLOUR}[ -](?:ish|tinted|tinged)\b"
    r"|\b(?:purply|pinky|close to|closer to|similar to|slightly|multi-?colou?red)\b"
)
ALONE = "something "  # before a colour without a shape, or a shape without a colour
# Between a colour and its shape ("red, filled circle"), and between a shape and its colour ("square, which is red").
_ADJECTIVES = re.compile(r"(?:[ ,_-]|\b(?:colou?red|small|large|big|little|medium|solid|filled|plain|shaded)\b)*")
_LINKS = re.compile(
    r"(?:[ ,(:—=-]|\b(?:is|that|which|an?|the|it|it's|has|have|colou?red|colou?r|in|of|with|appears|looks|shown"
    r"|label(?:l?ed)?|shape|[a-d])\b)*"
)
# Where two things are placed by each other, colour and shape may be of two things.
_PLACED = re.compile(
    r"\b(?:near|next|besides?|above|below|beneath|under|over|left|right|behind|past|between|away|starts?|starting"
    r"|begins?|beginning|from|adjacent|inside|outside|and(?! (?:it|its colou?r|the colou?r) is)|or|than)\b"
)
_POINTING = re.compile(
    r"\b(?:(?:point|aim|lead|head)(?:s|ed|ing)?|ends|ending|led|directed|going|goes)\b"
    r"(?:,?[ ]+(?:directly|straight|exactly|right|left|up|down|upwards?|downwards?))?,?"
    r"(?:[ ]+from[ ][^.,;!?\n]{1,40}?)?[ ]+(?:to|at|towards?)[ ]+(?=\w)"
)

_ORIGIN = re.compile(r"\b(?:start\w*|begin\w*|originat\w*|com(?:es|ing)|away)[ ](?:at|from|near|by|in)\b[^.,;\n]*")
# "The red circle's neighbour" is another thing.
_OWNER = re.compile(
    rf"{_SHADED.pattern}|{OF_ANOTHER.pattern}|{SHAPE}(?<!arrow)'s[ ]|\b(?:tail|starting point|origin"
    r"|(?:the|its|arrow's) (?:start|base|beginning|back)"
    r"|where (?:the arrow|it|this|that) (?:start|begin|come|originate|leave)s"
    r"|(?:starting|start|initial|source|originating|tail) (?:shape|object|figure|one|thing)|(?:behind|before) the arrow"
    r"|(?:start\w*|source|origin|from|base|next to"
    r"|nearest|closest)(?=[ ]*[:=]))\b"
)


class ColourType(AnswerType):
    """A colour, by one word."""

    name = "colour"
    alphabet = COLOURS
    json_keys = ("colour", "color")
    bare_words = 2
    hedges = re.compile(rf"{_SHADED.pattern}|{OF_ANOTHER.pattern}|\b(?:less|equally|half|part) {COLOUR}\b")

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every named colour but those of backgrounds, outlines and the like; one that is not stated is denied."""
        return [
            f"{'' if is_stated(text, at, end) else DENIED}{colour}" for colour, at, end in colours_in(text, synonyms)
        ]


class ColourShapeType(AnswerType):
    """A colour and a shape."""

    name = "colour-shape"
    alphabet = tuple(f"{colour} {shape}" for colour in COLOURS for shape in SHAPES)
    bare_words = 3
    hedges = _OWNER

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every named coloured shape; of an arrow only its target.

        A colour or a shape that belongs to none of them is named alone.
        """
        cue = _POINTING.search(text)
        text = text[cue.end() :] if cue is not None else _ORIGIN.sub(" ", text)
        colours, shapes = colours_in(text, synonyms), shapes_in(text, synonyms)
        pairs = _pairs(text, colours, shapes)
        named = {word for pair in pairs for word in pair.split()}
        loose = [word for word, _, _ in (*colours, *shapes) if word not in named]
        if not pairs and len(set(loose)) == 2 and colours and shapes and not _PLACED.search(text):
            return [f"{colours[0][0]} {shapes[0][0]}"]  # "A square. It is yellow."
        return [*pairs, *(f"{ALONE}{word}" for word in loose)]

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it has both a colour and a shape."""
        if answer.value.startswith(ALONE):
            return Unparsed(f"no colour with its shape, only: {answer.value.removeprefix(ALONE)}")
        return answer

    def json_text(self, value: object) -> str | None:
        """Also `{"color": …, "shape": …}` as the value."""
        return self.json_object_text(value) if isinstance(value, dict) else super().json_text(value)

    def json_object_text(self, data: dict[str, object]) -> str | None:
        """The colour and the shape of an object that has both."""
        colour, shape = data.get("color", data.get("colour")), data.get("shape", data.get("kind"))
        return f"{colour} {shape}" if isinstance(colour, str) and isinstance(shape, str) else None


def _pairs(text: str, colours: list[tuple[str, int, int]], shapes: list[tuple[str, int, int]]) -> list[str]:
    """The colours and shapes that belong together: each shape takes the colour before it, else the one after it."""
    pairs: list[tuple[int, str]] = []
    taken: set[int] = set()
    for between, colour_first in ((_ADJECTIVES, True), (_LINKS, False)):
        words = sorted([(*c, True) for c in colours] + [(*s, False) for s in shapes], key=lambda word: word[1])
        words = [word for word in words if word[1] not in taken]
        for one, other in pairwise(words):
            fits = (one[3], other[3]) == (colour_first, not colour_first) and one[1] not in taken
            if fits and between.fullmatch(text, one[2], other[1]):
                colour, shape = (one, other) if colour_first else (other, one)
                denied = "" if is_stated(text, one[1], other[2]) else DENIED
                pairs.append((one[1], f"{denied}{colour[0]} {shape[0]}"))
                taken |= {one[1], other[1]}
    return [pair for _, pair in sorted(pairs)]
