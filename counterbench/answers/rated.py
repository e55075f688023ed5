"""What graded and continuous scores share: which of a reply's numbers is the score, and which only counts or cites."""

from __future__ import annotations

import re
from abc import abstractmethod
from decimal import Decimal

from counterbench.answers.amounts import Amount, amounts_in, spelled_out, touches
from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.clean import clean
from counterbench.answers.counts import number_stance
from counterbench.answers.numbers import Number
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.stance import stances
from counterbench.answers.tokens import SENTENCE_ENDS, Token, tokenise, word_at, word_set

_ZERO, _HALF, _ONE = r"(?<![\d.,])0(?:\.0+)?", r"(?:0[.,]50*|1/2)", r"1(?:\.0+)?(?![\d/%]|[.,]\d)"
_COMMA, _TO = r"[ \t]*(?:[,/;]|,?[ \t]*\bor\b|,?[ \t]*\band\b)[ \t]*", r"[ \t]*(?:to|-|–)[ \t]*"
_NO_MORE = r"(?![ \t]*(?:,|or\b|and\b)[ \t]*[\d.])"
# The question's own words for what may be said: "0, 0.5 or 1", "on a scale from 0 to 1", "(0-1)".
_ECHO = re.compile(
    rf"{_ZERO}{_COMMA}{_HALF}{_COMMA}{_ONE}{_NO_MORE}|(?<![\d.,])1(?:\.0+)?{_COMMA}{_HALF}{_COMMA}0(?![.,]?\d)"
    rf"|\b(?:scale|range|scaled|from|ranges)\b[ \t]*(?:of|from|is|:)?[ \t]*{_ZERO}(?:{_TO}|[ \t]*,[ \t]*)"
    rf"{_ONE}{_NO_MORE}"
    rf"|\b(?:scale|range|number|score|value)[ \t]+between[ \t]+{_ZERO}[ \t]+and[ \t]+{_ONE}{_NO_MORE}"
    rf"|\([ \t]*{_ZERO}{_TO}{_ONE}[ \t]*\)|{_ZERO}{_TO}{_ONE}[ \t]+scale\b"
)
_SUM = re.compile(r"(?<![\d.,])[(\d][\d \t.,()+*/×-]{0,60}[ \t]*=[ \t]*(?=-?\d)")  # "(1 + 0) / 2 = " before its result
_RESULT = re.compile(r"(?<==)[ \t]*-?\d[\d.,]*(?:[ \t]*/[ \t]*\d[\d.,]*|[ \t]*%)?(?![ \t]*[-+×*/=\d])")
_FIRST_LINE = re.compile(r"([ \t*_]*1)(?::(?=[ \t]+\S)|\.(?=[ \t]+-?\.?\d))")
_SECOND_MARKER = re.compile(r"^[ \t*_]*\(?2[.):]", re.MULTILINE)
_CITED = word_set(
    "criterion criteria step steps image images picture pictures photo figure question point item items rule rules "
    "condition conditions requirement requirements level number no part option section law prompt frame row column "
    "object shape group panel panels check checks q # confidence stage"
)
_LISTING = word_set("and , & or -")
_MAY_FOLLOW = word_set(
    "point points pt pts mark marks because as since for is was would out if and or but overall in to based given on "
    "with though although while due here score grade rating indicating meaning means reflecting which that this it the "
    "so then only not when after considering according by at from than yet however hence thus therefore instead rather "
    "might may seems feels fits applies best final i we there they both all neither just even exactly per cent of total"
)
_UNITS = word_set("m cm mm km kg g px l ml s ms sec second inch inches cup liter litre metre meter meters metres x")
_BOUNDS = word_set("above below beneath beyond near nearing exceeding exceeds towards toward within closer")
_SURE = word_set("confident sure certain certainty confidence likely probability chance")


class RatedType(AnswerType):
    """A score: one number, in a notation that is exact. A number that is not allowed is never bent to one that is."""

    cue_words = ("score", "grade", "rating", "mark")

    @abstractmethod
    def objection(self, value: str) -> str:
        """Why `value`, which is not canonical, is no score: it names the value and what is allowed."""

    def settle(self, answer: Answer, marked: str, plain: str) -> Outcome:
        """The answer, or Unparsed with the reason if its number is none of this type."""
        return answer if self.is_canonical(answer.value) else Unparsed(self.objection(_shown(answer.value)))

    def prepare(self, text: str) -> str:
        """Decimals spelled out; "1: …" and "1. 0" at the start of a reply that is no list are no list's numbers."""
        if not _SECOND_MARKER.search(text) and (match := _FIRST_LINE.match(text)):
            text = f"{match[1]};{text[match.end() :]}"
        return spelled_out(text)

    def json_text(self, value: object) -> str | None:
        """A number in plain decimals, or the words of a string; no booleans."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, dict) and "value" in value:
            value = value["value"]
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        if isinstance(value, str):
            return self.prepare(clean(value))
        number = Decimal(repr(value))
        return f"{number:f}" if number.is_finite() else "no number"

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every score that is stated; counts, numbers of criteria and the words of the question are none."""
        text = _SUM.sub(" ", _ECHO.sub(lambda m: " " * len(m[0]), text))
        tokens = tokenise(text)
        stance = stances(tokens)
        found: list[Candidate] = []
        cited = -2  # the last token of a number that is only cited
        for amount in amounts_in(tokens):
            if word_at(tokens, amount.first - 1) in _CITED or _continues(tokens, amount, cited):
                cited = amount.last
            elif _is_score(tokens, amount):
                found.append(Candidate(amount.value, _stance(tokens, amount, stance)))
        # "0.5 (50%)" says one thing twice.
        said = {c.value for c in found}
        return Reading(c for c in found if not (c.value.endswith("%") and _as_decimal(c.value) in said))

    def cued(self, text: str, synonyms: bool) -> Reading | None:
        """What a sum comes to: "(1 + 0) / 2 = 0.5"."""
        results = [m for m in _RESULT.finditer(text) if _SUM.search(text, max(0, m.start() - 60), m.end() + 1)]
        values = [self.read(match[0], synonyms) for match in results[-40:]]
        found = [Candidate(value, Stance.FIRM) for reading in values for value in reading.firm]
        return Reading(found) if found else None


def _stance(tokens: list[Token], amount: Amount, stance: list[Stance]) -> Stance:
    before, after = (word_at(tokens, k) for k in (amount.first - 1, amount.last + 1))
    if before == "than" and word_at(tokens, amount.first - 2) in ("rather", "other"):
        return Stance.MENTIONED
    own = number_stance(tokens, Number(amount.value, amount.first, amount.last, amount.in_words), stance)
    then = word_at(tokens, amount.last + 2)
    bounded = after in ("or", "and") and then in ("higher", "lower", "above", "below", "better", "greater", "up")
    if before in _BOUNDS or bounded or (after == "at" and then == "best"):
        return max(own, Stance.DOUBTFUL)
    return own


def _is_score(tokens: list[Token], amount: Amount) -> bool:
    before, after = word_at(tokens, amount.first - 1), word_at(tokens, amount.last + 1)
    if amount.in_words:
        if after == "a" and word_at(tokens, amount.last + 2) == "point":
            return True
        return not after[:1].isalnum() or after in ("point", "points", "because", "since", "as")
    if before in ("confidence", "confident") or after in _SURE:
        return False
    if before in (":", "is", "of", "=") and word_at(tokens, amount.first - 2) == "confidence":
        return False
    if after == ")" and before != "(" and amount.first and before in SENTENCE_ENDS:
        return False  # "1) …; 2) …"
    if not after[:1].isalpha() or after.endswith("ly"):
        return True
    if after in ("of", "out") or "/" in amount.value:  # "1 of the 2 criteria", "1 of 2 criteria"
        return after not in ("of", "out") and (after in _MAY_FOLLOW or touches(tokens, amount.last))
    if "." in amount.value and after not in _UNITS and not after.endswith("s"):
        return True
    return after in _MAY_FOLLOW


def _continues(tokens: list[Token], amount: Amount, cited: int) -> bool:
    # "criteria 1, 2 and 3"
    between = [token.text for token in tokens[cited + 1 : amount.first]]
    return cited >= 0 and 0 < len(between) <= 2 and all(word in _LISTING for word in between)


def _as_decimal(percentage: str) -> str:
    try:
        return f"{(Decimal(percentage[:-1]) / 100).normalize():f}"
    except ArithmeticError:
        return ""


def _shown(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:40]}…"
