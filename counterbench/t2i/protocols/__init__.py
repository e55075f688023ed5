"""One file or folder a protocol: what a judge is asked about a picture, and what its replies come to.

base        the seam; asks: questions, and the usual way to ask checks
waves       the engine that asks on from replies; replies: those of a run; once_more: what an author is asked
numbers     a protocol's scores to a document, and two runs compared
What all share of counting is in `scores/`; who asks is in `judging/`.
"""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.protocols.checklist import Checklist

_PROTOCOLS: tuple[Protocol, ...] = (CFEval(), Checklist())
# What may stand after --protocol.
PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in _PROTOCOLS}


def protocol(name: str) -> Protocol:
    """The protocol called `name`; InputError with the valid names if there is none."""
    if name not in PROTOCOLS:
        raise unknown("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
