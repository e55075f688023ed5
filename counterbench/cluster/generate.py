"""Draws a suite on a Ray cluster: one task for each shard; a lost shard is drawn again."""

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
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> FolderInfo:
    """Draw `suite` in shards on the connected cluster, and merge them into `out`.

    Pairs and pixels are the same as on one machine. Shards lie beside `out`; the same call again draws only missing
    ones. `on_progress(done, total)` counts them. Raises the errors of drawing and merging.
    """
    if there := generation.already_drawn(out, generation.to_draw(suite, None), None):
        return there
    parts = [Shard(k, shards) for k in range(shards)]

    def draw(part: Shard | None) -> None:
        generation.generate(suite, _path(out, part), workers=1, shard=part)

    on_nodes(draw, parts, on_progress)
    merge([_path(out, part) for part in parts], out)
    return Folder(out).info


def _path(out: Path, part: Shard | None) -> Path:
    return Path(f"{out}{part.ending if part is not None else ''}")
