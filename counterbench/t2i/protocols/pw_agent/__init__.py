"""PicWorld's PW-Agent: what an author writes (author), what is asked of a picture (asking); sums (facts, layers)."""

from counterbench.t2i.protocols.pw_agent.protocol import PWAgent

__all__ = ["PWAgent"]
