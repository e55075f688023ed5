"""Answers in words: a few words to compare, and descriptions.

A text is compared without case, articles and punctuation: "a cat" is "cat". It is for imported questions with answers
of no other type. A synonym is another answer, so the question must say how to answer it.
"""

from counterbench.answers.explicit import NOTHING, clean
from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import Answer, AnswerType, Outcome
from counterbench.answers.plain import refusal, sentences

MAX_WORDS, _LONGEST = 12, 120  # words and characters of a text; a longer reply is no answer
_MAX_CHARACTERS = 16_000  # of a description: about 4,096 tokens
# Sentences that may decline; in later ones "there is no picture on the wall" describes the picture.
_OPENING = 2
# As in the usual normalisation of answers (Rajpurkar et al. 2016, SQuAD): no articles, no punctuation.
_ARTICLE = lazily(r"\b(?:an?|the)\b(?= *[-+]?\w)")
_PUNCTUATION = lazily(r"(?<!\d)[.]|[.](?!\d)|[^\w\s.'%+-]")
_SAYS = lazily(
    r"^(?:i (?:think|believe|see)\b(?: that\b)? ?)?"
    r"(?:(?:it|this|that|there|these|those|they|(?:the|my) answer)(?: (?:is|are|was|were)\b|'s\b|'re\b))?(?= *[-+]?\w)"
)
# A second sentence or line.
_SEVERAL = lazily(r"[.!?;][ ]+\w|(?<=\w)[^\w\n]*\n\s*\w")
# The words before the word that is read: "the sign reads".
_READS = lazily(r"^(?:(?!(?:not|never|cannot|unable|or)\b)\w+ ){1,9}?(?:reads?|says?|spells?|is)(?: word)? ")


class TextType(AnswerType):
    """The type of answers of a few words, such as a word that was read."""

    name = "text"
    bare_words = MAX_WORDS
    hedges = lazily(r"\bor\b")
    negatable = False  # "no entry" is an answer

    def is_canonical(self, value: str) -> bool:
        """True for a few words in the form in which `mentions` gives them."""
        return self.mentions(value, synonyms=True) == [value]

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """The words of a text of one sentence, as one value; no value for a longer text."""
        text = text.strip()
        if _SEVERAL.search(text):
            return []
        words = _ARTICLE.sub(" ", _PUNCTUATION.sub(" ", _SAYS.sub(" ", text))).split()
        answer = " ".join(words)
        return [answer] if 0 < len(words) <= MAX_WORDS and len(answer) <= _LONGEST else []


class WordType(TextType):
    """One word, as it is printed somewhere."""

    name = "word"
    bare_words = 1

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """The word that is the whole of a sentence, or all that comes after "the sign reads"."""
        texts = [_READS.sub("", words) for words in super().mentions(text, synonyms)]
        return [word for word in texts if word.isalpha()]


class DescriptionType(AnswerType):
    """The reply's own words of any number, without its reasoning: for the next question, never scored."""

    name = "description"

    def read_all(self, reply: str) -> Outcome:
        """The whole reply as the answer, unless it declines."""
        plain = clean(reply)
        if not plain:
            return NOTHING
        if declined := refusal(".".join(sentences(plain)[:_OPENING])):
            return declined
        words = reply.strip().encode(errors="replace").decode()  # without lone surrogates
        return Answer(words if len(words) <= _MAX_CHARACTERS else f"{words[:_MAX_CHARACTERS].rstrip()} …")

    def is_canonical(self, value: str) -> bool:
        """True for every text but an empty or blank one."""
        return bool(value.strip())
