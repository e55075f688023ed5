"""Pairs of a suite cell by cell, so that each cell can be asked until it is decided.

Item i of a family belongs to cell i modulo the number of its cells (`Family.cells`). So the n-th item of a cell does
not depend on the suite's counts.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from counterbench.scene.pairs import Pair
from counterbench.suites.families import family
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import Part, Suite


class Cell(NamedTuple):
    """A cell of a suite: every `of`-th item of a family, from item `at` on."""

    part: Part
    at: int
    of: int

    @property
    def control(self) -> bool:
        """True if the answer stays the same in its pairs."""
        return family(self.part.family).category == "control"


def cells_of(suite: Suite) -> dict[str, Cell]:
    """The cells of a suite by name, those of its first family first."""
    cells: dict[str, Cell] = {}
    for part in suite.parts:
        names = family(part.family).cells(part.params, part.forms)
        cells |= {name: Cell(part, at, len(names)) for at, name in enumerate(names)}
    return cells


class CellSource(SuiteSource):
    """Items of a suite, cell by cell: each time that `order` names a cell, its next item.

    `first`: the number of the first item of a cell, 0 unless given. The digest does not depend on how many items of
    each cell are asked, so a run can go on with more.
    """

    def __init__(self, suite: Suite, order: Sequence[str], first: Mapping[str, int] | None = None) -> None:
        super().__init__(suite)
        self.digest = cells_digest(suite)
        self._order, self._first = list(order), dict(first or {})

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Pair]:
        cells = cells_of(self.suite)
        for name, nth in self._items:
            cell = cells[name]
            yield self.suite.sample(cell.part, cell.at + nth * cell.of)

    @property
    def _items(self) -> Sequence[tuple[str, int]]:
        """The cells in order, each with the number of the item in it."""
        taken, items = Counter(self._first), []
        for name in self._order:
            items.append((name, taken[name]))
            taken[name] += 1
        return items if self.shard is None else self.shard.of(items)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of the suite asked by cells, or of its first `pairs` pairs."""
        return digest == self.digest or super().continues(digest, pairs)


def in_turn(counts: Mapping[str, int]) -> list[str]:
    """The names of cells in turn, each as often as `counts` says."""
    turns = range(max(counts.values(), default=0))
    return [name for turn in turns for name, count in counts.items() if turn < count]


def cells_digest(suite: Suite) -> str:
    """The digest of a suite that is asked by cells: of everything but the number of its items."""
    plain = suite.definition
    families = [{name: value for name, value in part.items() if name != "count"} for part in plain["families"]]
    text = msgspec.json.encode(plain | {"families": families, "asked": "by cells"}, order="sorted")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
