"""Answers that are a colour ("red"), a coloured shape ("red circle"), or the label of a shape ("A").

`ColourType`, `ColourShapeType` and `LabelledShapeType` tell `explicit` which values a text names (`mentions`). The
words come from the palette: `colours_in` and `shapes_in` find them, each with the canonical word that it means. With
synonyms, "turquoise" means cyan; without (strictly), it is another, wrong colour. `_coloured_shapes` joins a colour to
its shape, as in "red circle" or "the circle is red".

A label ("Shape A is higher up") is an answer only to a question that names it (`labels` of `parse`). `normalised`
writes labels as capital letters, and all else is in lower case: so the label A differs from the article "a".
"""

import re
from functools import cache
from itertools import pairwise

from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed
from counterbench.answers.plain import is_stated
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
    """The canonical word by each word that may name a colour or, unless `colours`, a shape.

    With `synonyms`, a synonym means its colour or shape ("turquoise": "cyan"); without, it means only itself.
    """
    by_synonym: dict[str, str] = dict(COLOUR_SYNONYMS) if colours else dict(SHAPE_SYNONYMS)
    words = {word: word for word in ((*OTHER_COLOURS, *COLOURS) if colours else (*OTHER_SHAPES, *SHAPES))}
    words |= by_synonym if synonyms else {word: word for word in by_synonym}
    return words | {form: words[word] for form, word in _FORMS.items() if word in words}


def _any_of_words(colours: bool) -> str:
    """The part of a regular expression that matches any word for a colour (or else a shape)."""
    return "|".join(sorted(_meanings(colours, synonyms=True), key=len, reverse=True))


COLOUR = rf"(?:{_SHADES}(?:{_any_of_words(True)}))"
SHAPE = rf"(?:(?:{_any_of_words(False)})(?:e?s)?)"
# Nouns after a colour that are no answer: "on a white background", "a black outline".
_SETTING = (
    r"(?:[ ]+(?:solid|thin|thick|letter))?[ ]+(?:backgrounds?|backdrop|canvas|(?:out)?lines?|borders?|edges?|frame"
    r"|containers?|labels?|letters?|text|arrows?|arrowhead|stroke|region)\b"
)
_COLOURS = lazily(rf"(?<![a-z]){_SHADES}({_any_of_words(True)})(?![a-z])(?P<setting>{_SETTING}|[ ]+{SHAPE}{_SETTING})?")
_SHAPES = lazily(rf"(?<![a-z])({_any_of_words(False)})(?:e?s)?(?![a-z])(?!{_SETTING})")

# Words that show that a text is about another thing than the one asked about, or one that is only like the named one.
OF_ANOTHER = lazily(
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
    """The colours that a text names, each as (canonical word, start, end), in order; `synonyms`: as of `_meanings`.

    Colours of backgrounds, outlines and the like are left out.
    """
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
    """The shapes that a text names, each as (canonical word, start, end), in order; `synonyms`: as of `_meanings`."""
    words = _meanings(False, synonyms)
    return [(words[m[1]], m.start(), m.end()) for m in _SHAPES.finditer(text)]


# "reddish", "red-ish", "closer to red" leave the colour open. ("blue-green" and "blue/green" name both colours.)
_SHADED = lazily(
    r"\b(?:redd|orang|orangey|yellow|green|cyan|blu|blue|purpl|pink|grey|gray|brown|whit|black|violet|teal)ish\b"
    rf"|{COLOUR}[ -](?:ish|tinted|tinged)\b"
    r"|\b(?:purply|pinky|close to|closer to|similar to|slightly|multi-?colou?red)\b"
)
ALONE = "something "  # before a colour without a shape, or a shape without a colour
# Between a colour and its shape ("red, filled circle"), and between a shape and its colour ("square, which is red").
_ADJECTIVES = lazily(r"(?:[ ,_-]|\b(?:colou?red|small|large|big|little|medium|solid|filled|plain|shaded)\b)*")
_LINKS = lazily(
    r"(?:[ ,(:—=-]|\b(?:is|that|which|an?|the|it|it's|has|have|colou?red|colou?r|in|of|with|appears|looks|shown"
    r"|label(?:l?ed)?|shape|[a-d])\b)*"
)
# Words that place one thing by another: then a colour and a shape may be those of two things.
_PLACED = lazily(
    r"\b(?:near|next|besides?|above|below|beneath|under|over|left|right|behind|past|between|away|starts?|starting"
    r"|begins?|beginning|from|adjacent|inside|outside|and(?! (?:it|its colou?r|the colou?r) is)|or|than)\b"
)
# "points straight at", after which the arrow's target is named; and the words about the place where it starts.
_POINTING = lazily(
    r"\b(?:(?:point|aim|lead|head)(?:s|ed|ing)?|ends|ending|led|directed|going|goes)\b"
    r"(?:,?[ ]+(?:directly|straight|exactly|right|left|up|down|upwards?|downwards?))?,?"
    r"(?:[ ]+from[ ][^.,;!?\n]{1,40}?)?[ ]+(?:to|at|towards?)[ ]+(?=\w)"
)
_ORIGIN = lazily(r"\b(?:start\w*|begin\w*|originat\w*|com(?:es|ing)|away)[ ](?:at|from|near|by|in)\b[^.,;\n]*")
# Words that show that a coloured shape is not the answer itself: "the red circle's neighbour", "the arrow's tail".
_OTHER_THING = lazily(
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
    hedges = lazily(rf"{_SHADED.pattern}|{OF_ANOTHER.pattern}|\b(?:less|equally|half|part) {COLOUR}\b")

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
    hedges = _OTHER_THING

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every named coloured shape ("red circle"), with DENIED before it if it is not stated.

        If the text says where an arrow points, only its target counts. A colour or a shape that belongs to no coloured
        shape comes after these, with ALONE before it ("something red").
        """
        cue = _POINTING.search(text)
        text = text[cue.end() :] if cue is not None else _ORIGIN.sub(" ", text)
        colours, shapes = colours_in(text, synonyms), shapes_in(text, synonyms)
        pairs = _coloured_shapes(text, colours, shapes)
        named = {word for pair in pairs for word in pair.split()}
        unpaired = [word for word, _, _ in (*colours, *shapes) if word not in named]
        if not pairs and len(set(unpaired)) == 2 and colours and shapes and not _PLACED.search(text):
            return [f"{colours[0][0]} {shapes[0][0]}"]  # "A square. It is yellow."
        return [*pairs, *(f"{ALONE}{word}" for word in unpaired)]

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it has both a colour and a shape."""
        if answer.value.startswith(ALONE):
            return Unparsed(f"no colour with its shape, only: {answer.value.removeprefix(ALONE)}")
        return answer

    def json_text(self, value: object) -> str | None:
        """The words for the value of an answer's key in JSON, also for `{"color": …, "shape": …}`."""
        return self.json_object_text(value) if isinstance(value, dict) else super().json_text(value)

    def json_object_text(self, data: dict[str, object]) -> str | None:
        """The colour and the shape of a JSON object that has both; else None."""
        colour, shape = data.get("color", data.get("colour")), data.get("shape", data.get("kind"))
        return f"{colour} {shape}" if isinstance(colour, str) and isinstance(shape, str) else None


def _coloured_shapes(text: str, colours: list[tuple[str, int, int]], shapes: list[tuple[str, int, int]]) -> list[str]:
    """The coloured shapes of a text in order; each shape takes the colour before it, else the one after it.

    `colours` and `shapes`: those of the text, as `colours_in` and `shapes_in` give them. A coloured shape that is not
    stated has DENIED before it.
    """
    pairs: list[tuple[int, str]] = []
    used_starts: set[int] = set()
    for between, colour_first in ((_ADJECTIVES, True), (_LINKS, False)):
        # Each word with its start, its end, and True for a colour.
        words = sorted([(*c, True) for c in colours] + [(*s, False) for s in shapes], key=lambda word: word[1])
        words = [word for word in words if word[1] not in used_starts]
        for first, second in pairwise(words):
            fits = (first[3], second[3]) == (colour_first, not colour_first) and first[1] not in used_starts
            if fits and between.fullmatch(text, first[2], second[1]):
                colour, shape = (first, second) if colour_first else (second, first)
                denied = "" if is_stated(text, first[1], second[2]) else DENIED
                pairs.append((first[1], f"{denied}{colour[0]} {shape[0]}"))
                used_starts |= {first[1], second[1]}
    return [pair for _, pair in sorted(pairs)]


_NOUN = r"(?:shape|one|object|letter|label|labell?ed|marked|lettered)"
# Nouns whose letter is not a shape's: "option A" may be the first that the question names.
_OTHERS = r"(?:options?|choices?|answers?|images?|pictures?|figures?|panels?|steps?|cases?|parts?)"
# Words after a label "a", and never the article (as in "a circle") …
_LABEL_ENDS = lazily(
    r"[ \t]*(?:$|\n|[^\w\s'-]|[-–][ ])"
    r"|[ ]+(?:is|has|lies|sits|stands|appears|looks|seems|and|or|but|than|because|since|as|rather)\b"
    r"|[ ]+(?:shape[ ]+)?[a-z](?!\w)|->|[ ]+\d"
)
# … and what follows the article even after a noun: "shape a little higher".
_ARTICLE = lazily(r"[ ]+(?:bit|little|lot|few|tad|touch|fraction|small|slight|\w+ly)\b")
# "Of A and B, …"
_OF_BOTH = lazily(r"^[ ]*(?:out )?(?:of|between) [^,.;?!\n]{1,80},", re.MULTILINE)
# "Left of B", "closer than shape B": B is named only to place another shape.
_PREPOSITION = (
    r"(?:of|than|above|below|beneath|under|over|beside|near|behind|past|from|beyond|opposite"
    r"|(?:next|compared|relative|closer?|adjacent|similar|equal) to)"
)
_NAMED = lazily(rf"(?P<beside>\b{_PREPOSITION}[ ]+)?(?:\b(?:the|{_NOUN})[ ]+)*(?<!\w)(?P<letter>[A-Z])(?!\w)")
_LABELLED_NOUN = lazily(rf"\b(?:{COLOUR}|{SHAPE})[ ]+(?=(?:{_NOUN}[ ]+)*[A-Z](?!\w))")  # "square A"


class LabelledShapeType(ColourShapeType):
    """A colour and a shape, or one of the labels; a label beside the full name of a shape is left out."""

    hedges = lazily(rf"{ColourShapeType.hedges.pattern}|\b(?:is|are|the)[ ]*$")  # "A is" alone says nothing

    def __init__(self, labels: tuple[str, ...]) -> None:
        letters = "".join(labels).casefold()
        self._letter = re.compile(
            rf"(?P<other>\b{_OTHERS}[ ]+)?(?P<noun>\b{_NOUN}[ ]+(?:as[ ]+)?)?(?<![\w'.-])(?P<letter>[{letters}])"
            r"(?![\w']|-(?!>)|\.\w)"
        )

    def normalised(self, text: str) -> str:
        """A reply with labels as capital letters, without "of A and B, " before the answer."""
        return self._letter.sub(_with_capital_label, _OF_BOTH.sub(" ", text))

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every coloured shape that is named in full; else every label, after other words that may mean a shape.

        A label by which another shape is placed ("left of B") has DENIED before it.
        """
        named = super().mentions(text.casefold(), synonyms)
        if any(not name.startswith(ALONE) for name in named):
            return named
        named = super().mentions(_LABELLED_NOUN.sub("", text).casefold(), synonyms) if named else []
        return [*named, *(f"{DENIED if m['beside'] else ''}{m['letter']}" for m in _NAMED.finditer(text))]


def _with_capital_label(match: re.Match[str]) -> str:
    """The match with its letter as a capital if the letter is a label there; else unchanged."""
    text, end, letter = match.string, match.end(), match["letter"]
    if match["other"] is not None:
        return match[0]
    if letter in "ai" and not _LABEL_ENDS.match(text, end) and (match["noun"] is None or _ARTICLE.match(text, end)):
        return match[0]
    return f"{match[0][:-1]}{letter.upper()}"


@cache
def with_labels(labels: tuple[str, ...]) -> LabelledShapeType:
    """The type of coloured shapes of which some have these labels, single letters."""
    return LabelledShapeType(labels)
