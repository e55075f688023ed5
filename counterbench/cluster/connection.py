"""The connection to a Ray cluster for the time of one command; no dashboard, no usage statistics."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from counterbench.errors import CounterbenchError, InputError
from counterbench.files.installation import install_command
from counterbench.suites.shards import Shard

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
    ours = not ray.is_initialized()
    with contextlib.redirect_stdout(sys.stderr):  # Ray prints lost nodes there
        if ours:
            _connect(address)
        try:
            yield
        finally:
            if ours:
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


def cpus() -> int:
    """The number of CPUs of the cluster."""
    import ray

    return int(ray.cluster_resources().get("CPU", 1))


def on_nodes(
    work: Callable[[Shard | None], T],
    parts: Sequence[Shard | None],
    on_progress: Callable[[int, int], None],
    gpus: float = 0,
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
        return (
            None,
            f"{folder}: a node of the cluster does not see this folder ({error.strerror}); all need to share it",
        )
    try:
        return work(part), ""
    except CounterbenchError as error:
        return None, str(error)
