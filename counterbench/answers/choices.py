"""Multiple choice: one of the choices that the type names, "choice:beach|park|forest".

Case, articles and punctuation do not matter. If every choice begins with a letter or number of its own ("A) beach"),
that alone is an answer too. Two different choices in a reply are no answer, as for every type.
"""

import re
from collections.abc import Iterable

from counterbench.answers.explicit import clean, without_markup
from counterbench.answers.numbers import IntegerType
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed
from counterbench.answers.plain import is_stated
from counterbench.errors import InputError

CHOICE = "choice"
# The types of a comparison of two pictures, with and without a tie.
FIRST, SECOND, EQUAL = "first", "second", "equal"
PREFERENCE, FORCED = f"{CHOICE}:{FIRST}|{SECOND}|{EQUAL}", f"{CHOICE}:{FIRST}|{SECOND}"
_SEPARATOR = "|"
_WORD = re.compile(r"\w+(?:[.']\w+)*")
_LABELLED = re.compile(r"\(?(\d{1,2}|[a-z])[.):]+\s*(\S.*)", re.DOTALL)
# "option B", "(B)", "B." or "B is"; not the article, nor "5" and "I" alone.
_LETTER = re.compile(
    r"\b(?:(?:option|choice|answer|letter|number)s?|(?:and|or)(?=[ ]+\d))[ ]+\(?(?P<named>\d{1,2}|[a-z])"
    r"(?![\w'])[ ]*[).:]*[ ]*"
    r"|(?<![\w'.-])\(?(?P<alone>(?!i\b)[a-z])(?:[).:]+[ ]*|(?=[ ]*(?:$|[\n,;!?—]))"
    r"|(?=[ ]+(?:is|are|and|or|but|because|since|as|fits|matches|seems)\b))"
)
_ARTICLES = ("a", "an", "the")


def choice_type(choices: Iterable[str]) -> str:
    """The name of the type with these choices; InputError if no reply could tell them apart."""
    name = f"{CHOICE}:{_SEPARATOR.join(choices)}"
    of_choices(name)
    return name


def choices_of(name: str) -> list[str]:
    """The choices that the name of a type has; none if it is of another kind."""
    kind, _, listed = name.partition(":")
    return listed.split(_SEPARATOR) if kind == CHOICE else []


def of_choices(name: str) -> AnswerType:
    """The type of this name; InputError unless it has two choices or more, in different words."""
    choices = choices_of(name)
    number = IntegerType()
    if len(choices) > 1 and len({*choices}) == len(choices) and all(map(number.is_canonical, choices)):
        return NumberChoiceType(name, choices)
    return ChoiceType(name, choices)


class ChoiceType(AnswerType):
    """One of several texts, as the type writes it."""

    bare_words = 12

    def __init__(self, name: str, choices: list[str]) -> None:
        self.name, self.alphabet = name, tuple(choices)
        labelled = [_LABELLED.fullmatch(clean(choice)) for choice in choices]
        labels = [match[1] for match in labelled if match]
        if len({*labels}) < len(choices):
            labels = []
        words = [match[2] for match in labelled if match] if labels else list(map(clean, choices))
        self._values = dict(zip(map(_plain, words), choices, strict=True))
        if len(choices) < 2 or len(self._values) < len(choices) or "" in self._values:
            raise InputError(
                f"answer type {name[:120]!r}: it needs two choices or more that differ in letters or digits, such as "
                f"{CHOICE}:red|blue|none"
            )
        self._labels = dict(zip(labels, choices, strict=False))
        self._whole = self._values | self._labels
        longest = sorted(self._values, key=len, reverse=True)
        forms = (r"\W+".join(map(re.escape, form.split())) for form in longest)
        self._named = re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")

    def whole(self, text: str) -> str | None:
        """The choice that is all of a stretch, or whose letter or number is."""
        return self._whole.get(_plain(text)) or self._whole.get(_plain(text, articles=True))

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every choice that is named, the longer one where one is a part of another."""
        named = [(m.start(), m.end(), self._values[_plain(m[0])]) for m in self._named.finditer(text)]
        letters = _LETTER.finditer(text) if self._labels else ()
        # "B) park" is one; letters that are no choice, or only an article, are none.
        named += [
            (m.start(), m.end(), self._labels[letter])
            for m in letters
            if (letter := m["named"] or m["alone"]) in self._labels
            and (m.end(), self._labels[letter]) not in {(at, choice) for at, _, choice in named}
        ]
        return [choice if is_stated(text, at, end) else f"{DENIED}{choice}" for at, end, choice in sorted(named)]


class NumberChoiceType(IntegerType):
    """One of several whole numbers; a number word is the number."""

    def __init__(self, name: str, choices: list[str]) -> None:
        self.name, self.alphabet = name, tuple(choices)

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it is one of the choices."""
        if answer.value in (self.alphabet or ()):
            return answer
        return Unparsed(f"{answer.value[:40]} is none of {', '.join(self.alphabet or ())}")


def _plain(text: str, articles: bool = False) -> str:
    """A cleaned text as its words alone, without articles at its beginning unless they are all, or `articles`."""
    words = _WORD.findall(without_markup(text))
    while not articles and len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    return " ".join(words)
