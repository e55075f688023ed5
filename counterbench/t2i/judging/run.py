"""A run of a judge over a generator's pictures: the files that scoring needs beside keys and journal.

t2i.json            the generator, the prompts, and the protocol
prompts.jsonl       the prompts that were drawn, with the checks that were asked
samples.jsonl       the state of each sample (the manifest's lines)
certificate.json    the judge's certificate, if one was given
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench.asking.asking import Asking
from counterbench.certificate import Certificate, read_certificate
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import shown
from counterbench.files.kinds import instead
from counterbench.judges.base import Judge
from counterbench.runs.folder import T2I_FILE
from counterbench.runs.templates import PromptTemplate
from counterbench.t2i.images.manifest import ImageRow, refuse_strangers
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.prompts.lines import read_prompt_set, write_prompt_set
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols import protocol
from counterbench.t2i.protocols.base import Protocol

T2I_FORMAT: Literal["counterbench.t2i/2"] = "counterbench.t2i/2"
PROMPTS_FILE, SAMPLES_FILE, CERTIFICATE_FILE = "prompts.jsonl", "samples.jsonl", "certificate.json"


class T2IInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `t2i.json`."""

    format: Literal["counterbench.t2i/2"] = T2I_FORMAT
    generator: str
    prompts: str
    prompts_digest: str
    prompts_seed: int | None  # of the laws
    levels: tuple[str, ...]
    style: str
    samples: int  # of each prompt
    seed: int  # of the generation
    images: str
    images_digest: str
    protocol: str
    protocol_version: int
    prompt_shown: bool  # the judge saw the prompts
    uncertified: bool  # the user started the run without an admission
    domain: Domain  # of the pictures
    negated: float = 0.0  # the share of yes/no checks that were also asked in a frame that denies them


class T2IRun(msgspec.Struct, frozen=True):
    """The files of a run about pictures, read."""

    path: Path
    info: T2IInfo
    prompts: PromptSet
    protocol: Protocol
    certificate: Certificate | None

    @property
    def samples(self) -> Iterator[ImageRow]:
        """The state of each sample, read as it is wanted: there may be a million."""
        return formats.read_lines(self.path / SAMPLES_FILE, ImageRow)


def asking_about_pictures(
    questions: PictureQuestions,
    judge: Judge,
    path: Path,
    *,
    template: PromptTemplate,
    certificate: Certificate | None,
    uncertified: bool,
    **options: Any,
) -> Asking:
    """Make the run of a protocol's questions about every picture; `options` are those of `Asking`.

    The caller must check that the judge may (`admission.admission_of`).
    """
    questions.follow(path)

    def write_files(path: Path) -> None:
        write_prompt_set(path / PROMPTS_FILE, questions.drawn)
        formats.write_lines(path / SAMPLES_FILE, questions.images.rows)
        if certificate is not None:
            formats.write_json(path / CERTIFICATE_FILE, certificate)
        else:
            (path / CERTIFICATE_FILE).unlink(missing_ok=True)  # of an earlier call with a certificate
        formats.write_json(path / T2I_FILE, _info(questions, template.shows_prompt, uncertified))

    return Asking(questions, judge, path, templates=[template], adaptive=questions, write_files=write_files, **options)


def _info(questions: PictureQuestions, prompt_shown: bool, uncertified: bool) -> T2IInfo:
    images, prompts, protocol = questions.images, questions.drawn, questions.protocol
    return T2IInfo(
        generator=images.info.generator,
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        prompts_seed=prompts.seed,
        levels=prompts.levels,
        style=prompts.prompts[0].style,
        samples=images.info.samples,
        seed=images.info.seed,
        images=shown(images.path),
        images_digest=questions.drawn_digest,
        protocol=protocol.name,
        protocol_version=protocol.version,
        negated=questions.negated,
        prompt_shown=prompt_shown,
        uncertified=uncertified,
        domain=questions.domain,
    )


def read_t2i_run(path: Path) -> T2IRun:
    """The run about pictures in `path`; InputError if it is no such run, or is damaged."""
    if not path.exists():
        raise InputError(f"{path}: there is no such run folder")
    if not (path / T2I_FILE).is_file():
        raise InputError(f"{path}: not a run about generated pictures, it has no {T2I_FILE}{instead(path)}")
    info = formats.read_json(path / T2I_FILE, T2IInfo)
    judged_by = protocol(info.protocol)
    if judged_by.version != info.protocol_version:
        raise InputError(
            f"{path}: judged by {info.protocol} {info.protocol_version}, and this version has {judged_by.version}; the "
            "same `t2i judge` asks by that, into a run of its own"
        )
    prompts, file = read_prompt_set(path / PROMPTS_FILE), path / CERTIFICATE_FILE
    run = T2IRun(path, info, prompts, judged_by, read_certificate(file) if file.is_file() else None)
    refuse_strangers(run.samples, prompts, path / SAMPLES_FILE)
    return run
