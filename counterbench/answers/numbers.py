"""Whole numbers in text: digits in any notation and words up to ninety-nine."""

from __future__ import annotations

import re
from typing import NamedTuple

from counterbench.answers.tokens import Token, word_at, word_set

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SMALL = {word: value for value, word in enumerate(_UNITS + _TEENS)} | {"nil": 0, "nought": 0, "naught": 0}
TENS = {word: 20 + 10 * i for i, word in enumerate(_TENS)} | {"fourty": 40}
_ORDINAL = re.compile(r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)s?")
_SCALES = word_set("hundred hundreds thousand thousands million millions billion dozen dozens half halves")
_PLAIN = re.compile(r"\d+|\d{1,3}(?:,\d{3})+")
_DECIMAL = re.compile(r"(\d+|\d{1,3}(?:,\d{3})+)\.0+")
_LONGEST = 15  # digits; beyond, it is no count


class Number(NamedTuple):
    """A number in the text: None where it is no whole number."""

    value: str | None
    first: int
    last: int
    in_words: bool


def numbers_in(tokens: list[Token]) -> list[Number]:
    """The numbers among `tokens`, in order; not "2D", "4-sided", "21st", "50%"."""
    found: list[Number] = []
    i = 0
    while i < len(tokens):
        number = _digits(tokens, i) if tokens[i].text[0].isdigit() else _words(tokens, i)
        if number is None:
            i += 1
            continue
        if not _is_part_of_word(tokens, number):
            found.append(number)
        i = number.last + 1
    return found


def _digits(tokens: list[Token], i: int) -> Number | None:
    text = tokens[i].text
    first = i
    whole = text if _PLAIN.fullmatch(text) else ""
    if match := _DECIMAL.fullmatch(text):
        whole = match[1]
    if not whole and re.fullmatch(r"\d+(?:,\d+)+", text):
        return Number(None, i, i, False)  # "1,2": a list without spaces, or a decimal comma
    if i and tokens[i - 1].text == "." and tokens[i - 1].end == tokens[i].start and word_at(tokens, i - 2) != ".":
        before = tokens[i - 2] if i > 1 else None
        if before is None or before.end < tokens[i - 1].start:
            return Number(None, i - 1, i, False)  # ".5"
    digits = whole.replace(",", "").lstrip("0") or "0"
    if not whole or len(digits) > _LONGEST:
        return Number(None, i, i, False)
    if _is_negative(tokens, i):
        first = i - 1
        digits = f"-{digits}" if digits != "0" else digits
    return Number(digits, first, i, False)


def _is_negative(tokens: list[Token], i: int) -> bool:
    if word_at(tokens, i - 1) in ("minus", "negative"):
        return not word_at(tokens, i - 2)[:1].isdigit()
    if word_at(tokens, i - 1) != "-" or tokens[i - 1].end != tokens[i].start:
        return False
    return i == 1 or tokens[i - 2].end < tokens[i - 1].start or not tokens[i - 2].is_word


def _words(tokens: list[Token], i: int) -> Number | None:
    word = tokens[i].text
    if word in SMALL:
        value, last = SMALL[word], i
    elif word in TENS:
        value, last = TENS[word], i
        k = i + 2 if word_at(tokens, i + 1) == "-" else i + 1
        unit = word_at(tokens, k)
        if _ORDINAL.fullmatch(unit):
            return None
        if 1 <= SMALL.get(unit, 0) <= 9:
            value, last = value + SMALL[unit], k
    else:
        return None
    if word_at(tokens, last + 1) in _SCALES:
        return Number(None, i, last + 1, True)
    if word_at(tokens, i - 1) in ("minus", "negative") and value:
        return Number(str(-value), i - 1, last, True)
    return Number(str(value), i, last, True)


def _is_part_of_word(tokens: list[Token], number: Number) -> bool:
    last = tokens[number.last]
    after, then = word_at(tokens, number.last + 1), word_at(tokens, number.last + 2)
    touches = number.last + 1 < len(tokens) and tokens[number.last + 1].start == last.end
    if after == "%" or after == "percent":
        return True
    if touches and (after == "-" and then[:1].isalpha() and then not in SMALL and then not in TENS):
        return True
    latin = touches and not number.in_words and re.match(r"[a-zß-ɏ]", after) is not None
    before = tokens[number.first - 1] if number.first else None
    glued = before is not None and before.end == tokens[number.first].start
    return latin or (glued and before is not None and re.search(r"[a-zß-ɏ#_]$", before.text) is not None)
