"""Warnings about odd items in somebody's files: one warning for each kind, with the ids of the first items."""

from collections.abc import Iterator

import msgspec

_SHOWN = 20  # ids in a line


class DataWarning(msgspec.Struct, frozen=True):
    """Something odd in a data set."""

    what: str  # what is odd, in words
    count: int  # items
    ids: tuple[str, ...] = ()  # of the items, or other names

    def line(self) -> str:
        """The warning as one line, with the first of its ids."""
        ids = [*self.ids[:_SHOWN], *(["…"] if len(self.ids) > _SHOWN else [])]
        return f"{self.what} ({self.count})" + (f": {', '.join(ids)}" if ids else "")


class Warnings:
    """Collects odd items of a data set, and items left out of it, by kind in order of appearance.

    `all` makes a `DataWarning` of each kind.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[list[str], int]] = {}  # by kind: the items' ids, or a number of items without ids

    def add(self, what: str, *ids: str) -> None:
        """Add the items with these ids to the kind `what` (in words); the same id twice in a row counts once."""
        known_ids, _ = self._kinds.setdefault(what, ([], 0))
        for id in ids:
            if known_ids[-1:] != [id]:
                known_ids.append(id)

    def count(self, what: str, items: int) -> None:
        """Set the number of items of the kind `what`, whose ids are not listed; 0 changes nothing."""
        if items:
            self._kinds[what] = ([], items)

    def all(self) -> Iterator[DataWarning]:
        """A warning for each kind that was reported so far."""
        kinds = self._kinds.items()
        return (DataWarning(what, items or len(ids), tuple(ids)) for what, (ids, items) in kinds if ids or items)
