"""Text-to-image models from Python: draw, judge, score. Re-exported by `counterbench`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.files.addresses import PathLike
from counterbench.files.remote import fetched, resume, uploaded, written
from counterbench.scoring.rules import DEFAULT

if TYPE_CHECKING:
    from counterbench.certificate import Certificate
    from counterbench.judges.base import Judge
    from counterbench.t2i.generation.generate import Generated
    from counterbench.t2i.generators.base import Generator
    from counterbench.t2i.prompts.prompt_set import PromptSet
    from counterbench.t2i.scores.document import Document


def t2i_generate(
    prompts: PromptSet | PathLike,
    generator: Generator | str,
    out: PathLike,
    *,
    samples: int | None = None,
    seed: int = 0,
    limit: int | None = None,
    limits: Limits | None = None,
    name: str = "",
    shard: str = "",
    image_hosts: Sequence[str] = (),
) -> Generated:
    """Have a generator, or the one of that name, draw a prompt set; the same call again goes on.

    Its folder is `out/<name or generator>`: `found.images.path`. `samples` of each prompt: 4, or what a folder has.
    `limit`: the first so many groups, of each discipline in turn. `shard`: "0/4" draws the first of four parts, into
    `out/<name or generator>--shard-0-of-4`, for `merge` to join. `image_hosts`: hosts that an `openai:` generator of
    that name may have pictures fetched from, beside its own and public ones.
    """
    from counterbench.judges.base import extras
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generators import open_generator
    from counterbench.t2i.generators.base import GeneratorExtras
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.prompts.prompt_set import PromptSet

    asked = prompts if isinstance(prompts, PromptSet) else load_prompts(os.fspath(prompts))
    chosen = open_generator(generator, asked, image_hosts=image_hosts) if isinstance(generator, str) else generator
    each = samples if samples is not None else extras(chosen, GeneratorExtras).samples or 4
    part, to = read_shard(shard), written(out)
    return generate_images(
        asked, chosen, to, samples=each, seed=seed, limit=limit, limits=limits, name=name, shard=part
    )


def t2i_judge(
    images: PathLike | Generated,
    judge: Judge | str,
    out: PathLike,
    *,
    certificate: Certificate | PathLike | None = None,
    uncertified: bool = False,
    prompts: str = "",
    protocol: str = "",
    wording: str = "",
    votes: int = 1,
    limits: Limits | None = None,
    name: str = "",
    shard: str = "",
    upload: str = "",
    resume_from: str = "",
) -> Progress:
    """Have a judge, or the one of that name, answer the checks of every picture, into the run `out`.

    The same call again resumes. Raises InputError, with the reasons, for a judge that its certificate does not admit,
    unless `uncertified`. `shard`: "0/4" asks about the first of four parts of the pictures, for `merge` to join.
    `upload` and `resume_from` are those of `probe`.
    """
    from counterbench.certificate import read_certificate
    from counterbench.judges import open_judge
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.generation.generate import Generated
    from counterbench.t2i.images.manifest import read_manifest
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.judging.session import start_session

    path = written(out)
    resume(path, resume_from, upload)
    with uploaded(path, upload):
        session = start_session(
            read_manifest(images.images.path if isinstance(images, Generated) else fetched(images)),
            lambda known: open_judge(judge, known) if isinstance(judge, str) else judge,
            prompts=prompts,
            protocol=protocol,
            wording=wording,
            votes=votes,
            shard=read_shard(shard),
            certificate=read_certificate(fetched(certificate))
            if isinstance(certificate, str | os.PathLike)
            else certificate,
        )
        gate = session.gate
        if not gate.admitted and not uncertified:
            raise InputError(f"not admitted: {'; '.join(gate.objections)} (uncertified=True goes on without)")
        return judge_pictures(
            session.questions,
            session.judge,
            path,
            wording=session.wording,
            certificate=session.certificate,
            uncertified=not gate.admitted,
            votes=votes,
            limits=limits,
            name=name,
        )


@overload
def t2i_score(run: PathLike, *, scoring: str = DEFAULT, threshold: float | None = None) -> Document: ...
@overload
def t2i_score(
    run: PathLike, *more: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Document | list[Document]: ...
def t2i_score(
    run: PathLike, *more: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Document | list[Document]:
    """The scores of the model of a run of `t2i judge`, by the run's protocol; of several runs a list.

    `threshold`: of cf-eval's gate.
    """
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.run_scores import score

    documents = [score(load_judged(fetched(path)), scoring, threshold) for path in (run, *more)]
    return documents if more else documents[0]
