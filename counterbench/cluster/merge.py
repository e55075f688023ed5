"""What several machines made, of whatever kind, joined to what one would have made. Re-exported by `counterbench`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files.addresses import PathLike
from counterbench.files.kinds import instead
from counterbench.files.remote import local, written
from counterbench.runs.folder import RUN_FILE, T2I_FILE
from counterbench.runs.merging import merge_runs
from counterbench.suites.folder import PROGRESS_FILE, SHARD_FILE, SUITE_FILE
from counterbench.suites.merging import merge_folders
from counterbench.t2i.generation.merging import merge_images
from counterbench.t2i.images.manifest import IMAGES_FILE
from counterbench.t2i.judging.merging import merge_judged
from counterbench.text import brief, counted

PICTURES, JUDGED = "generated pictures", "a run about generated pictures"
# What shards are of, by a file that is in each.
_KINDS = {
    SHARD_FILE: "pairs",
    PROGRESS_FILE: "pairs",
    SUITE_FILE: "pairs",
    IMAGES_FILE: PICTURES,
    T2I_FILE: JUDGED,
    RUN_FILE: "a run",
}


class Merged(msgspec.Struct, frozen=True):
    """What `merge` made: of which `kind` (see `_KINDS`), of how many `shards`, and how many `records` it holds.

    A record is a pair, a sample of a prompt, or an attempt at a question. `failed`: how many questions have no reply,
    or samples no picture for want of one.
    """

    out: Path
    kind: str
    shards: int
    records: int
    failed: int = 0

    def __repr__(self) -> str:
        return brief(self, f"{self.out}: {counted(self.records, 'record')} of {counted(self.shards, 'shard')}")


def merge(
    shards: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Merged:
    """Join all shards of a folder of pairs, of pictures or of a run into `out`: what one machine would have made.

    The shards are only read.

    Raises InputError that names the shard if one is missing, there twice, unfinished, or of other work than the first;
    and if `out` holds anything. Killed at any time it leaves nothing that looks complete: the same call again.
    """
    named = [shards] if isinstance(shards, str | os.PathLike) else shards
    paths, target = [local(path) for path in named], written(out)
    return _merge(_kind(paths), paths, target, on_progress)


def _merge(kind: str, paths: Sequence[Path], target: Path, on_progress: Callable[[int, int], None]) -> Merged:
    if kind == "pairs":
        return Merged(target, kind, len(paths), merge_folders(paths, target, on_progress).pairs)
    if kind == PICTURES:
        images = merge_images(paths, target, on_progress)
        return Merged(target, kind, len(paths), len(images.rows), images.counts.get("missing", 0))
    run = (merge_judged if kind == JUDGED else merge_runs)(paths, target, on_progress)
    return Merged(target, kind, len(paths), run.records, run.failed)


def _kind(paths: Sequence[Path]) -> str:
    """What all of these are shards of; InputError if they are none, of different kinds, or one is named twice."""
    if not paths:
        raise InputError("name the folders of all shards")
    found: dict[str, Path] = {}
    for i, path in enumerate(paths):
        if path.resolve() in {other.resolve() for other in paths[:i]}:
            raise InputError(f"{path}: was named twice; name each shard once")
        kind = next((kind for file, kind in _KINDS.items() if (path / file).is_file()), None)
        if kind is None:
            raise InputError(f"{path}: holds no shard of anything{instead(path) if path.exists() else ''}")
        found.setdefault(kind, path)
    if len(found) > 1:
        (kind, path), (other, there) = list(found.items())[:2]
        raise InputError(f"{there}: holds {other}, and {path} {kind}: merge shards of one kind")
    return next(iter(found))
