"""May this judge score? What it has been shown to see, skill by skill, and whether a certificate still holds.

policies            what a judge must show
chances             how likely a judge of a given CCS passes, and with how many pairs
issue, findings, conditions, truth      a run held against a policy
further             how many more pairs would settle it
document, files     the certificate, and its file
recheck             every number derived again from the run; `mismatches` with a judge that comes with it

What is wrong with a judge is told in `diagnosis/`; who asks for a certificate is `t2i/judging/gate`.
"""

from counterbench.certificate.document import (
    CERTIFICATE_FORMAT,
    Certificate,
    Condition,
    ControlResult,
    SkillResult,
    Verdict,
)
from counterbench.certificate.files import keep_certificate, kept_in, read_certificate, refuse_taken, write_certificate
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.further import times_needed
from counterbench.certificate.issue import certify
from counterbench.certificate.recheck import differences, mismatches, outdated, problems

__all__ = [
    "CERTIFICATE_FORMAT",
    "Certificate",
    "Condition",
    "ControlResult",
    "Findings",
    "SkillResult",
    "Verdict",
    "certify",
    "differences",
    "findings",
    "keep_certificate",
    "kept_in",
    "mismatches",
    "outdated",
    "problems",
    "read_certificate",
    "refuse_taken",
    "times_needed",
    "write_certificate",
]
