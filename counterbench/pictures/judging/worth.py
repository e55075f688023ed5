"""The worth of a drawn picture as a whole: the share of its checks that are right, in truth and to faulty judges.

It is the truth about questions that settle no single check: a rating, or which of two pictures is the better one.
"""

from collections.abc import Mapping
from itertools import chain

from counterbench.answers import scale_of
from counterbench.pictures.protocols.asks import credit
from counterbench.pictures.protocols.ground_truth import answered, unanswered
from counterbench.pictures.scores.results import PictureScore, joined
from counterbench.pictures.scores.rules import Scoring, picture_score
from counterbench.prompts.prompt_set import Check, Prompt

TRUTH = ""  # the name of the true worth among those to judges with a fault
_OF_PROMPT = "prompt-led"  # a fault that depends on what the judge is shown, not on the picture


def worths(
    prompt: Prompt, answers: Mapping[str, str], misreadings: Mapping[str, Mapping[str, str]]
) -> dict[str, float]:
    """The worth, 0 … 1, of a picture: in truth (TRUTH), and to a judge with each fault, which misreads some checks.

    `answers`: the true ones, by check; `misreadings`: by check and fault. Empty if any check has no true answer.
    """
    if not prompt.checks or any(check.id not in answers for check in prompt.checks):
        return {}
    misread = chain.from_iterable(misreadings.values())
    faults = dict.fromkeys([TRUTH, *(fault for fault in misread if fault != _OF_PROMPT)])
    readings = {
        fault: {id: misreadings.get(id, {}).get(fault, answer) for id, answer in answers.items()} for fault in faults
    }
    return {fault: worth for fault, reading in readings.items() if (worth := _worth(prompt, reading)) is not None}


def _worth(prompt: Prompt, answers: Mapping[str, str]) -> float | None:
    """The worth by these answers to a prompt's checks: their weighted mean credit, as `checklist` counts a picture."""
    rows = [
        answered(unanswered(prompt, check, 0, "ok"), answers[check.id], credit(check, answers[check.id]))
        for check in prompt.checks
    ]
    return picture_score(PictureScore("ok", tuple(joined(rows))), Scoring())


def rating(worth: float, check: Check) -> str:
    """The whole number on a rating's scale that is nearest to a worth; halves go up."""
    low, high = map(int, scale_of(check.answer_type) or ("0", "1"))
    return str(low + int((high - low) * worth + 0.5))


def is_whole(check: Check) -> bool:
    """True if a check rates the whole picture in whole numbers, so that it follows from the other checks."""
    return check.program is None and check.answer_type.startswith("rating:") and check.answer_type.count(".") == 0
