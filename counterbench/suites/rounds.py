"""Pairs in rounds of one pair of each cell (see `sources`).

At the end of a round, the mean over the pairs is also the mean over the cells.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

import msgspec
from PIL import Image

from counterbench.drawing import domain
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import Cell, Source, SuiteSource, cells_digest, cells_of
from counterbench.suites.stickers import STICKERS, StickerSuite
from counterbench.suites.suite import Suite


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
        """The kind of the pictures of the whole source."""
        return self._source.domain

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """The original and the intervened picture of a pair, as the source it comes from gives them."""
        return self._source.pictures(pair)

    def ground(self, pair: Pair) -> Image.Image | None:
        """The picture below a pair of stickers; None of other pairs."""
        return self._source.ground(pair)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of the whole source."""
        return digest == self.digest


class RoundSource(Source):
    """Some rounds of the cells of a suite and perhaps of a suite of stickers, pairs on the user's own pictures.

    `cells`: the suite's cells and then those of the stickers. `rounds`: the numbers of the rounds, from 0.
    """

    def __init__(self, cells: Sequence[tuple[Suite, Cell]], rounds: range) -> None:
        suite, *others = suites = list(dict.fromkeys(suite for suite, _ in cells))
        self.name, self.seed, self.style = suite.name, suite.seed, suite.style
        self.digest = "+".join(map(cells_digest, suites))
        self._sources = [SuiteSource(member) for member in suites]
        self._grounds = [ground for member in others if isinstance(member, StickerSuite) for ground in member.grounds]
        self._cells, self._rounds = cells, rounds

    def __len__(self) -> int:
        return len(self._cells) * len(self._rounds)

    def __iter__(self) -> Iterator[Pair]:
        for nth in self._rounds:
            for suite, cell in self._cells:
                pair = suite.sample(cell.part, cell.start + nth * cell.step)
                # Both suites name their pairs by family and number.
                yield msgspec.structs.replace(pair, id=f"{STICKERS}-{pair.id}") if pair.ground else pair

    @property
    def domain(self) -> Domain:
        """The kind of the suite's pictures; with stickers, of both styles and all sizes."""
        first = self._sources[0].domain
        if not self._grounds:
            return first
        both = domain.together([first, domain.of_files(first.renderer, "", self._grounds)])
        return msgspec.structs.replace(both, style=", ".join(source.style for source in self._sources))

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """The original and the intervened picture of a pair, as the source it comes from gives them."""
        return self._sources[-1 if pair.ground else 0].pictures(pair)

    def ground(self, pair: Pair) -> Image.Image | None:
        """The picture below a pair of stickers; None of other pairs."""
        return self._sources[-1].ground(pair) if pair.ground else None

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of all rounds."""
        return digest == self.digest


class Rounds:
    """The pairs of a source, without controls, in rounds.

    A suite has rounds without end; a folder has them until its pairs are used up. Late rounds leave out cells that have
    no more pairs. `laws`: take only the cells of these laws or families (none: all). `among`: take only the pairs with
    these ids. `stickers`: pairs on the user's own pictures that join the rounds of a suite.
    """

    def __init__(
        self,
        source: Source,
        laws: Collection[str] = (),
        among: Collection[str] | None = None,
        stickers: StickerSuite | None = None,
    ) -> None:
        """Put the source's pairs into rounds; see the class for the parameters.

        Pairs of a suite are drawn when they are asked for. Those of a folder, or with `among`, are read now.
        """
        self._source, self._cells = source, list[tuple[Suite, Cell]]()
        by_cell: dict[str, list[Pair]] = {}
        if isinstance(source, SuiteSource) and among is None:
            self._cells = list(_asked_cells(source.suite, laws))
            if self._cells and stickers is not None:
                self._cells += _asked_cells(stickers)
        else:
            for pair in source:
                cell = pair.cell or f"{pair.family}/{pair.form}"
                if pair.relevant and _is_of(cell, laws) and (among is None or pair.id in among):
                    by_cell.setdefault(cell, []).append(pair)
        turns = range(max(map(len, by_cell.values()), default=0))
        self._rounds = [[pairs[turn] for pairs in by_cell.values() if turn < len(pairs)] for turn in turns]
        self._ends = list(accumulate(map(len, self._rounds)))

    @property
    def longest(self) -> int:
        """The number of pairs in the first round; 0 if there are none."""
        return len(self._cells) or max(map(len, self._rounds), default=0)

    def pairs(self, first: int, last: int) -> Source:
        """The pairs of the rounds from number `first` up to, not including, number `last`; rounds count from 0."""
        if self._cells:
            return RoundSource(self._cells, range(first, last))
        return PickedSource(self._source, [pair for turn_pairs in self._rounds[first:last] for pair in turn_pairs])

    def whole(self, pairs: int) -> int:
        """The number of rounds that the first `pairs` pairs complete."""
        return pairs // len(self._cells) if self._cells else bisect_right(self._ends, pairs)


def _asked_cells(suite: Suite, laws: Collection[str] = ()) -> Iterator[tuple[Suite, Cell]]:
    """The cells of a suite that are no controls, and are of these laws or families (none: all)."""
    for name, cell in cells_of(suite).items():
        if not cell.control and _is_of(name, laws):
            yield suite, cell


def _is_of(cell: str, laws: Collection[str]) -> bool:
    """True if a cell, "law/check" or "family/form", is of one of these laws or families; always true without any."""
    return not laws or cell.rpartition("/")[0] in laws
