"""Answers that are a coloured shape: "red circle", colour first."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.colour import Found, colours_in
from counterbench.answers.stance import stances
from counterbench.answers.tokens import SENTENCE_ENDS, Token, tokenise, word_at, word_set
from counterbench.answers.words import ARTICLES, SETTING, shape_words
from counterbench.palette import COLOURS, SHAPES

# Between a colour and its shape ("red, filled circle"), and between a shape and its colour ("square, which is red").
_ADJECTIVES = word_set("colored coloured small large big little tiny medium solid filled plain shaded - ,")
_LINKS = word_set(
    "is are that which , ( : — - = a an the it it's its has have colored coloured color colour in of with s appears "
    "looks shown being labeled labelled"
)
_POINTING = re.compile(
    r"\b(?:point(?:s|ed|ing)?|aim(?:s|ed|ing)?|directed|leads?|leading)\b(?:[ \t]+(?:directly|straight|right))?[ \t]+"
    r"(?:to|at|towards?)\b(?![ \t]*[,.;:)?!]|[ \t]+(?:and|which|from|starting)\b)"
)
_SENTENCE = re.compile(r"[^.!?\n;]*[.!?\n;]?")
_CUES = 40  # of a reply that says it more often, the last ones
_NOT_BEFORE = word_set("not never cannot")
_PLACING = word_set(
    "near next beside besides above below beneath under over left right behind past opposite across away from between "
    "starts starting started begins beginning originates originating adjacent front inside outside"
)
_FAR = 14  # tokens between a colour and a shape that may still be two halves of one answer


class ColourShapeType(AnswerType):
    """A colour and a shape."""

    name = "colour-shape"
    alphabet = tuple(f"{colour} {shape}" for colour in COLOURS for shape in SHAPES)
    bare_words = 2

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every coloured shape that is named; a place ("next to the red circle") after another is a landmark."""
        tokens = tokenise(text)
        return Reading(Candidate(f.value, f.stance) for f in _whole_answers(tokens, synonyms))

    def cued(self, text: str, synonyms: bool) -> Reading | None:
        """What is said to be pointed at."""
        objects: list[Candidate] = []
        for cue in list(_POINTING.finditer(text))[-_CUES:]:
            before = tokenise(text[max(0, cue.start() - 40) : cue.start()])[-3:]
            if any(token.text in _NOT_BEFORE or token.text.endswith("n't") for token in before):
                continue
            sentence = _SENTENCE.match(text, cue.end(), cue.end() + 400)
            pointed = sentence[0] if sentence else ""
            found = self.read(pointed, synonyms)
            objects += [Candidate(value, Stance.FIRM) for value in found.firm]
            objects += [Candidate(value, Stance.DOUBTFUL) for value in found.doubtful]
            if not found:
                objects += self._coloured_elsewhere(text, pointed, synonyms)
        return Reading(objects) if objects else None

    def _coloured_elsewhere(self, text: str, pointed: str, synonyms: bool) -> list[Candidate]:
        # "The arrow points to a square. It is yellow."
        words = shape_words(synonyms)
        shapes = [words[token.text] for token in tokenise(pointed) if token.text in words]
        if not shapes:
            return []
        value = self.read(text, synonyms).value or ""
        mentions = sum(words.get(token.text) == shapes[0] for token in tokenise(text))
        if mentions == 1 and value.endswith(f" {shapes[0]}"):
            return [Candidate(value, Stance.FIRM)]
        return [Candidate(f"a {shapes[0]} without its colour", Stance.DOUBTFUL)]

    def json_text(self, value: object) -> str | None:
        """Also `{"color": …, "shape": …}` as the value."""
        if isinstance(value, dict):
            return self.json_object_text(value)
        return super().json_text(value)

    def json_object_text(self, data: dict[str, object]) -> str | None:
        """The colour and the shape of an object that has both."""
        colour = data.get("color", data.get("colour"))
        shape = data.get("shape", data.get("kind"))
        return f"{colour} {shape}" if isinstance(colour, str) and isinstance(shape, str) else None


def _whole_answers(tokens: list[Token], synonyms: bool) -> list[Found]:
    stance = stances(tokens)
    colours = colours_in(tokens, stance, synonyms)
    shapes = _shapes_in(tokens, stance, synonyms)
    pairs: list[Found] = []
    for colour_first, between in ((True, _ADJECTIVES), (False, _LINKS)):
        before, after = (colours, shapes) if colour_first else (shapes, colours)
        starts = {found.first: found for found in after}
        paired: set[int] = set()
        for one in before:
            other = _next_through(tokens, one.last + 1, starts, between)
            if other is not None:
                pairs.append(_pair(one, other) if colour_first else _pair(other, one))
                paired |= {one.first, other.first}
        colours = [found for found in colours if found.first not in paired]
        shapes = [found for found in shapes if found.first not in paired]
    pairs.sort(key=lambda found: found.first)
    pairs = [p._replace(stance=Stance.MENTIONED) if _is_origin(tokens, p) else p for p in pairs]
    pairs = [p for i, p in enumerate(pairs) if i == 0 or not _is_landmark(tokens, pairs[i - 1], p)]
    return pairs + _halves(pairs, colours, shapes)


def _pair(colour: Found, shape: Found) -> Found:
    first, last = min(colour.first, shape.first), max(colour.last, shape.last)
    return Found(f"{colour.value} {shape.value}", first, last, max(colour.stance, shape.stance))


def _shapes_in(tokens: list[Token], stance: list[Stance], synonyms: bool) -> list[Found]:
    words = shape_words(synonyms)
    found: list[Found] = []
    for i, token in enumerate(tokens):
        if token.text not in words or word_at(tokens, i + 1) in SETTING:
            continue
        if found and found[-1].last == i - 1 and found[-1].value == words[token.text]:
            found[-1] = found[-1]._replace(last=i)
        else:
            found.append(Found(words[token.text], i, i, stance[i]))
    return found


def _next_through(tokens: list[Token], i: int, starts: dict[int, Found], through: frozenset[str]) -> Found | None:
    for k in range(i, min(i + 8, len(tokens))):
        if k in starts:
            return starts[k]
        word = tokens[k].text
        label = len(word) == 1 and word.isalpha()
        if not (word in through or (label and through is _LINKS) or (word == ")" and through is _LINKS)):
            return None
    return None


def _is_origin(tokens: list[Token], pair: Found) -> bool:
    before = word_at(tokens, pair.first - 1)
    return (word_at(tokens, pair.first - 2) if before in ARTICLES else before) == "from"


def _is_landmark(tokens: list[Token], earlier: Found, pair: Found) -> bool:
    between = [token.text for token in tokens[earlier.last + 1 : pair.first]]
    return any(word in _PLACING for word in between) and not any(
        word in SENTENCE_ENDS or word == "or" for word in between
    )


def _halves(pairs: list[Found], colours: list[Found], shapes: list[Found]) -> list[Found]:
    # Colours and shapes without a partner: one of each is an answer in two halves ("Yellow. It is a square."),
    # and next to a whole answer they are rivals that make it doubtful ("the red circle and the square").
    colours = [c for c in colours if c.stance <= Stance.DOUBTFUL]
    shapes = [s for s in shapes if s.stance <= Stance.DOUBTFUL]
    if pairs:
        whole = {word for pair in pairs for word in pair.value.split()}
        rivals = [f for f in colours + shapes if f.value not in whole]
        return [Found(f"something {f.value}", f.first, f.last, Stance.DOUBTFUL) for f in rivals]
    if len({c.value for c in colours}) == 1 and len({s.value for s in shapes}) == 1:
        near = any(abs(c.first - s.first) <= _FAR for c in colours for s in shapes)
        return [_pair(c, s) for c in colours for s in shapes] if near and len(colours) * len(shapes) <= 100 else []
    return []
