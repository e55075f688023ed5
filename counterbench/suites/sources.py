"""Sources of pairs: a suite, whose pairs are drawn when needed, or a folder in which they lie; all or part of it.

A pair is two pictures and a question about both; a suite is a list of families (kinds of pairs), with counts and a
seed. `open_source` makes the `Source` for a name on the command line. A source gives its pairs, their pictures, and a
digest that tells it from all others. `SuiteSource`, `FolderSource` and `CellSource` are the kinds.

A cell is a group of a suite's pairs that a certificate decides by itself: its pairs are asked until it is decided. Item
i of a family belongs to cell i modulo the number of its cells (`Family.cells`), so the n-th item of a cell does not
depend on the suite's counts. `CellSource` takes pairs from cells in a given order.

An attempt is a sample of a suite's pairs on which a certificate may rest, the same for every judge. Attempt 1 has the
suite's own seed, attempt k a hash of the suite's name and k: a user who could choose the seed could try seeds until a
judge passes. `source_of_attempt` gives the source of an attempt.
"""

import copy
import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
from PIL import Image

from counterbench.drawing import domain
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles import FLAT, STICKER, draw
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.comparisons import style_of
from counterbench.suites.families import family
from counterbench.suites.families.control import ControlParams
from counterbench.suites.families.laws import LawParams, law_names
from counterbench.suites.folder import Folder
from counterbench.suites.shards import Shard
from counterbench.suites.suite import CERTIFY, Part, Suite, hashed_seed, is_shipped, load_suite, shares, suite_for


class Source(ABC):
    """A collection of pairs with their pictures: its length, its pairs in order, its name, digest, seed and style.

    `shard`: the part of it that this object gives, when several machines share the work; None for all. The digest is
    that of the whole.
    """

    name: str
    digest: str
    seed: int | None
    style: str
    shard: Shard | None = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Pair]: ...

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The kind of its pictures: renderer, style, size."""

    @abstractmethod
    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """The original and the intervened picture; empty if an imported data set has none."""

    def ground(self, pair: Pair) -> Image.Image | None:
        """The picture below a pair of stickers; None of other pairs."""
        return None

    @abstractmethod
    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of `pairs` pairs of the same source, fewer or more than these: a run can go on."""

    def sharded(self, shard: Shard | None) -> Self:
        """A copy that gives the part for a shard, under the same digest; with None all of it."""
        source = copy.copy(self)
        source.shard = shard
        return source


class SuiteSource(Source):
    """A suite, or its first `limit` pairs; its families take turns. Pictures are drawn at first use."""

    def __init__(self, suite: Suite, limit: int | None = None) -> None:
        self.suite = suite
        self.name, self.seed, self.style = suite.name, suite.seed, suite.style
        self.digest = selection_digest(suite, limit)
        self._positions = suite.positions(limit)

    def __len__(self) -> int:
        return len(self._positions if self.shard is None else self.shard.part_of(self._positions))

    def __iter__(self) -> Iterator[Pair]:
        return (self.suite.sample(*item) for item in self.items())

    def items(self) -> Iterator[tuple[Part, int]]:
        """The family of each pair, and its index within it, in order: what `Suite.sample` draws it from."""
        for position in self._positions if self.shard is None else self.shard.part_of(self._positions):
            yield self.suite.locate(position)

    @property
    def domain(self) -> Domain:
        """Our renderer, one style, one size (of small pictures also theirs), and PNG, the format that judges get."""
        suite = self.suite
        sizes = [suite.size] if suite.smallest is None else [suite.size_at(suite.smallest), suite.size]
        return Domain(renderer=domain.our_renderer(), style=self.style, size=domain.sizes_of(sizes), file_format="png")

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """Both pictures, drawn at first use."""
        suite, first = self.suite, pair.scenes[0]
        return tuple(
            Picture(
                partial(
                    draw, scene, suite.side_of(scene), style_of(pair, role, suite.style), first, suite.ground(pair)
                ),
                f"{pair.id} ({role})",
            )
            for scene, role in zip(pair.scenes, ROLES, strict=True)
        )

    def ground(self, pair: Pair) -> Image.Image | None:
        """The picture below a pair of stickers; None of other pairs."""
        return self.suite.ground(pair)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the suite, or of all; False for a shard."""
        return self.shard is None and 0 < pairs <= len(self.suite) and digest == selection_digest(self.suite, pairs)


class FolderSource(Source):
    """A folder of pairs, which must be complete, or its first `limit` pairs; its families take turns."""

    def __init__(self, folder: Folder, limit: int | None = None) -> None:
        self.folder, info = folder, folder.info
        self.name, self.seed, self.style = info.name, info.seed, info.style
        self._counts_within_limit = shares(info.counts, limit)
        self.limit = limit if limit is not None and limit < len(folder) else None
        self.digest = info.digest if self.limit is None else limited_digest(info.digest, self.limit)

    def __len__(self) -> int:
        positions = range(sum(self._counts_within_limit.values()))
        return len(positions if self.shard is None else self.shard.part_of(positions))

    def __iter__(self) -> Iterator[Pair]:
        pairs = self._pairs_within_limit()
        return pairs if self.shard is None else islice(pairs, self.shard.k, None, self.shard.n)

    def _pairs_within_limit(self) -> Iterator[Pair]:
        """The first pairs of each family, as many as `limit` leaves it, of all shards."""
        counts: Counter[str] = Counter()
        for pair in self.folder:
            counts[pair.family] += 1
            if self.limit is None or counts[pair.family] <= self._counts_within_limit.get(pair.family, 0):
                yield pair

    @property
    def domain(self) -> Domain:
        """The kind of its files; renderer and style are known only if we drew the pairs.

        Sizes are read from all files of imported pairs and stickers, and from the first of others: these have one size.
        """
        files = (self.folder.picture(pair, role) for pair in self for role in ROLES)
        info = self.folder.info
        if info.truth != "computed":
            return domain.of_files(domain.IMPORTED, self.style, files)
        renderer = domain.our_renderer(info.versions.get("renderer", ""))
        return domain.of_files(renderer, self.style, files if self.style == STICKER else islice(files, 1))

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """Both pictures' files; empty for an imported pair without pictures."""
        return self.folder.pictures(pair)

    def ground(self, pair: Pair) -> Image.Image | None:
        """See `Source`; InputError if its file is missing or changed."""
        return self.folder.ground(pair)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the folder, or of all; False for a shard."""
        info = self.folder.info
        expected = info.digest if pairs == info.pairs else limited_digest(info.digest, pairs)
        return self.shard is None and digest == expected


def open_source(
    name: str, seed: int | None = None, limit: int | None = None, size: int | None = None, style: str = FLAT
) -> Source:
    """The source for SUITE|DIR on the command line: a shipped suite's bare name, a suite file, or a folder.

    `limit`: of its pairs; `size`: pixels of a picture's side.
    """
    path = Path(name)
    if not names_folder(name):
        if catalog.is_path(name) and path.suffix != ".toml":
            raise InputError(f"{name}: there is no such folder, and a suite file ends in .toml")
        return SuiteSource(load_suite(name, seed, size, style), limit)
    if seed is not None:
        raise InputError(f"{name}: --seed draws other items of a suite; a folder's items are drawn already")
    if size is not None or style != FLAT:
        option = "--style" if size is None else "--size"
        raise InputError(
            f"{name}: {option} draws the pictures of a suite; a folder's are drawn already; name the suite itself"
        )
    return FolderSource(Folder(path), limit)


def names_folder(name: str) -> bool:
    """True if a name on the command line means a folder that is there, and not the shipped suite of that name."""
    return Path(name).is_dir() and (catalog.is_path(name) or name not in catalog.names("scenes"))


def selection_digest(suite: Suite, limit: int | None) -> str:
    """The digest of a suite, or of its first `limit` items."""
    return suite.digest if limit is None or limit >= len(suite) else limited_digest(suite.digest, limit)


def limited_digest(digest: str, limit: int) -> str:
    """The digest of the first `limit` items (families in turn) of the source with `digest`."""
    return hashlib.blake2b(f"{digest} limit {limit}".encode(), digest_size=16).hexdigest()


class Cell(NamedTuple):
    """A cell of a suite: every `step`-th item of a family, from item `start` on."""

    part: Part
    start: int
    step: int

    @property
    def control(self) -> bool:
        """True if its pairs are controls: the right answer is the same for both pictures."""
        return family(self.part.family).category == "control"


def cells_of(suite: Suite) -> dict[str, Cell]:
    """The cells of a suite by name, those of its first family first."""
    cells: dict[str, Cell] = {}
    for part in suite.parts:
        names = family(part.family).cells(part.params, part.forms)
        cells |= {name: Cell(part, start, len(names)) for start, name in enumerate(names)}
    return cells


class CellSource(SuiteSource):
    """Pairs of a suite, taken from its cells: each time that `order` names a cell, its next pair.

    `first`: by cell, the number of the pair to begin with; 0 unless given. The digest does not depend on how many pairs
    of each cell are asked, so a run can go on with more.
    """

    def __init__(self, suite: Suite, order: Sequence[str], first: Mapping[str, int] | None = None) -> None:
        super().__init__(suite)
        self.digest = cells_digest(suite)
        self._order, self._first = list(order), dict(first or {})

    def __len__(self) -> int:
        return len(self._numbered_cells)

    def items(self) -> Iterator[tuple[Part, int]]:
        """The family of each pair and its index within it, in the order in which pairs are taken from the cells."""
        cells = cells_of(self.suite)
        for name, number in self._numbered_cells:
            cell = cells[name]
            yield cell.part, cell.start + number * cell.step

    @property
    def _numbered_cells(self) -> Sequence[tuple[str, int]]:
        """For each pair in order, the name of its cell and the number of the pair in that cell, from 0."""
        following, numbered = Counter(self._first), []
        for name in self._order:
            numbered.append((name, following[name]))
            following[name] += 1
        return numbered if self.shard is None else self.shard.part_of(numbered)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is that of the suite asked by cells, or of its first `pairs` pairs."""
        return digest == self.digest or super().continues(digest, pairs)


def in_turn(counts: Mapping[str, int]) -> list[str]:
    """An order for `CellSource`: the names of cells in turn, each as often as `counts` says."""
    turns = range(max(counts.values(), default=0))
    return [name for turn in turns for name, count in counts.items() if turn < count]


def as_drawn(suite: Suite, domain: Domain) -> Suite:
    """A suite in the style and size of the pictures of a run, which have this `domain`.

    If they have two sizes, the smaller one is that of the suite's small pictures (a treatment of controls).
    """
    suite = suite.styled(domain.our_style)
    match domain.sides:
        case [side]:
            return suite.sized(side)
        case [smallest, side]:
            return suite.sized(side).with_smallest(smallest)
    return suite


def cells_digest(suite: Suite) -> str:
    """The digest of a suite that is asked by cells: of everything in its definition but the numbers of items."""
    definition = suite.definition
    families = [{name: value for name, value in part.items() if name != "count"} for part in definition["families"]]
    text = msgspec.json.encode(definition | {"families": families, "asked": "by cells"}, order="sorted")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


# Attempt k is tested at a level of significance that shrinks with k²: long before this one no judge can pass.
MAX_ATTEMPTS = 1000


def attempt_seed(suite: Suite, attempt: int) -> int:
    """The seed of an attempt's pairs; `suite` is as shipped. InputError if `attempt` is not from 1 to MAX_ATTEMPTS."""
    if not 1 <= attempt <= MAX_ATTEMPTS:
        raise InputError(f"--attempt must be from 1 to {MAX_ATTEMPTS}, not {attempt}")
    if attempt == 1:
        return suite.seed
    return hashed_seed(f"counterbench attempt {attempt} of {suite.name}")


def attempt_of(suite: Suite) -> int | None:
    """The number of the attempt that a suite is; None unless it is a shipped suite with the seed of one of them.

    Its size and style may have been changed as well, but nothing else.
    """
    if not is_shipped(suite.name):
        return None
    shipped = load_suite(suite.name)
    expected = shipped.reseeded(suite.seed).sized(suite.side).styled(suite.style).with_smallest(suite.smallest)
    if expected.digest != suite.digest:
        return None
    return next((k for k in range(1, MAX_ATTEMPTS + 1) if attempt_seed(shipped, k) == suite.seed), None)


def source_of_attempt(source: Source, attempt: int | None, limit: int | None = None) -> Source:
    """A source with the first `limit` pairs of an attempt; `source` itself if `attempt` is None.

    InputError unless `source` is a shipped suite with its own seed.
    """
    if attempt is None:
        return source
    if not isinstance(source, SuiteSource) or attempt_of(source.suite) != 1:
        raise InputError(
            f"{source.name}: --attempt is for suites as they are shipped ({', '.join(catalog.names('scenes'))}, or "
            f"{CERTIFY}NAME,… of families and laws), without --seed: every attempt has pairs of its own"
        )
    return SuiteSource(source.suite.reseeded(attempt_seed(source.suite, attempt)), limit)


def certifying_suite(name: str) -> tuple[str, tuple[str, ...]]:
    """The name of the suite that certifies judges for SUITE|DIR, and the families and laws of it to ask about.

    Of a suite file only the families and laws are taken, so that nobody chooses the pairs. For any other name it is
    the name itself, and no families and laws: all are asked about.
    """
    if names_folder(name) or not name.endswith(".toml"):
        return name, ()
    named: dict[str, None] = {}
    for part in load_suite(name).parts:
        match part.params:
            case LawParams():
                named |= dict.fromkeys(law_names(part.params.laws))
            case ControlParams():
                named |= dict.fromkeys(part.params.bases)
            case _:
                named[part.family] = None
    return suite_for(named), tuple(named)
