"""A run about generated pictures to what its protocol scores, and to a signed document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.certificate import mismatches, problems
from counterbench.errors import CounterbenchError
from counterbench.journal import read_journal
from counterbench.observations import observe
from counterbench.results import settled_replies
from counterbench.run_folder import JOURNAL_FILE, read_keys, read_run_info
from counterbench.scorings import Judged
from counterbench.stats.intervals import Estimate
from counterbench.t2i.asked import question_id
from counterbench.t2i.gate import UNVERIFIABLE, needed_skills, objections, unverified
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.known import credit, result_of, true_results
from counterbench.t2i.labels import LabelledMean, labelled_means, read_labels
from counterbench.t2i.manifest import ImageRow
from counterbench.t2i.prompts import Check, Prompt, PromptSet
from counterbench.t2i.protocols import cf_eval
from counterbench.t2i.protocols.columns import LEVELS
from counterbench.t2i.protocols.correction import Errors, band
from counterbench.t2i.protocols.document import Difference, Document, Reference, Signature
from counterbench.t2i.protocols.results import CheckResult, JudgeOutcome
from counterbench.t2i.protocols.scorings import DEFAULT
from counterbench.t2i.run import T2IRun, read_t2i_run

# The planted models whose true numbers stand beside every PRR and RRR.
REFERENCE_MODELS = ("turkey", "literal")


def check_results(run: T2IRun) -> list[CheckResult]:
    """Every check of every sample, as the run's judge answered it; those of pictures that are not there, too."""
    info = read_run_info(run.path)
    keys = list(read_keys(run.path))
    journal = run.path / JOURNAL_FILE
    records = read_journal(journal) if journal.exists() else iter(())
    replies = settled_replies(keys, records, "default", info.votes, str(run.path))
    prompts = {prompt.id: prompt for prompt in run.prompts}
    return [
        _result(prompts[f"{row.group}/{row.level}"], check, row, replies.get(question_id(row.id, check.id)))
        for row in run.samples
        for check in prompts[f"{row.group}/{row.level}"].checks
    ]


def _result(prompt: Prompt, check: Check, row: ImageRow, reply: Judged | Failed | None) -> CheckResult:
    bare = result_of(prompt, check, row.sample, answer=None, picture=row.status)
    if row.status != "ok" or reply is None:
        return bare
    outcome: JudgeOutcome = "failed" if isinstance(reply, Failed) else outcome_name(reply.outcome)  # type: ignore[assignment]
    answer = reply.value if isinstance(reply, Judged) else None
    return msgspec.structs.replace(bare, answer=answer, credit=credit(check, answer), outcome=outcome)


def why_uncertified(run: T2IRun) -> list[str]:
    """Why the numbers of a run are not certified, derived anew from its certificate and from what was observed."""
    info, needed = read_run_info(run.path), needed_skills(run.prompt_set)
    if not needed:
        return [UNVERIFIABLE]
    found = objections(
        run.certificate,
        needed,
        judge=info.judge,
        wording_digest=info.wording_digest,
        votes=info.votes,
        prompt_shown=run.info.prompt_shown,
        models=_models(run.path),
    )
    if run.info.uncertified and not found:
        return ["it was judged with --uncertified; the same `t2i judge` again without it, with the certificate, "
                "asks nothing anew"]  # fmt: skip
    return found


def _models(path: Path) -> list[str]:
    """The ids under which replies came; none before anything was asked."""
    return list(observe(path).models) if (path / JOURNAL_FILE).exists() else []


def references(prompts: PromptSet) -> dict[str, Reference]:
    """The true numbers of the planted models on the same prompts.

    None for a set that is not about laws, or whose laws are others in this version than when the pictures were judged.
    """
    if prompts.seed is None or prompts.levels != LEVELS or not _as_drawn(prompts):
        return {}
    found: dict[str, Reference] = {}
    for name in REFERENCE_MODELS:
        generator = PlantedGenerator(name, prompts)
        rows = true_results(generator, prompts.prompts, 1)
        document = cf_eval.score(
            rows, levels=prompts.levels, signature=_plain_signature(prompts, generator.name), certified=True, draws=10
        )
        found[name] = cf_eval.reference(document)
    return found


def _as_drawn(prompts: PromptSet) -> bool:
    """Whether what this version draws as right is right by the prompts' own checks."""
    try:
        rows = list(true_results(PlantedGenerator("reasoner", prompts), prompts.prompts, 1))
    except CounterbenchError:
        return False
    return all(row.credit == 1 for row in rows)


def score_run(path: Path, scoring_name: str = DEFAULT, threshold: float = cf_eval.THRESHOLD) -> Document:
    """The scores of the run in `path`; InputError if it is no run about generated pictures, or is damaged."""
    run = read_t2i_run(path)
    info, t2i = read_run_info(path), run.info
    prompts = run.prompt_set
    signature = Signature(
        prompts=t2i.prompts,
        prompts_digest=t2i.prompts_digest,
        generator=t2i.generator,
        samples=t2i.samples,
        generator_seed=t2i.seed,
        judge=info.judge,
        wording=info.wording,
        wording_digest=info.wording_digest,
        prompt_shown=t2i.prompt_shown,
        style=t2i.style,
        parser=PARSER_VERSION,
        certificate=run.certificate.digest if run.certificate is not None else "",
        policy=run.certificate.policy.name if run.certificate is not None else "",
        version=__version__,
    )
    return cf_eval.score(
        check_results(run),
        levels=t2i.levels,
        signature=signature,
        certified=not why_uncertified(run),
        run=str(path),
        unverified=unverified(check for prompt in run.prompts for check in prompt.checks),
        references=references(prompts),
        scoring_name=scoring_name,
        threshold=threshold,
    )


def _plain_signature(prompts: PromptSet, generator: str) -> Signature:
    return Signature(
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        generator=generator,
        samples=1,
        generator_seed=None,
        judge="",
        wording="",
        wording_digest="",
        prompt_shown=False,
        parser="",
        certificate="",
        version=__version__,
    )


def rows_of(path: Path) -> Iterator[CheckResult]:
    """The judged checks of the run in `path`."""
    yield from check_results(read_t2i_run(path))


def paired_differences(
    paths: Sequence[Path], documents: Sequence[Document], names: Sequence[str], scoring_name: str, threshold: float
) -> list[Difference]:
    """Every two runs on one prompt set, over the groups that both have scored."""
    rows = [list(rows_of(path)) for path in paths] if len(paths) > 1 else []
    return [
        cf_eval.difference(
            rows[a],
            rows[b],
            names=(names[a], names[b]),
            levels=tuple(documents[a].levels),
            scoring_name=scoring_name,
            threshold=threshold,
        )
        for a, b in combinations(range(len(rows)), 2)
        if documents[a].signature.prompts_digest == documents[b].signature.prompts_digest
        and {row.group for row in rows[a]} & {row.group for row in rows[b]}
    ]


def corrected(path: Path) -> dict[str, Estimate | None]:
    """The Rogan–Gladen band of every level's ungated mean, by the errors that the run's certificate counted.

    Empty without a certificate of this very judge, asked as here, that counts every skill; and for graded checks.
    """
    run, info = read_t2i_run(path), read_run_info(path)
    skills = {check.skill for prompt in run.prompts for check in prompt.checks}
    kinds = {check.answer_type for prompt in run.prompts for check in prompt.checks}
    shown = run.certificate
    if (
        shown is None
        or problems(shown)
        or mismatches(
            shown, judge=info.judge, wording_digest=info.wording_digest, votes=info.votes, models=_models(path)
        )
    ):
        return {}
    found = shown.skills
    if kinds != {"yes-no"} or not skills <= found.keys():
        return {}
    errors = {}
    for skill in skills:
        sensitivity, specificity = found[skill].sensitivity, found[skill].specificity
        if sensitivity is None or specificity is None:
            return {}
        errors[skill] = Errors((sensitivity.hits, sensitivity.of), (specificity.hits, specificity.of))
        if sensitivity.hits / max(1, sensitivity.of) + specificity.hits / max(1, specificity.of) <= 1:
            return {}
    return band(check_results(run), levels=run.info.levels, errors=errors)


def labelled(path: Path, labels: Path) -> dict[str, LabelledMean]:
    """Every level's ungated mean by people's labels (a CSV) and the judge's credits; see `labels.labelled_means`."""
    run = read_t2i_run(path)
    return labelled_means(check_results(run), read_labels(labels), run.info.levels)


def true_reference(generator: PlantedGenerator, path: Path) -> Reference:
    """The true numbers of a planted model on the prompts and samples of the run in `path`."""
    run = read_t2i_run(path)
    prompts = run.prompt_set
    rows = true_results(generator, prompts.prompts, run.info.samples)
    signature = _plain_signature(prompts, generator.name)
    return cf_eval.reference(cf_eval.score(rows, levels=prompts.levels, signature=signature, certified=True, draws=10))
