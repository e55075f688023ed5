"""Warnings about what is odd in somebody's files: each kind once, with the first places."""

from collections.abc import Iterator

import msgspec

_SHOWN = 20  # ids in a line


class DataWarning(msgspec.Struct, frozen=True):
    """Something odd in a data set."""

    what: str  # in words
    count: int  # items
    ids: tuple[str, ...] = ()  # of the items, or other names

    def line(self) -> str:
        """The warning as one line, with the first of its ids."""
        ids = [*self.ids[:_SHOWN], *(["…"] if len(self.ids) > _SHOWN else [])]
        return f"{self.what} ({self.count})" + (f": {', '.join(ids)}" if ids else "")


class Warnings:
    """A report of warnings in a data set and of items left out of it: each kind once, in order of appearance."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[list[str], int]] = {}

    def add(self, what: str, *ids: str) -> None:
        """Add items of this kind; the same item twice in a row counts once."""
        known_ids, _ = self._kinds.setdefault(what, ([], 0))
        for id in ids:
            if known_ids[-1:] != [id]:
                known_ids.append(id)

    def count(self, what: str, items: int) -> None:
        """Set the number of items of this kind that have no ids, if there are any."""
        if items:
            self._kinds[what] = ([], items)

    def all(self) -> Iterator[DataWarning]:
        """A warning for each kind that was reported so far."""
        kinds = self._kinds.items()
        return (DataWarning(what, items or len(ids), tuple(ids)) for what, (ids, items) in kinds if ids or items)
