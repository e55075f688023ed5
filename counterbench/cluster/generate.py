"""Draws a suite on a Ray cluster: Ray Data has its workers draw a shard each, and draw it again where one is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterbench.cluster.connection import on_a_node
from counterbench.errors import InputError
from counterbench.suites import generation
from counterbench.suites.folder import FolderInfo
from counterbench.suites.merging import merge_folders
from counterbench.suites.shards import Shard
from counterbench.suites.suite import Suite


@dataclass(frozen=True)
class _Draw:
    """What every worker is told."""

    suite: Suite
    limit: int | None
    out: str
    n: int
    folder: str

    def path(self, k: int) -> Path:
        return Path(f"{self.out}{Shard(k, self.n).ending}")

    def shard(self, row: dict[str, Any]) -> dict[str, Any]:
        """Draw the shard that a row names; the row with what went wrong, if anything did."""
        k = int(row["shard"])

        def draw() -> str:
            generation.generate(self.suite, self.path(k), workers=1, limit=self.limit, shard=Shard(k, self.n))
            return ""

        return row | {"wrong": on_a_node(self.folder, draw)}


def generate(
    suite: Suite,
    out: Path,
    shards: int,
    *,
    limit: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> FolderInfo:
    """Draw `suite` in so many shards on the cluster that is connected, and merge them into `out`.

    They are the pairs and pixels that one machine draws. Shards lie beside `out`; the same call goes on with them.
    `on_progress(done, total)` counts them. Raises what drawing and merging raise.
    """
    import ray

    if done_before := generation.finished(out, generation.to_begin(suite, limit)):
        return done_before.info
    job = _Draw(suite, limit, str(out), shards, str(Path.cwd()))
    rows = ray.data.from_items([{"shard": k} for k in range(shards)], override_num_blocks=shards)
    drawn = rows.map(job.shard, num_cpus=1)  # what a lost node had, Ray Data has another draw
    for done, row in enumerate(drawn.iter_rows(), 1):
        if row["wrong"]:
            raise InputError(row["wrong"])
        on_progress(done, shards)
    return merge_folders([job.path(k) for k in range(shards)], out)
