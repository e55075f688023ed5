"""Denials tried on drawings: only where a judge answers these do contradictions in a run count against it.

RUN/audit/denied    the run about drawn pictures
"""

from pathlib import Path

from counterbench.t2i.auditing.asks import AuditQuestions
from counterbench.t2i.auditing.drawn import Tried, drawn_questions, tried
from counterbench.t2i.auditing.relations import FRAMED
from counterbench.t2i.auditing.result import AUDIT_FOLDER
from counterbench.t2i.judging.negation import contradicting
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.protocols.replies import replies_in

DENIED = "denied"


def denials_folder(run: Path) -> Path:
    """The folder of the trial of a run about pictures."""
    return run / AUDIT_FOLDER / DENIED


def denial_questions() -> AuditQuestions:
    """Questions about drawn pictures, as they are and denied."""
    return drawn_questions([FRAMED.name])


def denials_tried(run: Path) -> Tried | None:
    """The result of the trial on drawings; None if it was not asked."""
    folder = denials_folder(run)
    return tried([FRAMED.name], replies_in(folder))[FRAMED.name] if folder.is_dir() else None


def denials_due(run: JudgedRun, control: float) -> bool:
    """True if a run's contradictions would count against its judge, and no trial says yet if they do.

    `control`: the policy's bound for controls.
    """
    return bool(run.denied and contradicting(run.denied, control)) and denials_tried(run.kept.path) is None
