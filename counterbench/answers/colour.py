"""Answers that are a colour: one of the eight, or another colour's name, which is a definite wrong answer."""

from __future__ import annotations

from typing import NamedTuple

from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.stance import stances
from counterbench.answers.tokens import Token, tokenise, word_at
from counterbench.answers.words import ISH, SETTING, colour_words, refining, shape_words
from counterbench.palette import COLOURS

_NEARLY = frozenset({"almost", "nearly", "somewhat", "slightly"})
_JOINED = frozenset({"-", "–", "/"})


class Found(NamedTuple):
    """A colour or shape, the first and last of the tokens that name it, and its stance."""

    value: str
    first: int
    last: int
    stance: Stance


class ColourType(AnswerType):
    """A colour, by one word."""

    name = "colour"
    alphabet = COLOURS
    json_keys = ("colour", "color")
    bare_words = 2

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every colour that is named, but for backgrounds, outlines and the like."""
        tokens = tokenise(text)
        return Reading(Candidate(f.value, f.stance) for f in colours_in(tokens, stances(tokens), synonyms))


def colours_in(tokens: list[Token], stance: list[Stance], synonyms: bool) -> list[Found]:
    """The colours that `tokens` name, in order; mixtures ("blue-green", "reddish") are doubtful."""
    words = colour_words(synonyms)
    found: list[Found] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text not in words:
            i += 1
            continue
        last = _run_end(tokens, i, words)
        if not _is_setting(tokens, last):
            values = _run_values(tokens, i, last, words)
            mixed = len(values) > 1 or _is_shaded(tokens, i, last)
            for value in values:
                own = Stance.DOUBTFUL if mixed and stance[i] is Stance.FIRM else stance[i]
                found.append(Found(value, i, last, own))
        i = last + 1
    return found


def _run_end(tokens: list[Token], i: int, words: dict[str, str]) -> int:
    # "blue-green", "blue green" and "blue/green" are one run; "red, blue" is not.
    while True:
        if word_at(tokens, i + 1) in words:
            i += 1
        elif word_at(tokens, i + 1) in _JOINED and word_at(tokens, i + 2) in words:
            i += 2
        else:
            return i


def _run_values(tokens: list[Token], first: int, last: int, words: dict[str, str]) -> list[str]:
    names = [token.text for token in tokens[first : last + 1] if token.text in words]
    # "navy blue", "lime green": the first word shades the second.
    kept = [name for name, after in zip(names, [*names[1:], ""], strict=True) if not after or refining(name) != after]
    return list(dict.fromkeys(words[name] for name in kept))


def _is_shaded(tokens: list[Token], first: int, last: int) -> bool:
    before, after = word_at(tokens, first - 1), word_at(tokens, last + 1)
    if before in _JOINED:
        before = word_at(tokens, first - 2)
    if after in _JOINED:
        after = word_at(tokens, last + 2)
    return before in ISH or before in _NEARLY or after in ISH or after == "ish"


def _is_setting(tokens: list[Token], last: int) -> bool:
    after = word_at(tokens, last + 1)
    if after in SETTING:
        return True
    return (after in shape_words(True) or after in ("solid", "thin", "thick")) and word_at(tokens, last + 2) in SETTING
