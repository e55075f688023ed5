"""Whether a reply was seen before. A reply sent twice makes a connection answer each question with the one before."""

from __future__ import annotations

from collections import OrderedDict

_REMEMBERED = 10_000


class SeenIds:
    """The ids of the last replies. A server that gives most replies the same id tells nothing by it."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._replies = self._distinct = 0

    def is_repeated(self, id: str) -> bool:
        """Whether this id came before, on a server whose ids tell replies apart."""
        if not id:
            return False
        self._replies += 1
        if id not in self._seen:
            self._distinct += 1
            self._seen[id] = None
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
            return False
        return self._distinct > self._replies / 4
