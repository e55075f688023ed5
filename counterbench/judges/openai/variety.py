"""Whether a server's replies differ enough that two equal ones must be one reply sent twice."""

from __future__ import annotations

import hashlib

_ENOUGH = 0.25


class Variety:
    """How many different bodies a server's replies have. Most servers give each reply an id of its own."""

    def __init__(self) -> None:
        self._bodies: set[bytes] = set()
        self._replies = 0

    def is_enough(self, body: bytes) -> bool:
        """Count a reply; whether an equal one is a copy rather than another answer.

        Where most replies are the same to the byte, two equal ones on one connection mean nothing.
        """
        self._replies += 1
        self._bodies.add(hashlib.blake2b(body, digest_size=8).digest())
        return len(self._bodies) > _ENOUGH * self._replies
