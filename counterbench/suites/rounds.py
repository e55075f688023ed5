"""Pairs in rounds of one pair of each cell: at the end of a round, a mean over the pairs is one over the cells."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from PIL import Image

from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import CellSource, Source, SuiteSource, cells_of


class PickedSource(Source):
    """Some pairs of another source in an order of their own, under its name and digest."""

    def __init__(self, source: Source, pairs: Sequence[Pair]) -> None:
        self.name, self.digest, self.seed, self.style = source.name, source.digest, source.seed, source.style
        self._source, self._pairs = source, pairs

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    @property
    def domain(self) -> Domain:
        """That of the whole source."""
        return self._source.domain

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """See `Source`."""
        return self._source.pictures(pair)

    def ground(self, pair: Pair) -> Image.Image | None:
        """See `Source`."""
        return self._source.ground(pair)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of the whole source."""
        return digest == self.digest


class Rounds:
    """The relevant pairs of a source in rounds: without end of a suite, while there are any of a folder.

    `laws`: the only laws, or families, to take (none: all). `among`: the ids of the only pairs to take. Late rounds
    leave out cells that have no more pairs.
    """

    def __init__(self, source: Source, laws: Collection[str] = (), among: Collection[str] | None = None) -> None:
        self._source, self._cells = source, list[str]()
        by_cell: dict[str, list[Pair]] = {}
        if isinstance(source, SuiteSource) and among is None:
            cells = cells_of(source.suite)
            self._cells = [name for name in cells if not cells[name].control and _is_of(name, laws)]
        else:
            for pair in source:
                cell = pair.cell or f"{pair.family}/{pair.form}"
                if pair.relevant and _is_of(cell, laws) and (among is None or pair.id in among):
                    by_cell.setdefault(cell, []).append(pair)
        turns = range(max(map(len, by_cell.values()), default=0))
        self._rounds = [[of[turn] for of in by_cell.values() if turn < len(of)] for turn in turns]
        self._ends = list(accumulate(map(len, self._rounds)))

    @property
    def longest(self) -> int:
        """The number of pairs in the first round; 0 if there are none."""
        return len(self._cells) or max(map(len, self._rounds), default=0)

    def pairs(self, first: int, last: int) -> Source:
        """The pairs of the rounds from `first` on, without `last`."""
        if isinstance(self._source, SuiteSource) and self._cells:
            order = self._cells * (last - first)
            return CellSource(self._source.suite, order, dict.fromkeys(self._cells, first))
        return PickedSource(self._source, [pair for of in self._rounds[first:last] for pair in of])

    def whole(self, pairs: int) -> int:
        """The number of rounds that so many pairs, in their order, make whole."""
        return pairs // len(self._cells) if self._cells else bisect_right(self._ends, pairs)


def _is_of(cell: str, laws: Collection[str]) -> bool:
    return not laws or cell.rpartition("/")[0] in laws
