"""Draws a suite on a Ray cluster: a task a shard, which is drawn again where it is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from counterbench.cluster.connection import on_nodes
from counterbench.cluster.merge import merge
from counterbench.suites import generation
from counterbench.suites.folder import Folder, FolderInfo
from counterbench.suites.shards import Shard
from counterbench.suites.suite import Suite


def generate(
    suite: Suite,
    out: Path,
    shards: int,
    *,
    limit: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> FolderInfo:
    """Draw `suite` in so many shards on the cluster that is connected, and merge them into `out`.

    They are the pairs and pixels that one machine draws. Shards lie beside `out`; the same call again draws only those
    that are not there. `on_progress(done, total)` counts them. Raises what drawing and merging raise.
    """
    if there := generation.already_drawn(out, generation.to_draw(suite, limit), None):
        return there
    parts = [Shard(k, shards) for k in range(shards)]

    def draw(part: Shard | None) -> None:
        generation.generate(suite, _path(out, part), workers=1, limit=limit, shard=part)

    on_nodes(draw, parts, on_progress)
    merge([_path(out, part) for part in parts], out)
    return Folder(out).info


def _path(out: Path, part: Shard | None) -> Path:
    return Path(f"{out}{part.ending if part is not None else ''}")
