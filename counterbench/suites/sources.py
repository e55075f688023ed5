"""Sources of pairs: a suite, whose pairs are drawn when needed, or a folder on disk, for verifying and probing."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, Self

from counterbench.drawing import domain
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles import FLAT, draw
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.scene import Scene
from counterbench.suites.folder import Folder
from counterbench.suites.shards import Shard
from counterbench.suites.suite import Suite, load_suite


class Source(Protocol):
    """A sized collection of pairs with their pictures, its identity (name, digest and seed), and its style.

    `shard`: the part of the whole collection that it gives; None for all of it. Digests are those of the whole.
    """

    name: str
    digest: str
    seed: int | None
    style: str
    shard: Shard | None

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Pair]: ...

    @property
    def domain(self) -> Domain:
        """The kind of its pictures: renderer, style, size."""
        ...

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """The original and the intervened picture; empty if an imported data set has none."""
        ...

    def kin(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of `pairs` pairs of the same source: some of these, or these and further ones."""
        ...

    def sharded(self, shard: Shard | None) -> Self:
        """The part of it for a shard, under the same digest; with None all of it."""
        ...


class _Sharded:
    """The common code of all sources: a part of a source is a copy with a shard."""

    shard: Shard | None = None

    def sharded(self, shard: Shard | None) -> Self:
        """The part of it for a shard, under the same digest; with None all of it."""
        part = copy.copy(self)
        part.shard = shard
        return part


class SuiteSource(_Sharded):
    """A suite, or the first `limit` of its items (families in turn)."""

    def __init__(self, suite: Suite, limit: int | None = None) -> None:
        self.suite = suite
        self.name = suite.name
        self.seed: int | None = suite.seed
        self.style = suite.style
        self.digest = selection_digest(self.suite, limit)
        self._every = self.suite.positions(limit)

    @property
    def _positions(self) -> Sequence[int]:
        return self._every if self.shard is None else self.shard.of(self._every)

    def __len__(self) -> int:
        return len(self._positions)

    def __iter__(self) -> Iterator[Pair]:
        for position in self._positions:
            yield self.suite[position]

    @property
    def domain(self) -> Domain:
        """Our renderer, one style, one size, and PNG, the format that judges get."""
        return Domain(
            renderer=domain.our_renderer(), style=self.style, size=domain.size_of(*self.suite.size), file_format="png"
        )

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """Both pictures, drawn at first use."""

        def drawn(scene: Scene, role: str) -> Picture:
            suite = self.suite
            return Picture(lambda: draw(scene, suite.side, suite.style, pair.scenes[0]), f"{pair.id} ({role})")

        return tuple(drawn(scene, role) for scene, role in zip(pair.scenes, ROLES, strict=True))

    def kin(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the suite, or of all; False for a shard."""
        return self.shard is None and 0 < pairs <= len(self.suite) and digest == selection_digest(self.suite, pairs)


class FolderSource(_Sharded):
    """A complete folder, or the first `limit` of its pairs (families in turn)."""

    def __init__(self, folder: Folder, limit: int | None = None) -> None:
        self.folder = folder
        self.name = folder.info.name
        self.seed = folder.info.seed
        self.style = folder.info.style
        self.digest = folder.info.digest
        if limit is not None and limit < 1:
            raise InputError(f"--limit must be at least 1, not {limit}")
        self.limit = limit if limit is not None and limit < len(folder) else None
        self._most: dict[str, int] | None = None
        if limit is not None and self.limit is not None:
            self._most = _shares(folder.info.counts, limit)
            self.digest = limited_digest(self.digest, limit)

    def __len__(self) -> int:
        whole = range(len(self.folder) if self._most is None else sum(self._most.values()))
        return len(whole if self.shard is None else self.shard.of(whole))

    def __iter__(self) -> Iterator[Pair]:
        pairs = self._chosen()
        return pairs if self.shard is None else islice(pairs, self.shard.k, None, self.shard.n)

    def _chosen(self) -> Iterator[Pair]:
        taken: Counter[str] = Counter()
        for pair in self.folder:
            taken[pair.family] += 1
            if self._most is None or taken[pair.family] <= self._most.get(pair.family, 0):
                yield pair

    @property
    def domain(self) -> Domain:
        """The kind of its files; renderer and style are known only if we drew the pairs."""
        files = (self.folder.picture(pair, role) for pair in self for role in ROLES)
        info = self.folder.info
        if info.truth == "published":
            return domain.of_files(domain.IMPORTED, self.style, files)
        return domain.of_files(domain.our_renderer(info.versions.get("renderer", "")), self.style, files)

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """Both pictures' files; empty for an imported pair without pictures."""
        return self.folder.pictures(pair)

    def kin(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the folder, or of all; False for a shard."""
        if self.shard is not None:
            return False
        whole = self.folder.info
        return digest == (whole.digest if pairs == whole.pairs else limited_digest(whole.digest, pairs))


def open_source(
    name: str, seed: int | None = None, limit: int | None = None, size: int | None = None, style: str = FLAT
) -> Source:
    """The source for SUITE|DIR on the command line: a shipped suite's bare name, a suite file, or a folder."""
    path = Path(name)
    if not names_folder(name) and catalog.is_path(name) and path.suffix != ".toml":
        raise InputError(f"{name}: there is no such folder, and a suite file ends in .toml")
    if not names_folder(name):
        return SuiteSource(load_suite(name, seed, size, style), limit)
    if seed is not None:
        raise InputError(f"{name}: --seed draws other items of a suite; a folder's items are drawn already")
    if size is not None:
        raise InputError(
            f"{name}: --size draws the pictures of a suite; a folder's are drawn already; name the suite itself"
        )
    if style != FLAT:
        raise InputError(
            f"{name}: --style draws the pictures of a suite; a folder's are drawn already; name the suite itself"
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


def _shares(counts: dict[str, int], limit: int) -> dict[str, int]:
    """The number of pairs of each family among the first `limit`, with families in turn."""
    shares = dict.fromkeys(counts, 0)
    left = limit
    while left:
        for family in counts:
            if left and shares[family] < counts[family]:
                shares[family] += 1
                left -= 1
    return shares
