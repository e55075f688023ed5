"""Draws and asks on a Ray cluster: one task for each shard, which begins anew on another node if it is lost.

No dashboard and no usage statistics. A shard that is asked again goes on with its journal.
"""

import contextlib
import glob
import os
import re
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from counterbench.asking.probe import Probe
from counterbench.asking.runner import Progress
from counterbench.bars import OnProgress, unseen
from counterbench.cluster.merge import merge
from counterbench.errors import CounterbenchError, InputError
from counterbench.files.installation import install_command
from counterbench.runs.folder import RUN_FILE
from counterbench.suites import generation
from counterbench.suites.folder import Folder, FolderInfo
from counterbench.suites.shards import Shard
from counterbench.suites.suite import Suite

T = TypeVar("T")

_NO_ANSWER = 10.0  # seconds


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """The cluster at `address` (empty: RAY_ADDRESS, or one on this machine), or the one that is connected already.

    InputError if Ray is not installed, or there is no such cluster.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise InputError(f"a cluster needs Ray ({error}); this installs it: {install_command('ray')}") from None
    with contextlib.redirect_stdout(sys.stderr):  # Ray prints lost nodes there
        if ray.is_initialized():
            yield
            return
        _connect(address)
        try:
            yield
        finally:
            ray.shutdown()


def _connect(address: str) -> None:
    import ray

    if address or os.environ.get("RAY_ADDRESS"):
        options: dict[str, Any] = {"address": address or None}
    else:
        options = {"include_dashboard": False}  # a cluster of this machine alone
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdecimal():  # Ray itself looks for minutes
            socket.create_connection((host, int(port)), _NO_ANSWER).close()
        ray.init(**options, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(
            f"--address {address}: no Ray cluster can be reached there ({error}); `ray start --head` begins one"
        ) from None


def generate(suite: Suite, out: Path, shards: int | None = None, *, on_progress: OnProgress = unseen) -> FolderInfo:
    """Draw `suite` in shards (default: one a CPU) on the connected cluster, and merge them into `out`.

    Pairs and pixels are the same as on one machine. Shards lie beside `out`; the same call again draws only missing
    ones. `on_progress(done, total)` counts them. Raises the errors of drawing and merging.
    """
    if there := generation.already_drawn(out, generation.to_draw(suite, None), None):
        return there
    import ray

    number = shards or int(ray.cluster_resources().get("CPU", 1))
    parts = [Shard(k, number) for k in range(number)]

    def draw(part: Shard | None) -> None:
        generation.generate(suite, _path(out, part), workers=1, shard=part)

    on_nodes(draw, parts, on_progress)
    merge([_path(out, part) for part in parts], out)
    return Folder(out).info


def probe(
    job: Probe, out: Path, replicas: int, *, gpus: float = 0, on_progress: OnProgress = unseen
) -> tuple[list[Progress], bool]:
    """Ask in shards, one for each replica, on the connected cluster; merge them into `out` if all were asked.

    Each replica takes a CPU and `gpus` of a node, and waits until they are free. A lost replica, or one of a lost
    node, begins anew on another node and goes on with its journal. `on_progress(done, total)` counts shards. One
    replica goes on with a run that was merged before. `job.limits` hold for each replica; keys are not sent to nodes.
    Returns the progress of each, and True if the run is complete. InputError with the message of a shard that failed,
    or if the run was begun in another number of shards.
    """
    parts = _parts(out, replicas)

    def ask(part: Shard | None) -> Progress:
        return replace(job, shard=part, out=str(_path(out, part))).asking().run()[-1].end

    ends = on_nodes(ask, parts, on_progress, gpus=gpus)
    if parts == [None]:
        return ends, True
    if not all(end.tried for end in ends):
        return ends, False
    merge([_path(out, part) for part in parts], out)
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


def _path(out: Path, part: Shard | None) -> Path:
    return Path(f"{out}{part.ending if part is not None else ''}")


def on_nodes(
    work: Callable[[Shard | None], T], parts: Sequence[Shard | None], on_progress: OnProgress, gpus: float = 0
) -> list[T]:
    """The results of `work` in order, done by a task for each part, which takes a CPU and some GPUs of a node.

    A lost task, or one of a lost node, begins anew on another node. InputError with the message of a task that failed.
    """
    import ray

    task = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=-1)(on_a_node)
    waiting = {task.remote(str(Path.cwd()), work, part): part for part in parts}
    ends: dict[Shard | None, T] = {}
    while waiting:
        (done, *_), _ = ray.wait(list(waiting), num_returns=1)
        end, wrong = ray.get(done)
        if wrong:
            raise InputError(wrong)
        ends[waiting.pop(done)] = end
        on_progress(len(ends), len(parts))
    return [ends[part] for part in parts]


def on_a_node(folder: str, work: Callable[[Shard | None], T], part: Shard | None) -> tuple[T | None, str]:
    """The result of a part's work, done in the folder of the command, and the message of an error, or "".

    Our errors are returned as texts, since Ray would raise them with the whole traceback of the remote process.
    """
    try:
        os.chdir(folder)
    except OSError as error:
        why = f"a node of the cluster does not see this folder ({error.strerror}); all need to share it"
        return None, f"{folder}: {why}"
    try:
        return work(part), ""
    except CounterbenchError as error:
        return None, str(error)
