"""Protocols, one file or folder each: the questions about a picture, and the scores from the replies.

base            the interface of a protocol
asks            questions, and the usual way to ask checks
replies         the engine: the questions that follow from the replies so far, wave after wave
authors         a question to an author, a second one if its reply cannot be used, and the JSON list that it writes
ground_truth    rows of checks; the true ones of a planted generator's pictures, and a picture's worth as a whole
numbers         a document from a protocol's scores, and two runs compared

`scores/` has the counting that all protocols share; `judging/` asks judges, and `preparing/` asks authors.
"""

from counterbench.errors import chosen
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.protocols.checklist import Checklist, Direct, DirectLayers, R2IScore
from counterbench.pictures.protocols.pairwise import Pairwise
from counterbench.pictures.protocols.pw_agent import PWAgent

_PROTOCOLS: tuple[Protocol, ...] = (CFEval(), Checklist(), R2IScore(), PWAgent(), Direct(), DirectLayers(), Pairwise())
# The values of --protocol.
PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in _PROTOCOLS}


def protocol(name: str) -> Protocol:
    """The protocol called `name`; InputError with the valid names if there is none."""
    return chosen("protocol", name, PROTOCOLS)
