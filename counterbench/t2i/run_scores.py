"""What a judged run says of a model: CF-Eval's document, signed; the band, people's labels, and paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.certificate import mismatches, problems
from counterbench.scoring.frame import COUNT, NUMBER, REPLY_COLUMNS, TEXT, with_replies
from counterbench.stats.correction import Errors
from counterbench.stats.intervals import Estimate
from counterbench.t2i.baselines import references
from counterbench.t2i.images.manifest import default_folder
from counterbench.t2i.judging.gate import UNVERIFIABLE, losses, needed_skills, objections, unverified
from counterbench.t2i.judging.picture_queries import question_id
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.judging.run import replies_digest
from counterbench.t2i.protocols import cf_eval
from counterbench.t2i.scores.correction import band
from counterbench.t2i.scores.document import Difference, Document, Signature
from counterbench.t2i.scores.labels import LabelledMean, labelled_means, read_labels
from counterbench.t2i.scores.missing import outcomes
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import DEFAULT

if TYPE_CHECKING:
    import pandas as pd

# Of a frame's columns: which come first, after the id, and which are not text.
_FIRST = ("answer", "credit", "expected", "outcome")
_DTYPES = {"sample": COUNT, "weight": NUMBER, "credit": NUMBER}

_UNSEALED = "its replies have no digest (asking was killed, or an earlier version asked): the same `t2i judge` adds it"
_EDITED = "its keys, its journal or its t2i.json were changed since the judge was asked"


def why_uncertified(run: JudgedRun) -> list[str]:
    """Why the numbers of a run are not certified, derived anew from its certificate and from what was observed."""
    needed = needed_skills(run.prompts)
    sealed = run.kept.info.replies_digest
    edited = [_EDITED] if sealed not in ("", replies_digest(run.kept.path, run.kept.info)) else []
    lost = losses(outcomes(run.rows), run.kept.certificate)
    if not needed:
        return [*edited, UNVERIFIABLE, *lost]
    found = edited + objections(
        run.kept.certificate,
        needed,
        judge=run.info.judge,
        wording_digest=run.info.wording_digest,
        votes=run.info.votes,
        prompt_shown=run.kept.info.prompt_shown,
        models=run.models,
    )
    if not sealed:
        found.append(_UNSEALED)
    if run.kept.info.uncertified and not found:
        return ["it was judged with --uncertified; the same `t2i judge` again without it, with the certificate, "
                "asks nothing anew", *lost]  # fmt: skip
    return found + lost


def score_run(path: Path, scoring_name: str = DEFAULT, threshold: float = cf_eval.THRESHOLD) -> Document:
    """The scores of the run in `path`; InputError if it is no run about generated pictures, or is damaged."""
    return score(load_judged(path), scoring_name, threshold)


def score(run: JudgedRun, scoring_name: str = DEFAULT, threshold: float = cf_eval.THRESHOLD) -> Document:
    """The scores of a run that was read already."""
    info, t2i, certificate = run.info, run.kept.info, run.kept.certificate
    called = Path(t2i.images).name
    signature = Signature(
        prompts=t2i.prompts,
        prompts_digest=t2i.prompts_digest,
        generator=t2i.generator,
        generator_name=called if called != default_folder(t2i.generator) else "",
        samples=t2i.samples,
        generator_seed=t2i.seed,
        judge=info.judge,
        name=info.name,
        wording=info.wording,
        wording_digest=info.wording_digest,
        prompt_shown=t2i.prompt_shown,
        style=t2i.style,
        parser=PARSER_VERSION,
        certificate=certificate.digest if certificate is not None else "",
        policy=certificate.policy.name if certificate is not None else "",
        version=__version__,
    )
    return cf_eval.score(
        run.rows,
        levels=t2i.levels,
        signature=signature,
        reasons=why_uncertified(run),
        run=str(run.kept.path),
        unverified=unverified(check for prompt in run.prompts.prompts for check in prompt.checks),
        references=references(run.prompts),
        scoring_name=scoring_name,
        threshold=threshold,
    )


def paired_differences(
    runs: Sequence[JudgedRun], names: Sequence[str], scoring_name: str, threshold: float
) -> list[Difference]:
    """Every two runs on one prompt set, over the groups that both have scored."""
    return [
        cf_eval.difference(
            runs[a].rows,
            runs[b].rows,
            names=(names[a], names[b]),
            levels=runs[a].prompts.levels,
            scoring_name=scoring_name,
            threshold=threshold,
        )
        for a, b in combinations(range(len(runs)), 2)
        if runs[a].kept.info.prompts_digest == runs[b].kept.info.prompts_digest
        and runs[a].prompts.groups.keys() & runs[b].prompts.groups.keys()
    ]


def corrected(run: JudgedRun) -> dict[str, Estimate | None]:
    """The Rogan–Gladen band of every level's ungated mean, by the errors that the run's certificate counted.

    Empty without a certificate of this very judge, asked as here, that counts every skill; and for graded checks.
    """
    shown, info = run.kept.certificate, run.info
    asked = {"judge": info.judge, "wording_digest": info.wording_digest}
    if shown is None or problems(shown) or mismatches(shown, **asked, votes=info.votes, models=run.models):
        return {}
    checks = [check for prompt in run.prompts.prompts for check in prompt.checks]
    skills = {check.skill for check in checks}
    if {check.answer_type for check in checks} != {"yes-no"} or not skills <= shown.skills.keys():
        return {}
    errors = {}
    for skill in skills:
        sensitivity, specificity = shown.skills[skill].sensitivity, shown.skills[skill].specificity
        if sensitivity is None or specificity is None:
            return {}
        errors[skill] = Errors((sensitivity.hits, sensitivity.of), (specificity.hits, specificity.of))
        if sensitivity.hits / max(1, sensitivity.of) + specificity.hits / max(1, specificity.of) <= 1:
            return {}
    return band(run.rows, levels=run.prompts.levels, errors=errors)


def frame(path: Path) -> pd.DataFrame:
    """A row for each check of every sample of the run in `path`, also of samples that were not judged.

    `id`: "<group>/<level>/<sample>/<check>"; the fields of `CheckResult`; and those of `scoring.frame.with_replies`.
    InputError if it is no run about generated pictures, or is damaged.
    """
    import pandas as pd

    names = dict.fromkeys((*_FIRST, *(field.name for field in msgspec.structs.fields(CheckResult))))
    dtypes = {name: _DTYPES.get(name, TEXT) for name in names}
    results = load_judged(path).rows
    rows = [msgspec.structs.asdict(row) | {"id": question_id(row.sample_id, row.check)} for row in results]
    found = with_replies(pd.DataFrame(rows, columns=["id", *dtypes]), path)
    return found.astype({"id": TEXT} | dtypes | REPLY_COLUMNS)


def labelled(run: JudgedRun, labels: Path) -> dict[str, LabelledMean]:
    """Every level's ungated mean by people's labels (a CSV) and the judge's credits; see `labels.labelled_means`."""
    return labelled_means(run.rows, read_labels(labels), run.prompts.levels)
