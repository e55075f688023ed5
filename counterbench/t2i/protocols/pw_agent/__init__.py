"""PicWorld's PW-Agent: questions to an author (author), questions about a picture (asking); sums (facts, layers)."""

from counterbench.t2i.protocols.pw_agent.protocol import PWAgent

__all__ = ["PWAgent"]
