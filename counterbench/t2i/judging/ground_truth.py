"""What is known of a planted generator's pictures: every check's true answer, without a judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from counterbench.answers import kind_of, share
from counterbench.scene.scene import Scene
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.scores.results import CheckResult, PictureStatus


def true_answer(check: Check, scene: Scene) -> str | None:
    """The answer to a check about a scene; None where the check has no program."""
    return None if check.program is None else check.program.answer(scene)


def true_results(generator: PlantedGenerator, prompts: Iterable[Prompt], samples: int) -> Iterator[CheckResult]:
    """Every check of `samples` samples of each prompt, as a judge that is always right would answer it."""
    unseen: dict[str, PictureStatus] = {"blank": "blank", "refuser": "refused"}
    for prompt in prompts:
        for sample in range(samples):
            scene = generator.scene(prompt, sample)
            for check in prompt.checks:
                answer = None if scene is None else true_answer(check, scene)
                yield result_of(
                    prompt, check, sample, answer=answer, picture="ok" if scene is not None else unseen[generator.kind]
                )


def result_of(prompt: Prompt, check: Check, sample: int, *, answer: str | None, picture: PictureStatus) -> CheckResult:
    """The row of a check that was answered, or that was not asked for want of a picture."""
    return CheckResult(
        group=prompt.group,
        level=prompt.level,
        sample=sample,
        check=check.id,
        dimension=check.dimension,
        weight=check.weight,
        skill=check.skill,
        expected=check.expected,
        law=prompt.law,
        discipline=prompt.discipline,
        variant=prompt.variant,
        credit=credit(check, answer),
        answer=answer,
        outcome="answer" if answer is not None else "unasked",
        picture=picture,
    )


def credit(check: Check, answer: str | None) -> float | None:
    """What an answer is worth, 0 … 1: all for the expected one; of a number on a scale, where it lies there."""
    if answer is None:
        return None
    if kind_of(check.answer_type) in ("grade", "score", "rating"):
        return share(answer, check.answer_type, check.expected)
    return float(answer == check.expected)
