"""One call of `t2i judge`: the questions about a generator's pictures, the judge, its admission, the template."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from counterbench.asking.asking import Asking
from counterbench.asking.options import AskOptions
from counterbench.certificate import Certificate, read_certificate
from counterbench.errors import InputError
from counterbench.files.addresses import PathLike
from counterbench.files.remote import fetched, resume, written
from counterbench.judges.base import Judge, called
from counterbench.runs.folder import default_path
from counterbench.runs.templates import PromptTemplate, load_template, with_prompt
from counterbench.suites.shards import Shard
from counterbench.t2i.images.manifest import read_manifest
from counterbench.t2i.judging.admission import Admission, admission_of
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.judging.run import asking_about_pictures
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.protocols import protocol as protocol_of


@dataclass(frozen=True)
class Session(AskOptions):
    """One call of `t2i judge`; its properties are opened at first use.

    `images`: a generator's folder. `prompts`, `protocol` and `template`: names, if others are wanted than those of the
    folder, the prompt set and the protocol. `negated`: the share of yes/no checks that are asked denied too. `out`: the
    run's folder; by default `runs/<prompts>--<generator>--<judge>--<protocol>`. `uncertified`: go on without an
    admission. The others are those of `Probe` and `AskOptions`.
    """

    images: PathLike
    judge_given: Judge | Callable[..., Any] | str
    out: PathLike | None = None
    _: KW_ONLY
    certificate_given: Certificate | PathLike | None = None
    uncertified: bool = False
    prompts: str = ""
    protocol: str = ""
    template_given: str = ""
    negated: float = 0.0
    shard: Shard | None = None
    upload: str = ""
    resume_from: str = ""

    @cached_property
    def questions(self) -> PictureQuestions:
        """The questions; InputError if no picture is drawn yet, or they are of other prompts."""
        images = read_manifest(fetched(self.images))
        asked = load_prompts(self.prompts) if self.prompts else images.prompts
        by = protocol_of(self.protocol or asked.protocol)
        questions = PictureQuestions(images, asked, by, negated=self.negated, shard=self.shard)
        if questions.images.rows and all(row.status == "missing" for row in questions.images.rows):
            raise InputError(f"{images.path}: no picture is drawn yet; the same `t2i generate` goes on")
        return questions

    @cached_property
    def judge(self) -> Judge:
        """The judge that answers them."""
        return self.open_judge(self.judge_given, self.questions.keys)

    @cached_property
    def template(self) -> PromptTemplate:
        """The way to ask."""
        by = self.questions.protocol
        template = load_template(self.template_given or by.template)
        return with_prompt(template) if by.shows_prompt else template

    @cached_property
    def certificate(self) -> Certificate | None:
        """The judge's certificate, if one was given."""
        given = self.certificate_given
        return read_certificate(fetched(given)) if isinstance(given, str | os.PathLike) else given

    @property
    def asked_so(self) -> dict[str, Any]:
        """The judge, and how it is asked, as a certificate must say it."""
        return {"judge": self.judge.name, "template_digest": self.template.digest, "votes": self.votes}

    @cached_property
    def admission(self) -> Admission:
        """The judge's admission to these checks."""
        shown = self.template.shows_prompt
        return admission_of(self.certificate, self.questions.drawn, prompt_shown=shown, **self.asked_so)

    @cached_property
    def path(self) -> Path:
        """The run's folder."""
        if self.out is not None:
            return written(self.out)
        by = self.questions.protocol
        ending = "--prompt-shown" if self.template.shows_prompt and not by.shows_prompt else ""
        ending += f"--negated-{self.negated:g}" if self.negated else ""
        ending += f"--{by.name}-{by.version}"
        return default_path(self.questions.name, called(self.judge, self.name), ending, shard=self.shard)

    def asking(self) -> Asking:
        """Fetch an earlier run, and make the run; InputError if the judge is not admitted, unless `uncertified`."""
        if not self.admission.admitted and not self.uncertified:
            raise InputError(f"not admitted: {'; '.join(self.admission.objections)} (uncertified=True goes on without)")
        resume(self.path, self.resume_from, self.upload)
        return asking_about_pictures(
            self.questions,
            self.judge,
            self.path,
            template=self.template,
            certificate=self.certificate,
            uncertified=not self.admission.admitted,
            upload=self.upload,
            **self.of_asking,
        )
