"""Whole numbers in text: digits in any notation, words up to ninety-nine, and signs of rough numbers."""

from __future__ import annotations

import re

from counterbench.answers.base import DENIED
from counterbench.answers.stated import is_stated

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: value for value, word in enumerate(_UNITS + _TEENS)}
_BIG = {word: 20 + 10 * i for i, word in enumerate(_TENS)}
WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:])}))?|{'|'.join(reversed(_UNITS + _TEENS))})"
_LONGEST = 15  # digits; beyond, it is no count

ROUGH = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|circa|nearly|almost|over|under|above|below|beyond|near|within"
    r"|least|most|up to|(?:more|less|fewer|greater|higher|lower|better) than|max(?:imum)?|min(?:imum)?"
    r"|between|closer to|towards?)\b\.?|[~≈<>≥≤±])[ ]*(?:an? |the )?"
    rf"(?:-?\.?\d|{WORD}\b|half\b)"
    r"|\d[ ]*(?:\+|[*×^=]|[-–][ ]*\.?\d|to \.?\d|-?ish\b|or (?:so|more|fewer|less|higher|lower|above|below|better)"
    r"|at (?:least|most|best))|\d[ ]+\d"
)
_NUMBER = re.compile(
    r"(?P<label>\b(?:step|square|circle|triangle|diamond|shape|object|row|column|image|picture|figure|label|part|group"
    r"|criterion|point|item|option)[ ]+#?)?"
    rf"(?:(?<![a-z0-9_.,/#)-])(?P<digits>-?\d+(?:[.,]\d+)*)(?![a-z0-9_]|[.,]\d|[ ]*(?:%|per ?cent)|-[a-z]|st\b|nd\b)"
    rf"|(?<![a-z'-])(?P<word>{WORD})(?![a-z]|-[a-z]|[ ]*per ?cent))"
)
_PRONOUN_AFTER = re.compile(r"[ ]+(?:of|that|which|is|who)\b")
_BEFORE_ONE = re.compile(
    r"(?:^|[.:=,(\n]|\b(?:is|are|be|just|only|exactly|see|count|has|have|or|and|contains?|shows?)|'s)[ ]*$"
)


def whole_numbers(text: str) -> list[str]:
    """The numbers that a text names, in order; one that is no whole number as it is written.

    A number that is not stated has DENIED before it. "2D", "4-sided", "50%" and "square 3" are left out, and
    the pronoun in "the one on the left" unless another number stands beside it ("2, and the one on the left").
    """
    numbers, pronouns = [], 0
    for match in _NUMBER.finditer(text):
        if match["label"] and not text[: match.start()].rstrip().endswith(":"):
            continue
        start = match.start("digits" if match["digits"] else "word")
        if match["word"] == "one":
            pronouns += _PRONOUN_AFTER.match(text, match.end()) is not None or not _BEFORE_ONE.search(
                text, max(0, start - 12), start
            )
            numbers.append("1")
            continue
        value = _plain(match["digits"]) if match["digits"] else str(_value(match["word"]))
        numbers.append(value if is_stated(text, start) else f"{DENIED}{value}")
    return numbers if len(numbers) > pronouns else []


_HUNDREDS = re.compile(
    rf"\b(?P<half>half )?(?P<many>an?|\d{{1,3}}|{WORD}) (?P<of>hundred|thousand|dozen)\b"
    rf"(?:(?: and)? (?P<more>{WORD})\b)?"
)
_SUM = re.compile(
    rf"(?<![\w.,*/+-])((?:(?:\d{{1,9}}|{WORD})(?: [a-z]+){{0,3}} ?(?:\+|plus) ?){{1,20}}(?:\d{{1,9}}|{WORD}))"
    rf"(?: [a-z]+){{0,3}} ?(?:=|equals|makes|is) ?(\d{{1,9}}|{WORD})(?![\w*/+-]|[.,]\d| [*/+-])"
)


def spelled_out(text: str) -> str:
    """A text with digits for "five hundred" and "a dozen", and with the total in place of a correct sum."""
    return _SUM.sub(_summed, _HUNDREDS.sub(_multiplied, text))


def _multiplied(match: re.Match[str]) -> str:
    many = _value(match["many"]) if match["many"] not in ("a", "an") else 1
    number = many * {"dozen": 12, "hundred": 100, "thousand": 1000}[match["of"]]
    return str(number // (2 if match["half"] else 1) + (_value(match["more"]) if match["more"] else 0))


def _summed(match: re.Match[str]) -> str:
    parts = [_value(part) for part in re.findall(rf"\d+|\b{WORD}\b", match[1])]
    return match[2] if sum(parts) == _value(match[2]) else match[0]


def _value(number: str) -> int:
    return int(number) if number.isdigit() else sum({**_SMALL, **_BIG}[word] for word in re.findall(r"[a-z]+", number))


def _plain(digits: str) -> str:
    whole = re.sub(r"\.0+$", "", digits)
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+", whole):
        whole = whole.replace(",", "")
    if len(whole) > _LONGEST:
        return f"{digits[:_LONGEST]}…"
    return str(int(whole)) if re.fullmatch(r"-?\d+", whole) else digits
