"""Scores of a judged run: the status of its judge, the checks that count, the document of scores, a table of checks.

A run (`JudgedRun`) is one model's pictures as one judge answered about them; a check is a question about a picture.
`score` is the main function: run in, `ModelDocument` out. A judge is admitted to a skill, such as counting, (or to a
law) if drawn test pairs, or people's labels, show that it sees it. Numbers are about `scored_part`: a run with fewer
prompts or checks, those that the judge is admitted to and that all compared models have. `by_word` numbers are over all
checks. Denials are answers to checks that were asked negated, too; an audit asks further questions about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.errors import InputError, chosen
from counterbench.evidence.admission import (
    Admission,
    admission_of,
    admission_to_compare,
    admission_to_rank,
    is_of_ratings,
    losses,
    policy_of,
    untested,
)
from counterbench.evidence.cells import PairCount, cell_result, needed_e_value
from counterbench.evidence.document import FAIL, PASS
from counterbench.evidence.issue import WayOfAsking
from counterbench.evidence.ladders import LadderResults
from counterbench.evidence.prompt_checks import is_out, scored_prompts
from counterbench.evidence.rungs import is_unknown, ladders_of
from counterbench.evidence.stickers import kept_result
from counterbench.evidence.treatments import declined_treatments
from counterbench.evidence.verdict import COMPARED, RANKED, Shown, verdict_on
from counterbench.pictures.auditing.denials import denials_of
from counterbench.pictures.auditing.result import kept_audit
from counterbench.pictures.importing.pictures import IMPORTED
from counterbench.pictures.judging.judged_run import JudgedRun, cached_on_run, load_models
from counterbench.pictures.judging.negation import EVERYTHING, leaning
from counterbench.pictures.protocols.cf_eval import RATES, CFEval, GatedScoring
from counterbench.pictures.protocols.cf_eval.gate import contradictions
from counterbench.pictures.protocols.numbers import columns_of, document
from counterbench.pictures.scores.document import JudgeStatus, ModelDocument, ModelProvenance, WrongAtLeast
from counterbench.pictures.scores.labels import HumanLabel, the_sample
from counterbench.pictures.scores.measure import outcomes
from counterbench.pictures.scores.results import CheckResult, by_key, group_results
from counterbench.pictures.scores.rules import DEFAULT, Scoring
from counterbench.prompts.manifest import plain_name
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.prompts.skills import named_by_user, skill_of
from counterbench.results.frame import COUNT, FLAG, NUMBER, TEXT, with_replies
from counterbench.stats.intervals import Estimate, wilson
from counterbench.suites.stickers import STICKERS

if TYPE_CHECKING:
    import pandas as pd

# The columns of a frame that come first, after the id; and the columns that are not text.
_FIRST = ("answer", "credit", "expected", "outcome")
_NUMBERS = ("weight", "credit", "p_yes", "p_expected", "residual")
_DTYPES = {"sample": COUNT, "follows": FLAG, **dict.fromkeys(_NUMBERS, NUMBER)}
# The fields of a provenance that are copied from a run's `t2i.json`, and from its `run.json`.
_OF_PROMPTS = ("prompts", "prompts_digest", "prompt_shown", "style", "protocol", "protocol_version")
_OF_JUDGE = ("judge", "name", "template", "template_digest")

_JUDGED_UNCERTIFIED = (
    "it was judged with --uncertified; run the same `t2i judge` with --certificate instead: it asks nothing again"
)


@cached_on_run
def admission_of_run(run: JudgedRun) -> Admission:
    """The admission of a run's judge: the checks that it may score, and the reasons against others.

    It is derived from the judge's certificate (the result of its drawn test), the run's replies, people's labels, the
    run's audit, and contradictions between checks and their negations; each of the last three can revoke a skill.
    """
    if run.protocol.compares:
        return admission_to_compare(run.kept.certificate, _way_to_ask(run))
    if _ranks(run) and run.kept.certificate is not None:
        return admission_to_rank(run.kept.certificate, _way_to_ask(run))
    audit, denials = kept_audit(run.kept.path), denials_of(run)
    revoked = dict.fromkeys(run.unseen_skills, "people's labels show that it is wrong too often")
    if audit is not None and EVERYTHING not in audit.revoked:
        revoked |= dict.fromkeys(audit.revoked, "revoked: answers contradict each other")
    if denials is not None and denials.counts and EVERYTHING not in denials.revoked:
        revoked |= dict.fromkeys(denials.revoked, "revoked: yes to questions and to their negations")
    return admission_of(
        run.kept.certificate,
        shared_part(run).prompts,
        _way_to_ask(run),
        revoked=revoked,
        labelled=run.seen_skills,
        ladders=_ladder_results(run),
        smallest=run.kept.info.smallest,
    )


def _way_to_ask(run: JudgedRun) -> WayOfAsking:
    """The judge of a run, how and when it was asked, and the models that answered."""
    info = run.info
    return WayOfAsking(
        info.judge,
        info.template_digest,
        info.repeats,
        prompt_shown=run.kept.info.prompt_shown,
        models=run.models,
        asked_at=run.replied_at,
    )


def _ranks(run: JudgedRun) -> bool:
    """True for ratings of single pictures whose judge has a certificate as a rater: of their order, not their level."""
    return run.protocol.rates and is_of_ratings(run.kept.certificate)


def _ladder_results(run: JudgedRun) -> LadderResults | None:
    """The results of the ladder of counts that a run's folder has for its judge and template; None without any."""
    return ladders_of(run.kept.path, run.info.judge, run.info.template_digest)


def judge_status(run: JudgedRun) -> JudgeStatus:
    """The status of a run's judge: the verdict on it, its admission, and the certification of its numbers.

    Three kinds of reasons speak against it. `objections`: its answers are no evidence. `incomplete`: it is admitted,
    but replies, or the trial of negated questions, are missing. `unlike_drawn`: it was shown to see drawings alone, and
    these pictures or questions are of another kind. Any of them keeps the numbers from being certified.
    """
    admission, kept, part = admission_of_run(run), run.kept, scored_part(run)
    affirmed_both, contradictions_found = _contradictions(part)
    stickers, audit = kept_result(kept.path / STICKERS), kept_audit(kept.path)
    contradictions_found += [text for test in (stickers, audit) if test is not None for text in test.objections]
    denials = denials_of(run)
    if denials is not None and denials.counts and EVERYTHING in denials.revoked:
        contradictions_found.append(denials.finding)
    objections = [*contradictions_found, *admission.objections]  # what these pictures show comes first
    if kept.info.uncertified and not objections:
        objections = [_JUDGED_UNCERTIFIED]
    replies = outcomes(part.asked_rows)
    if losses_reason := policy_of(kept.certificate).outcomes.lost(replies):
        objections = [losses_reason, *objections]
    incomplete = losses(replies, kept.certificate)
    if denials is not None and denials.counts is None and denials.revoked:
        incomplete.append(denials.finding)
    unlike_drawn: list[str] = []
    if run.protocol.compares:
        unlike_drawn = [COMPARED]
    elif _ranks(run):
        unlike_drawn = [RANKED]
    elif kept.certificate is not None:
        unlike_drawn = untested(kept.certificate, part.prompts, kept.model.domain)
    reasons = [*objections, *incomplete] if objections else [*incomplete, *unlike_drawn]
    shown_on: Shown = "nothing else"
    if run.seen_skills and skills_of(part) <= run.seen_skills:
        shown_on = "labels"
    elif stickers is not None and stickers.verdict == PASS:
        shown_on = "stickers"
    elif not unlike_drawn:
        shown_on = "drawn alike"
    verdict, because = verdict_on(
        objections,
        admission.covered,
        shown_on,
        incomplete,
        compares=run.protocol.compares,
        ranks=_ranks(run),
        named=bool(named_by_user(run.prompts.prompts)),
    )
    return JudgeStatus(
        verdict=verdict,
        because=because,
        admitted=not objections,
        certified=not reasons,
        evidence=msgspec.structs.replace(
            admission.evidence, stickers={} if stickers is None else {"all": stickers.finding}
        ),
        not_tested=admission.not_tested,
        reasons=reasons,
        domain=kept.model.domain,
        left_out=admission.left_out if admission.admitted else {},
        covered=admission.covered if admission.admitted else None,
        wrong_at_least=affirmed_both,
        denials=denials,
        declined=[] if kept.certificate is None else [*declined_treatments(kept.certificate)],
        audit=None if audit is None else audit.brief,
    )


def skills_of(part: JudgedRun) -> set[str]:
    """The skills that the scored checks of a part of a run need."""
    return {skill_of(check) for prompt in part.prompts.prompts for check in prompt.checks if check.weight}


def _contradictions(part: JudgedRun) -> tuple[WrongAtLeast | None, list[str]]:
    """The number of pictures for which the judge affirms two outcomes that exclude each other, and what follows.

    The outcomes are the asked one and the prior's, which is the usual one. The first result is None if no check asks
    for both. The second one is a list with the reason why this ends the judge's admission; empty if it does not. It
    does if the share of pictures without a contradiction is shown to be at most the policy's bound, by the test that
    certificates use.
    """
    count, total = contradictions(group_results(part.rows, part.prompts.levels))
    if not total:
        return None, []
    low, high = wilson(count, total) or (None, None)
    affirmed_both = WrongAtLeast(count=count, of=total, share=Estimate(count / total, low, high))
    certificate = part.kept.certificate
    policy = policy_of(certificate)
    e_needed = needed_e_value(policy, 1) if certificate is None else certificate.threshold
    if cell_result(PairCount(total - count, count), policy.ccs, e_needed).verdict != FAIL:
        return affirmed_both, []
    return affirmed_both, [
        f"the judge affirms the prior's outcome and the asked one, which exclude each other, of {count} of {total} "
        f"pictures: shown to be {100 - 100 * policy.ccs:g} % or more, so policy {policy.name} does not admit it"
    ]


@cached_on_run
def scored_part(run: JudgedRun) -> JudgedRun:
    """The part of a run that its numbers are about.

    It has the prompts that all compared models have, and of their checks those that the judge is admitted to. If the
    judge is admitted to none, it has all checks of these prompts: the answers then count as they are.
    """
    admission = admission_of_run(run)
    return shared_part(part_of(run, admission.counts) if admission.admitted else run)


def judged_part(run: JudgedRun) -> JudgedRun:
    """The part of a run that people may label: all checks but those that the judge was shown not to see.

    So it has also checks of skills without a test. If the judge is not admitted at all, it has every check.
    """
    admission = admission_of_run(run)
    if not admission.admitted:
        return shared_part(run)
    return shared_part(part_of(run, lambda prompt, check: not is_out(admission.left_out, prompt, check)))


@cached_on_run
def shared_part(run: JudgedRun) -> JudgedRun:
    """The part of a run about the prompts of which all models that are compared with it have pictures."""
    shared = [prompt for prompt in run.prompts.prompts if run.may_count(prompt.id)]
    return run if len(shared) == len(run.prompts.prompts) else _of_prompts(run, shared)


def part_of(run: JudgedRun, counts: Callable[[Prompt, Check], bool]) -> JudgedRun:
    """The part of a run with the checks for which `counts`, called with the prompt and the check, is true."""
    return _of_prompts(run, scored_prompts(run.prompts, counts).prompts)


def _of_prompts(run: JudgedRun, prompts: Sequence[Prompt]) -> JudgedRun:
    """The run's part about these prompts and their checks."""
    check_keys = {(prompt.group, prompt.level, check.id) for prompt in prompts for check in prompt.checks}
    rows = tuple(row for row in run.rows if (row.group, row.level, row.check) in check_keys)
    sample_ids = {row.sample_id for row in rows}
    both_forms = tuple(answers for answers in run.both_forms if answers.sample in sample_ids)
    return msgspec.structs.replace(run, prompts=run.prompts.holding(prompts), rows=rows, both_forms=both_forms)


def score(run: JudgedRun, scoring_name: str = DEFAULT, threshold: float | None = None) -> ModelDocument:
    """The scores of a run that was read already, under the protocol's scoring called `scoring_name`.

    `threshold`: of the scoring's gate (a score at L1 below which a group's other levels count 0); None for its own. The
    document's `bounds` allow for checks whose "no" says nothing, since the judge may not see small things (see
    `without_unknown`). Its `by_word` numbers are over all checks, also those that the judge is not admitted to.
    """
    part = scored_part(run)
    whole = shared_part(run)
    known_rows = without_unknown(_ladder_results(run), part.prompts.checks, part.rows)
    scoring = scoring_of(part, scoring_name, threshold)
    document_of = partial(
        document,
        part.protocol,
        levels=part.prompts.levels,
        provenance=_provenance(part),
        scoring=scoring,
        scoring_name=scoring_name,
        judge_status=judge_status(run),
        run=str(part.kept.path),
        references=part.protocol.references(part.prompts),
        leaning=leaning(part.both_forms),
    )
    scored = msgspec.structs.replace(document_of(part.rows), not_shared=run.not_shared)
    if len(whole.rows) > len(part.rows):
        by_word = columns_of(part.protocol, whole.rows, whole.prompts.levels, scoring, str(part.kept.path))
        scored = msgspec.structs.replace(scored, by_word=by_word)
    return scored if known_rows == part.rows else msgspec.structs.replace(scored, bounds=document_of(known_rows).bounds)


def scoring_of(run: JudgedRun, scoring_name: str, threshold: float | None) -> Scoring:
    """The protocol's scoring called `scoring_name`, with this threshold if it has a gate; else InputError."""
    scoring = chosen("scoring", scoring_name, run.protocol.scorings)
    if threshold is None:
        return scoring
    if not isinstance(scoring, GatedScoring):
        raise InputError(
            f"{run.kept.path}: --threshold is of cf-eval's gate, and {run.protocol.name} has none; leave it out"
        )
    return scoring.at(threshold)


def _provenance(run: JudgedRun) -> ModelProvenance:
    """The provenance of a run's numbers: prompts, pictures, judge, certificate and versions."""
    info, t2i, model, certificate = run.info, run.kept.info, run.kept.model, run.kept.certificate
    title = model.title if model.generator.startswith(IMPORTED) else Path(model.images).name
    copied = {name: getattr(t2i, name) for name in _OF_PROMPTS} | {name: getattr(info, name) for name in _OF_JUDGE}
    return ModelProvenance(
        generator=model.generator,
        generator_name=title if title != plain_name(model.generator) else "",
        samples=model.samples,
        generator_seed=model.seed,
        parser=PARSER_VERSION,
        certificate=certificate.digest if certificate is not None else "",
        policy=certificate.policy.name if certificate is not None else "",
        version=__version__,
        **copied,
    )


def as_json(document: ModelDocument) -> dict[str, Any]:
    """A document as `score --json` prints it: CF-Eval's rates are also at the top, gated and `ungated`."""
    plain: dict[str, Any] = msgspec.to_builtins(document)
    if document.protocol == CFEval.name:
        columns = plain["columns"]
        plain |= {rate: columns.get(rate) for rate in RATES}
        plain["ungated"] = {rate: columns.get(f"ungated_{rate}") for rate in RATES} if RATES[0] in columns else None
    return plain


def frame(path: Path) -> pd.DataFrame:
    """A row for each check of every sample of the run in `path`, also of samples that were not judged.

    The columns are:

    - `id`: of the question, "<group>/<level>/<sample>/<check>"; of a comparison of two models
      "<group>/<level>/<sample>/<first>~<second>/<order>"; before it the generator's name, if the run is about several.
      Rows share an id if one question is about several checks, or about several samples that show the same file.
    - `generator`: the name of its folder.
    - the fields of `CheckResult`; but `question` is the words of the check, and `skill` the one that these words need.
    - those of `results.frame.with_replies`.

    InputError if it is no run about generated pictures, or is damaged.
    """
    names = dict.fromkeys((*_FIRST, *(field.name for field in msgspec.structs.fields(CheckResult))))
    columns = {"id": TEXT, "generator": TEXT} | {name: _DTYPES.get(name, TEXT) for name in names}
    rows = []
    for run in load_models(path):
        id_of, about = run.question_ids(), {"generator": run.kept.model.title}
        for row in run.rows:
            cells = msgspec.structs.asdict(row) | {"id": id_of(row), "tags": ";".join(row.tags)}
            if (check := run.prompts.checks.get((row.prompt_id, row.check))) is not None:
                cells |= {"question": check.text, "skill": row.skill or skill_of(check)}
            rows.append(about | cells)
    return with_replies(rows, columns, path)


def labels_of(run: JudgedRun, labels: Sequence[HumanLabel]) -> list[HumanLabel]:
    """The labels about this run's pictures: those that name its generator, or no generator at all.

    Each gets the answer type of its check. Ratings that name a prompt get the id of its sample, if there is one;
    InputError, naming the line, for one that may be of several pictures.
    """
    model = run.kept.model
    own = [label for label in labels if label.generator in ("", model.generator, model.images, model.name, model.title)]
    by_name = samples_of([run]) if any(label.prompt for label in own) else {}
    for index, label in enumerate(own):
        if label.prompt:
            if sample := the_sample(by_name, label.prompt, label.where, label.sample):
                own[index] = msgspec.structs.replace(label, sample=sample, prompt="")
        elif (check := run.prompts.checks.get((label.sample.rpartition("/")[0], label.check))) is not None:
            own[index] = msgspec.structs.replace(label, answer_type=check.answer_type)
    return own


def samples_of(runs: Sequence[JudgedRun]) -> dict[str, list[str]]:
    """The ids of the samples of these runs by each name that they may have.

    These are their own, and the id, group and text of their prompt.
    """
    texts = {prompt.id: prompt.text for run in runs for prompt in run.prompts.prompts}
    prompts = {row.id: row.prompt_id for run in runs for row in run.kept.samples}
    return by_key(
        (name, sample) for sample, id in prompts.items() for name in {sample, id, id.rpartition("/")[0], texts[id]}
    )


def without_unknown(
    ladders: LadderResults | None, checks: Mapping[tuple[str, str], Check], rows: Iterable[CheckResult]
) -> tuple[CheckResult, ...]:
    """The rows in their order, in which an answer "no" that is unknown has no credit.

    "No" is unknown where the judge may just not see a small thing: `evidence.rungs.is_unknown` tells it by `ladders`,
    the judge's results in tests with things of smaller and smaller size (None without any). `checks`: by prompt id and
    check id.
    """
    return tuple(
        msgspec.structs.replace(row, credit=None)
        if is_unknown(ladders, checks[row.prompt_id, row.check], row.answer)
        else row
        for row in rows
    )
