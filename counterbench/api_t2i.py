"""Text-to-image models from Python: draw, judge, score, and a report. Re-exported by `counterbench`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.scoring.rules import DEFAULT

if TYPE_CHECKING:
    from counterbench.certificate import Certificate
    from counterbench.judges.base import Judge
    from counterbench.reporting import Written
    from counterbench.reporting.t2i import WrittenModels
    from counterbench.t2i.generation.generate import Generated
    from counterbench.t2i.generators.base import Generator
    from counterbench.t2i.judging.drift import When
    from counterbench.t2i.prompts.prompt_set import PromptSet
    from counterbench.t2i.scores.document import Document

PathLike = str | os.PathLike[str]


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
) -> Generated:
    """Have a generator, or the one of that name, draw a prompt set; the same call again goes on.

    Its folder is `out/<name or generator>`: `found.images.path`. `samples` of each prompt: 4, or what a folder has.
    `limit`: the first so many groups, of each discipline in turn.
    """
    from counterbench.judges.base import extras
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generators import open_generator
    from counterbench.t2i.generators.base import GeneratorExtras
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.prompts.prompt_set import PromptSet

    asked = prompts if isinstance(prompts, PromptSet) else load_prompts(os.fspath(prompts))
    chosen = open_generator(generator, asked) if isinstance(generator, str) else generator
    each = samples if samples is not None else extras(chosen, GeneratorExtras).samples or 4
    return generate_images(asked, chosen, Path(out), samples=each, seed=seed, limit=limit, limits=limits, name=name)


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
) -> Progress:
    """Have a judge, or the one of that name, answer the checks of every picture, into the run `out`.

    The same call again resumes. Raises InputError, with the reasons, for a judge that its certificate does not admit,
    unless `uncertified`, and for one that answers certified pairs otherwise than when it was certified. These are asked
    before and after the pictures.
    """
    from counterbench.certificate import Certificate, read_certificate
    from counterbench.judges import open_judge
    from counterbench.runs.wordings import load_wording, with_prompt
    from counterbench.t2i.generation.generate import Generated
    from counterbench.t2i.images.manifest import read_manifest
    from counterbench.t2i.judging.drift import can_be_asked
    from counterbench.t2i.judging.gate import entry
    from counterbench.t2i.judging.picture_queries import PictureQuestions, prompts_of
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.protocols import protocol as protocol_of

    path, left = Path(out), limits or Limits()
    made = read_manifest(images.images.path if isinstance(images, Generated) else Path(images))
    asked = prompts_of(made, prompts)
    by = protocol_of(protocol or asked.protocol)
    questions = PictureQuestions(made, asked, by)
    chosen = open_judge(judge, questions.keys) if isinstance(judge, str) else judge
    put = load_wording(wording or by.wording)
    put = with_prompt(put) if by.shows_prompt else put
    shown = read_certificate(Path(certificate)) if isinstance(certificate, str | os.PathLike) else certificate
    gate = entry(
        shown,
        questions.drawn,
        judge=chosen.name,
        wording_digest=put.digest,
        votes=votes,
        prompt_shown=put.shows_prompt,
    )
    if not gate.admitted and not uncertified:
        raise InputError(f"not admitted: {'; '.join(gate.objections)} (uncertified=True goes on without)")
    again = gate.admitted and not uncertified and isinstance(shown, Certificate) and can_be_asked(shown)

    def still(when: When, limits: Limits) -> tuple[Progress, Limits | None]:
        """Certified pairs asked again, and what is left of the limits."""
        from counterbench.asking.probe import probe
        from counterbench.runs.pair_queries import keys
        from counterbench.t2i.judging.drift import drift, drift_run, pairs_again

        assert isinstance(shown, Certificate)
        source, run = pairs_again(shown), drift_run(path, shown, when)
        known = open_judge(judge, lambda: keys(source)) if isinstance(judge, str) else judge
        end = probe(source, known, run, wording=put, votes=votes, limits=limits, again=True)
        if (found := drift(run, shown)) is not None and found.changed:
            raise InputError(f"not admitted: the judge is not the one that was certified: {found.words}")
        return end, limits.less(end.calls, end.cost)

    if again:
        before, rest = still("start", left)
        if not before.complete or rest is None:
            return before
        left = rest
    end = judge_pictures(
        questions,
        chosen,
        path,
        wording=put,
        certificate=shown,
        uncertified=not gate.admitted,
        votes=votes,
        limits=left,
        name=name,
    )
    last = left.less(end.calls, end.cost)
    if again and end.complete and last is not None:
        still("end", last)
    return end


@overload
def t2i_score(run: PathLike, *, scoring: str = DEFAULT, threshold: float | None = None) -> Document: ...
@overload
def t2i_score(
    run: PathLike, *more: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Document | list[Document]: ...
def t2i_score(
    run: PathLike, *more: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Document | list[Document]:
    """What the model of a run of `t2i judge` scores, by the run's protocol; of several runs a list.

    `threshold`: of cf-eval's gate.
    """
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.run_scores import score

    documents = [score(load_judged(Path(path)), scoring, threshold) for path in (run, *more)]
    return documents if more else documents[0]


def report(
    run: PathLike,
    *more: PathLike,
    out: PathLike,
    scoring: str = DEFAULT,
    certificates: Sequence[PathLike] = (),
    labels: PathLike | None = None,
    pictures: str | None = None,
    plots: PathLike | None = None,
) -> Written | WrittenModels:
    """Write a report of runs: one HTML file, or a folder where `out` has no suffix.

    Of runs on pairs with `certificates` beside those in their folders; of runs of `t2i judge`, with people's `labels`.
    """
    from counterbench.reporting import write_report
    from counterbench.reporting.t2i import is_about_pictures, write_model_report

    runs = [Path(path) for path in (run, *more)]
    target, to = Path(out), Path(plots) if plots is not None else None
    if is_about_pictures(runs):
        if certificates:
            raise InputError("certificates are of runs on pairs; a run of t2i judge keeps its own, which is shown")
        said = Path(labels) if labels is not None else None
        return write_model_report(runs, target, scoring=scoring, labels=said, pictures=pictures, plots=to)
    if labels is not None:
        raise InputError("labels are of generated pictures, and these runs are on pairs; leave them out")
    kept = [Path(path) for path in certificates]
    return write_report(runs, target, scoring=scoring, certificates=kept, pictures=pictures, plots=to)
