"""How sure a reply says it is, from 0 to 1: `"confidence": 0.8` in JSON, "confidence: 80%", "I am 80% sure"."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType
from counterbench.answers.structured import answer_of, json_objects

_NO_RANGE = r"(?![\d/]|[.,]\d|[ \t]*(?:-|–|/|to\b|or\b|out\b)[ \t]*\.?\d)"
_NUMBER = rf"(?<![\d.,])(-?\d{{1,20}}(?:[.,]\d{{1,20}})?|-?\.\d{{1,20}}){_NO_RANGE}"
_PERCENT = r"[ \t]*(%|percent\b|per cent\b)"
_AFTER = re.compile(
    r"\bconfiden(?:ce|t)(?:[ \t]+(?:level|score|rating|value))?(?:[ \t]*\([^()\n]{0,12}\))?"
    rf"[ \t]*(?:is|of|at|[:=—])*[ \t]*{_NUMBER}(?:{_PERCENT})?"
)
_BEFORE = re.compile(rf"{_NUMBER}(?:{_PERCENT})?[ \t]*(?:confiden(?:t|ce)|sure|certain)\b")
_ROUGH = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|over|under|above|below|least|most|than|not|between|to|or)"
    r"|n't|[~<>≈≥≤]|[\d%][ \t]*[-–])[ \t]*$"
)


def confidence_in(marked: str, plain: str, value: str, kind: AnswerType) -> float | None:
    """The one confidence that a reply states with the answer `value`; None if there is none, or more than one.

    A number outside 0 … 1 is never clamped: it is None. JSON that holds the answer outranks prose.
    """
    holders = [
        object_.data
        for object_ in json_objects(marked, whole=True)
        if (text := answer_of(object_.data, kind)) is not None and kind.read(text, True).value == value
    ]
    if any("confidence" in data for data in holders):
        stated = {_of_json(data.get("confidence")) for data in holders}
    else:
        stated = _of_prose(plain)
    return stated.pop() if len(stated) == 1 else None


def _of_json(value: object) -> float | None:
    if isinstance(value, str):
        match = re.fullmatch(rf"[ \t]*{_NUMBER}(?:{_PERCENT})?[ \t]*", value)
        return _share(match[1], match[2]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) + 0.0 if 0 <= value <= 1 else None


def _of_prose(plain: str) -> set[float | None]:
    found: set[float | None] = set()
    for pattern in (_AFTER, _BEFORE):
        for match in pattern.finditer(plain):
            rough = _ROUGH.search(plain, max(0, match.start(1) - 40), match.start(1))
            found.add(None if rough else _share(match[1], match[2]))
    return found


def _share(number: str, percent: str | None) -> float | None:
    # Divided as decimals are written, so that 80% is 0.8 and 7% is 0.07.
    value = float(number.replace(",", "."))
    if percent:
        value = float(f"{value}e-2")
    return value + 0.0 if 0 <= value <= 1 else None
