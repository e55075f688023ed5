"""What a judge is asked about a generator's pictures: one check a call, through the same run as pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from counterbench.drawing import domain, png
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.errors import CounterbenchError, InputError
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key, Query
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.images.manifest import MANIFEST_FILE, ImageRow, Images, sample_id
from counterbench.t2i.judging.ground_truth import true_answer
from counterbench.t2i.prompts.files import load_prompts, names
from counterbench.t2i.prompts.from_laws import outcome_of
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet, cell_of


def question_id(sample: str, check: str) -> str:
    """The id that joins a check of a sample, its key and its records."""
    return f"{sample}/{check}"


def prompts_of(images: Images, name: str = "") -> PromptSet:
    """What a generator's pictures are to be asked: the prompts that they carry, or a set by its name or file.

    InputError if a folder of the format before, which carries none, is of no shipped set.
    """
    if name:
        return load_prompts(name)
    if images.prompts is not None:
        return images.prompts
    if images.info.prompts not in names():
        raise InputError(
            f"{images.path}: its pictures are of the prompt set {images.info.prompts!r}, which is none of the shipped "
            f"ones ({', '.join(names())}), and an earlier version drew them, so they do not carry it; the same `t2i "
            "generate` again adds it; or name its file (t2i judge: --prompts, validate: --for)"
        )
    return load_prompts(images.info.prompts)


class PictureQuestions:
    """The checks, as a prompt set has them, of every picture of a generator that is there to be seen.

    `images` are the samples of prompts that the set has; of how many samples it has none, `elsewhere` says. `name`,
    `digest` and `seed` sign the run. InputError if pictures are of other words than the set has, or all of them of
    other prompts.
    """

    def __init__(self, images: Images, prompts: PromptSet) -> None:
        _refuse_gaps(images)
        rows = tuple(row for row in images.rows if _prompt_id(row) in prompts.by_id)
        if not rows:
            raise InputError(
                f"{images.path}: its pictures are of other prompts, of {images.info.prompts!r}; {prompts.name!r} has "
                "none of them; choose other --prompts, or leave it out"
            )
        _refuse_other_words(images.path, rows, prompts)
        self.images, self.prompts = msgspec.structs.replace(images, rows=rows), prompts
        self.elsewhere = len(images.rows) - len(rows)
        self.name = f"{prompts.name}--{images.path.name}"
        self.seed: int | None = prompts.seed
        # All that makes it another run: what is seen, and what is asked about it.
        signed = msgspec.json.encode((images_digest(self.images), self.drawn.digest))
        self.digest = hashlib.blake2b(signed, digest_size=16).hexdigest()
        self._rows = [row for row in rows if row.status == "ok"]
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
        """The prompt of a sample."""
        return self.prompts.by_id[_prompt_id(row)]

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

    @cached_property
    def drawn(self) -> PromptSet:
        """The prompts of the set that were to be drawn: what is asked."""
        ids = set(map(_prompt_id, self.images.rows))
        return self.prompts.of([prompt for prompt in self.prompts.prompts if prompt.id in ids])

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


def _prompt_id(row: ImageRow) -> str:
    return f"{row.group}/{row.level}"


def _refuse_gaps(images: Images) -> None:
    """InputError if the manifest leaves out samples that were asked for: also what was not drawn has its line."""
    there = {row.id for row in images.rows}
    asked = images.prompts.prompts if images.prompts is not None else ()
    wanted = (sample_id(prompt.group, prompt.level, k) for prompt in asked for k in range(images.info.samples))
    gone = [id for id in wanted if id not in there]
    if gone:
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        raise InputError(
            f"{images.path / MANIFEST_FILE}: it has no line for {gone[0]!r}{more}; the same `t2i generate` again "
            "writes it anew from its journal"
        )


def _refuse_other_words(path: Path, rows: Iterable[ImageRow], prompts: PromptSet) -> None:
    """InputError if pictures were drawn from other words than a set has now."""
    changed = list(dict.fromkeys(_prompt_id(r) for r in rows if r.prompt_digest != prompts.by_id[_prompt_id(r)].digest))
    if changed:
        more = f" (and of {len(changed) - 1} more)" if len(changed) > 1 else ""
        raise InputError(
            f"{path}: its pictures of {changed[0]!r}{more} were drawn from other words than {prompts.name!r} has; "
            "choose other --prompts, or draw the new words into another --out"
        )


def images_digest(images: Images) -> str:
    """A hex digest of what is seen: of every sample its status and pixels, and nothing of what is asked about it."""
    rows = sorted((row.id, row.status, row.picture_digest) for row in images.rows)
    return hashlib.blake2b(msgspec.json.encode(rows), digest_size=16).hexdigest()


def _planted(images: Images, prompts: PromptSet) -> PlantedGenerator | None:
    kind, _, spec = images.info.generator.partition(":")
    if kind != "planted" or images.info.rewriter:
        return None
    try:
        return PlantedGenerator(spec, prompts)
    except CounterbenchError:
        return None
