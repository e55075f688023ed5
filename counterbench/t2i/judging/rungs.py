"""Numbers that checks ask for, and how far a judge was shown to count: checks that ask for more are left out.

A check whose words, or whose expected answer, fix a number needs the rung of that number on the ladder `count`. It is
left out above what the judge was shown to see, the same for all models. A size that only the picture shows leaves no
check out, which would favour a model that draws small: where a judge says that a thing is not there, and the ladders of
size and visible share ended before their last rung, the answer is unknown, and widens the score.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from counterbench.certificate.climbing import Climbed, kept_climb
from counterbench.errors import InputError
from counterbench.scene.programs.base import NUMBER_WORDS
from counterbench.t2i.prompts.prompt_set import Check, Prompt, cell_of
from counterbench.t2i.prompts.skills import WHOLE, skill_of
from counterbench.t2i.scores.results import CheckResult

LADDERS_FOLDER = "ladders"  # in the folder of a run about pictures: the climb of its judge
COUNT = "count"  # the skill, and the ladder
PRESENCE, UNSEEN = "presence", ("size", "visible")  # a skill, and the ladders that it needs
RUNG = "count of "  # begins the name of a rung that a check needs: "count of 7"
_IS_THERE = re.compile(r"(is|are) there\b", re.IGNORECASE)
_TEENS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: number for number, word in enumerate((*NUMBER_WORDS, *_TEENS))} | {"dozen": 12, "hundred": 100}
_WORDS |= {word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)}
# "twenty-five" is one number; "3.5", "1,000", "10:30" and years are none of things.
_NUMBERS = re.compile(
    rf"\b(?:(?:{'|'.join(_TENS)})[- ])?(?:{'|'.join(_WORDS)})\b|(?<![\w.,:])[0-9]{{1,3}}(?!\w|[.,:][0-9])",
    re.IGNORECASE,
)


def number_of(check: Check) -> int | None:
    """The largest number of things, 2 or more, that a check asks for; None if it asks for none."""
    if skill_of(check) not in (COUNT, WHOLE):
        return None
    found = [check.expected] if check.expected.isdecimal() else _NUMBERS.findall(f"{check.expected} {check.text}")
    largest = max(map(_value, found), default=0)
    return largest if largest >= 2 else None


def _value(number: str) -> int:
    return sum(_WORDS[part] if part in _WORDS else int(part) for part in re.split("[- ]", number.lower()))


def most_counted(prompts: Iterable[Prompt]) -> int:
    """The largest number that any check asks for, of those that no law draws; 0 for none."""
    return max((number_of(check) or 0 for of in prompts for check in of.checks if not cell_of(of, check)), default=0)


def rung_of(check: Check) -> str:
    """The rung that a check needs, as results name it: "count of 7"; empty if it needs none."""
    number = number_of(check)
    return f"{RUNG}{number}" if number is not None else ""


def climb_of(run: Path, judge: str, template_digest: str) -> Climbed | None:
    """The climb in the folder of a run about pictures; InputError if it is another judge's, or in another template."""
    climb = kept_climb(run / LADDERS_FOLDER)
    if climb is not None and (climb.judge, climb.template_digest) != (judge, template_digest):
        raise InputError(
            f"{run / LADDERS_FOLDER}: the ladders were climbed by {climb.judge!r} in the template "
            f"{climb.template_digest}, not by {judge!r} in {template_digest}; delete that folder"
        )
    return climb


def counts_to(climb: Climbed | None) -> int | None:
    """The largest number that a judge was shown to count; 0 for none, None if it was not tried."""
    if climb is None or COUNT not in climb.ladders:
        return None
    return climb.ladders[COUNT].granted or 0


def rungs_out(climb: Climbed | None, prompts: Iterable[Prompt]) -> dict[str, str]:
    """The rungs that checks need above what the judge was shown to see, with the reason."""
    shown = counts_to(climb)
    if shown is None:
        return {}
    numbers = {number_of(check) or 0 for of in prompts for check in of.checks if not cell_of(of, check)}
    why = f"shown to count to {shown}" + (", and its replies could not be read" if climb and climb.lost else "")
    return {f"{RUNG}{number}": why for number in sorted(numbers) if number > shown}


def is_unknown(climb: Climbed | None, check: Check, answer: str | None) -> bool:
    """True if a judge says that a thing is not there, and was not shown to see the smallest or least visible ones."""
    asks = check.answer_type == "yes-no" and (skill_of(check) == PRESENCE or _IS_THERE.match(check.text))
    if climb is None or not asks or answer != "no":
        return False
    return any(name in climb.ladders and climb.ladders[name].next is not None for name in UNSEEN)


def without_unknown(
    climb: Climbed | None, checks: Mapping[tuple[str, str], Check], rows: Iterable[CheckResult]
) -> tuple[CheckResult, ...]:
    """The rows, those with an unknown answer without a credit; `checks` by prompt and id."""
    return tuple(
        msgspec.structs.replace(row, credit=None)
        if is_unknown(climb, checks[row.prompt_id, row.check], row.answer)
        else row
        for row in rows
    )
