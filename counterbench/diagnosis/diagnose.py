"""Which faults a judge shows, with their evidence and effect; of several runs also which items look broken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from counterbench.diagnosis.document import (
    Diagnosis,
    DiagnosisDocument,
    Fault,
)
from counterbench.diagnosis.evidence import evidence
from counterbench.diagnosis.faults import EXAMPLES, Named, find_faults
from counterbench.diagnosis.items import item_problems
from counterbench.diagnosis.measures import measure
from counterbench.diagnosis.notes import notes
from counterbench.diagnosis.residuals import find_residuals
from counterbench.scoring.results import PairResult, RunResults, load_results
from counterbench.scoring.rules import DEFAULT
from counterbench.scoring.scores import signature_of


def diagnose(paths: Sequence[Path], scoring_name: str = DEFAULT) -> DiagnosisDocument:
    """The diagnosis of every run, and what the runs together say about the items."""
    return diagnose_runs([load_results(path, scoring_name) for path in paths])


def diagnose_runs(runs: Sequence[RunResults]) -> DiagnosisDocument:
    """The same, of runs that were read already."""
    return DiagnosisDocument([diagnose_run(run) for run in runs], item_problems(runs))


def diagnose_run(run: RunResults) -> Diagnosis:
    """The faults of one judge, with their evidence and effect; the largest effect first."""
    found = find_faults(run.pairs)
    counted = sum(pair.both is not None for pair in run.pairs)
    faults = [_fault(named, run.pairs, counted) for named in found.named]
    return Diagnosis(
        run=str(run.path),
        judge=run.info.judge,
        suite=run.info.suite,
        faults=sorted(faults, key=lambda fault: -fault.effect),
        unexplained=float(found.unexplained.sum()) / counted if counted else 0.0,
        residuals=find_residuals(run.pairs, found.unexplained),
        measures=measure(run.pairs),
        notes=notes(run),
        signature=signature_of(run.info, (pair.key.truth for pair in run.pairs), run.scoring),
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
