"""The truth about the pictures of a run, as far as it is known: the keys of its questions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from counterbench.answers import name_of
from counterbench.drawing import png
from counterbench.errors import CounterbenchError
from counterbench.runs.queries import Key
from counterbench.t2i.generators.card import KIND, CardGenerator
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.images.manifest import ImageRow, Images
from counterbench.t2i.judging.negation import negated_check
from counterbench.t2i.prompts.from_laws import outcome_of
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet, cell_of
from counterbench.t2i.protocols.asks import Ask
from counterbench.t2i.protocols.ground_truth import true_answer
from counterbench.t2i.protocols.replies import question_id

_OPPOSITE = {"yes": "no", "no": "yes"}


class Truth:
    """The truth about pictures: known for unchanged pictures of a planted generator, unknown for all others."""

    def __init__(self, images: Images, prompts: PromptSet) -> None:
        self._prompts = prompts
        self._planted = _planted(images, prompts)

    @property
    def drawn_by_us(self) -> bool:
        """True if our renderer drew the pictures from scenes."""
        return isinstance(self._planted, PlantedGenerator)

    def answers(self, row: ImageRow, prompt: Prompt) -> dict[str, str]:
        """The true answers about a sample, by check.

        For a planted generator's scene there are none unless this version draws just it; a card's answers are made up.
        """
        if isinstance(self._planted, CardGenerator):
            return dict(self._planted.answers(prompt, row.sample))
        if self._planted is None:
            return {}
        scene, image = self._planted.scene(prompt, row.sample), self._planted.picture(prompt, row.sample)
        if scene is None or image is None or png.pixel_digest(image) != row.picture_digest:
            return {}
        known = {check.id: true_answer(check, scene) for check in prompt.checks}
        return {id: answer for id, answer in known.items() if answer is not None}

    def key(self, row: ImageRow, prompt: Prompt, ask: Ask, known: dict[str, str]) -> Key:
        """The key of a question about a sample; `known`: the true answers about it."""
        framed = negated_check(ask.id)
        checks = ask.checks or tuple(check for check in prompt.checks if check.id == framed)
        truth = true_reply(ask, checks, known)
        if truth is not None and framed:
            truth = _OPPOSITE.get(truth, truth)
        one = checks[0] if len(checks) == 1 else None
        return Key(
            id=question_id(row.id, ask.id),
            group=row.id,
            role=ask.id,
            expected=truth or "",
            answer_type=ask.answer_type,
            relevant=False,
            family=prompt.law or prompt.group,
            category=prompt.level,
            skill=one.skill if one else "",
            law=prompt.law,
            cell=cell_of(prompt, one) if one and not framed else "",
            form="yes-no" if ask.answer_type == "yes-no" else "open",
            truth="unknown" if truth is None else "computed",
            weight=sum(check.weight for check in checks),
            misreadings=self._misreadings(row, prompt, one, truth)
            if one and not (one.call or framed) and truth is not None
            else {},
        )

    def _misreadings(self, row: ImageRow, prompt: Prompt, check: Check, truth: str) -> dict[str, str]:
        """The answers of judges with a known fault, if they differ from the truth."""
        misreadings = {"prompt-led": check.expected}
        scene = self._planted.scene(prompt, row.sample) if isinstance(self._planted, PlantedGenerator) else None
        if scene is not None and check.program is not None:
            misreadings |= check.program.misreadings(scene)
        prior = outcome_of(self._prompts, prompt, prior=True) if prompt.law and self._prompts.seed is not None else None
        if prior is not None and (answer := true_answer(check, prior)) is not None:
            misreadings["prior-bound"] = answer
        if isinstance(self._planted, PlantedGenerator) and self._planted.kind == "vandal":
            misreadings["text-led"] = "yes"
        return {fault: answer for fault, answer in misreadings.items() if answer != truth}


def true_reply(ask: Ask, checks: Sequence[Check], known: Mapping[str, str]) -> str | None:
    """The true reply to a question that settles these checks; None if a part of it is not known."""
    if not checks or any(check.id not in known for check in checks):
        return None
    if len(checks) == 1 and not checks[0].call:
        return known[checks[0].id]
    grades = {name_of(check.id): json.loads(known[check.id]) for check in checks}
    return json.dumps(grades, sort_keys=True, separators=(",", ":"))


def _planted(images: Images, prompts: PromptSet) -> CardGenerator | PlantedGenerator | None:
    kind, _, spec = images.info.generator.partition(":")
    if kind != "planted":
        return None
    try:
        if spec.partition("?")[0] == KIND:
            return CardGenerator(spec, prompts, whole=False)
        return PlantedGenerator(spec, prompts)
    except CounterbenchError:
        return None
