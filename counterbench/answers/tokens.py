"""Words, numbers and marks of cleaned text, and the sentences they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|\n|\S")
SENTENCE_ENDS = frozenset(".!?\n;")


class Token(NamedTuple):
    """A word, a number, or one mark; `start` and `end` are its place in the text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.text[0].isalnum()


def word_set(words: str, separator: str | None = None) -> frozenset[str]:
    """The set of the words of a string: how this package writes its lists of words."""
    return frozenset(words.split(separator))


def tokenise(text: str) -> list[Token]:
    """The tokens of `text`; a hyphen with space around it, or a long dash, is the mark "—"."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        start, end = match.span()
        if word in "-–" and (start == 0 or text[start - 1].isspace()) and (end == len(text) or text[end].isspace()):
            word = "—"
        tokens.append(Token(word, start, end))
    return tokens


def sentences(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """The ranges of tokens that are sentences, each with its closing mark."""
    start = 0
    for i, token in enumerate(tokens):
        if token.text in SENTENCE_ENDS:
            if i > start:
                yield start, i + 1
            start = i + 1
    if start < len(tokens):
        yield start, len(tokens)


def word_at(tokens: list[Token], i: int) -> str:
    """The text of token `i`; empty outside."""
    return tokens[i].text if 0 <= i < len(tokens) else ""
