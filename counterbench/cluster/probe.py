"""Asks a judge on a Ray cluster: one task for each replica, which has one shard and resumes that shard's journal."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from counterbench.asking.probe import Probe
from counterbench.asking.runner import Progress
from counterbench.cluster.connection import on_nodes
from counterbench.cluster.merge import merge
from counterbench.errors import InputError
from counterbench.runs.folder import RUN_FILE
from counterbench.suites.shards import Shard


def probe(
    job: Probe,
    out: Path,
    replicas: int,
    *,
    gpus: float = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Progress], bool]:
    """Ask in shards, one for each replica, on the connected cluster; merge them into `out` if all were asked.

    Each replica takes a CPU and `gpus` of a node, and waits until they are free. A lost replica, or one of a lost
    node, begins anew on another node and goes on with its journal. `on_progress(done, total)` counts shards. One
    replica goes on with a run that was merged before. `job.limits` hold for each replica; keys are not sent to nodes.
    Returns the progress of each, and True if the run is complete. InputError with the message of a shard that failed,
    or if the run was begun in another number of shards.
    """
    parts = _parts(out, replicas)
    shards = {part: Path(f"{out}{part.ending if part is not None else ''}") for part in parts}

    def ask(part: Shard | None) -> Progress:
        return replace(job, shard=part, out=str(shards[part])).asking().run()[-1].end

    ends = on_nodes(ask, parts, on_progress, gpus=gpus)
    if parts == [None]:
        return ends, True
    if not all(end.tried for end in ends):
        return ends, False
    merge(list(shards.values()), out)
    return ends, True


def _parts(out: Path, n: int) -> list[Shard | None]:
    """The parts for the replicas: `n` shards, or the whole of a run that was merged before."""
    if (out / RUN_FILE).is_file():
        return [None]
    for path in out.parent.glob(f"{glob.escape(out.name)}--shard-*-of-*"):
        match = re.search(r"--shard-\d+-of-(\d+)\Z", str(path))
        if match is not None and int(match[1]) != n:
            raise InputError(
                f"{out}: was begun by {match[1]} replicas, whose shards lie beside it: --replicas {match[1]} goes "
                "on with them; to ask all anew choose another --out"
            )
    return [Shard(k, n) for k in range(n)]
