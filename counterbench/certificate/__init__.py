"""Certificates: the laws that a judge was shown to see and may score, and checks that a certificate still holds.

policies            the conditions for admitting a judge
cells               verdicts on cells, laws and picture kinds from counts, and the pairs that would decide them
sequential          asks those pairs, until all is decided
resolution          the score that a judge's errors cost a perfect model
chances             the probability that a judge of a given CCS is admitted, and the number of calls
issue, findings     from a run and a policy to a certificate; one judge's in several styles, side by side
document            the certificate, and its file
recheck             checks of a certificate against its run, the time and the judge in use

`diagnosis/` names a judge's faults; `t2i/judging/admission` asks for a certificate.
"""

from counterbench.certificate.document import (
    CERTIFICATE_FORMAT,
    CellResult,
    Certificate,
    Condition,
    ControlResult,
    LawResult,
    SkillResult,
    Verdict,
    keep_certificate,
    kept_in,
    read_certificate,
    refuse_taken,
    write_certificate,
)
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.issue import ByStyle, by_style, certify
from counterbench.certificate.recheck import differences, mismatches, outdated, outlived, problems
from counterbench.certificate.sequential import UntilDecided

__all__ = [
    "CERTIFICATE_FORMAT",
    "ByStyle",
    "CellResult",
    "Certificate",
    "Condition",
    "ControlResult",
    "Findings",
    "LawResult",
    "SkillResult",
    "UntilDecided",
    "Verdict",
    "by_style",
    "certify",
    "differences",
    "findings",
    "keep_certificate",
    "kept_in",
    "mismatches",
    "outdated",
    "outlived",
    "problems",
    "read_certificate",
    "refuse_taken",
    "write_certificate",
]
