"""What a reader of an imported data set should know: what is odd in it, whatever it is a set of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from counterbench.scene.pairs import Pair

RELEVANCE = "does not match the answers"  # after the name of what says whether they differ
_LEAST, _MOST = 10, 0.6  # pairs, and the share of them that may go one way
_SHOWN = 5


class Oddity(msgspec.Struct, frozen=True):
    """Something in a data set that a reader should know: what, how many items, and their ids (or what names them)."""

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
    """Oddities as they are met, each kind once with all its ids, in the order in which they were first met."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}

    def add(self, what: str, id: str) -> None:
        """One item more of this kind; the same twice in a row is one."""
        ids = self._ids.setdefault(what, [])
        if ids[-1:] != [id]:
            ids.append(id)

    def all(self) -> Iterator[Oddity]:
        """What was met so far."""
        return (Oddity(what, len(ids), tuple(ids)) for what, ids in self._ids.items())


class Answers:
    """The answers of pairs as they pass: whether a judge that says the same of all pictures is right on many."""

    def __init__(self) -> None:
        self._changes: dict[str, Counter[str]] = defaultdict(Counter)
        self._relevant: Counter[bool] = Counter()

    def add(self, pair: Pair) -> None:
        """One pair more."""
        self._changes[pair.family][f"{pair.original_answer} → {pair.intervened_answer}"] += 1
        self._relevant[pair.relevant] += 1

    def unbalanced(self) -> Iterator[Oddity]:
        """Families whose answers go one way: a judge that says the majority answer is right on most originals."""
        for name, counts in self._changes.items():
            change, count = counts.most_common(1)[0]
            total = counts.total()
            if total >= _LEAST and count > _MOST * total:
                yield Oddity(f"{name}: answers go {change} in {count} of {total} pairs", count)

    def one_sided(self) -> Iterator[Oddity]:
        """That all pairs are relevant, or none is."""
        if self._relevant and not self._relevant[False]:
            yield Oddity("no pair has the same answer twice: how stable a judge is cannot show", self._relevant[True])
        if self._relevant and not self._relevant[True]:
            yield Oddity(
                "no pair has two different answers: CCS cannot tell seeing from guessing", self._relevant[False]
            )
