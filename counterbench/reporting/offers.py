"""The admissions of the judges in a comparison, beside which prices can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.certificate import Certificate
from counterbench.reporting.certificates import place
from counterbench.scoring.comparison.document import Admitted, Comparison
from counterbench.scoring.results import RunResults


def with_admissions(
    found: Comparison, runs: Sequence[RunResults], certificates: Sequence[Path] = ()
) -> tuple[Comparison, list[str]]:
    """The comparison of these runs with each judge's admission, and messages about certificates that do not hold.

    Certificates are looked for in the runs' folders, or are `certificates`; each is checked as a report checks it. If
    several hold, the one that opens most cells counts. InputError for a named one that cannot be read.
    """
    placed = place(runs, certificates)
    notes = list(placed.unreadable)
    opened: dict[str, Admitted] = {}
    for run, of in zip(runs, placed.by_run, strict=True):
        notes += [f"{run.path}: its certificate under {each.policy} {each.mark}" for each in of if each.mark]
        holding = [_admitted(each.certificate) for each in of if each.holds]
        if holding:
            opened[str(run.path)] = max(holding, key=lambda each: each.cells)
    notes += [f"a certificate of {each.certificate.judge}: {each.mark}" for each in placed.strangers]
    with_them = [msgspec.structs.replace(run, admitted=opened.get(run.run)) for run in found.runs]
    return msgspec.structs.replace(found, runs=with_them), notes


def _admitted(certificate: Certificate) -> Admitted:
    cells = sum(len(certificate.laws[law].cells) for law in certificate.admitted)
    return Admitted(cells, len(certificate.cells), certificate.policy.name, certificate.digest)
