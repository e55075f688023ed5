"""What a judge is asked about a generator's pictures: one check a call, through the same run as pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

import msgspec

from counterbench.drawing import domain, png
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.errors import CounterbenchError, InputError
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key, Query
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.images.manifest import MANIFEST_FILE, ImageRow, Images
from counterbench.t2i.judging.ground_truth import true_answer
from counterbench.t2i.prompts.from_laws import outcome_of
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet, cell_of


def question_id(sample: str, check: str) -> str:
    """The id that joins a check of a sample, its key and its records."""
    return f"{sample}/{check}"


class PictureQuestions:
    """The checks of every picture of a generator that is there to be seen.

    `name`, `digest` and `seed` sign the run: the prompt set, and what of it was drawn. InputError if the pictures are
    of another prompt set.
    """

    def __init__(self, images: Images, prompts: PromptSet) -> None:
        if images.info.prompts_digest != prompts.digest:
            raise InputError(
                f"{images.path}: its pictures are of another prompt set: {images.info.prompts!r} with digest "
                f"{images.info.prompts_digest}, not {prompts.name!r} with {prompts.digest}; name the right one with "
                "--prompts"
            )
        self.images, self.prompts = images, prompts
        self.name = f"{prompts.name}--{images.path.name}"
        self.seed: int | None = prompts.seed
        self.digest = images_digest(images)
        self._rows = [row for row in images.rows if row.status == "ok"]
        _refuse_gaps(images, prompts)
        self._planted = _planted(images, prompts)

    def __len__(self) -> int:
        return sum(len(self.prompt(row).checks) for row in self._rows)

    @cached_property
    def domain(self) -> Domain:
        """The pictures' files; a planted generator draws with our renderer, flat whatever its prompts ask for."""
        files = map(self.images.file, self._rows)
        if self._planted is not None:
            return domain.of_files(domain.our_renderer(), "flat", files)
        return domain.of_files(self.images.info.label, self.prompts.prompts[0].style, files)

    def kin(self, digest: str, queries: int) -> bool:
        """Never: other pictures make another run."""
        return False

    def prompt(self, row: ImageRow) -> Prompt:
        """The prompt of a sample; InputError if the set has none."""
        found = self.prompts.by_id.get(f"{row.group}/{row.level}")
        if found is None:
            raise InputError(f"{self.images.path}: {row.id!r} is a sample of no prompt of {self.prompts.name!r}")
        return found

    def queries(self) -> Iterator[Query]:
        """The queries, picture by picture."""
        for row in self._rows:
            prompt = self.prompt(row)
            picture = self._picture(row)
            for check in prompt.checks:
                yield Query(
                    id=question_id(row.id, check.id),
                    group=row.id,
                    role=check.id,
                    pictures=(picture,),
                    text=check.text,
                    answer_type=check.answer_type,
                    prompt=prompt.text,
                )

    def _picture(self, row: ImageRow) -> Picture:
        return Picture.from_file(self.images.file(row), row.picture_digest)

    def stored(self, looks: bool) -> Stored:
        """The pictures, and the digests that the manifest says."""
        remedy = "delete them, and the same `t2i generate` again draws them anew"
        return Stored(map(self._picture, self._rows), len(self._rows), remedy)

    @property
    def drawn(self) -> PromptSet:
        """The prompts that were to be drawn, as a set: all of them, or with a limit the first groups'."""
        ids = {f"{row.group}/{row.level}" for row in self.images.rows}
        prompts = [prompt for prompt in self.prompts.prompts if prompt.id in ids]
        return PromptSet(self.prompts.name, self.prompts.levels, prompts, self.prompts.seed)

    def keys(self) -> Iterator[Key]:
        """The keys, in the same order; the truth is unknown but of planted pictures that are as they were drawn."""
        for row in self._rows:
            prompt = self.prompt(row)
            known = self._known(row, prompt)
            for check in prompt.checks:
                truth = known.get(check.id)
                yield Key(
                    id=question_id(row.id, check.id),
                    group=row.id,
                    role=check.id,
                    expected=truth or "",
                    answer_type=check.answer_type,
                    relevant=False,
                    family=prompt.law or prompt.group,
                    category=prompt.level,
                    skill=check.skill,
                    law=prompt.law,
                    cell=cell_of(prompt, check),
                    form="yes-no" if check.answer_type == "yes-no" else "open",
                    truth="unknown" if truth is None else "computed",
                    weight=check.weight,
                    misreadings=self._misreadings(prompt, check, truth) if truth is not None else {},
                )

    def _known(self, row: ImageRow, prompt: Prompt) -> dict[str, str]:
        """The true answers about a sample, by check; none unless this version of a planted generator draws just it."""
        if self._planted is None:
            return {}
        scene, image = self._planted.scene(prompt, row.sample), self._planted.picture(prompt, row.sample)
        if scene is None or image is None or png.pixel_digest(image) != row.picture_digest:
            return {}
        found = {check.id: true_answer(check, scene) for check in prompt.checks}
        return {id: answer for id, answer in found.items() if answer is not None}

    def _misreadings(self, prompt: Prompt, check: Check, truth: str) -> dict[str, str]:
        """What judges with a known fault would answer, where that is not the truth."""
        found = {"prompt-led": check.expected}
        habit = outcome_of(self.prompts, prompt, habit=True) if prompt.law else None
        if habit is not None and (answer := true_answer(check, habit)) is not None:
            found["prior-bound"] = answer
        if self._planted is not None and self._planted.kind == "vandal":
            found["text-led"] = "yes"
        return {fault: answer for fault, answer in found.items() if answer != truth}


def _refuse_gaps(images: Images, prompts: PromptSet) -> None:
    """InputError if the manifest leaves out samples that were asked for: also what was not drawn has its line."""
    groups = islice(prompts.groups.values(), images.info.groups)
    asked = [prompt.id for levels in groups for prompt in levels.values()]
    there = {row.id for row in images.rows}
    gone = [f"{id}/{k}" for id in asked for k in range(images.info.samples) if f"{id}/{k}" not in there]
    if gone:
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        raise InputError(
            f"{images.path / MANIFEST_FILE}: it has no line for {gone[0]!r}{more}; the same `t2i generate` again "
            "writes it anew from its journal"
        )


def images_digest(images: Images) -> str:
    """A hex digest of what is judged: the prompt set, and of every sample its status and pixels."""
    rows = sorted((row.id, row.status, row.picture_digest) for row in images.rows)
    return hashlib.blake2b(msgspec.json.encode((images.info.prompts_digest, rows)), digest_size=16).hexdigest()


def _planted(images: Images, prompts: PromptSet) -> PlantedGenerator | None:
    kind, _, spec = images.info.generator.partition(":")
    if kind != "planted" or images.info.rewriter:
        return None
    try:
        return PlantedGenerator(spec, prompts)
    except CounterbenchError:
        return None
