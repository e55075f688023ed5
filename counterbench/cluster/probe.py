"""Asks a judge on a Ray cluster: an actor a replica, which has one shard and resumes that shard's journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from counterbench.asking import probe as asking
from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.cluster.connection import on_a_node, working_folder
from counterbench.errors import InputError
from counterbench.files.addresses import place
from counterbench.files.kept import fetched, kept, named
from counterbench.judges import open_judge
from counterbench.runs.merging import MergedRun, merge_runs
from counterbench.runs.pair_queries import keys
from counterbench.runs.wordings import Wording
from counterbench.suites.attempts import attempted
from counterbench.suites.shards import Shard
from counterbench.suites.sources import open_source


class Probing(msgspec.Struct, frozen=True, kw_only=True):
    """What every replica is told: the source and the judge as they stand on a command line, and how it is asked.

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
    canaries: int = 0
    name: str = ""

    def path(self, shard: Shard) -> Path:
        """A shard's folder, beside `out`."""
        return place(f"{self.out}{shard.ending}")

    def probe(self, shard: Shard) -> Progress:
        """Ask a shard's questions, those that have no reply yet."""
        drawn = open_source(named(self.source), self.seed, self.limit, self.size, self.style)
        source = attempted(drawn, self.attempt, self.limit)
        judge = open_judge(
            self.judge, lambda: keys(source), base_url=self.base_url, key_env=self.key_env, price=self.price
        )
        with kept(out := self.path(shard)):
            return asking.probe(
                source.sharded(shard),
                judge,
                out,
                wording=self.wording,
                votes=self.votes,
                limits=self.limits,
                canaries=self.canaries,
                name=self.name,
            )


class Replica:
    """The actor: a judge of its own, as large as what it was given of a node."""

    def ask(self, job: Probing, shard: Shard, folder: str) -> Progress | str:
        """Ask a shard to its end, or say what is wrong."""
        return on_a_node(folder, lambda: job.probe(shard))


def probe(
    job: Probing,
    replicas: int,
    *,
    cpus: float = 1,
    gpus: float = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Progress], MergedRun | None]:
    """Ask in so many shards, a replica each, on the cluster that is connected; merge them if all were asked to the end.

    `cpus` and `gpus` are what each replica takes of a node; those for which there is no room wait. One that is lost, or
    whose node is, begins anew on another node and goes on with its journal. `on_progress(done, total)` counts shards.
    InputError with what went wrong in a shard.
    """
    import ray

    actor = ray.remote(num_cpus=cpus, num_gpus=gpus, max_restarts=-1, max_task_retries=-1)(Replica)
    out = place(job.out)
    waiting, folder = {}, working_folder(out)
    for k in range(replicas):
        replica = actor.remote()
        waiting[replica.ask.remote(job, Shard(k, replicas), folder)] = replica, k
    ends: dict[int, Progress] = {}
    while waiting:
        (done, *_), _ = ray.wait(list(waiting), num_returns=1)
        replica, k = waiting.pop(done)
        end = ray.get(done)
        ray.kill(replica)  # and with it its place on the node
        if isinstance(end, str):
            raise InputError(end)
        ends[k] = end
        on_progress(len(ends), replicas)
    in_order = [ends[k] for k in range(replicas)]
    if not all(end.tried for end in in_order):
        return in_order, None
    with kept(out):
        return in_order, merge_runs([fetched(job.path(Shard(k, replicas))) for k in range(replicas)], out)
