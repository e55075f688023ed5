"""Whether a server's reply ids tell one reply from another."""

from __future__ import annotations

_TELLING = 0.25


class ReplyIds:
    """The ids of the replies so far. Most servers give each reply its own, some give all the same or draw from few."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._replies = 0

    def tell(self, id: str) -> bool:
        """Count a reply's id; whether equal bytes with this id mean that one reply came twice.

        Where most ids are the same, two equal replies may as well be two answers.
        """
        if not id:
            return False
        self._replies += 1
        self._ids.add(id)
        return len(self._ids) > _TELLING * self._replies
