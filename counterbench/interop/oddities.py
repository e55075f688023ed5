"""The report on an imported data set: what is odd in it, and what was left out, whatever it is a set of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from counterbench.scene.pairs import Pair

RELEVANCE = "does not match the answers"  # after the name of what says whether they differ
_LEAST, _MOST = 10, 0.6  # pairs, and the share of them that may go one way
_SHOWN = 5


class Oddity(msgspec.Struct, frozen=True):
    """Something odd in a data set: in words, how many items, and their ids (or other names)."""

    what: str
    count: int
    ids: tuple[str, ...] = ()

    def line(self, most: int | None = _SHOWN) -> str:
        """It as one line, with so many ids."""
        more = ", …" if most is not None and len(self.ids) > most else ""
        return f"{self.what} ({self.count})" + (
            f": {', '.join(self.ids[:most])}{more}" if self.ids and most != 0 else ""
        )


class Noted:
    """A report of what is odd in a data set and what was left out of it: each kind once, in the order of its first."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[list[str], int]] = {}

    def add(self, what: str, *ids: str) -> None:
        """Items more of this kind; the same twice in a row is one."""
        known, _ = self._kinds.setdefault(what, ([], 0))
        for id in ids:
            if known[-1:] != [id]:
                known.append(id)

    def count(self, what: str, items: int) -> None:
        """Items of this kind that have no ids, if there are any."""
        if items:
            self._kinds[what] = ([], items)

    def all(self) -> Iterator[Oddity]:
        """Everything that was reported so far."""
        kinds = self._kinds.items()
        return (Oddity(what, items or len(ids), tuple(ids)) for what, (ids, items) in kinds if ids or items)

    def answers(self, pairs: Iterable[Pair]) -> None:
        """Families whose answers go one way: a judge that says the majority answer is right on most originals."""
        changes: dict[str, Counter[str]] = defaultdict(Counter)
        for pair in pairs:
            changes[pair.family][f"{pair.original_answer} → {pair.intervened_answer}"] += 1
        for name, counts in changes.items():
            change, count = counts.most_common(1)[0]
            total = counts.total()
            if total >= _LEAST and count > _MOST * total:
                self.count(f"{name}: answers go {change} in {count} of {total} pairs", count)

    def relevance(self, pairs: Sequence[Pair]) -> None:
        """That all pairs are relevant, or none is."""
        relevant = sum(pair.relevant for pair in pairs)
        if relevant == len(pairs):
            self.count("no pair has the same answer twice: how stable a judge is cannot show", relevant)
        if not relevant:
            self.count("no pair has two different answers: CCS cannot tell seeing from guessing", len(pairs))
