"""Diagnoses runs: the faults of each judge with evidence and effect and, from several runs, items that look broken."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from counterbench.diagnosis.document import Diagnosis, DiagnosisDocument, Fault
from counterbench.diagnosis.evidence import evidence
from counterbench.diagnosis.faults import EXAMPLES, Named, find_faults
from counterbench.diagnosis.items import item_problems
from counterbench.diagnosis.measures import measure
from counterbench.diagnosis.patterns import MISREADINGS, misreadings_of
from counterbench.diagnosis.residuals import find_residuals
from counterbench.scoring.results import PairResult, RunResults, load_results
from counterbench.scoring.rules import DEFAULT
from counterbench.scoring.scores import provenance_of, unfinished

# Faults that only suites of laws can show; no note says that another suite cannot.
_LAWS_ALONE = ("prior-bound",)
FEW = 100  # with fewer relevant pairs a diagnosis says little


def diagnose(paths: Sequence[Path], scoring_name: str = DEFAULT) -> DiagnosisDocument:
    """The diagnosis of every run, and the problems of items that the runs show together."""
    return diagnose_runs([load_results(path, scoring_name) for path in paths])


def diagnose_runs(runs: Sequence[RunResults]) -> DiagnosisDocument:
    """The same for runs that were read already."""
    return DiagnosisDocument([diagnose_run(run) for run in runs], item_problems(runs))


def diagnose_run(run: RunResults) -> Diagnosis:
    """The faults of one judge, with their evidence and effect; the largest effect first."""
    finding = find_faults(run.pairs)
    counted = sum(pair.both is not None for pair in run.pairs)
    faults = [_fault(named, run.pairs, counted) for named in finding.named]
    return Diagnosis(
        run=str(run.path),
        judge=run.info.judge,
        suite=run.info.suite,
        faults=sorted(faults, key=lambda fault: -fault.effect),
        unexplained=float(finding.unexplained.sum()) / counted if counted else 0.0,
        residuals=find_residuals(run.pairs, finding.unexplained),
        measures=measure(run.pairs),
        notes=notes(run),
        provenance=provenance_of(run.info, (pair.key.truth for pair in run.pairs), run.scoring),
        complete=run.complete,
    )


def _fault(named: Named, pairs: Sequence[PairResult], counted: int) -> Fault:
    order = np.argsort(-named.blame, kind="stable")
    examples = [pairs[i].key.group for i in order[:EXAMPLES] if named.blame[i] > 0]
    if named.name == "failing":  # outside CCS, so it takes no blame
        examples = [pair.key.group for pair in pairs if pair.failed][:EXAMPLES]
    return Fault(
        name=named.name,
        effect=float(named.blame.sum()) / counted if counted else 0.0,
        dose=named.dose,
        evidence=evidence(named.name, pairs),
        pairs=examples,
        p=named.p,
    )


def notes(run: RunResults) -> list[str]:
    """The limits of this run's diagnosis, in words for its reader."""
    texts = []
    if not run.complete:
        failed = sum(pair.failed for pair in run.pairs)
        texts.append(f"the run is incomplete: {unfinished(run.missing, failed, run.uncounted)}")
    relevant = [pair for pair in run.pairs if pair.key.relevant and any(reply is not None for reply in pair.replies)]
    if not relevant:
        texts.append("no relevant pair was answered: only unparsed, refusing and failing are looked for")
        return texts
    if len(relevant) < FEW:
        texts.append(
            f"only {len(relevant)} relevant pairs were answered: a fault that does not show may still be there"
        )
    keys = [key for pair in relevant for key in pair.keys]
    known = {MISREADINGS[name] for key in keys for name in misreadings_of(key) if name in MISREADINGS}
    looked_for = [fault for fault in dict.fromkeys(MISREADINGS.values()) if fault not in _LAWS_ALONE]
    hidden = [fault for fault in looked_for if fault not in known]
    if hidden:
        why = " (the truth is published, scenes are unknown)" if any(k.truth == "published" for k in keys) else ""
        texts.append(f"no question that was answered can show: {', '.join(hidden)}{why}")
    yes_no = {key.skill for key in keys if key.answer_type == "yes-no"}
    if not yes_no:
        texts.append("no relevant yes/no question was answered: yes-bias and no-bias cannot show")
    elif len(yes_no) == 1 and known:
        skill = next(iter(yes_no))
        texts.append(
            f"yes/no questions test {skill} alone: there a bias and a misreading look alike, and neither may be named"
        )
    return texts
