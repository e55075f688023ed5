"""Certificates: what a judge has been shown to see, skill by skill, and whether a certificate still holds."""

from counterbench.certificate.document import (
    CERTIFICATE_FORMAT,
    Certificate,
    Condition,
    ControlResult,
    SkillResult,
    Verdict,
)
from counterbench.certificate.files import read_certificate, refuse_taken, write_certificate
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.issue import certify
from counterbench.certificate.verification import differences, mismatches, outdated, problems

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
    "mismatches",
    "outdated",
    "problems",
    "read_certificate",
    "refuse_taken",
    "write_certificate",
]
