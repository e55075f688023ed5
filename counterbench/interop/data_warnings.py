"""The report on an imported data set of any kind: the warnings in it, and the items that were left out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from counterbench.scene.pairs import Pair

RELEVANCE = "does not match the answers"  # after the name of the field that says if they differ
_LEAST, _MOST = 10, 0.6  # pairs, and the share of them that may go one way
_SHOWN = 20  # ids in a line


class DataWarning(msgspec.Struct, frozen=True):
    """Something odd in a data set."""

    what: str  # in words
    count: int  # items
    ids: tuple[str, ...] = ()  # of the items, or other names

    def line(self) -> str:
        """The warning as one line, with its first ids."""
        ids = [*self.ids[:_SHOWN], *["…"] * (len(self.ids) > _SHOWN)]
        return f"{self.what} ({self.count})" + (f": {', '.join(ids)}" if ids else "")


class Noted:
    """A report of warnings in a data set and of items left out of it: each kind once, in order of appearance."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[list[str], int]] = {}

    def add(self, what: str, *ids: str) -> None:
        """Add items of this kind; the same item twice in a row counts once."""
        known, _ = self._kinds.setdefault(what, ([], 0))
        for id in ids:
            if known[-1:] != [id]:
                known.append(id)

    def count(self, what: str, items: int) -> None:
        """Add a number of items of this kind that have no ids, if there are any."""
        if items:
            self._kinds[what] = ([], items)

    def all(self) -> Iterator[DataWarning]:
        """Everything that was reported so far."""
        kinds = self._kinds.items()
        return (DataWarning(what, items or len(ids), tuple(ids)) for what, (ids, items) in kinds if ids or items)

    def answers(self, pairs: Iterable[Pair]) -> None:
        """Report families whose answers go one way, where a judge that says the majority answer is right on most."""
        changes: dict[str, Counter[str]] = defaultdict(Counter)
        for pair in pairs:
            changes[pair.family][f"{pair.original_answer} → {pair.intervened_answer}"] += 1
        for name, counts in changes.items():
            change, count = counts.most_common(1)[0]
            total = counts.total()
            if total >= _LEAST and count > _MOST * total:
                self.count(f"{name}: answers go {change} in {count} of {total} pairs", count)

    def relevance(self, pairs: Sequence[Pair]) -> None:
        """Report it if all pairs are relevant, or none is."""
        relevant = sum(pair.relevant for pair in pairs)
        if relevant == len(pairs):
            self.count("no pair has the same answer twice: how stable a judge is cannot show", relevant)
        if not relevant:
            self.count("no pair has two different answers: CCS cannot tell seeing from guessing", len(pairs))
