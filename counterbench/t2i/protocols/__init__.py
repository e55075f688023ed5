"""One file or folder a protocol: what a judge is asked about a picture, and what its replies come to.

base            the seam; asks: questions, and the usual way to ask checks
waves, replies  the engine: what the replies so far lead to
author_lists    the JSON lists that an author writes
once_more       a question to an author, and one more where its reply cannot be used
ground_truth    rows of checks, and the true ones of a planted generator's pictures
numbers         a protocol's scores to a document, and two runs compared

What all share of counting is in `scores/`; who asks is in `judging/`, and about prompts in `preparing/`.
"""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.protocols.direct import Direct
from counterbench.t2i.protocols.pw_agent import PWAgent
from counterbench.t2i.protocols.r2i_score import R2IScore

_PROTOCOLS: tuple[Protocol, ...] = (CFEval(), Checklist(), R2IScore(), PWAgent(), Direct())
# What may stand after --protocol.
PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in _PROTOCOLS}


def protocol(name: str) -> Protocol:
    """The protocol called `name`; InputError with the valid names if there is none."""
    if name not in PROTOCOLS:
        raise unknown("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
