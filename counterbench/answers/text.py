"""Answers in a few words of any kind, compared once case, articles and punctuation are gone: "a cat" is "cat".

For imported questions whose answers are of no other type. Nothing is known of what the words mean, so that a synonym is
another answer, and the question must say how to answer it.
"""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType

MOST_WORDS, _LONGEST = 12, 120  # words and signs of an answer; what says more explains, and is none
# As in the usual normalisation of answers (Rajpurkar et al. 2016, SQuAD): no articles, no punctuation.
_ARTICLE = re.compile(r"\b(?:an?|the)\b(?= *[-+]?\w)")
_SIGN = re.compile(r"(?<!\d)[.]|[.](?!\d)|[^\w\s.'%+-]")
_SAYS = re.compile(
    r"^(?:i (?:think|believe|see)\b(?: that\b)? ?)?"
    r"(?:(?:it|this|that|there|these|those|they|(?:the|my) answer)(?: (?:is|are|was|were)\b|'s\b|'re\b))?(?= *[-+]?\w)"
)
_SEVERAL = re.compile(r"[.!?;][ ]+\w|(?<=\w)[^\w\n]*\n\s*\w")


class TextType(AnswerType):
    """A few words."""

    name = "text"
    bare_words = MOST_WORDS
    hedges = re.compile(r"\bor\b")
    negatable = False  # "no entry" is an answer

    def is_canonical(self, value: str) -> bool:
        """Words as `mentions` gives them."""
        return self.mentions(value, synonyms=True) == [value]

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """All the words of the one sentence that a text is; nothing of a text that says more."""
        text = text.strip()
        if _SEVERAL.search(text):
            return []
        words = _ARTICLE.sub(" ", _SIGN.sub(" ", _SAYS.sub(" ", text))).split()
        answer = " ".join(words)
        return [answer] if 0 < len(words) <= MOST_WORDS and len(answer) <= _LONGEST else []
