"""Text-to-image models from Python: draw, judge, score. Re-exported by `counterbench`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

from counterbench.api import Run, run_asking
from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.bars import bar
from counterbench.errors import names_parameters
from counterbench.files.addresses import PathLike
from counterbench.files.remote import fetched, written
from counterbench.scoring.rules import DEFAULT

if TYPE_CHECKING:
    from counterbench.certificate.document import Certificate
    from counterbench.judges.base import Judge
    from counterbench.t2i.comparing.models import Comparisons
    from counterbench.t2i.generation.generate import Generated
    from counterbench.t2i.generators.base import Generator
    from counterbench.t2i.prompts.prompt_set import PromptSet
    from counterbench.t2i.scores.document import Document


@names_parameters
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
    on_progress: Callable[[Progress], None] | None = None,
) -> Generated:
    """Have a generator, or the one of that name, draw a prompt set; the same call again goes on.

    Its folder is `out/<name or generator>`; the result is taken in place of that path. `samples` of each prompt: 4, or
    what a folder has. `limit`: the first so many groups, of each discipline in turn. `shard`: "0/4" draws the first of
    four parts, into `out/<name or generator>--shard-0-of-4`, for `merge` to join. `image_hosts`: hosts that an
    `openai:` generator of that name may have pictures fetched from, beside its own and public ones.
    """
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generators import open_generator
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.prompts.prompt_set import PromptSet

    asked = prompts if isinstance(prompts, PromptSet) else load_prompts(os.fspath(prompts))
    chosen = open_generator(generator, asked, image_hosts=image_hosts) if isinstance(generator, str) else generator
    part, to = read_shard(shard), written(out)
    with bar(f"drawing with {chosen.name}") as shown:
        return generate_images(
            asked, chosen, to, samples=samples, seed=seed, limit=limit, limits=limits, name=name, shard=part,
            on_progress=on_progress or (lambda p: shown(p.done + p.failed, p.total)),
        )  # fmt: skip


@names_parameters
def t2i_judge(
    images: PathLike,
    judge: Judge | Callable[..., Any] | str,
    out: PathLike | None = None,
    *,
    certificate: Certificate | PathLike | None = None,
    uncertified: bool = False,
    prompts: str = "",
    protocol: str = "",
    template: str = "",
    negated: float = 0.0,
    votes: int = 1,
    limits: Limits | None = None,
    name: str = "",
    shard: str = "",
    upload: str = "",
    resume_from: str = "",
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Have a judge, as `probe` takes it, answer the checks of every picture, into the run `out`.

    The same call again resumes. Raises InputError, with the reasons, for a judge that its certificate does not admit,
    unless `uncertified`. `shard`: "0/4" asks about the first of four parts of the pictures, for `merge` to join.
    `negated`: the share of yes/no checks that are also asked denied. `upload` and `resume_from` are those of `probe`.
    """
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.judging.run import Session

    session = Session(
        images, judge, out, certificate_given=certificate,
        uncertified=uncertified, prompts=prompts, protocol=protocol, template_given=template,
        negated=negated, shard=read_shard(shard), votes=votes, limits=limits, name=name, upload=upload,
        resume_from=resume_from,
    )  # fmt: skip
    return run_asking(session.asking(), on_progress)


@overload
def t2i_score(runs: PathLike, *, scoring: str = DEFAULT, threshold: float | None = None) -> Document: ...
@overload
def t2i_score(runs: list[Any], *, scoring: str = DEFAULT, threshold: float | None = None) -> list[Document]: ...
@names_parameters
def t2i_score(
    runs: PathLike | list[Any], *, scoring: str = DEFAULT, threshold: float | None = None
) -> Document | list[Document]:
    """The scores of the model of a run of `t2i judge`, by the run's protocol; of a list of runs a list.

    `threshold`: of cf-eval's gate.
    """
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.run_scores import score

    one = isinstance(runs, str | os.PathLike)
    paths = [runs] if isinstance(runs, str | os.PathLike) else list(runs)
    documents = [score(load_judged(fetched(path)), scoring, threshold) for path in paths]
    return documents[0] if one else documents


@names_parameters
def compare_models(
    run: PathLike, other: PathLike, *others: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Comparisons:
    """The models of runs of `t2i judge` side by side: paired differences, tests, ranks, and what would part a tie.

    Runs on one prompt set by one protocol and judge are compared; `alone` has the others. `threshold`: of cf-eval's
    gate. Raises InputError if no two runs can be compared.
    """
    from counterbench.t2i.comparing.models import compare_models as compared

    return compared([fetched(path) for path in (run, other, *others)], scoring, threshold)
