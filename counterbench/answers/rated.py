"""Answers that are numbers on a scale, read exactly and never rounded: grades, scores, one rating, or several by name.

Four types of answers. "grade" is 0, 0.5 or 1; "score" is any number from 0 to 1 (both `RatedType`). "rating:1-5" names
its scale (`RatingType`). "ratings:1-5" are several numbers in one reply, '{"anatomy":4,"light":5}', for checks that are
asked in one question (`RatingsType`). A type tells `explicit` what its values look like in a reply: `normalised` brings
"1/2" and "four of five" into digits, and `mentions` lists all numbers that may be the score. A number on another scale
("80%") stays as it is written, which is no canonical value, so that the reply is Unparsed. Canonical is the shortest
plain decimal.
"""

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import ClassVar

from counterbench.answers.explicit import NOTHING, JsonObject, clean, key_of, objects, one_value
from counterbench.answers.lazy import lazily
from counterbench.answers.numbers import ROUGH, WORD, whole_numbers
from counterbench.answers.outcomes import Answer, AnswerType, Outcome, Unparsed, object_schema
from counterbench.answers.plain import refusal

_NUMBER = r"\d+(?:[.,]\d+)?"
# A number with its scale, a percent sign or the word after it: "4/5", "80%", "4 fingers".
_AMOUNT = lazily(
    rf"(?<![a-z0-9_.,/#)-])(?P<number>-?{_NUMBER})"
    rf"(?:[ ]*(?:/|out of(?: the)?|of(?: the)?)[ ]*(?P<of>{_NUMBER})|[ ]*(?P<percent>%|percent\b))?"
    r"(?![a-z0-9_/]|[.,]\d|-[a-z])(?P<after>[ ]+[a-z]+)?"
)
_EXPONENT = lazily(r"(?<![\w.,])\d{1,40}(?:\.\d{1,40})?e[+-]?\d{1,3}(?![\w.]*\d)")
_MINUS = lazily(r"\b(?:minus|negative)[ ]+(?=\.?\d)")
_POINT = lazily(r"(?<![\w.])\.(?=\d)")
_HALF = lazily(r"(?<![\w./])1/2(?![\w./])")
# Words that may follow a score; any other word may be a counted thing or a unit.
_AFTER = (
    r"[ ]+(?:points?|pts?|marks?|for|is|was|out|if|and|or|but|overall|in|to|based|given|on|with|here|score|at|so|as"
    r"|because|since)\b"
)
# Words about a number that is taken off a score, and is no score itself.
_DEDUCTED = lazily(
    rf"{ROUGH.pattern}|\bdeduct(?:s|ed|ing)?\b|\b(?:subtract(?:s|ed|ing)?|dock(?:s|ed|ing)?|los(?:es?|ing|t))[ ]+-?\d"
    rf"|(?:\d|\b(?:half|{WORD}))[ ]*(?:an? )?(?:points?|marks?)?[ ]+(?:(?:is|are|was|were)[ ])?"
    r"(?:off|lost|lower|less|subtracted|taken off)\b"
    r"|\b(?:minus|less|(?:knock|tak)\w* off|subtract\w*|(?:reduc|lower)\w+(?: it)? by)[ ]+"
    rf"(?:an? |some |the )?(?:\d|half|{WORD}|points?|marks?|bit)\b"
)
# Stars in a row; the rating is the number of full ones, out of all.
_STARS = lazily("(?P<full>(?:[★⭐🌟]\ufe0f?)++)(?P<empty>[☆✩]*+)(?![½⯪⯨])")
_IN_WORDS = lazily(rf"\b{WORD}[ ]+(?:stars?\b|(?:out )?of[ ]+{WORD}\b)|\bstars?[ ]+(?:out )?of[ ]+(?:{WORD}\b|\d)")
_OF_STARS = lazily(r"\b(\d{1,2})(?:[ ]+stars?)?[ ]+(?:out )?of[ ]+(\d{1,2})\b")
_WORDS = {"half": "0.5", "a half": "0.5", "one half": "0.5", "half a point": "0.5", "zero": "0", "one": "1"}


class RatedType(AnswerType):
    """A number from `low` to `high`, as the shortest plain decimal; with `grades`, one of these numbers alone."""

    json_keys = ("final_score", "score", "final_grade", "grade", "rating", "overall_score", "mark")
    cue_words = ("score", "grade", "rating", "mark")
    lead = lazily(r"\s*(0(?:\.\d{1,9})?)[ ]*(?:[–—:]|-(?=[ ]))[ ]*(?=[a-z])")
    hedges = _DEDUCTED
    after: ClassVar[re.Pattern[str]] = lazily(_AFTER)

    def __init__(self, name: str, low: str = "0", high: str = "1", grades: tuple[str, ...] | None = None) -> None:
        """Prepare to read replies on a scale; `low`, `high` and `grades` are decimals as texts.

        `grades`: the only allowed numbers; None if every number from `low` to `high` is allowed.
        """
        self.name, self.alphabet = name, grades
        self.low, self.high = self.ends = low, high
        allowed = (
            {"enum": [json.loads(grade) for grade in grades]} if grades else {"description": f"from {low} to {high}"}
        )
        self._scale_pattern = _scale_pattern(low, high)
        self.schema = object_schema({"score": {"type": "number", **allowed}})

    def is_canonical(self, value: str) -> bool:
        """True for a plain decimal on the scale: no plus sign, no needless zeros, "0" and not "-0"."""
        if self.alphabet:
            return value in self.alphabet
        plain = re.fullmatch(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?", value) is not None and value != "-0"
        return plain and Decimal(self.low) <= Decimal(value) <= Decimal(self.high)

    def objection(self, value: str) -> str:
        """The reason why `value`, which is not canonical, is no answer of this type."""
        if self.alphabet:
            return f"{value} is none of {', '.join(self.alphabet)}"
        if value.endswith("%") or "/" in value:
            return f"{value} is on another scale than {self.low} to {self.high}"
        if "," in value:
            return f"{value} may be one number or several"
        return f"{value} is outside {self.low} to {self.high}"

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer, or Unparsed with the reason if its number is none of this type."""
        shown = answer.value if len(answer.value) <= 40 else f"{answer.value[:40]}…"
        return answer if self.is_canonical(answer.value) else Unparsed(self.objection(shown))

    def normalised(self, text: str) -> str:
        """A reply with "0.5" for ".5", "5e-1" and "1/2", "-1" for "minus 1", without the scale repeated."""
        text = _POINT.sub("0.", _MINUS.sub("-", _EXPONENT.sub(lambda m: f"{Decimal(m[0]):f}", text)))
        return self._scale_pattern.sub(" ", _HALF.sub("0.5", text) if self.high == "1" else text)

    def whole_value(self, text: str) -> str | None:
        """The number for a word such as "half", if the stretch is only that; else None."""
        return _WORDS.get(text[:40].strip(" \t\n.!"))

    def json_text(self, value: object) -> str | None:
        """The words for the value of an answer's key in JSON: a plain decimal, or a string; None for a boolean."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        if isinstance(value, str):
            return value
        number = Decimal(repr(value))
        return f"{number:f}" if number.is_finite() else "no number"

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every number that may be a score, as a plain decimal if it is one.

        A number on another scale keeps its form ("3/4", "80%"), and a count keeps its noun ("4 fingers"): neither is
        canonical.
        """
        numbers = []
        for match in _AMOUNT.finditer(text):
            number, out_of = _decimal(match["number"], self.ends), match["of"]
            if match["percent"]:
                number = number if self.ends == ("0", "100") else f"{match['number']}%"
            elif out_of:
                number = number if _decimal(out_of, self.ends) == self.high else f"{match['number']}/{out_of}"
            # "4 fingers" counts things, and so does "4 of 5 fingers", unless the scale ends at 1.
            counts = match["after"] and not self.after.match(match["after"])
            if counts and not match["percent"] and not (out_of and self.high == "1"):
                number += match["after"]
            numbers.append(number)
        return numbers


class RatingType(RatedType):
    """A number on a scale that the type names; "4/5" and "4 out of 5" are 4 where `high` is 5."""

    lead = lazily(r"\s*(-?\d{1,9}(?:\.\d{1,9})?(?:[ ]*(?:/|out of)[ ]*\d{1,9})?)[ ]*(?:[–—:]|-(?=[ ]))[ ]*(?=[a-z])")
    after = lazily(rf"{_AFTER}|[ ]+stars?\b")

    def with_marks_as_words(self, reply: str) -> str:
        """A reply with "4/5" for "★★★★☆", and for four stars alone on a scale to 5."""
        return _STARS.sub(self._starred, reply)

    def _starred(self, match: re.Match[str]) -> str:
        """Stars as a number over their total: "★★★☆☆" is " 3/5 "."""
        full, empty = (len(match[name].replace("\ufe0f", "")) for name in ("full", "empty"))
        comma = "," if match.string[match.end() :].lstrip()[:1].isdigit() else ""
        if empty or full > 5:
            return f" {full}/{full + empty}{comma} "
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
        alone = full > 1 or not any(char.isalnum() for char in line)  # one star beside words may be a bullet
        return f" {full}/5{comma} " if self.high == "5" and alone else match[0]

    def normalised(self, text: str) -> str:
        """A reply in the spelling of all numbers, and with "4/5" for "four of five" and "4 stars out of 5"."""
        text = super().normalised(text)
        if _IN_WORDS.search(text):
            text = _OF_STARS.sub(r"\1/\2", re.sub(rf"\b{WORD}\b", lambda m: whole_numbers(f"{m[0]}.")[0], text))
        return text

    def whole_value(self, text: str) -> str | None:
        """The number for a word such as "four", if the stretch is only that; else None."""
        word = text[:40].strip(" \t\n.!")
        return whole_numbers(word)[0] if re.fullmatch(WORD, word) else None


def _decimal(text: str, ends: tuple[str, str]) -> str:
    """A number in text as the shortest plain decimal: "0.50" is "0.5", "0,5" as well.

    It is unchanged if its comma may separate thousands ("1,000"), or if it is the two `ends` of the scale ("0,1").
    """
    whole, comma, fraction = text.partition(",")
    if comma and ((len(fraction) == 3 and whole.strip("-0")) or {whole, fraction} == {*ends}):
        return text
    whole, _, fraction = text.replace(",", ".").partition(".")
    sign, whole, fraction = whole[: whole.startswith("-")], whole.lstrip("-0") or "0", fraction.rstrip("0")
    value = f"{whole}.{fraction}" if fraction else whole
    return f"{sign}{value}" if value != "0" else value


@cache
def _scale_pattern(low: str, high: str) -> re.Pattern[str]:
    """A pattern for the scale as the question words it, and for numbers that are no scores."""
    ends = [re.escape(end) + (r"(?:\.0)?" if "." not in end else "") for end in (low, high)]
    start = r"(?<![\w.])" if low.startswith("-") else r"\b"
    return re.compile(
        r"\b0,[ ]*0\.5,?[ ]*(?:and|or)?[ ]*1(?![.\d])|\b(?:scale|range)?[ ]*\(?(?:\bof|\bfrom|\bbetween)?[ ]*"
        rf"{start}{ends[0]}[ ]*(?:to|-|–)[ ]*{ends[1]}(?![.,]?\d)\)?"
        rf"|\([ ]*out of {ends[1]}[ ]*\)"
        r"|\bconfiden(?:ce|t)\b[^\d\n]{0,12}[\d.]+%?|(?<![\d.])[\d.]{1,9}%?[ ](?:confident|sure|certain)"
        r"|\b(?:criterion|criteria|step|image|picture|rule)[ ]\d+(?!\.\d)"
    )


# "- **Anatomy**: 4/5", "2. light = 3", "| anatomy | 4 |"
_NAMED_LINE = lazily(
    r"^[ \t>*+•|_`\"'-]*(?:\d{1,2}[.)][ \t*_]*)?(?P<name>[^\W\d_][^:=|\n]{0,79}?)[*_`\"' \t]*[:=|](?P<value>[^\n]*)",
    re.MULTILINE,
)
_MAX_NAMES = 200  # that are read of a reply
# Keys of the number in an object that explains it: {"score": 4, "why": …}.
_NUMBER_KEYS = ("score", "rating", "grade", "value")


def graded(value: str) -> dict[str, float]:
    """The numbers of an answer of a type "ratings:…", by the names of what they rate (see `name_of`).

    `value`: the canonical answer, '{"anatomy":4,"light":5}'.
    """
    return {name: float(number) for name, number in json.loads(value).items()}


def name_of(name: str) -> str:
    """A name in the form in which names in replies are compared: "hand_anatomy" for "Hand anatomy"."""
    return key_of(clean(name))


class RatingsType(AnswerType):
    """A JSON object of names to numbers from `low` to `high`, or a line "name: number" for each.

    A number that is not on the scale, or that is given twice differently, is left out. Canonical: compact JSON, keys
    sorted.
    """

    def __init__(self, name: str, low: str, high: str) -> None:
        self.name = name
        self.low, self.high = low, high
        self._rating_type = RatingType(name, low, high)

    def read_all(self, reply: str) -> Outcome:
        """The numbers of all objects in the reply or, where there is none, of its lines."""
        plain = clean(reply)
        if not plain:
            return NOTHING
        json_objects = list(objects(reply))
        lines = ((line["name"], line["value"].strip(" \t|,")) for line in _NAMED_LINE.finditer(reply))
        numbers = self._unique_numbers(self._named_values(json_objects) if json_objects else lines)
        if numbers:
            return Answer(_canonical(numbers))
        return refusal(plain) or Unparsed(f"no number from {self.low} to {self.high} by name")

    def is_canonical(self, value: str) -> bool:
        """True for compact JSON with valid numbers, as `read_all` gives it."""
        try:
            data = json.loads(value, parse_int=str, parse_float=str)
        except ValueError:
            return False
        if not isinstance(data, dict) or not data:
            return False
        return all(map(self._rating_type.is_canonical, map(str, data.values()))) and _canonical(data) == value

    def _named_values(self, json_objects: Iterable[JsonObject]) -> Iterator[tuple[str, object]]:
        """The names and values in a reply's objects, also in an object within one: {"scores": {…}, "overall": 4}."""
        for name, value in (pair for item in json_objects for pair in (item.data or {}).items()):
            if not isinstance(value, dict):
                yield name, value
                continue
            inner = {key_of(key): rating for key, rating in value.items()}
            number = next((inner[key] for key in _NUMBER_KEYS if key in inner), None)
            yield from inner.items() if number is None else [(name, number)]

    def _number(self, value: object) -> str | None:
        """The value as a valid number in plain decimals; None if it is none."""
        text = self._rating_type.json_text(value)
        if text is None or self._rating_type.is_canonical(text):
            return text
        outcome = one_value(text, self._rating_type, True)
        return outcome.value if isinstance(outcome, Answer) else None

    def _unique_numbers(self, pairs: Iterable[tuple[str, object]]) -> dict[str, str]:
        """The number of each name that has exactly one valid number."""
        by_name: dict[str, set[str]] = {}
        for name, value in islice(pairs, _MAX_NAMES):
            if number := self._number(value):
                by_name.setdefault(name_of(name), set()).add(number)
        return {name: numbers.pop() for name, numbers in by_name.items() if name and len(numbers) == 1}


def _canonical(numbers: dict[str, str]) -> str:
    """The numbers by name as compact JSON, sorted by name."""
    inner = ",".join(f"{json.dumps(name, ensure_ascii=False)}:{numbers[name]}" for name in sorted(numbers))
    return f"{{{inner}}}"
