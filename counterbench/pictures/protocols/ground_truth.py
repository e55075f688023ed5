"""Rows of checks, and the truth about a planted generator's pictures: every check's true answer, without a judge.

The worth of a picture as a whole is the share of its checks that are right, in truth and to judges with a fault: the
truth about questions that settle no single check, a rating, or which of two pictures is the better one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter

import msgspec

from counterbench.answers import scale_of
from counterbench.answers.soft import SoftAnswer
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.protocols.asks import credit
from counterbench.pictures.scores.results import CheckResult, PictureScore, PictureStatus, joined, plain_words
from counterbench.pictures.scores.rules import Scoring, picture_score
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.scene.scene import Scene

# The fields of a row that are those of its prompt, and of its check.
_OF_PROMPT = ("group", "level", "law", "discipline", "variant", "depth", "category")
_OF_CHECK = ("dimension", "weight", "skill", "expected", "criterion", "tags", "point")
_of_prompt, _of_check = attrgetter(*_OF_PROMPT), attrgetter(*_OF_CHECK)
TRUTH = ""  # the name of the true worth among those to judges with a fault
_PROMPT_LED = "prompt-led"  # a fault that depends on what the judge is shown, not on the picture


def true_answer(check: Check, scene: Scene) -> str | None:
    """The answer to a check about a scene; None where the check has no program."""
    return None if check.program is None else check.program.answer(scene)


def true_results(generator: PlantedGenerator, prompts: Iterable[Prompt], samples: int) -> Iterator[CheckResult]:
    """The rows of all checks on `samples` pictures of each prompt, from a judge that is always right."""
    unseen: dict[str, PictureStatus] = {"blank": "blank", "refuser": "refused"}
    for prompt in prompts:
        for sample in range(samples):
            scene = generator.scene(prompt, sample)
            status = "ok" if scene is not None else unseen[generator.kind]
            for check in prompt.checks:
                row = unanswered(prompt, check, sample, status)
                answer = None if scene is None else true_answer(check, scene)
                yield row if answer is None else answered(row, answer, credit(check, answer))


def unanswered(prompt: Prompt, check: Check, sample: int, picture: PictureStatus) -> CheckResult:
    """The row of a check without an answer, because its picture or its reply is missing."""
    fields = zip((*_OF_PROMPT, *_OF_CHECK), (*_of_prompt(prompt), *_of_check(check)), strict=True)
    return CheckResult(
        sample=sample,
        check=check.id,
        outcome="unasked",
        picture=picture,
        words=plain_words(prompt.text),
        **dict(fields),
    )


def answered(
    row: CheckResult, answer: str, earned: float | None, soft: SoftAnswer | float | None = None
) -> CheckResult:
    """The row of a check that has an answer; one that earned None counts as unparsed.

    `soft`: the probabilities of yes and no, or that of the expected number.
    """
    if isinstance(soft, SoftAnswer):
        chances: dict[str, float | None] = {"p_yes": soft.p_yes, "residual": soft.residual}
    else:
        chances = {"p_expected": soft}
    outcome = "answer" if earned is not None else "unparsed"
    return msgspec.structs.replace(row, answer=answer, credit=earned, outcome=outcome, **chances)


def worths(
    prompt: Prompt, answers: Mapping[str, str], misreadings: Mapping[str, Mapping[str, str]]
) -> dict[str, float]:
    """The worth, 0 … 1, of a picture: in truth (TRUTH), and to a judge with each fault, which misreads some checks.

    `answers`: the true ones, by check; `misreadings`: by check and fault. Empty if any check has no true answer.
    """
    if not prompt.checks or any(check.id not in answers for check in prompt.checks):
        return {}
    misread = chain.from_iterable(misreadings.values())
    faults = dict.fromkeys([TRUTH, *(fault for fault in misread if fault != _PROMPT_LED)])
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
