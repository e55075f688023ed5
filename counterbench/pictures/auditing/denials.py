"""Negated questions, tried on drawn pictures with known answers before contradictions count against a judge.

A run can ask a check as it is and negated ("is it false that …?"); the same answer to both is a contradiction. It
counts against the judge only if this trial shows that the judge can answer negated questions at all. `Denials` is the
result about a run: the number of its contradictions, and if they count.

RUN/audit/denied    the run about drawn pictures
"""

from pathlib import Path

from counterbench.evidence.admission import policy_of
from counterbench.pictures.auditing.audit_questions import AuditQuestions
from counterbench.pictures.auditing.drawn import RelationTrial, drawn_questions, relation_trials
from counterbench.pictures.auditing.relations import FRAMED
from counterbench.pictures.auditing.result import AUDIT_FOLDER
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.judging.negation import revoked_by_contradictions
from counterbench.pictures.protocols.replies import replies_in
from counterbench.pictures.scores.document import Denials

NEGATION_FOLDER = "denied"


def negation_folder(run: Path) -> Path:
    """The folder of the trial of a run about pictures."""
    return run / AUDIT_FOLDER / NEGATION_FOLDER


def negation_questions() -> AuditQuestions:
    """The questions of the trial: about drawn pictures, as they are and negated."""
    return drawn_questions([FRAMED.name])


def negation_trial(run: Path) -> RelationTrial | None:
    """The result of the trial on drawings; None if it was not asked, or not to its end."""
    folder = negation_folder(run)
    if not folder.is_dir():
        return None
    replied = replies_in(folder)
    if any(replied(item.id) is None for item in negation_questions().items):
        return None
    return relation_trials([FRAMED.name], replied)[FRAMED.name]


def denials_of(run: JudgedRun) -> Denials | None:
    """The contradictions of a run, and if they count against its judge; None if no check was asked both ways.

    The counts are of all models of the run together.
    """
    if run.asked_negated is None:
        return None
    count, total = run.asked_negated.total
    trial = negation_trial(run.kept.path)
    return Denials(
        contradicted=count,
        of=total,
        counts=None if trial is None else trial.holds,
        revoked=revoked_by_contradictions(run.asked_negated, policy_of(run.kept.certificate).control),
    )


def negation_trial_due(run: JudgedRun, control: float) -> bool:
    """True if a run's contradictions would count against its judge, and no trial says yet if they do.

    `control`: the policy's bound for controls.
    """
    return (
        bool(run.asked_negated and revoked_by_contradictions(run.asked_negated, control))
        and negation_trial(run.kept.path) is None
    )
