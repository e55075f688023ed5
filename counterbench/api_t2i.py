"""Text-to-image models from Python: draw, judge, score. Re-exported by `counterbench`."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from counterbench.api import Run, run_asking
from counterbench.asking.asker import Limits
from counterbench.asking.options import takes
from counterbench.asking.runner import Progress
from counterbench.bars import OnProgress, bar, unseen
from counterbench.errors import InputError, JudgeError, TurnedAwayError, flags_as_parameters
from counterbench.files.addresses import PathLike, fetched, written
from counterbench.pictures.options import EvaluateOptions, JudgingOptions
from counterbench.results.rules import DEFAULT
from counterbench.runs.usage import usage_of
from counterbench.text import listed

if TYPE_CHECKING:
    from counterbench.asking.asking import Asking
    from counterbench.pictures.answer import Evaluated
    from counterbench.pictures.comparing.models import Comparisons
    from counterbench.pictures.comparing.people_results import Alignment
    from counterbench.pictures.evaluation import Evaluation, EvaluationPlan
    from counterbench.pictures.generation.generate import Generated
    from counterbench.pictures.generators.base import Generator
    from counterbench.pictures.panels import PanelEvaluated, PanelEvaluation
    from counterbench.pictures.scores.document import ModelDocument
    from counterbench.prompts.prompt_set import PromptSet


@flags_as_parameters
def t2i_generate(
    prompts: PromptSet | PathLike,
    generator: Generator | str,
    out: PathLike,
    *,
    samples: int = 4,
    seed: int = 0,
    limit: int | None = None,
    limits: Limits | None = None,
    name: str = "",
    shard: str = "",
    image_hosts: Sequence[str] = (),
    on_progress: Callable[[Progress], None] | None = None,
) -> Generated:
    """Have a generator, or the one of that name, draw a prompt set; the same call again goes on.

    The pictures lie in the folder `out/<name or generator>`; other calls take the result in place of that path.
    `samples`: pictures of each prompt; `seed`: other pictures. `limit`: the first so many groups of prompts, of each
    discipline in turn. `shard`: "0/4" draws the first of four parts, into `out/<name or generator>--shard-0-of-4`, for
    `merge` to join. `image_hosts`: hosts that an `openai:` generator of that name may have pictures fetched from,
    beside its own and public ones.
    """
    from counterbench.pictures.generation.generate import generate_images
    from counterbench.pictures.generators import open_generator
    from counterbench.prompts.files import load_prompts
    from counterbench.prompts.prompt_set import PromptSet
    from counterbench.suites.shards import read_shard

    prompt_set = prompts if isinstance(prompts, PromptSet) else load_prompts(os.fspath(prompts))
    chosen = open_generator(generator, prompt_set, image_hosts=image_hosts) if isinstance(generator, str) else generator
    part, to = read_shard(shard), written(out)
    with bar(f"drawing with {chosen.name}") as shown:
        return generate_images(
            prompt_set, chosen, to, samples=samples, seed=seed, limit=limit, limits=limits, name=name, shard=part,
            on_progress=on_progress or (lambda p: shown(p.done + p.failed, p.total)),
        )  # fmt: skip


@takes(JudgingOptions)
def t2i_judge(options: JudgingOptions) -> Run:
    """Have a judge, as `probe` takes it, answer the protocol's questions about every picture, into the run `out`.

    `images`: the folder of a generator's pictures, or several, which are then asked about in one run, in random order.

    The same call again resumes. Raises InputError, with the reasons, for a judge that its certificate does not admit,
    unless `uncertified`. `shard`: "0/4" asks about the first of four parts of the pictures, for `merge` to join.
    `negated`: the share of yes/no checks that are also asked negated. Of the protocol `pairwise`,
    `forced` allows no tie, and `matches` is the number of pairs of models that are compared for each sample. `upload`
    and `resume_from` are those of `probe`.
    """
    from counterbench.evidence.watch import unchanged
    from counterbench.pictures.judging.run import Judging

    judging = Judging.from_options(options)
    asking = judging.asking()
    with unchanged(options.certificate, options.judge, judging, asking):
        return run_asking(asking, options.on_progress)


@overload
def t2i_score(
    runs: PathLike, *, scoring: str = DEFAULT, threshold: float | None = None, labels: PathLike | None = None
) -> ModelDocument: ...
@overload
def t2i_score(
    runs: list[Any], *, scoring: str = DEFAULT, threshold: float | None = None, labels: PathLike | None = None
) -> list[ModelDocument]: ...
@flags_as_parameters
def t2i_score(
    runs: PathLike | list[Any],
    *,
    scoring: str = DEFAULT,
    threshold: float | None = None,
    labels: PathLike | None = None,
) -> ModelDocument | list[ModelDocument]:
    """The scores of the model of a run of `t2i judge`, by the run's protocol; of a list of runs a list of all models.

    `threshold`: of cf-eval's gate: L2 and L3 of a group of prompts count if its S_L1 is at least this (default: 0.5).
    `labels`: people's answers about some pictures, a CSV; by default those of the run's page (`counterbench label`).
    With them each document has `by_people`.
    """
    from counterbench.pictures.judging.judged_run import load_judged
    from counterbench.pictures.labelling.scored import score_runs, with_labels

    file = fetched(labels) if labels is not None else None
    if isinstance(runs, str | os.PathLike):
        path = fetched(runs)
        return with_labels(path, [load_judged(path)], scoring, threshold, file).documents[0]
    return [doc for run in score_runs([*map(fetched, runs)], scoring, threshold, file) for doc in run.documents]


@takes(EvaluateOptions)
def evaluate(
    options: EvaluateOptions,
) -> Evaluated | EvaluationPlan | PanelEvaluated | dict[str, EvaluationPlan]:
    """Rank models by their pictures, with a judge that is tested first; the same call again resumes.

    `source`: a table with the columns image and prompt (and model, question, answer, …), or a folder PICTURES/MODEL/….
    `questions`: the prompts with their questions, by default the table's own; `columns`: the table's names by ours
    ({"prompt": "Text"}); `allow_outside`: pictures may lie outside its folder; `author`: a language model that writes
    questions for prompts without any. `limits` are for the drawn test and the pictures together. `plan`: forecast it
    only. Of a list of judges each is evaluated, then all that are admitted as a panel: a plan is then a dictionary, by
    judge. Raises JudgeError for a judge that a test does not admit (of a list: if none is admitted), and InputError if
    it was stopped before all was asked.
    """
    from counterbench.pictures.evaluation import Evaluation
    from counterbench.pictures.panels import PanelEvaluation, several_judges

    judges = several_judges(options)
    if len(judges) == 1:
        evaluation = Evaluation.from_options(options, judge=judges[0])
        planned = _evaluate(evaluation, options)
        return planned if options.plan else conclude(evaluation.path)
    work, plans = PanelEvaluation(options), dict[str, "EvaluationPlan"]()
    if not options.plan:
        work.refuse_further()
    for name, evaluation in work.evaluations.items():
        try:
            plans[name] = _evaluate(evaluation, options)
        except TurnedAwayError as error:
            work.turned_away[name] = str(error)
        work.share_questions()
    if options.plan:
        return plans
    if not work.members:
        raise TurnedAwayError("; ".join(f"{name}: {reason}" for name, reason in work.turned_away.items()))
    work.ask_panel(partial(_ask_whole, options=options))
    return conclude_panel(work)


def _evaluate(evaluation: Evaluation, options: EvaluateOptions) -> EvaluationPlan:
    """Plan an evaluation by one judge and ask all of it, unless a plan alone is wanted; see `evaluate`."""
    plan = options.plan
    if evaluation.needs_author and not plan:
        evaluation.write_questions()
    with evaluation.planning(only=plan) as work, bar("reading pictures") as shown:
        planned = work.plan(shown)
    if plan:
        return planned
    if planned.drawn is not None and planned.drawn.doctor is not None and not planned.able:
        failing = [f"{finding.name}: {finding.message}" for finding in planned.drawn.doctor.failing]
        raise TurnedAwayError(f"{planned.drawn.doctor.judge}: the doctor says: {'; '.join(failing)}")
    for asking in evaluation.askings():
        _ask_whole(asking, options, lambda: evaluation.useless)
    if objections := evaluation.objections:
        raise TurnedAwayError(f"not admitted: {'; '.join(objections)}")
    return planned


def _ask_whole(asking: Asking, options: EvaluateOptions, useless: Callable[[], str] = lambda: "") -> None:
    """Ask a run; errors if questions are left, or if `useless` gives a reason why its replies cannot be used."""
    run = run_asking(asking, options.on_progress)
    if why := useless():
        raise TurnedAwayError(f"{run.path}: {why}")
    if not run.complete and run.progress.failed and not run.progress.stopped:
        raise JudgeError(f"{run.path}: {run.progress}: {_failures(run.path)}; the same call again goes on")
    if not run.complete:
        raise InputError(f"{run.path}: {run.progress}; the same call again goes on")


def _failures(run: Path) -> str:
    """The reasons of a run's failed tries, the most frequent first."""
    usage = usage_of(run)
    return listed(f"{count} {kind} ({usage.examples.get(kind, '')})" for kind, count in usage.failed_attempts.items())


def conclude(run: Path, on_progress: OnProgress = unseen) -> Evaluated:
    """The answer of a complete run of `evaluate`; with the extra `report`, its report is written into its folder."""
    from counterbench.pages import write_answer
    from counterbench.pictures.answer import answer

    has_report = importlib.util.find_spec("jinja2") is not None
    return write_answer(run, run / "report.html", on_progress) if has_report else answer(run)


def conclude_panel(work: PanelEvaluation, on_progress: OnProgress = unseen) -> PanelEvaluated:
    """The answers of a complete evaluation by several judges: by each, by the panel, and what the panel buys."""
    from counterbench.pictures.panels import PanelEvaluated

    joined = len(work.members) > 1
    return PanelEvaluated(
        judges={name: conclude(evaluation.path, on_progress) for name, evaluation in work.members.items()},
        turned_away=work.turned_away,
        panel=conclude(work.panel.path, on_progress) if joined else None,
        panel_gain=work.gain if joined else None,
    )


@flags_as_parameters
def compare_models(
    run: PathLike, other: PathLike, *others: PathLike, scoring: str = DEFAULT, threshold: float | None = None
) -> Comparisons:
    """The models of runs of `t2i judge` side by side: paired differences, tests, ranks, and what would decide a tie.

    Runs on one prompt set by one protocol and judge are compared (`comparisons`). Two judges or protocols on the same
    pictures stand side by side (`agreement`); `alone` has all other runs. `threshold`: of cf-eval's gate, as of
    `t2i_score`. Raises InputError if no two runs can be compared.
    """
    from counterbench.pictures.comparing.models import compare_models as compared
    from counterbench.pictures.labelling.scored import labelled_runs

    return compared([fetched(path) for path in (run, other, *others)], scoring, threshold, load=labelled_runs)


@flags_as_parameters
def align(
    labels: PathLike,
    run: PathLike,
    *runs: PathLike,
    columns: Mapping[str, str] = {},
    metrics: PathLike | None = None,
) -> Alignment:
    """The judges of runs of `t2i judge` beside people, and beside each other.

    `labels`: a CSV or JSONL file, of labels of checks (columns sample, check, label), of ratings of pictures (sample,
    id or prompt, then rating) or of preferences (id, first, second, better), with rater and model where there are
    several; `columns`: the file's names by ours ({"rater": "worker"}). `metrics`: a file of other numbers of the
    pictures (sample, id or prompt, then metric, value). Correlations and kappa are from -1 to 1,
    accuracies from 0 to 1. Raises InputError if the file does not fit the runs.
    """
    from counterbench.pictures.comparing.people import align as aligned

    return aligned(
        fetched(labels), [fetched(path) for path in (run, *runs)], columns, fetched(metrics) if metrics else None
    )
