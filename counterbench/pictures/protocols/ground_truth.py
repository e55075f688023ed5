"""Rows of checks, and the truth about a planted generator's pictures: every check's true answer, without a judge."""

from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec

from counterbench.answers.soft import SoftAnswer
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.protocols.asks import credit
from counterbench.pictures.scores.results import CheckResult, PictureStatus
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.scene.scene import Scene

# The fields of a row that are those of its prompt, and of its check.
_OF_PROMPT = ("group", "level", "law", "discipline", "variant", "depth", "category")
_OF_CHECK = ("dimension", "weight", "skill", "expected", "criterion", "tags", "point")
_of_prompt, _of_check = attrgetter(*_OF_PROMPT), attrgetter(*_OF_CHECK)


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
    return CheckResult(sample=sample, check=check.id, outcome="unasked", picture=picture, **dict(fields))


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
