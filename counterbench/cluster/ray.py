"""Draws and asks on a Ray cluster: one task for each shard, which begins anew on another node if it is lost.

No dashboard and no usage statistics. A shard that is asked again goes on with its journal.
"""

import contextlib
import glob
import os
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

_NO_ANSWER = 10.0  # seconds after which a cluster that does not answer counts as not there


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
        alone: dict[str, Any] = {} if address or os.environ.get("RAY_ADDRESS") else {"include_dashboard": False}
        host, _, port = address.removeprefix("ray://").rpartition(":")
        try:
            if host and port.isdecimal():  # Ray itself looks for minutes
                socket.create_connection((host, int(port)), _NO_ANSWER).close()
            ray.init(address=address or None, **alone, log_to_driver=False, logging_level="ERROR")
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(
                f"--address {address}: no Ray cluster can be reached there ({error}); `ray start --head` begins one"
            ) from None
        try:
            yield
        finally:
            ray.shutdown()


def generate(suite: Suite, out: Path, shards: int | None = None, *, on_progress: OnProgress = unseen) -> FolderInfo:
    """Draw `suite` in shards (default: one a CPU) on the connected cluster, and merge them into `out`.

    Pairs and pixels are the same as on one machine. Shards lie beside `out`; the same call again draws only missing
    ones. `on_progress(done, total)` counts them. Raises the errors of drawing and merging.
    """
    if existing := generation.already_drawn(out, generation.to_draw(suite, None), None):
        return existing
    import ray

    parts = [Shard(k, n) for n in [shards or int(ray.cluster_resources().get("CPU", 1))] for k in range(n)]
    on_nodes(lambda part: generation.generate(suite, _folder(out, part), workers=1, shard=part), parts, on_progress)
    merge([_folder(out, part) for part in parts], out)
    return Folder(out).info


def probe(
    job: Probe, out: Path, replicas: int, *, gpus: float = 0, on_progress: OnProgress = unseen
) -> tuple[list[Progress], bool]:
    """Ask in shards, one for each replica, on the connected cluster; merge them into `out` if all were asked.

    Each replica takes a CPU and `gpus` of a node, and waits until they are free. `on_progress(done, total)` counts
    shards. One replica goes on with a run that was merged before. Replicas share the calls and money of `job.limits`;
    keys are not sent to nodes. Returns the progress of each, and True if the run is whole. InputError with the message
    of a shard that failed, or if the run was begun in another number of shards.
    """
    merged = (out / RUN_FILE).is_file()
    parts: list[Shard | None] = [None] if merged else [Shard(k, replicas) for k in range(replicas)]
    others = {*out.parent.glob(f"{glob.escape(out.name)}--shard-*-of-*")} - {_folder(out, part) for part in parts}
    if others and not merged:
        raise InputError(
            f"{out}: was begun with another number of replicas, see {min(others)}: give that number as "
            "--replicas to resume, or choose another --out to ask again"
        )
    ends = on_nodes(
        lambda part: replace(job, shard=str(part or ""), out=str(_folder(out, part))).asking().run()[-1].end,
        parts,
        on_progress,
        gpus,
    )
    complete = merged or all(end.tried for end in ends)
    if complete and not merged:
        merge([_folder(out, part) for part in parts], out)
    return ends, complete


def _folder(out: Path, part: Shard | None) -> Path:
    """The folder of a part of the work, beside `out`; `out` itself for the whole."""
    return Path(f"{out}{part.ending if part is not None else ''}")


def on_nodes(
    work: Callable[[Shard | None], T], parts: Sequence[Shard | None], on_progress: OnProgress, gpus: float = 0
) -> list[T]:
    """The results of `work` in order, done by a task for each part, which takes a CPU and some GPUs of a node.

    A lost task, or one of a lost node, begins anew on another node. InputError with the message of a task that failed.
    """
    import ray

    task = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=-1)(on_a_node)
    ends: list[T] = []
    for waiting in [task.remote(str(Path.cwd()), work, part) for part in parts]:
        end, wrong = ray.get(waiting)
        if wrong:
            raise InputError(wrong)
        ends.append(end)
        on_progress(len(ends), len(parts))
    return ends


def on_a_node(folder: str, work: Callable[[Shard | None], T], part: Shard | None) -> tuple[T | None, str]:
    """The result of a part's work, done in `folder`, and the message of an error ("" for none).

    Errors are returned as texts, since Ray would raise them with the whole traceback of the remote process.
    """
    try:
        os.chdir(folder)
        return work(part), ""
    except OSError as error:
        return None, f"{folder}: {error}; all nodes of the cluster need to share this folder"
    except CounterbenchError as error:
        return None, str(error)
