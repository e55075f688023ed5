"""Numbers that checks ask for, and how far a judge was shown to count: checks that ask for more are left out.

A check whose words, or whose expected answer, fix a number needs the rung of that number, one level of difficulty, on
the ladder `count`. It is left out above what the judge was shown to see, the same for all models. A size that only the
picture shows leaves no check out, which would favour a model that draws small: where a judge says that a thing is not
there, and the ladders of size and visible share ended before their last rung, the answer is unknown, and widens the
score.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from counterbench.answers.numbers import whole_numbers
from counterbench.answers.outcomes import DENIED
from counterbench.errors import InputError
from counterbench.evidence.ladders import LadderResults, kept_ladders
from counterbench.prompts.claims import WHOLE
from counterbench.prompts.prompt_set import Check, Prompt, cell_of
from counterbench.prompts.skills import skill_of

LADDERS_FOLDER = "ladders"  # in the folder of a run about pictures: those of its judge
COUNT = "count"  # the skill, and the ladder
PRESENCE, UNSEEN = "presence", ("size", "visible")  # a skill, and the ladders that it needs
RUNG = "count of "  # begins the name of a rung that a check needs: "count of 7"
_IS_THERE = re.compile(r"(is|are) there\b", re.IGNORECASE)
_CLOCK = re.compile(r"\d+:\d+")
_MAX_NUMBER = 999  # a larger number is a year or the like


def number_of(check: Check) -> int | None:
    """The largest number of things, 2 to 999, that a check asks for; None if it asks for none."""
    if (skill := skill_of(check)) != COUNT and not skill.startswith(WHOLE):
        return None
    words = check.expected if check.expected.isdecimal() else _CLOCK.sub(" ", f"{check.expected} {check.text}".lower())
    texts = (number.removeprefix(DENIED) for number in whole_numbers(words))  # a question states none
    numbers = [int(number) for number in texts if number.isdecimal() and int(number) <= _MAX_NUMBER]
    return max((number for number in numbers if number >= 2), default=None)


def most_counted(prompts: Iterable[Prompt]) -> int:
    """The largest number that any check asks for, of checks that no law draws; 0 for none."""
    return max(_undrawn_numbers(prompts), default=0)


def _undrawn_numbers(prompts: Iterable[Prompt]) -> set[int]:
    """The numbers that checks ask for, of checks that no law draws."""
    return {number_of(check) or 0 for prompt in prompts for check in prompt.checks if not cell_of(prompt, check)}


def rung_of(check: Check) -> str:
    """The rung that a check needs, as results name it: "count of 7"; empty if it needs none."""
    number = number_of(check)
    return f"{RUNG}{number}" if number is not None else ""


def ladders_of(run: Path, judge: str, template_digest: str) -> LadderResults | None:
    """The ladders in the folder of a run about pictures; InputError if of another judge, or in another template."""
    ladders = kept_ladders(run / LADDERS_FOLDER)
    if ladders is not None and (ladders.judge, ladders.template_digest) != (judge, template_digest):
        raise InputError(
            f"{run / LADDERS_FOLDER}: the ladders are of the judge {ladders.judge!r} in the template "
            f"{ladders.template_digest}, not of {judge!r} in {template_digest}; delete that folder"
        )
    return ladders


def counts_to(ladders: LadderResults | None) -> int | None:
    """The largest number that a judge was shown to count; 0 for none, None if it was not tried."""
    if ladders is None or COUNT not in ladders.ladders:
        return None
    return ladders.ladders[COUNT].granted or 0


def rungs_out(ladders: LadderResults | None, prompts: Iterable[Prompt]) -> dict[str, str]:
    """The rungs that checks need and the judge was not shown to see, with the reason."""
    highest = counts_to(ladders)
    if highest is None:
        return {}
    why = f"shown to count to {highest}" + (", and its replies could not be read" if ladders and ladders.lost else "")
    return {f"{RUNG}{number}": why for number in sorted(_undrawn_numbers(prompts)) if number > highest}


def is_unknown(ladders: LadderResults | None, check: Check, answer: str | None) -> bool:
    """True if a judge says that a thing is not there, and was not shown to see the smallest or least visible ones."""
    asks_presence = check.answer_type == "yes-no" and (skill_of(check) == PRESENCE or _IS_THERE.match(check.text))
    if ladders is None or not asks_presence or answer != "no":
        return False
    return any(name in ladders.ladders and ladders.ladders[name].next is not None for name in UNSEEN)
