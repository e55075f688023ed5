"""Amounts in text, for scores: decimals, fractions, percentages and number words, each in one plain spelling."""

from __future__ import annotations

import re
from typing import NamedTuple

from counterbench.answers.numbers import SMALL, TENS
from counterbench.answers.tokens import Token, word_at, word_set

_FRAC = re.compile(r"\\[dt]?frac[ ]*\{[ ]*(\d{1,9})[ ]*\}[ ]*\{[ ]*(\d{1,9})[ ]*\}")
_BARE_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
_EXPONENT = re.compile(r"(?<![\w.,])(\d{1,40})(?:\.(\d{1,40}))?e([+-]?\d{1,3})(?![\w.]*\d)")
_DECIMAL = re.compile(r"(\d+)(?:([.,])(\d+))?")
_LETTER = re.compile(r"[^\W\d_]|[#_]")
_PERCENT = word_set("% ‰ percent")


class Amount(NamedTuple):
    """An amount and its tokens.

    `value` is a plain decimal ("0.5", "-1", "70") wherever there is one, also of "0.5/1" and "1/2"; else it is what
    the text says ("7/10", "50%", "0,1" which may be a list).
    """

    value: str
    first: int
    last: int
    in_words: bool = False


def spelled_out(text: str) -> str:
    r"""`text` with ".5" and "5e-1" as "0.5", and LaTeX's `\frac{1}{2}` as "1/2"."""
    return _EXPONENT.sub(_without_exponent, _BARE_POINT.sub("0.", _FRAC.sub(r" \1/\2", text)))


def plain_decimal(whole: str, fraction: str = "", negative: bool = False) -> str:
    """The shortest spelling of a decimal: no leading zeros, no trailing ones, no minus before zero."""
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    value = f"{whole}.{fraction}" if fraction else whole
    return f"-{value}" if negative and value != "0" else value


def amounts_in(tokens: list[Token]) -> list[Amount]:
    """The amounts among `tokens`, in order; none in "2D", "4-sided", "v1.5", "gpt-4"."""
    found: list[Amount] = []
    i = 0
    while i < len(tokens):
        amount = _digits(tokens, i) if tokens[i].text[0].isdigit() else _words(tokens, i)
        if amount is None:
            i += 1
            continue
        if not _is_part_of_word(tokens, amount):
            found.append(amount)
        i = amount.last + 1
    return found


def _digits(tokens: list[Token], i: int) -> Amount:
    first = i
    sign = touches(tokens, i - 1) and word_at(tokens, i - 1) == "-" and not _joins(tokens, i - 1)
    if sign or (word_at(tokens, i - 1) in ("minus", "negative") and not word_at(tokens, i - 2)[:1].isdigit()):
        first = i - 1
    raw = ("-" if first < i else "") + tokens[i].text
    plain = _plain(tokens[i].text, first < i)
    after, then = word_at(tokens, i + 1), word_at(tokens, i + 2)
    if after in _PERCENT or (after == "per" and then == "cent"):
        return Amount(f"{raw}%", first, i + 2 if after == "per" else i + 1)
    if after[:1].isdigit() and then == "/" and word_at(tokens, i + 3)[:1].isdigit():
        return Amount(f"{raw} {after}/{word_at(tokens, i + 3)}", first, i + 3)  # "1 1/2", which is also 1½
    over = {"/": 2, "of": 2}.get(after, 3 if (after, then) == ("out", "of") else 0)
    under = word_at(tokens, i + over) if over else ""
    if not under[:1].isdigit():
        return Amount(plain or raw, first, i)
    last = i + over
    chained = word_at(tokens, last + 1) == "/" and word_at(tokens, last + 2)[:1].isdigit()  # "1/2/3"
    if not chained and plain and _plain(under, False) == "1":
        return Amount(plain, first, last)
    if not chained and after == "/" and (plain, under) == ("1", "2"):
        return Amount("0.5", first, last)
    return Amount(f"{raw}/{under}", first, last)


def _plain(text: str, negative: bool) -> str | None:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    whole, mark, fraction = match[1], match[2], match[3] or ""
    if mark == ",":
        thousands = len(fraction) == 3 and whole.strip("0")
        listed = {whole, fraction} == {"0", "1"}
        if thousands or listed:
            return None
    return plain_decimal(whole, fraction, negative)


def _words(tokens: list[Token], i: int) -> Amount | None:
    word, after, then = (word_at(tokens, k) for k in (i, i + 1, i + 2))
    if word == "half":
        return Amount("0.5", i, i, True)
    if word == "one" and (after == "half" or (after == "-" and then == "half")):
        return Amount("0.5", i, i + 1 if after == "half" else i + 2, True)
    point = i if word == "point" else i + 1
    if word_at(tokens, point) == "point" and word_at(tokens, point + 1) in SMALL and (point == i or word in SMALL):
        whole = "0" if point == i else str(SMALL[word])
        last = point + 1
        while SMALL.get(word_at(tokens, last + 1), 10) < 10:
            last += 1
        digits = "".join(str(SMALL[word_at(tokens, k)]) for k in range(point + 1, last + 1))
        return Amount(plain_decimal(whole, digits), i, last, True)
    if word not in SMALL and word not in TENS:
        return None
    first = i - 1 if word_at(tokens, i - 1) in ("minus", "negative") else i
    value = str(SMALL.get(word, TENS.get(word, 0)))
    return Amount(plain_decimal(value, negative=first < i), first, i, True)


def _is_part_of_word(tokens: list[Token], amount: Amount) -> bool:
    last, first = amount.last, amount.first
    if amount.in_words:
        return False
    if last + 1 < len(tokens) and touches(tokens, last):
        after, then = word_at(tokens, last + 1), word_at(tokens, last + 2)
        hyphened = after == "-" and touches(tokens, last + 1) and then[:1].isalpha() and then != "ish"
        if hyphened or _LETTER.match(after):
            return True
    if not first or not touches(tokens, first - 1):
        return False
    before = word_at(tokens, first - 1)
    if before == "-" and _joins(tokens, first - 1):
        return word_at(tokens, first - 2)[:1].isalpha()
    return _LETTER.match(before) is not None


def touches(tokens: list[Token], i: int) -> bool:
    """Whether no space is between token `i` and the next."""
    return 0 <= i < len(tokens) - 1 and tokens[i].end == tokens[i + 1].start


def _joins(tokens: list[Token], i: int) -> bool:
    # A hyphen that hangs on the word or number before it.
    return i > 0 and touches(tokens, i - 1) and tokens[i - 1].is_word


def _without_exponent(match: re.Match[str]) -> str:
    digits, shift = match[1] + (match[2] or ""), len(match[1]) + int(match[3])
    if shift <= 0:
        return f"0.{'0' * -shift}{digits}"
    whole = digits[:shift].ljust(shift, "0")
    return f"{whole}.{digits[shift:]}" if digits[shift:] else whole
