"""Several numbers from one reply, by name: "ratings:1-5" is {"anatomy":4,"light":5}.

They are for checks that are asked in one question. The type does not know the names that the question asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from counterbench.answers.base import AnswerType
from counterbench.answers.clean import clean
from counterbench.answers.explicit import NOTHING, one_value
from counterbench.answers.objects import JsonObject, key_of, objects
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.rated import RatingType
from counterbench.answers.refusal import refusal

# "- **Anatomy**: 4/5", "2. light = 3", "| anatomy | 4 |"
_LINE = re.compile(
    r"^[ \t>*+•|_`\"'-]*(?:\d{1,2}[.)][ \t*_]*)?(?P<name>[^\W\d_][^:=|\n]{0,79}?)[*_`\"' \t]*[:=|](?P<said>[^\n]*)",
    re.MULTILINE,
)
_MOST = 200  # names in a reply
_VERDICT = ("score", "rating", "grade", "value")  # keys of an object that explains one number


def graded(value: str) -> dict[str, float]:
    """The valid numbers in an answer of a type "ratings:…", by `name_of` their names."""
    return {name: float(number) for name, number in json.loads(value).items()}


def name_of(name: str) -> str:
    """A name as the names in replies are compared: "Hand anatomy" is "hand_anatomy"."""
    return key_of(clean(name))


class RatingsType(AnswerType):
    """A JSON object of names to numbers from `low` to `high`, or a line "name: number" for each.

    A number that is not on the scale, or that is given twice differently, is left out. Canonical: compact JSON, keys
    sorted.
    """

    def __init__(self, name: str, low: str, high: str) -> None:
        self.name = name
        self.low, self.high = low, high
        self._one = RatingType(name, low, high)

    def read_all(self, reply: str) -> Outcome:
        """The numbers of all objects in the reply or, where there is none, of its lines."""
        plain = clean(reply)
        if not plain:
            return NOTHING
        objects_ = list(objects(reply))
        numbers = self._settled(self._of_objects(objects_) if objects_ else self._of_lines(reply))
        if numbers:
            return Answer(_canonical(numbers))
        declined = refusal(plain)
        if declined is not None:
            return Refused(declined[:200])
        return Unparsed(f"no number from {self.low} to {self.high} by name")

    def is_canonical(self, value: str) -> bool:
        """Compact JSON, as `read_all` gives it."""
        try:
            data = json.loads(value, parse_int=str, parse_float=str)
        except ValueError:
            return False
        if not isinstance(data, dict) or not data:
            return False
        return all(map(self._one.is_canonical, map(str, data.values()))) and _canonical(data) == value

    def _of_objects(self, replies: Iterable[JsonObject]) -> Iterator[tuple[str, object]]:
        """Every name with its value, also of an object within an object: {"scores": {…}, "overall": 4}."""
        for name, value in (pair for each in replies for pair in (each.data or {}).items()):
            if not isinstance(value, dict):
                yield name, value
                continue
            inner = {key_of(key): each for key, each in value.items()}
            verdict = next((inner[key] for key in _VERDICT if key in inner), None)
            yield from inner.items() if verdict is None else [(name, verdict)]

    @staticmethod
    def _of_lines(reply: str) -> Iterator[tuple[str, object]]:
        return ((line["name"], line["said"].strip(" \t|,")) for line in _LINE.finditer(reply))

    def _number(self, value: object) -> str | None:
        """A valid number in plain decimals; None if it is none."""
        text = self._one.json_text(value)
        if text is None or self._one.is_canonical(text):
            return text
        outcome = one_value(text, self._one, True)
        return outcome.value if isinstance(outcome, Answer) else None

    def _settled(self, said: Iterable[tuple[str, object]]) -> dict[str, str]:
        """The number of each name that has one number."""
        by_name: dict[str, set[str]] = {}
        for name, value in islice(said, _MOST):
            if number := self._number(value):
                by_name.setdefault(name_of(name), set()).add(number)
        return {name: numbers.pop() for name, numbers in by_name.items() if name and len(numbers) == 1}


def _canonical(numbers: dict[str, str]) -> str:
    inner = ",".join(f"{json.dumps(name, ensure_ascii=False)}:{numbers[name]}" for name in sorted(numbers))
    return f"{{{inner}}}"
