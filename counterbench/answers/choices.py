"""Multiple choice: one of the choices that the type names, "choice:beach|park|forest".

Case, articles and punctuation do not matter. If every choice begins with a letter or number of its own ("A) beach"),
that alone is an answer too. Two different choices in a reply are no answer, as for every type.
"""

import re
from collections.abc import Iterable

from counterbench.answers.explicit import clean, without_markup
from counterbench.answers.lazy import lazily
from counterbench.answers.numbers import IntegerType
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed
from counterbench.answers.plain import is_stated
from counterbench.errors import InputError

CHOICE = "choice"
# The types of a comparison of two pictures, with and without a tie.
FIRST, SECOND, EQUAL = "first", "second", "equal"
PREFERENCE, FORCED = f"{CHOICE}:{FIRST}|{SECOND}|{EQUAL}", f"{CHOICE}:{FIRST}|{SECOND}"
_SEPARATOR = "|"
_WORD = lazily(r"\w+(?:[.']\w+)*")
# A letter in marks before a word, "[A] red"; a choice with its label, "A) red".
_MARKED = lazily(r"(?<!\w)[\[*_`'\"]*\b([A-Za-z])[\]*_`'\"]+(?=[ ]+\w)")
_LABELLED = lazily(r"\(?(\d{1,2}|[a-z])[.):]+\s*(\S.*)", re.DOTALL)
# "option B", "(B)", "B." or "B is"; not the article, nor "5" and "I" alone.
_LETTER = lazily(
    r"\b(?:(?:option|choice|answer|letter|number)s?|(?:and|or)(?=[ ]+\d))[ ]+\(?(?P<named>\d{1,2}|[a-z])"
    r"(?![\w'])[ ]*[).:]*[ ]*"
    r"|(?<![\w'.-])\(?(?P<alone>(?!i\b)[a-z])(?:[).:]+[ ]*"
    r"|(?=[ ]*(?:$|[\n,;!?—–=/>]|-[ >]|\([^()\n]*\)[ ]*(?:$|[\n.,;!])))"
    r"|(?=[ ]+(?:is|are|and|or|but|because|since|as|fits|matches|seems)\b))"
)
_ARTICLES = lazily(r"\A\W*(?:(?:an?|the)[ ]+)+(?=\w)")  # before a word: "A) blue" is no article
# The four patterns by which `_may_say_worse` reads the sentence around a choice, where "@" stands for the choice.
# A word against something: "worse", "blurry", "errors"; in `_FAULTY` not where it has fewer of them: "less blurry".
_FAULT = (
    r"(?:wors[et]|bad(?:ly)?|poor\w*|inferior|weak\w*|los(?:es?|er|ing|t)|fail\w*|flaw\w*|errors?|mistakes?|art[ei]fact\w*"
    r"|defect\w*|issues?|problem\w*|glitch\w*|(?:dis|de|mal)(?:tort|form)\w*|blurr?\w*|nois[ey]\w*|grain\w*|fuzz\w*"
    r"|clutter\w*|ugl\w+|fake|artificial|suffer\w*|un(?:realis|natur|clear)\w*|in(?:accura|consist|coher)\w*|too many"
    r"|mis(?:match|represent|align|place|s)\w*|violat\w*|deviat\w*|lack\w*|reject\w*|comes last|least|less|fewer"
    r"|weird|f[au]rther from|\w+s lower|(?:lower|smaller) (?:in|(?:\w+ )?(?:quality|fidelity|score)))"
)
_FAULTY = lazily(rf"\b(?!(?:less|fewer) (?:\w+ )?{_FAULT}\b)(?<!less )(?<!fewer )(?<!least ){_FAULT}\b")
# A word for something: "sharper", "more realistic", "wins".
_WELL = lazily(
    r"\b(?:better|(?:sharp|clear|clos|near|clean|crisp|rich|strong|nic|larg|bigg|great|small|high|low|tall|long|short"
    r"|bright|dark|wid|old|young|new|fast|slow)er|(?:superi|fav)or|more (?:of|to|than|\w*(?:red|green|blue|yellow))"
    r"|(?:(?:has|shows) (?:\w+ ){0,4}|more )(?:realis|accura|correct|precis|detail|natural|faithful|vivid|consisten"
    r"|coheren|convinc|similar|like\b|pleas|appeal|attract|beaut|complet|close|clear|visib)\w*|(?:has|shows) more"
    r"|(?!worst|least)\w+est|wins?|winner|prefer\w*|(?:match|fit|follow|captur|depict)\w*|right|correct|answer|choice"
    rf"|pick|(?:less|fewer|no|without) (?:\w+ )?{_FAULT})\b"
)
# It is compared: "is smaller", "looks more …".
_COMPARED = lazily(r"\b(?:is|are|looks?|seems?|appears?)(?: (?:much|far|even|a \w+|\w+ly))* (?:more\b|\w{3,}er\b)")
# It is compared, or anything is said about the choice: "@ has six fingers", "the larger".
_TOLD = lazily(rf"{_COMPARED.pattern}|@(?:'s)?(?: [\w']+){{0,2}} (?:are|would|\w+s)\b|\bthe (?:more|wors[et]|\w+er)\b")
_END, _FAR = lazily(r"[.!?;\n]"), 200  # characters around a choice
_OF_COMPARISONS = {"tie", "equal", "both", "neither", "same", SECOND}  # choices of types that compare pictures


def choice_type(choices: Iterable[str]) -> str:
    """The name of the answer type with these choices, such as "choice:red|blue".

    InputError for fewer than two choices, or for two that no reply could tell apart.
    """
    name = f"{CHOICE}:{_SEPARATOR.join(choices)}"
    type_with_choices(name)
    return name


def choices_of(name: str) -> list[str]:
    """The choices that an answer type's name lists; none if it is of another kind."""
    kind, _, listed = name.partition(":")
    return listed.split(_SEPARATOR) if kind == CHOICE else []


def type_with_choices(name: str) -> AnswerType:
    """The answer type of this name; InputError unless it has at least two choices, in different words."""
    choices = choices_of(name)
    number = IntegerType()
    if len(choices) > 1 and len({*choices}) == len(choices) and all(map(number.is_canonical, choices)):
        return NumberChoiceType(name, choices)
    return ChoiceType(name, choices)


class ChoiceType(AnswerType):
    """One of several texts, as the type writes it."""

    bare_words = 12
    json_keys = ("choice", "option")

    def __init__(self, name: str, choices: list[str]) -> None:
        """Prepare to read replies for these choices; `name`: the type's whole name, such as "choice:red|blue|none".

        Labels, as in "A) red", are used only if no two choices have the same. InputError for fewer than two choices,
        for two that do not differ in letters or digits, and for one without any.
        """
        self.name, self.alphabet = name, tuple(choices)
        labelled = [_LABELLED.fullmatch(clean(choice)) for choice in choices]
        labels = [match[1] for match in labelled if match]
        if len({*labels}) < len(choices):
            labels = []
        words = [match[2] for match in labelled if match] if labels else list(map(clean, choices))
        self._values = dict(zip(map(_bare_words, words), choices, strict=True))
        if len(choices) < 2 or len(self._values) < len(choices) or "" in self._values:
            raise InputError(
                f"answer type {name[:120]!r}: it needs two choices or more that differ in letters or digits, such as "
                f"{CHOICE}:red|blue|none"
            )
        self._labels = dict(zip(labels, choices, strict=False))
        # Each choice is a key with its label, too: "B) no entry" is that choice, and its "no" denies nothing.
        self._by_words = (
            self._values | self._labels | {_bare_words(choice, articles=True): choice for choice in choices}
        )
        longest = sorted(self._values, key=len, reverse=True)
        forms = (r"\W+".join(map(re.escape, form.split())) for form in longest)
        self._named = re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")

    def with_marks_as_words(self, reply: str) -> str:
        """A reply with "A)" for "[A]" and "**A**", which markup would make an article."""
        return _MARKED.sub(r"\1) ", reply) if self._labels else reply

    def whole_value(self, text: str) -> str | None:
        """The choice if a stretch is only that choice, or only its letter or number; else None."""
        return self._by_words.get(_bare_words(text)) or self._by_words.get(_bare_words(text, articles=True))

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every choice that a stretch names, a denied one with DENIED; of "park" and "car park" only the longer one."""
        named = [(m.start(), m.end(), self._values[_bare_words(m[0])]) for m in self._named.finditer(text)]
        letter_matches = _LETTER.finditer(text) if self._labels else ()
        # "B) park" is one; letters that are no choice, or only an article, are none.
        named += [
            (m.start(), m.end(), self._labels[letter])
            for m in letter_matches
            if (letter := m["named"] or m["alone"]) in self._labels
            and (m.end(), self._labels[letter]) not in {(at, choice) for at, _, choice in named}
        ]
        return [
            f"{'' if is_stated(text, at, end) and not self._may_say_worse(text, at, end) else DENIED}{choice}"
            for at, end, choice in sorted(named)
        ]

    def _may_say_worse(self, text: str, start: int, end: int) -> bool:
        """True if the sentence around a choice, `text[start:end]`, may say that this choice is the worse one.

        A sentence                                  may say so
        with a word of `_FAULTY`: "@ is blurry"     if it tells something (`_TOLD`), or if the type compares pictures,
                                                    has labels ("A) red") or has only choices of one letter. Else the
                                                    word is a part of the choice: "@ with a blurry dog"
        else with a word of `_WELL`: "@ is sharper" never
        with neither: "@ has six fingers"           if the type compares pictures and the sentence tells something;
                                                    of another type if it compares (`_COMPARED`): "@ is smaller"
        """
        before, behind = _END.split(text[max(0, start - _FAR) : start])[-1], _END.split(text[end : end + _FAR])[0]
        clause = self._named.sub("@", f"{before}@ {behind.lstrip()}")
        compares, states = _OF_COMPARISONS.intersection(self._values), _TOLD.search(clause)
        if _FAULTY.search(clause):
            of_one_letter = max(map(len, self._values)) == 1
            return bool(states or compares or self._labels or of_one_letter)
        return bool(states if compares else _COMPARED.search(clause)) and _WELL.search(clause) is None


class NumberChoiceType(IntegerType):
    """One of several whole numbers; a number word is the number."""

    def __init__(self, name: str, choices: list[str]) -> None:
        self.name, self.alphabet = name, tuple(choices)

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it is one of the choices."""
        if answer.value in (self.alphabet or ()):
            return answer
        return Unparsed(f"{answer.value[:40]} is none of {', '.join(self.alphabet or ())}")


def _bare_words(text: str, articles: bool = False) -> str:
    """The words of a cleaned text, joined by single spaces, without markup and punctuation.

    Articles at its beginning are left out unless it has no other word; with `articles` they are kept.
    """
    text = without_markup(text)
    return " ".join(_WORD.findall(text if articles else _ARTICLES.sub("", text)))
