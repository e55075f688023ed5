"""Sources of pairs: a suite, whose pairs are drawn when needed, or a folder on disk, for verifying and probing."""

import copy
import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Self

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
from counterbench.suites.suite import Suite, load_suite, shares


class Source(ABC):
    """A sized collection of pairs with their pictures, its identity (name, digest and seed), and its style.

    `shard`: the part of the whole collection that it gives; None for all of it. Digests are those of the whole.
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

    @abstractmethod
    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of `pairs` pairs of the same source: some of these, or these and further ones."""

    def sharded(self, shard: Shard | None) -> Self:
        """The part of it for a shard, under the same digest; with None all of it."""
        part = copy.copy(self)
        part.shard = shard
        return part


class SuiteSource(Source):
    """A suite, or the first `limit` of its items (families in turn)."""

    def __init__(self, suite: Suite, limit: int | None = None) -> None:
        self.suite = suite
        self.name, self.seed, self.style = suite.name, suite.seed, suite.style
        self.digest = selection_digest(suite, limit)
        self._every = suite.positions(limit)

    def __len__(self) -> int:
        return len(self._every if self.shard is None else self.shard.of(self._every))

    def __iter__(self) -> Iterator[Pair]:
        for position in self._every if self.shard is None else self.shard.of(self._every):
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

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the suite, or of all; False for a shard."""
        return self.shard is None and 0 < pairs <= len(self.suite) and digest == selection_digest(self.suite, pairs)


class FolderSource(Source):
    """A complete folder, or the first `limit` of its pairs (families in turn)."""

    def __init__(self, folder: Folder, limit: int | None = None) -> None:
        self.folder, info = folder, folder.info
        self.name, self.seed, self.style = info.name, info.seed, info.style
        self._most = shares(info.counts, limit)
        self.limit = limit if limit is not None and limit < len(folder) else None
        self.digest = info.digest if self.limit is None else limited_digest(info.digest, self.limit)

    def __len__(self) -> int:
        whole = range(sum(self._most.values()))
        return len(whole if self.shard is None else self.shard.of(whole))

    def __iter__(self) -> Iterator[Pair]:
        pairs = self._chosen()
        return pairs if self.shard is None else islice(pairs, self.shard.k, None, self.shard.n)

    def _chosen(self) -> Iterator[Pair]:
        taken: Counter[str] = Counter()
        for pair in self.folder:
            taken[pair.family] += 1
            if self.limit is None or taken[pair.family] <= self._most.get(pair.family, 0):
                yield pair

    @property
    def domain(self) -> Domain:
        """The kind of its files; renderer and style are known only if we drew the pairs."""
        files = (self.folder.picture(pair, role) for pair in self for role in ROLES)
        info = self.folder.info
        ours = info.truth == "computed"
        renderer = domain.our_renderer(info.versions.get("renderer", "")) if ours else domain.IMPORTED
        return domain.of_files(renderer, self.style, files)

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        """Both pictures' files; empty for an imported pair without pictures."""
        return self.folder.pictures(pair)

    def continues(self, digest: str, pairs: int) -> bool:
        """True if `digest` is of the first `pairs` pairs of the folder, or of all; False for a shard."""
        whole = self.folder.info
        of = whole.digest if pairs == whole.pairs else limited_digest(whole.digest, pairs)
        return self.shard is None and digest == of


def open_source(
    name: str, seed: int | None = None, limit: int | None = None, size: int | None = None, style: str = FLAT
) -> Source:
    """The source for SUITE|DIR on the command line: a shipped suite's bare name, a suite file, or a folder."""
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
