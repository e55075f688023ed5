"""What tests of forged certificates share."""

from __future__ import annotations

from typing import Any

import msgspec

from counterbench.certificate import Certificate
from counterbench.certificate.document import content_digest


def signed(certificate: Certificate, **changes: Any) -> Certificate:
    """A certificate that somebody changed, who can compute digests."""
    changed = msgspec.structs.replace(certificate, **changes)
    changed = msgspec.structs.replace(changed, policy_digest=changed.policy.digest)
    return msgspec.structs.replace(changed, digest=content_digest(changed))
