"""The right picture for a prompt about a law, and the picture that the prior would draw; none if we cannot draw it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from counterbench.errors import CounterbenchError
from counterbench.scene.scene import Scene
from counterbench.t2i.prompts.from_laws import outcome_of
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols.ground_truth import true_answer

Which = Literal["right", "prior"]


class Known(msgspec.Struct, frozen=True):
    """A known picture for a prompt, and the true answers about it, by check."""

    which: Which
    scene: Scene
    answers: dict[str, str]


def known_pictures(prompts: PromptSet, prompt: Prompt) -> Iterator[Known]:
    """The right picture, and that of the prior at levels where the two differ.

    None at all if this version's laws differ from the prompt's: a right picture must be right by the prompt's own
    checks.
    """
    if prompts.seed is None or not prompt.law:
        return
    try:
        pictures = [_known(prompts, prompt, which) for which in ("right", "prior")]
    except CounterbenchError:
        return
    right = pictures[0]
    if right is None or any(right.answers.get(check.id, check.expected) != check.expected for check in prompt.checks):
        return
    yield from filter(None, pictures)


def _known(prompts: PromptSet, prompt: Prompt, which: Which) -> Known | None:
    scene = outcome_of(prompts, prompt, prior=which == "prior")
    if scene is None:
        return None
    answers = {check.id: answer for check in prompt.checks if (answer := true_answer(check, scene)) is not None}
    return Known(which, scene, answers)
