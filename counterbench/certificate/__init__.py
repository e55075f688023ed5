"""May this judge score? What it has been shown to see, law by law, and whether a certificate still holds.

policies            what a judge must show
cells               what counts show of cells and laws, and which pairs would decide the rest
sequential          asks those, until all is decided
resolution          what its errors cost a perfect model, and so which differences may be the judge's
chances             how likely a judge of a given CCS is admitted, and in how many calls
issue, findings, truth      a run held against a policy
document, files     the certificate, and its file
by_style            one judge's certificates in several styles, side by side
recheck             every number derived again from the run; `mismatches` with a judge that comes with it

What is wrong with a judge is told in `diagnosis/`; who asks for a certificate is `t2i/judging/gate`.
"""

from counterbench.certificate.by_style import ByStyle, by_style
from counterbench.certificate.document import (
    CERTIFICATE_FORMAT,
    CellResult,
    Certificate,
    Chance,
    Condition,
    ControlResult,
    LawResult,
    SkillResult,
    Verdict,
)
from counterbench.certificate.files import keep_certificate, kept_in, read_certificate, refuse_taken, write_certificate
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.issue import certify
from counterbench.certificate.recheck import differences, mismatches, outdated, outlived, problems
from counterbench.certificate.sequential import UntilDecided

__all__ = [
    "CERTIFICATE_FORMAT",
    "ByStyle",
    "CellResult",
    "Certificate",
    "Chance",
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
