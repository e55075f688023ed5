"""Asks a judge on a Ray cluster: a task a replica, which has one shard and resumes that shard's journal."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from counterbench.asking import probe as asking
from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.cluster.connection import on_nodes
from counterbench.cluster.merge import merge
from counterbench.errors import InputError
from counterbench.files.addresses import address_of
from counterbench.files.remote import fetched
from counterbench.judges import open_judge
from counterbench.runs.folder import RUN_FILE
from counterbench.runs.pair_queries import keys
from counterbench.runs.wordings import Wording
from counterbench.suites.attempts import attempted
from counterbench.suites.shards import Shard
from counterbench.suites.sources import Source, open_source


class Probing(msgspec.Struct, frozen=True, kw_only=True):
    """The job of every replica: the source and the judge as they stand on a command line, and how it is asked.

    `limits` are of each replica. Keys stay where they are: `key_env` names a variable of the nodes.
    """

    source: str
    judge: str
    out: str
    wording: Wording
    limits: Limits
    seed: int | None = None
    limit: int | None = None
    attempt: int | None = None
    size: int | None = None
    style: str = "flat"
    base_url: str = ""
    key_env: str = ""
    price: str = ""
    votes: int = 1
    name: str = ""

    def path(self, shard: Shard | None) -> Path:
        """A shard's folder, beside `out`; that itself of the whole."""
        return Path(f"{self.out}{shard.ending if shard is not None else ''}")

    def drawn(self) -> Source:
        """The source that is asked about; InputError if there is no such thing."""
        source = str(fetched(self.source)) if address_of(self.source) else self.source
        return attempted(open_source(source, self.seed, self.limit, self.size, self.style), self.attempt, self.limit)

    def probe(self, shard: Shard | None) -> Progress:
        """Ask a shard's questions, or all, those that have no reply yet."""
        source = self.drawn()
        judge = open_judge(
            self.judge, lambda: keys(source), base_url=self.base_url, key_env=self.key_env, price=self.price
        )
        return asking.probe(
            source.sharded(shard),
            judge,
            self.path(shard),
            wording=self.wording,
            votes=self.votes,
            limits=self.limits,
            name=self.name,
        )


def probe(
    job: Probing,
    replicas: int,
    *,
    cpus: float = 1,
    gpus: float = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Progress], bool]:
    """Ask in so many shards, a replica each, on the cluster that is connected; merge them if all were asked to the end.

    `cpus` and `gpus` are what each replica takes of a node; those for which there is no room wait. One that is lost, or
    whose node is, begins anew on another node and goes on with its journal. `on_progress(done, total)` counts shards.
    A run that was merged before is gone on with by one replica. Returns how each ended, and whether the run is whole.
    InputError with what went wrong in a shard, and before anything is asked if the run was begun in other shards.
    """
    parts = _parts(job, replicas)
    ends = on_nodes(job.probe, parts, on_progress, cpus=cpus, gpus=gpus)
    if parts == [None]:
        return ends, True
    if not all(end.tried for end in ends):
        return ends, False
    merge([job.path(part) for part in parts], job.out)
    return ends, True


def _parts(job: Probing, n: int) -> list[Shard | None]:
    """The parts that replicas are to ask: `n` shards, or the whole of a run that was merged before."""
    out = Path(job.out)
    if (out / RUN_FILE).is_file():
        return [None]
    for path in out.parent.glob(f"{glob.escape(out.name)}--shard-*-of-*"):
        found = re.search(r"--shard-\d+-of-(\d+)\Z", str(path))
        if found is not None and int(found[1]) != n:
            raise InputError(
                f"{job.out}: was begun by {found[1]} replicas, whose shards lie beside it: --replicas {found[1]} goes "
                "on with them; to ask all anew choose another --out"
            )
    return [Shard(k, n) for k in range(n)]
