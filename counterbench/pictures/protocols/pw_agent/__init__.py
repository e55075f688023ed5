"""PicWorld's PW-Agent: questions to an author (author) and about a picture (protocol), and the sums (layers)."""

from counterbench.pictures.protocols.pw_agent.protocol import PWAgent

__all__ = ["PWAgent"]
