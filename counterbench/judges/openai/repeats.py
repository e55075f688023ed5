"""Whether a reply is the one before, sent twice. It would make its connection answer each question with the one before.

A client cannot see it otherwise: the copy lies ready when the next question is sent, and is taken for its reply.
"""

from __future__ import annotations

import hashlib
from typing import Any
from weakref import WeakKeyDictionary

# A server whose replies mostly have the same id tells nothing by it: there equal replies are no copies.
_TELLING = 0.25


class Repeats:
    """The last reply on each connection."""

    def __init__(self) -> None:
        self._last: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()
        self._ids: set[str] = set()
        self._replies = 0

    def is_repeated(self, content: bytes, id: str, connection: Any) -> bool:
        """Whether `content` is, byte for byte, what came last on `connection`, where ids tell replies apart."""
        if not id or connection is None:
            return False
        self._replies += 1
        self._ids.add(id)
        digest = hashlib.blake2b(content, digest_size=16).digest()
        before = self._last.get(connection)
        self._last[connection] = digest
        return before == digest and len(self._ids) > _TELLING * self._replies
