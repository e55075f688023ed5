"""Whole numbers in text: digits in any notation, words up to ninety-nine, and what makes a number a rough one."""

from __future__ import annotations

import re

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: value for value, word in enumerate(_UNITS + _TEENS)}
_BIG = {word: 20 + 10 * i for i, word in enumerate(_TENS)}
WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:])}))?|{'|'.join(reversed(_UNITS + _TEENS))})"
_COUNT, _PRONOUN = "count", "pronoun"  # what a "one" may be
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
    rf"(?:(?<![a-z0-9_.,/#)-])(?P<digits>-?\d+(?:[.,]\d+)*)(?![a-z0-9_]|[ ]*(?:%|percent)|-[a-z]|st\b|nd\b)"
    rf"|(?<![a-z'-])(?P<word>{WORD})(?![a-z]|-[a-z]))"
)
_PRONOUN_AFTER = re.compile(r"[ ]+(?:of|that|which|is|who)\b")
_BEFORE_ONE = re.compile(
    r"(?:^|[.:=,(\n]|\b(?:is|are|be|just|only|exactly|see|count|has|have|or|and|contains?|shows?)|'s)[ ]*$"
)

# "The red one" points and counts nothing; "the shapes, but one is hidden" may count.
_POINTED = re.compile(r"\b(?:the|this|that|each|every|any|no|which|other|another|an?)(?: (?!\w*s )\w+){0,2} $")
_PARTED = re.compile(r"\b(?:but|with|while|where|whereas)[ ]*$")


def whole_numbers(text: str) -> list[str]:
    """The numbers that a text names, in order, each as it is written where it is no whole number.

    Not "2D", "4-sided", "50%", "square 3", nor the pronoun in "the one on the left"; but beside another number that
    in "five, but only one is pink", which may be the count.
    """
    found, pronouns = [], 0
    for match in _NUMBER.finditer(text):
        if match["label"] and not text[: match.start()].rstrip().endswith(":"):
            continue
        if match["digits"]:
            found.append(_plain(match["digits"]))
        elif match["word"] != "one" or (how := _one(text, match.start("word"), match.end())) == _COUNT:
            found.append(str(sum({**_SMALL, **_BIG}[word] for word in re.findall(r"[a-z]+", match["word"]))))
        elif how == _PRONOUN:
            found.append("1")
            pronouns += 1
    return found if len(found) > pronouns else []


def _one(text: str, start: int, end: int) -> str:
    """Whether a "one" counts, stands for a thing that may be counted, or only points to one."""
    counted = _BEFORE_ONE.search(text, max(0, start - 12), start) is not None
    if not _PRONOUN_AFTER.match(text, end):
        return _COUNT if counted else _PRONOUN if _PARTED.search(text, max(0, start - 12), start) else ""
    return _PRONOUN if counted or not _POINTED.search(text, max(0, start - 40), start) else ""


def _plain(digits: str) -> str:
    whole = re.sub(r"\.0+$", "", digits)
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+", whole):
        whole = whole.replace(",", "")
    if len(whole) > _LONGEST:
        return f"{digits[:_LONGEST]}…"
    return str(int(whole)) if re.fullmatch(r"-?\d+", whole) else digits
