"""One call of `t2i judge`, and the files of its run: a judge's answers about generators' pictures.

`Judging`, the main class, is below: from folders of pictures and a judge it makes the questions (`PictureQuestions`)
and the run that asks them (`asking`). Beside the usual files of a run its folder has those that scoring needs;
`read_t2i_run` reads them, model by model:

t2i.json            the generators, the prompts, and the protocol (what is asked, and how it is scored)
prompts.jsonl       the prompts that were drawn, with the checks that were asked
samples.jsonl       the state of each sample, which is one picture of a prompt (the manifest's lines)
certificate.json    the judge's certificate (the result of its test), if one was given

A judge is admitted if its certificate shows that it sees at least some of what the checks ask.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench.asking.asking import Asking, refuse_questions
from counterbench.asking.job import Job
from counterbench.asking.limits import Forecast
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.evidence.admission import (
    FLOOR,
    Admission,
    admission_of,
    admission_to_compare,
    admission_to_rank,
    is_of_ratings,
)
from counterbench.evidence.document import CERTIFICATE_FILE, Certificate, read_certificate
from counterbench.evidence.issue import WayOfAsking
from counterbench.evidence.policies import load_policy
from counterbench.evidence.rungs import ladders_of
from counterbench.files import formats
from counterbench.files.addresses import fetched, resume, shown, written
from counterbench.files.formats import instead
from counterbench.judges.base import Judge, called
from counterbench.pictures.importing.pictures import IMPORTED
from counterbench.pictures.judging.pairwise_questions import PairwiseQuestions
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.options import JudgingOptions
from counterbench.pictures.protocols import protocol
from counterbench.pictures.protocols.base import Protocol
from counterbench.prompts.files import load_prompts, read_prompt_set, write_prompt_set
from counterbench.prompts.manifest import ImageRow, read_manifest, refuse_strangers
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.folder import T2I_FILE, Figures, default_path, read_run_info
from counterbench.runs.queries import PromptTemplate, load_template, with_prompt
from counterbench.suites.shards import Shard, read_shard

PROMPTS_FILE, SAMPLES_FILE = "prompts.jsonl", "samples.jsonl"


class ModelInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One generator whose pictures a run is about."""

    name: str  # the name of its folder, which its rows in `samples.jsonl` have, too
    generator: str
    images: str  # the path of its folder
    images_digest: str
    samples: int  # of each prompt
    seed: int  # of the generation
    domain: Domain  # of the pictures

    @property
    def title(self) -> str:
        """The name for people: the model's own if the pictures were made elsewhere, else the folder's name."""
        return self.generator.removeprefix(IMPORTED) if self.generator.startswith(IMPORTED) else self.name


class T2IInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The models, prompts and protocol of a run over a generator's pictures, as `t2i.json` holds them."""

    format: Literal["counterbench.t2i/2"] = "counterbench.t2i/2"
    models: tuple[ModelInfo, ...]
    prompts: str
    prompts_digest: str
    prompts_seed: int | None  # of the laws
    levels: tuple[str, ...]
    style: str
    protocol: str
    protocol_version: int
    prompt_shown: bool  # the judge saw the prompts
    uncertified: bool  # the user started the run without an admission
    negated: float = 0.0  # the share of yes/no checks that were also asked negated
    forced: bool = False  # comparisons were asked for without a tie
    matches: int | None = None  # comparisons of each sample; null for all
    smallest: int | None = None  # the shorter side of the smallest picture, in pixels; null if unknown


class T2IRun(msgspec.Struct, frozen=True):
    """The content of the files of a run about pictures, as far as it is about one model."""

    path: Path
    info: T2IInfo
    model: ModelInfo
    prompts: PromptSet
    protocol: Protocol
    certificate: Certificate | None

    @property
    def samples(self) -> Iterator[ImageRow]:
        """The state of each sample of the model, read as it is wanted: there may be a million."""
        return (row for row in formats.read_lines(self.path / SAMPLES_FILE, ImageRow) if row.generator == self.prefix)

    @property
    def prefix(self) -> str:
        """The name that ids of samples begin with (see `asked_id`); empty in a run about one model."""
        return self.model.name if len(self.info.models) > 1 else ""


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

    `uncertified`: the user goes on with a judge that is not admitted. The caller must check that it may be asked.
    """
    questions.follow(path)

    def write_files(path: Path) -> None:
        """Write the run's own files into its folder, with the certificate if there is one."""
        if certificate is not None:
            formats.write_json(path / CERTIFICATE_FILE, certificate)
        else:
            (path / CERTIFICATE_FILE).unlink(missing_ok=True)  # of an earlier call with a certificate
        write_t2i_files(path, questions, template.shows_prompt, uncertified)

    return Asking(questions, judge, path, templates=[template], adaptive=questions, write_files=write_files, **options)


def write_t2i_files(path: Path, questions: PictureQuestions, prompt_shown: bool, uncertified: bool) -> None:
    """Write the files that a run about pictures has beside the usual ones and the certificate."""
    prompts, used_protocol = questions.drawn, questions.protocol
    write_prompt_set(path / PROMPTS_FILE, prompts)
    several = len(questions.generators) > 1
    rows = [(row, drawn.name if several else "") for drawn in questions.generators for row in drawn.images.rows]
    formats.write_lines(path / SAMPLES_FILE, [msgspec.structs.replace(row, generator=name) for row, name in rows])
    info = T2IInfo(
        models=tuple(
            ModelInfo(
                name=drawn.name,
                generator=drawn.images.info.generator,
                images=shown(drawn.images.path),
                images_digest=drawn.digest,
                samples=drawn.images.info.samples,
                seed=drawn.images.info.seed,
                domain=questions.domains[drawn.name],
            )
            for drawn in questions.generators
        ),
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        prompts_seed=prompts.seed,
        levels=tuple(prompts.levels),
        style=prompts.prompts[0].style,
        protocol=used_protocol.name,
        protocol_version=used_protocol.version,
        negated=questions.negated,
        prompt_shown=prompt_shown,
        uncertified=uncertified,
        forced=questions.forced,
        matches=questions.most,
        smallest=questions.smallest,
    )
    formats.write_json(path / T2I_FILE, info)


def read_t2i_run(path: Path) -> list[T2IRun]:
    """The run about pictures in `path`, model by model; InputError if it is no such run, or is damaged."""
    if not path.exists():
        raise InputError(f"{path}: there is no such run folder")
    if not (path / T2I_FILE).is_file():
        raise InputError(f"{path}: not a run about generated pictures, it has no {T2I_FILE}{instead(path)}")
    info = formats.read_json(path / T2I_FILE, T2IInfo)
    judged_by = protocol(info.protocol)
    if judged_by.version != info.protocol_version:
        raise InputError(
            f"{path}: judged by version {info.protocol_version} of {info.protocol}, and counterbench has version "
            f"{judged_by.version}; `t2i judge` with another --out judges the pictures by that"
        )
    prompts, file = read_prompt_set(path / PROMPTS_FILE), path / CERTIFICATE_FILE
    certificate = read_certificate(file) if file.is_file() else None
    refuse_strangers(formats.read_lines(path / SAMPLES_FILE, ImageRow), prompts, path / SAMPLES_FILE)
    return [T2IRun(path, info, model, prompts, judged_by, certificate) for model in info.models]


def _joint(sets: Sequence[PromptSet]) -> PromptSet:
    """One set with the prompts of all sets, each id once, from the first set that has it."""
    first, *others = sets
    if not others:
        return first
    by_id = {prompt.id: prompt for prompt_set in reversed(sets) for prompt in prompt_set.prompts}
    ordered = dict.fromkeys(prompt.id for prompt_set in sets for prompt in prompt_set.prompts)
    levels = tuple(dict.fromkeys(level for prompt_set in sets for level in prompt_set.levels))
    return replace(first, levels=levels, prompts=[by_id[id] for id in ordered])


def why_useless(figures: Figures) -> str:
    """The reason why too many of a judge's replies are lost, by the policy FLOOR; empty if they can be used so far."""
    return load_policy(FLOOR).outcomes.lost(figures.outcomes)


@dataclass(frozen=True)
class Judging(JudgingOptions, Job):
    """One call of `t2i judge`, by its options; `asking` makes its run.

    `stops_when_lost`: stop once too many replies cannot be used.
    """

    stops_when_lost: bool = field(default=False, kw_only=True)

    @cached_property
    def questions(self) -> PictureQuestions:
        """The questions; InputError if no picture is drawn yet, or they are of other prompts."""
        paths = [self.images] if isinstance(self.images, str | os.PathLike) else self.images
        images = [read_manifest(fetched(path)) for path in paths]
        for folder in images:
            if folder.rows and all(row.status == "missing" for row in folder.rows):
                imported = folder.info.generator.startswith(IMPORTED)
                state = f"can be read: {folder.rows[0].message}" if imported else "is drawn yet; `t2i generate` goes on"
                raise InputError(f"{folder.path}: no picture {state}")
        prompt_set = load_prompts(self.prompts) if self.prompts and isinstance(self.prompts, str) else self.prompts
        prompts = prompt_set if isinstance(prompt_set, PromptSet) else _joint([folder.prompts for folder in images])
        used = protocol(self.protocol or prompts.protocol)
        if used.compares and self.negated:
            raise InputError("--negated is for yes/no checks, and pairwise asks none; leave it out")
        if used.compares:
            return PairwiseQuestions(images, prompts, forced=self.forced, matches=self.matches, shard=self.part)
        if self.forced or self.matches is not None:
            raise InputError(f"--forced and --matches are of the protocol pairwise, not of {used.name}; leave them out")
        return PictureQuestions(images, prompts, used, negated=self.negated, shard=self.part)

    @cached_property
    def part(self) -> Shard | None:
        """The part of the pictures that is asked about; None for all."""
        return read_shard(self.shard)

    @cached_property
    def opened_judge(self) -> Judge:
        """The judge that answers the questions, opened."""
        return self.open_judge(self.judge, self.questions.keys)

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template that the judge is asked with: the given one, else the certificate's, else the protocol's."""
        used, certificate = self.questions.protocol, self.opened_certificate
        named = used.template if certificate is None or self._ranks else certificate.template
        template = load_template(self.template or named)
        return with_prompt(template) if used.shows_prompt else template

    @cached_property
    def opened_certificate(self) -> Certificate | None:
        """The judge's certificate, if one was given."""
        given = self.certificate
        return read_certificate(fetched(given)) if isinstance(given, str | os.PathLike) else given

    @property
    def _ranks(self) -> bool:
        """True for ratings of single pictures by a judge with a certificate as a rater."""
        return self.questions.protocol.rates and is_of_ratings(self.opened_certificate)

    @property
    def way_to_ask(self) -> WayOfAsking:
        """The judge and how it is asked; a certificate serves only if it has the same."""
        return WayOfAsking(self.opened_judge.name, self.asked_by.digest, self.repeats, self.asked_by.shows_prompt)

    @cached_property
    def admission(self) -> Admission:
        """The judge's admission to these checks, by its certificate and its results on ladders in the run's folder."""
        refuse_questions(self.opened_judge, self.questions)
        if self.questions.protocol.compares:
            return admission_to_compare(self.opened_certificate, self.way_to_ask)
        if self._ranks and self.opened_certificate is not None:
            return admission_to_rank(self.opened_certificate, self.way_to_ask)
        ladders = ladders_of(self.path, self.opened_judge.name, self.asked_by.digest)
        smallest = self.questions.smallest
        return admission_of(
            self.opened_certificate,
            self.questions.drawn,
            self.way_to_ask,
            ladders=ladders,
            smallest=smallest,
        )

    @cached_property
    def path(self) -> Path:
        """The run's folder."""
        if self.out is not None:
            return written(self.out)
        used = self.questions.protocol
        ending = "--prompt-shown" if self.asked_by.shows_prompt and not used.shows_prompt else ""
        ending += f"--negated-{self.negated:g}" if self.negated else ""
        ending += ("--forced" if self.forced else "") + (f"--matches-{self.matches}" if self.matches else "")
        ending += f"--{used.name}-{used.version}"
        return default_path(self.questions.name, called(self.opened_judge, self.name), ending, shard=self.part)

    def asking(self) -> Asking:
        """Make the run, after fetching its earlier files from `resume_from`; InputError if the judge is not admitted.

        With `uncertified` the run goes on without an admission.
        """
        if not self.admission.admitted and not self.uncertified:
            raise InputError(f"not admitted: {'; '.join(self.admission.objections)} (uncertified=True goes on without)")
        resume(self.path, self.resume_from, self.upload)
        return asking_about_pictures(
            self.questions,
            self.opened_judge,
            self.path,
            template=self.asked_by,
            certificate=self.opened_certificate,
            uncertified=not (self.admission.admitted or self.admission.nothing_tested),
            upload=self.upload,
            useless=why_useless if self.stops_when_lost else lambda figures: "",
            **self.of_asking,
        )

    def plan(self) -> Forecast:
        """Forecast what is left to ask."""
        return self.asking().plan()

    def askings(self) -> Iterator[Asking]:
        """The one run of this call; see `asking`."""
        yield self.asking()


def judged_again(
    run: Path, judge: Judge | Callable[..., Any] | str, out: Path, of_judge: dict[str, Any], template: str = ""
) -> Judging:
    """The call that asks about a run's pictures again, as that run did; `swap` and `watch` use it.

    `judge`: another one, or the same one later. `out`: the new run's folder. `of_judge`: the options of a judge in
    `AskOptions`. InputError if a picture or the template is another one now.
    """
    models, info = read_t2i_run(run), read_run_info(run)
    t2i = models[0].info
    session = Judging(
        [model.model.images for model in models], judge, out, prompts=models[0].prompts, protocol=t2i.protocol,
        forced=t2i.forced, matches=t2i.matches, template=template or info.template, negated=t2i.negated,
        uncertified=True,
        **of_judge | {"repeats": info.repeats},
    )  # fmt: skip
    if session.asked_by.digest != info.template_digest:
        raise InputError(f"{run}: was asked with template {info.template!r}; give its file as --template")
    for model in models:
        digest = {drawn.name: drawn.digest for drawn in session.questions.generators}.get(model.model.name)
        if digest != model.model.images_digest:
            raise InputError(f"{model.model.images}: has other pictures than those of {run}; put back what was there")
    return session
