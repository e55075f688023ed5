"""Spreads chunks of work over processes: results in order, bounded memory, no orphans after a kill."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import Any, TypeVar

from counterbench.errors import CounterbenchError, InputError

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4  # chunks submitted for each worker, including the one that it works on

_task: Callable[[list[Any]], list[Any]] | None = None  # set in each worker process by `_start`


def worker_count(workers: int | None) -> int:
    """The number of processes to use: as given, or one for each core."""
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}")
    return workers or os.cpu_count() or 1


def in_chunks(
    task: Callable[[list[T]], list[R]], items: Iterable[T], *, workers: int, chunk: int, total: int
) -> Iterator[R]:
    """`task` applied to `items` in chunks, its results one by one and in order.

    `task` must be picklable: a function, or a frozen object with `__call__`. `chunk`: the items of one call of it.
    `total`: the number of all items; if one chunk holds them, or with one worker, this process does the work.
    """
    source = iter(items)
    chunks = iter(lambda: list(islice(source, chunk)), [])
    if workers == 1 or total <= chunk:
        yield from chain.from_iterable(map(task, chunks))
        return
    # Forking starts a worker in milliseconds, where it is safe; elsewhere a worker is a new interpreter.
    fork = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if fork else "spawn")
    pool = ProcessPoolExecutor(min(workers, -(-total // chunk)), context, _start, (task,))
    try:
        waiting = deque(pool.submit(_run, batch) for batch in islice(chunks, workers * _AHEAD))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(_run, batch) for batch in islice(chunks, 1))
    except BrokenProcessPool:
        raise CounterbenchError(
            "a worker process was killed, perhaps for want of memory: run the same command again, and "
            "with fewer --workers if it happens again"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _start(task: Callable[[list[Any]], list[Any]]) -> None:
    """Begin a worker process: keep the task, leave Ctrl-C to the main process, and end when that ends.

    A main process that is killed with kill -9 gives no notice of its end, so a thread waits for it.
    """
    global _task
    _task = task
    gc.freeze()  # a collection would write to the memory that is shared with the main process, and so copy it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(batch: list[Any]) -> list[Any]:
    assert _task is not None
    return _task(batch)
